#include "calibration/gaps_fit.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "calibration/pilot_record.hpp"
#include "sim/base/statistics.hpp"

namespace gridcast::calibration {

namespace {

struct Span {
  double from, to;
};

/// The times at which some job was idle.
std::vector<Span> idle_times(AttemptRecords const& records) {
  std::vector<Span> spans;
  for (Waiting const& wait : records.waits) spans.push_back({wait.from.value(), wait.to.value()});
  std::sort(spans.begin(), spans.end(), [](auto& a, auto& b) { return a.from < b.from; });
  std::vector<Span> joined;
  for (Span const& span : spans) {
    if (!joined.empty() && span.from < joined.back().to) {
      joined.back().to = std::max(joined.back().to, span.to);
    } else {
      joined.push_back(span);
    }
  }
  return joined;
}

/// Since when, until `at`, some job was idle all the time; `at` itself if none.
double idle_since(std::vector<Span> const& idle, double at) {
  auto next = std::upper_bound(idle.begin(), idle.end(), at,
                               [](double t, Span const& span) { return t < span.from; });
  while (next != idle.begin()) {
    --next;
    if (next->to < at) break;
    if (next->from < at) return next->from;
  }
  return at;
}

bool lost_contact(AttemptRecord const& attempt) {
  return attempt.end_kind == history::EventKind::reconnect_failed ||
         attempt.reason == history::Reason::lost_contact ||
         attempt.reason == history::Reason::pilot_ended;
}

using AttemptKey = std::pair<std::size_t, std::uint32_t>;

// Shadow start -> executing, less what the ads give for the URLs.
std::vector<Delay> setups(history::JobHistory const& history, AttemptRecords const& records) {
  std::map<AttemptKey, double> urls;
  for (history::UrlTransfer const& transfer : history.transfers) {
    if (transfer.upload || !transfer.succeeded || transfer.duration.value() <= 0) continue;
    urls[{transfer.job.index(), transfer.attempt}] += transfer.duration.value();
  }
  std::vector<Delay> delays;
  for (AttemptRecord const& attempt : records.attempts) {
    auto const known = urls.find({attempt.job.index(), attempt.number});
    if (!attempt.executing || known == urls.end()) continue;
    delays.push_back({(*attempt.executing - attempt.start).value(), known->second, false});
  }
  return delays;
}

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
  std::vector<Delay> delays;
  for (AttemptRecord const& attempt : records.attempts) {
    for (Seconds const& store : attempt.stores) delays.push_back({store.value(), 0, false});
  }
  return delays;
}

std::vector<Delay> reconnections(AttemptRecords const& records) {
  std::vector<Delay> delays;
  for (AttemptRecord const& attempt : records.attempts) {
    for (Disconnection const& one : attempt.disconnections) {
      if (one.back) delays.push_back({(*one.back - one.at).value(), 0, false});
    }
  }
  return delays;
}

std::vector<Delay> suspensions(AttemptRecords const& records) {
  std::vector<Delay> delays;
  for (AttemptRecord const& attempt : records.attempts) {
    for (Seconds const& time : attempt.suspensions) delays.push_back({time.value(), 0, false});
  }
  return delays;
}

// From a death to the first start on a pilot that was not there before.
std::vector<Delay> replacements(history::JobHistory const& history, AttemptRecords const& records) {
  PilotRecords const pilots = make_pilot_records(history, records);
  std::vector<Delay> delays;
  for (PilotRecord const& dead : pilots.pilots) {
    for (Seconds const& death : dead.deaths) {
      double first = records.end.value();
      for (PilotRecord const& other : pilots.pilots) {
        if (other.site != dead.site) continue;
        for (std::size_t const i : other.attempts) {
          double const start = records.attempts[i].start.value();
          bool const fresh = &other == &dead || i == other.attempts.front();
          if (fresh && start > death.value()) first = std::min(first, start);
        }
      }
      delays.push_back({first - death.value(), 0, first >= records.end.value()});
    }
  }
  return delays;
}

// What is not seen is taken to last about as long as an attempt does.
double usual_attempt(AttemptRecords const& records) {
  std::vector<double> claimed;
  for (AttemptRecord const& attempt : records.attempts) {
    claimed.push_back(attempt.claimed().value());
  }
  return std::max(median(claimed), records.tick);
}

std::vector<double> filled(std::size_t draws, double value) {
  return std::vector<double>(draws, value);
}

void add_fixed(Fit& fit, std::string const& name, double seconds, std::size_t draws) {
  fit.draws.add(name + "_family", filled(draws, static_cast<double>(Family::exponential)));
  fit.draws.add(name + "_shape", filled(draws, 1));
  fit.draws.add(name + "_scale_s", filled(draws, seconds));
  fit.draws.add(name + "_shift_s", filled(draws, 0));
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
  Estimate line;
  line.name = name;
  line.unit = "s";
  line.method = what + "; exponential, 1/mean ~ Gamma(events + 1/2, seconds)";
  line.events = static_cast<std::size_t>(events);
  line.censored = delays.size() - line.events;
  if (sum <= 0) {
    line.fit = fmt::format("none in the log: within a factor of four of {:.3g} s", guess);
    sum = guess;
    events = 1;
  }
  add_posterior(fit, line, stratified_draws(stream, draws, [&](double u) {
                  double const rate = gamma_quantile(1 - u, events + 0.5, 1 / sum);
                  return std::min(1 / std::max(rate, 1e-12), 100 * std::max(sum, guess));
                }));
}

}  // namespace

