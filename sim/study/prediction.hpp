// Predictive distributions: replicas with parameters drawn from the calibration (input uncertainty)
// and events drawn from the seed (simulation noise), reduced to a record each.
//
// Which row of the calibration's draws a replica lives with. The rows are the posterior: a
// hypothesis has as many of them as it is probable. Taken at random, a study's shares of the
// hypotheses would be luck of the seed; here they are stratified, so that of the first n replicas,
// whatever n is, each hypothesis h has within one of n p(h):
//   replica t takes, of the hypotheses with  t p(h) - u(h) >= 1 / (2H - 2),  the one whose next
//                                                                            turn
//   is due first, at  ceil((u(h) + 1 - 1 / (2H - 2)) / p(h))
// where u(h) is how often h has had its turn among the H hypotheses (Tijdeman 1980, "The chairman
// assignment problem"). Within a hypothesis rows come in an order that the seed draws, each once
// before one comes twice.
//
// A balanced forecast is one in which ignorance and luck can be told apart: some draws of the
// calibration, evenly chosen among its rows, are each played several times (balanced one-way
// design), and are seen as a record would show them.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/engine/replica.hpp"
#include "sim/history/job_history.hpp"
#include "sim/history/job_table.hpp"
#include "sim/scenario/calibration.hpp"
#include "sim/scenario/campaign.hpp"
#include "sim/scenario/parameter_draw.hpp"
#include "sim/scenario/pool.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/study/replica_pool.hpp"
#include "sim/study/sample.hpp"

