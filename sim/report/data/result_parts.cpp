#include "sim/report/data/result_parts.hpp"

#include <cmath>

#include <fmt/format.h>

namespace gridcast::report {
namespace {

ResultFigures figures_in(JsonReader const& object) {
  ResultFigures figures;
  object.each_number([&](std::string const& name, double value) { figures[name] = value; });
  return figures;
}

ResultFigures figures_at(JsonReader const& json, std::string_view key) {
  auto const object = json.object(key);
  return object ? figures_in(*object) : ResultFigures();
}

study::Summary summary_in(JsonReader const& json) {
  study::Summary summary;
  summary.mean = json.number("mean");
  summary.sd = json.number("sd");
  summary.p05 = json.number("p05");
  summary.p25 = json.number("p25");
  summary.p50 = json.number("p50");
  summary.p75 = json.number("p75");
  summary.p95 = json.number("p95");
  summary.mean_ci95 = json.interval("mean_ci95");
  summary.n = std::isnan(summary.mean) ? 0 : 1;
  return summary;
}

ResultSummaries summaries_at(JsonReader const& json, std::string_view key) {
  ResultSummaries summaries;
  json.each(key, [&](std::string const& name, JsonReader const& each) {
    summaries[name] = summary_in(each);
  });
  return summaries;
}

std::vector<Seconds> times(std::vector<double> const& numbers) {
  std::vector<Seconds> list;
  for (double const x : numbers) list.emplace_back(x);
  return list;
}

std::optional<ResultFinish> finish_in(JsonReader const& json) {
  auto const object = json.object("finish");
  if (!object) return std::nullopt;
  ResultFinish finish;
  finish.at = times(object->numbers("at_s"));
  finish.makespans = times(object->numbers("makespan_quantiles_s"));
  if (object->has("succeeded")) {
    finish.low = finish.middle = finish.high = object->numbers("succeeded");
  } else {
    finish.low = object->numbers("succeeded_p05");
    finish.middle = object->numbers("succeeded_p50");
    finish.high = object->numbers("succeeded_p95");
  }
  for (auto const* list : {&finish.low, &finish.middle, &finish.high}) {
    if (list->size() == finish.at.size()) continue;
    json.report("finish", "as many numbers of jobs as times");
    return std::nullopt;
  }
  return finish;
}

ResultStrategy strategy_in(std::string const& name, JsonReader const& json) {
  ResultStrategy strategy;
  strategy.name = name;
  strategy.replicas = json.count("replicas");
  strategy.metrics = summaries_at(json, "metrics");
  json.each("sites", [&](std::string const& site, JsonReader const& each) {
    each.each([&](std::string const& figure, JsonReader const& summary) {
      strategy.sites[site][figure] = summary_in(summary);
    });
  });
  json.each("versus_baseline", [&](std::string const& figure, JsonReader const& each) {
    strategy.versus_baseline[figure] = {each.number("mean_difference"), each.interval("ci95")};
  });
  if (auto const best = json.object("probability_best")) {
    strategy.probability_best = figures_in(*best);
  }
  strategy.finish = finish_in(json);
  return strategy;
}

void read_against(JsonReader const& json, Result& result) {
  auto const object = json.object("against");
  if (!object) return;
  ResultAgainst against;
  against.jobs = object->count("jobs");
  object->each("metrics", [&](std::string const& name, JsonReader const& each) {
    auto const predicted = each.object("predicted");
    against.places.push_back({name, each.number("observed"),
                              predicted ? summary_in(*predicted) : study::Summary(),
                              each.number("position"), each.flag("inside_90")});
  });
  object->each("executions", [&](std::string const&, JsonReader const& each) {
    ++against.executions;
    against.executions_within += each.flag("within_5_percent") ? 1U : 0U;
  });
  object->each("sites", [&](std::string const& site, JsonReader const& each) {
    against.sites[site] = figures_in(each);
  });
  result.against = std::move(against);
}

}  // namespace

void read_head(JsonReader const& json, Result& result) {
  result.version = json.text("gridcast");
  result.scenario = json.text("scenario");
  result.scenario_sha256 = json.text("scenario_sha256");
  result.calibration_sha256 = json.text("calibration_sha256");
  result.title = json.text("title");
  result.question = json.text("question");
  result.strategy = json.text("strategy");
  result.baseline = json.text("baseline");
  result.seed = json.whole("seed");
  result.replica = json.whole("replica");
  result.replicas = json.count("replicas");
  result.requested = json.count("requested");
  result.partial = json.flag("partial");
  result.deterministic = json.flag("deterministic");
  json.each("failed", [&](std::string const&, JsonReader const& each) {
    std::string const under = each.text("strategy");
    result.failed.push_back(fmt::format("replica {}{}: {}", each.count("replica"),
                                        under.empty() ? "" : " under " + under, each.text("why")));
  });
}

void read_ledger(JsonReader const& json, Result& result) {
  ResultLedger ledger;
  if (!json.has("metrics")) json.report("metrics", "there");
  ledger.metrics = figures_at(json, "metrics");
  ledger.classes = figures_at(json, "classes");
  ledger.dated = json.has("classes");
  json.each("sites", [&](std::string const& site, JsonReader const& each) {
    ledger.sites[site] = figures_in(each);
    ledger.site_classes[site] = figures_at(each, "classes");
  });
  json.each("reasons", [&](std::string const&, JsonReader const& each) {
    ledger.reasons.push_back({each.text("ended"), each.text("what"), each.text("advice"),
                              each.number("times"), each.number("jobs"),
                              Seconds(each.number("slot_time_lost_s")),
                              Seconds(each.number("held_s"))});
  });
  json.each("jobs", [&](std::string const& name, JsonReader const& each) {
    ledger.jobs.push_back({name, each.text("outcome"), each.text("site"), figures_in(each),
                           figures_at(each, "classes")});
  });
  ledger.finish = finish_in(json);
  result.ledger = std::move(ledger);
}

void read_prediction(JsonReader const& json, Result& result) {
  if (!json.has("metrics")) json.report("metrics", "there");
  result.strategies.push_back(strategy_in(result.strategy, json));
  result.baseline = result.strategy;
  json.each("explanations", [&](std::string const& name, JsonReader const& each) {
    result.explanations.push_back({name,
                                   each.number("weight"),
                                   each.count("replicas"),
                                   {strategy_in(result.strategy, each)}});
  });
  read_against(json, result);
}

void read_replay(JsonReader const& json, Result& result) {
  ResultStrategy strategy;
  strategy.name = result.strategy;
  strategy.replicas = result.replicas;
  strategy.finish = finish_in(json);
  ResultAgainst rows;
  json.each("metrics", [&](std::string const& name, JsonReader const& each) {
    auto const replayed = each.object("replay");
    if (!replayed) return;
    study::Summary const summary = summary_in(*replayed);
    strategy.metrics[name] = summary;
    double const observed = each.number("rows");
    Interval const central{summary.p05, summary.p95};
    rows.places.push_back(
        {name, observed, summary, each.number("position"), central.contains(observed)});
  });
  rows.jobs = static_cast<std::size_t>(std::max(0.0, summary(strategy.metrics, "jobs").mean));
  result.baseline = result.strategy;
  result.strategies.push_back(std::move(strategy));
  result.against = std::move(rows);
  json.each("explanations", [&](std::string const& name, JsonReader const& each) {
    ResultStrategy part;
    part.name = result.strategy;
    part.metrics = summaries_at(each, "metrics");
    result.explanations.push_back(
        {name, each.number("weight"), each.count("replicas"), {std::move(part)}});
  });
}

void read_comparison(JsonReader const& json, Result& result) {
  if (!json.has("strategies")) json.report("strategies", "there");
  json.each("strategies", [&](std::string const& name, JsonReader const& each) {
    result.strategies.push_back(strategy_in(name, each));
  });
  json.each("explanations", [&](std::string const& name, JsonReader const& each) {
    ResultExplanation part{name, each.number("weight"), each.count("replicas"), {}};
    each.each("strategies", [&](std::string const& strategy, JsonReader const& one) {
      part.strategies.push_back(strategy_in(strategy, one));
    });
    result.explanations.push_back(std::move(part));
  });
}

}  // namespace gridcast::report
