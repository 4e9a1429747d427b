#include "tests/condor/ads/log_and_ads.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "sim/history/attempts.hpp"

namespace gridcast::condor {
namespace {

// Ads of jobs that run, or ran on afterwards, count unfinished attempts.
bool comparable(JobAdFacts const& facts, history::JobHistory const& history,
                history::JobEvent const& last) {
  bool const is_over = facts.has_status(history::JobStatus::completed) ||
                       facts.has_status(history::JobStatus::removed) ||
                       facts.has_status(history::JobStatus::held);
  if (facts.from_epoch || !is_over) return false;
  if (!history.start_unix || !facts.entered_current_status) return true;
  double const entered = static_cast<double>(*facts.entered_current_status - *history.start_unix);
  constexpr double zones_apart = 900;  // a clock that is not UTC does not order events
  double const late = last.at.value() - entered;
  return late <= 2 || late >= zones_apart;
}

class Comparison {
 public:
  Comparison(history::JobName job, AdsOfJob const& ad, std::vector<history::JobEvent> const& events,
             std::vector<ConsistencyRow>& rows)
      : job_(job), facts_(ad.facts), rows_(rows), spans_(history::attempt_spans(events)) {
    ad_lost_ = !ad.attempts.empty() && ad.attempts.size() < facts_.num_shadow_starts.value_or(0);
    for (history::JobEvent const& event : events) {
      if (event.kind == history::EventKind::held) ++holds_;
    }
  }

  void add_rows() {
    // NumJobMatches does not change when a shadow takes over from another.
    std::uint32_t taken_over = 0;
    if (facts_.num_shadow_starts && facts_.num_job_matches && facts_.num_job_reconnects) {
      taken_over =
          *facts_.num_shadow_starts - std::min(*facts_.num_shadow_starts, *facts_.num_job_matches);
    }
    std::size_t executed = 0;
    Seconds claimed;
    for (history::AttemptSpan const& span : spans_) {
      if (span.executed) ++executed;
      claimed += span.end - span.begin;
    }
    std::string_view const lost = taken_over > 0 ? "a shadow took over the running job"
                                  : ad_lost_     ? "the access point died in one of its attempts"
                                                 : "";
    add("NumShadowStarts", static_cast<double>(spans_.size()) + taken_over,
        number(facts_.num_shadow_starts), 0, "");
    add("NumJobStarts", static_cast<double>(executed), number(facts_.num_job_starts), 0, lost);
    // Without a hold there is no NumHolds.
    add("NumHolds", static_cast<double>(holds_), facts_.num_holds.value_or(0), 0, "");
    if (facts_.remote_wall_clock_time) {
      add("RemoteWallClockTime", claimed.value(), facts_.remote_wall_clock_time->value(),
          static_cast<double>(spans_.size()) + 1, lost);
    }
  }

 private:
  static std::optional<double> number(std::optional<std::uint32_t> count) {
    return count ? std::optional<double>(*count) : std::nullopt;
  }

  void add(std::string_view fact, double in_history, std::optional<double> in_ads, double tolerance,
           std::string_view because) {
    if (in_ads) rows_.push_back({job_, fact, in_history, *in_ads, tolerance, because});
  }

  history::JobName job_;
  JobAdFacts const& facts_;
  std::vector<ConsistencyRow>& rows_;
  std::vector<history::AttemptSpan> spans_;
  std::size_t holds_ = 0;
  bool ad_lost_ = false;  // there is an epoch history, and an attempt is not in it
};

}  // namespace

bool ConsistencyRow::agrees() const { return std::abs(in_history - in_ads) <= tolerance; }

std::vector<ConsistencyRow> compare_with_ads(history::JobHistory const& history,
                                             JobAds const& ads) {
  std::vector<ConsistencyRow> rows;
  auto const jobs = history::events_of_jobs(history);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    auto const found = ads.jobs.find(history.jobs[i]);
    if (found == ads.jobs.end() || jobs[i].empty()) continue;
    if (!comparable(found->second.facts, history, jobs[i].back())) continue;
    Comparison(history.jobs[i], found->second, jobs[i], rows).add_rows();
  }
  return rows;
}

}  // namespace gridcast::condor
