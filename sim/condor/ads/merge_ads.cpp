#include "sim/condor/ads/merge_ads.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "sim/base/text.hpp"
#include "sim/condor/ads/ad_history.hpp"
#include "sim/condor/log/log_clock.hpp"
#include "sim/history/attempts.hpp"

namespace gridcast::condor {
namespace {

// Stamps of whole seconds by two daemons.
constexpr std::int64_t same_time_s = 2;

// An attempt without an end in the log: the next one has to have ended it.
bool ended_by_next_start(JobEvent const& end, JobEvent const& start) {
  return end.kind == EventKind::evicted && end.reason == Reason::unknown && end.code == 0 &&
         end.at == start.at;
}

// What all jobs share. `history` has true dates already; its events are not looked at.
struct Shared {
  JobHistory& history;
  MergeReport& report;
  AdSites sites;
  history::SiteNames site_named{history};
  AdSlots slots{history};
};

// One job of a log with its ads.
class JobMerge {
 public:
  JobMerge(JobName name, AdsOfJob const& ad, Shared& shared)
      : name_(name), ad_(ad), shared_(shared), ad_attempts_(attempts_of(ad)) {}

  /// The job's events, with the additions of the ads.
  std::vector<JobEvent> merged(std::vector<JobEvent> events) {
    events_ = std::move(events);
    if (events_.empty()) return {};
    spans_ = history::attempt_spans(events_);
    pair_attempts();
    for (std::size_t i = 0; i < ad_attempts_.size(); ++i) {
      if (!span_of_ad_[i]) continue;
      history::AttemptSpan const span = spans_[*span_of_ad_[i]];
      move_start(span, ad_attempts_[i]);
      name_site(span, ad_attempts_[i]);
      name_slot(span, ad_attempts_[i]);
      set_gpus(span, gpus_of(ad_.facts, ad_attempts_[i]));
    }
    for (history::AttemptSpan const& span : spans_) set_gpus(span, gpus_of(ad_.facts, {}));
    for (std::size_t i = 0; i < ad_attempts_.size(); ++i) {
      if (!span_of_ad_[i]) insert_attempt(i);
    }
    add_end();
    compare();
    return events_;
  }

  /// After that: its attempts as they then are.
  std::vector<AttemptTimes> attempts() const {
    std::vector<AttemptTimes> attempts;
    for (history::AttemptSpan const& span : history::attempt_spans(events_)) {
      AttemptTimes attempt{unix_of(span.begin), unix_of(span.end) + 1, {}};
      for (AttemptAdFacts const& ad : ad_attempts_) {
        bool const starts_here = *ad.start + 1 >= attempt.begin && *ad.start < attempt.end;
        bool const ends_here = ad.end && *ad.end <= attempt.end + 1 && *ad.end >= attempt.begin;
        if (ad.number != 0 && starts_here && (ends_here || span.open)) {
          attempt.numbers.push_back(ad.number);
        }
      }
      attempts.push_back(std::move(attempt));
    }
    return attempts;
  }

 private:
  std::int64_t unix_of(Seconds at) const {
    return *shared_.history.start_unix + static_cast<std::int64_t>(std::floor(at.value()));
  }

  Seconds at_unix(std::int64_t unix_s) const {
    return Seconds(static_cast<double>(unix_s - *shared_.history.start_unix));
  }

  // Both in order of time. Several shadows can have had the same attempt one after another.
  void pair_attempts() {
    std::size_t from = 0;
    std::set<std::size_t> paired;
    for (AttemptAdFacts const& attempt : ad_attempts_) {
      auto const span = span_of(attempt, from);
      span_of_ad_.push_back(span);
      if (!span) continue;
      from = *span;
      paired.insert(*span);
    }
    shared_.report.attempts_in_both += paired.size();
    shared_.report.attempts_only_in_log += spans_.size() - paired.size();
  }

