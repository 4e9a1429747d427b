#include "calibration/calibrate.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "calibration/fits/cold_fit.hpp"
#include "calibration/fits/delay_fit.hpp"
#include "calibration/fits/execution_fit.hpp"
#include "calibration/fits/fixed_age_fit.hpp"
#include "calibration/fits/hazard_fit.hpp"
#include "calibration/fits/people_fit.hpp"
#include "calibration/fits/program_crash_fit.hpp"
#include "calibration/fits/removal_fit.hpp"
#include "calibration/fits/site_fit.hpp"
#include "calibration/fits/speed_fit.hpp"
#include "calibration/fits/stall_tests.hpp"
#include "calibration/fits/table_fit.hpp"
#include "calibration/inference/campaign_spread.hpp"
#include "calibration/inference/partial_pooling.hpp"
#include "calibration/records/attempt_record.hpp"
#include "calibration/records/complete_executions.hpp"
#include "calibration/records/record_parts.hpp"
#include "calibration/records/waits.hpp"
#include "calibration/simulated/simulated_fit.hpp"
#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/base/statistics.hpp"
#include "sim/base/text.hpp"
#include "sim/scenario/catalogue.hpp"
#include "sim/scenario/scenario.hpp"

namespace gridcast::calibration {

namespace {

std::vector<std::string> names_of(scenario::Pool const& pool) {
  std::vector<std::string> names;
  for (scenario::SiteSpec const& site : pool.sites) names.push_back(site.name);
  return names;
}

// The simulator must know every site that the table has jobs at.
void require_sites_in_pool(history::JobTable const& table, scenario::Pool const& pool,
                           TableCalibrationRequest const& request) {
  std::vector<std::string> const known = names_of(pool);
  std::set<std::string> missing;
  for (history::JobRow const& row : table.rows) {
    for (std::string const& site : row.sites) {
      if (std::find(known.begin(), known.end(), site) == known.end()) missing.insert(site);
    }
  }
  std::vector<Problem> problems;
  for (std::string const& site : missing) {
    problems.push_back({{request.pool.string()},
                        "the pool has no site '" + site + "'",
                        "jobs of the table ran there",
                        "Add it to the pool. " + suggestion(site, known)});
  }
  if (!problems.empty()) throw InputError(problems);
}

void require_transfers(TableRecords const& records, TableCalibrationRequest const& request) {
  bool const any = std::any_of(records.jobs.begin(), records.jobs.end(), [](JobRecord const& job) {
    return job.got_data && job.last_transfer;
  });
  if (any) return;
  throw InputError({{request.tables.empty() ? "" : request.tables.front().string()},
                    "no job of the table got its input",
                    "rates and stalls cannot be fitted from failures alone",
                    "Give tables with at least a few successful jobs."});
}

/// For a smaller input nearly all of the time is latency: bytes over seconds is no rate of a
/// network, and would give absurd times for an input of gigabytes.
constexpr Bytes smallest_rate_sample(1e6);

UrlInput url_input(history::JobHistory const& history, LogCalibrationOptions const& options) {
  if (history.transfers.empty() && !options.url_sizes.empty()) return {options.url_sizes, false};
  UrlInput input = urls_of(history);
  Bytes const received = options.received < smallest_rate_sample ? Bytes() : options.received;
  if (options.urls <= 0) {
    if (input.assumed) input.sizes = {received};
    return input;
  }
  if (input.sizes.size() != static_cast<std::size_t>(options.urls)) {
    input.sizes.assign(static_cast<std::size_t>(options.urls), received / options.urls);
  }
  input.assumed = false;
  return input;
}

// The stated lists of caches, which must be for sites of the log.
CacheLists known_caches(history::JobHistory const& history, LogCalibrationOptions const& options) {
  std::vector<Problem> problems;
  for (auto const& [site, caches] : options.caches) {
    if (std::find(history.sites.begin(), history.sites.end(), site) != history.sites.end())
      continue;
    problems.push_back(
        {{}, "--caches: the log has no site '" + site + "'", "", suggestion(site, history.sites)});
  }
  if (!problems.empty()) throw InputError(problems);
  return options.caches;
}

/// Kinds whose spread keeps its prior: the difference between campaigns' means is not fitted.
std::vector<CampaignKind> kinds_of_times() {
  std::vector<CampaignKind> kinds;
  for (char const* const scale :
       {"match_delay_scale_s", "plugin_start_scale_s", "setup_scale_s", "teardown_scale_s",
        "checkpoint_scale_s", "release_delay_scale_s"}) {
    kinds.push_back({.parameter = scale, .scale = spread_of_times});
  }
  kinds.push_back(
      {.parameter = "latency_s", .scale = spread_of_times, .inverse = "stream_limit_Bps"});
  for (char const* const scale : {"release_other_delay_scale_s", "remove_delay_scale_s"}) {
    kinds.push_back({.parameter = scale, .scale = spread_of_times});
  }
  return kinds;
}

std::vector<CampaignKind> kinds_of_events() {
  using enum PooledAs;
  return {{"crash", share, spread_of_failures},
          {"url_failure", share, spread_of_failures},
          {"url_hang", share, spread_of_failures},
          {"evict_per_s", rate, spread_of_restarts},
          {"disconnect_per_s", rate, spread_of_restarts},
          {"suspend_per_s", rate, spread_of_restarts},
          {"pilot_death_per_s", rate, spread_of_restarts},
          {"pilot_kill_per_s", rate, spread_of_restarts},
          {"hang", share, spread_of_failures},
          {"stop_per_s", rate, spread_of_failures},
          // Removals in quicker succession count as one intervention.
          {.parameter = "removal_per_s",
           .scale = spread_of_owners,
           .most = 1 / same_intervention.value()}};
}

/// Failures that belong to a job, or come at a fixed moment of its work.
std::vector<CampaignKind> kinds_of_lasting_failures() {
  using enum PooledAs;
  return {{"crash_of_job", share, spread_of_failures},
          {"stop_of_job", share, spread_of_failures},
          {"stop", share, spread_of_failures}};
}

SiteCount removals_in(std::optional<std::pair<Seconds, Seconds>> const& span,
                      Interventions const& interventions) {
  Seconds const from = span ? span->first : Seconds(-HUGE_VAL);
  Seconds const to = span ? span->second : Seconds(HUGE_VAL);
  SiteCount count{0, interventions.exposure(from, to)};
  for (Intervention const& each : interventions.all) {
    count.events += each.at >= from && each.at < to ? 1 : 0;
  }
  return count;
}

/// The share of draws in which an owner's interventions in the first days continue. A few days only
/// show the start of a campaign; the owner may have corrected the cause.
constexpr double interventions_go_on = 0.25;

void add_removals(Fit& fit, history::JobHistory const& history, AttemptRecords const& records,
                  std::size_t draws, RandomStreams const& streams) {
  Interventions const interventions = find_interventions(history);
  Fit removals = removal_fit(interventions, draws, streams);
  if (!shows_weeks(records) && !interventions.all.empty()) {
    only_in(removals, "removal_per_s", interventions_go_on,
            bootstrap_stream(streams, DrawsOf::removals, 2));
    fit.not_identified.push_back(
        {"removal_per_s",
         fmt::format("the owner removed jobs that waited or ran {} times, in less than three weeks",
                     interventions.all.size()),
         fmt::format("the same rate in {:.0f} % of the draws, none in the others: the start of a "
                     "campaign shows little of how often owners step in later",
                     100 * interventions_go_on)});
  }
  append(fit, removals);
}

/// If contact was cut in the only known campaign, it is cut in a share of the draws.
void cut_contact_in_some(Fit& fit, std::vector<CampaignKind> const& kinds,
                         RandomStreams const& streams) {
  auto const cut = std::find_if(kinds.begin(), kinds.end(), [](CampaignKind const& kind) {
    return kind.parameter == "disconnect_per_s";
  });
  if (cut == kinds.end() || cut->campaigns.size() != 1 || cut->campaigns.front().events <= 0)
    return;
  only_in(fit, cut->parameter, seen_once_goes_on,
          bootstrap_stream(streams, "disconnect_per_s goes on"));
  fit.not_identified.push_back(
      {cut->parameter, "contact was cut in one campaign of one",
       fmt::format("the same rate in {:.0f} % of the draws, none in the others: Jeffreys' mean of "
                   "the share of campaigns that have it",
                   100 * seen_once_goes_on)});
}

/// Widens the draws of rates by the spread between campaigns.
void spread(Fit& fit, history::JobHistory const& history, AttemptRecords const& records,
            TypicalTimes const& times, TransferFitInput const& input,
            LogCalibrationOptions const& options, RandomStreams const& streams) {
  bool const several = options.campaigns.size() > 1;
  std::vector<Part> parts;
  if (several) {
    parts = by_campaign(history, records, options.campaigns);
  } else if (shows_weeks(records)) {
    parts = by_week(records);
  }
  Interventions const interventions = find_interventions(history);
  StopLaws const laws = laws_of_stops(records, history.sites.size());
  auto kinds = kinds_of_events(), lasting = kinds_of_lasting_failures();
  auto const count_in = [&](AttemptRecords const& part, auto const& span) {
    HazardCounts const hazards = hazard_counts(history, part, times);
    UrlCounts const urls = url_counts(history, part, input);
    StopCounts const stops = count_stops(part, laws);
    auto const add = [&](std::vector<CampaignKind>& to, std::vector<SiteCount> const& counts) {
      for (std::size_t i = 0; i < to.size(); ++i) {
        to[i].part = several ? "campaign" : "week";
        if (counts[i].exposure > 0) to[i].campaigns.push_back(counts[i]);
      }
    };
    add(kinds, {hazards.crash, urls.failed, urls.hung, hazards.evict, hazards.disconnect,
                hazards.suspend, hazards.death, hazards.kill, hazards.hang, stops.at_any,
                removals_in(span, interventions)});
    add(lasting, {hazards.bad_jobs, stops.each_time, stops.at_moment});
  };
  for (Part const& part : parts) count_in(part.records, part.span);
  if (parts.empty()) count_in(records, decltype(Part::span)());
  for (CampaignKind const& kind : kinds_of_times()) kinds.push_back(kind);
  kinds.insert(kinds.end(), lasting.begin(), lasting.end());
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    // A log without transfers has no columns for them.
    if (!has_columns(fit, kinds[i])) continue;
    spread_between_campaigns(fit, kinds[i], options.between_campaigns, streams, i);
  }
  if (several || options.between_campaigns) return;
  cut_contact_in_some(fit, kinds, streams);
  fit.not_identified.push_back(
      {"how the next campaign differs", "one campaign shows no other",
       parts.size() > 1 ? fmt::format("taken for how its own {} weeks differ, see the parameters "
                                      "between_campaigns.*; logs of several campaigns, or "
                                      "--between-campaigns, decide",
                                      parts.size())
                        : "priors, see the parameters between_campaigns.*; logs of several "
                          "campaigns, or --between-campaigns, decide"});
}

/// The catalogue's speed of the GPUs at each site; equal speeds unless it has one for every site.
std::vector<SpeedPrior> speed_priors(std::vector<Place> const& places) {
  std::vector<SpeedPrior> priors;
  std::vector<std::string> models;
  std::vector<double> known;
  std::optional<scenario::Hardware> hardware;
  if (auto const file = scenario::shipped_file("scenarios/profiles/hardware.yaml")) {
    hardware = scenario::read_hardware(*file);
  }
  for (Place const& place : places) {
    std::string const model = short_model(place.gpus.model);
    auto const found = std::find(models.begin(), models.end(), model);
    SpeedPrior prior{0, static_cast<std::size_t>(found - models.begin()),
                     place.gpus.count.value_or(0)};
    if (found == models.end()) models.push_back(model);
    scenario::SiteSpec site;
    site.gpu = place.gpus.model;
    site.gpu_memory = place.gpus.memory;
    auto const* const gpu = hardware ? scenario::gpu_of_site(*hardware, site) : nullptr;
    if (gpu != nullptr) prior.log_speed = std::log(gpu->images_per_s);
    if (gpu != nullptr) known.push_back(prior.log_speed);
    priors.push_back(prior);
  }
  // The catalogue has no entry for sites without GPUs: they have the mean of the others.
  for (std::size_t s = 0; s < places.size(); ++s) {
    if (places[s].gpus.is_none() && !known.empty()) priors[s].log_speed = mean(known);
  }
  bool const all_known = std::all_of(priors.begin(), priors.end(),
                                     [](SpeedPrior const& prior) { return prior.log_speed > 0; });
  if (!all_known) {
    for (SpeedPrior& prior : priors) prior.log_speed = 0;
  }
  return priors;
}

// Holds with code 47 show the limit. Without them it is the shortest of OSPool's limits that no
// execution exceeded, if slots are glideins; otherwise no limit is known.
Seconds limit_of_executions(history::JobHistory const& history, AttemptRecords const& records) {
  constexpr double look = 600;  // the starter's, seconds
  std::optional<Seconds> held;
  Seconds longest;
  for (AttemptRecord const& attempt : records.attempts) {
    if (!attempt.executing || !attempt.times_known) continue;
    Seconds const time = attempt.end - *attempt.executing;
    longest = std::max(longest, time);
    if (attempt.reason == history::Reason::execution_too_long) {
      held = std::min(held.value_or(time), time);
    }
  }
  // A limit that acts before the starter's first look belongs to another batch system, which looks
  // more often.
  if (held && *held < Seconds(look)) return std::max(*held, Seconds(1));
  if (held) return Seconds(look * std::floor(*held / Seconds(look)));
  bool const glideins = std::any_of(
      history.slots.begin(), history.slots.end(),
      [](std::string const& slot) { return slot.find("glidein") != std::string::npos; });
  for (Seconds const usual : {scenario::medium_execution, scenario::long_execution}) {
    if (glideins && longest < usual) return usual;
  }
  return days(365);
}

bool shows_transfers(history::JobHistory const& history, AttemptRecords const& records) {
  return !history.transfers.empty() || std::any_of(records.attempts.begin(), records.attempts.end(),
                                                   [](AttemptRecord const& attempt) {
                                                     return attempt.input_started.has_value();
                                                   });
}

/// The gap of a record without transfers.
NotIdentified no_transfers(history::BatchSystem system) {
  std::string const unknown =
      ", for inputs of any size; the effect of another cache or timeout is not known";
  if (system == history::BatchSystem::other) {
    return {scenario::no_input_transfers, "the table has no transfers",
            "their time is in that from the attempt's begin to the program's" + unknown};
  }
  return {
      scenario::no_input_transfers,
      "the log has no 040 events (DAGMan's nodes log has none), and no ads or columns of a table "
      "show transfers",
      "their time is in that from the claim to the execution (TimeSlotBusy bounds it)" + unknown};
}

Seconds longest_hang(AttemptRecords const& records) {
  Seconds longest;
  for (AttemptRecord const& attempt : records.attempts) {
    if (input_hung(attempt)) longest = std::max(longest, attempt.claimed());
  }
  return longest;
}

Fit counts_and_delays(TableRecords const& records, std::size_t draws, RandomStreams const& streams,
                      std::vector<double> const& walltime_ends = {}) {
  Fit fit = counts_fit(records, draws, streams, walltime_ends);
  append(fit, delays_fit(records, draws, streams));
  return fit;
}

/// `executions`, `simulated`: the fits of the other columns for the simulated campaigns.
Fit recalibrated_counts(history::JobTable const& table, scenario::Pool const& pool,
                        TableRecords const& records, TableCalibrationRequest const& request,
                        Fit const& executions, Fit const& simulated, RandomStreams const& streams,
                        PlayRound const& play) {
  constexpr std::uint64_t recalibration_seed = 0x59;
  constexpr std::size_t draws_again = 60;  // their median is the estimate
  std::size_t const draws = simulated.draws.rows.size();
  auto const campaign_with = [&](Fit const& counts) {
    Fit all = executions;
    append(all, counts);
    append(all, simulated);
    return SimulatedCampaign(table, pool, request.epochs, request.input_size, all.draws,
                             study::Shocks::drawn);
  };
  auto const seen_in = [&](SimulatedCampaign const& campaign, std::uint32_t row) {
    auto const played = campaign.simulate({}, row, RandomStreams(recalibration_seed, row));
    return make_table_records(history::in_whole_seconds(played.table), records.sites,
                              request.input_size);
  };
  Fit counts = counts_and_delays(records, draws, streams);
  SimulatedCampaign const first = campaign_with(counts);
  auto const ends = walltime_ends(
      counts.draws, records.sites,
      [&](std::uint32_t row) { return count_evictions(seen_in(first, row)); }, play);
  counts = counts_and_delays(records, draws, streams, ends);
  SimulatedCampaign const second = campaign_with(counts);
  return recalibrated(
      counts,
      [&](std::uint32_t row) {
        return counts_and_delays(seen_in(second, row), draws_again, streams, ends);
      },
      draws, play);
}

}  // namespace

