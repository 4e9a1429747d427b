#include "tests/training/published/what_if.hpp"

#include <functional>

#include "sim/training/estimate.hpp"

namespace gridcast::training::published {
namespace {

/// Changes a profile, or the stores that it reads and writes.
using Change = std::function<void(TrainingSetup&, scenario::Hardware const&)>;

constexpr Bytes kibibytes(double n) { return Bytes(n * 1024); }

Change transfer(Bytes size) {
  return [size](TrainingSetup& setup, auto const&) {
    setup.profile.reader.transfer_size = size;
    setup.profile.reader.other_share = 0;
  };
}

/// Reads of 4 MiB from stripes of 64 KiB.
void read_at_large(TrainingSetup& setup, scenario::Hardware const& hardware) {
  transfer(kibibytes(4096))(setup, hardware);
  setup.storage.stripe_size = kibibytes(64);
}

Change threads(int count, int prefetch = 0) {
  return [count, prefetch](TrainingSetup& setup, auto const&) {
    setup.profile.reader.threads = count;
    if (prefetch > 0) setup.profile.reader.prefetch = prefetch;
  };
}

/// The data is copied to the node's own store first, and read from there.
Change stage_to(char const* store, int prefetch = 0) {
  return [store, prefetch](TrainingSetup& setup, scenario::Hardware const& hardware) {
    setup.source = setup.storage;
    setup.storage = scenario::find_storage(hardware, store);
    if (prefetch > 0) setup.profile.reader.prefetch = prefetch;
  };
}

/// Checkpoints so many times as large, on the node's SSD.
Change save_to_ssd(double factor) {
  return [factor](TrainingSetup& setup, scenario::Hardware const& hardware) {
    setup.save_to = scenario::find_storage(hardware, "nvme");
    setup.profile.checkpoint.size = setup.profile.checkpoint.size * factor;
  };
}

struct Suggestion {
  char const* profile;
  char const* suggestion;
  char const* change;
  Change apply;
};

std::vector<Suggestion> of_imagenet_and_cosmic_tagger() {
  return {
      {"darshan-imagenet", "smaller Lustre stripes", "stripe size 1 MiB -> 64 KiB",
       [](auto& setup, auto const&) { setup.storage.stripe_size = kibibytes(64); }},
      {"darshan-imagenet", "aggressive prefetching", "1 -> 300 batches of read-ahead, none dropped",
       [](auto& setup, auto const&) {
         setup.profile.reader.prefetch = 300;
         setup.profile.reader.read_ahead = 3;
         setup.profile.reader.read_twice = 0;
       }},
      {"darshan-imagenet", "read parallelism of 128", "64 -> 128 threads", threads(128)},
      {"darshan-imagenet", "larger operations", "reads of 256 KiB -> 4 MiB, stripes of 64 KiB",
       read_at_large},
      {"darshan-imagenet", "fewer files", "473 -> 8 files",
       [](auto& setup, auto const&) { setup.profile.dataset.files = 8; }},
      {"darshan-imagenet", "staging to node-local SSD", "copied to nvme first", stage_to("nvme")},
      {"darshan-imagenet", "staging to a RAM buffer", "copied to memory first", stage_to("memory")},
      {"darshan-cosmic-tagger", "reads of several megabytes",
       "2 and 6 KB -> 4 MiB, stripes of 64 KiB", read_at_large},
      {"darshan-cosmic-tagger", "cache the file in memory", "copied to memory first",
       stage_to("memory")},
      {"darshan-cosmic-tagger", "staging and prefetching", "copied to nvme first, 2 batches ahead",
       stage_to("nvme", 2)},
      {"darshan-cosmic-tagger", "several threads", "1 -> 8 threads, 2 batches ahead each",
       threads(8, 2)}};
}

std::vector<Suggestion> of_others() {
  return {
      {"darshan-flood-filling", "reads of 1 to 4 MB", "28 KB -> 4 MiB, stripes of 64 KiB",
       read_at_large},
      {"darshan-flood-filling", "staging to a local SSD", "copied to nvme first", stage_to("nvme")},
      {"darshan-flood-filling", "several threads", "1 -> 8 threads, 2 batches ahead each",
       threads(8, 2)},
      {"darshan-climate-segmentation", "read the statistics in one call", "50 reads -> 8",
       [](auto& setup, auto const&) {
         scenario::ReaderSpec& reader = setup.profile.reader;
         reader.start_read_size = reader.start_read_size * reader.start_reads;
         reader.start_reads = 1;
       }},
      {"darshan-cosmoflow", "num_parallel_reads", "1 -> 4 readers a process", threads(4)},
      {"darshan-cosmoflow", "prefetching",
       "read while training, 2 samples ahead, instead of before it",
       [](auto& setup, auto const&) { setup.profile.reader.when = scenario::ReadWhen::each_step; }},
      {"darshan-cosmoflow", "larger buffer_size", "reads of 256 KiB -> 4 MiB",
       transfer(kibibytes(4096))},
      {"darshan-candle", "sharding instead of every rank reading all", "each rank reads an eighth",
       [](auto& setup, auto const&) { setup.profile.reader.all_read_all = false; }},
      {"darshan-l2hmc", "checkpoints on local SSD", "destination nvme", save_to_ssd(1)},
      {"darshan-l2hmc", "larger checkpoints on local SSD", "10 times the size, destination nvme",
       save_to_ssd(10)},
      {"darshan-bert", "TFRecord instead of CSV", "reads of 200 B -> 256 KiB, while training",
       [](auto& setup, auto const&) {
         setup.profile.reader.transfer_size = kibibytes(256);
         setup.profile.reader.when = scenario::ReadWhen::each_step;
       }}};
}

WhatIf compare(Suggestion const& suggestion, TrainingSetup before, TrainingSetup after) {
  auto const now = estimate_training(before);
  auto const then = estimate_training(after);
  return {suggestion.profile,
          suggestion.suggestion,
          suggestion.change,
          now.total * now.io_share,
          then.total * then.io_share,
          now.total,
          then.total};
}

/// A pass over the data, every rank reading the same and each its own part: a rank that trains on
/// its own part needs fewer steps for it.
WhatIf sharding(TrainingSetup const& setup) {
  auto const with = [&](bool all_read_all, int ranks) {
    TrainingSetup changed = setup;
    changed.profile.reader.all_read_all = all_read_all;
    changed.profile.train.steps = static_cast<int>(setup.samples) / ranks;
    return changed;
  };
  return compare({"darshan-flood-filling",
                  "ranks divide the data",
                  "a pass over all 4,096 samples, shared by 8 ranks",
                  {}},
                 with(true, 1), with(false, setup.gpus));
}

}  // namespace

std::vector<WhatIf> what_ifs(SourceFiles const& files) {
  std::vector<WhatIf> rows;
  scenario::Hardware const hardware = files.hardware();
  auto const setup_of = [&](std::string const& name) {
    return training_setup(files.profile(name), hardware, {});
  };
  for (auto const& suggestions : {of_imagenet_and_cosmic_tagger(), of_others()}) {
    for (Suggestion const& suggestion : suggestions) {
      TrainingSetup const before = setup_of(suggestion.profile);
      TrainingSetup after = before;
      suggestion.apply(after, hardware);
      rows.push_back(compare(suggestion, before, after));
    }
  }
  rows.push_back(sharding(setup_of("darshan-flood-filling")));
  return rows;
}

SourceTable what_if_table(SourceFiles const& files) {
  SourceTable table{
      "The notes' suggestions, as what-ifs",
      "Run time of the job as the notes describe it, and with the suggestion. A suggestion that "
      "makes I/O cheaper gains nothing where training does not wait for it; copying first "
      "(staging) costs its own time in so short a run. Not modelled: RDMA between nodes, tf.data's "
      "AUTOTUNE, TensorBoard, in-memory HDF5 (the same as staging to memory here), and "
      "interference "
      "between files.",
      {},
      "",
      "as it was",
      "what if"};
  for (WhatIf const& row : what_ifs(files)) {
    table.rows.push_back({row.profile + ": " + row.suggestion, "I/O of a rank, " + row.change, "s",
                          row.io_before.value(), row.io_after.value(), 0, true, ""});
    table.rows.push_back({row.profile + ": " + row.suggestion, "run time", "s",
                          row.total_before.value(), row.total_after.value(), 0, true, ""});
  }
  return table;
}

}  // namespace gridcast::training::published
