// A replica's history that somebody watches while it is simulated.
#pragma once

#include "sim/history/job_history.hpp"

namespace gridcast::engine {

/// Keeps the events, and passes them on while they happen. The watcher may be null.
class WatchedKeeper final : public history::HistorySink {
 public:
  WatchedKeeper(history::JobHistory& history, history::HistorySink* watcher)
      : keeper_(history), watcher_(watcher) {}

  void add(history::JobEvent const& event) override {
    keeper_.add(event);
    if (watcher_) watcher_->add(event);
  }
  void add_transfer(history::UrlTransfer const& transfer) override {
    keeper_.add_transfer(transfer);
    if (watcher_) watcher_->add_transfer(transfer);
  }
  void settled(Id<history::Job> job) override {
    if (watcher_) watcher_->settled(job);
  }

 private:
  history::HistoryKeeper keeper_;
  history::HistorySink* watcher_;
};

}  // namespace gridcast::engine
