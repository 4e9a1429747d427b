#include "sim/report/text/first_scenario.hpp"

#include <fmt/format.h>

#include "sim/scenario/tables.hpp"

namespace gridcast::report {
namespace {

/// Under its name, with the change and who acts.
scenario::Strategy& add(scenario::ScenarioEntries& entries, std::string const& name,
                        std::string const& about) {
  scenario::Strategy& strategy = entries.strategies.emplace_back();
  strategy.name = name;
  strategy.description.about = about;
  return strategy;
}

constexpr char release_about[] =
    "Jobs held for a failed transfer are released after {}. You add periodic_release.";

void add_strategies_of_table(scenario::ScenarioEntries& entries, scenario::YamlLayout& layout) {
  layout.above["strategies"] = {
      "", "Strategies to compare. One without settings is HTCondor's default."};
  entries.baseline = add(entries, "published", "No change.").name;
  add(entries, "stall-timeout-5min",
      "The stall timer ends a transfer after 5 min, not 60. Each site changes a setting.")
      .transfer.stall_timeout = minutes(5);
  scenario::TransferStrategy& next =
      add(entries, "next-cache",
          "After 100 s without a byte, the next cache sends the rest. The sites install Pelican 7.16.")
          .transfer;
  next.stall_timeout = Seconds(100);
  next.check_interval = Seconds(0.5);
  next.on_stall = scenario::OnStall::next_cache;
  next.resume = true;
  scenario::RetryStrategy& cool =
      add(entries, "cool-down",
          "A job waits 5 to 10 min after a failed transfer. The access point installs HTCondor 25.6.1.")
          .retry;
  cool.on_transfer_failure = scenario::OnTransferFailure::cool_down;
  cool.delay_min = minutes(5);
  cool.delay_max = minutes(10);
  add(entries, "auto-release", fmt::format(release_about, "20 minutes"))
      .release.transfer_holds_after = minutes(20);
}

void add_strategies_of_logs(scenario::ScenarioEntries& entries, scenario::YamlLayout& layout) {
  layout.above["strategies"] = {
      "", "Strategies to compare. One without settings is that of the calibrated campaign."};
  entries.baseline = add(entries, "as-recorded", "No change.").name;
  add(entries, "retries", "A job that fails runs again, at most three times. You add max_retries.")
      .retry.policy.max_retries = 3;
  add(entries, "auto-release", fmt::format(release_about, "a minute"))
      .release.transfer_holds_after = minutes(1);
}

/// Groups that one is likely to change in lines.
scenario::YamlShape shape_of(std::string_view path) {
  if (path == "campaign.submit") return scenario::YamlShape::folded;
  // Each strategy is in lines, and its keys are not.
  bool const strategy = path.starts_with("strategies.") && path.find('.') == path.rfind('.');
  bool const lines = strategy || path == "campaign" || path == "strategies";
  return lines ? scenario::YamlShape::lines : scenario::YamlShape::line;
}

void add_campaign(scenario::ScenarioEntries& entries, scenario::YamlLayout& layout,
                  FirstScenario const& of) {
  if (of.repeated) {
    entries.campaign = *of.repeated;
    entries.campaign.work.from = scenario::JobSource::record;
  } else {
    entries.campaign.submit = {{Seconds(), of.jobs}};
    if (!of.input.empty()) entries.campaign.input = {{"osdf:///my/input.tar", Bytes()}};
    layout.as["campaign.input.size"] = of.input;
  }
  entries.campaign.work.profile = of.profile;
  entries.campaign.work.scale = of.scale;
  entries.campaign.request.gpus = of.gpus;
  layout.as[of.from_event_log ? "campaign.work.scale" : "campaign.work.epochs"] = of.work;
  layout.above["campaign"] = {""};
  layout.above["campaign.submit"] = {
      "When, and how many: [{at: 0 s, jobs: 50}, {at: 2 h, jobs: 50}] submits in two goes."};
  layout.above["campaign.request"] = {
      "Requests of each job. With a disk (350 GB) or a GPU's memory (16 GB), sites that offer less "
      "are",
      "never matched."};
  layout.above["campaign.input"] = {"Input of each job, fetched before it computes."};
  layout.above["campaign.work"] = {
      !of.work_words.empty() ? of.work_words
      : of.repeated
          ? "Each job repeats one of the log's. 'from: processes' draws each step from its law."
      : of.from_event_log ? "Multiple of the work of the calibrated jobs."
                          : "Passes over the data, of the workload that was calibrated."};
}

}  // namespace

std::string first_scenario_text(FirstScenario const& of) {
  scenario::ScenarioEntries entries;
  scenario::YamlLayout layout;
  entries.title = of.title;
  entries.question = "How long will it take, and which strategy wastes least?";
  entries.pool_file = of.pool;
  entries.calibration_file = of.calibration;
  layout.shape = shape_of;
  layout.text = scenario::in_quotes;
  layout.time = scenario::time_in_largest;
  layout.above = {
      {"question", {"Your question; reports show it above the answer."}},
      {"pool", {"", "Where it runs: sites, caches, origin and access point."}},
      {"calibration",
       {"How that grid behaves: fitted to real campaigns. From your own logs:",
        "  gridcast calibrate my-campaign.log -o my-grid.yaml"}},
      {"baseline", {"", "The strategy that the others are held against."}},
      {"study",
       {"The seed of all random numbers. `replicas` sets how often each is simulated (1000)."}}};
  add_campaign(entries, layout, of);
  (of.from_event_log ? add_strategies_of_logs : add_strategies_of_table)(entries, layout);
  for (scenario::Strategy& strategy : entries.strategies) {
    strategy.retry.policy.allowed_execute_duration = of.limit;
  }
  layout.as["question"] = entries.question;
  layout.as["baseline"] = entries.baseline;
  layout.kept = [&of](std::string_view path) {
    return path == "campaign.submit.at" || path == "campaign.request.gpus" ||
           path == "campaign.work.epochs" || path == "strategies.cool-down.retry.times" ||
           path == "study.seed" || (of.from_event_log && path == "campaign.work.scale");
  };
  std::string const modeline =
      of.schema.empty() ? "" : fmt::format("# yaml-language-server: $schema={}\n", of.schema);
  return modeline +
         "# A first scenario, by gridcast init. Every line may be changed; meaning of the keys:\n"
         "#   gridcast help scenario        gridcast help strategies        gridcast help units\n" +
         scenario::scenario_table().text(entries, layout);
}

}  // namespace gridcast::report
