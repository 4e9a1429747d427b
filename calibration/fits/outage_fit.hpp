// Which outages made tries stall together, if any: the laws of OutageLaw for each scope and
// kind and for none, compared by their marginal likelihoods. A hypothesis comes with its own view
// of the cut tries (flow_fit.hpp), as dead ones load no link, and healthy and slow ones do:
//   P(record | hypothesis) = integral over links and outages of their priors times the likelihood
// the integral over the links is taken with draws of their posterior, chosen by their probability
// under the hypothesis, that over the outages by importance sampling. The errors of these integrals
// are in the probabilities, which are averages over it. Priors, the same for all scopes:
//   hypotheses         none 1/3; dead 1/3 and slow 1/3, each shared equally by the five scopes
//   bad_fraction       Beta(1, 2)          when_bad    Beta(2, 1)       when_quiet  Beta(1, 9)
//   bad_duration       log-uniform, from a transfer's mean to three times the record
//   slow_fraction      log-uniform, 0.01 to 0.5                         dependence  uniform
// None is congestion where links are narrow: healthy tries are cut as well, and load the link
// again. Scopes whose entities are the same in the record cannot be separated, and the calibration
// notes it.
//
// If nothing ever stalled, no outage is in the draws (as in partial_pooling.hpp): the exact upper
// limit shows how many the record cannot exclude.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "calibration/fits/estimate.hpp"
#include "calibration/fits/outage_law.hpp"

namespace gridcast::calibration {

/// A row of the draws: its view, the draw of its links, and the outages.
struct OutageDraw {
  OutageScope scope = OutageScope::none;
  OutageKind kind = OutageKind::dead;
  std::size_t view = 0;       // of OutagePosterior::views
  std::size_t flow_draw = 0;  // of that view's
  OutageLaw law;
};

struct OutagePosterior : StallCounts {
  std::vector<FlowPosterior> views;
  std::vector<OutageDraw> rows;
  std::vector<HypothesisProbability> hypotheses;
  double evidence_sd = 0;  // of ln(evidence), by the integrals' own error; 0: it hardly matters
  std::vector<std::string> same;  // "path, node": scopes that the record cannot separate
  double span = 1;                // seconds of the record
};

OutagePosterior outage_posterior(TransferRecords const& records, std::size_t sites,
                                 std::size_t draws, RandomStreams const& streams);

/// A line for a record of this many attempts without a stall.
NotIdentified no_stall_seen(std::size_t attempts, std::string taken_from);

/// Columns outage_scope, outage_kind, stall_bad_fraction, stall_bad_duration_s, stall_when_bad,
/// stall_when_quiet, slow_fraction, next_cache_dependence.
Fit outage_fit(OutagePosterior const& posterior);

}  // namespace gridcast::calibration
