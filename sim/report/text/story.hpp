// A simulated campaign on one screen: when jobs finished, its cost, and the events of the jobs that
// lost most time. Made during the simulation, and none of its events are kept.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/history/attempt_stream.hpp"
#include "sim/history/job_history.hpp"
#include "sim/history/per_job.hpp"
#include "sim/ledger/accountant.hpp"
#include "sim/report/text/characters.hpp"

namespace gridcast::report {

/// The events of one job on the way to its end.
struct JobStory {
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
std::string in_words(JobStory const& life);

/// The jobs that lost most slot time, each with its events in words. Kept during the simulation: a
/// settled job leaves a line if it is among the worst.
///
/// Lost, in seconds: the job's slot time less the execution and the input transfer that gave its
/// result.
class WorstJobs {
 public:
  /// Only the names of jobs and sites in `names` are used.
  explicit WorstJobs(history::JobHistory const& names) : names_(names) {}

  void add(history::AttemptStep const& step);
  /// No event of the job will follow.
  void settle(Id<history::Job> job, ledger::JobAccount const& account);
  bool is_settled(Id<history::Job> job) const {
    return job.index() < settled_.size() && settled_[job.index()];
  }
  /// Jobs that are not settled have no result.
  void finish();
  /// The table, when all is settled, of jobs that lost something.
  std::string text(Screen const& screen) const;

 private:
  struct Entry {
    Id<history::Job> job;
    Seconds lost;
    std::string words;
  };

  void enter(Id<history::Job> job, Seconds lost, JobStory const& life);

  history::JobHistory const& names_;
  history::PerJob<JobStory> lives_;  // of the jobs that are under way
  std::vector<bool> settled_;
  std::vector<Entry> worst_;
};

class Story final : public history::AttemptSink {
 public:
  /// `names`: of the campaign's history; its events are not read.
  explicit Story(history::JobHistory const& names);

  void settled(Id<history::Job> job) override;
  /// There are no more events.
  void finish();

  ledger::Ledger const& ledger() const { return ledger_; }
  std::string text(std::string const& title, Screen const& screen) const;

 private:
  void follow(history::AttemptStep const& step) override;

  history::JobHistory const& names_;
  ledger::Accountant accountant_;
  WorstJobs worst_;
  ledger::Ledger ledger_;
};

/// The story of a campaign whose events were kept.
std::string story(std::string const& title, history::JobHistory const& history,
                  Screen const& screen);

}  // namespace gridcast::report
