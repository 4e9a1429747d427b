// GPUs, stores and machines: the hardware of a workload, by name. They come with the program
// (scenarios/profiles/hardware.yaml), each value with its source, or with a profile (`hardware:`),
// whose own are taken before the catalogue's.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/scenario/calibration.hpp"
#include "sim/scenario/campaign.hpp"
#include "sim/scenario/pool.hpp"

namespace gridcast::scenario {

/// Key, or several with commas between, -> where the values are from.
using ValueSources = std::map<std::string, std::string>;

struct GpuModel {
  std::string name;
  Bytes memory;
  double images_per_s = 0;  // ResNet-50 v1.5 training: the yardstick from one GPU to another
  double variation = 0;     // its relative sd between systems and workloads
  ValueSources sources = {};
};

/// The source of data, and its speed. Zero bandwidths mean: no such limit.
struct StorageSpec {
  std::string name;
  BytesPerSecond bandwidth;         // of the whole store, shared by all ranks
  BytesPerSecond node_bandwidth;    // of one node
  BytesPerSecond stream_bandwidth;  // one reader, of one stripe where there are stripes
  BytesPerSecond write_bandwidth;   // one writer
  Seconds read_latency;             // of each read
  Seconds open_latency;             // of each open
  Bytes stripe_size;                // 0: not striped
  int stripes = 1;                  // targets that a file is spread over
  bool node_local = false;          // each node has its own
  Bytes capacity;                   // of each node's, where node-local; 0: enough
  ValueSources sources = {};
};

/// Nodes of one kind and the links between them.
struct MachineSpec {
  std::string name;
  int nodes = 1;          // 1: no job runs across nodes (a slot of the pool)
  int gpus_per_node = 1;  // ranks
  std::string gpu;
  Bytes memory;            // of a node
  int cores = 0;           // of a node, for readers; 0: no limit
  double cache_share = 0;  // of the memory that the page cache may take
  Seconds intra_latency, inter_latency;
  BytesPerSecond intra_bandwidth, inter_bandwidth;  // bus bandwidth, in nccl-tests' sense
  ValueSources sources = {};
};

struct Hardware {
  std::vector<GpuModel> gpus;
  std::vector<StorageSpec> storage;
  std::vector<MachineSpec> machines;
};

/// A file of its own (hardware.yaml). InputError with all problems.
Hardware read_hardware(std::filesystem::path const& file);
/// `own` where both have a part of that name.
Hardware merged(Hardware const& catalogue, Hardware const& own);

// By name; InputError with the nearest one.
GpuModel const& find_gpu(Hardware const& hardware, std::string const& name);
StorageSpec const& find_storage(Hardware const& hardware, std::string const& name);
MachineSpec const& find_machine(Hardware const& hardware, std::string const& name);

// Calibrated work on other GPU models. The recorded jobs computed on the GPUs of the calibration's
// own pool. At a site with another model the same work takes
//   time = calibrated time * v(recorded model) / v(model of the site)
// where v is images_per_s of the catalogue (hardware.yaml). The fit of site speeds has the same
// prior (calibration/fits/speed_fit.hpp). A model without an entry leaves the time unchanged.
// Example: 6 h on a V100 with 16 GB (356 images/s) are 2.3 h on an A100 (938 images/s).
struct GpuSpeeds {
  std::map<std::string, double> recorded, pool;  // images/s by site, if known

  /// The speed at a site of the pool over that at the recorded site whose parameters it has; 1 if
  /// one of them is unknown.
  double ratio(std::string const& site, std::string const& recorded_site) const;
};

/// Nothing if the calibration names no pool.
GpuSpeeds gpu_speeds(Pool const& pool, Calibration const& calibration);
/// The same; nothing if all sites are recorded ones on the same GPUs, where each ratio is 1.
GpuSpeeds changed_gpu_speeds(Pool const& pool, Calibration const& calibration);

/// The GPU models on which the campaign's jobs may run and the recorded jobs did not; empty if
/// there is none:
///   "NVIDIA H200 (5.5 times as fast as the record's V100 by the catalogue)"
std::string other_gpus(Pool const& pool, Request const& request,
                       std::filesystem::path const& recorded_pool);

}  // namespace gridcast::scenario
