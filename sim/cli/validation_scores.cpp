#include "sim/cli/validation_scores.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/cli/report.hpp"
#include "sim/cli/scratch_folder.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/cli/validation_plan.hpp"
#include "sim/cli/verb_files.hpp"
#include "sim/ledger/metrics.hpp"
#include "sim/report/text/study_text.hpp"
#include "sim/study/forecast_scores.hpp"
#include "sim/study/prediction.hpp"

namespace gridcast::cli {
namespace {

namespace fs = std::filesystem;

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
  std::vector<double> all;
  for (KnownCampaign const& each : known) {
    all.push_back(each.figures[index] * (adds_up ? jobs / each.jobs : 1));
  }
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
  study::BalancedOptions options;
  options.draws = std::max<std::size_t>(2, plan.facts.replicas / replicas_a_draw);
  options.replicas_a_draw = replicas_a_draw;
  options.seed = plan.facts.seed;
  return options;
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
    study::ScoredFigure figure;
    figure.figure = names[i];
    figure.observed = observed.figures[i];
    figure.forecast = study::column(forecast.sample, names[i]);
    figure.size = adds_up ? observed.jobs : 1;
    figure.least = least_size(metric, wallclock);
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
  print_results(arguments.json ? report::scores_json(plan.facts, table)
                               : report::scores_text(table, screen()));
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
