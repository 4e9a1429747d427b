// A history in a few lines: jobs and sites by number, times in seconds.
#pragma once

#include <string>
#include <vector>

#include "sim/history/job_history.hpp"

namespace gridcast::test {

class HistoryBuilder {
 public:
  HistoryBuilder(std::vector<history::JobName> jobs, std::vector<std::string> sites) {
    history_.jobs = std::move(jobs);
    history_.sites = std::move(sites);
  }

  HistoryBuilder& add(double at, std::size_t job, history::EventKind kind,
                      history::Reason reason = history::Reason::none) {
    history::JobEvent event;
    event.at = Seconds(at);
    event.job = Id<history::Job>(job);
    event.kind = kind;
    event.reason = reason;
    history_.events.push_back(event);
    return *this;
  }

  /// The last event happened here.
  HistoryBuilder& on(std::size_t site, std::uint32_t slot = 1) {
    history_.events.back().site = Id<history::Site>(site);
    history_.events.back().slot = slot;
    return *this;
  }

  /// The last event, a termination, brought nothing of use.
  HistoryBuilder& useless() {
    history_.events.back().useful = false;
    return *this;
  }

  history::JobHistory& get() { return history_; }

 private:
  history::JobHistory history_;
};

}  // namespace gridcast::test
