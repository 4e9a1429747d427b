#include "sim/history/slot_supply.hpp"

#include <algorithm>
#include <functional>
#include <queue>

namespace gridcast::history {
namespace {

struct Change {
  Seconds at;
  int slots;
};

/// The claims of a job as changes of the number of slots in use.
void add_claims(RecordedJob const& job, std::vector<Change>& changes) {
  Seconds at = job.submitted + job.first_wait;
  for (RecordedAttempt const& attempt : job.attempts) {
    at += attempt.wait;
    if (!attempt.in_queue) {
      changes.push_back({at, 1});
      changes.push_back({at + attempt.slot_time(), -1});
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
    if (slots > static_cast<int>(times.size())) times.push_back(change.at);
  }
  return times;
}

/// A job of the list: when it was submitted, and for how long it occupies a slot.
struct Task {
  Seconds submitted, started, slot_time;
};

std::vector<Task> tasks_of(RecordedJobs const& recorded) {
  std::vector<Task> tasks;
  for (RecordedJob const& job : recorded.jobs) {
    Seconds slot_time;
    for (RecordedAttempt const& attempt : job.attempts) slot_time += attempt.slot_time();
    bool const had_slot = std::any_of(job.attempts.begin(), job.attempts.end(),
                                      [](auto const& attempt) { return !attempt.in_queue; });
    if (had_slot) tasks.push_back({job.submitted, job.submitted + job.first_wait, slot_time});
  }
  std::stable_sort(tasks.begin(), tasks.end(), [](Task const& a, Task const& b) {
    return a.submitted != b.submitted ? a.submitted < b.submitted : a.started < b.started;
  });
  return tasks;
}

Seconds last_start(std::vector<Task> const& tasks, std::vector<Seconds> const& first_free,
                   Seconds pause) {
  std::priority_queue<Seconds, std::vector<Seconds>, std::greater<>> free(first_free.begin(),
                                                                          first_free.end());
  Seconds last;
  for (Task const& task : tasks) {
    Seconds const start = std::max(free.top(), task.submitted);
    free.pop();
    free.push(start + task.slot_time + pause);
    last = std::max(last, start);
  }
  return last;
}

}  // namespace

SlotSupply slot_supply(RecordedJobs const& recorded) {
  std::vector<Change> changes;
  for (RecordedJob const& job : recorded.jobs) add_claims(job, changes);
  SlotSupply supply{first_times(std::move(changes)), {}};
  auto const tasks = tasks_of(recorded);
  if (tasks.empty() || supply.first_free.empty()) return supply;
  Seconds recorded_last;
  for (Task const& task : tasks) recorded_last = std::max(recorded_last, task.started);
  // The last start grows with the pause. Half a microsecond of a day needs 38 halvings.
  constexpr int halvings = 38;
  Seconds low, high = std::max(Seconds(1), recorded_last);
  for (int i = 0; i < halvings; ++i) {
    Seconds const middle = (low + high) / 2;
    (last_start(tasks, supply.first_free, middle) < recorded_last ? low : high) = middle;
  }
  supply.pause = low;
  return supply;
}

}  // namespace gridcast::history
