// A simulated campaign told on one screen: when jobs finished, what it cost, and what befell the
// jobs that lost most time. Made while the campaign is played, and nothing of its events is kept.
#pragma once

#include <string>

#include "sim/history/job_history.hpp"
#include "sim/ledger/accountant.hpp"
#include "sim/report/text/characters.hpp"
#include "sim/report/text/worst_jobs.hpp"

namespace gridcast::report {

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
