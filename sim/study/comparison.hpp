// Strategies compared on common random numbers: replica k has the same world and the same luck
// under each strategy, so what differs is the strategies' doing (Law & Kelton, "common random
// numbers"). Each replica has a parameter draw of its own, so replicas are the independent clusters
// over which intervals are taken.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/scenario.hpp"
#include "sim/study/prediction.hpp"
#include "sim/study/sample.hpp"

namespace gridcast::study {

/// A figure by which strategies are ranked.
struct ComparedFigure {
  std::string_view name;
  bool more_is_better = false;
  bool only_if_as_many_succeed = false;  // or holding every job would win
};
/// succeeded, makespan_s, badput_s, goodput_fraction, gpu_hours_per_success. In makespan_s and
/// badput_s a strategy competes in the replicas where at least 90 % as many jobs succeed as under
/// the baseline.
std::vector<ComparedFigure> const& compared_figures();

struct FailedRun {
  std::string strategy;
  FailedReplica replica;
};

struct Comparison {
  std::string scenario;  // its file
  std::string title, question;
  std::string calibration;  // SHA-256 of its file
  std::vector<std::string> strategies;
  std::size_t baseline = 0;  // index of the strategy that others are held against
  std::uint64_t seed = 0;
  std::size_t requested = 0;         // replicas of each strategy
  std::vector<StudySample> samples;  // by strategy: all replicas that came back
  std::vector<FailedRun> failed;
  bool interrupted = false;
  std::string scenario_sha256 = {};
  std::vector<Problem> trouble = {};  // of the machine
};

/// Plays all strategies of the scenario. Replicas are the outer loop, so that a study that is
/// interrupted has about as many of each strategy.
Comparison compare(scenario::Scenario const& scenario, StudyOptions const& options);

/// The same for any task(strategy, replica); fills samples, failed, interrupted and requested.
using StrategyTask = std::function<Record(std::size_t strategy, std::uint32_t replica)>;
void run_strategies(Comparison& comparison, std::vector<std::string> const& names,
                    StudyOptions const& options, StrategyTask const& task,
                    Journal* journal = nullptr);

/// Only the replicas that came back under every strategy: rows of all samples belong together.
Comparison complete(Comparison const& comparison);
/// Only the replicas that lived under one hypothesis about stalls.
Comparison select_hypothesis(Comparison const& comparison, std::string_view hypothesis);

/// Of x - base, pair by pair; pairs in which one is NaN are left out.
struct PairedDifference {
  double mean = 0;
  Interval ci95;
  /// (Var x + Var base) / Var(x - base): by how much common random numbers cut the variance. NaN
  /// where the differences do not vary.
  double variance_ratio = 0;
  std::size_t n = 0;
};
PairedDifference paired_difference(std::vector<double> const& x, std::vector<double> const& base);
/// Of a figure under a strategy to the baseline; of a complete comparison.
PairedDifference difference(Comparison const& comparison, std::size_t strategy,
                            std::string_view figure);

/// For each strategy the share of replicas in which it has the best value, ties shared equally.
/// values[strategy][replica]; NaN never wins; replicas with nothing but NaN do not count, and
/// without any replica all shares are NaN.
std::vector<double> share_best(std::vector<std::vector<double>> const& values, bool more_is_better);
std::vector<double> probability_best(Comparison const& comparison, ComparedFigure const& figure);

}  // namespace gridcast::study
