// Histories of ads alone.
#include "sim/condor/ads/ad_history.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/condor/ads/merge_ads.hpp"
#include "sim/condor/log/log_note.hpp"
#include "sim/history/attempts.hpp"
#include "sim/history/job_table.hpp"

namespace gridcast::condor {
namespace {

constexpr int reconnect_failed_code = 1008;

std::int16_t narrow(int code) {
  return static_cast<std::int16_t>(std::clamp<int>(code, std::numeric_limits<std::int16_t>::min(),
                                                   std::numeric_limits<std::int16_t>::max()));
}

void set_exit(JobEvent& event, std::optional<int> code, std::optional<int> signal) {
  if (signal) event.exit_code = narrow(-*signal);
  if (code) event.exit_code = narrow(*code);
}

JobEvent vacated(AttemptAdFacts const& attempt) {
  JobEvent event;
  int const code = hold_code(attempt.vacate_code.value_or(0), attempt.vacate_reason);
  event.code = narrow(code);
  event.subcode = attempt.vacate_subcode.value_or(0);
  event.reason = vacate_reason(code, event.subcode, attempt.vacate_reason);
  event.kind = EventKind::evicted;
  bool const hold_code = code > 0 && code < first_vacate_code;
  if (attempt.held || (hold_code && !attempt.not_held)) event.kind = EventKind::held;
  if (attempt.end_unknown) {
    event.reason = attempt.executing ? Reason::end_not_recorded : Reason::not_begun;
  }
  if (code == reconnect_failed_code) event.kind = EventKind::reconnect_failed;
  return event;
}

// The program ended and nothing took the job from its slot: it is done or will be tried again.
JobEvent exited(JobAdFacts const& job, AttemptAdFacts const& attempt, bool done) {
  JobEvent event;
  event.kind = done ? EventKind::terminated : EventKind::requeued;
  set_exit(event, attempt.exit_code, attempt.exit_signal);
  if (done) set_exit(event, job.exit_code, job.exit_signal);
  event.useful = event.exit_code == job.job_success_exit_code.value_or(0);
  if (!event.useful) {
    event.reason = event.exit_code < 0 ? Reason::killed_by_signal : Reason::exit_code;
  }
  return event;
}

JobEvent removed(JobAdFacts const& job) {
  return {.kind = EventKind::aborted, .reason = decision_reason(job.remove_reason)};
}

// The hold of a job that is held, or was when it was removed. Its ad may then have the reason as
// that of its last hold.
JobEvent last_hold(JobAdFacts const& job) {
  bool const still = job.hold_reason_code.has_value() || job.has_status(JobStatus::held);
  AttemptAdFacts held;
  held.held = true;
  held.vacate_code = still ? job.hold_reason_code : job.last_hold_reason_code;
  held.vacate_subcode = still ? job.hold_reason_subcode : job.last_hold_reason_subcode;
  held.vacate_reason = still ? job.hold_reason : job.last_hold_reason;
  return vacated(held);
}

JobEvent end_of(JobAdFacts const& job, AttemptAdFacts const& attempt, Turn turn) {
  if (attempt.vacate_code.value_or(0) != 0 || attempt.held) return vacated(attempt);
  if (attempt.requeued) {
    return {.kind = EventKind::requeued, .reason = Reason::exit_code, .useful = false};
  }
  bool const last = turn == Turn::last;
  auto const ended = [&](auto status) { return last && !job.from_epoch && job.has_status(status); };
  bool const exit_known = attempt.exit_code || attempt.exit_signal;
  // Without the job's own ad, an exit with 0 completes a job.
  bool const seems_completed = last && job.from_epoch && attempt.exit_code == 0;
  if (ended(JobStatus::completed) || seems_completed) return exited(job, attempt, true);
  bool const gone = ended(JobStatus::removed);
  if (gone && !job.removed_from_hold()) return removed(job);
  if (gone || ended(JobStatus::held)) return last_hold(job);
  if (exit_known && attempt.executing) return exited(job, attempt, false);
  return vacated(attempt);
}

std::int64_t whole(std::optional<Seconds> const& time) {
  return static_cast<std::int64_t>(time.value_or(Seconds()).value());
}

bool began_once(JobAdFacts const& job) {
  auto const starts = std::max(job.num_shadow_starts.value_or(0), job.num_job_starts.value_or(0));
  return starts == 1;
}

AttemptAdFacts last_attempt(JobAdFacts const& job) {
  AttemptAdFacts attempt = job.last;
  attempt.number = job.num_shadow_starts.value_or(0);
  bool const once = began_once(job);
  attempt.start =
      once && !job.job_current_start_date ? job.job_start_date : job.job_current_start_date;
  // The attempt before it had LastRemoteHost, if the job runs.
  bool const runs = job.has_status(JobStatus::running);
  if (!runs && !job.last_remote_host.empty()) attempt.host = job.last_remote_host;
  if (!job.sites.empty()) attempt.site = job.sites.front();
  bool const completed = job.has_status(JobStatus::completed);
  if (completed) attempt.end = job.completion_date;
  // Ads of which a few attributes are printed.
  bool const timed = completed && attempt.end && job.remote_wall_clock_time;
  if (timed && !attempt.start) attempt.start = *attempt.end - whole(job.remote_wall_clock_time);
  // HTCondor 7 does not date the execution, which a job had that completed or has as many starts
  // of its program as of its shadow.
  auto const programs = job.num_job_starts.value_or(0);
  bool const each = programs > 0 && programs >= job.num_shadow_starts.value_or(0);
  bool const executed = completed || each;
  if (executed && !attempt.executing) {
    attempt.executing = attempt.input_finished ? attempt.input_finished : attempt.start;
  }
  if (job.has_status(JobStatus::running)) return attempt;
  if (attempt.end || !attempt.start) return attempt;
  // Idle, held or removed since: it ended when its time was up, if that is known.
  auto const& lasted = once && !job.last_remote_wall_clock_time && !job.entered_current_status
                           ? job.remote_wall_clock_time
                           : job.last_remote_wall_clock_time;
  attempt.end = lasted ? *attempt.start + whole(lasted) : job.entered_current_status;
  return attempt;
}

/// The counts of a later ad of the job, or the attempt's own before its end.
struct HoldCounts {
  std::optional<std::uint32_t> holds, cool_downs;
  std::map<std::string, std::uint32_t> by_reason;