Fit fit_table(history::JobTable const& table, scenario::Pool const& pool,
              TableCalibrationRequest const& request, PlayRound const& play) {
  RandomStreams const streams(request.seed, 0);
  TableRecords const records = make_table_records(table, names_of(pool), request.input_size);
  require_transfers(records, request);
  std::size_t const draws = request.simulated.keep;
  Fit fit;
  append(fit, execution_fit(records, request.epochs, draws, streams));
  Fit direct = fit;
  append(direct, counts_and_delays(records, draws, streams));
  Fit const simulated = fit_through_simulator(table, pool, records, request.epochs, direct.draws,
                                              request.simulated, streams, play);
  append(fit, recalibrated_counts(table, pool, records, request, fit, simulated, streams, play));
  fit.tests = stall_tests(records, streams);
  append(fit, simulated);
  return fit;
}

CalibrationDocument calibrate_from_tables(TableCalibrationRequest const& request,
                                          PlayRound const& play) {
  scenario::Pool const pool = scenario::read_pool(request.pool);
  history::JobTable const table = history::read_job_tables(request.tables);
  require_sites_in_pool(table, pool, request);

  CalibrationDocument document;
  document.fit = fit_table(table, pool, request, play);
  document.profile = request.profile;
  document.version = request.version;
  document.command = request.command;
  for (auto const& file : request.tables) {
    document.inputs.push_back(
        {file.string(), sha256_of_file(file), history::read_job_table(file).rows.size()});
  }
  document.pool_file = request.pool.string();
  document.pool_sha256 = sha256(read_text_file(request.pool));
  document.epochs = request.epochs;
  document.input_size = request.input_size;
  document.seed = request.seed;
  return document;
}

