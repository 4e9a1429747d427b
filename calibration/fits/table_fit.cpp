#include "calibration/fits/table_fit.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "calibration/inference/censored_families.hpp"
#include "sim/base/error.hpp"
#include "sim/base/random.hpp"
#include "sim/base/statistics.hpp"

namespace gridcast::calibration {

namespace {

/// A count out of trials, or of events in an exposure, and the parameter that it speaks of.
struct Counted {
  std::string name;
  DrawsOf stream;
  int events = 0;
  double of = 0;
  std::string what;  // "holds of failed transfer attempts"
};

class CountsFit {
 public:
  CountsFit(TableRecords const& records, std::size_t n_draws, RandomStreams const& streams,
            std::vector<double> const& walltime_ends)
      : records_(records),
        counts_(count_events(records)),
        evictions_(count_evictions(records)),
        n_(n_draws),
        streams_(streams) {
    for (std::size_t s = 0; s < walltime_ends.size(); ++s) {
      evictions_[s].background = walltime_ends[s] * evictions_[s].exposure;
    }
  }

  Fit run() {
    pilot_kills();
    probability(
        {"hold_on_failure", DrawsOf::hold_on_failure,
         counts_.holds_released + counts_.held_transfer,
         static_cast<double>(counts_.stalls + counts_.holds_released + counts_.held_transfer),
         "failed transfer attempts held the job"});
    same_as_last("hold_on_stall", "a table does not show who gave up: as hold_on_failure");
    probability({"spurious_404", DrawsOf::spurious_404, counts_.single_404,
                 static_cast<double>(counts_.attempts), "transfer attempts met a single 404"});
    shock("not_found",
          {"", DrawsOf::not_found_rate, 0, static_cast<double>(counts_.jobs),
           "jobs that started a first transfer"},
          counts_.not_found, DrawsOf::not_found_hits, DrawsOf::not_found_lasts);
    shock("network_down",
          {"", DrawsOf::network_down_rate, 0,
           static_cast<double>(std::max(1, counts_.executed_jobs)), "jobs that executed"},
          counts_.network_down, DrawsOf::network_down_hits, DrawsOf::network_down_lasts);
    probability({"corrupt_input", DrawsOf::corrupt_input, counts_.corrupt,
                 static_cast<double>(counts_.executions), "executions found the archive corrupt"});
    corrupt_execution();
    probability({"release_transfer_hold", DrawsOf::release_transfer, counts_.holds_released,
                 static_cast<double>(counts_.holds_released + counts_.held_transfer),
                 "holds for a failed transfer were released"});
    probability({"release_other_hold", DrawsOf::release_other, 0,
                 static_cast<double>(counts_.held_other_decisions),
                 "decisions on other holds were a release (a shock is one decision)"});
    http_abort();
    return fit_;
  }

 private:
  void add(Counted const& counted, std::string const& method,
           std::function<double(double)> const& quantile) {
    add_posterior(fit_,
                  {.name = counted.name,
                   .unit = "1",
                   .events = static_cast<std::size_t>(counted.events),
                   .method = method,
                   .origin = counted.events > 0 ? Origin::fitted : Origin::by_default},
                  stratified_draws(bootstrap_stream(streams_, counted.stream), n_, quantile));
  }

  /// Another column of the same draws.
  void same_as_last(std::string name, std::string method) {
    Estimate line = fit_.estimates.back();
    line.name = std::move(name);
    line.method = std::move(method);
    std::vector<double> draws;
    for (auto const& row : fit_.draws.rows) draws.push_back(row.back());
    fit_.draws.add(line.name, draws);
    fit_.estimates.push_back(std::move(line));
  }

  void probability(Counted const& counted) {
    double const a = counted.events + 0.5;
    double const b = counted.of - counted.events + 0.5;
    add(counted,
        fmt::format("{} of {:.0f} {}; Beta({:.1f}, {:.1f})", counted.events, counted.of,
                    counted.what, a, b),
        [&](double u) { return beta_quantile(u, a, b); });
    if (counted.of > 0) return;
    fit_.not_identified.push_back({counted.name, "nothing of the kind happened in the tables",
                                   "Jeffreys' prior, Beta(0.5, 0.5)"});
  }

