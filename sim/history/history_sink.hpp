// Who takes the events of a campaign while they happen, so that nobody has to keep them: the
// ledger, the writers of files, or a history after all.
#pragma once

#include "sim/history/job_history.hpp"

namespace gridcast::history {

class HistorySink {
 public:
  virtual ~HistorySink() = default;

  /// Events come in the order of time.
  virtual void add(JobEvent const& event) = 0;
  virtual void add_transfer(UrlTransfer const& /*transfer*/) {}
  /// No event of this job will follow. A source that cannot tell does not call it.
  virtual void settled(Id<Job> /*job*/) {}
};

/// Keeps all of it.
class HistoryKeeper final : public HistorySink {
 public:
  explicit HistoryKeeper(JobHistory& history) : history_(history) {}

  void add(JobEvent const& event) override { history_.events.push_back(event); }
  void add_transfer(UrlTransfer const& transfer) override {
    history_.transfers.push_back(transfer);
  }

 private:
  JobHistory& history_;
};

}  // namespace gridcast::history
