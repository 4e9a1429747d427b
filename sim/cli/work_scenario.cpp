#include "sim/cli/work_scenario.hpp"

#include <utility>

#include "sim/base/error.hpp"
#include "sim/cli/calibrate.hpp"
#include "sim/cli/input_kind.hpp"
#include "sim/cli/submit_scenario.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/condor/dag/dag_file.hpp"
#include "sim/import/submit_commands.hpp"
#include "sim/study/shards/study_folder.hpp"

namespace gridcast::cli {
namespace {

namespace fs = std::filesystem;

constexpr char const* calibration_name = "calibration.yaml";
constexpr char const* scenario_name = "scenario.yaml";
constexpr int fitted_draws = 200;

}  // namespace

bool WorkArguments::is_scenario() const {
  return file.extension() == ".yaml" || file.extension() == ".yml";
}

std::string WorkArguments::typed() const {
  std::string text = study::typed(file);
  for (fs::path const& each : records) text += " " + study::typed(each);
  return text;
}

void add_work_arguments(Verb& verb, WorkArguments& arguments) {
  verb.positional("WORK", &arguments.file, "Scenario (YAML), submit file or DAG").required();
  verb.positional("RECORD", &arguments.records,
                  "Event logs and ads of a campaign that took place; not with a scenario");
  add_record_options(verb, arguments.record);
}

void check_work(WorkArguments const& arguments) {
  if (arguments.is_scenario() && !arguments.records.empty()) {
    throw InputError(Problem{{arguments.file.string()},
                             "a scenario takes no records",
                             "it names its calibration",
                             "Name a submit file instead, or no records."});
  }
  refuse_other_kinds({arguments.file}, "optimize", "a scenario, or a submit file with its record",
                     {InputKind::scenario, InputKind::submit_file, InputKind::dag});
  if (!arguments.is_scenario() && arguments.records.empty()) {
    throw InputError(Problem{{arguments.file.string()},
                             "a submit file needs a record",
                             "the model of the grid comes from a recorded campaign",
                             "Add its event log."});
  }
}

std::vector<std::string> work_files() {
  return {calibration_name, "calibration.pool.yaml", "calibration.jobs.json", scenario_name};
}

fs::path make_work_scenario(WorkArguments const& arguments, fs::path const& folder) {
  CalibrateOptions calibration;
  calibration.draws = fitted_draws;
  calibration.files = arguments.records;
  calibration.record = arguments.record;
  calibration.out = folder / calibration_name;
  auto const files = import::sort_by_kind(arguments.records, arguments.record.options());
  CalibratedLogs const calibrated = calibrate_logs(calibration, read_record(calibration, files));
  write_output(folder, calibrated.files);
  ImportSubmitOptions importing;
  importing.file = arguments.file;
  importing.calibration = folder / calibration_name;
  importing.out = folder / scenario_name;
  importing.measured = calibrated.sizes;
  importing.needs = calibrated.needs;
  importing.made_from = arguments.file.string();
  std::string text;
  if (condor::is_dag(arguments.file)) {
    auto const dag = condor::read_dag(arguments.file);
    text = make_dag_scenario(importing, dag, {}).text;
  } else {
    SubmitScenario made = make_submit_scenario(importing);
    tell(notes_text(made.import.notes));
    text = std::move(made.text);
  }
  write_output(folder, {{scenario_name, text}});
  return importing.out;
}

}  // namespace gridcast::cli
