#include "sim/study/rounds.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/base/interrupt.hpp"
#include "sim/base/statistics.hpp"
#include "sim/study/choice.hpp"

namespace gridcast::study {
namespace {

bool has_rounds(StudyOptions const& options) {
  return !options.all && options.replicas > 2 * first_round;
}

bool none(std::vector<bool> const& stopped) {
  return std::find(stopped.begin(), stopped.end(), true) == stopped.end();
}

/// The comparison with the replicas of the first round alone.
Comparison first_of(Comparison const& comparison) {
  Comparison first = comparison;
  for (auto& sample : first.samples) {
    auto const end = std::lower_bound(sample.replicas.begin(), sample.replicas.end(), first_round);
    auto const n = static_cast<std::size_t>(end - sample.replicas.begin());
    sample.replicas.resize(n);
    sample.records.resize(n);
  }
  return first;
}

void cut(Comparison& comparison) {
  if (comparison.stopped.empty()) return;
  auto first = first_of(comparison);
  for (std::size_t s = 0; s < comparison.samples.size(); ++s) {
    if (comparison.stopped[s]) comparison.samples[s] = std::move(first.samples[s]);
  }
}

/// The number of replicas of all strategies.
std::size_t simulated(Comparison const& comparison) {
  std::size_t count = 0;
  for (auto const& sample : comparison.samples) count += sample.size();
  return count;
}

void stop(Comparison& comparison, std::vector<bool> stopped) {
  if (!none(stopped)) comparison.stopped = std::move(stopped);
}

std::vector<bool> losers(Comparison const& first) {
  auto const paired = complete(first);
  bool const whole = !first.interrupted && first.trouble.empty() &&
                     paired.samples[paired.baseline].size() == first_round;
  return whole ? cannot_win(paired) : std::vector<bool>(first.samples.size(), false);
}

/// Progress over both rounds.
Progress progress_from(Progress const& progress, std::size_t least, std::size_t total) {
  if (!progress) return {};
  return [progress, least, total](std::size_t done, std::size_t failed, std::size_t) {
    progress(std::max(done, least), failed, total);
  };
}

/// By more than the margin and four standard errors.
bool is_worse(Comparison const& first, Choice const& choice, std::size_t strategy) {
  constexpr double errors = 4;
  auto const goal = first.preferences.goal.kind;
  auto const best = goal_scores(first, choice.best, goal), own = goal_scores(first, strategy, goal);
  std::vector<double> behind, level;
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (std::isnan(own[i]) || std::isnan(best[i])) continue;
    behind.push_back(best[i] - own[i]);
    level.push_back(best[i]);
  }
  if (behind.size() < 2) return false;
  double const error = standard_deviation(behind) / std::sqrt(count(behind.size()));
  return mean(behind) - errors * error > choice.preferences.margin * mean(level);
}

/// Null if the replica is not in the sample.
SharedRecord const* record_of(StudySample const& sample, std::uint32_t replica) {
  auto const& all = sample.replicas;
  auto const found = std::lower_bound(all.begin(), all.end(), replica);
  if (found == all.end() || *found != replica) return nullptr;
  return &sample.records[static_cast<std::size_t>(found - all.begin())];
}

}  // namespace

std::vector<bool> cannot_win(Comparison const& first) {
  constexpr double most_of_draws = 0.05;
  std::vector<bool> stopped(first.samples.size(), false);
  Choice const choice = choose(first);
  if (choice.state == ChoiceState::no_success) return stopped;
  auto const share = [&](std::size_t s) { return choice.strategies[s].best_in_draws; };
  std::vector<std::size_t> worse;
  for (std::size_t s = 0; s < stopped.size(); ++s) {
    bool const kept = s == first.baseline || s == choice.best;
    if (!kept && is_worse(first, choice, s)) worse.push_back(s);
  }
  std::stable_sort(worse.begin(), worse.end(),
                   [&](std::size_t a, std::size_t b) { return share(a) < share(b); });
  double sum = 0;
  for (std::size_t const s : worse) {
    sum += share(s);
    stopped[s] = sum <= most_of_draws;
  }
  return stopped;
}

void run_in_rounds(Comparison& comparison, std::vector<std::string> const& names,
                   StudyOptions const& options, StrategyTask const& task, Journal* journal) {
  if (!has_rounds(options)) return run_strategies(comparison, names, options, task, journal);
  InterruptWatch const interrupts;  // also between the rounds
  std::size_t const strategies = comparison.strategies.size();
  std::size_t const total = options.replicas * strategies;
  StudyOptions round = options;
  round.replicas = first_round;
  round.progress = progress_from(options.progress, 0, total);
  Comparison first = comparison;
  run_strategies(first, names, round, task, journal);
  first.requested = options.replicas;
  if (first.interrupted || !first.trouble.empty()) {
    comparison = std::move(first);
    return;
  }
  auto const stopped = losers(first);
  round = options;
  round.progress = progress_from(options.progress, first_round * strategies, total);
  auto const rest = [&](std::size_t s, std::uint32_t replica) {
    if (auto const* known = record_of(first.samples[s], replica)) {
      return Record(known->begin(), known->end());
    }
    return stopped[s] && replica >= first_round ? Record(names.size(), not_known)
                                                : task(s, replica);
  };
  run_strategies(comparison, names, round, rest, journal);
  stop(comparison, stopped);
  cut(comparison);
  // An interruption while the second round repeats the first loses nothing of the first.
  if (comparison.interrupted && simulated(comparison) < simulated(first)) {
    first.interrupted = true;
    comparison = std::move(first);
  }
}

void stop_losers(Comparison& comparison, StudyOptions const& options) {
  if (!has_rounds(options)) return;
  Comparison first = first_of(comparison);
  first.interrupted = false;
  first.trouble.clear();
  stop(comparison, losers(first));
  cut(comparison);
}

}  // namespace gridcast::study
