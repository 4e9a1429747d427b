#include "sim/scenario/profile_hardware.hpp"

#include <set>

#include <fmt/format.h>

#include "sim/base/closest.hpp"
#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/base/text.hpp"
#include "sim/scenario/tables.hpp"

namespace gridcast::scenario {
namespace {

constexpr char hardware_schema_name[] = "gridcast.hardware/1";

Key sources_key() {
  return {"sources", Form::named_sections, "Where each value is from, by key or several keys",
          true};
}

template <class Part>
void read_sources(YamlValue const& value, Part& part) {
  for (auto const& [keys, item] : find_named(value)) read_value(item, {}, part.sources[keys]);
}

Table<GpuModel> const& gpu_table() {
  static Table<GpuModel> const table =
      Table<GpuModel>("GPUs")
          .required("memory", &GpuModel::memory, "Of one GPU", positive())
          .required("images_per_s", &GpuModel::images_per_s,
                    "ResNet-50 v1.5 training, the yardstick between GPUs", positive())
          .add(sources_key(), read_sources<GpuModel>);
  return table;
}

Table<StorageSpec> const& storage_table() {
  static Table<StorageSpec> const table =
      Table<StorageSpec>("Where data is read from and checkpoints go")
          .optional("bandwidth", &StorageSpec::bandwidth, "Of all readers together; 0: no limit")
          .optional("node_bandwidth", &StorageSpec::node_bandwidth, "Of one node; 0: no limit")
          .required("stream_bandwidth", &StorageSpec::stream_bandwidth, "Of one reader", positive())
          .required("write_bandwidth", &StorageSpec::write_bandwidth, "Of one writer", positive())
          .optional("read_latency", &StorageSpec::read_latency, "Of each read")
          .optional("open_latency", &StorageSpec::open_latency, "Of each open")
          .optional("stripe_size", &StorageSpec::stripe_size, "0 B: files are not striped")
          .optional("stripes", &StorageSpec::stripes, "Targets of one file", between(1, 1e6))
          .optional("node_local", &StorageSpec::node_local, "Each node has its own")
          .optional("capacity", &StorageSpec::capacity, "Of each node's; 0 B: enough")
          .add(sources_key(), read_sources<StorageSpec>);
  return table;
}

Table<MachineSpec> const& machine_table() {
  static Table<MachineSpec> const table =
      Table<MachineSpec>("Nodes and what lies between them")
          .required("nodes", &MachineSpec::nodes, "1: no job runs across nodes", between(1, 1e6))
          .required("gpus_per_node", &MachineSpec::gpus_per_node, "Ranks of a node",
                    between(1, 1e6))
          .required("gpu", &MachineSpec::gpu, "By its name")
          .required("memory", &MachineSpec::memory, "Of a node")
          .optional("cache_share", &MachineSpec::cache_share,
                    "Of the memory that the page cache may take", between(0, 1))
          .optional("intra_latency", &MachineSpec::intra_latency, "Of one hop within a node")
          .optional("inter_latency", &MachineSpec::inter_latency, "Of one hop between nodes")
          .required("intra_bandwidth", &MachineSpec::intra_bandwidth, "Bus bandwidth in a node",
                    positive())
          .required("inter_bandwidth", &MachineSpec::inter_bandwidth, "Bus bandwidth between nodes",
                    positive())
          .add(sources_key(), read_sources<MachineSpec>);
  return table;
}

Table<Hardware> const& hardware_table() {
  static Table<Hardware> const table = Table<Hardware>("GPUs, stores and machines")
                                           .schema(hardware_schema_name)
                                           .named("gpus", &Hardware::gpus, gpu_table())
                                           .named("storage", &Hardware::storage, storage_table())
                                           .named("machines", &Hardware::machines, machine_table());
  return table;
}

/// Every value has a source, and every source is of a value.
template <class Part>
void check_sources(YamlDocument& document, std::string const& group, Part const& part) {
  std::string const path = group + "." + part.name;
  std::set<std::string> told;
  for (auto const& [keys, text] : part.sources) {
    for (std::string const& key : split(keys, ',')) told.insert(std::string(trim(key)));
  }
  for (auto const& value : document.root()[group][part.name]) {
    std::string const key = value.first.Scalar();
    if (key == "sources" || told.erase(key) > 0) continue;
    document.add(document.at(path + "." + key), fmt::format("{}.{}: no source", path, key),
                 "every value says where it is from", "Add it below 'sources', or 'assumed: why'.");
  }
  for (std::string const& key : told) {
    document.add(document.at(path + ".sources"),
                 fmt::format("{}.sources: there is no value '{}'", path, key), "", "");
  }
}

/// A machine's GPU has to be in the same file.
void check_machines(YamlDocument& document, Hardware const& hardware) {
  std::vector<std::string> gpus;
  for (auto const& gpu : hardware.gpus) gpus.push_back(gpu.name);
  for (auto const& machine : hardware.machines) {
    bool known = machine.gpu.empty();
    for (auto const& gpu : gpus) known = known || gpu == machine.gpu;
    if (known) continue;
    std::string const path = fmt::format("machines.{}.gpu", machine.name);
    document.add(document.at(path), fmt::format("{}: unknown GPU '{}'", path, machine.gpu), "",
                 suggestion(machine.gpu, gpus));
  }
}

template <class Part>
Part const& find(std::vector<Part> const& parts, std::string const& name, std::string_view what) {
  std::vector<std::string> names;
  for (Part const& part : parts) {
    if (part.name == name) return part;
    names.push_back(part.name);
  }
  throw InputError(
      Problem{{}, fmt::format("unknown {} '{}'", what, name), "", suggestion(name, names)});
}

}  // namespace

Hardware read_hardware(std::filesystem::path const& file) {
  YamlDocument document(file, read_text_file(file));
  Hardware hardware;
  if (check_schema(document, hardware_schema_name)) {
    hardware_table().read({document, document.root(), ""}, hardware);
    check_machines(document, hardware);
    if (document.has_problems()) throw InputError(document.problems());
    for (auto const& gpu : hardware.gpus) check_sources(document, "gpus", gpu);
    for (auto const& store : hardware.storage) check_sources(document, "storage", store);
    for (auto const& machine : hardware.machines) check_sources(document, "machines", machine);
  }
  if (document.has_problems()) throw InputError(document.problems());
  return hardware;
}

GpuModel const& find_gpu(Hardware const& hardware, std::string const& name) {
  return find(hardware.gpus, name, "GPU");
}
StorageSpec const& find_storage(Hardware const& hardware, std::string const& name) {
  return find(hardware.storage, name, "storage");
}
MachineSpec const& find_machine(Hardware const& hardware, std::string const& name) {
  return find(hardware.machines, name, "machine");
}

}  // namespace gridcast::scenario
