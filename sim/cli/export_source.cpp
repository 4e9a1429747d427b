#include "sim/cli/export_source.hpp"

#include <cstdio>
#include <iostream>
#include <limits>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/cli/arguments.hpp"
#include "sim/cli/ledger_source.hpp"
#include "sim/cli/scenario_input.hpp"
#include "sim/cli/study_arguments.hpp"
#include "sim/condor/merge_ads.hpp"
#include "sim/condor/read_log.hpp"

namespace gridcast::cli {
namespace {

namespace fs = std::filesystem;

bool is_scenario(fs::path const& file) {
  return file.extension() == ".yaml" || file.extension() == ".yml";
}

// A folder stands for the log that `run --out` puts in it.
LedgerSources sources_of(std::vector<fs::path> const& named, std::string const& what) {
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
                        fmt::format("no {} can be written of a job table", what),
                        "it has no dates",
                        "Name the event logs of its jobs."});
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  return sources;
}

ExportedCampaign simulated(ExportSource const& source) {
  ExportedCampaign exported;
  exported.scenario = read_runnable_scenario(source.sources.front());
  scenario::Scenario const& scenario = *exported.scenario;
  engine::ReplicaOptions simulation;
  simulation.network = network_model(source.network);
  simulation.cache_samples = true;
  auto const seed = source.seed.value_or(scenario.study.seed);
  scenario::Strategy const& strategy = chosen_strategy(scenario, source.strategy);
  auto replica = study::simulate_replica(scenario, strategy, seed, source.replica, simulation);
  exported.history = std::move(replica.history);
  exported.cache_samples = std::move(replica.audit.cache_samples);
  exported.strategy = strategy.name;
  exported.title = fmt::format("{} (simulated: strategy {}, seed {}, replica {})", scenario.title,
                               strategy.name, seed, source.replica);
  return exported;
}

history::JobHistory read(ExportSource const& source, std::string const& what) {
  LedgerSources const sources = sources_of(source.sources, what);
  condor::JobAds const ads =
      sources.ads.empty() ? condor::JobAds{} : condor::read_job_ads(sources.ads);
  if (!sources.ads.empty()) fmt::print(stderr, "{}", to_text(ads.report));
  condor::MergeReport merged;
  if (sources.logs.empty()) {
    auto history = condor::history_from_ads(ads, merged);
    fmt::print(stderr, "{}", to_text(merged));
    return history;
  }
  condor::LoggedHistory logged = condor::read_logs(sources.logs, {source.year, source.time_zone});
  fmt::print(stderr, "{}", to_text(logged.report));
  if (!sources.ads.empty()) {
    logged = condor::merge(std::move(logged), ads, merged);
    fmt::print(stderr, "{}", to_text(merged));
  }
  return std::move(logged.history);
}

std::string names_of(std::vector<fs::path> const& files) {
  std::string names;
  for (auto const& file : files) names += (names.empty() ? "" : ", ") + file.filename().string();
  return names;
}

}  // namespace

void add_export_source(CLI::App& verb, ExportSource& source) {
  verb.add_option("SOURCE", source.sources,
                  "A scenario (YAML), of which one replica is simulated; or event logs, with them "
                  "or alone the ads of condor_history, or a folder of run --out")
      ->required()
      ->type_name("");
  auto* simulated = verb.add_option_group("Of a scenario");
  simulated
      ->add_option("--strategy", source.strategy, "Strategy (default: the scenario's baseline)")
      ->type_name("NAME");
  simulated->add_option("--seed", source.seed, "Seed of all luck (default: the scenario's)")
      ->check(whole_number(0))
      ->type_name("N");
  simulated->add_option("--replica", source.replica, "Which replica of a study with that seed")
      ->check(whole_number(0, std::numeric_limits<std::uint32_t>::max()))
      ->type_name("N")
      ->capture_default_str();
  add_network_option(verb, source.network);
  auto* read = verb.add_option_group("Of logs");
  constexpr int first_year = 1970, last_year = 9999;
  read->add_option("--year", source.year, "Year of the first MM/DD date (default: inferred)")
      ->check(whole_number(first_year, last_year))
      ->type_name("N");
  read->add_option("--tz", source.time_zone, "Time zone of the access point")->type_name("ZONE");
}

ExportedCampaign read_export_source(ExportSource const& source, std::string const& what) {
  bool const simulate = source.sources.size() == 1 && is_scenario(source.sources.front());
  if (simulate) return simulated(source);
  ExportedCampaign exported;
  exported.history = read(source, what);
  exported.title = names_of(source.sources);
  if (!exported.history.events.empty()) return exported;
  throw InputError(Problem{{names_of(source.sources)},
                           "there is no job in it",
                           "",
                           "Name the event log of a campaign."});
}

void add_export_output(CLI::App& verb, ExportOutput& output) {
  verb.add_option("-o,--out", output.out, "What is written; - is standard output")
      ->type_name("FILE")
      ->capture_default_str();
  verb.add_flag("--force", output.force, "Replace FILE if it is there");
}

void check_export_output(ExportOutput const& output) {
  std::error_code error;
  if (output.force || output.out == "-" || !fs::is_regular_file(output.out, error)) return;
  throw InputError(Problem{{output.out.string()},
                           "is already there",
                           "",
                           "Add --force to replace it, or name another."});
}

void write_export(ExportOutput const& output, std::function<void(std::ostream&)> const& write) {
  if (output.out == "-") return write(std::cout);
  write_file(output.out, write);
}

}  // namespace gridcast::cli