namespace {

// Share of crashes without the files that transfer_output_files names: their jobs are held. Jobs
// that name no such files show nothing about it.
void add_crashes_held(Fit& fit, AttemptRecords const& records) {
  std::size_t held = 0, others = 0;
  for (AttemptRecord const& attempt : records.attempts) {
    if (!crashed(attempt)) continue;
    bool const is_held = attempt.end_kind == history::EventKind::held;
    // A hold by a policy does not depend on the files.
    if (is_held && attempt.reason != history::Reason::output_missing) continue;
    ++(is_held ? held : others);
  }
  if (held + others == 0) return;
  Estimate line{.name = "crash_held", .unit = "1"};
  line.estimate = static_cast<double>(held) / static_cast<double>(held + others);
  line.interval90 = proportion_interval(held, held + others, 0.9);
  line.events = held;
  line.censored = others;
  line.method =
      fmt::format("crashes held as their output was missing: {} of {}", held, held + others);
  fit.estimates.push_back(line);
}

// If the record shows that caches fetched files, each site without a known cache gets one.
void add_fills(LogCalibration& result) {
  for (Estimate const& line : result.fit.estimates) {
    if (line.name == fill_rate_name) result.fill_rate = BytesPerSecond(line.estimate);
  }
  if (!result.fill_rate) return;
  for (SiteFacts& site : result.sites) {
    if (site.caches.empty()) site.caches.push_back("cache-" + site.count.site);
  }
}

}  // namespace

