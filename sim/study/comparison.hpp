// Strategies compared on common random numbers: replica k has the same world and the same luck
// under each strategy, so what differs is the strategies' doing (Law & Kelton, "common random
// numbers"). Each replica has a parameter draw of its own, so replicas are the independent clusters
// over which intervals are taken.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/ledger/metrics.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/study/prediction.hpp"
#include "sim/study/record.hpp"
#include "sim/study/sample.hpp"

namespace gridcast::study {

/// A figure by which strategies are ranked.
struct ComparedFigure {
  std::string_view name;
  bool more_is_better = false;
  ledger::Ratio ratio = {};
};
/// As the registry of metrics has them, in its order for comparisons.
std::vector<ComparedFigure> const& compared_figures();
/// The one by which the verdict goes.
ComparedFigure const& deciding_figure();

/// A strategy competes in the replicas in which it brings at least this share of the baseline's
/// successes, and one at least: holding every job costs little and yields nothing.
inline constexpr double as_many = 0.9;

struct FailedRun {
  std::string strategy;
  FailedReplica replica;
};

/// Replicas of the campaign's first jobs alone under one strategy.
struct SmallerRun {
  std::size_t strategy = 0;
  std::size_t jobs = 0;
  StudySample sample;
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
  int gpus_per_job = 1;
  Bytes input = {}, input_limit = {};  // of a job, and of what the access point sends itself
  std::vector<scenario::HypothesisWeight> weights = {};  // as the calibration has them
  std::optional<std::size_t> recorded_jobs = {};         // that it was made of
  std::vector<SmallerRun> smaller = {};                  // value_of_information.hpp
  /// By strategy: the way of its input, where the record has nothing that came so.
  std::vector<scenario::Untold> beyond_record = {};
  std::string no_stalls = {};  // what the calibration says of stalls where its record has none
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

/// What a replica says of a strategy's successes beside the baseline's.
enum class Successes { enough, too_few, not_told };
std::vector<Successes> successes(Comparison const& complete, std::size_t strategy);

/// Whether a strategy is one to choose: not one under which too few jobs succeed in most of the
/// replicas that tell. Of such a one also what ended most of its attempts, or held most of its
/// jobs, and in how many of those replicas it was that.
enum class Rank { ranked, too_few_succeed };
struct Standing {
  Rank rank = Rank::ranked;
  Chance enough = {};  // share of the replicas in which as many succeed
  std::optional<history::Ending> cause = {};
  std::size_t cause_in = 0, too_few_in = 0;
};
std::vector<Standing> standings(Comparison const& complete);

/// In how many replicas no job ever ran, and the most frequent reason.
struct NeverRanShare {
  Chance share = {};
  NeverRan why = NeverRan::a_job_ran;
  std::optional<history::Ending> cause = {};
};
NeverRanShare never_ran(StudySample const& sample);

/// Top and bottom of a compared ratio; GPU hours and successes of gpu_hours_per_success.
RatioColumns ratio_columns(StudySample const& sample, ComparedFigure const& figure,
                           int gpus_per_job);
/// Of a figure under a strategy to the baseline; of a complete comparison. Compared ratios are
/// pooled; makespan and badput are of the replicas in which as many jobs succeed as under the
/// baseline, or giving up early would save both. Nor is a replica one in which it is better, where
/// they do not.
PairedDifference difference(Comparison const& comparison, std::size_t strategy,
                            std::string_view figure);

/// For each strategy the share of replicas in which it has the best value, ties shared equally.
/// values[strategy][replica]; NaN never wins; replicas with nothing but NaN do not count, and
/// without any replica all shares are NaN.
std::vector<double> share_best(std::vector<std::vector<double>> const& values, bool more_is_better);
/// The same of a figure, each strategy in the replicas in which it competes, with the binomial
/// error.
std::vector<Chance> probability_best(Comparison const& comparison, ComparedFigure const& figure);

/// What study_fingerprint() is told of a comparison.
inline constexpr std::string_view what_is_compared = "compare";

/// As compare() gives it, of replicas that other processes played, without smaller runs. A replica
/// of a strategy is numbered replica x strategies + strategy.
Comparison comparison_of(scenario::Scenario const& scenario, StudyOptions const& options,
                         PoolResult played);

}  // namespace gridcast::study