  void pilot_kills() {
    std::vector<SiteCount> const& sites = evictions_;
    if (total_of(sites).exposure <= 0) {
      throw InputError(Problem{{},
                               "no job of the tables used a slot for any time",
                               "eviction rates need exposure",
                               "Give more job tables."});
    }
    PooledRate const pooled(sites);
    std::vector<std::vector<double>> draws(sites.size());
    for (std::size_t draw = 0; draw < n_; ++draw) {
      RandomStream stream = bootstrap_stream(streams_, DrawsOf::pilot_kill, 0, draw);
      std::vector<double> const rates = pooled.draw(stream);
      for (std::size_t s = 0; s < sites.size(); ++s) draws[s].push_back(rates[s]);
    }
    for (std::size_t s = 0; s < sites.size(); ++s) {
      Estimate line = site_line(
          "pilot_kill_per_s", records_.sites[s], "1/s",
          fmt::format("evictions in {:.1f} h of execution, last and retried transfers at the site; "
                      "gamma rates pooled over sites{}",
                      sites[s].exposure / 3600,
                      sites[s].background > 0
                          ? fmt::format("; {:.2g} expected of pilots that end at their walltime",
                                        sites[s].background)
                          : ""),
          static_cast<std::size_t>(sites[s].events));
      bool const elsewhere = total_of(sites).events > 0;
      if (sites[s].events <= 0) line.origin = elsewhere ? Origin::borrowed : Origin::by_default;
      add_posterior(fit_, line, draws[s]);
      if (sites[s].exposure > 0) continue;
      fit_.not_identified.push_back({line.name, "no job of the tables used a slot there",
                                     "the rates of the other sites and their spread"});
    }
  }

  void shock(std::string const& name, Counted per_start, ShockCounts const& shock,
             DrawsOf hits_stream, DrawsOf lasts_stream) {
    add_length(name, lasts_stream);
    per_start.name = name + "_per_start";
    per_start.events = shock.events;
    per_start.of -= shock.hits - shock.events;  // starts that met an event could not set one off
    double const shape = shock.events + 0.5;
    add(per_start,
        fmt::format("{} events in {:.0f} {}; Gamma({:.1f}, {:.0f}), at most 1", shock.events,
                    per_start.of, per_start.what, shape, per_start.of),
        [&](double u) { return std::min(1.0, gamma_quantile(u, shape, 1 / per_start.of)); });
    Counted const hits{name + "_mean_hits", hits_stream, shock.events, 0, ""};
    if (shock.events > 0) {
      double const further = shock.hits - shock.events + 0.5;
      add(hits,
          fmt::format("{} hits in {} events, the first and a Poisson number of further ones; "
                      "mean - 1 ~ Gamma({:.1f}, {})",
                      shock.hits, shock.events, further, shock.events),
          [&](double u) { return 1 + gamma_quantile(u, further, 1.0 / shock.events); });
      return;
    }
    double const most = std::max(2, counts_.jobs);
    add(hits, fmt::format("no event; log-uniform from 1 to {:.0f}, the number of jobs", most),
        [&](double u) { return std::exp(u * std::log(most)); });
    fit_.not_identified.push_back({hits.name, "no such event in the tables",
                                   "a weak prior, log-uniform from one job to all"});
  }

