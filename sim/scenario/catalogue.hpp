// The catalogue that comes with the program (scenarios/profiles): workloads, by name or by their
// path if that ends in .yaml, and the hardware that they refer to, GPUs, stores and machines
// (hardware.yaml), each value with its source.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/scenario/pool.hpp"
#include "sim/scenario/profile.hpp"

namespace gridcast::scenario {

/// Key, or several with commas between, -> where the values are from.
using ValueSources = std::map<std::string, std::string>;

struct GpuModel {
  std::string name;
  Bytes memory;
  double images_per_s = 0;  // ResNet-50 v1.5 training: the yardstick from one GPU to another
  ValueSources sources = {};
};

/// Where data is read from, and how fast. Zero bandwidths mean: no such limit.
struct StorageSpec {
  std::string name;
  BytesPerSecond bandwidth;         // of the whole store, shared by all ranks
  BytesPerSecond node_bandwidth;    // what one node gets out of it
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

/// Nodes of one kind and what lies between them.
struct MachineSpec {
  std::string name;
  int nodes = 1;          // 1: no job runs across nodes (a slot of the pool)
  int gpus_per_node = 1;  // ranks
  std::string gpu;
  Bytes memory;            // of a node
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

Hardware read_hardware(std::filesystem::path const& file);

// By name; InputError with the nearest one.
GpuModel const& find_gpu(Hardware const& hardware, std::string const& name);
StorageSpec const& find_storage(Hardware const& hardware, std::string const& name);
MachineSpec const& find_machine(Hardware const& hardware, std::string const& name);

/// A workload, and the hardware that it may run on.
struct CatalogueWork {
  Profile profile;
  Hardware hardware;
  std::string sha256;  // of the profile's text and the hardware's
};

/// Paths are taken from `folder`, that of the scenario. InputError with the nearest name.
CatalogueWork find_catalogue_work(std::string const& name, std::filesystem::path const& folder);

/// Names of the shipped profiles; empty where there is no catalogue.
std::vector<std::string> catalogue_names();

/// The catalogue's GPU that a site's `gpu` means: that of the same name, else the one whose name
/// begins with it and whose memory is nearest (a pool's "V100" with 16 GB is V100-16GB). Null if
/// there is none.
GpuModel const* gpu_of_site(Hardware const& hardware, SiteSpec const& site);

/// A file or folder of the checkout, as "scenarios/profiles": from here or the program's own folder
/// upwards, or below ../share/gridcast (an installation).
std::optional<std::filesystem::path> shipped_file(std::filesystem::path const& name);

}  // namespace gridcast::scenario
