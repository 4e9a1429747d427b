// Predictive distributions. A replica has parameters drawn from the calibration (input uncertainty)
// and events drawn from the seed (simulation noise), and is reduced to a record.
//
// The rows of the calibration's draws are the posterior: the number of a hypothesis's rows is
// proportional to its probability. Random rows would make a study's shares of the hypotheses depend
// on the seed. They are therefore stratified: among the first n replicas, for each n, hypothesis h
// has within one of n p(h). Turn t goes to the hypothesis
//   with  t p(h) - u(h) >= 1 / (2H - 2)  whose next turn is due first, at
//   ceil((u(h) + 1 - 1 / (2H - 2)) / p(h))
// where u(h) is the number of turns that h has had among the H hypotheses (Tijdeman 1980, "The
// chairman assignment problem"). Within a hypothesis the seed draws the order of the rows, each
// once before one occurs twice.
//
// A balanced forecast separates ignorance from random events: it simulates some rows, evenly spaced
// among all rows, several times each (balanced one-way design), and sees them as a record would.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/interrupt.hpp"
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

/// Index of the row of a replica; the same for every strategy and any number of replicas.
std::size_t draw_row(scenario::Calibration const& calibration, std::uint64_t seed,
                     std::uint32_t replica);

/// The owner of each of n turns among things with these `counts`, by the rule above with p = count
/// / sum of counts.
std::vector<std::size_t> fair_turns(std::vector<std::size_t> const& counts, std::size_t turns);

/// The options of a study. Its result depends only on the number of replicas, the seed and the
/// options of the simulation.
struct StudyOptions {
  std::size_t replicas = 1000;
  std::uint64_t seed = 1;
  unsigned processes = 1;
  engine::ReplicaOptions simulation;
  Progress progress;
  std::filesystem::path resume;  // folder of the journal; empty: none is kept
  bool all = false;   // simulates all replicas of strategies that cannot win, too (comparison.hpp)
  bool rows = false;  // records have the metrics of the job table: an observed table is compared
  /// The longest time that a replica may compute.
  std::chrono::milliseconds patience = default_patience;
};

/// The journal of a study of the scenario whose records have the columns `names`; null without a
/// folder. `what` distinguishes studies of one scenario and seed.
std::unique_ptr<Journal> open_journal(scenario::Scenario const& scenario,
                                      StudyOptions const& options,
                                      std::vector<std::string> const& names,
                                      std::string const& what);

/// The parameters of a replica: its row of the calibration's draws.
scenario::ParameterDraw const& draw_of(scenario::Calibration const& calibration, std::uint64_t seed,
                                       std::uint32_t replica);

/// A history without events: the jobs that the strategy submits, and the sites that they can be at.
history::JobHistory names_of(scenario::Scenario const& scenario,
                             scenario::Strategy const& strategy);

/// Simulates the replica of that number. `watcher` receives its events while they happen.
engine::Replica simulate_replica(scenario::Scenario const& scenario,
                                 scenario::Strategy const& strategy, std::uint64_t seed,
                                 std::uint32_t replica, engine::ReplicaOptions const& options = {},
                                 history::HistorySink* watcher = nullptr);
/// The same with events that go to `sink` and are not kept. `names`: names_of(scenario, strategy).
engine::ReplicaAudit simulate_replica_into(history::HistorySink& sink,
                                           history::JobHistory const& names,
                                           scenario::Scenario const& scenario,
                                           scenario::Strategy const& strategy, std::uint64_t seed,
                                           std::uint32_t replica,
                                           engine::ReplicaOptions const& options = {});
/// The record of the same replica (sim/study/record.hpp).
Record predict_replica(scenario::Scenario const& scenario, scenario::Strategy const& strategy,
                       StudyOptions const& options, std::uint32_t replica);

/// The sites of the scenario's pool, as the columns of its records name them.
std::vector<std::string> site_names(scenario::Scenario const& scenario);

/// The facts of a study that do not depend on its strategies.
struct StudyFacts {
  std::string scenario;  // its file
  std::string scenario_sha256, title, question;
  std::string calibration;  // SHA-256 of its file
  std::uint64_t seed = 0;
  std::size_t requested = 0;  // replicas of each strategy
  bool interrupted = false;
  std::vector<Problem> trouble = {};  // of the machine
  int gpus_per_job = 1;
  Bytes input = {};        // of a job
  Bytes input_limit = {};  // of the input that the access point itself sends
  std::vector<scenario::HypothesisWeight> weights = {};  // of the calibration
  std::optional<std::size_t> recorded_jobs = {};         // jobs in the calibration's record
  std::string record_words = {};                         // of a record that is not the user's own
  scenario::Preferences preferences = {};                // of the owner
};
StudyFacts facts_of(scenario::Scenario const& scenario, StudyOptions const& options);

