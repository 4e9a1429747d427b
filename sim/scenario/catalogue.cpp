#include "sim/scenario/catalogue.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/base/program.hpp"
#include "sim/base/text.hpp"
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

fs::path catalogue_folder() {
  if (auto const found = shipped_file(fs::path("scenarios") / "profiles")) return *found;
  refuse({}, "the catalogue of profiles is not found",
         "scenarios/profiles is neither here nor where the program is", "");
}

using Found = std::shared_ptr<CatalogueWork const>;

/// Null, and complained of at `key`, if there is no such profile.
Found look_up(YamlDocument& document, std::string const& key, std::string const& name,
              ScenarioEntries& scenario) {
  try {
    auto work =
        std::make_shared<CatalogueWork>(find_catalogue_work(name, scenario.file.parent_path()));
    work->hardware = merged(work->hardware, scenario.hardware);
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
  auto const& calibration = scenario.calibration;
  std::vector<std::string> known = {calibration.profile};
  for (std::string const& profile : catalogue_names()) known.push_back(profile);
  std::string const near = closest(name, known);
  document.complain("campaign.work.profile",
                    fmt::format("'{}' is not calibrated, nor in the catalogue", name),
                    fmt::format("{} is of '{}'", calibration.file, calibration.profile),
                    near.empty() ? "gridcast profile --list shows the catalogue."
                                 : fmt::format("Did you mean '{}'?", near));
}

/// A note for each strategy that would save a job after its last epoch: no refusal, as lessons and
/// people try one interval after the other, and fewer epochs.
void note_late_checkpoints(YamlDocument const& document, Scenario& scenario) {
  int const epochs = scenario.campaign.work.epochs;
  for (Strategy const& strategy : scenario.strategies) {
    std::string const key = fmt::format("strategies.{}.checkpoint.every_epochs", strategy.name);
    int const every = strategy.retry.policy.checkpoint_every_epochs;
    if (every == 0 || every < epochs) continue;
    scenario.notes.push_back({document.at(key), key + ": this has no effect",
                              fmt::format("jobs end with epoch {}", epochs), ""});
  }
}

/// The work of a calibrated job was measured on one GPU.
void note_several_gpus(YamlDocument& document, Scenario& scenario) {
  ParameterDraw const& draw = scenario.calibration.draws.front();
  bool const scales = std::ranges::any_of(
      draw.sites, [](auto const& site) { return site.second.gpus_of_speed > 0; });
  if (draw.work > Seconds() || scales) return;
  int most = 0;
  for (Request const* const request : requests_of(scenario.campaign)) {
    most = std::max(most, request->gpus);
  }
  if (most < 2) return;
  scenario.notes.push_back(
      {document.at("campaign.request.gpus"),
       fmt::format("{} GPUs of a job compute as long as one, on which its work was measured", most),
       "", "State another time with --job-hours or campaign.work.scale."});
}

/// Keys that only the training models know.
void check_calibrated_work(YamlDocument& document, Scenario& scenario) {
  note_late_checkpoints(document, scenario);
  std::string const why =
      fmt::format("'{}' is calibrated, and not of the catalogue", scenario.calibration.profile);
  complain_of_no_effect(document, "campaign.work.batch", why);
  complain_of_no_effect(document, "campaign.work.storage", why);
  complain_of_no_effect(document, "hardware", why);
  for (Strategy const& strategy : scenario.strategies) {
    std::string const path = "strategies." + strategy.name;
    complain_of_no_effect(document, path + ".training", why);
    complain_of_no_effect(document, path + ".checkpoint.every_steps", why);
    complain_of_no_effect(document, path + ".checkpoint.every", why);
  }
  note_several_gpus(document, scenario);
  if (document.has("campaign.work.epochs")) return;
  document.complain("campaign.work", "key 'epochs' is missing",
                    "a calibrated workload has no number of its own");
}

/// True if one of a device's words is `word`: "A100" of "NVIDIA A100-SXM4-80GB".
bool has_word(std::string const& device, std::string_view word) {
  for (auto at = device.find(word); at != std::string::npos; at = device.find(word, at + 1)) {
    auto const inner = [&](std::size_t i) { return device[i] != ' ' && device[i] != '-'; };
    bool const begins = at == 0 || !inner(at - 1);
    std::size_t const end = at + word.size();
    if (begins && (end == device.size() || !inner(end))) return true;
  }
  return false;
}

/// The catalogue's GPU for a DeviceName as HTCondor logs it: of those whose name's first part is
/// one of its words, the one with the nearest memory and the same kind of slot.
GpuModel const* gpu_of_device(Hardware const& hardware, SiteSpec const& site) {
  GpuModel const* best = nullptr;
  double least = 0;
  for (GpuModel const& gpu : hardware.gpus) {
    if (!has_word(site.gpu, gpu.name.substr(0, gpu.name.find('-')))) continue;
    double off = std::abs(std::log(gpu.memory / std::max(site.gpu_memory, Bytes(1))));
    if (has_word(site.gpu, "PCIe") != has_word(gpu.name, "PCIe")) off += 0.1;
    if (best && off >= least) continue;
    best = &gpu;
    least = off;
  }
  return best;
}

}  // namespace

