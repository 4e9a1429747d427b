// Which row of the calibration's draws a replica lives with. The rows are the posterior: a hypothesis
// has as many of them as it is probable. Taken at random, a study's shares of the hypotheses would
// be luck of the seed; here they are stratified, so that of the first n replicas, whatever n is, each
// hypothesis h has within one of n p(h):
//   replica t takes, of the hypotheses with  t p(h) - u(h) >= 1 / (2H - 2),  the one whose next turn
//   is due first, at  ceil((u(h) + 1 - 1 / (2H - 2)) / p(h))
// where u(h) is how often h has had its turn among the H hypotheses (Tijdeman 1980, "The chairman
// assignment problem"). Within a hypothesis rows come in an order that the seed draws, each once
// before one comes twice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/scenario/calibration.hpp"

namespace gridcast::study {

/// Index of the row that the replica takes; the same for every strategy and however many replicas
/// there are.
std::size_t draw_row(scenario::Calibration const& calibration, std::uint64_t seed,
                     std::uint32_t replica);

/// For n turns, whose each is, of things that have `counts` of them: the rule above with p = count /
/// sum of counts.
std::vector<std::size_t> fair_turns(std::vector<std::size_t> const& counts, std::size_t turns);

}  // namespace gridcast::study
