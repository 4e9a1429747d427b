// A simulated campaign on one screen: its cost, and why attempts failed. Made during the
// simulation, and none of its events are kept.
#pragma once

#include <string>

#include "sim/history/attempt_stream.hpp"
#include "sim/history/job_history.hpp"
#include "sim/ledger/accountant.hpp"
#include "sim/report/text/layout.hpp"

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
  ledger::Ledger ledger_;
};

/// The story of a campaign whose events were kept.
std::string story(std::string const& title, history::JobHistory const& history,
                  Screen const& screen);

}  // namespace gridcast::report
