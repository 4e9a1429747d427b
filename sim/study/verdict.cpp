#include "sim/study/verdict.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/base/error.hpp"
#include "sim/base/random.hpp"
#include "sim/base/statistics.hpp"
#include "sim/ledger/metrics.hpp"

namespace gridcast::study {
namespace {

/// 200 resamples; fewer if there are very many figures, whose error is small.
std::uint32_t resamples_of(std::size_t strategies, std::size_t replicas) {
  constexpr double most = 200, least = 20, figures = 5e7;
  double const each = static_cast<double>(std::max<std::size_t>(1, strategies * replicas));
  return static_cast<std::uint32_t>(std::clamp(figures / each, least, most));
}

/// The figures of all replicas, arranged for fast sums.
struct Evidence {
  std::vector<RatioColumns> spent;               // by strategy: GPU hours and successes
  std::vector<std::vector<Successes>> enough;    // likewise
  std::vector<std::vector<std::size_t>> groups;  // replicas of each state
  std::vector<Rank> rank;                        // of all replicas
  std::size_t baseline = 0;
};

Evidence evidence_of(Comparison const& complete, std::vector<std::string> const& names) {
  Evidence evidence;
  evidence.baseline = complete.baseline;
  for (std::size_t s = 0; s < complete.samples.size(); ++s) {
    evidence.spent.push_back(
        ratio_columns(complete.samples[s], deciding_figure(), complete.gpus_per_job));
    evidence.enough.push_back(successes(complete, s));
  }
  for (Standing const& standing : standings(complete)) evidence.rank.push_back(standing.rank);
  auto const& sample = complete.samples[complete.baseline];
  if (names.empty()) {
    auto& all = evidence.groups.emplace_back();
    for (std::size_t i = 0; i < sample.size(); ++i) all.push_back(i);
  }
  for (auto const& name : names) {
    auto& group = evidence.groups.emplace_back();
    auto const part = select_hypothesis(sample, name).replicas;
    for (std::size_t i = 0, k = 0; i < sample.size() && k < part.size(); ++i) {
      if (sample.replicas[i] != part[k]) continue;
      group.push_back(i);
      ++k;
    }
  }
  return evidence;
}

/// GPU hours and successes of some replicas.
struct Sums {
  double hours = 0, won = 0;
  bool known = false;
  std::size_t enough = 0, too_few = 0;