  // A table has no dates: that an event takes a number of starts, whenever they come, and that it
  // takes a time, are hypotheses of equal prior weight. The time has an upper limit: it must remain
  // likely that only jobs started side by side were hit, in a campaign that starts some three
  // attempts an hour.
  void add_length(std::string const& name, DrawsOf stream) {
    constexpr double shortest = 60, longest = 2 * 3600;  // s, of the prior
    Estimate const line{
        .name = name + "_lasts_s",
        .unit = "s",
        .method =
            "a table has no dates: for half of the draws 0, the event being counted in starts; "
            "for half log-uniform from a minute to two hours",
        .origin = Origin::by_default};
    add_posterior(fit_, line,
                  stratified_draws(bootstrap_stream(streams_, stream), n_, [](double u) {
                    return u < 0.5 ? 0 : shortest * std::pow(longest / shortest, 2 * u - 1);
                  }));
    fit_.not_identified.push_back(
        {line.name, "a table has no dates, so not whether such an event is sat out or used up",
         "both, with equal weight"});
  }

  void corrupt_execution() {
    bool const seen = counts_.corrupt > 0;
    double const center = seen ? counts_.corrupt_seconds / counts_.corrupt : 33;
    double const factor = seen ? 2 : 4;
    double const log_sd =
        std::log(factor) / ninety_percent / std::sqrt(std::max(1, counts_.corrupt));
    Estimate const line{
        .name = "corrupt_execution_s",
        .unit = "s",
        .estimate = center,
        .events = static_cast<std::size_t>(counts_.corrupt),
        .method = fmt::format(
            "mean of {} executions; lognormal, known from one execution to a factor of {:.0f} (90 %)",
            counts_.corrupt, factor),
        .origin = seen ? Origin::fitted : Origin::by_default};
    add_parameter(
        fit_, line,
        stratified_draws(bootstrap_stream(streams_, DrawsOf::corrupt_execution), n_,
                         [&](double u) { return center * std::exp(log_sd * normal_quantile(u)); }));
    if (!seen) {
      fit_.not_identified.push_back(
          {line.name, "no corrupt input in the tables",
           "33 s in the published campaign, with a factor of four either way"});
    }
  }

  void http_abort() {
    std::string const source =
        "the report's account of method 2: both attempts ended with \"Aborted due to lack of "
        "progress\"";
    Counted counted{"http_abort", DrawsOf::http_abort, 2, 2, ""};
    add(counted,
        "2 of 2 direct downloads of the published report (not in the tables); Beta(2.5, 0.5)",
        [](double u) { return beta_quantile(u, 2.5, 0.5); });
    fit_.estimates.back().origin = Origin::stated;
    fit_.not_identified.push_back({counted.name, "the tables hold no direct download", source});
  }