namespace {

Places places_of(history::JobHistory const& recorded, LogCalibrationOptions const& options) {
  bool const by_gpu = options.sites == LogCalibrationOptions::Sites::by_gpu;
  return by_gpu ? split_by_gpu(recorded) : as_named(recorded);
}

std::vector<SiteFacts> site_facts(Places const& split, std::vector<SlotCount> const& slots) {
  std::vector<SiteFacts> sites;
  for (std::size_t s = 0; s < slots.size(); ++s) {
    sites.push_back({slots[s], split.places[s], split.slots_decide});
  }
  return sites;
}

/// Adds the caches of each site, in the order of their use.
void add_caches(history::JobHistory const& history, AttemptRecords const& records,
                UrlInput const& urls, CacheLists const& known, std::vector<SiteFacts>& sites) {
  auto const asked =
      caches_in_order(history, make_transfer_records(history, records, urls.sizes, known), known);
  for (SiteFacts& site : sites) {
    auto const list = asked.find(site.count.site);
    if (list != asked.end()) site.caches = list->second;
  }
}

}  // namespace

std::vector<SiteFacts> recorded_sites(history::JobHistory const& recorded,
                                      LogCalibrationOptions const& options) {
  Places const split = places_of(recorded, options);
  AttemptRecords const records = make_attempt_records(split.history);
  auto sites = site_facts(split, count_slots(split.history, records));
  add_caches(split.history, records, url_input(split.history, options),
             known_caches(split.history, options), sites);
  return sites;
}

