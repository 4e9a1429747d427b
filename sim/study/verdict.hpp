// The decision of a comparison, and the cost of a wrong choice. The rival explanations of the
// record are states of the world. More replicas do not distinguish them, so each has its own
// answer.
//
// Under explanation h a strategy a costs
//   c(a, h) = sum of GPU hours / sum of successes                    over the replicas of h
// If too few of its jobs succeed under h (comparison.hpp), the other jobs run under the baseline b
// until as many have succeeded as there:
//   c(a, h) = (G(a) + (S(b) - S(a)) c(b, h)) / S(b)
// Its regret is r(a, h) = c(a, h) - the least c(a', h) of the strategies that are ranked under h,
// at least zero. The expected regret is E r(a) = sum p(h) r(a, h) with the posterior p. The best
// strategies under h are within 1 % of the least cost, as a smaller difference is no reason to
// choose. The comparison is decided if one strategy is best under explanations with 90 % of the
// posterior. Otherwise it is undecided, and the expected regret is the only guide.
//
// Errors come from a bootstrap over replicas (Efron & Tibshirani): 5 and 95 % of each figure in 200
// resamples within each explanation, fewer if there are very many replicas. A decision also has to
// hold in 90 % of the resamples: the strategy is best there, or within 1 % of it, under such
// explanations.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/statistics.hpp"
#include "sim/study/comparison.hpp"

namespace gridcast::study {

/// Undecided if explanations with more of the posterior than this have another winner.
inline constexpr double most_disputed = 0.1;
/// Unsettled if a smaller share of the resamples than this has the same winner.
inline constexpr double least_agreed = 0.9;
/// Costs are alike if they differ by no more than this share.
inline constexpr double alike_within = 0.01;

/// One explanation. All lists are by strategy.
struct StateOfTheWorld {
  std::string name;  // empty where there are no rivals
  double prior = not_known, log_bayes_factor = not_known;
  double posterior = 1;
  std::size_t replicas = 0;
  std::vector<double> cost = {};    // GPU hours for each success; infinite where none succeeds
  std::vector<double> regret = {};  // NaN of a strategy that is not ranked
  std::vector<Rank> rank = {};      // within these replicas
  std::vector<std::size_t> best = {};
};

/// The cost of a strategy under uncertainty; NaN if it is not ranked.
struct Regret {
  double expected = not_known, worst = not_known;
  Interval expected_ci90 = {not_known, not_known};
  std::size_t worst_in = 0;  // index of the state
};

enum class Decision {
  no_success,  // no strategy brings a job to its end
  decided,
  undecided,  // the best differs between explanations that hold more than a tenth of the posterior
  unsettled,  // more than a tenth of the resamples decide otherwise
};
inline constexpr std::array<std::string_view, 4> decision_names = {"no_success", "decided",
                                                                   "undecided", "unsettled"};

struct Verdict {
  Decision decision = Decision::no_success;
  std::vector<StateOfTheWorld> states = {};
  std::vector<Regret> regrets = {};  // by strategy
  std::size_t best = 0;              // under most of the posterior
  std::size_t least_regret = 0;      // unless there is no success
  double disputed = 0;           // posterior probability of the states in which `best` is not best
                                 // although some strategy succeeds
  double same_in_resamples = 1;  // share of the resamples with the same decision
};

/// The verdict on a complete comparison; its seed draws the resamples.
Verdict verdict(Comparison const& complete);

/// States and regrets of the ranked strategies: regret[strategy][state].
struct RegretTable {
  std::vector<double> posterior;
  std::vector<std::size_t> strategies;  // index in the comparison
  std::vector<std::vector<double>> regret;
};
RegretTable regret_table(Verdict const& verdict);
/// The row with the least expected regret under these probabilities; 0 for an empty table.
std::size_t least_expected(RegretTable const& table, std::vector<double> const& probability);
/// The expected regret of a row.
double expected_regret(RegretTable const& table, std::size_t row,
                       std::vector<double> const& probability);

}  // namespace gridcast::study
