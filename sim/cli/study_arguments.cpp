#include "sim/cli/study_arguments.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <string_view>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/base/text.hpp"
#include "sim/base/units.hpp"
#include "sim/engine/job_ad.hpp"
#include "sim/import/calibrated_program.hpp"
#include "sim/import/recorded_campaign.hpp"
#include "sim/report/data/csv.hpp"
#include "sim/report/data/result_json.hpp"
#include "sim/report/text/answer.hpp"
#include "sim/report/text/brief.hpp"
#include "sim/report/text/study_text.hpp"
#include "sim/scenario/campaign.hpp"
#include "sim/scenario/preferences.hpp"
#include "sim/scenario/request.hpp"
#include "sim/study/critical_path.hpp"
#include "sim/study/record.hpp"

namespace gridcast::cli {
namespace {

/// Splits at commas outside of brackets and quotes.
std::vector<std::string> assignments(std::string_view text) {
  std::vector<std::string> parts;
  for (std::size_t end = 0;; text.remove_prefix(end + 1)) {
    end = end_of_part(text, ",");
    parts.emplace_back(text.substr(0, end));
    if (end == text.size()) return parts;
  }
}

struct NamedStrategy {
  std::string name;
  std::vector<std::string> assignments;
};

NamedStrategy named_strategy(std::string const& with) {
  auto const colon = with.find(':');
  if (colon == std::string::npos) return {};
  return {std::string(trim(std::string_view(with).substr(0, colon))),
          assignments(std::string_view(with).substr(colon + 1))};
}

/// In the order of engine::NetworkModel.
std::vector<std::string> const network_names = {"auto", "fast", "maxmin"};

constexpr std::uint64_t most_replicas = 10'000'000;
constexpr std::uint64_t most_processes = 1024;
constexpr std::size_t failures_named = 20;

std::string way_to_see(std::string const& scenario, std::string const& strategy, std::uint64_t seed,
                       std::uint32_t replica) {
  if (scenario.empty()) return "";
  return ". To see it: " + report::replica_command(scenario, strategy, seed, replica);
}

void prepare_study(StudyArguments const& arguments, std::vector<fs::path> const& inputs,
                   std::vector<std::string> const& tables) {
  VerbFiles files(if_there(arguments.force));
  files.reads(inputs);
  if (!arguments.resume.empty()) files.reads(arguments.resume / "study.journal");
  files.writes(arguments.csv, tables);
  prepare_report(arguments.report, files);
  files.prepare();
}

/// The pool without the sites on which no job may run under the baseline.
scenario::Pool usable_part(scenario::Scenario const& scenario) {
  std::set<std::string> names;
  for (scenario::Request const* request : scenario::requests_of(scenario.campaign)) {
    for (auto const& site :
         engine::possible_sites(scenario.pool, *request, scenario.strategy(scenario.baseline))) {
      names.insert(site.name);
    }
  }
  scenario::Pool usable = scenario.pool;
  std::erase_if(usable.sites, [&](auto const& site) { return !names.contains(site.name); });
  return usable;
}

/// The facts of the scenario and of the command line that an answer shows.
void complete(report::Result& result, StudyArguments const& arguments,
              scenario::Scenario const& scenario) {
  result.without_gpus = scenario::without_gpus(scenario.campaign);
  // A scenario that repeats recorded jobs is within their record.
  if (!scenario.calibration.recorded && !scenario.calibration.file.empty()) {
    result.extrapolation =
        import::beyond_record(import::read_calibrated_program(scenario.calibration.file),
                              scenario.campaign, usable_part(scenario));
  }
  report::ask_deadline(result, deadline_of(arguments.report));
  report::set_ends(result, horizon_of(arguments.horizon));
}

/// The critical path of the medoid replica, which is simulated again; empty if no submission waits
/// for another.
std::vector<study::CriticalStep> typical_critical_path(StudyArguments const& arguments,
                                                       scenario::Scenario const& scenario,
                                                       scenario::Strategy const& strategy,
                                                       study::StudySample const& sample) {
  if (!scenario::has_nodes(scenario.campaign) || sample.size() == 0) return {};
  auto const options = study_options(arguments, scenario.study);
  auto const simulated = study::simulate_replica(scenario, strategy, options.seed,
                                                 study::medoid_replica(sample), options.simulation);
  return study::critical_path(scenario.campaign, simulated.history);
}

/// Prints on stderr how many replicas of a prediction a time limit ended: without `details` only if
/// it ended half of them.
void print_ends(report::Result const& result, bool details) {
  report::ResultStrategy strategy = *report::baseline(result);
  bool const few = 2 * strategy.ends.queue_limit < strategy.replicas;
  if (few && !details) strategy.ends.queue_limit = 0;
  for (auto const& words : report::words_of_ends(strategy)) print_notes(words + "\n");
}

/// A change that the owner of the jobs makes alone, in the submit file.
struct OwnChange {
  std::string name, setting, about;
  std::vector<std::string> rivals;  // keys of the submit file that decide the same
};

std::vector<OwnChange> const& own_changes() {
  static std::vector<OwnChange> const changes = {
      {"auto-release",
       "release.transfer_holds_after=20 min",
       "Jobs held for a failed transfer are released after 20 min. You add periodic_release.",
       {"periodic_release", "transfer_holds_after"}},
      {"retries",
       "retry.max_retries=3",
       "A job that fails runs again, at most three times. You add max_retries.",
       {"max_retries"}}};
  return changes;
}

}  // namespace

std::vector<std::string> strategy_overrides(std::string const& with,
                                            std::vector<std::string> const& baseline) {
  auto const strategy = named_strategy(with);
  std::string const path = "strategies." + strategy.name;
  std::vector<std::string> overrides = {path + "={}"};
  for (auto const& each : baseline) overrides.push_back(path + "." + each);
  for (auto const& each : strategy.assignments) {
    overrides.push_back(path + "." + std::string(trim(each)));
  }
  return overrides;
}

std::string strategy_name(std::string const& with) { return named_strategy(with).name; }

std::string wrong_strategy(std::string const& with) {
  constexpr char form[] = "write NAME:KEY=VALUE, such as patient:transfer.stall_timeout=2 h";
  auto const strategy = named_strategy(with);
  if (strategy.name.empty()) return form;
  if (strategy.name.find_first_of(".=[]{} ") != std::string::npos) {
    return "a name has no points, blanks, brackets or '='";
  }
  for (auto const& each : strategy.assignments) {
    auto const equals = each.find('=');
    if (equals == std::string::npos || trim(each.substr(0, equals)).empty()) return form;
  }
  return "";
}

void add_goal_option(Verb& verb, std::string& goal) {
  verb.option("--goal", &goal, std::string("The first criterion: ") + scenario::goal_forms, "GOAL")
      .check([](std::string const& text) {
        return scenario::parse_goal(text) ? "" : std::string("write ") + scenario::goal_forms;
      });
}

void add_seed_option(Verb& verb, std::optional<std::uint64_t>& seed) {
  verb.option("--seed", &seed, "Random seed (default: the scenario's)", "N").whole_number(0);
}

void add_replica_option(Verb& verb, std::uint32_t& replica) {
  verb.option("--replica", &replica, "Which campaign of a study with that seed", "N")
      .whole_number(0, std::numeric_limits<std::uint32_t>::max())
      .shows_default();
}

void add_replica_options(Verb& verb, std::optional<std::uint64_t>& seed, std::uint32_t& replica) {
  add_seed_option(verb, seed);
  add_replica_option(verb, replica);
}

void add_progress_options(Verb& verb, bool& verbose, bool& quiet) {
  Option const more = verb.flag("--verbose", verbose, "Progress also where there is no terminal");
  verb.flag("--quiet", quiet, "No progress; only problems").excludes(more);
}

void add_strategy_option(Verb& verb, std::string& strategy) {
  verb.option("--strategy", &strategy, "Strategy (default: the scenario's baseline)", "NAME");
}

void add_network_option(Verb& verb, std::string& network) {
  verb.option("--network", &network,
              "How transfers share links: exactly but slowly (maxmin), by one shared link each "
              "(fast), or as the pool allows",
              "auto|fast|maxmin")
      .one_of(network_names)
      .shows_default();
}

void add_horizon_option(Verb& verb, std::string& horizon) {
  verb.option("--horizon", &horizon, "Simulated time after which the remaining jobs are removed",
              "TIME")
      .check([](std::string const& text) {
        auto const time = parse_seconds(text);
        return time && *time > Seconds() && *time < days(36600) ? "" : "write 60 d, or 366 d";
      })
      .shows_default();
}

Seconds horizon_of(std::string const& text) { return parse_seconds(text).value_or(days(366)); }

void add_without_option(Verb& verb, std::string& without) {
  verb.option("--without", &without, "Processes that do not happen (docs/model.md)", "NAME[,NAME]");
}

std::vector<std::string> with_processes_off(std::vector<std::string> overrides,
                                            std::string const& without) {
  if (!without.empty()) overrides.push_back("study.without=" + without);
  return overrides;
}

Option add_set_option(Verb& verb, std::vector<std::string>& overrides, std::string const& help) {
  return verb.option("--set", &overrides, help, "PATH=VALUE").repeatable();
}

unsigned cores() { return std::max(1U, std::thread::hardware_concurrency()); }

void add_workers_option(Verb& verb, unsigned& processes) {
  processes = cores();
  verb.option("-j,--workers", &processes, "Processes (default: one a core)", "N")
      .whole_number(1, most_processes)
      .shows_default();
}

void add_json_option(Verb& verb, bool& json) {
  verb.flag("--json", json, "One JSON object on standard output, nothing else");
}

void add_answer_options(Verb& verb, StudyArguments& arguments) {
  add_details_option(verb, arguments.details);
  add_json_option(verb, arguments.json);
  verb.option("--csv", &arguments.csv, "Folder for tables of the results, in full", "DIR");
  add_report_option(verb, arguments.report);
  add_deadline_option(verb, arguments.report);
  verb.flag("--force", arguments.force, "Replace results that are already there");
}

void add_study_options(Verb& verb, StudyArguments& arguments) {
  verb.option("-n,--replicas", &arguments.replicas, "Number of campaigns (default: the scenario's)",
              "N")
      .whole_number(1, most_replicas);
  add_seed_option(verb, arguments.seed);
  add_answer_options(verb, arguments);
  Verb group = verb.group(simulation_group);
  add_workers_option(group, arguments.processes);
  add_network_option(group, arguments.network);
  add_horizon_option(group, arguments.horizon);
  group.option("--resume", &arguments.resume,
               "Folder that keeps finished campaigns; an interrupted study continues from it",
               "DIR");
  add_progress_options(group, arguments.verbose, arguments.quiet);
}

engine::NetworkModel network_model(std::string const& network) {
  auto const found = std::ranges::find(network_names, network);
  return static_cast<engine::NetworkModel>(found - network_names.begin());
}

std::string network_name(engine::NetworkModel model) {
  return network_names.at(static_cast<std::size_t>(model));
}

study::StudyOptions study_options(StudyArguments const& arguments,
                                  scenario::Study const& defaults) {
  study::StudyOptions options;
  options.replicas = arguments.replicas.value_or(static_cast<std::uint32_t>(defaults.replicas));
  options.seed = arguments.seed.value_or(defaults.seed);
  options.processes = arguments.processes;
  options.simulation.network = network_model(arguments.network);
  options.simulation.horizon = horizon_of(arguments.horizon);
  options.resume = arguments.resume;
  return options;
}

scenario::Strategy const& chosen_strategy(scenario::Scenario const& scenario,
                                          std::string const& name) {
  return scenario.strategy(name.empty() ? scenario.baseline : name);
}

void print_study(StudyArguments const& arguments, report::Result const& result, ResultText brief,
                 ResultText details) {
  auto const text = arguments.details ? details : brief;
  print_results(arguments.json ? json_text(report::result_json(result)) : text(result, screen()));
  if (!arguments.csv.empty()) write_output(arguments.csv, report::result_csv(result));
}

void add_details_option(Verb& verb, bool& details) {
  verb.flag("--details", details, "All figures, in tables");
}

int end_of_study(std::vector<study::FailedRun> const& failed, bool interrupted,
                 std::vector<Problem> const& trouble, std::string const& scenario,
                 std::uint64_t seed) {
  for (std::size_t i = 0; i < std::min(failed.size(), failures_named); ++i) {
    auto const& [strategy, replica, why] = failed[i];
    print_message(fmt::format("gridcast: campaign {} of seed {} failed under {}: {}{}\n", replica,
                              seed, strategy, why, way_to_see(scenario, strategy, seed, replica)));
  }
  if (failed.size() > failures_named) {
    print_message(fmt::format("gridcast: and {} more; --json names them all\n",
                              failed.size() - failures_named));
  }
  for (Problem const& problem : trouble) print_message(problem.to_text() + "\n");
  if (!trouble.empty()) return exit_code::failed;
  if (interrupted) return exit_code::interrupted;
  return failed.empty() ? exit_code::done : exit_code::incomplete;
}

int end_of_study(study::Prediction const& prediction, std::string const& scenario) {
  std::vector<study::FailedRun> runs;
  for (auto const& [replica, why] : prediction.failed) {
    runs.push_back({prediction.strategy, replica, why});
  }
  return end_of_study(runs, prediction.interrupted, prediction.trouble, scenario, prediction.seed);
}

int end_of_study(study::Comparison const& comparison) {
  return end_of_study(comparison.failed, comparison.interrupted, comparison.trouble,
                      comparison.scenario, comparison.seed);
}

void prepare_comparison(StudyArguments const& arguments, std::vector<fs::path> const& inputs) {
  prepare_study(arguments, inputs,
                {"metrics.csv", "differences.csv", "probability_best.csv", "explanations.csv",
                 "standings.csv", "replicas.csv"});
}

void prepare_prediction(StudyArguments const& arguments, std::vector<fs::path> const& inputs) {
  prepare_study(arguments, inputs,
                {"metrics.csv", "replicas.csv", "against.csv", "executions.csv"});
}

std::optional<history::JobHistory> observed_campaign(std::vector<fs::path> const& files,
                                                     RecordArguments const& record) {
  if (files.empty()) return std::nullopt;
  auto const sorted = import::sort_by_kind(files, record.options());
  auto campaign = import::open_campaign(sorted, record.dates);
  print_notes((sorted.logs.empty() ? campaign.ads_report : campaign.log_actions) +
              campaign.table_report + campaign.notes);
  return std::move(campaign.history);
}

int answer(StudyArguments const& arguments, scenario::Scenario const& scenario,
           study::Comparison const& comparison, MadeFrom made_from) {
  auto result = report::result_of(comparison);
  complete(result, arguments, scenario);
  result.simplified = made_from.simplified;
  result.assumed = made_from.assumed;
  print_study(arguments, result, report::brief_comparison, report::comparison_text);
  write_study_report(arguments, scenario, result, scenario.strategy(scenario.baseline),
                     std::move(made_from));
  return end_of_study(comparison);
}

int answer(StudyArguments const& arguments, scenario::Scenario const& scenario,
           scenario::Strategy const& strategy, study::Prediction const& prediction,
           std::optional<history::JobHistory> const& observed, MadeFrom made_from) {
  auto result = report::result_of(
      prediction, observed ? std::optional(study::compare_with_record(prediction.sample, *observed))
                           : std::nullopt);
  complete(result, arguments, scenario);
  result.simplified = made_from.simplified;
  result.assumed = made_from.assumed;
  result.critical_path = typical_critical_path(arguments, scenario, strategy, prediction.sample);
  report::answer_owner(result, prediction, scenario);
  print_study(arguments, result, report::brief_prediction, report::prediction_text);
  print_ends(result, arguments.details || arguments.json);
  write_study_report(arguments, scenario, result, strategy, std::move(made_from));
  return end_of_study(prediction, prediction.scenario);
}

std::vector<std::string> usual_strategies(std::vector<std::string> const& baseline) {
  std::vector<std::string> overrides, all, names;
  for (OwnChange const& change : own_changes()) {
    bool const decided = std::ranges::any_of(baseline, [&](std::string const& key) {
      return std::ranges::any_of(change.rivals, [&](std::string const& rival) {
        return key.find(rival) != std::string::npos;
      });
    });
    if (decided) continue;
    auto const own = strategy_overrides(change.name + ":" + change.setting, baseline);
    overrides.insert(overrides.end(), own.begin(), own.end());
    overrides.push_back(fmt::format("strategies.{}.about={}", change.name, change.about));
    names.push_back(change.name);
    all.push_back(change.setting);
  }
  if (names.size() > 1) {
    auto const name = fmt::format("{}", fmt::join(names, "-"));
    auto const both = strategy_overrides(fmt::format("{}:{}", name, fmt::join(all, ",")), baseline);
    overrides.insert(overrides.end(), both.begin(), both.end());
    overrides.push_back(
        fmt::format("strategies.{}.about=You add periodic_release and max_retries.", name));
  }
  return overrides;
}

}  // namespace gridcast::cli
