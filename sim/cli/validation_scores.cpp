#include "sim/cli/validation_scores.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "calibration/calibrate.hpp"
#include "calibration/file/calibration_file.hpp"
#include "calibration/held_out.hpp"
#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/cli/calibrate.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/cli/verb_files.hpp"
#include "sim/ledger/accountant.hpp"
#include "sim/ledger/metrics.hpp"
#include "sim/study/forecast_scores.hpp"
#include "sim/study/prediction.hpp"

namespace gridcast::cli {

namespace {

KnownCampaign known_campaign(history::JobHistory const& logged) {
  return {study::replica_figures(logged), static_cast<double>(logged.jobs.size())};
}

bool has_fractions(history::JobHistory const& history) {
  return std::ranges::any_of(history.events, [](auto const& event) {
    return event.at.value() != std::floor(event.at.value());
  });
}

/// How long the record goes, if it ends before its jobs do.
std::optional<Seconds> seen_for(history::JobHistory const& logged) {
  bool const complete = ledger::account(logged).total.unfinished == 0;
  if (complete || logged.events.empty()) return std::nullopt;
  return logged.end() - logged.events.front().at;
}

/// The plan of a record that is forecast from the scenario.
PlannedForecast planned(ForecastScenario const& made, ValidationRecord const& record) {
  return {made.scenario, has_fractions(record.logged), seen_for(record.logged)};
}

PlannedScore planned_score(ValidationRecord const& record, std::string const& from,
                           std::vector<KnownCampaign> known, std::vector<std::size_t> forecasts,
                           ValidationArguments const& arguments) {
  return {record.name,
          from,
          repeats_key(record, arguments),
          known_campaign(record.logged),
          std::move(known),
          std::move(forecasts)};
}

/// Prints why there is no plain guess for comparison.
std::vector<KnownCampaign> no_guess(std::string const& why) {
  print_notes(
      why +
      ", so there is no plain guess from it, and skill over one is '-'. --last RECORD names a "
      "campaign to guess from.\n");
  return {};
}

/// The records that the calibration was made of, where they are here.
std::vector<KnownCampaign> calibrated_records(fs::path const& calibration,
                                              ScoreArguments const& arguments) {
  std::vector<fs::path> logs;
  if (!arguments.last.empty()) {
    return {known_campaign(read_validation_record(arguments.last, arguments.records).logged)};
  }
  for (auto const& input : scenario::read_calibration_file(calibration).inputs) {
    fs::path const file = find_input(input, calibration);
    if (file.empty()) {
      return no_guess(fmt::format(
          "{}: its record {} is not here with the SHA-256 that it names (gone, changed, or read "
          "from a pipe)",
          calibration.string(), input.file));
    }
    logs.push_back(file);
  }
  if (logs.empty()) return no_guess(calibration.string() + " names no record");
  auto const files = import::sort_by_kind(logs);
  if (files.logs.empty() && files.attempts.empty()) {
    return no_guess(calibration.string() + ": its record has no dated events");
  }
  auto record = import::open_campaign(dated_files(files));
  return {known_campaign(chosen_jobs(record, calibration, arguments.records))};
}

/// Reports each note once.
class Notes {
 public:
  void report_new(std::vector<std::string> const& notes) {
    for (std::string const& note : notes) {
      if (reported_.insert(note).second) print_notes(note + "\n");
    }
  }

