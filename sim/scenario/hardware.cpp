#include "sim/scenario/hardware.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <system_error>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/base/text.hpp"
#include "sim/scenario/calibration_file.hpp"
#include "sim/scenario/catalogue.hpp"
#include "sim/scenario/tables.hpp"
#include "sim/scenario/yaml/fields.hpp"

namespace gridcast::scenario {
namespace {

namespace fs = std::filesystem;

std::optional<Hardware> shipped_hardware() {
  auto const file = shipped_file("scenarios/profiles/hardware.yaml");
  return file ? std::optional(read_hardware(*file)) : std::nullopt;
}

/// Nothing for a pool that is not there or cannot be read: it only describes the record.
std::optional<Pool> readable_pool(fs::path const& file) {
  std::error_code error;
  if (file.empty() || !fs::exists(file, error)) return std::nullopt;
  try {
    return read_pool(file);
  } catch (InputError const&) {
    return std::nullopt;
  }
}

/// True if all sites are recorded ones, on the same GPUs. The catalogue then changes nothing.
bool has_recorded_gpus(Pool const& pool, Pool const& recorded) {
  return std::ranges::all_of(pool.sites, [&](SiteSpec const& site) {
    return std::ranges::any_of(recorded.sites, [&](SiteSpec const& other) {
      return other.name == site.name && other.gpu == site.gpu;
    });
  });
}

/// True if each site has the GPUs of a recorded one: the catalogue has the same model for both.
bool all_like(Pool const& pool, Pool const& recorded) {
  return std::ranges::all_of(pool.sites, [&](SiteSpec const& site) {
    return std::ranges::any_of(recorded.sites, [&](SiteSpec const& other) {
      return other.gpu == site.gpu && other.gpu_memory == site.gpu_memory;
    });
  });
}

std::map<std::string, double> speeds_of(Pool const& pool, Hardware const& hardware) {
  std::map<std::string, double> speeds;
  for (SiteSpec const& site : pool.sites) {
    GpuModel const* const gpu = gpu_of_site(hardware, site);
    if (gpu && gpu->images_per_s > 0) speeds[site.name] = gpu->images_per_s;
  }
  return speeds;
}

std::optional<Pool> recorded_pool_of(Calibration const& calibration) {
  return readable_pool(pool_of(calibration.file, calibration.record.pool));
}

GpuSpeeds speeds_in(Pool const& pool, Pool const& recorded) {
  auto const hardware = shipped_hardware();
  if (!hardware) return {};
  return {speeds_of(recorded, *hardware), speeds_of(pool, *hardware)};
}

constexpr char hardware_schema_name[] = "gridcast.hardware/1";

Key sources_key() {
  return {"sources", Form::named_sections, "The source of each value, by key or several keys",
          true};
}

Table<GpuModel> const& gpu_table() {
  static Table<GpuModel> const table =
      Table<GpuModel>("GPUs")
          .required("memory", &GpuModel::memory, "Memory of one GPU", positive())
          .required("images_per_s", &GpuModel::images_per_s,
                    "ResNet-50 v1.5 training, the yardstick between GPUs", positive())
          .optional("variation", &GpuModel::variation,
                    "Its spread between systems and workloads, sd / mean", between(0, 1))
          .add(sources_key(), read_sources<GpuModel>, write_sources<GpuModel>);
  return table;
}

Table<StorageSpec> const& storage_table() {
  static Table<StorageSpec> const table =
      Table<StorageSpec>("Source of the data and place of the checkpoints")
          .optional("bandwidth", &StorageSpec::bandwidth,
                    "Bandwidth of all readers together; 0: no limit")
          .optional("node_bandwidth", &StorageSpec::node_bandwidth,
                    "Bandwidth of one node; 0: no limit")
          .required("stream_bandwidth", &StorageSpec::stream_bandwidth, "Bandwidth of one reader",
                    positive())
          .required("write_bandwidth", &StorageSpec::write_bandwidth, "Bandwidth of one writer",
                    positive())
          .optional("read_latency", &StorageSpec::read_latency, "Latency of each read")
          .optional("open_latency", &StorageSpec::open_latency, "Latency of each open")
          .optional("stripe_size", &StorageSpec::stripe_size, "0 B: files are not striped")
          .optional("stripes", &StorageSpec::stripes, "Targets of one file", between(1, 1e6))
          .optional("node_local", &StorageSpec::node_local, "Each node has its own")
          .optional("capacity", &StorageSpec::capacity,
                    "Capacity of each node's store; 0 B: enough")
          .add(sources_key(), read_sources<StorageSpec>, write_sources<StorageSpec>);
  return table;
}

Table<MachineSpec> const& machine_table() {
  static Table<MachineSpec> const table =
      Table<MachineSpec>("Nodes and the links between them")
          .required("nodes", &MachineSpec::nodes, "1: no job runs across nodes", between(1, 1e6))
          .required("gpus_per_node", &MachineSpec::gpus_per_node, "Ranks of a node",
                    between(1, 1e6))
          .required("gpu", &MachineSpec::gpu, "By its name")
          .required("memory", &MachineSpec::memory, "Memory of a node")
          .optional("cores", &MachineSpec::cores, "Cores of a node, for readers; 0: enough",
                    between(0, 1e6))
          .optional("cache_share", &MachineSpec::cache_share,
                    "Share of the memory that the page cache may take", between(0, 1))
          .optional("intra_latency", &MachineSpec::intra_latency, "Latency of a hop within a node")
          .optional("inter_latency", &MachineSpec::inter_latency,
                    "Latency of one hop between nodes")
          .required("intra_bandwidth", &MachineSpec::intra_bandwidth, "Bus bandwidth in a node",
                    positive())
          .required("inter_bandwidth", &MachineSpec::inter_bandwidth, "Bus bandwidth between nodes",
                    positive())
          .add(sources_key(), read_sources<MachineSpec>, write_sources<MachineSpec>);
  return table;
}

/// Every value has a source, and every source is of a value.
template <class Part>
void check_sources(YamlDocument& document, YAML::Node const& hardware, std::string const& above,
                   std::string const& group, Part const& part) {
  std::string const path = above + group + "." + part.name;
  std::set<std::string> sourced;
  for (auto const& [keys, text] : part.sources) {
    for (std::string const& key : split(keys, ',')) sourced.insert(std::string(trim(key)));
  }
  for (auto const& value : hardware[group][part.name]) {
    std::string const key = value.first.Scalar();
    if (key == "sources" || sourced.erase(key) > 0) continue;
    document.complain(path + "." + key, "no source", "every value needs its source",
                      "Add it below 'sources', or 'assumed: why'.");
  }
  for (std::string const& key : sourced) {
    document.complain(path + ".sources", fmt::format("there is no value '{}'", key));
  }
}

/// A machine's GPU has to be in the same file.
void check_machines(YamlDocument& document, Hardware const& hardware) {
  auto const gpus = names_of(hardware.gpus);
  for (auto const& machine : hardware.machines) {
    if (machine.gpu.empty() || is_one_of(machine.gpu, gpus)) continue;
    document.complain(fmt::format("machines.{}.gpu", machine.name),
                      fmt::format("unknown GPU '{}'", machine.gpu), "",
                      suggestion(machine.gpu, gpus));
  }
}

template <class Part>
Part const& find(std::vector<Part> const& parts, std::string const& name, std::string_view what) {
  for (Part const& part : parts) {
    if (part.name == name) return part;
  }
  refuse({}, fmt::format("unknown {} '{}'", what, name), "", suggestion(name, names_of(parts)));
}

template <class Part>
void put_over(std::vector<Part>& parts, std::vector<Part> const& own) {
  for (Part const& part : own) {
    auto const same = std::ranges::find(parts, part.name, &Part::name);
    if (same == parts.end()) {
      parts.push_back(part);
    } else {
      *same = part;
    }
  }
}

Table<Hardware> make_hardware_table(bool required) {
  return Table<Hardware>("GPUs, stores and machines")
      .named("gpus", &Hardware::gpus, gpu_table(), required)
      .named("storage", &Hardware::storage, storage_table(), required)
      .named("machines", &Hardware::machines, machine_table(), required);
}

Table<Hardware> const& hardware_file_table() {
  static Table<Hardware> const table = make_hardware_table(true).schema(hardware_schema_name);
  return table;
}

}  // namespace

double GpuSpeeds::ratio(std::string const& site, std::string const& recorded_site) const {
  auto const own = pool.find(site);
  auto const other = recorded.find(recorded_site);
  return own == pool.end() || other == recorded.end() ? 1 : own->second / other->second;
}

GpuSpeeds gpu_speeds(Pool const& pool, Calibration const& calibration) {
  auto const recorded = recorded_pool_of(calibration);
  return recorded ? speeds_in(pool, *recorded) : GpuSpeeds();
}

GpuSpeeds changed_gpu_speeds(Pool const& pool, Calibration const& calibration) {
  auto const recorded = recorded_pool_of(calibration);
  if (!recorded || has_recorded_gpus(pool, *recorded)) return {};
  return speeds_in(pool, *recorded);
}

std::string other_gpus(Pool const& pool, Request const& request, fs::path const& recorded_pool) {
  auto const recorded = readable_pool(recorded_pool);
  if (!recorded || request.gpus == 0 || all_like(pool, *recorded)) return "";
  auto const hardware = shipped_hardware();
  if (!hardware) return "";
  std::set<std::string> known;
  GpuModel const* first = nullptr;
  for (SiteSpec const& site : recorded->sites) {
    known.insert(site.gpu);
    GpuModel const* const gpu = gpu_of_site(*hardware, site);
    if (gpu) known.insert(gpu->name);
    if (!first) first = gpu;
  }
  std::vector<std::string> others;
  std::vector<double> faster;
  for (Id<PoolSite> const id : matching_sites(pool, request)) {
    SiteSpec const& site = pool.sites[id.index()];
    GpuModel const* const gpu = gpu_of_site(*hardware, site);
    if (site.gpu.empty() || (gpu && known.contains(gpu->name))) continue;
    if (!known.insert(gpu ? gpu->name : site.gpu).second) continue;
    others.push_back(site.gpu);
    bool const scaled = gpu && first && gpu->images_per_s > 0 && first->images_per_s > 0;
    if (scaled) faster.push_back(gpu->images_per_s / first->images_per_s);
  }
  if (others.empty()) return "";
  std::string const models =
      others.size() == 1 ? others.front() : fmt::format("{} other GPU models", others.size());
  if (faster.empty()) return models + " (speed not known)";
  auto const [least, most] = std::minmax_element(faster.begin(), faster.end());
  auto const unknown = others.size() - faster.size();
  return fmt::format("{} ({}{:.2g} times as fast as the record's {} by the catalogue{})", models,
                     faster.size() == 1 ? "" : fmt::format("{:.2g} to ", *least), *most,
                     first->name,
                     unknown == 0 ? "" : fmt::format("; the speed of {} is not known", unknown));
}

Table<Hardware> const& hardware_table() {
  static Table<Hardware> const table = make_hardware_table(false);
  return table;
}

Hardware merged(Hardware const& catalogue, Hardware const& own) {
  Hardware all = catalogue;
  put_over(all.gpus, own.gpus);
  put_over(all.storage, own.storage);
  put_over(all.machines, own.machines);
  return all;
}

void check_hardware_sources(YamlDocument& document, YAML::Node const& node,
                            std::string const& above, Hardware const& hardware) {
  for (auto const& gpu : hardware.gpus) check_sources(document, node, above, "gpus", gpu);
  for (auto const& store : hardware.storage) check_sources(document, node, above, "storage", store);
  for (auto const& machine : hardware.machines) {
    check_sources(document, node, above, "machines", machine);
  }
}

Hardware read_hardware(std::filesystem::path const& file) {
  YamlDocument document(file, read_text_file(file));
  Hardware hardware;
  if (check_schema(document, hardware_schema_name)) {
    hardware_file_table().read({document, document.root(), ""}, hardware);
    check_machines(document, hardware);
    if (document.has_problems()) throw InputError(document.problems());
    check_hardware_sources(document, document.root(), "", hardware);
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