  // The attempt that overlaps most, or ended at the same time.
  std::optional<std::size_t> span_of(AttemptAdFacts const& attempt, std::size_t from) const {
    std::optional<std::size_t> best;
    std::int64_t best_overlap = 0, best_distance = 0;
    for (std::size_t i = from; i < spans_.size(); ++i) {
      std::int64_t const begin = unix_of(spans_[i].begin), end = unix_of(spans_[i].end);
      bool const open = spans_[i].open || !attempt.end;
      std::int64_t const ad_end = attempt.end.value_or(end);
      if (begin > ad_end + 1) break;
      std::int64_t const overlap =
          (open ? std::max(end, ad_end) : std::min(end, ad_end)) - std::max(begin, *attempt.start);
      std::int64_t const distance = open ? 0 : std::abs(end - ad_end);
      bool const at_once = distance <= 1 && std::abs(begin - *attempt.start) <= same_time_s;
      if (overlap < -1 || (overlap <= 0 && !at_once)) continue;
      if (!best || overlap > best_overlap ||
          (overlap == best_overlap && distance < best_distance)) {
        best = i;
        best_overlap = overlap;
        best_distance = distance;
      }
    }
    return best;
  }

  // A claim is activated before anything is logged of it.
  void move_start(history::AttemptSpan const& span, AttemptAdFacts const& attempt) {
    JobEvent& matched = events_[span.first];
    if (matched.kind != EventKind::matched || *attempt.start >= unix_of(matched.at)) return;
    Seconds earliest = at_unix(*attempt.start);
    if (span.first > 1 && ended_by_next_start(events_[span.first - 1], matched)) {
      earliest = std::max(earliest, events_[span.first - 2].at);
      events_[span.first - 1].at = std::min(events_[span.first - 1].at, earliest);
    }
    if (span.first > 0) earliest = std::max(earliest, events_[span.first - 1].at);
    if (earliest >= matched.at) return;
    matched.at = earliest;
    ++shared_.report.starts_moved;
  }

  void name_site(history::AttemptSpan const& span, AttemptAdFacts const& attempt) {
    std::string const site = shared_.sites.of(attempt);
    if (site.empty()) return;
    std::string const logged = span.site.valid() ? shared_.history.sites[span.site.index()] : "";
    if (logged == site) return;
    // A log without GLIDEIN_ResourceName names hosts, which no ad calls a site.
    bool const ads_know_better = !span.executed || !shared_.sites.names(logged);
    if (!ads_know_better) {
      return conflict(
          fmt::format("the log has an attempt at {}, the ads have it at {}", logged, site));
    }
    Id<history::Site> const id = shared_.site_named(site);
    for (std::size_t i = span.first; i <= span.last; ++i) events_[i].site = id;
    ++shared_.report.sites_from_ads;
  }

  // A slot that the log names counts.
  void name_slot(history::AttemptSpan const& span, AttemptAdFacts const& attempt) {
    for (std::size_t i = span.first; i <= span.last; ++i) {
      if (events_[i].slot == 0) events_[i].slot = shared_.slots(attempt.host);
    }
  }

  // The log's number and kind of them count; the ads fill its gaps.
  void set_gpus(history::AttemptSpan const& span, history::GpuShare const& by_ads) {
    for (std::size_t i = span.first; i <= span.last; ++i) {
      JobEvent& event = events_[i];
      if (event.kind != EventKind::executing) continue;
      history::GpuShare const* const logged = shared_.history.gpus_of(event);
      history::GpuShare gpus = logged != nullptr ? *logged : by_ads;
      if (!gpus.count) gpus.count = by_ads.count;
      if (gpus.model.empty() && !gpus.is_none()) {
        gpus = {by_ads.model, gpus.count, by_ads.memory, by_ads.capability};
      }
      event.gpus = shared_.history.gpus_like(gpus);
    }
  }

  // Place of an attempt's events that starts then; none if the log has the job elsewhere then.
  std::optional<std::size_t> place_for(Seconds start) const {
    auto const later = std::ranges::upper_bound(events_, start, {}, &JobEvent::at);
    auto place = static_cast<std::size_t>(later - events_.begin());
    for (history::AttemptSpan const& span : history::attempt_spans(events_)) {
      bool const inside = place > span.first && (place <= span.last || span.open);
      if (!inside) continue;
      if (span.begin != start) return std::nullopt;
      place = span.first;
      break;
    }
    if (place == 0) return std::nullopt;
    EventKind const before = events_[place - 1].kind;
    if (history::ends_job(before) || before == EventKind::held) return std::nullopt;
    return place;
  }