 private:
  std::set<std::string> reported_;
};

/// True if the calibration was made of this very record.
bool is_calibrated_record(ValidationRecord const& record, fs::path const& calibration) {
  auto const inputs = scenario::read_calibration_file(calibration).inputs;
  auto files = record.files.logs;
  files.insert(files.end(), record.files.attempts.begin(), record.files.attempts.end());
  bool const same = !inputs.empty() && std::ranges::all_of(files, [&](fs::path const& file) {
    std::string const digest = sha256_of_file(file);
    return std::ranges::any_of(inputs, [&](auto const& input) { return input.sha256 == digest; });
  });
  if (same) {
    print_notes(
        fmt::format("{}: the calibration is of this record, so this shows how well it reproduces "
                    "it, and is no forecast\n",
                    record.name));
  }
  return same;
}

/// Puts the record's forecast from the calibration into the plan; its number there.
std::size_t add_forecast(ScorePlan& plan, ValidationRecord const& record,
                         fs::path const& calibration, ScoreArguments const& arguments,
                         fs::path const& folder, Notes& notes) {
  std::size_t const number = plan.forecasts.size();
  auto const made = forecast_scenario(
      record, calibration, arguments.records, folder / std::to_string(number),
      is_calibrated_record(record, calibration) ? JobsOf::same_record : JobsOf::record);
  notes.report_new(made.notes);
  plan.forecasts.push_back(planned(made, record));
  return number;
}

constexpr std::size_t draws = 200;

/// The options of a fit of the record, over those given.
calibration::LogCalibrationOptions fitting_of(ValidationRecord const& record,
                                              ScoreArguments const& arguments,
                                              calibration::LogCalibrationOptions fitting = {}) {
  fitting.draws = draws;
  fitting.seed = arguments.seed;
  fitting.url_sizes = url_sizes(record);
  fitting.url_names = input_urls(record);
  fitting.outputs_unlisted = record.outputs_unlisted;
  fitting.job_lease = record.job_lease;
  return fitting;
}

calibration::LogCalibration fit_record(ValidationRecord const& record,
                                       history::JobHistory const& history,
                                       ScoreArguments const& arguments,
                                       calibration::LogCalibrationOptions const& options = {}) {
  auto const fitting = fitting_of(record, arguments, options);
  return fit_of(record.files.logs,
                [&] { return calibration::calibrate_from_logs(history, fitting); });
}

/// Writes the calibration file and its pool into the folder, like `gridcast calibrate`. `sites`: of
/// the pool, which is known before a forecast.
fs::path write_calibration(ValidationRecord const& record, calibration::LogCalibration calibrated,
                           std::vector<calibration::SiteFacts> const& sites,
                           history::JobHistory const& history, fs::path const& folder) {
  fs::create_directories(folder);
  fs::path const file = folder / (record.name + ".calibration.yaml");
  fs::path const pool = folder / (record.name + ".pool.yaml");
  calibration::CalibrationDocument document;
  document.profile = "campaign";
  document.command = "gridcast calibrate --check";
  document.pool_file = pool.filename().string();
  std::string const pool_text =
      calibration::pool_yaml(sites, document.command, {.max_execution = calibrated.max_execution});
  document.pool_sha256 = sha256(pool_text);
  calibration::CampaignFacts facts = calibrated.facts;
  facts.programs = {};
  facts.input_urls = input_urls(record);
  if (!record.executable.empty()) facts.ran = {{record.executable, record.program_arguments}};
  document.campaign = std::move(facts);
  if (auto const jobs = recorded_jobs_of(history, sites)) {
    fs::path const jobs_file = jobs_beside(file);
    document.jobs_file = jobs_file.filename().string();
    document.jobs_sha256 = sha256(*jobs);
    write_file(jobs_file, *jobs);
  }
  document.fit = std::move(calibrated.fit);
  write_file(pool, pool_text);
  write_file(file, calibration::calibration_yaml(document));
  return file;
}

/// In the order in which they took place, where that is known.
std::vector<std::size_t> by_date(std::vector<ValidationRecord> const& records) {
  std::vector<std::size_t> order(records.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    return records[a].history.start_unix.value_or(0) < records[b].history.start_unix.value_or(0);
  });
  return order;
}

void leave_campaigns(ScorePlan& plan, std::vector<ValidationRecord> const& records,
                     ScoreArguments const& arguments, fs::path const& folder) {
  if (records.size() < 2) {
    refuse({}, "--leave-one campaign needs two campaigns at least",
           "one is forecast from the others", "Name several records.");
  }
  std::vector<fs::path> calibrations;
  for (ValidationRecord const& record : records) {
    auto fit = fit_record(record, record.history, arguments);
    auto const sites = fit.sites;
    calibrations.push_back(write_calibration(record, std::move(fit), sites, record.logged, folder));
  }
  Notes notes;
  for (std::size_t target = 0; target < records.size(); ++target) {
    std::vector<KnownCampaign> known;
    std::vector<std::size_t> rest;
    for (std::size_t const source : by_date(records)) {
      if (source == target) continue;
      auto const number =
          add_forecast(plan, records[target], calibrations[source], arguments, folder, notes);
      known.push_back(known_campaign(records[source].logged));
      rest.push_back(number);
      if (arguments.from != "each") continue;
      plan.scores.push_back(planned_score(records[target], records[source].name, {known.back()},
                                          {number}, arguments.records));
    }
    if (arguments.from == "each") continue;
    plan.scores.push_back(
        planned_score(records[target], "the others", known, rest, arguments.records));
  }
}

/// Sites of the whole campaign that the first part did not use.
void add_later_sites(calibration::LogCalibration& fit,
                     std::vector<calibration::SiteFacts> const& all, std::uint64_t seed) {
  for (calibration::SiteFacts const& site : all) {
    auto const& columns = fit.fit.draws.columns;
    bool const known = std::ranges::any_of(
        columns, [&](auto const& column) { return column.ends_with("." + site.count.site); });
    if (known) continue;
    calibration::add_unseen_site(fit.fit.draws, site.count.site,
                                 RandomStreams(seed, 0).stream(Purpose::bootstrap, 2));
  }
}

void leave_parts(ScorePlan& plan, std::vector<ValidationRecord> const& records,
                 ScoreArguments const& arguments, fs::path const& folder) {
  Notes notes;
  for (ValidationRecord const& record : records) {
    auto const parts = calibration::parts_of(record.history);
    auto const logged = calibration::parts_of(record.logged);
    auto const sites = calibration::recorded_sites(record.history, fitting_of(record, arguments));
    auto fit = fit_record(record, parts.first, arguments,
                          {.slots_there = calibration::SlotsThere::as_seen});
    add_later_sites(fit, sites, arguments.seed);
    auto const file = write_calibration(record, std::move(fit), sites, logged.first,
                                        folder / fmt::format("from-{}", plan.forecasts.size()));
    ValidationRecord later = record;
    later.history = parts.later;
    later.logged = logged.later;
    auto const number = add_forecast(plan, later, file, arguments, folder, notes);
    plan.scores.push_back(planned_score(later, "its first part", {known_campaign(logged.first)},
                                        {number}, arguments.records));
  }
}

constexpr std::size_t replicas_a_draw = 2;

/// True if the figure doubles with the number of jobs.
bool adds_up_over_jobs(ledger::Metric const& metric) {
  using ledger::Unit;
  return metric.unit != Unit::percent && metric.unit != Unit::ratio &&
         !metric.name.starts_with("match_to_done");
}

/// The smallest unit of a figure: an event, or a hundredth of the campaign's slot time.
double least_size(ledger::Metric const& metric, double wallclock_s) {
  using ledger::Unit;
  if (metric.unit == Unit::jobs || metric.unit == Unit::events) return 1;
  constexpr double hundredth = 0.01;
  return metric.name.ends_with("_s") ? hundredth * wallclock_s : hundredth;
}

/// The guess from the last of the known campaigns, with the spread of all of them.
void add_guess(study::ScoredFigure& figure, std::size_t index, bool adds_up, double jobs,
               std::vector<KnownCampaign> const& known) {
  if (known.empty()) return;
  std::vector<double> const all = each_of(known, [&](KnownCampaign const& each) {
    return each.figures[index] * (adds_up ? jobs / each.jobs : 1);
  });
  figure.last = all.back();
  figure.spread = study::spread_between(all);
}

/// Removes events later than this after the first event.
void forget_after(Seconds time, history::JobHistory& history) {
  if (history.events.empty()) return;
  Seconds const end = history.events.front().at + time;
  std::erase_if(history.events, [end](history::JobEvent const& event) { return event.at > end; });
  history.seen_until = end;
}

/// Shows a campaign as the record's log would: in whole seconds where that has whole seconds.
study::Instrument instrument(PlannedForecast const& forecast) {
  auto const& scenario = forecast.scenario;
  auto options = event_log_options(scenario, scenario.strategy(scenario.baseline));
  options.sub_second = forecast.sub_second;
  options.silent_after_reconnect = true;
  return [options, seen_for = forecast.seen_for](history::JobHistory const& simulated) {
    auto logged = logged_again(simulated, options);
    if (seen_for) forget_after(*seen_for, logged);
    return logged;
  };
}

study::BalancedOptions options_of(ScorePlan const& plan) {
  return {.draws = std::max<std::size_t>(2, plan.facts.replicas / replicas_a_draw),
          .replicas_a_draw = replicas_a_draw,
          .seed = plan.facts.seed};
}

struct Scored {
  std::vector<study::ScoredRecord> records;
  std::size_t failed = 0;
  bool interrupted = false;
};

/// Figures that parts of a campaign do not have.
constexpr std::string_view of_whole_campaign[] = {"makespan_s", "makespan_95_s"};

void drop_clock(Scored& scored) {
  for (auto& record : scored.records) {
    std::erase_if(record.figures, [](study::ScoredFigure const& figure) {
      return std::ranges::count(of_whole_campaign, figure.figure) > 0;
    });
  }
}

/// Adds the figures to `result`.
void add_scored(Scored& all, study::ScoredRecord result, KnownCampaign const& observed,
                study::BalancedForecast const& forecast, std::vector<KnownCampaign> const& known) {
  all.failed += forecast.failed.size();
  all.interrupted = all.interrupted || forecast.interrupted;
  if (forecast.sample.size() < 2 || all.interrupted) return;
  auto const& names = forecast.sample.names;
  double const wallclock = observed.figures[study::column_index(forecast.sample, "wallclock_s")];
  for (std::size_t i = 0; i < names.size(); ++i) {
    auto const& metric = *ledger::find_metric(names[i]);
    bool const adds_up = adds_up_over_jobs(metric);
    study::ScoredFigure figure{.figure = names[i],
                               .observed = observed.figures[i],
                               .forecast = study::column(forecast.sample, names[i]),
                               .size = adds_up ? observed.jobs : 1,
                               .least = least_size(metric, wallclock)};
    add_guess(figure, i, adds_up, observed.jobs, known);
    result.figures.push_back(std::move(figure));
  }
  all.records.push_back(std::move(result));
}

std::vector<study::BalancedForecast> run_all(ScorePlan const& plan,
                                             ScoreArguments const& arguments) {
  std::vector<study::BalancedForecast> simulation;
  for (PlannedForecast const& forecast : plan.forecasts) {
    auto options = options_of(plan);
    options.processes = arguments.processes;
    ProgressReport progress(arguments.verbose, arguments.quiet);
    options.progress = progress.callback();
    auto const& scenario = forecast.scenario;
    simulation.push_back(study::balanced_forecast(scenario, scenario.strategy(scenario.baseline),
                                                  instrument(forecast), options));
    if (simulation.back().interrupted) break;
  }
  return simulation;
}

Scored scored_forecasts(ScorePlan const& plan,
                        std::vector<study::BalancedForecast> const& forecasts) {
  Scored all;
  for (auto const& each : forecasts) all.interrupted = all.interrupted || each.interrupted;
  if (all.interrupted) return all;
  for (PlannedScore const& score : plan.scores) {
    std::vector<study::BalancedForecast const*> parts;
    for (std::size_t const i : score.forecasts) parts.push_back(&forecasts.at(i));
    add_scored(all, {score.record, score.from, score.repeats, {}}, score.observed,
               parts.size() == 1 ? *parts.front() : study::mixed(parts, replicas_a_draw),
               score.known);
  }
  if (plan.without_clock) drop_clock(all);
  return all;
}

/// Simulates all forecasts, one after the other, and scores them. The exit code.
int simulate_and_score(ScorePlan const& plan, ScoreArguments const& arguments) {
  Scored const scored = scored_forecasts(plan, run_all(plan, arguments));
  if (scored.interrupted) {
    print_message("gridcast: interrupted; nothing was scored\n");
    return exit_code::interrupted;
  }
  study::ScoreOptions options;
  options.seed = plan.facts.seed;
  auto const table = study::score(scored.records, options);
  print_results(arguments.json      ? report::scores_json(plan.facts, table)
                : arguments.details ? report::scores_text(table, screen())
                                    : report::brief_scores(table, screen()));
  if (!arguments.csv.empty()) {
    write_output(arguments.csv, {{"scores.csv", report::scores_csv(scored.records)}});
  }
  if (scored.failed > 0) {
    print_notes(
        fmt::format("gridcast: {} campaigns failed and are not in the forecasts\n", scored.failed));
  }
  return scored.failed > 0 ? exit_code::incomplete : exit_code::done;
}

void prepare_outputs(ScoreArguments const& arguments, std::vector<fs::path> inputs) {
  VerbFiles(if_there(arguments.force))
      .reads(inputs)
      .writes(arguments.csv, {"scores.csv"})
      .prepare();
}

/// The forecasts of the records from the calibration. Their scenarios are written into the folder.
ScorePlan plan_against(fs::path const& calibration, std::vector<ValidationRecord> const& records,
                       ScoreArguments const& arguments, fs::path const& folder) {
  auto const known = calibrated_records(calibration, arguments);
  ScorePlan plan{{"against", calibration.string(), arguments.replicas, arguments.seed}};
  Notes notes;
  for (ValidationRecord const& record : records) {
    auto const number = add_forecast(plan, record, calibration, arguments, folder, notes);
    plan.scores.push_back(
        planned_score(record, calibration.stem().string(), known, {number}, arguments.records));
  }
  return plan;
}

/// The forecasts of the parts that --leave-one leaves out. Writes calibrations into the folder too.
ScorePlan plan_left_out(std::vector<ValidationRecord> const& records,
                        ScoreArguments const& arguments, fs::path const& folder) {
  ScorePlan plan{{arguments.leave_one, "", arguments.replicas, arguments.seed}};
  plan.without_clock = arguments.leave_one != "campaign";
  auto const add = arguments.leave_one == "campaign" ? leave_campaigns : leave_parts;
  add(plan, records, arguments, folder);
  return plan;
}

}  // namespace

