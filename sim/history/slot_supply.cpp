#include "sim/history/slot_supply.hpp"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <functional>
#include <queue>
#include <utility>

namespace gridcast::history {
namespace {

struct Change {
  Seconds at;
  int slots;  // 0: an attempt within a second, which logs date as no time; it needs a slot
};

void add_claim(Seconds at, Seconds length, std::vector<Change>& changes) {
  if (length == Seconds()) {
    changes.push_back({at, 0});
  } else {
    changes.push_back({at, 1});
    changes.push_back({at + length, -1});
  }
}

/// The claims of a job as changes of the number of slots in use.
void add_claims(RecordedJob const& job, std::vector<Change>& changes) {
  Seconds at = job.submitted + job.first_wait;
  for (RecordedAttempt const& attempt : job.attempts) {
    at += attempt.wait;
    if (!attempt.in_queue) {
      add_claim(at, attempt.slot_time(), changes);
    }
    at += attempt.slot_time();
    if (attempt.ended_by == EventKind::held) at += attempt.held_for;
  }
}

/// Ends come before starts at one time: a slot serves the next job at once.
std::vector<Seconds> first_times(std::vector<Change> changes) {
  std::sort(changes.begin(), changes.end(), [](Change const& a, Change const& b) {
    return a.at != b.at ? a.at < b.at : a.slots < b.slots;
  });
  std::vector<Seconds> times;
  int slots = 0;
  for (Change const& change : changes) {
    slots += change.slots;
    int const needed = change.slots == 0 ? slots + 1 : slots;
    if (needed > static_cast<int>(times.size())) times.push_back(change.at);
  }
  return times;
}

/// When a job of the list becomes ready for its next attempt, or (job: none) a slot becomes free.
struct Event {
  Seconds at;
  std::size_t order;  // events of one time keep the order in which they were scheduled
  std::size_t job;
  std::size_t attempt = 0;

  bool operator>(Event const& other) const {
    return at != other.at ? at > other.at : order > other.order;
  }
};

constexpr std::size_t no_job = static_cast<std::size_t>(-1);

/// List scheduling of the recorded attempts: jobs that ran before come first.
class ListSchedule {
 public:
  ListSchedule(RecordedJobs const& recorded, std::vector<Seconds> const& first_free, Seconds pause)
      : jobs_(recorded.jobs), pause_(pause) {
    for (Seconds const at : first_free) schedule(at, no_job, 0);
    for (std::size_t job = 0; job < jobs_.size(); ++job) wait_for(job, 0, jobs_[job].submitted);
  }

  /// When the last job began its first attempt.
  Seconds last_start() {
    while (!events_.empty()) {
      Event const event = events_.top();
      events_.pop();
      if (event.job == no_job) {
        ++free_;
      } else {
        (event.attempt > first_attempt(event.job) ? again_ : fresh_).push_back(event);
      }
      dispatch(event.at);
    }
    return last_;
  }

 private:
  std::size_t first_attempt(std::size_t job) const {
    auto const& attempts = jobs_[job].attempts;
    std::size_t first = 0;
    while (first < attempts.size() && attempts[first].in_queue) ++first;
    return first;
  }

  void schedule(Seconds at, std::size_t job, std::size_t attempt) {
    events_.push({at, order_++, job, attempt});
  }

  /// The job waits as recorded, and is held as recorded, before its next attempt in a slot.
  void wait_for(std::size_t job, std::size_t attempt, Seconds at) {
    auto const& attempts = jobs_[job].attempts;
    for (; attempt < attempts.size(); ++attempt) {
      at += attempts[attempt].wait;
      if (!attempts[attempt].in_queue) return schedule(at, job, attempt);
      at += attempts[attempt].held_for;
    }
  }

  void dispatch(Seconds now) {
    while (free_ > 0 && !(again_.empty() && fresh_.empty())) {
      auto& queue = again_.empty() ? fresh_ : again_;
      Event const next = queue.front();
      queue.pop_front();
      --free_;
      RecordedAttempt const& attempt = jobs_[next.job].attempts[next.attempt];
      if (next.attempt == first_attempt(next.job)) last_ = now;
      Seconds const end = now + attempt.slot_time();
      schedule(end + pause_, no_job, 0);
      wait_for(next.job, next.attempt + 1, end + attempt.held_for);
    }
  }

  std::vector<RecordedJob> const& jobs_;
  Seconds pause_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::deque<Event> again_, fresh_;
  std::size_t order_ = 0;
  int free_ = 0;
  Seconds last_;
};

/// When the last job of the record began its first attempt in a slot.
Seconds recorded_last_start(RecordedJobs const& recorded) {
  Seconds last;
  for (RecordedJob const& job : recorded.jobs) {
    Seconds at = job.submitted + job.first_wait;
    for (RecordedAttempt const& attempt : job.attempts) {
      at += attempt.wait;
      if (!attempt.in_queue) {
        last = std::max(last, at);
        break;
      }
      at += attempt.held_for;
    }
  }
  return last;
}

/// The longest time in the queue before an attempt in a slot. A job that takes a slot after its
/// pause has waited at least as long, unless it was submitted meanwhile: no pause is longer.
Seconds longest_wait(RecordedJobs const& recorded) {
  Seconds longest;
  for (RecordedJob const& job : recorded.jobs) {
    Seconds wait = job.first_wait;
    for (RecordedAttempt const& attempt : job.attempts) {
      wait += attempt.wait;
      if (!attempt.in_queue) longest = std::max(longest, std::exchange(wait, Seconds()));
    }
  }
  return longest;
}

}  // namespace

std::vector<Seconds> first_free_slots(RecordedJobs const& recorded) {
  std::vector<Change> changes;
  for (RecordedJob const& job : recorded.jobs) add_claims(job, changes);
  return first_times(std::move(changes));
}

SlotSupply slot_supply(RecordedJobs const& recorded) {
  std::size_t claims = 0;
  for (RecordedJob const& job : recorded.jobs) {
    for (RecordedAttempt const& attempt : job.attempts) claims += attempt.in_queue ? 0 : 1;
  }
  SlotSupply supply{first_free_slots(recorded), {}};
  if (supply.first_free.empty()) return supply;
  Seconds const last = recorded_last_start(recorded);
  // The last start grows with the pause. Large records need no more than a thousandth of it.
  constexpr std::size_t many_claims = 100'000;
  int const halvings = claims > many_claims ? 10 : 30;
  auto const last_start = [&](Seconds pause) {
    return ListSchedule(recorded, supply.first_free, pause).last_start();
  };
  Seconds low, high = std::max(Seconds(1), longest_wait(recorded));
  // Jobs that are submitted long after the others find free slots: no pause explains their wait.
  if (last_start(high) == last_start({})) return supply;
  for (int i = 0; i < halvings; ++i) {
    Seconds const middle = (low + high) / 2;
    (last_start(middle) < last ? low : high) = middle;
  }
  supply.pause = low;
  return supply;
}

}  // namespace gridcast::history
