// The forecast of a campaign that is running now: what `forecast --running` and `watch` share.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sim/cli/verb_files.hpp"
#include "sim/condor/dag/dag_file.hpp"
#include "sim/report/text/running_text.hpp"

namespace gridcast::cli {

/// The jobs of the campaign, as far as a file names them.
struct PlannedWork {
  bool is_log = false;  // it is the log itself
  std::size_t jobs = 0;
  condor::Dag dag = {};                          // empty for other work
  std::vector<running::PlannedNode> nodes = {};  // of the DAG
};
/// The jobs to come of a submit file, a DAG, a scenario or a log. `overrides`: of a scenario;
/// InputError for other work.
PlannedWork planned_work(fs::path const& work, std::vector<std::string> const& overrides);

struct RunningArguments {
  fs::path work;  // submit file, DAG or scenario, or the first log
  std::vector<fs::path> logs;
  RecordArguments record = {};
  std::vector<std::string> overrides = {};  // "PATH=VALUE", of `work`
  std::vector<std::string> changes = {};    // chosen by the owner (chosen_changes.hpp)
  std::string deadline = {};                // a date, or a time since the first submission
  double wanted = 90;                       // per cent of the jobs
  std::uint32_t futures = 0;                // 0: by the size of the campaign
  std::uint64_t seed = 1;
  bool json = false, details = false;
  fs::path calibration = {};                       // of an earlier campaign
  std::vector<history::RecordedJob> earlier = {};  // its jobs
  PlannedWork planned = {};                        // of a log that is followed
};

/// True if the file is a job event log, or empty.
bool is_event_log(fs::path const& file);

/// The jobs of a calibration's record; none for an empty name. InputError for a calibration without
/// recorded jobs.
std::vector<history::RecordedJob> earlier_jobs(fs::path const& calibration);

/// The campaign of a log, with the jobs that are planned.
running::RunningCampaign state_of(history::JobHistory const& history, PlannedWork const& work);

/// The forecast of a log that is followed, with the jobs that it contains and those that are
/// planned. They may all be over.
report::RunningResult follow_campaign(RunningArguments const& arguments,
                                      history::JobHistory const& history);

/// Prints it. InputError for a campaign that is over.
int run_running(RunningArguments const& arguments);

}  // namespace gridcast::cli