struct Prediction : StudyFacts {
  std::string strategy = {};
  std::string about = {};   // the strategy
  int jobs = 0;             // that the scenario submits
  StudySample sample = {};  // the replicas that came back
  std::vector<FailedReplica> failed = {};
  scenario::RecordGap beyond_record = scenario::RecordGap::none;
};

/// The kind of input of a strategy that the record behind the calibration does not contain.
scenario::RecordGap beyond_record(scenario::Scenario const& scenario,
                                  scenario::Strategy const& strategy);

Prediction predict(scenario::Scenario const& scenario, scenario::Strategy const& strategy,
                   StudyOptions const& options);

/// Replays of a recorded campaign. Under a strategy that decides as the recorded strategy did,
/// every replica is the record. Under another strategy, replicas differ in the events that the
/// record does not contain. The result is as that of predict(), for the recorded jobs instead of
/// the scenario's campaign, with draws of the scenario's calibration. Figures of a table's rows
/// compare with the table's under their "table:" names.
Prediction replay_study(history::JobHistory const& record, scenario::Scenario const& scenario,
                        scenario::Strategy const& strategy, StudyOptions const& options);

/// True if all replicas have the same figures: no random number mattered.
bool deterministic(StudySample const& sample);

/// A simulated campaign as the job table of a report, and its duration, which a table does not
/// have.
struct SimulatedCampaignReport {
  history::JobTable table;
  Seconds makespan;  // first submission to last event
};

/// 404, site outages and corrupt inputs. They are fitted from counts, and are noise to the fit of
/// another process.
enum class Shocks { left_out, drawn };

/// The campaign that fits by simulation compare with the real table: one replica under the pool's
/// software. Jobs that are left at the horizon are removed.
SimulatedCampaignReport simulated_report(scenario::Pool const& pool,
                                         scenario::Campaign const& campaign,
                                         scenario::ParameterDraw const& draw,
                                         RandomStreams const& streams, Seconds horizon,
                                         Shocks shocks = Shocks::left_out);

// A growing study shows its answer early and improves it. Replicas do not depend on the parts, so
// the last answer is that of the whole study. The journal of `options.resume`, which is required,
// keeps the replicas.

/// A study of `few` replicas, then of `more`, then always of twice as many as before. `seen`
/// receives each but the last, which is returned.
template <class Study>
Study grow(StudyOptions options, std::size_t few, std::size_t more,
           std::function<Study(StudyOptions const&)> const& simulate,
           std::function<void(Study const&)> const& seen) {
  check(!options.resume.empty(), "a growing study has a journal");
  InterruptWatch const interrupts;  // also between the parts
  std::size_t const all = options.replicas;
  for (std::size_t next = few;; next = std::max(more, 2 * next)) {
    options.replicas = std::min(all, next);
    Study study = simulate(options);
    study.requested = all;
    bool const ends = study.interrupted || !study.trouble.empty();
    if (ends || options.replicas == all) return study;
    seen(study);
  }
}

/// predict() in parts.
Prediction predict_growing(scenario::Scenario const& scenario, scenario::Strategy const& strategy,
                           StudyOptions const& options,
                           std::function<void(Prediction const&)> const& seen);

/// Distinguishes the replicas of a study from those of others. It depends on scenario, pool and
/// calibration, seed, options, this build of gridcast, and `what`, which distinguishes studies of
/// one scenario and seed.
std::string study_fingerprint(scenario::Scenario const& scenario, StudyOptions const& options,
                              std::string const& what);

/// `what` of a prediction under the strategy.
std::string what_is_predicted(std::string const& strategy);

/// The result of predict(), from replicas that other processes simulated.
Prediction prediction_of(scenario::Scenario const& scenario, scenario::Strategy const& strategy,
                         StudyOptions const& options, PoolResult played);

/// The part of a simulated campaign that the record of the real campaign would contain. Child
/// processes call it.
using Instrument = std::function<history::JobHistory(history::JobHistory const& simulated)>;

struct BalancedOptions {
  std::size_t draws = 100;
  std::size_t replicas_a_draw = 2;
  std::uint64_t seed = 1;
  unsigned processes = 1;
  Progress progress = {};
};

struct BalancedForecast {
  StudySample sample;  // metrics of the replicas of complete draws
  std::vector<FailedReplica> failed;
  bool interrupted = false;
};

/// The forecast from all of its replicas. It leaves out a draw that lost one of them, as the rows
/// of one draw would not be known otherwise.
BalancedForecast balanced_forecast_of(PoolResult played, std::size_t replicas_a_draw);

/// Several forecasts with the same metrics as one: the first draw of the first, the second draw of
/// the second, and so on.
BalancedForecast mixed(std::vector<BalancedForecast const*> const& parts,
                       std::size_t replicas_a_draw);

BalancedForecast balanced_forecast(scenario::Scenario const& scenario,
                                   scenario::Strategy const& strategy, Instrument const& instrument,
                                   BalancedOptions const& options);

}  // namespace gridcast::study