  template <class Facts>
  static HoldCounts of(Facts const& facts) {
    return {facts.num_holds, facts.num_job_cool_downs, facts.num_holds_by_reason};
  }

  /// Holds of a code, and those of codes with unknown names.
  std::uint32_t of_code(int code) const {
    std::uint32_t sum = 0;
    for (auto const& [name, count] : by_reason) {
      int const named = code_named(name);
      if (named == code || named == 0) sum += count;
    }
    return sum;
  }
};

/// A job that cools down (HTCondor >= 25.6) left its slot with a hold's code and was not held: its
/// holds are as many as before. If no ad gives their number, its cool-downs are more.
bool was_not_held(int code, HoldCounts const& before, HoldCounts const& after) {
  if (!after.by_reason.empty()) return after.of_code(code) <= before.of_code(code);
  if (after.holds || before.holds) return after.holds.value_or(0) <= before.holds.value_or(0);
  return after.cool_downs.value_or(0) > before.cool_downs.value_or(0);
}

/// Attempts come in the order of their numbers. The ad after each shows whether the job was held.
void mark_not_held(AdsOfJob const& job, std::vector<AttemptAdFacts>& attempts) {
  // Ads of a job that has not been held yet leave the number out; so do ads with only some
  // attributes printed, and then as many holds as there are such codes explain them all.
  auto const with_hold_code = std::ranges::count_if(attempts, [](AttemptAdFacts const& attempt) {
    int const code = attempt.vacate_code.value_or(0);
    return code > 0 && code < first_vacate_code;
  });
  bool const in_attempts = std::ranges::any_of(
      attempts, [](AttemptAdFacts const& attempt) { return attempt.num_holds.has_value(); });
  bool const counted =
      in_attempts || (job.facts.num_holds && *job.facts.num_holds < with_hold_code);
  auto const before_end = [counted](AttemptAdFacts const& attempt) {
    HoldCounts counts = HoldCounts::of(attempt);
    if (counted && !counts.holds) counts.holds = 0;
    return counts;
  };
  for (std::size_t i = 0; i < attempts.size(); ++i) {
    bool const last = i + 1 == attempts.size();
    if (last && job.facts.from_epoch) return;
    attempts[i].not_held =
        was_not_held(attempts[i].vacate_code.value_or(0), before_end(attempts[i]),
                     last ? HoldCounts::of(job.facts) : before_end(attempts[i + 1]));
  }
}

/// The last attempt's part of RemoteWallClockTime; nothing of one that runs yet.
std::int64_t last_in_sum(JobAdFacts const& job) {
  if (job.has_status(JobStatus::running)) return 0;
  if (job.last_remote_wall_clock_time) return whole(job.last_remote_wall_clock_time);
  AttemptAdFacts const last = last_attempt(job);
  if (!last.start || !last.end) return 0;
  return std::clamp<std::int64_t>(*last.end - *last.start, 0, whole(job.remote_wall_clock_time));
}

constexpr std::int64_t clocks_differ_s = 2;  // of execution points, at most

// Index of the attempt; the number of attempts if it is not one of them.
std::size_t attempt_of(UrlTransferAd const& ad, std::vector<AttemptTimes> const& attempts) {
  auto found = attempts.end();
  if (ad.attempt != 0) {
    found = std::ranges::find_if(attempts, [&ad](AttemptTimes const& attempt) {
      return contains(attempt.numbers, ad.attempt);
    });
  }
  if (found != attempts.end()) return static_cast<std::size_t>(found - attempts.begin());
  // The one that it was in for longest; of two, the later: the former had ended.
  std::int64_t longest = -1;
  for (auto each = attempts.begin(); each != attempts.end(); ++each) {
    if (each->begin > ad.start + clocks_differ_s || ad.start > each->end) continue;
    std::int64_t const within = std::min(ad.end, each->end) - std::max(ad.start, each->begin);
    if (within < longest) continue;
    longest = within;
    found = each;
  }
  return static_cast<std::size_t>(found - attempts.begin());
}

/// The attempts before the last one, if the job's own ad has only their number and the sum of their
/// times (RemoteWallClockTime): one after the other from JobStartDate, that time in equal parts to
/// those that executed, or to all if none did, and taken for execution.
std::vector<AttemptAdFacts> summed_attempts(JobAdFacts const& job) {
  std::vector<AttemptAdFacts> attempts;
  bool const summed = !job.from_epoch && job.job_start_date && job.job_current_start_date &&
                      job.remote_wall_clock_time && job.num_shadow_starts.value_or(0) > 1;
  if (!summed) return attempts;
  std::int64_t const time = std::min(whole(job.remote_wall_clock_time) - last_in_sum(job),
                                     *job.job_current_start_date - *job.job_start_date);
  if (time < 0) return attempts;
  std::int64_t const count = *job.num_shadow_starts - 1;
  std::int64_t const executed = std::clamp<std::int64_t>(
      job.num_job_starts.value_or(0) - (last_attempt(job).executing ? 1 : 0), 0, count);
  std::int64_t const sharing = executed > 0 ? executed : count;
  for (std::int64_t i = 0; i < count; ++i) {
    AttemptAdFacts attempt;
    attempt.summed = true;
    attempt.number = static_cast<std::uint32_t>(i + 1);
    auto const share = [&](std::int64_t n) {
      return *job.job_start_date + time * std::min(n, sharing) / sharing;
    };
    attempt.start = share(i);
    attempt.end = share(i + 1);
    if (i < executed) attempt.executing = attempt.start;
    auto const before = static_cast<std::size_t>(count - i);
    if (before < job.sites.size()) attempt.site = job.sites[before];
    if (before < job.hosts.size()) attempt.host = job.hosts[before];
    attempts.push_back(std::move(attempt));
  }
  return attempts;
}

class AdsHistory {
 public:
  AdsHistory(JobAds const& ads, MergeReport& report) : sites_(ads), report_(report) {
    UnixDate start;
    for (auto const& [name, job] : ads.jobs) {
      UnixDate const date = submission(job);
      if (date && (!start || *date < *start)) start = date;
    }
    if (!start) {
      refuse({}, "the ads date no job", "none has a QDate or an attempt's start",
             "Print whole ads: condor_history -long, without -af or -attributes");
    }
    history_.start_unix = start;
    history_.gpus_per_job = std::max(1, usual_gpus(ads).value_or(1));
  }

