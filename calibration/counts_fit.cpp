#include "calibration/counts_fit.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>

#include <fmt/format.h>

#include "calibration/posterior.hpp"
#include "sim/base/distribution.hpp"
#include "sim/base/error.hpp"

namespace gridcast::calibration {
namespace {

constexpr double ninety_percent = 1.6449;  // standard deviations either way

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
  CountsFit(Records const& records, std::size_t n_draws, RandomStreams const& streams)
      : records_(records), counts_(count_events(records)), n_(n_draws), streams_(streams) {}

  Fit run();

 private:
  void add(Counted const& counted, std::string const& method,
           std::function<double(double)> const& quantile);
  void probability(Counted const& counted);
  void pilot_kills();
  void shock(std::string const& name, Counted per_start, ShockCounts const& shock,
             DrawsOf hits_stream);
  void corrupt_execution();
  void http_abort();

  Records const& records_;
  EventCounts counts_;
  std::size_t n_;
  RandomStreams streams_;
  Fit fit_;
};

void CountsFit::add(Counted const& counted, std::string const& method,
                    std::function<double(double)> const& quantile) {
  Estimate line;
  line.name = counted.name;
  line.unit = "1";
  line.events = static_cast<std::size_t>(counted.events);
  line.method = method;
  add_posterior(fit_, line,
                stratified_draws(bootstrap_stream(streams_, counted.stream), n_, quantile));
}

void CountsFit::probability(Counted const& counted) {
  double const a = counted.events + 0.5;
  double const b = counted.of - counted.events + 0.5;
  add(counted,
      fmt::format("{} of {:.0f} {}; Beta({:.1f}, {:.1f})", counted.events, counted.of, counted.what,
                  a, b),
      [&](double u) { return beta_quantile(u, a, b); });
  if (counted.of > 0) return;
  fit_.not_identified.push_back({counted.name, "nothing of the kind happened in the tables",
                                 "Jeffreys' prior, Beta(0.5, 0.5)"});
}

void CountsFit::pilot_kills() {
  std::vector<SiteCount> const sites = count_evictions(records_);
  double const exposure =
      std::accumulate(sites.begin(), sites.end(), 0.0,
                      [](double sum, auto const& site) { return sum + site.exposure; });
  if (exposure <= 0) {
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
    Estimate line;
    line.name = "pilot_kill_per_s." + records_.sites[s];
    line.unit = "1/s";
    line.events = static_cast<std::size_t>(sites[s].events);
    line.method = fmt::format(
        "evictions in {:.1f} h of execution, last and retried transfers at the site; "
        "gamma rates pooled over sites",
        sites[s].exposure / 3600);
    add_posterior(fit_, line, draws[s]);
    if (sites[s].exposure > 0) continue;
    fit_.not_identified.push_back({line.name, "no job of the tables used a slot there",
                                   "the rates of the other sites and their spread"});
  }
}

void CountsFit::shock(std::string const& name, Counted per_start, ShockCounts const& shock,
                      DrawsOf hits_stream) {
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
  fit_.not_identified.push_back(
      {hits.name, "no such event in the tables", "a weak prior, log-uniform from one job to all"});
}

void CountsFit::corrupt_execution() {
  bool const seen = counts_.corrupt > 0;
  double const center = seen ? counts_.corrupt_seconds / counts_.corrupt : 33;
  double const factor = seen ? 2 : 4;
  double const log_sd = std::log(factor) / ninety_percent / std::sqrt(std::max(1, counts_.corrupt));
  Estimate line;
  line.name = "corrupt_execution_s";
  line.unit = "s";
  line.estimate = center;
  line.events = static_cast<std::size_t>(counts_.corrupt);
  line.method = fmt::format(
      "mean of {} executions; lognormal, one execution tells it to a factor of {:.0f} (90 %)",
      counts_.corrupt, factor);
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

void CountsFit::http_abort() {
  std::string const source =
      "the report's account of method 2: both attempts ended with \"Aborted due to lack of "
      "progress\"";
  Counted counted{"http_abort", DrawsOf::http_abort, 2, 2, ""};
  add(counted,
      "2 of 2 direct downloads of the published report (not in the tables); Beta(2.5, 0.5)",
      [](double u) { return beta_quantile(u, 2.5, 0.5); });
  fit_.not_identified.push_back({counted.name, "the tables hold no direct download", source});
}

Fit CountsFit::run() {
  pilot_kills();
  probability({"hold_on_failure", DrawsOf::hold_on_failure,
               counts_.holds_released + counts_.held_transfer,
               static_cast<double>(counts_.stalls + counts_.holds_released + counts_.held_transfer),
               "failed transfer attempts held the job"});
  probability({"spurious_404", DrawsOf::spurious_404, counts_.single_404,
               static_cast<double>(counts_.attempts), "transfer attempts met a single 404"});
  shock("not_found",
        {"", DrawsOf::not_found_rate, 0, static_cast<double>(counts_.jobs),
         "jobs that started a first transfer"},
        counts_.not_found, DrawsOf::not_found_hits);
  shock("network_down",
        {"", DrawsOf::network_down_rate, 0, static_cast<double>(std::max(1, counts_.executed_jobs)),
         "jobs that executed"},
        counts_.network_down, DrawsOf::network_down_hits);
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

}  // namespace

Fit counts_fit(Records const& records, std::size_t n_draws, RandomStreams const& streams) {
  return CountsFit(records, n_draws, streams).run();
}

}  // namespace gridcast::calibration
