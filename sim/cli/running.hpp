// The forecast of a campaign that is running now: what `forecast --running` and `watch` share.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sim/cli/verb_files.hpp"
#include "sim/condor/log/read_log.hpp"
#include "sim/report/data/running_data.hpp"

namespace gridcast::cli {

struct RunningArguments {
  std::filesystem::path work;  // submit file, or the first log
  std::vector<std::filesystem::path> logs;
  RecordArguments record = {};
  condor::ReadLogOptions log = {};
  std::string deadline = {};  // a date, or a time since the first submission
  double wanted = 90;         // per cent of the jobs
  std::uint32_t futures = 0;  // 0: by the size of the campaign
  std::uint64_t seed = 1;
  bool json = false, details = false;
  std::string colour = {};
};

/// Whether the file is a job event log, or empty.
bool is_event_log(std::filesystem::path const& file);

/// The jobs that the submit file queues; 0 for a log. InputError for a DAG.
std::size_t jobs_to_queue(std::filesystem::path const& work);

/// The same of a log that is followed, with the jobs that it contains. They may all be over.
report::RunningResult follow_campaign(RunningArguments const& arguments,
                                      history::JobHistory const& history);

/// Prints it. InputError for a campaign that is over.
int run_running(RunningArguments const& arguments);

}  // namespace gridcast::cli
