// A workload profile: the data, computing, exchanges and checkpoints of one training job, as
// measured somewhere. The files are scenarios/profiles/*.yaml. Their use by the models:
// sim/training and docs/model.md. Left out: what the network learns. Measured accuracies are
// carried along, not predicted.
//
// Files are read strictly: unknown keys, wrong units, and values without a source are problems, all
// reported at once.
//
//   schema: gridcast.profile/1
//   title: ...
//   machine: kempner-a100
//   dataset: {samples: 1281167, ...}
//   ...
//   sources:
//     dataset: the benchmark's README        # a whole group,
//     dataset.files: "assumed: one a sample" # or one key of it
// A source that begins with "assumed" marks a value that nobody measured, and gives its
// reason.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/scenario/hardware.hpp"

namespace gridcast::scenario {

struct DatasetSpec {
  double samples = 0;  // of one pass over the data
  Bytes sample_size;   // as stored, in the mean
  double files = 1;
  std::string format;
  Bytes sample_spread = {};  // sd of the size
};

struct TrainSpec {
  int epochs = 1;
  int batch = 1;           // samples a step of one GPU
  int steps = 0;           // of an epoch; 0: as many as the data set gives
  bool drop_last = false;  // an incomplete last batch is dropped
  int warm_up_steps = 0;   // at the start of the job, beyond those of the epochs
  double warm_up_slowdown = 1;
  double validation_samples = 0;  // after each epoch, shared among the GPUs
  double learning_rate = 0;       // at `batch` on one GPU; bookkeeping only
};

struct ComputeSpec {
  std::string gpu;                // on which it was measured
  Seconds step_time;              // forward + backward of one batch on one GPU
  Seconds step_overhead;          // the part of it that does not grow with the batch
  double forward_share = 1 / 3.;  // of step_time
  Seconds optimizer;              // after the exchange
  double spread = 0;  // sd of a rank's compute time, relative: the slowest rank sets the pace
  double slow_per_doubling = 0;  // each doubling of the GPUs adds this share of the compute time
  double slow_across_nodes = 0;  // and running on more than one node, once
  Seconds start;                 // once a job: unpacking, imports
  Seconds epoch_overhead;        // once an epoch: loader processes, validation tail
  Seconds group_overhead;        // the same, only with more than one GPU
  Bytes model_memory = {};       // of a GPU: weights, gradients, the optimizer's state
  Bytes sample_memory = {};      // ... and of a sample of the batch; 0: not known
  double slowest = 1;            // one of several ranks takes so many times as long, all along
};

/// How gradients are added up across ranks (sim/training/step_time.hpp).
enum class Collective {
  automatic,  // ring or tree, whichever is faster, as NCCL does
  ring,       // one ring through all ranks
  tree,       // chains in the nodes, a tree over them
};

struct ExchangeSpec {
  Bytes gradient;                       // of one copy of the model
  Bytes bucket = Bytes(25 * 1048576.);  // PyTorch DDP's default
  double overlap = 1;  // share of the backward pass during which gradients can be on their way
  Collective algorithm = Collective::automatic;
  // Time of a step on several nodes that no overlap hides, and its growth with each doubling of the
  // nodes: times, as neither bytes nor hops grow with the batch.
  Seconds unhidden = {}, unhidden_per_doubling = {};
};

/// When a job reads its data.
enum class ReadWhen {
  each_step,    // the data of the next steps, prefetched or not
  epoch_start,  // a rank's whole share, before the steps
  job_start,    // once, into memory
  never,        // no reads that a profiler sees
};

/// The unit that readers of one rank share out among themselves.
enum class ReadBy {
  batch,   // each prepares whole batches (PyTorch's DataLoader)
  sample,  // all work on the same batch (tf.data's parallel map)
};

/// In which order samples come, which decides the use of a page cache.
enum class Shuffle {
  off,    // the rank's share in the same order each epoch
  shard,  // the rank's share in another order each epoch
  all,    // any sample on any rank
};

/// Threads of a rank, and batches that each may be ahead.
inline constexpr int most_readers = 4096;

struct ReaderSpec {
  ReadWhen when = ReadWhen::each_step;
  ReadBy by = ReadBy::batch;
  int threads = 1;   // of one rank
  int prefetch = 2;  // batches (of each thread, where `by` is batch); 0: read, then compute
  Bytes transfer_size = Bytes(262144);
  Bytes other_size;           // a second size of reads ...
  double other_share = 0;     // ... and the share of reads that have it
  bool sequential = true;     // reads run on from sample to sample; else each sample ends a read
  bool shared_file = false;   // one file for all ranks, opened once by each
  bool all_read_all = false;  // every rank reads the whole data set instead of its share
  double read_twice = 0;      // share of reads that are done twice (prefetched and dropped)
  double read_ahead = 0;      // reads that the file system has under way beyond the current one
  bool page_cache = true;
  Shuffle shuffle = Shuffle::all;
  Seconds decode;             // processor time of one sample
  Seconds read_overhead;      // of the library, on each read
  Seconds open_overhead;      // of the library and the metadata server, on each open
  Seconds unhidden;           // of each step, with any prefetching: the framework's hand-over
  Seconds unhidden_shared;    // and the time that ranks add, with m on a host and H hosts:
  double unhidden_ranks = 1;  // unhidden + unhidden_shared x m^unhidden_ranks x H^unhidden_hosts
  double unhidden_hosts = 0.25;
  double start_reads = 0;  // at the start of the job, of each rank on average ...
  Bytes start_read_size;   // ... of this size
};

enum class SaveMode {
  wait,     // training stands still until it is written
  overlap,  // training goes on; the next one waits for it
};

struct CheckpointSpec {
  Bytes size;  // all files of one checkpoint; of each rank, where all write
  int files = 1;
  int every_steps = 0;
  int every_epochs = 0;
  int first_epoch = 0;  // of those; 0: the same as every_epochs
  Seconds every;        // of training time
  bool at_end = false;
  bool all_ranks = false;  // else the first one
  SaveMode mode = SaveMode::wait;
  std::string destination;  // a storage of the catalogue; empty: where the data is
};

/// A run that somebody measured with this workload.
struct MeasuredRun {
  int gpus = 1;
  int nodes = 1;
  int batch = 0;
  double learning_rate = 0;
  Seconds wall;
  Seconds epoch;
  double accuracy_top1 = 0;  // per cent, of the validation data
  double accuracy_top5 = 0;
};

/// One joint value of the parameters fitted to runs (gridcast profile --fit): put in place of the
/// profile's own, all together give the interval of an estimate.
struct StepDraw {
  Seconds step_time, step_overhead;
  double overlap = 1;
  BytesPerSecond intra_bandwidth, inter_bandwidth;
  Seconds inter_latency;
  double slow_per_doubling = 0, slow_across_nodes = 0;
  Seconds unhidden, unhidden_per_doubling;  // of the exchange
  Seconds group_overhead;
  double noise = 0;  // sd of ln(time) of a configuration
};

/// The same of a store and the pipeline that reads it.
struct StoreDraw {
  Seconds unhidden, unhidden_shared;
  double unhidden_ranks = 1, unhidden_hosts = 0;
  Seconds open_latency;
  BytesPerSecond stream_bandwidth, node_bandwidth, bandwidth;
  Seconds decode;
  double noise = 0;  // sd of ln(waiting)
};

/// Compute time of another GPU model over the profile's, where both were measured.
struct GpuFactor {
  std::string name;
  double factor = 1;
  double variation = 0;  // sd of ln(factor)
};

struct Profile {
  std::string name;  // the file's
  std::string title;
  std::string machine;  // of the catalogue: its machine
  std::string storage;  // of the catalogue: where the data was
  std::string stage;    // of the catalogue: where the data is copied to first; empty: nowhere
  int gpus = 1;
  int nodes = 1;
  DatasetSpec dataset;
  TrainSpec train;
  ComputeSpec compute;
  ExchangeSpec exchange;
  ReaderSpec reader;
  CheckpointSpec checkpoint;
  double au_threshold = 0;  // accelerator utilisation that a benchmark demands; 0: none
  std::vector<MeasuredRun> measured;
  Hardware hardware;             // of its own, before the catalogue's
  int fitted_gpus = 0;           // the most that were measured; beyond them the noise grows
  int fitted_batch = 0;          // the smallest; below it the noise grows
  std::vector<StepDraw> fitted;  // none: nothing is known of how sure the values are
  std::vector<StoreDraw> fitted_store;
  std::vector<GpuFactor> gpu_factors;
  std::map<std::string, std::string> sources;  // "dataset.samples" or a group of keys -> source

  Bytes dataset_size() const { return dataset.sample_size * dataset.samples; }
};

/// `overrides` ("PATH=VALUE", sim/scenario/yaml/document.hpp) replace values of the file.
Profile read_profile(std::filesystem::path const& file,
                     std::vector<std::string> const& overrides = {});
/// The same from a text; `file` is for messages, its stem is the profile's name.
Profile read_profile_text(std::filesystem::path const& file, std::string const& text,
                          std::vector<std::string> const& overrides = {});

/// Names of the profiles in a folder, sorted: its YAML files but hardware.yaml.
std::vector<std::string> profile_names(std::filesystem::path const& folder);
/// True if it is a file rather than a name of the catalogue: it ends in .yaml or .yml.
bool is_profile_file(std::string const& name);
/// A profile by name in the folder, or by its path. InputError with the nearest name.
Profile find_profile(std::filesystem::path const& folder, std::string const& name,
                     std::vector<std::string> const& overrides = {});

/// The text of a profile file: the values that differ from the defaults, and the sources. `comment`
/// is put before it, line by line, behind "# ".
std::string profile_yaml(Profile const& profile, std::string const& comment);

}  // namespace gridcast::scenario
