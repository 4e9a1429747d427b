// The evidence of job tables for the processes of the model (processes.hpp). Probabilities and
// rates have the posteriors of Jeffreys' priors (Brown, Cai & DasGupta 2001): an event never
// seen has an interval and not the rate zero.
//   probability   p ~ Beta(hits + 1/2, misses + 1/2)
//   rate          r ~ Gamma(events + 1/2, exposure); with a shape and a rate, here and below
// Jobs that fail together are one event (fifteen neighbours with a 404 are one shock, not fifteen;
// Gallet et al. 2010). A shock hits the job that sets it off and a Poisson number of further ones,
// so
//   mean hits - 1 ~ Gamma(hits - events + 1/2, events)
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "calibration/fits/estimate.hpp"
#include "calibration/inference/partial_pooling.hpp"
#include "calibration/records/table_records.hpp"
#include "sim/base/random.hpp"

namespace gridcast::calibration {

struct TableEvidence {
  /// `walltime_ends`: expected evictions a second at each site as pilots end at their walltime.
  /// A table calls these ends evictions too. Empty: none. `records` outlives it.
  TableEvidence(TableRecords const& records, std::size_t draws, RandomStreams const& streams,
                std::vector<double> const& walltime_ends = {});

  TableRecords const& records;
  EventCounts counts;
  std::vector<SiteCount> evictions;  // at each site, as records.sites
  std::size_t draws = 0;
  RandomStreams streams;
};

/// Evictions at each site and the slot seconds in which they could have happened: executions, last
/// transfers and retried time there. Waiting that the table cannot separate from retried transfers
/// is in the exposure: the rates err on the low side.
std::vector<SiteCount> count_evictions(TableRecords const& records);

/// A count out of trials, or of events in an exposure, and its parameter.
struct TableCount {
  std::string name;
  DrawsOf stream;
  int events = 0;
  double of = 0;
  std::string trials;  // in words: "failed transfer attempts held the job"
};

void add_table_posterior(Fit& fit, TableEvidence const& evidence, TableCount const& count,
                         std::string const& method, std::function<double(double)> const& quantile);

/// A column with the posterior of a probability.
void add_probability(Fit& fit, TableEvidence const& evidence, TableCount const& count);

/// Failures that come as one event, out of `starts` that could set one off.
struct TableShock {
  std::string name;
  ShockCounts counts;
  int starts = 0;
  std::string trials;  // in words: "jobs that executed"
  DrawsOf rate, hits, lasts;
};
/// Columns NAME_lasts_s, NAME_per_start and NAME_mean_hits.
void add_shock(Fit& fit, TableEvidence const& evidence, TableShock const& shock);

}  // namespace gridcast::calibration
