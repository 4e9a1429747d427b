// The density of a view's links (flow_fit.hpp): the priors and the tries' likelihood for the links
// of all sites, and for the values common to sites, in the form that a sampler needs: after a
// change of one coordinate, the terms that it changes.
#pragma once

#include <cstddef>
#include <vector>

#include "calibration/fits/flow_fit.hpp"
#include "calibration/inference/partial_pooling.hpp"

namespace gridcast::calibration {

inline constexpr double usual_log_stream = 18.42;  // ln 1e8

/// Priors of the centres and spreads of streams, latencies and sigmas of all sites.
inline constexpr CommonPrior stream_prior{usual_log_stream, 3, 1}, latency_prior{0, 4, 1},
    sigma_prior{-0.7, 1, 0.5};

/// Coordinates of a site, each a logarithm, then those that all sites share: spreads are
/// logarithms.
enum SiteCoordinate : std::size_t { stream_at, sigma_at, capacity_at, latency_at, per_site };
enum Shared : std::size_t {
  stream_centre,
  stream_spread,
  latency_centre,
  latency_spread,
  sigma_centre,
  sigma_spread,
  share_at,
  shared_count
};

/// The law of the site whose coordinates begin there.
FlowLaw flow_law_of(std::vector<double> const& x, std::size_t first);

/// ln of N(x; centre, exp(log_spread)^2), without its constant.
double log_normal_term(double x, double centre, double log_spread);

/// A try and how many others are the same.
struct CountedTry {
  FlowTry flow;
  double times = 1;
  std::vector<std::size_t> places;  // theirs among the site's tries
};

class FlowDensity {
 public:
  /// `capacities` must outlive it.
  FlowDensity(std::vector<std::vector<FlowTry>> const& tries, CutView view,
              std::vector<CapacityPrior> const& capacities);

  std::size_t sites() const { return sites_.size(); }
  std::size_t shared(Shared what) const { return per_site * sites_.size() + what; }
  /// Stands for all sites' streams, capacities and latencies; the common centre and spread of
  /// streams and latencies are integrated out of the density.
  std::size_t ridge() const { return shared(shared_count); }
  std::vector<double> of_sites(std::vector<double> const& x, SiteCoordinate what) const;

  /// ln of the density, without the terms that the changed coordinate does not change.
  double operator()(std::vector<double> const& x, std::size_t changed) const;
  double site_prior(std::vector<double> const& x, std::size_t s) const;
  /// Log likelihood of a site's tries; `share` is the part of its need that a failed one took.
  double likelihood(FlowLaw const& law, double share, std::size_t s) const {
    return log_failed(law, share, s) + log_others(law, s);
  }
  /// Which of the tries it was given are in it.
  void mark(std::vector<std::vector<FlowTry>>& tries) const;
  /// The integrated-out values, from their distribution given the sites.
  void redraw_common(std::vector<double>& x, RandomStream& stream) const;

 private:
  double log_failed(FlowLaw const& law, double share, std::size_t s) const;
  double log_others(FlowLaw const& law, std::size_t s) const;
  double along_ridge(std::vector<double> const& x) const;
  double shared_prior(std::vector<double> const& x) const;

  CutView view_;
  std::vector<CapacityPrior> const& capacities_;
  std::vector<std::vector<CountedTry>> sites_;
};

}  // namespace gridcast::calibration
