// What a verb found, as a value: one type for a recorded or simulated campaign's ledger, a
// prediction, a comparison of strategies and a replay. A prediction is a comparison of one
// strategy, and a replay is one with the record beside it. Text, CSV and report pages are made from
// the value, and so is the JSON (result_json.hpp), which reads back as the same value but for the
// replicas one by one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/ledger/ledger.hpp"
#include "sim/study/comparison.hpp"
#include "sim/study/prediction.hpp"
#include "sim/study/record.hpp"
#include "sim/study/sample.hpp"
#include "sim/study/value_of_information.hpp"
#include "sim/study/verdict.hpp"

namespace gridcast::report {

/// Figures by their names in JSON; NaN: not known, null in JSON.
using ResultFigures = std::map<std::string, double>;
using ResultSummaries = std::map<std::string, study::Summary>;
/// In the order of the pool.
using SiteSummaries = std::vector<std::pair<std::string, ResultSummaries>>;

/// Of the replicas of a strategy, those whose end is not that of their jobs.
struct ResultEnds {
  Seconds horizon;              // zero: not told
  std::size_t at_horizon = 0;   // ended by it
  std::size_t queue_limit = 0;  // others that went on until scenario::longest_in_queue removes jobs
};

struct ResultStrategy {
  std::string name;
  std::size_t replicas = 0;
  ResultSummaries metrics;
  SiteSummaries sites;
  std::map<std::string, study::PairedDifference> versus_baseline;  // of a comparison, as is
  std::map<std::string, double> probability_best;                  // this
  std::map<std::string, Interval> probability_best_ci95 = {};
  std::map<std::string, study::PooledRatio> pooled = {};  // ratios, sum over sum
  /// Of a comparison: whether it is one to choose, and if not, the dominant cause in words.
  study::Rank rank = study::Rank::ranked;
  study::Chance enough_succeed = {};
  std::string why_not_ranked = {};
  study::Chance never_ran = {};    // share of the replicas in which no job ever ran,
  std::string why_never_ran = {};  // ... and why
  scenario::Untold beyond_record = scenario::Untold::nothing;
  std::map<std::string, study::VarianceParts> spread = {};
  std::optional<study::FinishBand> finish;  // none without dates
  ResultEnds ends = {};
  study::StudySample sample;    // the replicas; none of a result that was read from JSON
  study::StudySample complete;  // those that came back under every strategy
};

/// The strategies in the replicas that lived under one of the rival hypotheses of what makes
/// transfers stall, and how probable the record leaves it.
struct ResultHypothesis {
  std::string name;
  double posterior = 0;
  std::size_t replicas = 0;
  std::vector<ResultStrategy> strategies;
  double prior = study::not_known, log_bayes_factor = study::not_known;
};

/// A kind of ending: of attempts that lost their slot, of jobs that were held.
struct ResultReason {
  std::string ended, what, advice;
  int code = 0, subcode = 0, exit_code = 0;  // 0: none
  std::string reason;                        // in the simulator's own terms
  double times = 0, jobs = 0;
  Seconds slot_time_lost, held;
};

struct ResultJob {
  std::string name, outcome, site;  // site: empty if it never met one
  ResultFigures figures;            // stalls, holds, attempts, executions, execute_s ...
  ResultFigures classes;            // empty without dates
};

/// One campaign, recorded or simulated, each figure rounded to a millionth.
struct ResultLedger {
  ResultFigures metrics, classes;
  std::map<std::string, ResultFigures> sites, site_classes;
  std::vector<ResultReason> reasons;
  bool with_jobs = false;  // or the result was made without them
  std::vector<ResultJob> jobs;
  bool dated = false;
  std::optional<study::FinishBand> finish;  // a single curve, all three alike
  double gpu_hours = study::not_known;      // slot hours times GPUs of the slot
  ResultFigures site_gpu_hours = {};
  ledger::Traffic traffic = {};  // of a record that tells it
};

struct ResultFailure {
  std::string strategy;  // empty where there is but one
  std::uint32_t replica = 0;
  std::string why;
};
/// "replica 3 under cool-down: killed by signal 9".
std::string to_text(ResultFailure const& failure);

enum class ResultKind { ledger, prediction, replay, comparison };
std::string_view name(ResultKind kind);

struct Result {
  std::string source;  // the file, or the command that gave it
  ResultKind kind = ResultKind::ledger;
  std::string version;  // of the program that gave it
  std::string scenario, scenario_sha256, calibration_sha256;
  std::string title, question;
  std::string strategy;  // of a ledger: that was simulated; empty of a recorded campaign
  std::optional<std::uint64_t> seed, replica;
  std::size_t replicas = 0, requested = 0;  // of a comparison: complete ones
  bool partial = false, deterministic = false;
  std::vector<ResultFailure> failed;
  std::string baseline;
  std::vector<ResultStrategy> strategies;  // one of a prediction, none of a ledger
  std::vector<ResultHypothesis> hypotheses;
  std::optional<std::size_t> recorded_jobs = {};  // that the calibration was made of
  std::string no_stalls = {};                     // of a comparison: study::Comparison's
  std::size_t conformal_campaigns =
      0;  // that the 90 % intervals were corrected by; 0: they were not
  std::optional<ResultLedger> ledger;
  std::optional<study::RecordComparison> against;  // the record that it is held to
  std::size_t submitted = 0;                       // jobs of the scenario; not in the JSON
  std::optional<Seconds> deadline = {};            // that is asked about
  /// Of a replay, by its events: they do not compare with the figures of a table's rows.
  SiteSummaries sites_by_events = {};
  std::optional<study::Verdict> verdict = {};  // of a comparison with a complete replica
  std::vector<study::Observation> observations = {};
  /// Of a simulated campaign whose submissions wait for each other; of a prediction the medoid
  /// replica's.
  std::vector<study::CriticalStep> critical_path = {};
};

/// Of a recorded campaign; of a simulated one without what it is. With each job if `with_jobs`
/// (and the ledger has them).
Result result_of(ledger::Ledger const& ledger, bool with_jobs = false);
Result result_of(study::Comparison const& comparison);
Result result_of(study::Prediction const& prediction,
                 std::optional<study::RecordComparison> against = std::nullopt);
/// `rows`: the replay beside the record's rows, as a table has them.
Result replay_result(study::Prediction const& replay, study::RecordComparison rows);

/// Sets the `ends` of each strategy, from its replicas.
void set_ends(Result& result, Seconds horizon);

/// A figure by its name; NaN where there is none.
double figure(ResultFigures const& figures, std::string_view name);
/// With no values (n = 0) where there is none.
study::Summary summary(ResultSummaries const& summaries, std::string_view name);
/// The baseline of a study, or its only strategy; null of a ledger.
ResultStrategy const* baseline(Result const& result);
/// How many jobs the campaign has; 0 where that is not told.
std::size_t jobs(Result const& result);

/// InputError if they are of different scenarios, or of different versions of one. Recorded
/// campaigns go with any.
void check_alike(std::vector<Result> const& results);

// How likely it is to keep a deadline: as many jobs as are wanted (study::wanted_successes) have
// *succeeded* by then. A campaign whose jobs are soon all held has ended soon, and kept none.

/// Share of the replicas below a time, read off quantiles in equal steps (to a hundredth); NaN
/// without them.
double share_by(std::vector<Seconds> const& quantiles, Seconds time);

/// With its binomial error; n = 0 where nothing is told.
study::Chance met_by(Result const& result, ResultStrategy const& strategy, Seconds deadline);

}  // namespace gridcast::report
