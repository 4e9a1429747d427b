// What makes transfers end without their bytes, from two records of one pool: a hypothesis h is a
// kind (dead, slow) and a scope, or none. That the same is at work in both campaigns is assumed
// (docs/model.md, A-BOTH), so that with one prior p(h)
//   p(h | both) ~ p(h) B_table(h) B_log(h),   B(h) = p(h | record) / p(h) of that record's own
//                                             prior
// (Bayes factors of independent records multiply). A hypothesis that a record does not know has B =
// 1 there, the mean of those that it knows; one of which none of n draws is left counts as half a
// draw. Whether it is one cause, or each campaign has its own, has the Bayes factor
//   sum p(h) B_table(h) B_log(h) / (sum p(h) B_table(h)  sum p(h) B_log(h))
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "calibration/fits/estimate.hpp"
#include "sim/base/random.hpp"

namespace gridcast::calibration {

/// The cause where nothing is out of order.
inline constexpr char no_outage[] = "none";

/// "dead cache" of "dead, cache", "none" of "congestion" and of "none (...)"; empty for sums of
/// these ("overload").
std::string cause_of_line(std::string const& name);
/// The cause in each row of the draws; empty if the draws have no outages.
std::vector<std::string> causes_of_rows(DrawTable const& draws);

struct CommonCause {
  std::vector<HypothesisProbability> lines;  // as the log names them, with what each record says
  double log_bayes_factor = 0;               // natural; one cause against each its own
};

CommonCause common_cause(Fit const& table, Fit const& log);

/// For each row of the combined draws the rows of both that it is made of.
struct RowPair {
  std::size_t table = 0, log = 0;
  bool outages_of_table = false;  // no row of the log has the cause, or the log saw no stall
};

/// As many as the log has. Where both tell a cause, each cause has its share of the rows, from rows
/// that have it; where the table alone does, half of the rows have the table's: of two campaigns
/// one met outages, and the share of campaigns that do has Jeffreys' posterior Beta(3/2, 3/2).
std::vector<RowPair> pair_rows(Fit const& table, Fit const& log, CommonCause const& cause,
                               RandomStreams const& streams);

}  // namespace gridcast::calibration