std::optional<fs::path> shipped_file(fs::path const& name) {
  std::error_code ignored;
  if (fs::exists(name, ignored)) return name;
  if (auto const found = upwards(fs::current_path(ignored), name)) return found;
  return upwards(program_file().parent_path(), name);
}

bool is_shipped(fs::path const& file, fs::path const& folder) {
  auto const found = shipped_file(folder);
  std::error_code error;
  auto const within = found ? fs::relative(file, *found, error) : fs::path();
  return !within.empty() && *within.begin() != "..";
}

std::vector<std::string> catalogue_names() { return profile_names(catalogue_folder()); }

CatalogueWork find_catalogue_work(std::string const& name, fs::path const& folder) {
  fs::path const catalogue = catalogue_folder();
  fs::path const own = folder / name;
  fs::path const file =
      is_profile_file(name) ? own.lexically_normal() : catalogue / (name + ".yaml");
  if (!is_profile_file(name) && !fs::exists(file)) {
    refuse({}, fmt::format("unknown profile '{}'", name), "",
           suggestion(name, profile_names(catalogue)));
  }
  expect_ordinary_file(file);
  fs::path const hardware = catalogue / "hardware.yaml";
  std::string const text = read_text_file(file);
  CatalogueWork work{read_profile_text(file, text), read_hardware(hardware),
                     sha256(sha256(text) + sha256(read_text_file(hardware)))};
  // Sites' machines and stores are looked up in its own hardware too.
  work.hardware = merged(work.hardware, std::exchange(work.profile.hardware, {}));
  return work;
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
  return best || site.gpu.empty() ? best : gpu_of_device(hardware, site);
}

GpuModel const* gpu_of_name(Hardware const& hardware, std::string const& name) {
  SiteSpec site;
  site.gpu = name;
  if (auto const unit = name.find("GB"); unit != std::string::npos) {
    auto const before = name.find_last_not_of("0123456789", unit == 0 ? 0 : unit - 1) + 1;
    double gigabytes = 0;
    std::from_chars(name.data() + before, name.data() + unit, gigabytes);
    site.gpu_memory = Bytes(gigabytes * 1e9);
  }
  return gpu_of_site(hardware, site);
}

void read_catalogue_work(YamlDocument& document, ScenarioEntries& scenario) {
  Work& work = scenario.campaign.work;
  if (work.profile.empty()) return;
  if (work.profile == scenario.calibration.profile) {
    return check_calibrated_work(document, scenario);
  }
  bool const is_file = is_profile_file(work.profile);
  auto const known = is_file ? std::vector<std::string>{} : catalogue_names();
  if (!is_file && !is_one_of(work.profile, known)) return complain_of_workload(document, scenario);
  if (!document.has("campaign.work.epochs")) work.epochs = 0;
  work.catalogue = look_up(document, "campaign.work.profile", work.profile, scenario);
  for (Strategy& strategy : scenario.strategies) {
    TrainingStrategy& training = strategy.training;
    if (training.profile.empty()) continue;
    training.catalogue.work =
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
               "how long a workload of the catalogue trains there depends on it",
               suggestion(site.gpu, names_of(hardware.gpus)));
    }
    auto const machines = names_of(hardware.machines);
    if (site.machine.empty() || is_one_of(site.machine, machines)) continue;
    pool.complain(path + ".machine", fmt::format("unknown machine '{}'", site.machine), "",
                  suggestion(site.machine, machines));
  }
}

}  // namespace gridcast::scenario