  double cost() const { return !known ? not_known : won > 0 ? hours / won : infinity; }
};

Sums sums_of(Evidence const& evidence, std::size_t strategy,
             std::vector<std::size_t> const& replicas) {
  Sums sums;
  for (std::size_t const i : replicas) {
    double const hours = evidence.spent[strategy].top[i], won = evidence.spent[strategy].bottom[i];
    sums.enough += evidence.enough[strategy][i] == Successes::enough ? 1U : 0U;
    sums.too_few += evidence.enough[strategy][i] == Successes::too_few ? 1U : 0U;
    if (std::isnan(hours + won)) continue;
    sums.known = true;
    sums.hours += hours;
    sums.won += won;
  }
  return sums;
}

/// The cost until as many jobs have succeeded as under the baseline.
double full_cost(Sums const& own, Sums const& base, Rank rank) {
  double const missing = base.won - own.won;
  if (rank == Rank::ranked || !(missing > 0)) return own.cost();
  return (own.hours + missing * base.cost()) / base.won;
}

/// Costs, ranks, regrets and the best of one state.
void weigh(StateOfTheWorld& state, Evidence const& evidence,
           std::vector<std::size_t> const& replicas) {
  std::size_t const strategies = evidence.spent.size();
  Sums const base = sums_of(evidence, evidence.baseline, replicas);
  std::vector<double> full(strategies);
  double least = infinity;
  for (std::size_t s = 0; s < strategies; ++s) {
    Sums const own = sums_of(evidence, s, replicas);
    bool const too_few = s != evidence.baseline && own.too_few > own.enough;
    state.rank.push_back(too_few ? Rank::too_few_succeed : Rank::ranked);
    state.cost.push_back(own.cost());
    full[s] = full_cost(own, base, state.rank[s]);
    bool const to_choose = evidence.rank[s] == Rank::ranked && !too_few;
    if (to_choose && full[s] < least) least = full[s];
  }
  for (std::size_t s = 0; s < strategies; ++s) {
    bool const to_choose = evidence.rank[s] == Rank::ranked && !std::isnan(full[s]);
    // If nothing can succeed, no choice loses anything.
    double const regret = std::isinf(least) ? 0 : std::max(0.0, full[s] - least);
    state.regret.push_back(to_choose ? regret : not_known);
    bool const is_best = to_choose && state.rank[s] == Rank::ranked && std::isfinite(least) &&
                         full[s] <= least * (1 + alike_within);
    if (is_best) state.best.push_back(s);
  }
}

/// Posterior probability of the states in which the strategy is best.
double held_by(std::vector<StateOfTheWorld> const& states, std::size_t strategy) {
  double sum = 0;
  for (auto const& state : states) {
    bool const wins = std::find(state.best.begin(), state.best.end(), strategy) != state.best.end();
    if (wins) sum += state.posterior;
  }
  return sum;
}

std::vector<Regret> regrets_of(std::vector<StateOfTheWorld> const& states, std::size_t strategies) {
  std::vector<Regret> regrets(strategies);
  for (std::size_t s = 0; s < strategies; ++s) {
    double expected = 0, worst = -1;
    for (std::size_t h = 0; h < states.size(); ++h) {
      double const regret = states[h].regret[s];
      if (std::isnan(regret)) {
        expected = not_known;
        break;
      }
      expected += states[h].posterior * regret;
      if (regret <= worst) continue;
      worst = regret;
      regrets[s].worst_in = h;
    }
    regrets[s].expected = expected;
    if (!std::isnan(expected)) regrets[s].worst = worst;
  }
  return regrets;
}

/// Posterior probability of the states in which some strategy is best.
double contested_in(std::vector<StateOfTheWorld> const& states) {
  double sum = 0;
  for (auto const& state : states) sum += state.best.empty() ? 0 : state.posterior;
  return sum;
}

constexpr double rounding = 1e-9;

/// Decision and regrets from known costs.
void decide(Verdict& verdict, std::size_t strategies) {
  verdict.regrets = regrets_of(verdict.states, strategies);
  double most = 0, least = infinity;
  double const contested = contested_in(verdict.states);
  if (!(contested > 0)) return;
  for (std::size_t s = 0; s < strategies; ++s) {
    if (std::isnan(verdict.regrets[s].expected)) continue;
    if (verdict.regrets[s].expected < least) {
      least = verdict.regrets[s].expected;
      verdict.least_regret = s;
    }
  }
  for (std::size_t s = 0; s < strategies; ++s) {
    double const held = held_by(verdict.states, s);
    bool const ahead = held > most + rounding;
    bool const alike = std::abs(held - most) <= rounding && held > 0;
    bool const less_regret = verdict.regrets[s].expected < verdict.regrets[verdict.best].expected;
    if (!ahead && !(alike && less_regret)) continue;
    most = held;
    verdict.best = s;
  }
  verdict.disputed = std::max(0.0, contested - most) / contested;
  verdict.decision =
      verdict.disputed > most_disputed + rounding ? Decision::undecided : Decision::decided;
}

/// Whether a resample comes to the same decision.
bool stands(Verdict const& verdict, Verdict const& again) {
  if (verdict.decision != Decision::decided || again.decision == Decision::no_success) {
    return again.decision == verdict.decision;
  }
  double const contested = contested_in(again.states);
  return contested - held_by(again.states, verdict.best) <= most_disputed * contested + rounding;
}

/// Resamples the replicas of each state, and sets the errors of the figures.
void add_errors(Verdict& result, Evidence const& evidence, std::uint64_t seed) {
  std::size_t const strategies = evidence.spent.size();
  std::vector<std::vector<double>> expected(strategies);
  std::size_t same = 0, replicas = 0;
  for (auto const& group : evidence.groups) replicas += group.size();
  auto const resamples = resamples_of(strategies, replicas);
  for (std::uint32_t b = 0; b < resamples; ++b) {
    auto stream = RandomStreams(seed, b).stream(Purpose::bootstrap, 0);
    Verdict again;
    for (std::size_t h = 0; h < evidence.groups.size(); ++h) {
      auto const& group = evidence.groups[h];
      std::vector<std::size_t> drawn;
      for (std::size_t i = 0; i < group.size(); ++i) {
        drawn.push_back(group[stream.below(static_cast<std::uint32_t>(group.size()))]);
      }
      auto& state = again.states.emplace_back();
      state.posterior = result.states[h].posterior;
      weigh(state, evidence, drawn);
    }
    decide(again, strategies);
    same += stands(result, again) ? 1U : 0U;
    for (std::size_t s = 0; s < strategies; ++s) {
      expected[s].push_back(again.regrets[s].expected);
    }
  }
  result.same_in_resamples = static_cast<double>(same) / static_cast<double>(resamples);
  if (result.decision == Decision::decided && result.same_in_resamples < least_agreed) {
    result.decision = Decision::unsettled;
  }
  for (std::size_t s = 0; s < strategies; ++s) {
    auto& values = expected[s];
    std::erase_if(values, [](double x) { return !std::isfinite(x); });
    if (values.empty() || std::isnan(result.regrets[s].expected)) continue;
    constexpr std::array p = {0.05, 0.95};
    auto const q = quantiles(std::move(values), p);
    result.regrets[s].expected_ci90 = {q[0], q[1]};
  }
}

}  // namespace

Verdict verdict(Comparison const& complete) {
  check(!complete.samples.empty(), "a verdict is about strategies");
  Verdict result;
  auto const names = hypotheses(complete.samples[complete.baseline]);
  auto const evidence = evidence_of(complete, names);
  for (std::size_t h = 0; h < evidence.groups.size(); ++h) {
    auto& state = result.states.emplace_back();
    state.replicas = evidence.groups[h].size();
    weigh(state, evidence, evidence.groups[h]);
    if (names.empty()) continue;
    state.name = names[h];
    state.posterior = posterior_probability(complete.samples[complete.baseline], names[h]);
    for (auto const& weight : complete.weights) {
      if (scenario::name(weight.hypothesis) != names[h]) continue;
      state.prior = weight.prior;
      state.log_bayes_factor = weight.log_bayes_factor;
    }
  }
  decide(result, complete.samples.size());
  if (complete.samples[complete.baseline].size() > 1) add_errors(result, evidence, complete.seed);
  return result;
}

RegretTable regret_table(Verdict const& verdict) {
  RegretTable table;
  for (auto const& state : verdict.states) table.posterior.push_back(state.posterior);
  for (std::size_t s = 0; s < verdict.regrets.size(); ++s) {
    if (!std::isfinite(verdict.regrets[s].expected)) continue;
    table.strategies.push_back(s);
    auto& row = table.regret.emplace_back();
    for (auto const& state : verdict.states) row.push_back(state.regret[s]);
  }
  return table;
}

double expected_regret(RegretTable const& table, std::size_t row,
                       std::vector<double> const& probability) {
  double sum = 0;
  for (std::size_t h = 0; h < probability.size(); ++h) {
    sum += probability[h] * table.regret[row][h];
  }
  return sum;
}

std::size_t least_expected(RegretTable const& table, std::vector<double> const& probability) {
  std::size_t best = 0;
  for (std::size_t row = 1; row < table.regret.size(); ++row) {
    if (expected_regret(table, row, probability) < expected_regret(table, best, probability)) {
      best = row;
    }
  }
  return best;
}

}  // namespace gridcast::study
