// The arguments of all studies (forecast, compare), their checks before any work,
// and their answers: the same for a study on this machine and for one in shards.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/cli/command_line.hpp"
#include "sim/cli/report.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/cli/verb_files.hpp"
#include "sim/history/job_history.hpp"
#include "sim/report/data/result.hpp"
#include "sim/report/text/layout.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/study/comparison.hpp"
#include "sim/study/forecast_scores.hpp"
#include "sim/study/prediction.hpp"

namespace gridcast::cli {

/// After which simulated time a campaign is ended.
inline constexpr char const* usual_horizon = "366 d";

struct StudyArguments {
  std::optional<std::uint32_t> replicas;  // none: the scenario's
  std::optional<std::uint64_t> seed;      // none: the scenario's
  unsigned processes = 1;                 // set to the number of cores by add_study_options
  std::string network = "auto";
  fs::path csv;     // folder; empty: none
  fs::path resume;  // likewise
  bool json = false, details = false, force = false, verbose = false, quiet = false;
  std::string horizon = usual_horizon;
  ReportArguments report = {};
};

/// Heading of the options that say how a campaign is simulated.
inline constexpr char const* simulation_group = "Simulation";

/// -n, --seed and the options of the answer; -j, --network, --horizon, --resume and
/// the progress below their own heading.
void add_study_options(Verb& verb, StudyArguments& arguments);
/// The options of the answer: --details, --json, --csv, --report, --deadline, --force.
void add_answer_options(Verb& verb, StudyArguments& arguments);
void add_json_option(Verb& verb, bool& json);
void add_seed_option(Verb& verb, std::optional<std::uint64_t>& seed);
/// Of this machine; at least one.
unsigned cores();
/// -j,--workers: the number of processes, as many as there are cores.
void add_workers_option(Verb& verb, unsigned& processes);
/// --without NAME[,NAME]: processes that do not happen.
void add_without_option(Verb& verb, std::string& without);
inline constexpr char const* scenario_values =
    "Another value than the scenario's, such as campaign.work.epochs=10,\n"
    "pool.sites.NAME.gpus=4 or calibration.COLUMN=0.5";

/// The overrides with that of study.without, if any process is named.
std::vector<std::string> with_processes_off(std::vector<std::string> overrides,
                                            std::string const& without);
/// --set PATH=VALUE, as often as one likes, of the verbs that read a scenario.
/// --set. Returns it.
Option add_set_option(Verb& verb, std::vector<std::string>& overrides,
                      std::string const& help = scenario_values);
/// --strategy, of the verbs that take one of a scenario's.
void add_strategy_option(Verb& verb, std::string& strategy);
/// --replica alone.
void add_replica_option(Verb& verb, std::uint32_t& replica);
/// --seed and --replica, of the verbs that simulate one campaign.
void add_replica_options(Verb& verb, std::optional<std::uint64_t>& seed, std::uint32_t& replica);
/// --verbose and --quiet, which exclude each other.
void add_progress_options(Verb& verb, bool& verbose, bool& quiet);
/// --horizon alone, with its help.
void add_horizon_option(Verb& verb, std::string& horizon);
Seconds horizon_of(std::string const& text);

/// --network alone.
void add_network_option(Verb& verb, std::string& network);
engine::NetworkModel network_model(std::string const& network);
std::string network_name(engine::NetworkModel model);

/// Without the progress.
study::StudyOptions study_options(StudyArguments const& arguments, scenario::Study const& defaults);

/// The scenario's strategy of that name; the baseline for an empty name.
scenario::Strategy const& chosen_strategy(scenario::Scenario const& scenario,
                                          std::string const& name);

/// The result of `run_all` with the options. Shows progress.
template <class RunAll>
auto with_progress(StudyArguments const& arguments, study::StudyOptions options,
                   RunAll const& run_all) {
  ProgressReport report(arguments.verbose, arguments.quiet);
  options.progress = report.callback();
  return run_all(options);
}

/// The text of a result for a screen.
using ResultText = std::string (*)(report::Result const&, report::Screen const&);
/// JSON, the brief answer or with --details all of it, on standard output; then the tables of
/// --csv.
void print_study(StudyArguments const& arguments, report::Result const& result, ResultText brief,
                 ResultText details);
/// --details, of the verbs that print twelve lines by default.
void add_details_option(Verb& verb, bool& details);

/// Prints the failed replicas on stderr, each with the command that shows it, and the problems of
/// the machine (`trouble`). Returns the exit code.
int end_of_study(std::vector<study::FailedRun> const& failed, bool interrupted,
                 std::vector<Problem> const& trouble, std::string const& scenario,
                 std::uint64_t seed);
/// The same of a prediction, whose scenario may have another name.
int end_of_study(study::Prediction const& prediction, std::string const& scenario);
int end_of_study(study::Comparison const& comparison);

/// Before any work: the tables of --csv and the page of --report can be written, and are none of
/// the inputs. InputError.
void prepare_comparison(StudyArguments const& arguments, std::vector<fs::path> const& inputs);
void prepare_prediction(StudyArguments const& arguments, std::vector<fs::path> const& inputs);

/// A campaign that took place; nothing without files.
std::optional<history::JobHistory> observed_campaign(std::vector<fs::path> const& files,
                                                     RecordArguments const& record);

/// Prints the answer, writes its tables and its page, and returns the exit code. `made_from`: the
/// inputs of a scenario that the program made.
int answer(StudyArguments const& arguments, scenario::Scenario const& scenario,
           study::Comparison const& comparison, MadeFrom made_from = {});
int answer(StudyArguments const& arguments, scenario::Scenario const& scenario,
           scenario::Strategy const& strategy, study::Prediction const& prediction,
           std::optional<history::JobHistory> const& observed, MadeFrom made_from = {});

// `--with NAME:KEY=VALUE[,KEY=VALUE...]` of compare: a strategy on the command line. And --goal.

/// The strategy as overrides, "PATH=VALUE". A comma within brackets or quotes belongs to a value.
/// `baseline`: keys that it has as well, "KEY=VALUE".
std::vector<std::string> strategy_overrides(std::string const& with,
                                            std::vector<std::string> const& baseline);
/// Its name.
std::string strategy_name(std::string const& with);
/// The problem of such a text; empty if there is none.
std::string wrong_strategy(std::string const& with);

/// --goal, of the verbs that rank strategies.
void add_goal_option(Verb& verb, std::string& goal);

// The changes that the owner of jobs makes alone, in the submit file: the strategies that `compare`
// and `open` put beside the one strategy of a submit file or a DAG.

/// The strategies as overrides, "PATH=VALUE": automatic release, retries, and both. A change that
/// the baseline has already is left out. `baseline`: its keys (scenario::baseline_keys).
/// usual_strategies({"retry={max_retries: 2}"}) has automatic release alone.
std::vector<std::string> usual_strategies(std::vector<std::string> const& baseline);

}  // namespace gridcast::cli
