#include "calibration/processes/evidence.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/base/statistics.hpp"

namespace gridcast::calibration {
namespace {

constexpr double shortest = 60, longest = 2 * 3600;  // s, of the prior of L
constexpr int length_points = 2000;                  // of a grid

/// Values at the middles of equal parts of the range of logarithms.
std::vector<double> log_grid(double low, double high) {
  std::vector<double> grid;
  for (int i = 0; i < length_points; ++i)
    grid.push_back(low * std::pow(high / low, (i + 0.5) / length_points));
  return grid;
}

// Logarithms of the likelihoods: of many events both are below the smallest double.

// E events with K further hits: K ~ Poisson(E m).
double log_in_starts(HitStarts const& hits, double mean) {
  if (hits.events == 0) return 0;
  double const expected = hits.events * mean;
  return hits.further * std::log(expected) - expected - std::lgamma(hits.further + 1.0);
}

// P(K) = C(K + E - 1, K) q^K (1 - q)^E.
double log_in_time(HitStarts const& hits, double seconds) {
  if (hits.events == 0) return 0;
  double const starts = hits.starts_per_second * seconds;
  double const ways = std::lgamma(hits.further + hits.events) - std::lgamma(hits.events) -
                      std::lgamma(hits.further + 1.0);
  double const hit = hits.further > 0 ? hits.further * std::log(starts / (1 + starts)) : 0;
  return ways + hit - hits.events * std::log1p(starts);
}

void add_length(Fit& fit, TableEvidence const& evidence, TableShock const& shock) {
  ShockCounts const& counts = shock.counts;
  bool const pace_known = counts.events > 0 && shock.starts_per_second;
  HitStarts hits{.jobs = evidence.counts.jobs};
  if (pace_known) {
    hits = {counts.events, counts.hits - counts.events, *shock.starts_per_second, hits.jobs};
  }
  EventLength const length(hits);
  double const in_starts = 1 - length.in_time();
  Estimate const line{
      .name = shock.name + "_lasts_s",
      .unit = "s",
      .events = static_cast<std::size_t>(pace_known ? counts.events : 0),
      .method = fmt::format(
          "a table has no dates: for {:.0f} % of the draws 0, the event being counted in starts; "
          "for the others a time, log-uniform from a minute to two hours{}",
          100 * in_starts,
          pace_known ? fmt::format(" before {} hits at {:.2g} starts a second were seen",
                                   counts.hits, *shock.starts_per_second)
                     : ""),
      .origin = pace_known ? Origin::fitted : Origin::by_default};
  add_posterior(fit, line,
                stratified_draws(bootstrap_stream(evidence.streams, shock.lasts), evidence.draws,
                                 [&](double u) {
                                   if (u < in_starts) return 0.0;
                                   return length.quantile((u - in_starts) / length.in_time());
                                 }));
  fit.not_identified.push_back(
      {line.name, "a table has no dates, so not whether such an event is sat out or used up",
       fmt::format("both, with the weights {:.2f} and {:.2f}", length.in_time(), in_starts)});
}

void add_mean_hits(Fit& fit, TableEvidence const& evidence, TableCount const& hits,
                   ShockCounts const& shock) {
  if (shock.events > 0) {
    double const further = shock.hits - shock.events + 0.5;
    add_table_posterior(
        fit, evidence, hits,
        fmt::format("{} hits in {} events, the first and a Poisson number of further ones; "
                    "mean - 1 ~ Gamma({:.1f}, {})",
                    shock.hits, shock.events, further, shock.events),
        [&](double u) { return 1 + gamma_quantile(u, further, 1.0 / shock.events); });
    return;
  }
  double const most = std::max(2, evidence.counts.jobs);
  add_table_posterior(
      fit, evidence, hits,
      fmt::format("no event; log-uniform from 1 to {:.0f}, the number of jobs", most),
      [&](double u) { return std::exp(u * std::log(most)); });
  fit.not_identified.push_back(
      {hits.name, "no such event in the tables", "a weak prior, log-uniform from one job to all"});
}

}  // namespace

EventLength::EventLength(HitStarts const& hits) : seconds_(log_grid(shortest, longest)) {
  std::vector<double> starts_logs, time_logs;
  for (double const mean : log_grid(1, std::max(2, hits.jobs))) {
    starts_logs.push_back(log_in_starts(hits, mean));
  }
  for (double const seconds : seconds_) time_logs.push_back(log_in_time(hits, seconds));
  double const largest =
      std::max(*std::ranges::max_element(starts_logs), *std::ranges::max_element(time_logs));
  double in_starts = 0, in_time = 0;
  for (double const log : starts_logs) in_starts += std::exp(log - largest);
  for (double const log : time_logs) {
    in_time += std::exp(log - largest);
    below_.push_back(in_time);
  }
  in_time_ = in_time / (in_time + in_starts);
  for (double& below : below_) below /= in_time > 0 ? in_time : 1;
}

double EventLength::quantile(double probability) const {
  auto const at = std::ranges::lower_bound(below_, probability);
  auto const last = static_cast<std::ptrdiff_t>(seconds_.size()) - 1;
  return seconds_[static_cast<std::size_t>(std::min(at - below_.begin(), last))];
}

TableEvidence::TableEvidence(TableRecords const& of, std::size_t number,
                             RandomStreams const& random, double failing_starts,
                             std::vector<double> const& walltime_ends)
    : records(of),
      counts(count_events(of)),
      evictions(count_evictions(of)),
      draws(number),
      streams(random),
      failing_starts_per_second(failing_starts) {
  for (std::size_t s = 0; s < walltime_ends.size(); ++s) {
    evictions[s].background = walltime_ends[s] * evictions[s].exposure;
  }
}

std::vector<SiteCount> count_evictions(TableRecords const& records) {
  std::vector<SiteCount> sites(records.sites.size());
  auto const at = [&](std::string const& site) -> SiteCount& {
    auto const found = std::ranges::find(records.sites, site);
    return sites[static_cast<std::size_t>(found - records.sites.begin())];
  };
  auto const known = [](std::string const& site) { return !site.empty(); };
  for (JobRecord const& job : records.jobs) {
    for (std::string const& site : job.evicted_at) at(site).events += 1;
    if (known(job.last_site) && job.last_transfer) at(job.last_site).exposure += *job.last_transfer;
    for (std::string const& site : job.retried_at) {
      double const share = 1 / static_cast<double>(job.retried_at.size());
      if (job.retried_seconds) at(site).exposure += share * *job.retried_seconds;
    }
  }
  for (ExecutionRecord const& execution : records.executions) {
    // Evicted executions lie within the retried time.
    if (execution.end == ExecutionEnd::evicted || !known(execution.site)) continue;
    at(execution.site).exposure += execution.seconds;
  }
  for (WrongOutputRecord const& execution : records.wrong_outputs) {
    if (known(execution.site)) at(execution.site).exposure += execution.seconds;
  }
  return sites;
}

void add_table_posterior(Fit& fit, TableEvidence const& evidence, TableCount const& count,
                         std::string const& method, std::function<double(double)> const& quantile) {
  add_posterior(
      fit,
      {.name = count.name,
       .unit = "1",
       .events = static_cast<std::size_t>(count.events),
       .method = method,
       .origin = count.events > 0 ? Origin::fitted : Origin::by_default},
      stratified_draws(bootstrap_stream(evidence.streams, count.stream), evidence.draws, quantile));
}

void add_probability(Fit& fit, TableEvidence const& evidence, TableCount const& count) {
  double const a = count.events + 0.5;
  double const b = count.of - count.events + 0.5;
  add_table_posterior(fit, evidence, count,
                      fmt::format("{} of {:.0f} {}; Beta({:.1f}, {:.1f})", count.events, count.of,
                                  count.trials, a, b),
                      [&](double u) { return beta_quantile(u, a, b); });
  if (count.of > 0) return;
  fit.not_identified.push_back({count.name, "nothing of the kind happened in the tables",
                                "Jeffreys' prior, Beta(0.5, 0.5)"});
}

void add_shock(Fit& fit, TableEvidence const& evidence, TableShock const& shock) {
  add_length(fit, evidence, shock);
  int const events = shock.counts.events;
  // Starts that met an event could not set one off.
  double const starts = shock.starts - (shock.counts.hits - events);
  double const shape = events + 0.5;
  add_table_posterior(
      fit, evidence, {shock.name + "_per_start", shock.rate, events, starts, ""},
      fmt::format("{} events in {:.0f} {}; Gamma({:.1f}, {:.0f}), at most 1", events, starts,
                  shock.trials, shape, starts),
      [&](double u) { return std::min(1.0, gamma_quantile(u, shape, 1 / starts)); });
  add_mean_hits(fit, evidence, {shock.name + "_mean_hits", shock.hits, events, 0, ""},
                shock.counts);
}

LogEvidence evidence_of(Part const& part, LogEvidence const& whole) {
  return {.history = whole.history,
          .records = part.records,
          .typical_times = whole.typical_times,
          .input = whole.input,
          .draws = whole.draws,
          .streams = whole.streams,
          .span = part.span};
}

void add_counts(Fit& fit, LogEvidence const& evidence, PooledAs kind, char const* parameter,
                char const* method, std::vector<SiteCount> const& counts, RandomStream stream,
                double beforehand) {
  auto const attempts = static_cast<double>(evidence.records.attempts.size());
  double const chances = kind == PooledAs::share ? total_of(counts).exposure : attempts;
  add_pooled(fit, kind, parameter, method, evidence.sites(), counts, {chances, beforehand},
             evidence.draws, stream);
}

void add_jobs_over(Fit& fit, LogEvidence const& evidence, char const* parameter, char const* events,
                   bool (*is_one)(AttemptRecord const&), bool (*is_over)(AttemptRecord const&)) {
  SiteCount over;
  for (AttemptRecord const& attempt : evidence.records.attempts) {
    if (!attempt.site.valid() || !is_one(attempt)) continue;
    over.exposure += 1;
    over.events += is_over(attempt) ? 1 : 0;
  }
  if (over.events <= 0) return;
  Estimate const share{.name = parameter,
                       .unit = "1",
                       .events = static_cast<std::size_t>(over.events),
                       .method = fmt::format("{} after which the job was over / all: {} / {}; Beta",
                                             events, over.events, over.exposure)};
  add_beta(fit, share, over.events, over.exposure - over.events, evidence.draws,
           bootstrap_stream(evidence.streams, share.name));
}

bool ended_job(AttemptRecord const& attempt) { return attempt.ended_job; }

}  // namespace gridcast::calibration
