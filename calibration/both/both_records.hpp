// A job table and an event log of one pool, each fitted by itself, as one calibration. Its draws are the
// log's, whose form of the model tells what is dated; the table adds
//   what both tell       parameters of the same meaning, pooled (calibration/both/two_campaigns.hpp), the
//                        log's draws moved and stretched, so that what they have to do with each other stays
//   what causes stalls   calibration/both/common_cause.hpp; parameters of outages are pooled among the
//                        rows of each cause
//   what it alone tells  sites, its program, shocks (404s, a network that is down), release of holds where
//                        the log saw none
// A site that one record lacks has what only the other's form of the model knows from a site of the other
// record, another one in each row (crashes of a site that only the table knows, for instance). What a job of
// the one program takes there follows from what one of the other takes, by the ratio at a site that both
// know, with a standard deviation of 0.6 of its logarithm: four tastes of programs for GPU models, of 0.3
// each (docs/calibration.md, "GPUs, programs and limits").
// What a table tells as a rest of sums, and the log dated, is the log's alone: evictions at its sites
// (a table's hold ends of walltimes), overheads, delays of releases, GPUs at a time; and the scatter of
// transfers, of which a table has one for all sites.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "calibration/fits/estimate.hpp"
#include "sim/base/random.hpp"

namespace gridcast::calibration {

struct BothRecords {
  Fit const& table;
  Fit const& log;
  std::vector<std::string> const& table_sites;  // at which jobs of the table were
  DrawTable const& recorded;  // the log's draws before the next campaign's differences were put in
  double log_campaigns = 1;
  std::optional<double> between_campaigns = std::nullopt;  // stated: sd of logarithms
};

/// InputError where there is none.
void require_common_site(std::vector<std::string> const& of_table,
                         std::vector<std::string> const& of_log);

/// InputError where the log tells no input transfers.
void require_transfers_of_log(Fit const& log);

/// InputError for both of these.
Fit fit_of_both(BothRecords const& both, RandomStreams const& streams);

}  // namespace gridcast::calibration
