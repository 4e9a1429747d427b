// History -> rows of a job table: what somebody who reads the job event logs with a pencil would
// write down, job by job as the events come.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/history/job_table.hpp"
#include "sim/history/per_job.hpp"

namespace gridcast::history {

/// Follows one job and fills in its row, all but its name.
class JobRowReader {
 public:
  JobRowReader() { row_.outcome = Outcome::unfinished; }

  void add(JobEvent const& event, std::vector<std::string> const& sites);
  JobRow finish();

 private:
  void note(JobEvent const& event);
  void begin_attempt(JobEvent const& event, std::vector<std::string> const& sites);
  void begin_transfer(Seconds at);
  void end_transfer(Seconds at);
  void end_execution(Seconds at);
  void end_attempt(JobEvent const& event);

  JobRow row_;
  std::optional<Seconds> first_transfer_, last_transfer_, transfer_ended_;
  std::optional<Seconds> matched_, executing_since_;
  bool executed_in_last_attempt_ = false;
};

class JobRows {
 public:
  /// Of `names`, only the names of jobs, sites and users are used.
  explicit JobRows(JobHistory const& names) : names_(names) {}

  void add(JobEvent const& event) {
    bool const tells = event.kind != EventKind::submitted;
    if (tells) readers_[event.job].add(event, names_.sites);
  }
  /// The row of a job whose events have all come.
  JobRow take(Id<Job> job);

 private:
  JobHistory const& names_;
  PerJob<JobRowReader> readers_;
};

}  // namespace gridcast::history