  /// The job goes on in the log, so the attempt has no other end than there.
  void join_end(std::vector<AdEvent>& attempt, JobEvent& next, Id<history::Site> site) const {
    EventKind& end = attempt.back().event.kind;
    bool const same_end = history::ends_attempt(next.kind) &&
                          std::abs(unix_of(next.at) - attempt.back().unix_s) <= same_time_s;
    if (same_end) {
      if (site.valid()) next.site = site;
      attempt.pop_back();
    } else if (end == EventKind::held || history::ends_job(end)) {
      end = EventKind::evicted;  // or the log would show it
    }
  }

  void insert_attempt(std::size_t index) {
    AttemptAdFacts const& attempt = ad_attempts_[index];
    auto const place = place_for(at_unix(*attempt.start));
    if (!place) {
      return conflict(
          fmt::format("by the ads, attempt {} began at {}; the log has the job elsewhere then",
                      attempt.number, *attempt.start));
    }
    bool const goes_on = *place < events_.size();
    auto ad_events = events_of_attempt(ad_.facts, attempt, turn_of(index, ad_attempts_.size()));
    if (ad_events.empty() || (goes_on && !history::ends_attempt(ad_events.back().event.kind)))
      return;
    std::string const site = shared_.sites.of(attempt);
    Id<history::Site> const id = site.empty() ? Id<history::Site>() : shared_.site_named(site);
    if (goes_on) join_end(ad_events, events_[*place], id);
    put_gpus(ad_events, shared_.history.gpus_like(gpus_of(ad_.facts, attempt)));
    std::vector<JobEvent> added;
    Seconds const until =
        goes_on ? events_[*place].at : Seconds(std::numeric_limits<double>::max());
    for (AdEvent const& fact : ad_events) {
      JobEvent event = fact.event;
      event.at = std::clamp(at_unix(fact.unix_s), events_[*place - 1].at, until);
      event.job = events_.front().job;
      event.site = id;
      event.slot = shared_.slots(attempt.host);
      added.push_back(event);
    }
    events_.insert(events_.begin() + static_cast<std::ptrdiff_t>(*place), added.begin(),
                   added.end());
    ++shared_.report.attempts_from_ads;
  }

  // A log that was copied before the job's end.
  void add_end() {
    JobAdFacts const& facts = ad_.facts;
    JobEvent const last = events_.back();
    if (facts.from_epoch || history::ends_job(last.kind)) return;
    bool const completed = facts.has_status(JobStatus::completed);
    bool const removed = facts.has_status(JobStatus::removed);
    UnixDate const date = completed ? facts.completion_date : facts.entered_current_status;
    if (!(completed || removed) || !date || *date < unix_of(last.at)) return;
    auto const spans = history::attempt_spans(events_);
    if (completed && (spans.empty() || !spans.back().open)) return;
    AttemptAdFacts end;
    end.start = end.end = date;
    JobEvent event = events_of_attempt(facts, end, Turn::last).back().event;
    event.at = at_unix(*date);
    event.job = last.job;
    if (!spans.empty() && spans.back().open) {
      event.site = spans.back().site;
      event.slot = last.slot;
    }
    events_.push_back(event);
    ++shared_.report.ends_from_ads;
  }

  void compare() {
    JobAdFacts const& facts = ad_.facts;
    JobEvent const& first = events_.front();
    if (first.kind == EventKind::submitted && facts.q_date &&
        std::abs(*facts.q_date - unix_of(first.at)) > same_time_s) {
      conflict(fmt::format("the log dates the submission {}, the ads {}", unix_of(first.at),
                           *facts.q_date));
    }
    if (!facts.from_epoch && facts.job_status) compare_status(events_.back());
    auto const spans = history::attempt_spans(events_);
    auto const counted = facts.num_shadow_starts.value_or(0);
    if (spans.size() < counted) shared_.report.attempts_of_no_ad += counted - spans.size();
  }