  TableRecords const& records_;
  EventCounts counts_;
  std::vector<SiteCount> evictions_;
  std::size_t n_;
  RandomStreams streams_;
  Fit fit_;
};

constexpr std::size_t resamples_of_table = 199;
constexpr FamilyForm gamma_form{Family::gamma, false};

/// The time of releases, at most, in all.
struct Waited {
  int holds = 0;
  double seconds = 0;
};

Waited waited(TableRecords const& records) {
  Waited all;
  for (JobRecord const& job : records.jobs) {
    if (job.holds_released == 0 || job.evictions > 0 || !job.retried_seconds) continue;
    all.holds += job.holds_released;
    all.seconds += std::max(0.0, *job.retried_seconds - mean_stall_cost * job.stalls);
  }
  return all;
}

void add_release_delay(Fit& fit, TableRecords const& records, std::size_t n_draws,
                       RandomStreams const& streams) {
  Waited const all = waited(records);
  Estimate line;
  line.name = "release_delay_mean_s";
  line.unit = "s";
  line.events = static_cast<std::size_t>(all.holds);
  RandomStream const stream = bootstrap_stream(streams, DrawsOf::release_delay);
  if (all.holds == 0 || all.seconds <= 0) {
    std::string const source = "2 h (published campaign) with a factor of four either way";
    line.method = "no released hold; lognormal around " + source;
    line.origin = Origin::by_default;
    line.estimate = 7200;
    double const log_sd = std::log(4.0) / normal_quantile(0.95);
    add_parameter(fit, line, stratified_draws(stream, n_draws, [&](double u) {
                    return 7200 * std::exp(log_sd * normal_quantile(u));
                  }));
    fit.not_identified.push_back({line.name, "no released hold in the tables", source});
    return;
  }
  line.estimate = all.seconds / all.holds;
  line.method = fmt::format(
      "exponential; {:.1f} h left of retried time after {:.0f} s a stall, over {} holds; 1/mean ~ "
      "Gamma({}, {:.1f} h); an upper bound, the failed attempt and waiting for a match are in it",
      all.seconds / 3600, mean_stall_cost, all.holds, all.holds, all.seconds / 3600);
  add_parameter(fit, line, stratified_draws(stream, n_draws, [&](double u) {
                  return 1 / gamma_quantile(u, all.holds, 1 / all.seconds);
                }));
}

/// Whole seconds; none counts as half a second.
Sample overheads(TableRecords const& records) {
  Sample sample;
  for (JobRecord const& job : records.jobs) {
    if (job.overhead) sample.push_back({std::max(0.5, *job.overhead), false});
  }
  return sample;
}

/// Gamma, in seconds.
struct Overhead {
  Distribution estimate{Family::gamma, 1, 5};
  std::string method = "assumed";
  std::string fit = {};
  std::vector<Distribution> draws = {};
};

Overhead fitted_overhead(Sample const& sample, std::size_t n_draws, RandomStreams const& streams) {
  FittedFamily best = fit_family(sample, gamma_form);
  best.weight = 1;
  GoodnessOfFit const goodness = goodness_of_fit(sample, best, resamples_of_table,
                                                 bootstrap_stream(streams, DrawsOf::overhead, 1));
  Overhead overhead{best.distribution,
                    "slot busy - execution - last transfer; gamma, maximum likelihood, weighted "
                    "likelihood bootstrap",
                    fmt::format("Anderson-Darling {:.3f}, p = {:.3f} ({} resamples)",
                                goodness.statistic, goodness.p_value, resamples_of_table)};
  for (std::size_t draw = 0; draw < n_draws; ++draw) {
    RandomStream stream = bootstrap_stream(streams, DrawsOf::overhead, 0, draw);
    overhead.draws.push_back(draw_distribution(sample, {best}, stream).distribution);
  }
  return overhead;
}

void add_overhead(Fit& fit, TableRecords const& records, std::size_t n_draws,
                  RandomStreams const& streams) {
  Sample const sample =
      with_rounding(overheads(records), 1, 3, bootstrap_stream(streams, "overhead_rounding"));
  bool const enough = sample.size() >= 5;
  Overhead overhead;
  if (enough) {
    overhead = fitted_overhead(sample, n_draws, streams);
  } else {
    overhead.draws.assign(n_draws, overhead.estimate);
  }
  auto const add = [&](std::string name, std::string unit, double Distribution::*parameter) {
    std::vector<double> values;
    for (Distribution const& draw : overhead.draws) values.push_back(draw.*parameter);
    add_parameter(fit,
                  {.name = std::move(name),
                   .unit = std::move(unit),
                   .estimate = overhead.estimate.*parameter,
                   .events = sample.size(),
                   .method = overhead.method,
                   .fit = overhead.fit,
                   .origin = enough ? Origin::fitted : Origin::by_default},
                  values);
  };
  add("overhead_shape", "1", &Distribution::shape);
  add("overhead_scale_s", "s", &Distribution::scale);
  if (enough) return;
  fit.not_identified.push_back({"overhead_shape, overhead_scale_s",
                                "fewer than five rows give slot, execution and last transfer",
                                "an assumption: exponential, 5 s"});
}

}  // namespace

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

Fit counts_fit(TableRecords const& records, std::size_t n_draws, RandomStreams const& streams,
               std::vector<double> const& walltime_ends) {
  return CountsFit(records, n_draws, streams, walltime_ends).run();
}

Fit delays_fit(TableRecords const& records, std::size_t n_draws, RandomStreams const& streams) {
  Fit fit;
  add_release_delay(fit, records, n_draws, streams);
  add_overhead(fit, records, n_draws, streams);
  return fit;
}

}  // namespace gridcast::calibration
