#include "calibration/fits/delay_fit.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "calibration/records/pilot_records.hpp"
#include "calibration/records/waits.hpp"
#include "sim/base/statistics.hpp"

namespace gridcast::calibration {

namespace {

using Start = std::pair<std::size_t, double>;  // which job's, and when

/// Since when the job of each start had been idle.
std::map<Start, double> idle_before(AttemptRecords const& records) {
  std::map<Start, double> since;
  for (Waiting const& wait : records.waits) {
    since[{wait.job.index(), wait.to.value()}] = wait.from.value();
  }
  return since;
}

/// Attempts without a known slot of their site, in a record that names slots for
/// others.
class Unplaced {
 public:
  explicit Unplaced(AttemptRecords const& records) {
    for (AttemptRecord const& attempt : records.attempts) {
      if (attempt.site.valid() && attempt.placed) spans_[attempt.site.index()];
    }
    for (AttemptRecord const& attempt : records.attempts) {
      if (is_one(attempt)) spans_[attempt.site.index()].push_back({attempt.start, attempt.end});
    }
    for (auto& [site, spans] : spans_) {
      std::ranges::sort(spans);
      // Each with the earliest end of those that began no earlier.
      for (std::size_t i = spans.size(); i > 1; --i) {
        spans[i - 2].second = std::min(spans[i - 2].second, spans[i - 1].second);
      }
    }
  }

  bool is_one(AttemptRecord const& attempt) const {
    return attempt.site.valid() && !attempt.placed && spans_.contains(attempt.site.index());
  }

  /// True if one of them may have been in a slot between two others.
  bool fits(std::size_t site, Seconds from, Seconds to) const {
    auto const of_site = spans_.find(site);
    if (of_site == spans_.end()) return false;
    auto const first = std::ranges::lower_bound(of_site->second, from, {},
                                                [](auto const& span) { return span.first; });
    return first != of_site->second.end() && first->second <= to;
  }