  void add(JobName name, AdsOfJob const& job) {
    UnixDate const date = submission(job);
    if (!date) {
      ++undated_;
      return;
    }
    if (!job.facts.q_date) ++without_submission_;
    if (job.facts.server_time) printed_ = std::max(printed_, job.facts.server_time);
    job_ = Id<history::Job>(history_.jobs.size());
    history_.jobs.push_back(name);
    at_ = *date;
    state_ = EventKind::submitted;
    put(*date, {});
    auto attempts = attempts_of(job);
    if (job.attempts.empty()) set_ends(job.facts, attempts);
    for (std::size_t i = 0; i < attempts.size(); ++i) {
      add_attempt(job, attempts[i], turn_of(i, attempts.size()));
    }
    add_end(job.facts);
    count_unrecorded(job.facts, attempts.size());
    add_transfers(job, attempts);
  }

  JobHistory finish() {
    history_.settle_gpus();
    report_.jobs_only_in_ads = history_.jobs.size();
    report_.transfers = history_.transfers.size();
    if (printed_) {
      history_.seen_until = Seconds(static_cast<double>(*printed_ - *history_.start_unix));
    }
    say(undated_, "job", "without any date, left out");
    guess(
        summed_, "attempt",
        "before the last, known only by sums in a job's own ad: one after the other from "
        "JobStartDate, with equal parts of the slot time (a calibration takes no speed from them)");
    guess(requeued_, "attempt",
          "taken for queued again after the program had ended, by NumJobCompletions; which of a "
          "job's attempts it was is not known");
    guess(summed_holds_, "attempt",
          "taken for held, by NumHolds, NumHoldsByReason and LastHoldReasonCode; which of a job's "
          "attempts it was is not known");
    guess(not_begun_, "attempt",
          "that never executed (NumShadowStarts - NumJobStarts) and were not held: taken for "
          "failed input transfers by a calibration");
    guess(no_end_, "attempt",
          "that executed and ended in an unknown way: a calibration counts no eviction");
    guess(held_in_queue_, "hold", "of no attempt that is known: taken for holds in the queue");
    say(without_submission_, "job", "without QDate: submitted when first matched, as it seems");
    report_.remarks.emplace_back(
        "ads alone do not show suspensions, checkpoints and reconnections, nor their times");
    settle_order(history_);
    return std::move(history_);
  }