void add_score_options(Verb& verb, ScoreArguments& arguments) {
  verb.option("--against", &arguments.against,
              "Campaigns that took place: folders (*.log, history*.json, epochs*.json, *.sub) or "
              "event logs, each of one campaign",
              "RECORD");
  verb.option("--leave-one", &arguments.leave_one,
              "What of the records is forecast from the rest: a campaign of several, or the later "
              "part of each",
              "WHAT")
      .one_of({"campaign", "part"});
  verb.option("--from", &arguments.from,
              "For campaigns that are left out: from all others together, or from each of them",
              "WHAT")
      .one_of({"rest", "each"});
  verb.option("--last", &arguments.last,
              "The campaign that a plain guess is made from (default: the calibration's own)",
              "RECORD");
  verb.option("-n,--replicas", &arguments.replicas, "Simulated campaigns of each forecast", "N")
      .whole_number(10, 1000000)
      .shows_default();
  verb.option("--seed", &arguments.seed, "Random seed", "N").whole_number(0).shows_default();
  add_workers_option(verb, arguments.processes);
  add_details_option(verb, arguments.details);
  verb.flag("--json", arguments.json, "JSON on standard output");
  verb.option("--csv", &arguments.csv, "Folder for scores.csv: each figure of each forecast",
              "DIR");
  add_validation_options(verb, arguments.records);
}

int score_against(ScoreArguments const& arguments) {
  fs::path const& calibration = arguments.files.front();
  auto const records = read_records(arguments.against, arguments.records);
  auto inputs = files_of(records);
  inputs.push_back(calibration);
  prepare_outputs(arguments, std::move(inputs));
  ScratchFolder const scratch("validate");
  return simulate_and_score(plan_against(calibration, records, arguments, scratch.path()),
                            arguments);
}

int score_left_out(ScoreArguments const& arguments) {
  auto const records = read_records(arguments.files, arguments.records);
  prepare_outputs(arguments, files_of(records));
  ScratchFolder const scratch("validate");
  return simulate_and_score(plan_left_out(records, arguments, scratch.path()), arguments);
}

}  // namespace gridcast::cli
