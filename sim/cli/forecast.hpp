// The arguments of gridcast forecast, and its forms: of a scenario, of a submit file or a DAG, and
// with --once of one campaign.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/cli/calibrate.hpp"
#include "sim/cli/distributed_study.hpp"
#include "sim/cli/study_arguments.hpp"
#include "sim/cli/submit_scenario.hpp"
#include "sim/cli/verb_files.hpp"
#include "sim/condor/log/read_log.hpp"
#include "sim/history/job_history.hpp"
#include "sim/scenario/scenario.hpp"

namespace gridcast::cli {

/// --once and the options that need it.
struct OnceArguments {
  bool asked = false;
  std::uint32_t replica = 0;
};

/// --running and the options that need it.
struct RunningForecast {
  bool asked = false;  // the records are of the campaign itself, which has not ended
  double wanted = 90;  // per cent of its jobs
  std::vector<std::string> changes = {};
};

/// Arguments for a submit file or a DAG.
struct JobArguments {
  ImportSubmitOptions importing = {};
  CalibrateOptions calibration = {.draws = 200};  // of the records, for every verb with WORK
  bool explain = false;
  bool all_nodes = false;             // of a DAG, also those that the records show to be done
  std::optional<int> max_nodes = {};  // of a DAG in the queue at a time
};

struct ForecastArguments {
  fs::path work;
  std::vector<fs::path> records = {};
  std::string strategy = {};                // empty: the baseline
  std::vector<std::string> overrides = {};  // "PATH=VALUE"
  std::string without = {};                 // processes that do not happen
  std::vector<fs::path> against = {};       // the campaign itself, if it took place
  RecordArguments record = {};              // of the records and of `against`
  fs::path out = {};                        // folder; empty: no files
  StudyArguments study = {};
  OnArguments on = {};
  OnceArguments once = {};
  RunningForecast running = {};
  JobArguments job = {};
  bool repeats = false;  // WORK is a record, the first of `records`, whose campaign comes once more
};

/// One campaign: its story on standard output, and its files in arguments.out.
int simulate_once(ForecastArguments const& arguments, scenario::Scenario const& scenario,
                  scenario::Strategy const& strategy);
/// Their names.
std::vector<std::string> campaign_file_names();

}  // namespace gridcast::cli
