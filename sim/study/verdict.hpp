// What a comparison decides, and what choosing wrongly costs. The rival explanations of the record
// are states of the world that more replicas do not tell apart; an answer is given under each.
//
// Under explanation h a strategy a costs
//   c(a, h) = sum of GPU hours / sum of successes                    over the replicas of h
// and where too few of its jobs succeed under h (comparison.hpp), what it costs to bring as many to
// their end as under the baseline b, the rest being run under b:
//   c(a, h) = (G(a) + (S(b) - S(a)) c(b, h)) / S(b)
// Its regret is r(a, h) = c(a, h) - the least c(a', h) of those that are ranked under h, never
// below zero; expected with the posterior, E r(a) = sum p(h) r(a, h). Best under h are those within
// 1 % of the least cost: less is no reason to choose. The comparison is decided if one strategy is
// best under explanations that hold 90 % of the posterior; else it is undecided, and the least
// expected regret is what there is to go by.
//
// Errors are of the replicas, by the bootstrap: 200 resamples within each explanation, fewer of
// very many replicas (Efron & Tibshirani), 5 and 95 % of each figure. A decision that fewer than 90
// % of the resamples share is none yet: the strategy is to be best, or within 1 % of it, under such
// explanations in these too.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/base/statistics.hpp"
#include "sim/study/comparison.hpp"

namespace gridcast::study {

/// More of the posterior than this against the winner, and nothing is decided.
inline constexpr double most_disputed = 0.1;
/// Fewer of the resamples than this for the winner, and nothing is decided either.
inline constexpr double least_agreed = 0.9;
/// Costs that differ by no more than this share are alike.
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

/// What it costs not to know: of a strategy, NaN where it is not ranked.
struct Regret {
  double expected = not_known, worst = not_known;
  Interval expected_ci90 = {not_known, not_known};
  std::size_t worst_in = 0;  // index of the state
};

enum class Decision {
  no_success,  // no strategy brings a job to its end
  decided,
  undecided,  // the best differs between explanations that hold more than a tenth of the posterior
  unsettled,  // it does not, but another would be decided on in more than a tenth of the resamples
};
std::string_view name(Decision decision);

struct Verdict {
  Decision decision = Decision::no_success;
  std::vector<StateOfTheWorld> states = {};
  std::vector<Regret> regrets = {};  // by strategy
  std::size_t best = 0;              // under most of the posterior
  std::size_t least_regret = 0;      // unless there is no success
  double disputed = 0;           // posterior probability of the states in which the strategy that
                                 // is best in most is not
  double same_in_resamples = 1;  // share of the resamples with the same decision
};

/// Of a complete comparison; `seed`: of the resamples.
Verdict verdict(Comparison const& complete);

/// States and regrets of those strategies that are to choose from: regret[strategy][state].
struct RegretTable {
  std::vector<double> posterior;
  std::vector<std::size_t> strategies;  // index in the comparison
  std::vector<std::vector<double>> regret;
};
RegretTable regret_table(Verdict const& verdict);
/// Row of the least expected regret under these probabilities of the states; 0 of an empty table.
std::size_t least_expected(RegretTable const& table, std::vector<double> const& probability);
/// Expected regret of a row.
double expected_regret(RegretTable const& table, std::size_t row,
                       std::vector<double> const& probability);

}  // namespace gridcast::study
