#include "sim/study/prediction.hpp"

#include <bit>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "gridcast_version.hpp"
#include "sim/base/files.hpp"
#include "sim/engine/job_ad.hpp"
#include "sim/engine/longer_limits.hpp"
#include "sim/engine/other_rules.hpp"
#include "sim/engine/replay.hpp"
#include "sim/engine/resampled_jobs.hpp"
#include "sim/engine/site_slots.hpp"
#include "sim/ledger/metrics.hpp"
#include "sim/scenario/catalogue.hpp"
#include "sim/scenario/draw_columns.hpp"
#include "sim/scenario/submit_strategy.hpp"
#include "sim/scenario/tables.hpp"
#include "sim/study/journal.hpp"
#include "sim/study/record.hpp"

namespace gridcast::study {
namespace {

// One replica of a scenario, for any source of its jobs: steps that are drawn from fitted processes
// (engine/replica.hpp), or whole job histories of the calibration's record
// (engine/resampled_jobs.hpp), which the strategy then replays (engine/replay.hpp).

/// Which replica it is, and the parameters that it has.
struct ReplicaKey {
  std::uint64_t seed = 1;
  std::uint32_t replica = 0;
  scenario::ParameterDraw const& draw;
};

/// The prior, without the kinds that the scenario switches off.
engine::CampaignVariation variation_of(std::string const& without) {
  using engine::CampaignVariation;
  if (scenario::names_process(without, scenario::campaign_variation)) return {};
  CampaignVariation variation = engine::usual_variation();
  constexpr std::pair<std::string_view, engine::FactorLaw CampaignVariation::*> factors[] = {
      {"computing-variation", &CampaignVariation::computing},
      {"transfer-variation", &CampaignVariation::transfers},
      {"attempt-variation", &CampaignVariation::repeats},
      {"hold-variation", &CampaignVariation::holds},
      {"waiting-variation", &CampaignVariation::waiting},
      {"outcome-variation", &CampaignVariation::odds}};
  for (auto const& [name, factor] : factors) {
    if (scenario::names_process(without, name)) variation.*factor = {};
  }
  if (scenario::names_process(without, "unseen-events")) variation.unseen = {};
  return variation;
}

/// Where the strategy's jobs do not run: hosts, and sites that do not meet its requirements. All
/// recorded slots are left if none would be.
engine::AvoidedSlots avoided_slots(scenario::Scenario const& scenario,
                                   scenario::Strategy const& strategy) {
  auto const& jobs = scenario.calibration.recorded->jobs;
  engine::AvoidedSlots const avoided{
      strategy.match.avoid_hosts, engine::sites_not_required(jobs.names.sites, scenario.pool,
                                                             scenario.campaign.request, strategy)};
  return engine::leaves_slots(jobs, avoided) ? avoided : engine::AvoidedSlots();
}

/// The strategy in the slots that are left, where it decides as in all slots.
scenario::Strategy elsewhere_alike(scenario::Strategy strategy,
                                   scenario::Strategy const& recorded) {
  strategy.match.avoid_hosts = recorded.match.avoid_hosts;
  strategy.retry.policy.requirements = recorded.retry.policy.requirements;
  return strategy;
}

engine::ReplicaAudit repeat_record(history::HistorySink& sink, history::JobHistory const& names,
                                   scenario::Scenario const& scenario,
                                   scenario::Campaign const& campaign,
                                   scenario::Strategy const& strategy, ReplicaKey const& key,
                                   engine::ReplicaOptions const& options) {
  auto const& recorded = *scenario.calibration.recorded;
  auto const variation = variation_of(scenario.study.without);
  auto const factors = engine::campaign_factors(variation, key.seed, key.replica);
  RandomStreams const streams(key.seed, key.replica);
  auto const avoided = avoided_slots(scenario, strategy);
  auto available =
      avoided.none()
          ? recorded
          : history::RecordedCampaign{engine::without_slots(recorded.jobs, avoided,
                                                            streams.stream(Purpose::bootstrap, 6)),
                                      engine::supply_without_slots(recorded, avoided)};
  auto const &rules = scenario.recorded_strategy().retry.policy, &now = strategy.retry.policy;
  available.jobs = engine::under_longer_limit(
      std::move(available.jobs), {rules.allowed_execute_duration, now.allowed_execute_duration},
      streams);
  available.jobs = engine::under_other_rules(std::move(available.jobs), rules, now, streams);
  auto const jobs =
      engine::resampled_jobs(available.jobs, names.jobs.size(), factors, variation.unseen, streams);
  history::SlotSupply slots = available.slots;
  for (Seconds& at : slots.first_free) at = at * factors.waiting;
  slots.pause = slots.pause * factors.waiting;
  engine::ReplayGrid const grid{scenario.pool.access_point, scenario.campaign.input_size(),
                                scenario.recorded_strategy()};
  return engine::replay_next(sink, {jobs, slots, names.jobs, campaign, options.horizon}, grid,
                             elsewhere_alike(strategy, grid.recorded), key.draw, streams);
}

/// Rows by hypothesis, those without one first; no group is empty.
std::vector<std::vector<std::size_t>> rows_by_hypothesis(scenario::Calibration const& calibration) {
  constexpr std::size_t hypotheses = 4;
  std::vector<std::vector<std::size_t>> groups(1 + hypotheses);
  for (std::size_t row = 0; row < calibration.draws.size(); ++row) {
    auto const hypothesis = scenario::hypothesis(calibration.draws[row].outages);
    groups[hypothesis ? 1 + static_cast<std::size_t>(*hypothesis) : 0].push_back(row);
  }
  std::erase_if(groups, [](auto const& group) { return group.empty(); });
  return groups;
}

/// A prediction from replicas whose records have the columns `names`.
Prediction study_of(scenario::Scenario const& scenario, scenario::Strategy const& strategy,
                    StudyOptions const& options, std::vector<std::string> const& names,
                    PoolResult result) {
  Prediction prediction{facts_of(scenario, options)};
  prediction.strategy = strategy.name;
  prediction.about = strategy.description.about;
  prediction.jobs = scenario.campaign.jobs();
  prediction.sample = make_sample(names, std::move(result.records));
  prediction.failed = std::move(result.failed);
  prediction.trouble = std::move(result.trouble);
  prediction.interrupted = result.interrupted;
  prediction.beyond_record = beyond_record(scenario, strategy);
  return prediction;
}

/// Simulates the replicas; their records have the columns `names`. `what`: of the journal.
PoolResult run_all(scenario::Scenario const& scenario, StudyOptions const& options,
                   std::vector<std::string> const& names, std::string const& what,
                   std::function<Record(std::uint32_t)> const& task) {
  auto const journal = open_journal(scenario, options, names, what);
  return run_replicas(options.replicas, options.processes, task, options.progress, options.patience,
                      journal.get());
}

std::vector<std::string> sites_of(history::JobHistory const& record) {
  std::set<std::string> const names(record.sites.begin(), record.sites.end());
  return {names.begin(), names.end()};
}

/// All parts of a record that a replay reads.
std::string text_of(history::JobHistory const& record) {
  std::string text;
  for (history::JobEvent const& event : record.events) {
    text += fmt::format("{} {} {} {} {} {} {} {}\n", to_text(record.jobs[event.job.index()]),
                        static_cast<int>(event.kind), static_cast<int>(event.reason),
                        event.site.valid() ? record.sites[event.site.index()] : "",
                        event.at.value(), event.executed.value(), event.useful, event.gpus);
  }
  return text;
}

/// True if two numbers have the same bits; NaN equals itself.
bool same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

bool offers_no_slot(scenario::Scenario const& scenario, scenario::Strategy const& strategy,
                    scenario::ParameterDraw const& draw) {
  auto const campaign = scenario::submitted_campaign(scenario, strategy);
  return engine::slots_offered(scenario.pool, campaign, strategy, draw) == 0;
}

/// A scenario of the user's own has another program than the shipped record. Its small input stalls
/// as often as the record's large one where a cache or a path is dead, so the size is part of it.
std::string words_of_record(scenario::Scenario const& scenario) {
  constexpr double much_larger = 100;
  auto const& record = scenario.calibration.record;
  Bytes const input = scenario.campaign.input_size();
  // A copy of a shipped scenario has the record's input, to the byte.
  bool const foreign = record.jobs && input != record.input_size &&
                       scenario::is_shipped(scenario.calibration.file, "calibration") &&
                       !scenario::is_shipped(scenario.file, "scenarios");
  if (!foreign) return "";
  bool const small = input > Bytes() && record.input_size > input * much_larger;
  bool const without_gpus = scenario::without_gpus(scenario.campaign);
  return fmt::format(
      "{} {}jobs of another program{}{}", *record.jobs, without_gpus ? "GPU " : "",
      small ? fmt::format(", each with {} of input", to_text(record.input_size)) : "",
      without_gpus ? " (CPU jobs may fail more or less often, and their slots are its GPUs: "
                     "pool.sites.NAME.slots states others)"
                   : "");
}

/// Events go to `sink` and are not kept. `names`: names_of(scenario, strategy).
engine::ReplicaAudit simulate_into(history::HistorySink& sink, history::JobHistory const& names,
                                   scenario::Scenario const& scenario,
                                   scenario::Strategy const& strategy, ReplicaKey const& key,
                                   engine::ReplicaOptions const& options) {
  auto const campaign = scenario::submitted_campaign(scenario, strategy);
  if (scenario.calibration.recorded) {
    return repeat_record(sink, names, scenario, campaign, strategy, key, options);
  }
  return engine::simulate_into(sink, names.jobs, scenario.pool, campaign, strategy, key.draw,
                               RandomStreams(key.seed, key.replica), options);
}

/// Keeps the events. `watcher` (may be null) receives them while they happen.
engine::Replica simulate(scenario::Scenario const& scenario, scenario::Strategy const& strategy,
                         ReplicaKey const& key, engine::ReplicaOptions const& options = {},
                         history::HistorySink* watcher = nullptr) {
  if (!scenario.calibration.recorded) {
    return engine::simulate(scenario.pool, scenario::submitted_campaign(scenario, strategy),
                            strategy, key.draw, RandomStreams(key.seed, key.replica), options,
                            watcher);
  }
  engine::Replica replica{names_of(scenario, strategy), {}};
  engine::WatchedKeeper keeper(replica.history, watcher);
  history::JobHistory const names = replica.history;
  replica.audit = simulate_into(keeper, names, scenario, strategy, key, options);
  return replica;
}

}  // namespace

history::JobHistory names_of(scenario::Scenario const& scenario,
                             scenario::Strategy const& strategy) {
  auto names =
      engine::unplayed_history(scenario.pool, scenario::submitted_campaign(scenario, strategy));
  if (!scenario.calibration.recorded) return names;
  history::JobHistory const& recorded = scenario.calibration.recorded->jobs.names;
  names.sites = recorded.sites;
  names.gpus = recorded.gpus;
  names.gpus_per_job = recorded.gpus_per_job;
  return names;
}

std::vector<std::size_t> fair_turns(std::vector<std::size_t> const& counts, std::size_t turns) {
  auto const sum = sum_of<std::size_t>(counts, std::identity());
  check(sum > 0, "turns are of something");
  if (counts.size() == 1) return std::vector<std::size_t>(turns, 0);
  double const all = static_cast<double>(sum);
  double const slack = 1 / (2 * static_cast<double>(counts.size()) - 2);
  std::vector<double> shares, had(counts.size(), 0);
  for (std::size_t const count : counts) shares.push_back(static_cast<double>(count) / all);
  std::vector<std::size_t> order;
  constexpr double rounding = 1e-9;
  for (std::size_t turn = 1; turn <= turns; ++turn) {
    std::size_t next = counts.size();
    double first_due = infinity;
    for (std::size_t h = 0; h < counts.size(); ++h) {
      double const p = shares[h];
      if (!(p > 0) || static_cast<double>(turn) * p - had[h] < slack - rounding) continue;
      double const due = (had[h] + 1 - slack) / p;
      if (due < first_due - rounding) {
        first_due = due;
        next = h;
      }
    }
    check(next < counts.size(), "somebody is due at each turn");
    had[next] += 1;
    order.push_back(next);
  }
  return order;
}

std::size_t draw_row(scenario::Calibration const& calibration, std::uint64_t seed,
                     std::uint32_t replica) {
  std::size_t const rows = calibration.draws.size();
  std::size_t const turn = replica % rows;
  auto const groups = rows_by_hypothesis(calibration);
  std::vector<std::size_t> counts;
  for (auto const& group : groups) counts.push_back(group.size());
  auto const turns = fair_turns(counts, turn + 1);
  std::size_t const whose = turns.back();
  auto const place = static_cast<std::size_t>(std::ranges::count(turns, whose)) - 1;
  auto order = groups[whose];
  auto const round = static_cast<std::uint32_t>(replica / rows);
  auto stream = RandomStreams(seed, 0).stream(Purpose::parameters,
                                              static_cast<std::uint32_t>(order.front()), round);
  for (std::size_t i = 0; i <= place; ++i) {
    auto const left = static_cast<std::uint32_t>(order.size() - i);
    std::swap(order[i], order[i + stream.below(left)]);
  }
  return order[place];
}

scenario::ParameterDraw const& draw_of(scenario::Calibration const& calibration, std::uint64_t seed,
                                       std::uint32_t replica) {
  return calibration.draws[draw_row(calibration, seed, replica)];
}

engine::Replica simulate_replica(scenario::Scenario const& scenario,
                                 scenario::Strategy const& strategy, std::uint64_t seed,
                                 std::uint32_t replica, engine::ReplicaOptions const& options,
                                 history::HistorySink* watcher) {
  return simulate(scenario, strategy, {seed, replica, draw_of(scenario.calibration, seed, replica)},
                  options, watcher);
}

engine::ReplicaAudit simulate_replica_into(history::HistorySink& sink,
                                           history::JobHistory const& names,
                                           scenario::Scenario const& scenario,
                                           scenario::Strategy const& strategy, std::uint64_t seed,
                                           std::uint32_t replica,
                                           engine::ReplicaOptions const& options) {
  return simulate_into(sink, names, scenario, strategy,
                       {seed, replica, draw_of(scenario.calibration, seed, replica)}, options);
}

Record predict_replica(scenario::Scenario const& scenario, scenario::Strategy const& strategy,
                       StudyOptions const& options, std::uint32_t replica) {
  auto const names = names_of(scenario, strategy);
  RecordKeeper keeper(names, scenario::job_count(scenario, strategy), options.rows);
  std::size_t const row = draw_row(scenario.calibration, options.seed, replica);
  auto const& draw = scenario.calibration.draws[row];
  simulate_into(keeper, names, scenario, strategy, {options.seed, replica, draw},
                options.simulation);
  auto const sites = site_names(scenario);
  Record record = keeper.finish(sites, draw, row);
  constexpr std::size_t never_ran_before_end = columns_of_draw + 1;
  double& never_ran = record[record.size() - never_ran_before_end];
  bool const no_match = never_ran == static_cast<double>(NeverRan::not_matched);
  if (no_match && offers_no_slot(scenario, strategy, draw)) {
    never_ran = static_cast<double>(NeverRan::no_slots);
  }
  return record;
}

std::vector<std::string> site_names(scenario::Scenario const& scenario) {
  return scenario::names_of(scenario.pool.sites);
}

std::string study_fingerprint(scenario::Scenario const& scenario, StudyOptions const& options,
                              std::string const& what) {
  return sha256(fmt::format(
      "{} {} {} {} {} {} {} {} {}", version_number, build_identity(), scenario.sha256,
      scenario.calibration.sha256, options.seed, static_cast<int>(options.simulation.network),
      options.simulation.horizon.value_or(Seconds()).value(), options.rows, what));
}

std::unique_ptr<Journal> open_journal(scenario::Scenario const& scenario,
                                      StudyOptions const& options,
                                      std::vector<std::string> const& names,
                                      std::string const& what) {
  if (options.resume.empty()) return nullptr;
  prepare_folder(options.resume);
  return std::make_unique<Journal>(
      options.resume / "study.journal", study_fingerprint(scenario, options, what),
      [names](Record const& record) { return is_possible(record, names); });
}

StudyFacts facts_of(scenario::Scenario const& scenario, StudyOptions const& options) {
  return {.scenario = scenario::arguments_of(scenario),
          .scenario_sha256 = scenario.sha256,
          .title = scenario.title,
          .question = scenario.question,
          .calibration = scenario.calibration.sha256,
          .seed = options.seed,
          .requested = options.replicas,
          .gpus_per_job = std::max(1, scenario.campaign.request.gpus),
          .input = scenario.campaign.input_size(),
          .input_limit = scenario.pool.access_point.input_limit(),
          .weights = scenario.calibration.record.weights,
          .recorded_jobs = scenario.calibration.record.jobs,
          .record_words = words_of_record(scenario),
          .preferences = scenario.study.preferences};
}

scenario::RecordGap beyond_record(scenario::Scenario const& scenario,
                                  scenario::Strategy const& strategy) {
  bool const fetches = strategy.training.data == scenario::DataAccess::copy &&
                       scenario.campaign.input_size() > Bytes();
  return fetches ? scenario::record_gap(scenario.calibration, strategy.transfer.protocol)
                 : scenario::RecordGap::none;
}

std::string what_is_predicted(std::string const& strategy) { return "predict " + strategy; }

Prediction predict(scenario::Scenario const& scenario, scenario::Strategy const& strategy,
                   StudyOptions const& options) {
  auto const task = [&](std::uint32_t replica) {
    return predict_replica(scenario, strategy, options, replica);
  };
  auto const names = record_names(site_names(scenario), options.rows);
  return prediction_of(scenario, strategy, options,
                       run_all(scenario, options, names, what_is_predicted(strategy.name), task));
}

Prediction prediction_of(scenario::Scenario const& scenario, scenario::Strategy const& strategy,
                         StudyOptions const& options, PoolResult simulated) {
  return study_of(scenario, strategy, options, record_names(site_names(scenario), options.rows),
                  std::move(simulated));
}

Prediction replay_study(history::JobHistory const& record, scenario::Scenario const& scenario,
                        scenario::Strategy const& strategy, StudyOptions const& options) {
  auto const sites = sites_of(record);
  engine::ReplayGrid const grid{scenario.pool.access_point, scenario.campaign.input_size(),
                                scenario.recorded_strategy()};
  auto const task = [&](std::uint32_t number) {
    std::size_t const row = draw_row(scenario.calibration, options.seed, number);
    auto const& draw = scenario.calibration.draws[row];
    auto const simulated =
        engine::replay(record, grid, strategy, draw, RandomStreams(options.seed, number));
    return make_record(simulated.history, sites, draw, row);
  };
  auto const names = record_names(sites);
  std::string const what = "replay " + strategy.name + " " + sha256(text_of(record));
  Prediction prediction =
      study_of(scenario, strategy, options, names, run_all(scenario, options, names, what, task));
  prediction.scenario = scenario.file.string();
  prediction.jobs = static_cast<int>(record.jobs.size());
  return prediction;
}

bool deterministic(StudySample const& sample) {
  if (sample.size() == 0) return false;
  // The last columns describe the parameter draw, not the campaign.
  auto const& first = sample.records.front();
  return std::ranges::all_of(sample.records, [&](SharedRecord const& record) {
    return std::equal(record.begin(), record.end() - columns_of_draw, first.begin(), same);
  });
}

SimulatedCampaignReport simulated_report(scenario::Pool const& pool,
                                         scenario::Campaign const& campaign,
                                         scenario::ParameterDraw const& draw,
                                         RandomStreams const& streams, Seconds horizon,
                                         Shocks shocks) {
  scenario::Strategy const published = scenario::strategy_under(pool.software);
  history::JobHistory const history =
      engine::simulate(pool, campaign, published, draw, streams,
                       {.shocks = shocks == Shocks::drawn, .horizon = horizon})
          .history;
  Seconds const makespan =
      history.events.empty() ? Seconds() : history.events.back().at - history.events.front().at;
  return {history::to_table(history), makespan};
}

Prediction predict_growing(scenario::Scenario const& scenario, scenario::Strategy const& strategy,
                           StudyOptions const& options,
                           std::function<void(Prediction const&)> const& seen) {
  constexpr std::size_t few = 16;  // enough for a useful median, few enough to be ready at once
  return grow<Prediction>(
      options, few, 2 * few,
      [&](StudyOptions const& part) { return predict(scenario, strategy, part); }, seen);
}

BalancedForecast balanced_forecast(scenario::Scenario const& scenario,
                                   scenario::Strategy const& strategy, Instrument const& instrument,
                                   BalancedOptions const& options) {
  // A replica's number is draw x replicas_a_draw + k.
  auto const task = [&](std::uint32_t replica) {
    auto const& rows = scenario.calibration.draws;
    std::size_t const draw = replica / options.replicas_a_draw;
    auto const& world = rows[(2 * draw + 1) * rows.size() / (2 * options.draws)];
    auto const simulated = simulate(scenario, strategy, {options.seed, replica, world});
    return replica_figures(instrument(simulated.history));
  };
  return balanced_forecast_of(run_replicas(options.draws * options.replicas_a_draw,
                                           options.processes, task, options.progress),
                              options.replicas_a_draw);
}

BalancedForecast balanced_forecast_of(PoolResult simulated, std::size_t replicas_a_draw) {
  std::set<std::size_t> incomplete;
  for (auto const& failed : simulated.failed) incomplete.insert(failed.replica / replicas_a_draw);
  std::erase_if(simulated.records, [&](auto const& record) {
    return incomplete.contains(record.first / replicas_a_draw);
  });
  return {
      make_sample(ledger::metric_names(ledger::MetricScope::replica), std::move(simulated.records)),
      std::move(simulated.failed), simulated.interrupted};
}

BalancedForecast mixed(std::vector<BalancedForecast const*> const& parts,
                       std::size_t replicas_a_draw) {
  BalancedForecast all;
  all.sample.names = parts.front()->sample.names;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    auto const& [sample, failed, interrupted] = *parts[i];
    for (std::size_t row = 0; row < sample.size(); ++row) {
      if (sample.replicas[row] / replicas_a_draw % parts.size() != i) continue;
      all.sample.replicas.push_back(static_cast<std::uint32_t>(all.sample.records.size()));
      all.sample.records.push_back(sample.records[row]);
    }
    all.failed.insert(all.failed.end(), failed.begin(), failed.end());
    all.interrupted = all.interrupted || interrupted;
  }
  return all;
}

}  // namespace gridcast::study
