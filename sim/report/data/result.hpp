// The result of a verb as a value. One type serves the ledger of a recorded or simulated campaign,
// a prediction, a comparison of strategies and a replay: a prediction is a comparison of one
// strategy, and a replay is a prediction beside the record. Text, CSV, report pages and JSON
// (result_json.hpp) are made from it. JSON reads back as the same value without the single
// replicas.
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
#include "sim/study/choice.hpp"
#include "sim/study/comparison.hpp"
#include "sim/study/critical_path.hpp"
#include "sim/study/prediction.hpp"
#include "sim/study/record.hpp"
#include "sim/study/sample.hpp"
#include "sim/study/value_of_parameters.hpp"

namespace gridcast::report {

/// Figures by their names in JSON; NaN, null in JSON, is not known.
using ResultFigures = std::map<std::string, double>;
using ResultSummaries = std::map<std::string, study::Summary>;
/// In the order of the pool.
using SiteSummaries = std::vector<std::pair<std::string, ResultSummaries>>;

/// The replicas of a strategy that did not end with their jobs.
struct ResultEnds {
  Seconds horizon;              // zero: not known
  std::size_t at_horizon = 0;   // ended by the horizon
  std::size_t queue_limit = 0;  // others, at least until scenario::longest_in_queue removes jobs

  static void fields(auto& row, auto& ends) {
    row("horizon_s", ends.horizon);
    row("at_horizon", ends.at_horizon);
    row("queue_limit", ends.queue_limit);
  }
};

/// How many campaigns meet a deadline.
struct DeadlineAnswer {
  Seconds at;
  study::Chance met = {};
};

struct ResultStrategy {
  std::string name;
  std::string about = {};  // the change, and who must act; empty: not stated
  std::size_t replicas = 0;
  ResultSummaries metrics;
  SiteSummaries sites;
  std::map<std::string, study::PairedDifference> versus_baseline;  // in a comparison
  std::map<std::string, double> probability_best;                  // in a comparison
  std::map<std::string, Interval> probability_best_ci95 = {};
  std::map<std::string, study::PooledRatio> pooled = {};  // ratios, sum over sum
  /// In a comparison: whether it can be chosen, and if not, the dominant cause in words.
  study::Rank rank = study::Rank::ranked;
  study::Chance enough_succeed = {};
  std::string why_not_ranked = {};
  study::Chance never_ran = {};    // share of the replicas in which no job ever ran,
  std::string why_never_ran = {};  // ... and why
  scenario::RecordGap beyond_record = scenario::RecordGap::none;
  std::map<std::string, study::VarianceParts> spread = {};
  std::optional<study::FinishBand> finish;  // none without dates
  study::Spread gpu_hours = {};             // of a campaign
  bool stopped = false;                     // after the first round, as it cannot win
  bool as_baseline = false;                 // in each campaign, to the last bit
  ResultEnds ends = {};
  std::optional<DeadlineAnswer> by_deadline = {};  // of the result
  study::StudySample sample;    // the replicas; empty if the result was read from JSON
  study::StudySample complete;  // the replicas that came back under every strategy
};

/// The strategies in the replicas of one of the rival explanations of stalls, and the probability
/// of the explanation.
struct ResultHypothesis {
  std::string name;
  double posterior = 0;
  std::size_t replicas = 0;
  std::vector<ResultStrategy> strategies;
  double prior = study::not_known, log_bayes_factor = study::not_known;
};

/// An ending of attempts that lost their slot, or of jobs that were held.
struct ResultReason {
  std::string ended, what, advice;
  int code = 0, subcode = 0, exit_code = 0;  // 0: none
  std::string reason;                        // in the simulator's own terms
  double times = 0, jobs = 0;
  Seconds slot_time_lost, held;

