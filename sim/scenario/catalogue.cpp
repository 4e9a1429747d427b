#include "sim/scenario/catalogue.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "sim/base/closest.hpp"
#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/base/text.hpp"
#include "sim/scenario/profile.hpp"
#include "sim/scenario/tables.hpp"

namespace gridcast::scenario {
namespace {

namespace fs = std::filesystem;

std::optional<fs::path> upwards(fs::path folder, fs::path const& name) {
  std::error_code ignored;
  for (;; folder = folder.parent_path()) {
    for (auto const& base : {folder, folder / "share" / "gridcast"}) {
      if (fs::exists(base / name, ignored)) return base / name;
    }
    if (!folder.has_relative_path()) return std::nullopt;
  }
}

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
    document.complain(path + "." + key, "no source", "every value says where it is from",
                      "Add it below 'sources', or 'assumed: why'.");
  }
  for (std::string const& key : told) {
    document.complain(path + ".sources", fmt::format("there is no value '{}'", key));
  }
}

/// A machine's GPU has to be in the same file.
void check_machines(YamlDocument& document, Hardware const& hardware) {
  auto const gpus = names_of(hardware.gpus);
  for (auto const& machine : hardware.machines) {
    bool const known = std::find(gpus.begin(), gpus.end(), machine.gpu) != gpus.end();
    if (machine.gpu.empty() || known) continue;
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
  throw InputError(Problem{
      {}, fmt::format("unknown {} '{}'", what, name), "", suggestion(name, names_of(parts))});
}

namespace fs = std::filesystem;

fs::path catalogue_folder() {
  if (auto const found = shipped_file(fs::path("scenarios") / "profiles")) return *found;
  throw InputError(Problem{{},
                           "the catalogue of profiles is not found",
                           "scenarios/profiles is neither here nor where the program is",
                           ""});
}

using Found = std::shared_ptr<CatalogueWork const>;

/// Null, and complained of at `key`, if there is no such profile.
Found look_up(YamlDocument& document, std::string const& key, std::string const& name,
              ScenarioEntries& scenario) {
  try {
    auto work =
        std::make_shared<CatalogueWork>(find_catalogue_work(name, scenario.file.parent_path()));
    scenario.sha256 = sha256(scenario.sha256 + work->sha256);
    return work;
  } catch (InputError const& error) {
    for (Problem problem : error.problems()) {
      bool const of_another_file = !problem.where.file.empty();
      if (!of_another_file) problem.what = fmt::format("{}: {}", key, problem.what);
      if (!of_another_file) problem.where = document.at(key);
      document.add(std::move(problem));
    }
    document.mark_bad(key);
    return nullptr;
  }
}

/// Neither calibrated nor in the catalogue: the nearest name may be of either.
void complain_of_workload(YamlDocument& document, Scenario const& scenario) {
  std::string const& name = scenario.campaign.work.profile;
  std::vector<std::string> known = {scenario.calibration.profile};
  for (std::string const& profile : catalogue_names()) known.push_back(profile);
  std::string const near = closest(name, known);
  document.complain(
      "campaign.work.profile", fmt::format("'{}' is not calibrated, nor in the catalogue", name),
      fmt::format("{} is of '{}'", scenario.calibration.file, scenario.calibration.profile),
      near.empty() ? "gridcast train --list shows the catalogue."
                   : fmt::format("Did you mean '{}'?", near));
}

/// Keys that only the training models know.
void check_calibrated_work(YamlDocument& document, Scenario const& scenario) {
  std::string const why =
      fmt::format("'{}' is calibrated, and not of the catalogue", scenario.calibration.profile);
  complain_of_no_effect(document, "campaign.work.batch", why);
  complain_of_no_effect(document, "campaign.work.storage", why);
  for (Strategy const& strategy : scenario.strategies) {
    std::string const path = "strategies." + strategy.name;
    complain_of_no_effect(document, path + ".training", why);
    if (!scenario.calibration.draws.front().event_log) continue;
    complain_of_no_effect(document, path + ".checkpoint.every_steps", why);
    complain_of_no_effect(document, path + ".checkpoint.every", why);
  }
  if (document.has("campaign.work.epochs")) return;
  document.complain("campaign.work", "key 'epochs' is missing",
                    "a calibrated workload has no number of its own");
}

/// Draws of event logs play attempts from their logs: transfers do not share links there.
void check_event_log(YamlDocument& document, Scenario const& scenario) {
  for (Strategy const& strategy : scenario.strategies) {
    std::string const path = "strategies." + strategy.name;
    std::string const why = fmt::format("{} is of dated logs", scenario.calibration.file);
    complain_of_no_effect(document, path + ".training", why);
    complain_of_no_effect(document, path + ".checkpoint.every_steps", why);
    complain_of_no_effect(document, path + ".checkpoint.every", why);
  }
}

}  // namespace

