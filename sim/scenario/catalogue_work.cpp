#include "sim/scenario/catalogue_work.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "sim/base/closest.hpp"
#include "sim/base/files.hpp"
#include "sim/scenario/catalogue.hpp"
#include "sim/scenario/profile_reader.hpp"

namespace gridcast::scenario {
namespace {

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
  document.add(
      document.at("campaign.work.profile"),
      fmt::format("campaign.work.profile: '{}' is not calibrated, nor in the catalogue", name),
      fmt::format("{} is of '{}'", scenario.calibration.file, scenario.calibration.profile),
      near.empty() ? "gridcast train --list shows the catalogue."
                   : fmt::format("Did you mean '{}'?", near));
}

void complain_of_no_effect(YamlDocument& document, std::string const& key, std::string const& why) {
  if (!document.has(key)) return;
  document.add(document.at(key), key + ": this would have no effect", why, "");
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
  document.add(document.at("campaign.work"), "campaign.work: key 'epochs' is missing",
               "a calibrated workload has no number of its own", "");
}

/// Dated worlds play attempts from their logs: transfers do not share links there.
void check_dated(YamlDocument& document, Scenario const& scenario) {
  for (Strategy const& strategy : scenario.strategies) {
    std::string const path = "strategies." + strategy.name;
    std::string const why = fmt::format("{} is of dated logs", scenario.calibration.file);
    complain_of_no_effect(document, path + ".training", why);
    complain_of_no_effect(document, path + ".checkpoint.every_steps", why);
    complain_of_no_effect(document, path + ".checkpoint.every", why);
  }
}

std::vector<std::string> gpu_names(Hardware const& hardware) {
  std::vector<std::string> names;
  for (GpuModel const& gpu : hardware.gpus) names.push_back(gpu.name);
  return names;
}

std::vector<std::string> machine_names(Hardware const& hardware) {
  std::vector<std::string> names;
  for (MachineSpec const& machine : hardware.machines) names.push_back(machine.name);
  return names;
}

}  // namespace

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
  if (scenario.calibration.draws.front().event_log) check_dated(document, scenario);
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
               suggestion(site.gpu, gpu_names(hardware)));
    }
    auto const machines = machine_names(hardware);
    bool const known = site.machine.empty() ||
                       std::find(machines.begin(), machines.end(), site.machine) != machines.end();
    if (known) continue;
    pool.add(pool.at(path + ".machine"),
             fmt::format("{}.machine: unknown machine '{}'", path, site.machine), "",
             suggestion(site.machine, machines));
  }
}

}  // namespace gridcast::scenario