 private:
  static UnixDate submission(AdsOfJob const& job) {
    if (job.facts.q_date) return job.facts.q_date;
    UnixDate first;
    for (AttemptAdFacts const& attempt : job.attempts) {
      if (attempt.start && (!first || *attempt.start < *first)) first = attempt.start;
    }
    return first;
  }

  // Never back in time.
  void put(std::int64_t unix_s, JobEvent event) {
    at_ = std::max(at_, unix_s);
    event.at = Seconds(static_cast<double>(at_ - *history_.start_unix));
    event.job = job_;
    history_.events.push_back(event);
    state_ = event.kind;
  }

  // Reads the job's own ad: `attempts` is its last one, before which it puts the others.
  void set_ends(JobAdFacts const& job, std::vector<AttemptAdFacts>& attempts) {
    auto earlier = summed_attempts(job);
    summed_ += earlier.size();
    // If the job is idle again, the end of that one is as unknown as those of the others.
    bool const idle_again = job.has_status(JobStatus::idle) && !attempts.empty() &&
                            attempts.back().vacate_code.value_or(0) == 0 &&
                            !attempts.back().exit_code && !attempts.back().exit_signal;
    if (idle_again) {
      earlier.push_back(std::move(attempts.back()));
      attempts.pop_back();
    }
    for (AttemptAdFacts const& hold : set_earlier_ends(job, earlier)) hold_in_queue(hold);
    count_ends(earlier);
    attempts.insert(attempts.begin(), earlier.begin(), earlier.end());
  }

  /// A shadow that starts anew for a running job counts as well, and begins no attempt.
  void count_unrecorded(JobAdFacts const& job, std::size_t attempts) {
    auto const shadows = job.num_shadow_starts.value_or(0);
    if (shadows > attempts) report_.attempts_of_no_ad += shadows - attempts;
    auto const taken_over = std::min(shadows, job.num_job_reconnects.value_or(0));
    std::size_t const begun = std::max(shadows - taken_over, job.num_job_starts.value_or(0));
    if (begun <= attempts) return;
    history_.unrecorded.resize(history_.jobs.size());
    history_.unrecorded.back() = static_cast<std::uint32_t>(begun - attempts);
  }

  void count_ends(std::vector<AttemptAdFacts> const& earlier) {
    for (AttemptAdFacts const& attempt : earlier) {
      if (attempt.held) ++summed_holds_;
      if (attempt.requeued) ++requeued_;
      if (attempt.end_unknown) ++(attempt.executing ? no_end_ : not_begun_);
    }
  }

