// Which outages made tries stall together, if any: the laws of outage_law.hpp for each scope and
// kind and for none, compared by their marginal likelihoods. A hypothesis comes with its own view of
// the cut tries (flow_fit.hpp), as dead ones load no link and healthy ones do:
//   P(record | hypothesis) = integral over links and outages of their priors times the likelihood
// the integral over the links being taken with their posterior's draws, that over the outages by
// importance sampling. Priors, the same for all scopes:
//   hypotheses         none 1/3; dead 1/3 and slow 1/3, each shared equally by the five scopes
//   bad_fraction       Beta(1, 2)          when_bad    Beta(2, 1)       when_quiet  Beta(1, 9)
//   bad_duration       log-uniform, from a transfer's mean to three times the record
//   slow_fraction      log-uniform, 0.01 to 0.5                         dependence  uniform
// None is congestion where links are narrow: what is healthy is cut as well, and loads the link
// again. Scopes whose entities are the same in the record cannot be told apart, and that is said.
//
// Where nothing ever stalled, no outage is in the draws (as in partial_pooling.hpp): the exact upper
// limit says what the record cannot exclude.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "calibration/fits/estimate.hpp"
#include "calibration/fits/flow_fit.hpp"
#include "calibration/fits/outage_law.hpp"

namespace gridcast::calibration {

/// A row of the draws: of which view, which draw of its links, and the outages.
struct OutageDraw {
  OutageScope scope = OutageScope::none;
  OutageKind kind = OutageKind::dead;
  std::size_t view = 0;       // of OutagePosterior::views
  std::size_t flow_draw = 0;  // of that view's
  OutageLaw law;
};

struct OutagePosterior {
  std::vector<FlowPosterior> views;
  std::vector<OutageDraw> rows;
  std::vector<HypothesisProbability> hypotheses;
  std::vector<std::string> same;  // "path, node": scopes that the record cannot tell apart
  std::size_t struck = 0, told = 0, next_tries = 0;
  double span = 1;  // seconds of the record
};

OutagePosterior outage_posterior(TransferRecords const& records, std::size_t sites,
                                 std::size_t draws, RandomStreams const& streams);

/// Columns outage_scope, outage_kind, stall_bad_fraction, stall_bad_duration_s, stall_when_bad,
/// stall_when_quiet, slow_fraction, next_cache_dependence.
Fit outage_fit(OutagePosterior const& posterior);

}  // namespace gridcast::calibration