std::optional<fs::path> shipped_file(fs::path const& name) {
  std::error_code ignored;
  if (fs::exists(name, ignored)) return name;
  if (auto const found = upwards(fs::current_path(ignored), name)) return found;
  return upwards(fs::read_symlink("/proc/self/exe", ignored).parent_path(), name);
}

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

std::vector<std::string> catalogue_names() { return profile_names(catalogue_folder()); }

CatalogueWork find_catalogue_work(std::string const& name, fs::path const& folder) {
  fs::path const catalogue = catalogue_folder();
  fs::path const own = folder / name;
  fs::path const file =
      is_profile_file(name) ? own.lexically_normal() : catalogue / (name + ".yaml");
  if (!is_profile_file(name) && !fs::exists(file)) {
    throw InputError(Problem{{},
                             fmt::format("unknown profile '{}'", name),
                             "",
                             suggestion(name, profile_names(catalogue))});
  }
  fs::path const hardware = catalogue / "hardware.yaml";
  std::string const text = read_text_file(file);
  return {read_profile_text(file, text), read_hardware(hardware),
          sha256(sha256(text) + sha256(read_text_file(hardware)))};
}

GpuModel const* gpu_of_site(Hardware const& hardware, SiteSpec const& site) {
  GpuModel const* best = nullptr;
  auto const off = [&site](GpuModel const& gpu) {
    return std::abs(std::log(gpu.memory / std::max(site.gpu_memory, Bytes(1))));
  };
  for (GpuModel const& gpu : hardware.gpus) {
    if (gpu.name == site.gpu) return &gpu;
    bool const begins = !site.gpu.empty() && is_first_word(site.gpu, gpu.name);
    if (begins && (!best || off(gpu) < off(*best))) best = &gpu;
  }
  return best;
}

void read_catalogue_work(YamlDocument& document, ScenarioEntries& scenario) {
  Work& work = scenario.campaign.work;
  if (work.profile.empty()) return;
  if (work.profile == scenario.calibration.profile) {
    return check_calibrated_work(document, scenario);
  }
  bool const is_file = is_profile_file(work.profile);
  auto const known = is_file ? std::vector<std::string>{} : catalogue_names();
  if (!is_file && std::find(known.begin(), known.end(), work.profile) == known.end()) {
    return complain_of_workload(document, scenario);
  }
  if (!document.has("campaign.work.epochs")) work.epochs = 0;
  work.catalogue = look_up(document, "campaign.work.profile", work.profile, scenario);
  if (scenario.calibration.draws.front().event_log) check_event_log(document, scenario);
  for (Strategy& strategy : scenario.strategies) {
    TrainingStrategy& training = strategy.training;
    if (training.profile.empty()) continue;
    training.catalogue =
        look_up(document, fmt::format("strategies.{}.training.profile", strategy.name),
                training.profile, scenario);
  }
}

void check_catalogue_hardware(YamlDocument& pool, Scenario const& scenario) {
  if (!scenario.campaign.work.catalogue) return;
  Hardware const& hardware = scenario.campaign.work.catalogue->hardware;
  for (Id<PoolSite> const id : matching_sites(scenario.pool, scenario.campaign.request)) {
    SiteSpec const& site = scenario.pool.sites[id.index()];
    std::string const path = fmt::format("sites[{}]", id.index());
    if (!gpu_of_site(hardware, site)) {
      pool.add(pool.at(path + ".gpu"),
               site.gpu.empty() ? path + ": no 'gpu'"
                                : fmt::format("{}.gpu: unknown GPU '{}'", path, site.gpu),
               "how long a workload of the catalogue trains there hangs on it",
               suggestion(site.gpu, names_of(hardware.gpus)));
    }
    auto const machines = names_of(hardware.machines);
    bool const known = site.machine.empty() ||
                       std::find(machines.begin(), machines.end(), site.machine) != machines.end();
    if (known) continue;
    pool.complain(path + ".machine", fmt::format("unknown machine '{}'", site.machine), "",
                  suggestion(site.machine, machines));
  }
}

}  // namespace gridcast::scenario
