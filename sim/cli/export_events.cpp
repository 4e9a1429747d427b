#include "sim/cli/export_events.hpp"

#include <cstdio>
#include <iostream>
#include <limits>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/exit_code.hpp"
#include "sim/cli/ledger_source.hpp"
#include "sim/cli/scenario_input.hpp"
#include "sim/cli/study_arguments.hpp"
#include "sim/condor/event_log_writer.hpp"
#include "sim/condor/history_ads_writer.hpp"
#include "sim/condor/merge_ads.hpp"
#include "sim/condor/read_log.hpp"

namespace gridcast {
namespace {

namespace fs = std::filesystem;

bool is_scenario(fs::path const& file) {
  return file.extension() == ".yaml" || file.extension() == ".yml";
}

// A folder stands for the log that `run --out` puts in it.
LedgerSources sources_of(std::vector<fs::path> const& named) {
  std::vector<fs::path> files;
  std::vector<Problem> problems;
  for (auto const& source : named) {
    std::error_code ignored;
    if (is_scenario(source)) {
      problems.push_back({{source.string()},
                          "cannot be exported together with something else",
                          "a scenario is simulated, a log is read",
                          "Export them one by one."});
    }
    files.push_back(fs::is_directory(source, ignored) ? source / "events.log" : source);
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  LedgerSources sources = sort_by_kind(files);
  for (auto const& table : sources.tables) {
    problems.push_back({{table.string()},
                        "no event log can be written of a job table",
                        "it has no dates",
                        "Name the event logs of its jobs."});
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  return sources;
}

struct Exported {
  JobHistory history;
  EventLogOptions options;
};

Exported simulated(ExportEventsOptions const& options) {
  Scenario const scenario = read_runnable_scenario(options.sources.front());
  ReplicaOptions simulation;
  simulation.network = network_model(options.network);
  auto const seed = options.seed.value_or(scenario.study.seed);
  Strategy const& strategy = chosen_strategy(scenario, options.strategy);
  auto replica = simulate_replica(scenario, strategy, seed, options.replica, simulation);
  return {std::move(replica.history), event_log_options(scenario, strategy)};
}

Exported read(ExportEventsOptions const& options) {
  LedgerSources const sources = sources_of(options.sources);
  ReadLogOptions const how = {options.year, options.time_zone};
  JobAds const ads = sources.ads.empty() ? JobAds{} : read_job_ads(sources.ads);
  if (!sources.ads.empty()) fmt::print(stderr, "{}", to_text(ads.report));
  MergeReport merged;
  if (sources.logs.empty()) {
    auto history = history_from_ads(ads, merged);
    fmt::print(stderr, "{}", to_text(merged));
    return {std::move(history), options_of_unknown_jobs()};
  }
  LoggedHistory logged = read_logs(sources.logs, how);
  fmt::print(stderr, "{}", to_text(logged.report));
  if (!sources.ads.empty()) {
    logged = merge(std::move(logged), ads, merged);
    fmt::print(stderr, "{}", to_text(merged));
  }
  return {std::move(logged.history), options_of_unknown_jobs()};
}

void write_exported(ExportEventsOptions const& options, Exported const& exported,
                    std::ostream& out) {
  if (options.ads.empty()) {
    return write_event_log(exported.history, out, in_form(options.form, exported.options));
  }
  HistoryAdsOptions form;
  form.form = options.ads == "long" ? AdsForm::long_form : AdsForm::json;
  write_history_ads(exported.history, out, form);
}

void add_simulation_options(CLI::App& verb, ExportEventsOptions& options) {
  auto* group = verb.add_option_group("Of a scenario");
  group->add_option("--strategy", options.strategy, "Strategy (default: the scenario's baseline)")
      ->type_name("NAME");
  group->add_option("--seed", options.seed, "Seed of all luck (default: the scenario's)")
      ->check(whole_number(0))
      ->type_name("N");
  group->add_option("--replica", options.replica, "Which replica of a study with that seed")
      ->check(whole_number(0, std::numeric_limits<std::uint32_t>::max()))
      ->type_name("N")
      ->capture_default_str();
  add_network_option(verb, options.network);
}

void add_reading_options(CLI::App& verb, ExportEventsOptions& options) {
  auto* group = verb.add_option_group("Of logs");
  constexpr int first_year = 1970, last_year = 9999;
  group->add_option("--year", options.year, "Year of the first MM/DD date (default: inferred)")
      ->check(whole_number(first_year, last_year))
      ->type_name("N");
  group->add_option("--tz", options.time_zone, "Time zone of the access point")->type_name("ZONE");
}

}  // namespace

int run_export_events(ExportEventsOptions const& options) {
  bool const simulate = options.sources.size() == 1 && is_scenario(options.sources.front());
  Exported const exported = simulate ? simulated(options) : read(options);
  if (options.out == "-") {
    write_exported(options, exported, std::cout);
  } else {
    write_file(options.out, [&](std::ostream& out) { write_exported(options, exported, out); });
  }
  return exit_code::done;
}

void add_export(CLI::App& app, Select select) {
  auto options = std::make_shared<ExportEventsOptions>();
  CLI::App* group = app.add_subcommand("export", "Campaigns in the formats of other programs");
  group->require_subcommand(1);
  CLI::App* verb = group->add_subcommand("events", "A job event log that HTCondor's tools read");
  verb->add_option("SOURCE", options->sources,
                   "A scenario (YAML), of which one replica is simulated; or event logs, with them "
                   "or alone the ads of condor_history, or a folder of run --out")
      ->required()
      ->type_name("");
  verb->add_option("-o,--out", options->out, "What is written; - is standard output")
      ->required()
      ->type_name("FILE");
  verb->add_option("--ads", options->ads, "The ads of condor_history (long, json), not the log")
      ->check(one_of({"long", "json"}))
      ->type_name("FORM");
  add_event_log_form(*verb, options->form);
  add_simulation_options(*verb, *options);
  add_reading_options(*verb, *options);
  verb->footer(
      "Examples:\n"
      "  gridcast export events scenarios/osg-imagenet.yaml --replica 3 -o events.log\n"
      "  gridcast export events job.log --condor-version 25 --utc -o job-25.log\n"
      "  gridcast export events job.log --ads json -o history.json\n"
      "  condor_wait -status events.log      # and condor_userlog, condor_q -userlog, ...");
  verb->callback([options, select = std::move(select)] {
    select([options] { return run_export_events(*options); });
  });
}

}  // namespace gridcast
