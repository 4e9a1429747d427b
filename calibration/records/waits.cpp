#include "calibration/records/waits.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "sim/base/statistics.hpp"

namespace gridcast::calibration {

namespace {

/// When a job came. Only HTCondor is known to take those of one moment by their numbers.
using Turn = std::pair<Seconds, history::JobName>;

std::vector<std::optional<Turn>> turns_of(history::JobHistory const& history) {
  bool const by_number = history.batch_system == history::BatchSystem::htcondor;
  std::vector<std::optional<Turn>> turns(history.jobs.size());
  for (history::JobEvent const& event : history.events) {
    if (event.kind != history::EventKind::submitted) continue;
    auto const name = by_number ? history.jobs[event.job.index()] : history::JobName();
    turns[event.job.index()] = Turn(event.at, name);
  }
  return turns;
}

/// Starts of one queue's jobs at one site, and the last turn of those that began then or later.
class Starts {
 public:
  void add(Seconds at, Turn const& turn) { starts_.emplace_back(at, turn); }

  void settle() {
    std::ranges::sort(starts_);
    for (std::size_t i = starts_.size(); i > 1; --i) {
      starts_[i - 2].second = std::max(starts_[i - 2].second, starts_[i - 1].second);
    }
  }

  /// True if a job with a later turn began at this time or after it.
  bool pass_over(Turn const& turn, Seconds from) const {
    auto const first =
        std::ranges::lower_bound(starts_, from, {}, [](auto const& start) { return start.first; });
    return first != starts_.end() && first->second > turn;
  }

 private:
  std::vector<std::pair<Seconds, Turn>> starts_;
};

}  // namespace

std::vector<TimeSpan> joined(std::vector<TimeSpan> spans) {
  std::ranges::sort(spans, {}, &TimeSpan::from);
  std::vector<TimeSpan> apart;
  for (TimeSpan const& span : spans) {
    if (apart.empty() || apart.back().to < span.from) {
      apart.push_back(span);
    } else {
      apart.back().to = std::max(apart.back().to, span.to);
    }
  }
  return apart;
}

Seconds time_within(std::vector<TimeSpan> const& spans, Seconds from, Seconds to) {
  Seconds time;
  auto each = std::partition_point(spans.begin(), spans.end(),
                                   [from](TimeSpan const& span) { return span.to <= from; });
  for (; each != spans.end() && each->from < to; ++each) {
    time += std::min(to, each->to) - std::max(from, each->from);
  }
  return time;
}

void mark_passed_over(history::JobHistory const& history, AttemptRecords& records) {
  if (!history.dated) return;
  std::vector<bool> began(history.jobs.size());
  for (AttemptRecord const& attempt : records.attempts) began[attempt.job.index()] = true;
  auto const never_began = [&](Waiting const& wait) { return !began[wait.job.index()]; };
  if (std::ranges::none_of(records.waits, never_began)) return;
  // A queue has the jobs of one owner in records that end together.
  auto const queue_of = [&](Id<history::Job> job) {
    return std::pair(history.users.empty() ? std::string() : history.users[job.index()],
                     records.end_of(job));
  };
  auto const turns = turns_of(history);
  std::map<std::pair<std::string, Seconds>, std::map<std::size_t, Starts>> queues;
  for (AttemptRecord const& attempt : records.attempts) {
    auto const& turn = turns[attempt.job.index()];
    if (!turn || !attempt.site.valid()) continue;
    queues[queue_of(attempt.job)][attempt.site.index()].add(attempt.start, *turn);
  }
  for (auto& [queue, sites] : queues) {
    for (auto& [site, starts] : sites) starts.settle();
  }
  // Such a job's wait goes on to the end of its record.
  for (Waiting& wait : records.waits) {
    auto const& turn = turns[wait.job.index()];
    if (!turn || !never_began(wait)) continue;
    for (auto const& [site, starts] : queues[queue_of(wait.job)]) {
      if (starts.pass_over(*turn, wait.from)) wait.passed_over.push_back(Id<history::Site>(site));
    }
  }
}

WaitsBySite::WaitsBySite(AttemptRecords const& records) {
  for (Waiting const& wait : records.waits) {
    if (wait.passed_over.empty()) {
      anywhere_.push_back({wait.from, wait.to});
    } else {
      passed_over_.push_back(wait);
    }
  }
  anywhere_ = joined(std::move(anywhere_));
}

std::vector<TimeSpan> WaitsBySite::at(std::size_t site) const {
  if (passed_over_.empty()) return anywhere_;
  std::vector<TimeSpan> spans = anywhere_;
  for (Waiting const& wait : passed_over_) {
    auto const& over = wait.passed_over;
    if (contains(over, Id<history::Site>(site))) continue;
    spans.push_back({wait.from, wait.to});
  }
  return joined(std::move(spans));
}

bool cools_down(AttemptRecord const& attempt) {
  constexpr int transfer_input_error = 13;
  return input_failed(attempt) && attempt.end_kind == history::EventKind::evicted &&
         attempt.code == transfer_input_error;
}

// Ads alone count attempts that never executed and were not held, which are taken for failed
// transfers too: their jobs were queued again.
double held_on_failure(AttemptRecords const& records) {
  using enum history::EventKind;
  double holds = 0, queued_again = 0;
  for (AttemptRecord const& attempt : records.attempts) {
    if (!input_failed(attempt)) continue;
    holds += attempt.end_kind == held ? 1 : 0;
    if (attempt.reason == history::Reason::transfer_stalled) continue;
    queued_again += attempt.end_kind == evicted || attempt.end_kind == requeued ? 1 : 0;
  }
  return queued_again > 0 ? holds / (holds + queued_again) : 1;
}

std::optional<CoolDown> usual_cool_down(AttemptRecords const& records) {
  std::size_t holds = 0, cool_downs = 0;
  std::vector<Seconds> waits;
  for (std::size_t i = 0; i < records.attempts.size(); ++i) {
    AttemptRecord const& attempt = records.attempts[i];
    bool const held = input_failed(attempt) && attempt.end_kind == history::EventKind::held;
    holds += held ? 1 : 0;
    if (!cools_down(attempt)) continue;
    ++cool_downs;
    bool const matched_again =
        i + 1 < records.attempts.size() && records.attempts[i + 1].job == attempt.job;
    if (matched_again) waits.push_back(records.attempts[i + 1].start - attempt.end);
  }
  if (cool_downs <= holds) return std::nullopt;
  CoolDown usual{minutes(5), minutes(10)};
  if (waits.empty()) return usual;
  auto const [shortest, longest] = std::ranges::minmax_element(waits);
  if (*shortest < usual.least) usual = {*shortest, std::min(*longest, usual.most)};
  return usual;
}

Seconds usual_attempt(AttemptRecords const& records) {
  std::vector<double> const claimed = each_of(
      records.attempts, [](AttemptRecord const& attempt) { return attempt.claimed().value(); });
  return Seconds(std::max(median(claimed), records.tick));
}

std::optional<Seconds> mean_wait_of_lost(AttemptRecords const& records) {
  std::vector<double> waits;
  for (AttemptRecord const& attempt : records.attempts) {
    bool const cut = !attempt.disconnections.empty() && !attempt.disconnections.back().back;
    if (!cut || !ended_without_contact(attempt)) continue;
    waits.push_back((attempt.end - attempt.disconnections.back().at).value());
  }
  if (waits.empty()) return std::nullopt;
  return Seconds(std::max(mean(waits), records.tick));
}

}  // namespace gridcast::calibration