  static void fields(auto& row, auto& reason) {
    row("ended", reason.ended);
    row("what", reason.what);
    row("advice", reason.advice);
    row("code", reason.code);
    row("subcode", reason.subcode);
    row("exit_code", reason.exit_code);
    row("reason", reason.reason);
    row.rounded("times", reason.times);
    row.rounded("jobs", reason.jobs);
    row.rounded("slot_time_lost_s", reason.slot_time_lost);
    row.rounded("held_s", reason.held);
  }
};

struct ResultJob {
  std::string name, outcome, site;  // site: empty if it never matched one
  ResultFigures figures;            // stalls, holds, attempts, executions, execute_s ...
  ResultFigures classes;            // empty without dates
};

/// A recorded or simulated campaign with figures rounded to a millionth.
struct ResultLedger {
  ResultFigures metrics, classes;
  std::map<std::string, ResultFigures> sites, site_classes;
  std::vector<ResultReason> reasons;
  bool with_jobs = false;  // whether the result lists the jobs
  std::vector<ResultJob> jobs;
  bool dated = false;
  std::size_t attempts_unrecorded = 0;      // counted by the source, and not in it
  std::optional<study::FinishBand> finish;  // a single curve as p05, p50 and p95
  double gpu_hours = study::not_known;      // slot hours times GPUs of the slot
  ResultFigures site_gpu_hours = {};
  ledger::Traffic traffic = {};  // empty if the record has no bytes
};

/// "replica 3 under cool-down: killed by signal 9".
std::string to_text(study::FailedRun const& failure);

enum class ResultKind { ledger, prediction, replay, comparison };
std::string_view name(ResultKind kind);

struct Result {
  std::string source;  // the file, or the command that printed it
  ResultKind kind = ResultKind::ledger;
  std::string version;  // of the program that made it
  std::string scenario, scenario_sha256, calibration_sha256;
  std::string title, question;
  std::string strategy;  // in a ledger: the simulated one; empty for a recorded campaign
  std::optional<std::uint64_t> seed, replica;
  std::size_t replicas = 0, requested = 0;  // in a comparison: complete ones
  bool partial = false, deterministic = false;
  std::vector<study::FailedRun> failed;
  std::string baseline;
  std::vector<ResultStrategy> strategies;  // one in a prediction, none in a ledger
  std::vector<std::string> asked = {};     // strategies that answers show; not in the JSON
  std::vector<ResultHypothesis> hypotheses;
  std::optional<std::size_t> recorded_jobs = {};  // in the calibration's record
  std::string no_stalls = {};                     // as study::Comparison's
  std::string record_words = {};  // of a record that is not the user's own; not in the JSON
  /// Input, work or jobs at a time far beyond the record's, in words; empty within it.
  std::string extrapolation = {};
  /// A fact of the campaign that the simulation leaves out, in a sentence; empty if there is none.
  std::string simplified = {};
  /// Assumptions about the jobs of a submit file that its owner can replace; not in the JSON.
  std::vector<std::string> assumed = {};
  std::optional<ResultLedger> ledger;
  std::optional<study::RecordComparison> against;  // the record beside the prediction
  std::size_t submitted = 0;                       // jobs of the scenario; not in the JSON
  std::optional<Seconds> deadline = {};            // of the user's question
  bool without_gpus = false;                       // no job requests any; not in the JSON
  study::Spread money = {};                        // of a prediction's campaign; not known without
  std::string currency = {};                       // ... prices
  /// Sites of a replay, by its events. They do not compare with the figures of a table's rows.
  SiteSummaries sites_by_events = {};
  std::optional<study::Choice> choice = {};  // in a comparison with a complete replica
  std::vector<study::ParameterValue> parameter_values = {};  // none is zero
  /// In a simulated campaign whose submissions wait for each other; in a prediction that of the
  /// medoid replica.
  std::vector<study::CriticalStep> critical_path = {};
};

/// The result of a recorded or simulated campaign, without the facts of a simulation. Contains each
/// job if `with_jobs` (and if the ledger has them).
Result result_of(ledger::Ledger const& ledger, bool with_jobs = false);
Result result_without_sites(ledger::Ledger const& ledger, bool with_jobs);
void add_site(ResultLedger& part, ledger::Ledger const& ledger, std::string const& site,
              std::vector<double> executions);
Result result_of(study::Comparison const& comparison);
Result result_of(study::Prediction const& prediction,
                 std::optional<study::RecordComparison> against = std::nullopt);
/// A replay beside the rows of the recorded table.
Result replay_result(study::Prediction const& replay, study::RecordComparison rows);

/// Sets the `ends` of each strategy from its replicas.
void set_ends(Result& result, Seconds horizon);

/// A figure by its name; NaN if there is none.
double figure(ResultFigures const& figures, std::string_view name);
/// Without values (n = 0) if there is none.
study::Summary summary(ResultSummaries const& summaries, std::string_view name);
/// The baseline of a study, or its only strategy; null for a ledger.
ResultStrategy const* baseline(Result const& result);
/// True if a strategy that could not win has fewer replicas than the others.
bool some_stopped(Result const& result);
/// The number of jobs of the campaign; 0 if it is not known.
std::size_t jobs(Result const& result);
/// True if a strategy is among the best for the goal under an explanation; false without a choice.
bool is_best_under(Result const& result, std::size_t strategy, std::size_t explanation);

// The probability of meeting a deadline: the wanted number of jobs (study::wanted_jobs) have
// *succeeded* by then. A campaign whose jobs are soon all held ends soon and meets no deadline.

/// The share of replicas below a time, from quantiles in equal steps (to a hundredth); NaN without
/// quantiles.
double share_by(std::vector<Seconds> const& quantiles, Seconds time);

/// The deadline of the user's question, else of the goal.
std::optional<Seconds> asked_deadline(Result const& result);

/// Asks each strategy of a study.
void ask_deadline(Result& result, std::optional<Seconds> deadline);

/// The money of a prediction's campaign, where the scenario states prices, and the deadline of its
/// goal, unless the user asked about another one.
void answer_owner(Result& result, study::Prediction const& prediction,
                  scenario::Scenario const& scenario);

/// The share that meets it, with its binomial error; n = 0 if the result has no times. Counted in
/// the replicas; for another deadline than that of a result from JSON, from its quantiles.
study::Chance met_by(Result const& result, ResultStrategy const& strategy, Seconds deadline);

}  // namespace gridcast::report
