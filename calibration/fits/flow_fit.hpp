// Posterior of the links' parameters (FlowLaw) from input transfers whose neighbours are known.
// Sites are partially pooled (Gelman et al., Bayesian Data Analysis, ch. 5):
//   ln S_s ~ N(M, tau_M^2), M ~ N(ln 100 MB/s, 3^2);      ln latency_s ~ N(K, tau_K^2), K ~ N(0,
//                                                         4^2)
//   ln sigma_s ~ N(L, tau_L^2), L ~ N(-0.7, 1);           tau_M, tau_K half-normal(1), tau_L (1/2)
//   C_s / S_s log-uniform, from 1/20 to four times as many streams as were ever seen together there
// Thus a capacity that nothing came near keeps the lower bound that the transfers seen together
// needed, and above it its prior. The likelihood of the known facts of a try:
//   arrived                    density of its duration, or probability of its stamps
//   cut by an eviction         it would have taken longer, or was dead
//   ended by the stall timer   the same
//   failed                     took the share `url_failed_after` of its need, prior Beta(2,
//                              2)
//
// If a site has more than 600 tries, so many, evenly chosen, are in the likelihood. There are fewer
// where there are more than five sites (3,000 in all, 100 at a site at least, as sites are evidence
// on one another), and where tries have more than 20 pieces each, as 12,000 pieces at a site are
// sufficient (60 at least).
//
// If sizes hardly differ and no ad has the time of the first byte, latency and bytes are almost
// impossible to separate: draws then go all the way from the one to the other, at each site and at
// all together, with the common values of sites integrated out on the way (flow_fit.cpp).
//
// How dead and healthy divide among the cut ones is the outages' part (outage_fit.hpp). A view is
// an assumption about them here: the weight of dead ones, and the load on their link. Slow ones
// take a full share (A-SLOW-SHARE); where nothing is slow a cut one took its share if it was
// healthy, and loads its link with that probability.
#pragma once

#include <cstddef>
#include <vector>

#include "calibration/fits/estimate.hpp"
#include "calibration/fits/flow_law.hpp"
#include "calibration/records/transfer_record.hpp"

namespace gridcast::calibration {

/// Uniform prior of the logarithm of a link's capacity over its stream limit.
struct CapacityPrior {
  double log_low = 0, log_high = 1;

  double width() const { return log_high - log_low; }
};

struct FlowPosterior {
  CutView view = CutView::healthy;
  std::vector<std::vector<FlowTry>> tries;  // by site, in the order of the records
  std::vector<std::vector<FlowLaw>> draws;  // of each draw, by site
  std::vector<double> failed_after;         // by draw
  std::vector<CapacityPrior> capacities;    // by site
  double log_evidence = 0;
  double evidence_variance = 0;  // of log_evidence: the integral's own error
};

FlowPosterior flow_posterior(TransferRecords const& records, std::size_t sites, CutView view,
                             std::size_t draws, RandomStream stream);

}  // namespace gridcast::calibration