  void hold_in_queue(AttemptAdFacts const& hold) {
    release(at_);
    put(at_, vacated(hold));
    ++held_in_queue_;
  }

  void release(std::int64_t unix_s) {
    if (state_ != EventKind::held) return;
    put_release(unix_s);
    ++report_.releases_not_dated;
  }

  void put_release(std::int64_t unix_s) {
    put(unix_s, {.kind = EventKind::released, .reason = Reason::unknown});
  }

  void add_attempt(AdsOfJob const& job, AttemptAdFacts const& attempt, Turn turn) {
    release(*attempt.start);
    if (history::ends_job(state_)) return;
    std::string const site = site_of(attempt);
    Id<history::Site> const id = site.empty() ? Id<history::Site>() : site_named_(site);
    std::uint32_t const slot = slots_(attempt.host);
    ++report_.attempts_from_ads;
    auto events = events_of_attempt(job.facts, attempt, turn);
    put_gpus(events, history_.gpus_like(gpus_of(job.facts, attempt)));
    for (AdEvent const& one : events) {
      JobEvent event = one.event;
      event.site = id;
      event.slot = slot;
      put(one.unix_s, event);
    }
  }

  /// If no ad names a site, hosts of one domain are one, as in logs without GLIDEIN_ResourceName.
  std::string site_of(AttemptAdFacts const& attempt) const {
    std::string const slot = slot_of(attempt.host);
    if (!sites_.names_none() || slot.empty()) return sites_.of(attempt);
    std::string_view const host = host_of_slot(slot);
    return is_address(host) ? std::string(history::unknown_site) : site_of_host(host);
  }

  // Events of the job while it was in no slot.
  void add_end(JobAdFacts const& facts) {
    if (facts.from_epoch) return;
    if (state_ == EventKind::held && facts.has_status(JobStatus::idle)) {
      put_release(facts.entered_current_status.value_or(at_));
    }
    bool const removed = facts.has_status(JobStatus::removed);
    bool const held = facts.has_status(JobStatus::held);
    bool const done = facts.has_status(JobStatus::completed);
    if (history::ends_job(state_)) return;
    if (!(removed || held || done) || (held && state_ == EventKind::held)) return;
    // The state is known where its date is not.
    auto const date = facts.entered_current_status ? facts.entered_current_status
                                                   : (done ? facts.completion_date : std::nullopt);
    put(date.value_or(at_), removed ? condor::removed(facts)
                            : held  ? last_hold(facts)
                                    : exited(facts, {}, true));
  }

  void add_transfers(AdsOfJob const& job, std::vector<AttemptAdFacts> const& attempts) {
    std::vector<AttemptTimes> const times = each_of(attempts, [](AttemptAdFacts const& attempt) {
      return AttemptTimes{*attempt.start, attempt.end.value_or(*attempt.start), {attempt.number}};
    });
    report_.transfers_of_no_attempt += urls_.add(job_, job.transfers, times);
  }

  void say(std::size_t count, char const* noun, char const* what) {
    if (count > 0) report_.remarks.push_back(counted(count, noun) + " " + what);
  }
  void guess(std::size_t count, char const* noun, char const* what) {
    if (count > 0) report_.guesses.push_back(counted(count, noun) + " " + what);
  }