  void compare_status(JobEvent const& last) {
    JobAdFacts const& facts = ad_.facts;
    // Ads of a queue that were printed before the log's end are no evidence against it.
    if (facts.entered_current_status &&
        *facts.entered_current_status + same_time_s < unix_of(last.at))
      return;
    auto const status = static_cast<JobStatus>(*facts.job_status);
    auto differ = [&](bool log_has, JobStatus expected, char const* word) {
      if (log_has == (status == expected)) return;
      conflict(log_has ? fmt::format("the log has {}, the ads have JobStatus {}", word,
                                     *facts.job_status)
                       : fmt::format("the log does not have {}, the ads do", word));
    };
    differ(last.kind == EventKind::terminated, JobStatus::completed, "completed");
    differ(last.kind == EventKind::aborted, JobStatus::removed, "removed");
    differ(last.kind == EventKind::held, JobStatus::held, "held");
    if (last.kind != EventKind::terminated || status != JobStatus::completed) return;
    auto const code = facts.exit_code     ? facts.exit_code
                      : facts.exit_signal ? std::optional(-*facts.exit_signal)
                                          : std::nullopt;
    if (code && *code != last.exit_code) {
      conflict(fmt::format("the log has exit code {}, the ads {}", last.exit_code, *code));
    }
    if (facts.completion_date &&
        std::abs(*facts.completion_date - unix_of(last.at)) > same_time_s) {
      conflict(fmt::format("the log dates the completion {}, the ads {}", unix_of(last.at),
                           *facts.completion_date));
    }
  }

  void conflict(std::string const& what) {
    shared_.report.conflicts.push_back(to_text(name_) + ": " + what);
  }

  JobName name_;
  AdsOfJob const& ad_;
  Shared& shared_;
  std::vector<JobEvent> events_;
  std::vector<history::AttemptSpan> spans_;
  std::vector<AttemptAdFacts> ad_attempts_;
  std::vector<std::optional<std::size_t>> span_of_ad_;  // as ad_attempts_
};

// Time zones differ by quarters of an hour.
constexpr double zone_step_s = 900;
// Beyond it the two do not speak of the same submissions.
constexpr double submission_differs_s = 60;

std::int64_t middle_of(std::vector<std::int64_t> values) {
  auto const middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Dates of old logs have no year, and the year that was taken for them may be wrong. No zone is so
// far from UTC as QDate then is from the dates.
void move_to_year(JobHistory& history, std::int64_t difference_s, MergeReport& report) {
  constexpr std::int64_t widest_zone_s = 15 * 3600, day_s = 86400;
  if (std::abs(difference_s) <= widest_zone_s) return;
  auto const days = std::llround(static_cast<double>(difference_s) / day_s);
  *history.start_unix += days * day_s;
  report.remarks.push_back(
      fmt::format("the log's dates are moved by {} days, by QDate: as dates without a year, they "
                  "were taken for those of another one",
                  days));
}

// QDate against 000: makes the history's start true.
void set_clock(JobHistory& history, JobAds const& ads, MergeReport& report) {
  std::vector<std::int64_t> starts;  // time zero by each QDate
  for (JobEvent const& event : history.events) {
    if (event.kind != EventKind::submitted) continue;
    auto const found = ads.jobs.find(history.jobs[event.job.index()]);
    if (found == ads.jobs.end() || !found->second.facts.q_date) continue;
    starts.push_back(*found->second.facts.q_date -
                     static_cast<std::int64_t>(std::floor(event.at.value())));
  }
  if (starts.empty()) {
    report.remarks.emplace_back(
        "no job has its submission both in the log and in the ads: the log's dates are taken for "
        "UTC");
    if (!history.start_unix) history.start_unix = 0;
    return;
  }
  std::int64_t const start = middle_of(starts);
  if (!history.start_unix) {
    history.start_unix = start;
    return;
  }
  move_to_year(history, start - *history.start_unix, report);
  auto const difference = static_cast<double>(start - *history.start_unix);
  double const offset = zone_step_s * std::round(difference / zone_step_s);
  report.clock_offset = Seconds(offset);
  *history.start_unix += static_cast<std::int64_t>(offset);
  history.local_ahead_s -= static_cast<std::int64_t>(offset);  // its dates stay the same
  if (std::abs(difference - offset) > submission_differs_s) {
    report.remarks.push_back(
        fmt::format("submissions are {:.0f} s later in the ads than in the log, beside any time "
                    "zone: are they of the same campaign?",
                    difference - offset));
  }
}

/// The first ten lines, and how many more there are.
std::string first_of(std::vector<std::string> const& lines) {
  constexpr std::size_t most = 10;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, lines.size()); ++i) text += "  " + lines[i] + "\n";
  if (lines.size() > most) text += fmt::format("  and {} more\n", lines.size() - most);
  return text;
}

}  // namespace

