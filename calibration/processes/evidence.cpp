#include "calibration/processes/evidence.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/base/statistics.hpp"

namespace gridcast::calibration {
namespace {

// A table has no dates: that an event takes a number of starts, whenever they come, and that it
// takes a time, are hypotheses of equal prior weight. The time has an upper limit: it must remain
// likely that only jobs started side by side were hit, in a campaign that starts some three
// attempts an hour.
void add_length(Fit& fit, TableEvidence const& evidence, std::string const& name, DrawsOf stream) {
  constexpr double shortest = 60, longest = 2 * 3600;  // s, of the prior
  Estimate const line{
      .name = name + "_lasts_s",
      .unit = "s",
      .method =
          "a table has no dates: for half of the draws 0, the event being counted in starts; "
          "for half log-uniform from a minute to two hours",
      .origin = Origin::by_default};
  add_posterior(
      fit, line,
      stratified_draws(bootstrap_stream(evidence.streams, stream), evidence.draws, [](double u) {
        return u < 0.5 ? 0 : shortest * std::pow(longest / shortest, 2 * u - 1);
      }));
  fit.not_identified.push_back(
      {line.name, "a table has no dates, so not whether such an event is sat out or used up",
       "both, with equal weight"});
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

TableEvidence::TableEvidence(TableRecords const& of, std::size_t number,
                             RandomStreams const& random, std::vector<double> const& walltime_ends)
    : records(of),
      counts(count_events(of)),
      evictions(count_evictions(of)),
      draws(number),
      streams(random) {
  for (std::size_t s = 0; s < walltime_ends.size(); ++s) {
    evictions[s].background = walltime_ends[s] * evictions[s].exposure;
  }
}

std::vector<SiteCount> count_evictions(TableRecords const& records) {
  std::vector<SiteCount> sites(records.sites.size());
  auto const at = [&](std::string const& site) -> SiteCount& {
    auto const found = std::find(records.sites.begin(), records.sites.end(), site);
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
  add_length(fit, evidence, shock.name, shock.lasts);
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
