#include "sim/condor/job_merge.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace gridcast::condor {
namespace {

// Stamps of whole seconds by two daemons.
constexpr std::int64_t same_time_s = 2;

bool is_final(history::EventKind kind) {
  return kind == history::EventKind::terminated || kind == history::EventKind::aborted;
}

// An attempt of which the log shows no end, so that the next one has to have ended it.
bool ended_by_next_start(history::JobEvent const& end, history::JobEvent const& start) {
  return end.kind == history::EventKind::evicted && end.reason == history::Reason::unknown &&
         end.code == 0 && end.at == start.at;
}

}  // namespace

AdSites::AdSites(JobAds const& ads) {
  for (auto const& [name, job] : ads.jobs) {
    for (AttemptAdFacts const& attempt : job.attempts) {
      if (attempt.site.empty()) continue;
      names_.insert(attempt.site);
      std::string const startd = startd_of(attempt.host);
      if (!startd.empty()) by_startd_.try_emplace(startd, attempt.site);
    }
    names_.insert(job.facts.sites.begin(), job.facts.sites.end());
  }
}

std::string AdSites::of(AttemptAdFacts const& attempt) const {
  if (!attempt.site.empty()) return attempt.site;
  auto const found = by_startd_.find(startd_of(attempt.host));
  return found == by_startd_.end() ? std::string() : found->second;
}

JobMerge::JobMerge(history::JobName name, JobAd const& ad, AdSites const& sites,
                   history::JobHistory& history, MergeReport& report)
    : name_(name),
      ad_(ad),
      sites_(sites),
      history_(history),
      report_(report),
      ad_attempts_(attempts_of(ad)) {}

std::vector<history::JobEvent> JobMerge::merged(std::vector<history::JobEvent> events) {
  events_ = std::move(events);
  if (events_.empty()) return {};
  spans_ = history::attempt_spans(events_);
  pair_attempts();
  for (std::size_t i = 0; i < ad_attempts_.size(); ++i) {
    if (!span_of_ad_[i]) continue;
    history::AttemptSpan const span = spans_[*span_of_ad_[i]];
    move_start(span, ad_attempts_[i]);
    name_site(span, ad_attempts_[i]);
  }
  for (std::size_t i = 0; i < ad_attempts_.size(); ++i) {
    if (!span_of_ad_[i]) insert_attempt(i);
  }
  add_end();
  compare();
  return events_;
}

