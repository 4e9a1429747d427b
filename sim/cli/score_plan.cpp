#include "sim/cli/score_plan.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "calibration/held_out.hpp"
#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/base/tell.hpp"
#include "sim/cli/event_log_form.hpp"
#include "sim/cli/progress.hpp"
#include "sim/cli/terminal.hpp"

namespace gridcast::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

bool has_fractions(history::JobHistory const& history) {
  return std::any_of(history.events.begin(), history.events.end(), [](auto const& event) {
    return event.at.value() != std::floor(event.at.value());
  });
}

/// As the record's log would show it: to the second where that has whole seconds.
study::Instrument instrument(PlannedForecast const& forecast, scenario::Scenario const& scenario) {
  auto options = event_log_options(scenario, scenario.strategy(scenario.baseline));
  options.sub_second = forecast.sub_second;
  options.silent_after_reconnect = true;
  return [options, site = forecast.site](history::JobHistory const& simulated) {
    auto logged = logged_again(simulated, options);
    return site.empty() ? logged : only_site(logged, site);
  };
}

study::BalancedOptions options_of(ScorePlan const& plan) {
  study::BalancedOptions options;
  options.draws = std::max<std::size_t>(2, plan.facts.replicas / replicas_a_draw);
  options.replicas_a_draw = replicas_a_draw;
  options.seed = plan.facts.seed;
  return options;
}

// What JSON has no number for is null.
Json figures_json(std::vector<double> const& figures) {
  Json values = Json::array();
  for (double const x : figures) values.push_back(std::isfinite(x) ? Json(x) : Json());
  return values;
}

Json json_of(KnownCampaign const& known) {
  return {{"jobs", known.jobs}, {"figures", figures_json(known.figures)}};
}

KnownCampaign known_of(Json const& json) {
  KnownCampaign known;
  known.jobs = json.at("jobs");
  for (auto const& x : json.at("figures")) {
    known.figures.push_back(x.is_null() ? std::numeric_limits<double>::quiet_NaN()
                                        : x.get<double>());
  }
  return known;
}

Json json_of(PlannedScore const& score) {
  Json known = Json::array();
  for (auto const& each : score.known) known.push_back(json_of(each));
  return {{"record", score.record},   {"from", score.from},
          {"repeats", score.repeats}, {"observed", json_of(score.observed)},
          {"known", known},           {"forecasts", score.forecasts}};
}

PlannedScore score_of(Json const& json) {
  PlannedScore score{
      json.at("record"),   json.at("from"), json.at("repeats"), known_of(json.at("observed")), {},
      json.at("forecasts")};
  for (auto const& each : json.at("known")) score.known.push_back(known_of(each));
  return score;
}

ScorePlan plan_of(Json const& json, std::vector<fs::path> const& scenarios) {
  ScorePlan plan;
  plan.facts = {json.at("design"), json.at("calibration"), json.at("replicas"), json.at("seed")};
  plan.conformal = json.at("conformal");
  plan.without_clock = json.at("without_clock");
  auto const& forecasts = json.at("forecasts");
  for (std::size_t i = 0; i < scenarios.size(); ++i) {
    auto const& each = forecasts.at(i);
    plan.forecasts.push_back(
        {scenarios[i], each.at("set"), each.at("sub_second"), each.at("site")});
  }
  for (auto const& each : json.at("scores")) plan.scores.push_back(score_of(each));
  return plan;
}

/// What is told of the clock of a campaign of which only some jobs or sites are looked at.
constexpr std::string_view of_whole_campaign[] = {"makespan_s", "makespan_95_s"};

void drop_clock(Scored& scored) {
  for (auto& record : scored.records) {
    std::erase_if(record.figures, [](study::ScoredFigure const& figure) {
      return std::find(std::begin(of_whole_campaign), std::end(of_whole_campaign), figure.figure) !=
             std::end(of_whole_campaign);
    });
  }
}

/// A forecast whose scenario was read, ready to be played.
struct ReadForecast {
  scenario::Scenario scenario;
  study::Instrument instrument;
};

ReadForecast read(PlannedForecast const& forecast) {
  ReadForecast ready{scenario::read_scenario(forecast.scenario, forecast.overrides), {}};
  ready.instrument = instrument(forecast, ready.scenario);
  return ready;
}

}  // namespace

std::uint32_t replicas_of(ScorePlan const& plan) {
  auto const options = options_of(plan);
  return static_cast<std::uint32_t>(options.draws * options.replicas_a_draw);
}