  AdSites sites_;
  MergeReport& report_;
  JobHistory history_;
  history::SiteNames site_named_{history_};
  AdSlots slots_{history_};
  UrlTransfers urls_{history_};
  Id<history::Job> job_;
  std::int64_t at_ = 0;
  EventKind state_ = EventKind::submitted;
  std::size_t undated_ = 0, without_submission_ = 0, summed_ = 0;
  UnixDate printed_;  // by condor_q, the last of the ads
  std::size_t requeued_ = 0, summed_holds_ = 0, not_begun_ = 0, no_end_ = 0, held_in_queue_ = 0;
};

}  // namespace

std::vector<AttemptAdFacts> attempts_of(AdsOfJob const& job) {
  std::vector<AttemptAdFacts> attempts;
  for (AttemptAdFacts const& attempt : job.attempts) {
    if (attempt.start) attempts.push_back(attempt);
  }
  mark_not_held(job, attempts);
  AttemptAdFacts const last = last_attempt(job.facts);
  bool const known = std::ranges::any_of(attempts, [&](auto const& attempt) {
    return (last.number != 0 && attempt.number == last.number) ||
           (last.number == 0 && attempt.start == last.start);
  });
  if (!job.facts.from_epoch && last.start && !known) attempts.push_back(last);
  std::ranges::stable_sort(attempts, [](auto const& a, auto const& b) {
    return std::tie(*a.start, a.number) < std::tie(*b.start, b.number);
  });
  // A shadow that took over from another keeps its start: one attempt, with the later one's end.
  std::vector<AttemptAdFacts> once;
  for (AttemptAdFacts& attempt : attempts) {
    bool const took_over = attempt.shadow_start && *attempt.shadow_start > *attempt.start;
    if (!once.empty() && once.back().start == attempt.start && took_over) {
      once.back() = std::move(attempt);
    } else {
      once.push_back(std::move(attempt));
    }
  }
  return once;
}

std::vector<AdEvent> events_of_attempt(JobAdFacts const& job, AttemptAdFacts const& attempt,
                                       Turn turn) {
  std::vector<AdEvent> events;
  std::int64_t at = attempt.start.value_or(0);
  auto add = [&](EventKind kind, UnixDate const& date) {
    if (!date) return;
    at = std::max(at, *date);
    events.push_back({at, {}});
    events.back().event.kind = kind;
  };
  add(EventKind::matched, attempt.start);
  add(EventKind::transfer_input_queued, attempt.input_queued);
  add(EventKind::transfer_input_started, attempt.input_started);
  if (attempt.input_started && attempt.executing) {
    add(EventKind::transfer_input_finished,
        attempt.input_finished ? attempt.input_finished : attempt.executing);
  }
  add(EventKind::executing, attempt.executing);
  if (attempt.executing && attempt.summed) events.back().event.reason = Reason::end_not_recorded;
  JobEvent end = end_of(job, attempt, turn);
  bool const exited = end.kind == EventKind::terminated || end.kind == EventKind::requeued;
  if (attempt.executing && exited) {
    add(EventKind::transfer_output_started, attempt.output_started);
    add(EventKind::transfer_output_finished, attempt.output_finished);
  }
  if (end.kind == EventKind::reconnect_failed) add(EventKind::disconnected, attempt.disconnected);
  if (attempt.end) events.push_back({std::max(at, *attempt.end), end});
  return events;
}

void put_gpus(std::vector<AdEvent>& events, std::uint16_t gpus) {
  auto const executing = std::ranges::find_if(
      events, [](AdEvent const& one) { return one.event.kind == EventKind::executing; });
  if (executing != events.end()) {
    executing->event.gpus = gpus;
  } else if (!events.empty() && history::ends_attempt(events.back().event.kind)) {
    events.back().event.gpus = gpus;
  }
}

std::size_t UrlTransfers::add(Id<history::Job> job, std::vector<UrlTransferAd> const& ads,
                              std::vector<AttemptTimes> const& attempts) {
  std::size_t left_out = 0;
  auto const at = [this](std::int64_t unix_s) {
    return Seconds(static_cast<double>(unix_s - *history_.start_unix));
  };
  for (UrlTransferAd const& ad : ads) {
    std::size_t const attempt = attempt_of(ad, attempts);
    if (attempt == attempts.size()) {
      ++left_out;
      continue;
    }
    history_.transfers.push_back({job, static_cast<std::uint32_t>(attempt + 1), urls_(ad.url),
                                  ad.upload, ad.succeeded, at(ad.start), at(ad.end), ad.duration,
                                  ad.size, tries_of(ad)});
  }
  return left_out;
}

std::vector<history::CacheTry> UrlTransfers::tries_of(UrlTransferAd const& ad) {
  std::vector<history::CacheTry> tries;
  for (CacheTryAd const& one : ad.tries) {
    std::string const host = one.endpoint.substr(0, one.endpoint.find(':'));
    tries.push_back({caches_(host), try_end(one.error), one.duration, one.bytes, one.first_byte});
  }
  return tries;
}

void settle_order(JobHistory& history) {
  std::ranges::stable_sort(history.events, {}, &JobEvent::at);
  std::ranges::stable_sort(history.transfers, [](auto const& a, auto const& b) {
    return std::tie(a.job, a.attempt, a.start) < std::tie(b.job, b.attempt, b.start);
  });
}

JobHistory history_from_ads(JobAds const& ads, MergeReport& report) {
  AdsHistory history(ads, report);
  for (auto const& [name, job] : ads.jobs) history.add(name, job);
  return history.finish();
}

}  // namespace gridcast::condor
