#include "calibration/epoch_fit.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "calibration/between_sites.hpp"
#include "calibration/posterior.hpp"
#include "sim/base/error.hpp"
#include "sim/base/statistics.hpp"

namespace gridcast::calibration {
namespace {

/// Index into records.sites; their number for "none".
std::size_t site_index(Records const& records, std::string const& site) {
  std::size_t s = 0;
  while (s < records.sites.size() && records.sites[s] != site) ++s;
  return s;
}

double log_median(Distribution const& distribution) { return std::log(distribution.quantile(0.5)); }

Distribution scaled(Distribution distribution, double factor) {
  distribution.scale *= factor;
  distribution.shift *= factor;
  return distribution;
}

/// What sites without a fit of their own can borrow from.
struct Donors {
  std::vector<std::vector<FittedFamily>> draws;  // one list a donor
  std::vector<double> log_medians;
  std::vector<double> variances;

  void add(std::vector<FittedFamily> const& of_site) {
    std::vector<double> logs;
    logs.reserve(of_site.size());
    for (FittedFamily const& draw : of_site) logs.push_back(log_median(draw.distribution));
    draws.push_back(of_site);
    log_medians.push_back(mean(logs));
    variances.push_back(variance(logs));
  }
};

/// The distribution moved to a median for another site: one of many drawn from the spread between
/// sites, chosen by the likelihood of what was seen at that site (importance resampling).
Distribution rescaled(Distribution const& shape, SiteSpread const& sites, Sample const& seen,
                      RandomStream& stream) {
  constexpr int candidates = 1000;
  std::vector<double> factors;
  std::vector<double> weights;
  for (int i = 0; i < candidates; ++i) {
    factors.push_back(std::exp(sites.draw_site(stream) - log_median(shape)));
    weights.push_back(log_likelihood(seen, scaled(shape, factors.back())));
  }
  double const best = *std::max_element(weights.begin(), weights.end());
  double sum = 0;
  for (double& weight : weights) {
    // Where the shape can make nothing of what was seen, all candidates are as good.
    weight = std::isfinite(best) ? std::exp(weight - best) : 1;
    sum += weight;
  }
  double u = stream.uniform() * sum;
  std::size_t chosen = 0;
  while (chosen + 1 < weights.size() && u >= weights[chosen]) u -= weights[chosen++];
  return scaled(shape, factors[chosen]);
}

class EpochFit {
 public:
  EpochFit(Records const& records, UnpackFit const& unpack, int epochs, std::size_t n_draws,
           RandomStreams const& streams)
      : records_(records), unpack_(unpack), epochs_(epochs), n_draws_(n_draws), streams_(streams) {}

  std::vector<SiteEpochs> run() const;

 private:
  /// Executions at site s, or at all for s = number of sites; unpack by its estimate or by a draw.
  Sample sample(std::size_t s, std::size_t const* draw) const;
  /// Executions at site s (all for s = number of sites) fitted on their own.
  SiteEpochs own(std::size_t s) const;
  void borrow(SiteEpochs& site, std::size_t s, Donors const& donors) const;

  Records const& records_;
  UnpackFit const& unpack_;
  int epochs_;
  std::size_t n_draws_;
  RandomStreams const& streams_;
};

Sample EpochFit::sample(std::size_t s, std::size_t const* draw) const {
  Sample sample;
  for (ExecutionRecord const& execution : records_.executions) {
    std::size_t const at = site_index(records_, execution.site);
    if (at == records_.sites.size() || (s != at && s != records_.sites.size())) continue;
    SiteUnpack const& unpack = unpack_.sites[at];
    double const before = draw == nullptr ? unpack.estimate : unpack.draws[*draw];
    // Who was cut short while unpacking says nothing of epochs.
    if (execution.seconds <= before) continue;
    sample.push_back({(execution.seconds - before) / epochs_, execution.censored()});
  }
  return sample;
}

SiteEpochs EpochFit::own(std::size_t s) const {
  SiteEpochs site;
  site.sample = sample(s, nullptr);
  site.events = count_events(site.sample);
  site.censored = site.sample.size() - site.events;
  if (site.events < enough_executions) return site;
  site.fits = fit_families(site.sample);
  for (std::size_t draw = 0; draw < n_draws_; ++draw) {
    RandomStream stream = bootstrap_stream(streams_, DrawsOf::epoch_time, s, draw);
    site.draws.push_back(draw_distribution(sample(s, &draw), site.fits, stream));
  }
  return site;
}

void EpochFit::borrow(SiteEpochs& site, std::size_t s, Donors const& donors) const {
  SiteSpread const spread(donors.log_medians, donors.variances);
  for (std::size_t draw = 0; draw < n_draws_; ++draw) {
    RandomStream stream = bootstrap_stream(streams_, DrawsOf::between_sites, s, draw);
    auto const donor = stream.below(static_cast<std::uint32_t>(donors.draws.size()));
    FittedFamily borrowed = donors.draws[donor][draw];
    borrowed.distribution = rescaled(borrowed.distribution, spread, sample(s, &draw), stream);
    site.draws.push_back(borrowed);
  }
}

std::vector<SiteEpochs> EpochFit::run() const {
  std::vector<SiteEpochs> sites;
  Donors donors;
  for (std::size_t s = 0; s < records_.sites.size(); ++s) {
    sites.push_back(own(s));
    if (!sites.back().fits.empty()) donors.add(sites.back().draws);
  }
  if (donors.draws.empty()) donors.add(own(records_.sites.size()).draws);
  for (std::size_t s = 0; s < sites.size(); ++s) {
    if (sites[s].fits.empty()) borrow(sites[s], s, donors);
  }
  return sites;
}

}  // namespace

std::vector<SiteEpochs> fit_epochs(Records const& records, UnpackFit const& unpack, int epochs,
                                   std::size_t n_draws, RandomStreams const& streams) {
  std::size_t completed = 0;
  for (ExecutionRecord const& execution : records.executions) {
    if (!execution.censored() && site_index(records, execution.site) < records.sites.size()) {
      ++completed;
    }
  }
  if (completed < enough_executions) {
    throw InputError(Problem{{},
                             "only " + std::to_string(completed) + " executions were completed",
                             "the time an epoch is fitted to five or more",
                             "Give more job tables."});
  }
  return EpochFit(records, unpack, epochs, n_draws, streams).run();
}

}  // namespace gridcast::calibration
