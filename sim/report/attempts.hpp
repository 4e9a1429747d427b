// A history told by attempts: a match to its end.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "sim/history/job_history.hpp"
#include "sim/history/per_job.hpp"

namespace gridcast::report {

struct Attempt {
  Id<history::Job> job;
  int number = 0;  // of the job's attempts, from 1
  Id<history::Site> site;
  std::uint32_t slot = 0;
  Seconds matched;
  std::optional<Seconds> transfer_started, transfer_ended;  // input
  std::optional<Seconds> execute_started, execute_ended;
  std::optional<Seconds> output_started, output_ended;
  std::optional<Seconds> ended;  // none: the history ends first
  history::EventKind end = history::EventKind::matched;
  history::Reason reason = history::Reason::none;
  bool useful = true;  // of those that terminated

  std::optional<Seconds> transfer() const;
  std::optional<Seconds> execution() const;
};

/// Follows the attempts of a campaign while it happens; hands them on in the order of their
/// matches, each as soon as it and those before it have ended.
class AttemptFollower {
 public:
  using Use = std::function<void(Attempt const&)>;
  explicit AttemptFollower(Use use) : use_(std::move(use)) {}

  void add(history::JobEvent const& event);
  /// No event of the job will follow.
  void forget(Id<history::Job> job);
  /// Hands on the others: those that the history breaks off, and those behind them.
  void finish();

 private:
  struct JobAttempts {
    std::optional<std::size_t> open;  // which attempt of the campaign is on, from 0
    int number = 0;                   // of the job's last attempt
  };
  struct Followed {
    Attempt attempt;
    bool over = false;
  };

  void hand_on();

  Use use_;
  history::PerJob<JobAttempts> jobs_;
  std::deque<Followed> waiting_;  // attempts that are on, and those that wait behind one
  std::size_t first_ = 0;         // which attempt of the campaign is the first of them
};

/// In the order of their matches.
std::vector<Attempt> attempts_of(history::JobHistory const& history);

}  // namespace gridcast::report