std::vector<Delay> match_delays(AttemptRecords const& records) {
  auto const idle = idle_times(records);
  std::vector<AttemptRecord const*> by_start;
  for (AttemptRecord const& attempt : records.attempts) by_start.push_back(&attempt);
  std::stable_sort(by_start.begin(), by_start.end(),
                   [](auto a, auto b) { return a->start < b->start; });
  std::map<std::pair<std::size_t, std::uint32_t>, AttemptRecord const*> before;
  std::vector<Delay> delays;
  for (AttemptRecord const* attempt : by_start) {
    if (!attempt->site.valid()) continue;
    auto& last = before[{attempt->site.index(), attempt->slot}];
    AttemptRecord const* const previous = std::exchange(last, attempt);
    if (!previous || lost_contact(*previous) || previous->end > attempt->start) continue;
    double const start = attempt->start.value();
    double const since = std::max(previous->end.value(), idle_since(idle, start));
    delays.push_back({start - since, 0, false});
  }
  return delays;
}

Fit gaps_fit(history::JobHistory const& history, AttemptRecords const& records, std::size_t draws,
             RandomStreams const& streams) {
  Fit fit;
  double const tick = records.tick;
  double const usual = usual_attempt(records);
  auto const add = [&](DelayModel const& model, std::vector<Delay> const& delays, DrawsOf what) {
    append(fit, fit_delay(model, delays, tick, draws, bootstrap_stream(streams, what)));
  };
  // Gamma: of the families, the one whose likelihood keeps the mean of the data, which is what gaps
  // do to a makespan.
  add({"match_delay", "a free slot and an idle job -> start", false, 10, 0, {Family::gamma}},
      match_delays(records), DrawsOf::match_delay);
  auto const setup = setups(history, records);
  if (setup.size() >= 3) {
    add({"setup",
         "shadow start -> executing, less the URLs' times",
         false,
         0.3,
         0,
         {Family::gamma}},
        setup, DrawsOf::setup);
  } else {
    add_fixed(fit, "setup", 0.05 * tick, draws);
    fit.not_identified.push_back(
        {"setup", "without ads it cannot be told from the URLs' times", "counted as the URLs'"});
  }
  add({"teardown", "exit -> the slot is free", false, 0.3, 0, {Family::gamma}}, teardowns(records),
      DrawsOf::teardown);
  add({"checkpoint", "to store a checkpoint", false, 0.3, 0, {Family::gamma}}, checkpoints(records),
      DrawsOf::checkpoint);
  add_fixed(fit, "requeue_delay", 0.05 * tick, draws);
  fit.not_identified.push_back({"requeue_delay", "no event tells that a lost job is idle again",
                                "at once; what it takes until the next start is in match_delay"});
  add({"reconnect_delay", "contact lost -> found again", false, usual / 4, 0, {Family::gamma}},
      reconnections(records), DrawsOf::reconnect_delay);
  add_mean(fit, "suspension_s", "suspensions", suspensions(records), usual, draws,
           bootstrap_stream(streams, DrawsOf::suspension));
  add_mean(fit, "pilot_replacement_s", "a pilot's death -> first start on the next",
           replacements(history, records), usual, draws,
           bootstrap_stream(streams, DrawsOf::pilot_replacement));
  return fit;
}

}  // namespace gridcast::calibration