std::vector<DatedAttempt> JobMerge::attempts() const {
  std::vector<DatedAttempt> attempts;
  for (history::AttemptSpan const& span : history::attempt_spans(events_)) {
    DatedAttempt attempt{unix_of(span.begin), unix_of(span.end) + 1, {}};
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

std::int64_t JobMerge::unix_of(Seconds at) const {
  return *history_.start_unix + static_cast<std::int64_t>(std::floor(at.value()));
}

Seconds JobMerge::at_unix(std::int64_t unix_s) const {
  return Seconds(static_cast<double>(unix_s - *history_.start_unix));
}

// Both in order of time. Several shadows can have had the same attempt one after another.
void JobMerge::pair_attempts() {
  std::size_t from = 0;
  std::set<std::size_t> paired;
  for (AttemptAdFacts const& attempt : ad_attempts_) {
    auto const span = span_of(attempt, from);
    span_of_ad_.push_back(span);
    if (!span) continue;
    from = *span;
    paired.insert(*span);
  }
  report_.attempts_in_both += paired.size();
  report_.attempts_only_in_log += spans_.size() - paired.size();
}

// The attempt that overlaps most, or ended at the same time.
std::optional<std::size_t> JobMerge::span_of(AttemptAdFacts const& attempt,
                                             std::size_t from) const {
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
    if (!best || overlap > best_overlap || (overlap == best_overlap && distance < best_distance)) {
      best = i;
      best_overlap = overlap;
      best_distance = distance;
    }
  }
  return best;
}

// A claim is activated before anything is logged of it.
void JobMerge::move_start(history::AttemptSpan const& span, AttemptAdFacts const& attempt) {
  history::JobEvent& matched = events_[span.first];
  if (matched.kind != history::EventKind::matched || *attempt.start >= unix_of(matched.at)) return;
  Seconds earliest = at_unix(*attempt.start);
  if (span.first > 1 && ended_by_next_start(events_[span.first - 1], matched)) {
    earliest = std::max(earliest, events_[span.first - 2].at);
    events_[span.first - 1].at = std::min(events_[span.first - 1].at, earliest);
  }
  if (span.first > 0) earliest = std::max(earliest, events_[span.first - 1].at);
  if (earliest >= matched.at) return;
  matched.at = earliest;
  ++report_.starts_moved;
}

void JobMerge::name_site(history::AttemptSpan const& span, AttemptAdFacts const& attempt) {
  std::string const site = sites_.of(attempt);
  if (site.empty()) return;
  std::string const logged = span.site.valid() ? history_.sites[span.site.index()] : "";
  if (logged == site) return;
  // A log without GLIDEIN_ResourceName names hosts, which no ad calls a site.
  bool const ads_know_better = !span.executed || !sites_.names(logged);
  if (!ads_know_better) {
    return conflict(
        fmt::format("the log says that an attempt was at {}, the ads say {}", logged, site));
  }
  Id<history::Site> const id = history_.site_named(site);
  for (std::size_t i = span.first; i <= span.last; ++i) events_[i].site = id;
  ++report_.sites_from_ads;
}

// Where an attempt that starts then has its events; none if the log has the job elsewhere then.
std::optional<std::size_t> JobMerge::place_for(Seconds start) const {
  auto const later =
      std::upper_bound(events_.begin(), events_.end(), start,
                       [](Seconds at, history::JobEvent const& event) { return at < event.at; });
  auto place = static_cast<std::size_t>(later - events_.begin());
  for (history::AttemptSpan const& span : history::attempt_spans(events_)) {
    bool const inside = place > span.first && (place <= span.last || span.open);
    if (!inside) continue;
    if (span.begin != start) return std::nullopt;
    place = span.first;
    break;
  }
  if (place == 0) return std::nullopt;
  history::EventKind const before = events_[place - 1].kind;
  if (is_final(before) || before == history::EventKind::held) return std::nullopt;
  return place;
}

void JobMerge::insert_attempt(std::size_t index) {
  AttemptAdFacts const& attempt = ad_attempts_[index];
  auto const place = place_for(at_unix(*attempt.start));
  if (!place) {
    return conflict(
        fmt::format("the ads say that attempt {} began at {}, the log has the job elsewhere then",
                    attempt.number, *attempt.start));
  }
  bool const goes_on = *place < events_.size();
  auto told = events_of_attempt(ad_.facts, attempt, index + 1 == ad_attempts_.size());
  if (told.empty() || (goes_on && !history::ends_attempt(told.back().event.kind))) return;
  std::string const site = sites_.of(attempt);
  Id<history::Site> const id = site.empty() ? Id<history::Site>() : history_.site_named(site);
  if (goes_on) {
    history::JobEvent& next = events_[*place];
    history::EventKind& end = told.back().event.kind;
    bool const same_end = history::ends_attempt(next.kind) &&
                          std::abs(unix_of(next.at) - told.back().unix_s) <= same_time_s;
    if (same_end) {
      if (id.valid()) next.site = id;
      told.pop_back();
    } else if (end == history::EventKind::held || is_final(end)) {
      end = history::EventKind::evicted;  // or the log would say so
    }
  }
  std::vector<history::JobEvent> added;
  Seconds const until = goes_on ? events_[*place].at : Seconds(std::numeric_limits<double>::max());
  for (AdEvent const& fact : told) {
    history::JobEvent event = fact.event;
    event.at = std::clamp(at_unix(fact.unix_s), events_[*place - 1].at, until);
    event.job = events_.front().job;
    event.site = id;
    added.push_back(event);
  }
  events_.insert(events_.begin() + static_cast<std::ptrdiff_t>(*place), added.begin(), added.end());
  ++report_.attempts_from_ads;
}

// A log that was copied before the job's end.
void JobMerge::add_end() {
  JobAdFacts const& facts = ad_.facts;
  history::JobEvent const last = events_.back();
  if (facts.from_epoch || is_final(last.kind)) return;
  bool const completed = facts.job_status == static_cast<int>(JobStatus::completed);
  bool const removed = facts.job_status == static_cast<int>(JobStatus::removed);
  UnixDate const date = completed ? facts.completion_date : facts.entered_current_status;
  if (!(completed || removed) || !date || *date < unix_of(last.at)) return;
  auto const spans = history::attempt_spans(events_);
  if (completed && (spans.empty() || !spans.back().open)) return;
  AttemptAdFacts end;
  end.start = end.end = date;
  history::JobEvent event = events_of_attempt(facts, end, true).back().event;
  event.at = at_unix(*date);
  event.job = last.job;
  if (!spans.empty() && spans.back().open) {
    event.site = spans.back().site;
    event.slot = last.slot;
  }
  events_.push_back(event);
  ++report_.ends_from_ads;
}

void JobMerge::compare() {
  JobAdFacts const& facts = ad_.facts;
  history::JobEvent const& first = events_.front();
  if (first.kind == history::EventKind::submitted && facts.q_date &&
      std::abs(*facts.q_date - unix_of(first.at)) > same_time_s) {
    conflict(fmt::format("the log dates the submission {}, the ads {}", unix_of(first.at),
                         *facts.q_date));
  }
  if (!facts.from_epoch && facts.job_status) compare_status(events_.back());
  auto const spans = history::attempt_spans(events_);
  auto const told = facts.num_shadow_starts.value_or(0);
  if (spans.size() < told) report_.attempts_of_no_ad += told - spans.size();
}

void JobMerge::compare_status(history::JobEvent const& last) {
  JobAdFacts const& facts = ad_.facts;
  // Ads of a queue that was asked before the log's end say nothing against it.
  if (facts.entered_current_status &&
      *facts.entered_current_status + same_time_s < unix_of(last.at))
    return;
  auto const status = static_cast<JobStatus>(*facts.job_status);
  auto differ = [&](bool log_has, JobStatus expected, char const* word) {
    if (log_has == (status == expected)) return;
    conflict(
        log_has ? fmt::format("the log says {}, the ads have JobStatus {}", word, *facts.job_status)
                : fmt::format("the log does not say {}, the ads do", word));
  };
  differ(last.kind == history::EventKind::terminated, JobStatus::completed, "completed");
  differ(last.kind == history::EventKind::aborted, JobStatus::removed, "removed");
  differ(last.kind == history::EventKind::held, JobStatus::held, "held");
  if (last.kind != history::EventKind::terminated || status != JobStatus::completed) return;
  auto const code = facts.exit_code     ? facts.exit_code
                    : facts.exit_signal ? std::optional(-*facts.exit_signal)
                                        : std::nullopt;
  if (code && *code != last.exit_code) {
    conflict(fmt::format("the log has exit code {}, the ads {}", last.exit_code, *code));
  }
  if (facts.completion_date && std::abs(*facts.completion_date - unix_of(last.at)) > same_time_s) {
    conflict(fmt::format("the log dates the completion {}, the ads {}", unix_of(last.at),
                         *facts.completion_date));
  }
}

void JobMerge::conflict(std::string what) { report_.conflicts.push_back({name_, std::move(what)}); }

}  // namespace gridcast::condor
