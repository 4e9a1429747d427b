// Comparison of strategies with common random numbers (Law & Kelton). Replica k has the same
// parameters and the same random numbers under each strategy, so only the strategies cause
// differences. Each replica has its own draw of the parameters. Replicas are therefore independent
// clusters, and intervals are taken over them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
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
/// The figures in the registry of metrics, in its order for comparisons.
std::vector<ComparedFigure> const& compared_figures();
/// The figure that decides the verdict.
ComparedFigure const& deciding_figure();

/// A strategy competes in the replicas in which it brings at least this share of the baseline's
/// successes, and at least one. A strategy that holds every job costs little and yields nothing.
inline constexpr double as_many = 0.9;

struct FailedRun {
  std::string strategy;  // empty if there is only one
  std::uint32_t replica = 0;
  std::string why;
};

/// The prices of a comparison, arranged for its records.
struct Bill {
  scenario::Prices prices = {};
  std::vector<std::pair<std::string, double>> sites = {};  // by site: of a GPU hour
  Bytes input = {};                                        // of a job
  std::vector<std::string> free_gpus = {};                 // models without a price
};

Bill bill_of(scenario::Scenario const& scenario);

/// The draws of the calibration as a table.
struct ParameterTable {
  std::vector<std::string> columns, meanings;  // of those that are numbers, not choices
  std::vector<std::vector<double>> rows;       // by draw
};

struct Comparison : StudyFacts {
  std::vector<std::string> strategies = {};
  std::vector<scenario::Description> descriptions = {};  // by strategy; may be empty
  std::vector<bool> stopped = {};                        // by strategy; empty: none was stopped
  std::vector<std::string> asked = {};  // strategies of the user's question: answers show them
  Bill bill = {};
  std::size_t baseline = 0;               // index of the strategy that others are compared with
  std::vector<StudySample> samples = {};  // by strategy: all replicas that came back
  std::vector<FailedRun> failed = {};
  /// By strategy: the protocol of its input, if the record contains no input by it.
  std::vector<scenario::RecordGap> beyond_record = {};
  std::string no_stalls = {};  // the calibration's note if its record has no stalls
  std::shared_ptr<ParameterTable const> parameters = {};  // null: not known
};

/// Simulates all strategies of the scenario. Replicas are the outer loop, so an interrupted study
/// has about as many replicas of each strategy.
/// Strategies that cannot win are stopped after a first round, unless `options.all`.
Comparison compare(scenario::Scenario const& scenario, StudyOptions const& options);

/// compare() in parts (grow()). Each part has the same number of replicas of every strategy that
/// was not stopped: a few, then `first_look`, then twice as many as before.
inline constexpr std::size_t first_look = 50;
Comparison compare_growing(scenario::Scenario const& scenario, StudyOptions const& options,
                           std::function<void(Comparison const&)> const& seen);

/// The same for any task(strategy, replica). It fills samples, failed, interrupted and requested.
using StrategyTask = std::function<Record(std::size_t strategy, std::uint32_t replica)>;
void run_strategies(Comparison& comparison, std::vector<std::string> const& names,
                    StudyOptions const& options, StrategyTask const& task,
                    Journal* journal = nullptr);

/// Only the replicas that came back under every strategy that was not stopped; equal rows belong to
/// the same replica. The rows that a stopped strategy does not have are not known.
Comparison complete(Comparison const& comparison);
/// Only the replicas whose draw belongs to one hypothesis about stalls.
Comparison select_hypothesis(Comparison const& comparison, std::string_view hypothesis);

/// How a strategy's successes in a replica compare with the baseline's.
enum class Successes { enough, too_few, unknown };
std::vector<Successes> successes(Comparison const& complete, std::size_t strategy);

/// A strategy can be chosen, or not: it is not ranked if too few jobs succeed in most of the
/// replicas with known successes. Such a strategy also has the cause that ended most of its
/// attempts, or held most of its jobs, and the number of replicas with that cause.
enum class Rank { ranked, too_few_succeed };
inline constexpr std::array<std::string_view, 2> rank_names = {"ranked", "too_few_succeed"};
struct Standing {
  Rank rank = Rank::ranked;
  Chance enough = {};  // share of the replicas in which as many succeed
  std::optional<history::Ending> cause = {};
  std::size_t cause_in = 0, too_few_in = 0;
};
std::vector<Standing> standings(Comparison const& complete);

/// The share of replicas in which no job ever ran, and the most frequent reason.
struct NeverRanShare {
  Chance share = {};
  NeverRan why = NeverRan::a_job_ran;
  std::optional<history::Ending> cause = {};
};
NeverRanShare never_ran(StudySample const& sample);

/// Top and bottom of a compared ratio; GPU hours and successes for gpu_hours_per_success.
RatioColumns ratio_columns(StudySample const& sample, ComparedFigure const& figure,
                           int gpus_per_job);
/// The difference of a figure between a strategy and the baseline of a complete comparison.
/// Compared ratios are pooled. A makespan is the time until the wanted jobs have succeeded. Badput
/// uses the replicas in which as many jobs succeed as under the baseline, because giving up early
/// would improve it. The strategy is not better in the other replicas.
PairedDifference difference(Comparison const& comparison, std::size_t strategy,
                            std::string_view figure);

/// The share of replicas in which each strategy has the best value; ties are shared equally.
/// values[strategy][replica]. NaN never wins, and replicas with only NaN do not count. Without a
/// replica all shares are NaN.
std::vector<double> share_best(std::vector<std::vector<double>> const& values, bool more_is_better);
/// The same of a figure, each strategy in the replicas in which it competes, with the binomial
/// error.
std::vector<Chance> probability_best(Comparison const& comparison, ComparedFigure const& figure);

/// `what` of study_fingerprint() for a comparison.
inline constexpr std::string_view what_is_compared = "compare";

/// The result of compare(), from replicas that other processes simulated.
/// A replica of a strategy has the number replica x strategies + strategy.
Comparison comparison_of(scenario::Scenario const& scenario, StudyOptions const& options,
                         PoolResult played);

// A comparison in two rounds. After the first hundred replicas, a strategy that cannot win is
// stopped, and the other strategies have all replicas. The result does not depend on time or
// processes, only on the replicas of the first round.
//
// A strategy cannot win if its first goal is worse than that of the best strategy by more than the
// margin and four standard errors of the paired difference. All stopped strategies together are
// best under at most 5 % of the draws of the first round: the shares of draws hardly
// change. The goal's score of a replica is
//   successes  min(succeeded, W) / W       deadline  1 if W jobs had succeeded by then
//   makespan   1 / time, 0 for never       gpu-hours, cost  successes for each hour or money
// The baseline is never stopped.

/// Replicas of the first round. A comparison of at most twice as many has one round.
inline constexpr std::size_t first_round = 100;

/// run_strategies() in two rounds; it fills `stopped` as well.
void run_in_rounds(Comparison& comparison, std::vector<std::string> const& names,
                   StudyOptions const& options, StrategyTask const& task, Journal* journal);

/// Leaves out of whole samples the replicas that two rounds would not have simulated.
void stop_losers(Comparison& comparison, StudyOptions const& options);

}  // namespace gridcast::study