namespace gridcast::study {

/// Index of the row that the replica takes; the same for every strategy and however many replicas
/// there are.
std::size_t draw_row(scenario::Calibration const& calibration, std::uint64_t seed,
                     std::uint32_t replica);

/// For n turns, whose each is, of things that have `counts` of them: the rule above with p = count
/// / sum of counts.
std::vector<std::size_t> fair_turns(std::vector<std::size_t> const& counts, std::size_t turns);

/// How a study is run. What it finds depends on the number of replicas, the seed and the
/// simulation's options only.
struct StudyOptions {
  std::size_t replicas = 1000;
  std::uint64_t seed = 1;
  unsigned processes = 1;
  engine::ReplicaOptions simulation;
  Progress progress;
  std::filesystem::path resume;  // folder of the journal; empty: none is kept
  /// For how long a replica may compute.
  std::chrono::milliseconds patience = default_patience;
};

/// The journal of a study of the scenario whose records have the columns `names`, null without a
/// folder. `what` tells studies of one scenario and seed apart.
std::unique_ptr<Journal> open_journal(scenario::Scenario const& scenario,
                                      StudyOptions const& options,
                                      std::vector<std::string> const& names,
                                      std::string const& what);

/// The world that a replica lives in: the row of the calibration's draws that is its turn, the same
/// for every strategy.
scenario::ParameterDraw const& draw_of(scenario::Calibration const& calibration, std::uint64_t seed,
                                       std::uint32_t replica);

/// Plays the replica of that number. `watcher`: is told of it while it happens.
engine::Replica simulate_replica(scenario::Scenario const& scenario,
                                 scenario::Strategy const& strategy, std::uint64_t seed,
                                 std::uint32_t replica, engine::ReplicaOptions const& options = {},
                                 history::HistorySink* watcher = nullptr);
/// The same, told to `sink` while it happens and not kept. `names`: of unplayed_history.
engine::ReplicaAudit simulate_replica_into(history::HistorySink& sink,
                                           history::JobHistory const& names,
                                           scenario::Scenario const& scenario,
                                           scenario::Strategy const& strategy, std::uint64_t seed,
                                           std::uint32_t replica,
                                           engine::ReplicaOptions const& options = {});
/// The same, reduced to its record (sim/study/record.hpp).
Record predict_replica(scenario::Scenario const& scenario, scenario::Strategy const& strategy,
                       std::uint64_t seed, std::uint32_t replica,
                       engine::ReplicaOptions const& options = {});

/// The sites of the scenario's pool, as the columns of its records name them.
std::vector<std::string> site_names(scenario::Scenario const& scenario);

struct Prediction {
  std::string scenario;  // its file
  std::string title;
  std::string strategy;
  std::string calibration;    // SHA-256 of its file
  int jobs = 0;               // that the scenario submits
  std::size_t requested = 0;  // replicas; sample.size() came back
  std::uint64_t seed = 0;
  StudySample sample;
  std::vector<FailedReplica> failed;
  bool interrupted = false;
  std::string scenario_sha256 = {}, question = {};
  std::vector<Problem> trouble = {};  // of the machine
  int gpus_per_job = 1;
  Bytes input = {}, input_limit = {};  // of a job, and of what the access point sends itself
  std::vector<scenario::HypothesisWeight> weights = {};  // as the calibration has them
  std::optional<std::size_t> recorded_jobs = {};         // that it was made of
  scenario::Untold beyond_record = scenario::Untold::nothing;
};

/// What the record behind the calibration does not tell of how a strategy's input comes.
scenario::Untold beyond_record(scenario::Scenario const& scenario,
                               scenario::Strategy const& strategy);

Prediction predict(scenario::Scenario const& scenario, scenario::Strategy const& strategy,
                   StudyOptions const& options);

/// A recorded campaign re-enacted many times. Under a strategy that decides as the recorded one
/// did, every replica is the same, namely the record; under another, replicas differ in what the
/// record cannot tell. As predict(), of the recorded jobs instead of the scenario's campaign; the
/// worlds are draws of the scenario's calibration. Figures of a table's rows compare with the
/// table's under their "table:" names.
Prediction replay_study(history::JobHistory const& record, scenario::Scenario const& scenario,
                        scenario::Strategy const& strategy, StudyOptions const& options);

/// All replicas gave the same figures: nothing was drawn that mattered.
bool deterministic(StudySample const& sample);

/// A simulated campaign as a report would print it, and how long it took, which a table does not
/// tell.
struct SimulatedCampaignReport {
  history::JobTable table;
  Seconds makespan;  // first submission to last event
};

/// 404, site outages and corrupt inputs: fitted from counts, and to a fit of another process only
/// noise.
enum class Shocks { left_out, drawn };

/// What the fits that go through the simulator compare with the real table: one replica as the
/// pool's software plays it. Jobs that are left at the horizon are removed.
SimulatedCampaignReport simulated_report(scenario::Pool const& pool,
                                         scenario::Campaign const& campaign,
                                         scenario::ParameterDraw const& draw,
                                         RandomStreams const& streams, Seconds horizon,
                                         Shocks shocks = Shocks::left_out);

// A prediction that is told while it grows, for whoever watches: what there is after a moment, then
// more and more of it. Replicas are the same whoever asks and in whatever parts, so the last one is
// predict()'s own.

/// predict() in parts that take about `part` each or add half of what there is, the first a few
/// replicas only; `seen` is told each but the last, which is returned. What was played is kept in
/// the journal of `options.resume`, which has to be given.
Prediction predict_growing(scenario::Scenario const& scenario, scenario::Strategy const& strategy,
                           StudyOptions options, std::chrono::milliseconds part,
                           std::function<void(Prediction const&)> const& seen);

/// Distinguishes the replicas of a study from those of others. It depends on scenario, pool and
/// calibration, seed, options, this build of gridcast, and `what`, which distinguishes studies of one
/// scenario and seed.
std::string study_fingerprint(scenario::Scenario const& scenario, StudyOptions const& options,
                              std::string const& what);

/// `what` of a prediction under the strategy.
std::string what_is_predicted(std::string const& strategy);

/// The result of predict(), from replicas that other processes simulated.
Prediction prediction_of(scenario::Scenario const& scenario, scenario::Strategy const& strategy,
                         StudyOptions const& options, PoolResult played);

/// What would be left of a simulated campaign in the record that the forecast is held against.
/// Called in child processes.
using Instrument = std::function<history::JobHistory(history::JobHistory const& simulated)>;

struct BalancedOptions {
  std::size_t draws = 100;
  std::size_t replicas_a_draw = 2;
  std::uint64_t seed = 1;
  unsigned processes = 1;
  Progress progress = {};
};

struct BalancedForecast {
  StudySample sample;  // the metrics of a replica, of draws all of whose replicas were played
  std::vector<FailedReplica> failed;
  bool interrupted = false;
};

/// The forecast from all of its replicas. It leaves out a draw that lost one of them, as the rows of
/// one draw would not be known otherwise.
BalancedForecast balanced_forecast_of(PoolResult played, std::size_t replicas_a_draw);

/// Several forecasts as one, of as many draws of each: the first draw of the first, the second of
/// the second. They have the same metrics.
BalancedForecast mixed(std::vector<BalancedForecast const*> const& parts,
                       std::size_t replicas_a_draw);

BalancedForecast balanced_forecast(scenario::Scenario const& scenario,
                                   scenario::Strategy const& strategy, Instrument const& instrument,
                                   BalancedOptions const& options);

/// The metrics of a replica of a campaign that took place, in the same order; NaN where they are
/// not known.
std::vector<double> replica_figures(history::JobHistory const& history);

}  // namespace gridcast::study