LogCalibration calibrate_from_logs(history::JobHistory const& recorded,
                                   LogCalibrationOptions const& options) {
  Places const split = places_of(recorded, options);
  history::JobHistory const& history = split.history;
  AttemptRecords records = make_attempt_records(history);
  auto const incomplete = complete_executions(records);
  RandomStreams const streams(options.seed, 0);
  std::size_t const draws = options.draws;
  LogCalibration result;
  result.programs = tell_programs(history, records, options.campaigns);
  records.log_scales = result.programs.log_scales();
  mark_hangs(records);
  set_crash_odds(result.programs, records);
  records.crash_odds = result.programs.odds_of_jobs();
  result.urls = url_input(history, options);
  result.urls.names = options.url_names;
  std::vector<SlotCount> const slots = count_slots(history, records);
  result.sites = site_facts(split, slots);
  result.max_execution = limit_of_executions(history, records);
  result.epochs = records.epochs;
  result.jobs = history.jobs.size();
  result.attempts = records.attempts.size();
  result.plugin_lifetime = longest_hang(records);
  result.cool_down = usual_cool_down(records);
  Fit& fit = result.fit;
  if (incomplete) fit.not_identified.push_back(*incomplete);
  append(fit, slot_fit(slots, options.slots_there, draws, streams));
  DaysAway away;
  if (options.campaigns.size() <= 1 && shows_weeks(records)) {
    Fit const presence = presence_fit(history.sites, records, draws, streams);
    if (!presence.draws.columns.empty()) away = days_away(records, history.sites.size());
    append(fit, presence);
  }
  fit.draws.add("hold_on_failure", std::vector<double>(draws, held_on_failure(records)));
  TransferFitInput const input{result.urls, known_caches(history, options), options.stall_timer};
  add_caches(history, records, input.urls, input.caches, result.sites);
  if (shows_transfers(history, records)) {
    append(fit, transfer_fit(history, records, input, draws, streams));
    add_fills(result);
  } else {
    fit.not_identified.push_back(no_transfers(history.batch_system));
  }
  Fit const speed = speed_fit(history.sites, records, speed_priors(split.places), draws, streams);
  append(fit, speed);
  append(fit, stop_fit(history.sites, records, draws, streams));
  auto const times = typical_times(speed, history.sites);
  append(fit, fixed_age_fit(history, records, draws, streams));
  append(fit, hazard_fit(history, records, times, draws, streams));
  if (!options.outputs_unlisted.value_or(false)) add_crashes_held(fit, records);
  add_removals(fit, history, records, draws, streams);
  append(fit, gaps_fit(history, records, draws, streams, away, options.outputs_unlisted));
  append(fit, people_fit(records, draws, streams));
  spread(fit, history, records, times, input, options, streams);
  return result;
}

}  // namespace gridcast::calibration
