// A job table and an event log of one pool, each fitted by itself, as one calibration. Its draws
// are the log's, whose form of the model tells what is dated; the table adds
//   what both tell       parameters of the same meaning, pooled
//                        (calibration/both/two_campaigns.hpp), the log's draws moved and stretched,
//                        so that what they have to do with each other stays
//   what causes stalls   calibration/both/common_cause.hpp; parameters of outages are pooled among
//                        the rows of each cause
//   what it alone tells  sites, its program, shocks (404s, a network that is down), releases where
//                        the log saw none
// Sites of one record alone: calibration/both/paired_draws.hpp. What a table tells as a rest of
// sums, and the log dated, is the log's alone: evictions at its sites (a table's hold ends of
// walltimes), overheads, GPUs at a time; and the scatter of transfers, of which a table has one for
// all sites. Of releases, the mean delay is pooled (a table's is an upper bound, by the wait for a
// match), in the form that the log tells.
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