LoggedHistory merge(LoggedHistory log, JobAds const& ads, MergeReport& report) {
  JobHistory& history = log.history;
  set_clock(history, ads, report);
  if (usual_gpus(ads).value_or(0) > 0) history.gpus_per_job = *usual_gpus(ads);
  Shared shared{history, report, AdSites(ads)};
  UrlTransfers urls(history);
  auto jobs = history::events_of_jobs(history);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    auto const found = ads.jobs.find(history.jobs[i]);
    if (found == ads.jobs.end()) {
      ++report.jobs_only_in_log;
      continue;
    }
    ++report.jobs_in_both;
    JobMerge job(found->first, found->second, shared);
    jobs[i] = job.merged(std::move(jobs[i]));
    report.transfers_of_no_attempt +=
        urls.add(Id<history::Job>(i), found->second.transfers, job.attempts());
  }
  report.jobs_only_in_ads = ads.jobs.size() - report.jobs_in_both;
  report.transfers = history.transfers.size();
  history.events.clear();
  for (auto const& events : jobs) {
    history.events.insert(history.events.end(), events.begin(), events.end());
  }
  settle_order(history);
  // A host's name is no place where the ads give the sites of all that ran there.
  history.settle_sites();
  history.settle_gpus();
  return log;
}

std::string to_text(MergeReport const& report) {
  std::string text = fmt::format("{} in log and ads, {} only in the log, {} only in the ads\n",
                                 counted(report.jobs_in_both, "job"), report.jobs_only_in_log,
                                 report.jobs_only_in_ads);
  if (report.clock_offset == Seconds(0)) {
    text += "the log's dates as read are UTC, by QDate\n";
  } else if (report.clock_offset) {
    auto const ahead = static_cast<std::int64_t>(-report.clock_offset->value());  // of UTC
    text += fmt::format("the log's clock is {}, by QDate\n", offset_text(ahead));
  }
  auto add = [&text](std::size_t count, std::string_view what) {
    if (count > 0) text += fmt::format("{} {}\n", count, what);
  };
  add(report.attempts_in_both, "attempts in log and ads");
  add(report.attempts_only_in_log, "attempts without an ad");
  add(report.attempts_from_ads, "attempts from the ads only");
  add(report.attempts_of_no_ad,
      "starts of shadows that are in neither, or that took over a running job");
  add(report.starts_moved, "attempts that began before the log's first sign of them");
  add(report.sites_from_ads, "attempts with a site from the ads only");
  add(report.ends_from_ads, "jobs that ended after the log");
  add(report.releases_not_dated,
      "releases without a date, taken for as late as the job's next match");
  add(report.transfers, "transfers of single URLs");
  add(report.transfers_of_no_attempt, "transfers of no attempt that is known, left out");
  for (std::string const& remark : report.remarks) text += remark + "\n";
  for (std::string const& guess : report.guesses) text += guess + "\n";
  add(report.conflicts.size(), "conflicts, in which the log counts:");
  return text + first_of(report.conflicts);
}

}  // namespace gridcast::condor
