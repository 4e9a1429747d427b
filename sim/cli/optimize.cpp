// gridcast optimize WORK [RECORD...]: the change of the current settings that serves the owner's
// goal best, without a list of candidates.
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/units.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/cli/distributed_study.hpp"
#include "sim/cli/input_kind.hpp"
#include "sim/cli/study_arguments.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/cli/verb_files.hpp"
#include "sim/cli/work_scenario.hpp"
#include "sim/optimize/optimum.hpp"
#include "sim/optimize/scoreboard.hpp"

namespace gridcast::cli {
namespace {

/// WORK is a scenario, or a submit file or DAG with the records that its calibration is made from.
struct OptimizeArguments {
  fs::path work;
  std::vector<fs::path> records;
  RecordArguments record;
  std::string as = "owner", strategy, goal, without;
  std::string budget = "60 s";
  ImportSubmitOptions job;  // of a submit file or a DAG
  fs::path submit = {};     // of the records' jobs
  std::vector<std::string> overrides;
  fs::path out;
  StudyArguments study;
  OnArguments on;
  std::uint32_t searches = 8;

  bool is_scenario() const { return work.extension() == ".yaml" || work.extension() == ".yml"; }
};

/// InputError for a scenario with records, and for files that describe no work.
void check_work(OptimizeArguments const& arguments) {
  if (arguments.is_scenario() && !arguments.records.empty()) {
    refuse({arguments.work.string()}, "a scenario takes no records", "it names its calibration",
           "Name a submit file instead, or no records.");
  }
  refuse_other_kinds({arguments.work}, "optimize", "a scenario, a submit file or a DAG",
                     {InputKind::scenario, InputKind::submit_file, InputKind::dag});
}

std::string wrong_budget(std::string const& text) {
  auto const campaigns = optimize::campaigns_in(text);
  auto const time = parse_seconds(text);
  if (!text.empty() && text.find_first_not_of("0123456789") == text.npos) {
    return fmt::format("'{0}' has no unit: write '{0} min' or '{0} campaigns'", text);
  }
  if (!campaigns && !time) return "write '2 min', or '5000 campaigns'";
  bool const none = campaigns ? *campaigns == 0 : !(*time > Seconds());
  return none ? "it is below one simulated campaign" : "";
}

std::vector<std::string> overrides_of(OptimizeArguments const& arguments) {
  auto overrides = with_processes_off(arguments.overrides, arguments.without);
  if (!arguments.goal.empty()) overrides.push_back("study.goal=" + arguments.goal);
  return overrides;
}

/// In shards. The answer comes later, from `compare gather`.
int begin_searches(OptimizeArguments const& arguments, scenario::Scenario const& scenario,
                   scenario::Strategy const& current) {
  if (!arguments.out.empty()) {
    refuse({}, "-o cannot be given with --on",
           "the answer puts optimized.yaml into the study's folder", "Leave it out.");
  }
  StudyArguments study = arguments.study;
  study.replicas = arguments.searches;
  return begin_study(arguments.on, study,
                     {.kind = study::StudyKind::search,
                      .scenario = scenario,
                      .strategy = current.name,
                      .party = arguments.as,
                      .budget = arguments.budget});
}

/// `work`: arguments of a command, if the scenario is made from them.
int optimize_scenario(OptimizeArguments const& arguments, scenario::Scenario const& scenario,
                      std::string const& work) {
  auto const& current = chosen_strategy(scenario, arguments.strategy);
  require_slots(scenario, {current});
  VerbFiles files(if_there(arguments.study.force));
  files.reads(files_of(scenario));
  if (!arguments.study.resume.empty()) files.reads(arguments.study.resume / "search.journal");
  files.writes(arguments.out).prepare();
  if (!arguments.on.system.empty()) return begin_searches(arguments, scenario, current);
  auto options = optimize_options(arguments.as, arguments.budget,
                                  study_options(arguments.study, scenario.study));
  auto optimum = with_progress(arguments.study, options.study, [&](auto const& study) {
    options.study = study;
    return optimize::optimum(scenario, current, options);
  });
  if (!work.empty()) optimum.scenario = work;
  return answer(arguments.study, scenario, optimum, arguments.out);
}

/// WORK and its records, as the verb forecast has them.
ForecastArguments work_of(OptimizeArguments const& arguments) {
  ForecastArguments work{.work = arguments.work, .records = arguments.records};
  work.record = arguments.record;
  work.study.details = arguments.study.details;
  work.job.importing = arguments.job;
  work.job.calibration.submit = arguments.submit;
  work.job.importing.made_from = arguments.work.string();
  if (!arguments.out.empty()) {
    work.out = arguments.out.has_parent_path() ? arguments.out.parent_path() : ".";
  }
  return work;
}

int run_optimize(Verb const& verb, OptimizeArguments const& arguments) {
  check_work(arguments);
  if (arguments.records.empty()) {
    std::vector<Problem> problems;
    refuse_given(verb, {"--columns", "--prefix", "--year", "--tz"}, " without a record",
                 "it is of a record", problems);
    if (!problems.empty()) throw InputError(std::move(problems));
  }
  refuse_options_of_job(verb, arguments.is_scenario()     ? WorkKind::scenario
                              : arguments.records.empty() ? WorkKind::jobs
                                                          : WorkKind::jobs_and_record);
  if (arguments.is_scenario()) {
    auto const scenario = read_runnable_scenario(arguments.work, overrides_of(arguments));
    return optimize_scenario(arguments, scenario, "");
  }
  ForecastArguments const work = work_of(arguments);
  WorkInputs const inputs = open_work(work);
  VerbFiles files(if_there(arguments.study.force));
  files.reads(arguments.work).reads(arguments.records);
  files.reads({arguments.job.calibration, arguments.job.pool});
  if (inputs.dag) files.reads(inputs.dag->read);
  files.writes(work.out, work_file_names(work)).prepare();
  auto const overrides = [&](fs::path const& /*scenario*/) { return overrides_of(arguments); };
  return with_work_scenario(work, inputs, "optimize", overrides, [&](ReadWork const& read) {
    if (!read.made.simplified.empty()) print_notes(read.made.simplified + "\n");
    return optimize_scenario(arguments, read.scenario, typed_work(work));
  });
}

/// The options of a study that a search has too.
void add_search_options(Verb& verb, StudyArguments& study) {
  add_workers_option(verb, study.processes);
  add_seed_option(verb, study.seed);
  add_network_option(verb, study.network);
  add_horizon_option(verb, study.horizon);
  verb.option(
      "--resume", &study.resume,
      "Folder that keeps the simulated campaigns; with the same folder, an interrupted search "
      "continues",
      "DIR");
  add_details_option(verb, study.details);
  add_json_option(verb, study.json);
  verb.flag("--force", study.force, "Replace a file that is already there");
  add_progress_options(verb, study.verbose, study.quiet);
}

}  // namespace

void add_optimize(Verb& program) {
  auto arguments = std::make_shared<OptimizeArguments>();
  Verb verb = program.verb("optimize", "The best change of the current settings, and its gain");
  verb.positional("WORK", &arguments->work, "Scenario (YAML), submit file or DAG").required();
  verb.positional("RECORD", &arguments->records,
                  "Event logs and ads of a campaign that took place; not with a scenario");
  add_record_options(verb, arguments->record);
  verb.option("--as", &arguments->as, "Change only the settings of this party", "PARTY")
      .one_of({optimize::party_names.begin(), optimize::party_names.end()})
      .shows_default();
  add_goal_option(verb, arguments->goal);
  verb.option("--strategy", &arguments->strategy,
              "The current settings (default: the scenario's baseline)", "NAME");
  verb.option("--budget", &arguments->budget,
              "Time for the whole search, or a number of campaigns ('5000 campaigns'): with a "
              "number, one seed has one answer",
              "BUDGET")
      .check(wrong_budget)
      .shows_default();
  verb.option("-o,--out", &arguments->out,
              "The scenario with the strategy 'optimized' added, for compare", "FILE");
  add_set_option(verb, arguments->overrides);
  add_without_option(verb, arguments->without);
  add_search_options(verb, arguments->study);
  add_options_of_job(verb, arguments->job, arguments->submit);
  Option const on = add_on_options(verb, arguments->on);
  constexpr std::uint64_t most_searches = 10000;
  verb.option("--searches", &arguments->searches,
              "With --on: independent searches, each with a seed of its own and the whole budget",
              "N")
      .whole_number(1, most_searches)
      .shows_default()
      .needs(on);
  verb.footer(
      "  gridcast optimize scenarios/osg-imagenet.yaml\n"
      "  gridcast optimize scenarios/osg-imagenet.yaml --as site --budget '2 min' -o new.yaml\n"
      "  gridcast optimize job.sub campaign.log history.json --goal makespan --details");
  verb.runs([arguments, verb] { return run_optimize(verb, *arguments); });
}

}  // namespace gridcast::cli
