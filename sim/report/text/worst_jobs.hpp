// The jobs of a campaign that lost most slot time, each with what happened to it in words. Kept
// while the campaign happens: of a job that is settled remains a line if it is among the worst.
//
// Lost, in seconds: the job's slot time less the execution and the input transfer that gave its result.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/history/attempt_stream.hpp"
#include "sim/history/per_job.hpp"
#include "sim/ledger/ledger.hpp"
#include "sim/report/text/screen.hpp"

namespace gridcast::report {

/// What happened to one job on the way to its end.
struct JobLife {
  std::map<std::string, int> stalls;  // by site
  int evictions = 0, releases = 0, failures = 0;
  bool matched = false;
  history::JobEvent last;
  Seconds executing_since, executed;
  Seconds claimed;    // since when, while it is
  Seconds slot_time;  // of the attempts that have ended

  void add(history::AttemptStep const& step, std::vector<std::string> const& sites);
};

/// "stalled twice at PDX, evicted once, computed 2 h".
std::string in_words(JobLife const& life);

class WorstJobs {
 public:
  /// Of `names`, only the names of jobs and sites are used.
  explicit WorstJobs(history::JobHistory const& names) : names_(names) {}

  void add(history::AttemptStep const& step);
  /// No event of the job will follow.
  void settle(Id<history::Job> job, ledger::JobAccount const& account);
  /// What is not settled has no result.
  void finish();
  /// The table, when all is settled.
  std::string text(Screen const& screen) const;

 private:
  struct Entry {
    Id<history::Job> job;
    Seconds lost;
    std::string words;
  };

  void enter(Id<history::Job> job, Seconds lost, JobLife const& life);

  history::JobHistory const& names_;
  history::PerJob<JobLife> lives_;  // of the jobs that are under way
  std::vector<bool> settled_;
  std::vector<Entry> worst_;
};

}  // namespace gridcast::report