PlannedForecast planned(ForecastScenario const& made, ValidationRecord const& record,
                        std::string const& site) {
  return {made.scenario.file, made.scenario.overrides, has_fractions(record.logged), site};
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

history::JobHistory only_site(history::JobHistory const& history, std::string const& site) {
  history::JobHistory only = history;
  for (std::string const& other : history.sites) {
    if (other != site) only = calibration::without_site(only, other);
  }
  return only;
}

std::string score_plan_json(ScorePlan const& plan) {
  Json forecasts = Json::array(), scores = Json::array();
  for (auto const& each : plan.forecasts) {
    forecasts.push_back(
        {{"set", each.overrides}, {"sub_second", each.sub_second}, {"site", each.site}});
  }
  for (auto const& each : plan.scores) scores.push_back(json_of(each));
  Json const json = {{"design", plan.facts.design},     {"calibration", plan.facts.calibration},
                     {"replicas", plan.facts.replicas}, {"seed", plan.facts.seed},
                     {"conformal", plan.conformal},     {"without_clock", plan.without_clock},
                     {"forecasts", forecasts},          {"scores", scores}};
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

ScorePlan read_score_plan(fs::path const& file, std::vector<fs::path> const& scenarios) {
  try {
    return plan_of(Json::parse(read_text_file(file)), scenarios);
  } catch (Json::exception const&) {
    throw InputError(Problem{{file.string()},
                             "does not tell what is scored",
                             "it was changed by hand",
                             "Put it back as it was, or begin a study anew in another folder."});
  }
}

std::vector<study::BalancedForecast> play(ScorePlan const& plan, ScoreArguments const& arguments) {
  std::vector<study::BalancedForecast> played;
  for (PlannedForecast const& forecast : plan.forecasts) {
    auto const ready = read(forecast);
    auto options = options_of(plan);
    options.processes = arguments.processes;
    ProgressReport progress(arguments.verbose, arguments.quiet);
    options.progress = progress.callback();
    auto const& scenario = ready.scenario;
    played.push_back(study::balanced_forecast(scenario, scenario.strategy(scenario.baseline),
                                              ready.instrument, options));
    if (played.back().interrupted) break;
  }
  return played;
}

study::ShardPlayer score_player(ScorePlan const& plan) {
  return [plan](study::Shard const& shard, study::StudyOptions const& options) {
    std::uint32_t const each = replicas_of(plan);
    auto const balanced = options_of(plan);
    std::uint32_t const first = shard.from / each;
    std::vector<ReadForecast> ready;
    for (std::uint32_t i = first; i * each < shard.to; ++i)
      ready.push_back(read(plan.forecasts[i]));
    auto const task = [&](std::uint32_t number) {
      auto const& [scenario, instrument] = ready[number / each - first];
      return study::balanced_replica(scenario, scenario.strategy(scenario.baseline), instrument,
                                     balanced, number % each);
    };
    return study::play(shard, task, options);
  };
}

std::vector<study::BalancedForecast> forecasts_of(ScorePlan const& plan,
                                                  study::PoolResult const& played) {
  std::uint32_t const each = replicas_of(plan);
  std::vector<study::PoolResult> parts(plan.forecasts.size());
  for (auto const& [number, record] : played.records) {
    parts[number / each].records.emplace_back(number % each, record);
  }
  for (auto const& failed : played.failed) {
    parts[failed.replica / each].failed.push_back({failed.replica % each, failed.why});
  }
  std::vector<study::BalancedForecast> forecasts;
  for (auto& part : parts)
    forecasts.push_back(study::balanced_forecast_of(std::move(part), replicas_a_draw));
  return forecasts;
}

Scored scored(ScorePlan const& plan, std::vector<study::BalancedForecast> const& forecasts) {
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

namespace fs = std::filesystem;

StudyArguments study_arguments(ScoreArguments const& arguments) {
  StudyArguments own;
  own.seed = arguments.seed;
  own.processes = arguments.processes;
  own.csv = arguments.csv;
  own.json = arguments.json;
  own.force = arguments.force;
  own.verbose = arguments.verbose;
  own.quiet = arguments.quiet;
  own.report = arguments.report;
  return own;
}

ScorePlan frozen_plan(study::FrozenStudy const& study) {
  std::vector<fs::path> scenarios;
  for (auto const& file : study.forecast_files) scenarios.push_back(study.folder / file);
  return read_score_plan(study::scores_file(study), scenarios);
}

int gather_scores(study::StudyFolder const& folder, study::FoundShards const& found,
                  StudyArguments const& arguments) {
  ScoreArguments own;
  own.csv = arguments.csv;
  own.json = arguments.json;
  own.force = arguments.force;
  own.report = arguments.report;
  auto const plan = frozen_plan(folder.study());
  std::vector<fs::path> inputs = {study::scores_file(folder.study())};
  for (auto const& forecast : plan.forecasts) inputs.push_back(forecast.scenario);
  prepare_outputs(own, std::move(inputs));
  if (!found.missing.empty()) {
    tell("gridcast: nothing is scored before all forecasts are there\n");
    return exit_code::incomplete;
  }
  auto const forecasts = forecasts_of(plan, study::gathered_records(found));
  return tell_scores(scored(plan, forecasts), plan.facts, plan.conformal, own);
}

}  // namespace gridcast::cli
