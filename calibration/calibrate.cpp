#include "calibration/calibrate.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "calibration/fits/crash_fit.hpp"
#include "calibration/fits/delay_fit.hpp"
#include "calibration/fits/execution_fit.hpp"
#include "calibration/fits/people_fit.hpp"
#include "calibration/fits/speed_fit.hpp"
#include "calibration/inference/campaign_spread.hpp"
#include "calibration/processes/processes.hpp"
#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/base/statistics.hpp"
#include "sim/base/text.hpp"
#include "sim/scenario/catalogue.hpp"
#include "sim/scenario/tables.hpp"

namespace gridcast::calibration {

namespace {

bool is_done(AttemptRecord const& attempt) { return attempt.exit || !attempt.epochs.empty(); }

/// Speeds and work need executions that ended by themselves. A record without any has at least
/// executions that something else ended: they count as whole ones, and the calibration notes it.
/// InputError for a record without any execution.
std::optional<NotIdentified> complete_executions(AttemptRecords& records) {
  std::vector<AttemptRecord*> executions;
  for (AttemptRecord& attempt : records.attempts) {
    if (attempt.executing && attempt.site.valid()) executions.push_back(&attempt);
  }
  if (executions.empty()) {
    refuse({}, "no job of the logs began to execute at a site", "speeds and work cannot be fitted",
           "Give logs in which jobs run.");
  }
  bool const any =
      std::ranges::any_of(executions, [](auto const* attempt) { return is_done(*attempt); });
  if (any) return std::nullopt;
  for (AttemptRecord* const attempt : executions) attempt->exit = attempt->end;
  return NotIdentified{"work_s", "no execution of the record ended by itself",
                       "executions that something else ended count as whole ones"};
}

// The simulator must know every site that the table has jobs at.
void require_sites_in_pool(history::JobTable const& table, scenario::Pool const& pool,
                           TableCalibrationRequest const& request) {
  auto const known = scenario::names_of(pool.sites);
  std::set<std::string> missing;
  for (history::JobRow const& row : table.rows) {
    for (std::string const& site : row.sites) {
      if (!contains(known, site)) missing.insert(site);
    }
  }
  std::vector<Problem> problems;
  for (std::string const& site : missing) {
    add_problem(problems, {request.pool.string()}, "the pool has no site '" + site + "'",
                "jobs of the table ran there", "Add it to the pool. " + suggestion(site, known));
  }
  if (!problems.empty()) throw InputError(problems);
}

void require_transfers(TableRecords const& records, TableCalibrationRequest const& request) {
  bool const any = std::ranges::any_of(
      records.jobs, [](JobRecord const& job) { return job.got_data && job.last_transfer; });
  if (any) return;
  refuse({request.tables.empty() ? "" : request.tables.front().string()},
         "no job of the table got its input",
         "rates and stalls cannot be fitted from failures alone",
         "Give tables with at least a few successful jobs.");
}

// A table's jobs have one GPU each, so elsewhere no simulated job would ever start.
void require_gpus(scenario::Pool const& pool, TableCalibrationRequest const& request) {
  std::vector<Problem> problems;
  for (scenario::SiteSpec const& site : pool.sites) {
    if (site.gpus > 0) continue;
    add_problem(problems, {request.pool.string()},
                "the pool has no GPUs at site '" + site.name + "'",
                "jobs of a table have one GPU each",
                "Give the site 'gpus', as in scenarios/pools/ospool-2024.yaml.");
  }
  if (!problems.empty()) throw InputError(problems);
}

/// For a smaller input nearly all of the time is latency: bytes over seconds is no rate of a
/// network, and would give absurd times for an input of gigabytes.
constexpr Bytes smallest_rate_sample(1e6);

UrlInput url_input(history::JobHistory const& history, LogCalibrationOptions const& options) {
  bool const by_submit_file = history.transfers.empty() && !options.url_sizes.empty();
  UrlInput input = by_submit_file ? UrlInput{options.url_sizes, false} : urls_of(history);
  Bytes const received = options.received < smallest_rate_sample ? Bytes() : options.received;
  if (input.assumed) input.sizes = {received};
  input.names = options.url_names;
  return input;
}

// The stated lists of caches, which must be for sites of the log.
CacheLists known_caches(history::JobHistory const& history, LogCalibrationOptions const& options) {
  std::vector<Problem> problems;
  for (auto const& [site, caches] : options.caches) {
    if (contains(history.sites, site)) continue;
    add_problem(problems, {}, "--caches: the log has no site '" + site + "'", "",
                suggestion(site, history.sites));
  }
  if (!problems.empty()) throw InputError(problems);
  return options.caches;
}

/// If the only known campaign has a kind of event that other campaigns lack, a share of the draws
/// has it.
void keep_in_some(Fit& fit, CampaignKind const& kind, RandomStreams const& streams) {
  bool const once = kind.campaigns.size() == 1 && kind.campaigns.front().events > 0;
  if (kind.seen_once.empty() || !once) return;
  only_in(fit, kind.parameter, seen_once_goes_on,
          bootstrap_stream(streams, kind.parameter + " goes on"));
  fit.not_identified.push_back(
      {kind.parameter, std::string(kind.seen_once),
       fmt::format("the same rate in {:.0f} % of the draws, none in the others: Jeffreys' mean of "
                   "the share of campaigns that have it",
                   100 * seen_once_goes_on)});
}

/// The parts that show how campaigns differ: the recorded campaigns, or the weeks of the only one.
std::vector<Part> parts_of(LogEvidence const& whole, LogCalibrationOptions const& options) {
  if (options.campaigns.size() > 1) {
    return by_campaign(whole.history, whole.records, options.campaigns);
  }
  if (shows_weeks(whole.records)) return by_week(whole.records);
  return {};
}

/// Widens the draws by the differences between campaigns.
void spread(Fit& fit, LogEvidence const& whole, LogCalibrationOptions const& options) {
  bool const several = options.campaigns.size() > 1;
  std::vector<Part> const parts = parts_of(whole, options);
  std::vector<LogEvidence> evidence;
  for (Part const& part : parts) evidence.push_back(evidence_of(part, whole));
  if (parts.empty()) evidence.push_back(whole);
  for (Process const& process : all_processes()) {
    std::vector<CampaignKind> kinds = process.varies;
    for (std::size_t i = 0; process.count_part && i < evidence.size(); ++i) {
      auto const counts = process.count_part(whole, evidence[i]);
      for (std::size_t k = 0; k < kinds.size(); ++k) add_campaign(kinds[k], counts[k]);
    }
    for (CampaignKind& kind : kinds) {
      // A log without transfers has no columns for them.
      if (!has_columns(fit, kind)) continue;
      if (!several && !kind.campaigns.empty()) kind.part = "week";
      spread_between_campaigns(fit, kind, options.between_campaigns, whole.streams);
      if (!several && !options.between_campaigns) keep_in_some(fit, kind, whole.streams);
    }
  }
  if (several || options.between_campaigns) return;
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
    auto const found = std::ranges::find(models, model);
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
  bool const all_known =
      std::ranges::all_of(priors, [](SpeedPrior const& prior) { return prior.log_speed > 0; });
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
  bool const glideins = std::ranges::any_of(history.slots, [](std::string const& slot) {
    return slot.find("glidein") != std::string::npos;
  });
  for (Seconds const usual : {scenario::medium_execution, scenario::long_execution}) {
    if (glideins && longest < usual) return usual;
  }
  return days(365);
}

bool shows_transfers(history::JobHistory const& history, AttemptRecords const& records) {
  return !history.transfers.empty() ||
         std::ranges::any_of(records.attempts, [](AttemptRecord const& attempt) {
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

/// How long a lost job waits. If no job was lost, this is an unseen wait. Like all of them it is as
/// long as an attempt (docs/model/lost-contacts.md, A-LEASE).
Seconds wait_of_lost(AttemptRecords const& records, std::optional<Seconds> stated, Fit& fit) {
  constexpr Seconds default_lease(2400);  // JOB_DEFAULT_LEASE_DURATION
  if (stated) return *stated;
  if (auto const shown = mean_wait_of_lost(records)) return *shown;
  Seconds const attempt = usual_attempt(records);
  if (attempt >= default_lease) return Seconds();
  fit.not_identified.push_back(
      {"job_lease", "no job lost contact for good, and no ad states its lease",
       fmt::format("the median attempt, {:.0f} s, as HTCondor's default of 2,400 s is longer",
                   attempt.value())});
  return attempt;
}

/// Starts a second while jobs fail at once: the access point starts one shadow after the other, and
/// each slot takes a job once in a cycle of the negotiator.
double failing_starts_per_second(scenario::Pool const& pool, AvailabilityRange const& gpus) {
  double const slots = std::sqrt(gpus.low * gpus.high);
  return std::min(1 / pool.access_point.shadow_start_interval.value(),
                  slots / pool.negotiator.interval.value());
}

/// The processes' own columns.
Fit fit_processes(TableEvidence const& evidence) {
  Fit fit;
  for (Process const& process : all_processes()) {
    if (process.fit_table) process.fit_table(evidence, fit);
  }
  return fit;
}

/// `executions`, `simulated`: the fits of the other columns for the simulated campaigns.
Fit recalibrated_counts(history::JobTable const& table, scenario::Pool const& pool,
                        TableRecords const& records, TableCalibrationRequest const& request,
                        Fit const& executions, Fit const& simulated, RandomStreams const& streams,
                        RunRound const& run_all) {
  constexpr std::uint64_t recalibration_seed = 0x59;
  constexpr std::size_t draws_again = 60;  // their median is the estimate
  std::size_t const draws = simulated.draws.rows.size();
  double const starts = failing_starts_per_second(pool, request.simulated.availability);
  auto const campaign_with = [&](Fit const& counts) {
    Fit all = executions;
    append(all, counts);
    append(all, simulated);
    return SimulatedCampaign(table, pool, request.epochs, request.input_size, all.draws,
                             study::Shocks::drawn);
  };
  auto const seen_in = [&](SimulatedCampaign const& campaign, std::uint32_t row) {
    auto const simulation = campaign.simulate({}, row, RandomStreams(recalibration_seed, row));
    return make_table_records(history::in_whole_seconds(simulation.table), records.sites,
                              request.input_size);
  };
  Fit counts = fit_processes({records, draws, streams, starts});
  SimulatedCampaign const first = campaign_with(counts);
  auto const ends = walltime_ends(
      counts.draws, records.sites,
      [&](std::uint32_t row) { return count_evictions(seen_in(first, row)); }, run_all);
  counts = fit_processes({records, draws, streams, starts, ends});
  SimulatedCampaign const second = campaign_with(counts);
  return recalibrated(
      counts,
      [&](std::uint32_t row) {
        TableRecords const seen = seen_in(second, row);
        return fit_processes({seen, draws_again, streams, starts, ends});
      },
      draws, run_all);
}

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
    if (auto const* list = find_in(asked, site.count.site)) site.caches = *list;
  }
}

/// The facts that need no fit. The records get the work and the crash odds of their programs.
CampaignFacts facts_of(history::JobHistory const& history,
                       std::vector<std::set<std::uint32_t>> const& campaigns,
                       std::vector<Bytes> const& url_sizes, AttemptRecords& records) {
  CampaignFacts facts;
  facts.programs = programs_of(history, records, campaigns);
  records.log_scales = facts.programs.log_scales();
  mark_hangs(records);
  set_crash_odds(facts.programs, records);
  records.crash_odds = facts.programs.odds_of_jobs();
  facts.epochs = records.epochs;
  facts.jobs = history.jobs.size();
  facts.attempts = records.attempts.size();
  facts.input_sizes = url_sizes;
  facts.plugin_lifetime = longest_hang(records);
  facts.cool_down = usual_cool_down(records);
  return facts;
}

Fit fit_of_transfers(history::JobHistory const& history, AttemptRecords const& records,
                     TransferFitInput const& input, std::size_t draws,
                     RandomStreams const& streams) {
  if (shows_transfers(history, records)) {
    return transfer_fit(history, records, input, draws, streams);
  }
  Fit fit;
  fit.not_identified.push_back(no_transfers(history.batch_system));
  return fit;
}

}  // namespace

Fit fit_table(history::JobTable const& table, scenario::Pool const& pool,
              TableCalibrationRequest const& request, RunRound const& run_all) {
  RandomStreams const streams(request.seed, 0);
  TableRecords const records =
      make_table_records(table, scenario::names_of(pool.sites), request.input_size);
  require_transfers(records, request);
  require_gpus(pool, request);
  std::size_t const draws = request.simulated.keep;
  Fit fit;
  append(fit, execution_fit(records, request.epochs, draws, streams));
  Fit direct = fit;
  double const starts = failing_starts_per_second(pool, request.simulated.availability);
  append(direct, fit_processes({records, draws, streams, starts}));
  Fit const simulated = fit_through_simulator(table, pool, records, request.epochs, direct.draws,
                                              request.simulated, streams, run_all);
  append(fit, recalibrated_counts(table, pool, records, request, fit, simulated, streams, run_all));
  append(fit, simulated);
  return fit;
}

CalibrationDocument calibrate_from_tables(TableCalibrationRequest const& request,
                                          RunRound const& run_all) {
  scenario::Pool const pool = scenario::read_pool(request.pool);
  history::JobTable const table = history::read_job_tables(request.tables);
  require_sites_in_pool(table, pool, request);

  CalibrationDocument document;
  document.fit = fit_table(table, pool, request, run_all);
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

std::vector<SiteFacts> recorded_sites(history::JobHistory const& recorded,
                                      LogCalibrationOptions const& options) {
  Places const split = places_of(recorded, options);
  AttemptRecords const records = make_attempt_records(split.history);
  auto sites = site_facts(split, count_slots(split.history, records));
  add_caches(split.history, records, url_input(split.history, options),
             known_caches(split.history, options), sites);
  return sites;
}

std::size_t draws_of(std::size_t sites, LogCalibrationOptions const& options) {
  constexpr std::size_t many_sites = 1'000;
  if (sites <= many_sites) return options.draws;
  return std::max(std::min(options.least_draws, options.draws), options.draws * many_sites / sites);
}

LogCalibration calibrate_from_logs(history::JobHistory const& recorded,
                                   LogCalibrationOptions const& options) {
  Places const split = places_of(recorded, options);
  history::JobHistory const& history = split.history;
  AttemptRecords records = make_attempt_records(history);
  auto const incomplete = complete_executions(records);
  RandomStreams const streams(options.seed, 0);
  std::size_t const draws = draws_of(history.sites.size(), options);
  LogCalibration result;
  result.draws = draws;
  UrlInput const urls = url_input(history, options);
  result.facts = facts_of(history, options.campaigns, urls.sizes, records);
  std::vector<SlotCount> const slots = count_slots(history, records);
  result.sites = site_facts(split, slots);
  result.max_execution = limit_of_executions(history, records);
  Fit& fit = result.fit;
  if (incomplete) fit.not_identified.push_back(*incomplete);
  append(fit, slot_fit(slots, options.slots_there, draws, streams));
  TransferFitInput const input{urls, known_caches(history, options), options.stall_timer};
  add_caches(history, records, input.urls, input.caches, result.sites);
  append(fit, fit_of_transfers(history, records, input, draws, streams));
  Fit const speed = speed_fit(history.sites, records, speed_priors(split.places), draws, streams);
  append(fit, speed);
  LogEvidence const evidence{.history = history,
                             .records = records,
                             .typical_times = typical_times(speed, history.sites),
                             .input = input,
                             .draws = draws,
                             .streams = streams,
                             .outputs_unlisted = options.outputs_unlisted};
  for (Process const& process : all_processes()) {
    if (process.fit_log) process.fit_log(evidence, fit);
  }
  append(fit, gaps_fit(history, records, draws, streams, options.outputs_unlisted));
  append(fit, people_fit(records, draws, streams));
  result.facts.job_lease = wait_of_lost(records, options.job_lease, fit);
  spread(fit, evidence, options);
  return result;
}

}  // namespace gridcast::calibration