 private:
  std::map<std::size_t, std::vector<std::pair<Seconds, Seconds>>> spans_;  // by site, ordered
};

using AttemptKey = std::pair<std::size_t, std::uint32_t>;

/// Times of an attempt's URLs from the ads, all tries at them included.
std::map<AttemptKey, double> times_of_urls(history::JobHistory const& history) {
  std::map<AttemptKey, double> urls;
  for (history::UrlTransfer const& transfer : history.transfers) {
    if (transfer.upload || !transfer.succeeded || transfer.duration.value() <= 0) continue;
    urls[{transfer.job.index(), transfer.attempt}] += transfer.duration.value();
  }
  return urls;
}

// Start of the transfer -> its end (040), minus the ads' times of the URLs.
std::vector<Delay> plugin_starts(history::JobHistory const& history,
                                 AttemptRecords const& records) {
  auto const urls = times_of_urls(history);
  std::vector<Delay> delays;
  for (AttemptRecord const& attempt : records.attempts) {
    auto const known = urls.find({attempt.job.index(), attempt.number});
    if (known == urls.end() || !attempt.input_started || !attempt.input_finished) continue;
    delays.push_back(
        {(*attempt.input_finished - *attempt.input_started).value(), known->second, false});
  }
  return delays;
}

/// The start in a log: by 040, where it has those. Ads have the shadow start a moment earlier, when
/// the claim is being activated.
Seconds start_in_log(AttemptRecord const& attempt) {
  return attempt.input_started.value_or(attempt.start);
}

// Shadow start -> executing, less the transfer: as the log gives it, else the ads of its URLs.
std::vector<Delay> setups(history::JobHistory const& history, AttemptRecords const& records) {
  auto const urls = times_of_urls(history);
  // A log without 040 has the time from the claim to the execution (TimeSlotBusy), transfers and
  // all.
  bool const has_input =
      !urls.empty() || std::ranges::any_of(records.attempts, [](auto const& one) {
        return one.input_started.has_value();
      });
  std::vector<Delay> delays;
  for (AttemptRecord const& attempt : records.attempts) {
    auto const known = urls.find({attempt.job.index(), attempt.number});
    if (!attempt.executing) continue;
    double const whole = (*attempt.executing - start_in_log(attempt)).value();
    if (attempt.input_started) {
      Seconds const finished = attempt.input_finished.value_or(*attempt.executing);
      delays.push_back({whole, (finished - *attempt.input_started).value(), false});
    } else if (known != urls.end()) {
      delays.push_back({whole, known->second, false});
    } else if (!has_input && whole > 0) {
      delays.push_back({whole, 0, false});
    }
  }
  return delays;
}

/// All that attempts have of these.
std::vector<Delay> times_of(AttemptRecords const& records,
                            std::vector<Seconds> AttemptRecord::*times) {
  std::vector<Delay> delays;
  for (AttemptRecord const& attempt : records.attempts) {
    for (Seconds const time : attempt.*times) delays.push_back({time.value(), 0, false});
  }
  return delays;
}

using TimesBySite = std::map<std::size_t, std::vector<Seconds>>;  // each in order

void sort(TimesBySite& times) {
  for (auto& [site, of_site] : times) std::ranges::sort(of_site);
}

/// When each pilot was first seen.
TimesBySite first_seen(PilotRecords const& pilots, AttemptRecords const& records) {
  TimesBySite starts;
  for (PilotRecord const& pilot : pilots.pilots) {
    starts[pilot.site.index()].push_back(records.attempts[pilot.attempts.front()].start);
  }
  sort(starts);
  return starts;
}

/// And when those that had been shut down were seen again: where slots are called after their host
/// alone, all pilots of a host have one name.
TimesBySite first_seen_or_again(PilotRecords const& pilots, AttemptRecords const& records) {
  TimesBySite starts = first_seen(pilots, records);
  for (PilotRecord const& pilot : pilots.pilots) {
    auto next = pilot.attempts.begin();
    for (Seconds const end : pilot.shut_down) {
      next = std::find_if(next, pilot.attempts.end(),
                          [&](std::size_t i) { return records.attempts[i].start > end; });
      if (next == pilot.attempts.end()) break;
      starts[pilot.site.index()].push_back(records.attempts[*next++].start);
    }
  }
  sort(starts);
  return starts;
}

/// For pilots that were shut down: each stands for one slot's place, and the next ones at a site,
/// in the order of time, follow those that ended in that order. Pilots come because jobs wait, and
/// nothing is seen of them while none does.
void add_replaced(PilotRecords const& pilots, AttemptRecords const& records,
                  std::vector<Delay>& delays) {
  WaitsBySite const waits(records);
  auto const starts = first_seen_or_again(pilots, records);
  TimesBySite ends;
  for (PilotRecord const& pilot : pilots.pilots) {
    auto& of_site = ends[pilot.site.index()];
    of_site.insert(of_site.end(), pilot.shut_down.begin(), pilot.shut_down.end());
  }
  sort(ends);
  for (auto const& [site, ended] : ends) {
    auto const& started = starts.at(site);
    auto const idle = waits.at(site);
    auto next = started.begin();
    for (Seconds const end : ended) {
      next = std::upper_bound(next, started.end(), end);
      bool const came = next != started.end();
      Seconds const until = came ? *next : records.end;
      delays.push_back({time_within(idle, end, until).value(), 0, !came});
      if (came) ++next;
    }
  }
}

// From a death to the first start on a pilot that was not there before. The absence of a pilot is
// evidence only while jobs waited.
std::vector<Delay> replacements(history::JobHistory const& history, AttemptRecords const& records) {
  PilotRecords const pilots = make_pilot_records(history, records);
  WaitsBySite const waits(records);
  std::map<Id<history::Site>, std::vector<TimeSpan>> idle_at;
  auto const starts = first_seen(pilots, records);
  std::vector<Delay> delays;
  for (PilotRecord const& dead : pilots.pilots) {
    auto const& fresh = starts.at(dead.site.index());
    if (dead.deaths.empty()) continue;
    auto const [idle, added] = idle_at.try_emplace(dead.site);
    if (added) idle->second = waits.at(dead.site.index());
    for (Seconds const& death : dead.deaths) {
      auto const other = std::ranges::upper_bound(fresh, death);
      Seconds const end = records.end_of(records.attempts[dead.attempts.front()].job);
      Seconds first = other == fresh.end() ? end : std::min(*other, end);
      for (std::size_t const i : dead.attempts) {
        Seconds const start = records.attempts[i].start;
        if (start > death) first = std::min(first, start);
      }
      bool const came = first < end;
      double const in_vain = time_within(idle->second, death, end).value();
      if (came || in_vain > 0) {
        delays.push_back({came ? (first - death).value() : in_vain, 0, !came});
      }
    }
  }
  add_replaced(pilots, records, delays);
  return delays;
}

/// sleep(1) of file_transfer.cpp, FileTransfer::Reaper and DownloadFiles: seconds.
constexpr double unlisted_wait = 1;

/// No distribution but a value, in every draw.
void add_fixed(Fit& fit, std::string const& name, double seconds, std::size_t draws) {
  add_times(fit, name, std::vector<Distribution>(draws, {Family::exponential, 1, seconds, 0}));
}

// Exponential: 1 / mean ~ Gamma(n + 1/2, sum), or around a guess if there was none.
void add_mean(Fit& fit, std::string const& name, std::string const& what,
              std::vector<Delay> const& delays, double guess, std::size_t draws,
              RandomStream stream) {
  double events = 0, sum = 0;
  for (Delay const& delay : delays) {
    sum += delay.seconds;
    events += delay.censored ? 0 : 1;
  }
  Estimate line{.name = name,
                .unit = "s",
                .events = static_cast<std::size_t>(events),
                .method = what + "; exponential, 1/mean ~ Gamma(events + 1/2, seconds)"};
  line.censored = delays.size() - line.events;
  // Waits in vain that are shorter than the guess are no evidence against it.
  if (sum <= 0 || (events == 0 && sum < guess)) {
    line.fit = fmt::format("none in the log: within a factor of four of {:.3g} s", guess);
    sum = guess;
    events = 1;
  }
  add_posterior(fit, line, stratified_draws(stream, draws, [&](double u) {
                  double const rate = gamma_quantile(1 - u, events + 0.5, 1 / sum);
                  return std::min(1 / std::max(rate, 1e-12), 100 * std::max(sum, guess));
                }));
}

/// From the claim to the program's start, without the transfers of URLs.
Fit start_fit(history::JobHistory const& history, AttemptRecords const& records, std::size_t draws,
              RandomStreams const& streams, std::optional<bool> outputs_unlisted) {
  Fit fit;
  auto const add = [&](DelayModel const& delay, std::vector<Delay> const& delays, DrawsOf what) {
    append(fit, fit_delay(delay, delays, records.tick, draws, bootstrap_stream(streams, what)));
  };
  auto setup = setups(history, records);
  if (outputs_unlisted) {
    if (*outputs_unlisted) {
      for (Delay& delay : setup) delay.known += unlisted_wait;
    }
    fit.draws.add("unlisted_wait_s", std::vector<double>(draws, unlisted_wait));
  }
  auto const plugin_start = plugin_starts(history, records);
  if (plugin_start.size() >= 3) {
    add({"plugin_start", "transfer started -> finished, less the URLs' times", 0.3}, plugin_start,
        DrawsOf::plugin_start);
  }
  if (setup.size() >= 3) {
    add({"setup", "shadow start -> executing, less the transfer", 0.3}, setup, DrawsOf::setup);
  } else {
    add_fixed(fit, "setup", 0.05 * records.tick, draws);
    fit.not_identified.push_back({"setup",
                                  "without ads it cannot be separated from the URLs' times",
                                  "counted as the URLs'"});
  }
  return fit;
}

}  // namespace

std::vector<Delay> teardowns(AttemptRecords const& records) {
  std::vector<Delay> delays;
  for (AttemptRecord const& attempt : records.attempts) {
    bool const own_end = attempt.end_kind == history::EventKind::terminated ||
                         attempt.end_kind == history::EventKind::requeued ||
                         (attempt.end_kind == history::EventKind::held && crashed(attempt));
    if (!attempt.exit || !own_end || !attempt.disconnections.empty()) continue;
    delays.push_back({(attempt.end - *attempt.exit).value(), 0, false});
  }
  return delays;
}

std::vector<Delay> checkpoints(AttemptRecords const& records) {
  return times_of(records, &AttemptRecord::stores);
}

std::vector<Delay> reconnections(AttemptRecords const& records) {
  std::vector<Delay> delays;
  auto const outages = access_point_outages(records);
  for (AttemptRecord const& attempt : records.attempts) {
    for (Disconnection const& one : attempt.disconnections) {
      if (!one.back || in_outage(outages, one.at)) continue;
      delays.push_back({(*one.back - one.at).value(), 0, false});
    }
  }
  return delays;
}

std::vector<Delay> output_tries(AttemptRecords const& records) {
  return times_of(records, &AttemptRecord::output_tries);
}

std::vector<Delay> release_delays(AttemptRecords const& records) {
  std::vector<Delay> delays;
  for (HoldRecord const& hold : records.holds) {
    Seconds const undecided = hold.by_policy.value_or(records.end_of(hold.job));
    Seconds const until = hold.released.value_or(hold.removed.value_or(undecided));
    delays.push_back({(until - hold.at).value(), 0, !hold.released && !hold.removed});
  }
  return delays;
}

// Only the job that started counts: another may be idle because nothing there is for it.
std::vector<Delay> match_delays(AttemptRecords const& records) {
  auto const idle = idle_before(records);
  Unplaced const unplaced(records);
  std::vector<AttemptRecord const*> by_start;
  for (AttemptRecord const& attempt : records.attempts) by_start.push_back(&attempt);
  std::ranges::stable_sort(by_start, [](auto a, auto b) { return a->start < b->start; });
  std::map<std::pair<std::size_t, std::uint32_t>, AttemptRecord const*> before;
  std::vector<Delay> delays;
  for (AttemptRecord const* attempt : by_start) {
    if (!attempt->site.valid() || unplaced.is_one(*attempt)) continue;
    std::size_t const site = attempt->site.index();
    auto& last = before[{site, attempt->slot}];
    AttemptRecord const* const previous = std::exchange(last, attempt);
    if (!previous || previous->end > attempt->start) continue;
    if (ended_without_contact(*previous) || shut_down(*previous)) continue;
    auto const job_idle = idle.find({attempt->job.index(), attempt->start.value()});
    bool const known = job_idle != idle.end();
    if (!known || unplaced.fits(site, previous->end, attempt->start)) continue;
    // Its job was not to be matched: the length of the cool-down is the strategy's.
    if (attempt->number > 1 && cools_down(*(attempt - 1))) continue;
    double const since = std::max(previous->end.value(), job_idle->second);
    delays.push_back({start_in_log(*attempt).value() - since, 0, false});
  }
  return delays;
}

Fit gaps_fit(history::JobHistory const& history, AttemptRecords const& records, std::size_t draws,
             RandomStreams const& streams, std::optional<bool> outputs_unlisted) {
  Fit fit;
  double const tick = records.tick;
  double const usual = usual_attempt(records).value();
  auto const add = [&](char const* name, char const* gap, double guess,
                       std::vector<Delay> const& delays, auto what) {
    append(fit,
           fit_delay({name, gap, guess}, delays, tick, draws, bootstrap_stream(streams, what)));
  };
  add("match_delay", "a free slot and an idle job -> start", 10, match_delays(records),
      DrawsOf::match_delay);
  append(fit, start_fit(history, records, draws, streams, outputs_unlisted));
  add("teardown", "exit -> the slot is free", 0.3, teardowns(records), DrawsOf::teardown);
  double const teardown = fit.estimates.back().estimate;
  add("checkpoint", "to store a checkpoint", teardown, checkpoints(records), DrawsOf::checkpoint);
  add_fixed(fit, "requeue_delay", 0.05 * tick, draws);
  fit.not_identified.push_back({"requeue_delay", "no event shows that a lost job is idle again",
                                "at once; the time until the next start is in match_delay"});
  add("reconnect_delay", "contact lost -> found again", usual / 4, reconnections(records),
      DrawsOf::reconnect_delay);
  // Tries that leave no trace: HTCondor 23.9.6 took 5 s for each in calibration/data.
  add("output_try", "to try in vain to bring files home", 5, output_tries(records),
      std::string_view("output_try"));
  add_mean(fit, "suspension_s", "suspensions", times_of(records, &AttemptRecord::suspensions),
           usual, draws, bootstrap_stream(streams, DrawsOf::suspension));
  add_mean(fit, "pilot_replacement_s", "a pilot's death -> first start on the next",
           replacements(history, records), usual, draws,
           bootstrap_stream(streams, DrawsOf::pilot_replacement));
  return fit;
}

}  // namespace gridcast::calibration
