// Histories of ads alone.
#include <algorithm>
#include <tuple>

#include "sim/base/error.hpp"
#include "sim/condor/ad_attempt.hpp"
#include "sim/condor/job_merge.hpp"
#include "sim/condor/merge_ads.hpp"
#include "sim/history/attempts.hpp"

namespace gridcast::condor {
namespace {

class AdsHistory {
 public:
  AdsHistory(JobAds const& ads, MergeReport& report) : sites_(ads), report_(report) {
    UnixDate start;
    for (auto const& [name, job] : ads.jobs) {
      UnixDate const date = submission(job);
      if (date && (!start || *date < *start)) start = date;
    }
    if (!start) {
      throw InputError({{},
                        "the ads date no job",
                        "none has a QDate or an attempt's start",
                        "Print whole ads: condor_history -long, without -af or -attributes"});
    }
    history_.start_unix = start;
  }

  void add(history::JobName name, JobAd const& job) {
    UnixDate const date = submission(job);
    if (!date) {
      ++undated_;
      return;
    }
    if (!job.facts.q_date) ++without_submission_;
    job_ = Id<history::Job>(history_.jobs.size());
    history_.jobs.push_back(name);
    at_ = *date;
    state_ = history::EventKind::submitted;
    put(*date, {});
    auto const attempts = attempts_of(job);
    for (std::size_t i = 0; i < attempts.size(); ++i) {
      add_attempt(job, attempts[i], i + 1 == attempts.size());
    }
    add_end(job.facts);
    count_missing(job.facts, attempts.size());
    add_transfers(job, attempts);
  }

  history::JobHistory finish() {
    report_.jobs_only_in_ads = history_.jobs.size();
    report_.transfers = history_.transfers.size();
    say(undated_, "jobs without any date, left out");
    say(without_submission_, "jobs without QDate: submitted when first matched, as it seems");
    report_.remarks.emplace_back(
        "ads alone do not tell of suspensions, checkpoints and reconnections, nor when they were");
    std::stable_sort(
        history_.events.begin(), history_.events.end(),
        [](history::JobEvent const& a, history::JobEvent const& b) { return a.at < b.at; });
    std::stable_sort(history_.transfers.begin(), history_.transfers.end(),
                     [](history::UrlTransfer const& a, history::UrlTransfer const& b) {
                       return std::tie(a.job, a.attempt, a.start) <
                              std::tie(b.job, b.attempt, b.start);
                     });
    return std::move(history_);
  }

 private:
  static UnixDate submission(JobAd const& job) {
    if (job.facts.q_date) return job.facts.q_date;
    UnixDate first;
    for (AttemptAdFacts const& attempt : job.attempts) {
      if (attempt.start && (!first || *attempt.start < *first)) first = attempt.start;
    }
    return first;
  }

  // Never back in time.
  void put(std::int64_t unix_s, history::JobEvent event) {
    at_ = std::max(at_, unix_s);
    event.at = Seconds(static_cast<double>(at_ - *history_.start_unix));
    event.job = job_;
    history_.events.push_back(event);
    state_ = event.kind;
  }

  void add_attempt(JobAd const& job, AttemptAdFacts const& attempt, bool last) {
    if (state_ == history::EventKind::held) {
      history::JobEvent released;
      released.kind = history::EventKind::released;
      released.reason = history::Reason::unknown;
      put(*attempt.start, released);
      ++report_.releases_not_dated;
    }
    if (state_ == history::EventKind::terminated || state_ == history::EventKind::aborted) return;
    std::string const site = sites_.of(attempt);
    Id<history::Site> const id = site.empty() ? Id<history::Site>() : history_.site_named(site);
    ++report_.attempts_from_ads;
    for (AdEvent const& told : events_of_attempt(job.facts, attempt, last)) {
      history::JobEvent event = told.event;
      event.site = id;
      put(told.unix_s, event);
    }
  }

  // What happened to the job while it was in no slot.
  void add_end(JobAdFacts const& facts) {
    if (facts.from_epoch || !facts.entered_current_status) return;
    bool const removed = facts.job_status == static_cast<int>(JobStatus::removed);
    bool const held = facts.job_status == static_cast<int>(JobStatus::held);
    bool const ended =
        state_ == history::EventKind::terminated || state_ == history::EventKind::aborted;
    if (ended || !(removed || held) || (held && state_ == history::EventKind::held)) return;
    AttemptAdFacts none;
    none.start = none.end = facts.entered_current_status;
    put(*facts.entered_current_status, events_of_attempt(facts, none, true).back().event);
  }

  void count_missing(JobAdFacts const& facts, std::size_t attempts) {
    auto const starts = facts.num_shadow_starts.value_or(0);
    if (starts > attempts) report_.attempts_of_no_ad += starts - attempts;
  }

  void add_transfers(JobAd const& job, std::vector<AttemptAdFacts> const& attempts) {
    std::vector<DatedAttempt> dated;
    for (AttemptAdFacts const& attempt : attempts) {
      dated.push_back({*attempt.start, attempt.end.value_or(*attempt.start), {attempt.number}});
    }
    report_.transfers_of_no_attempt += urls_.add(job_, job.transfers, dated);
  }

  void say(std::size_t count, std::string const& what) {
    if (count > 0) report_.remarks.push_back(std::to_string(count) + " " + what);
  }

  AdSites sites_;
  MergeReport& report_;
  history::JobHistory history_;
  UrlTransfers urls_{history_};
  Id<history::Job> job_;
  std::int64_t at_ = 0;
  history::EventKind state_ = history::EventKind::submitted;
  std::size_t undated_ = 0, without_submission_ = 0;
};

}  // namespace

history::JobHistory history_from_ads(JobAds const& ads, MergeReport& report) {
  AdsHistory history(ads, report);
  for (auto const& [name, job] : ads.jobs) history.add(name, job);
  return history.finish();
}

}  // namespace gridcast::condor
