#include "sim/report/data/result_json.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "sim/base/files.hpp"
#include "sim/ledger/metrics.hpp"
#include "sim/report/data/result.hpp"

namespace gridcast::report {
namespace {

// Writing. A study's numbers are written in full, those of a ledger to a millionth of a second.

Json summary_json(study::Summary const& summary) {
  return {{"mean", summary.mean}, {"sd", summary.sd},
          {"p05", summary.p05},   {"p25", summary.p25},
          {"p50", summary.p50},   {"p75", summary.p75},
          {"p95", summary.p95},   {"mean_ci95", interval_json(summary.mean_ci95)}};
}

/// Those that there are, in the order of the metrics.
Json summaries_json(ResultSummaries const& summaries) {
  Json json = Json::object();
  for (auto const& name : ledger::metric_names(ledger::ToldOf::replica)) {
    auto const found = summaries.find(name);
    if (found != summaries.end()) json[found->first] = summary_json(found->second);
  }
  return json;
}

Json sites_json(SiteSummaries const& sites) {
  Json json = Json::object();
  for (auto const& [site, summaries] : sites) json[site] = summaries_json(summaries);
  return json;
}

Json finish_json(std::optional<study::FinishBand> const& finish) {
  if (!finish) return nullptr;
  auto const values = [](std::vector<Seconds> const& times) {
    Json list = Json::array();
    for (Seconds const time : times) list.push_back(time.value());
    return list;
  };
  return {{"at_s", values(finish->at)},
          {"succeeded_p05", finish->p05},
          {"succeeded_p50", finish->p50},
          {"succeeded_p95", finish->p95},
          {"makespan_quantiles_s", values(finish->makespans)},
          {"wanted_jobs", finish->wanted},
          {"wanted_quantiles_s", values(finish->reached)}};
}

Json strategy_json(ResultStrategy const& strategy) {
  Json json = {{"replicas", strategy.replicas},
               {"metrics", summaries_json(strategy.metrics)},
               {"versus_baseline", Json::object()},
               {"probability_best", Json::object()}};
  for (auto const& name : ledger::metric_names(ledger::ToldOf::replica)) {
    auto const found = strategy.versus_baseline.find(name);
    if (found == strategy.versus_baseline.end()) continue;
    json["versus_baseline"][found->first] = difference_json(found->second);
  }
  for (auto const& figure : study::compared_figures()) {
    std::string const name(figure.name);
    auto const found = strategy.probability_best.find(name);
    if (found != strategy.probability_best.end()) json["probability_best"][name] = found->second;
  }
  put_standing(json, strategy);
  return json;
}

Json strategies_json(std::vector<ResultStrategy> const& strategies) {
  Json json = Json::object();
  for (auto const& strategy : strategies) json[strategy.name] = strategy_json(strategy);
  return json;
}

Json hypotheses_json(Result const& result) {
  Json json = Json::object();
  for (auto const& hypothesis : result.hypotheses) {
    auto& each = json[hypothesis.name];
    each["prior"] = hypothesis.prior;
    each["log_bayes_factor"] = hypothesis.log_bayes_factor;
    each["weight"] = hypothesis.posterior;
    each["replicas"] = hypothesis.replicas;
    if (result.kind == ResultKind::comparison) {
      each["strategies"] = strategies_json(hypothesis.strategies);
    } else {
      each["metrics"] = summaries_json(hypothesis.strategies.front().metrics);
    }
  }
  return json;
}

Json against_json(study::RecordComparison const& against) {
  Json json;
  json["jobs"] = against.jobs;
  json["metrics"] = Json::object();
  for (auto const& placed : against.figures) {
    json["metrics"][placed.name] = {{"observed", placed.observed},
                                    {"predicted", summary_json(placed.predicted)},
                                    {"position", placed.percentile_rank},
                                    {"inside_90", placed.inside}};
  }
  json["executions"] = Json::array();
  std::size_t left_out = 0;
  for (auto const& placed : against.executions) {
    Json const within = std::isnan(placed.predicted_s) ? Json(nullptr) : Json(placed.within);
    left_out += within.is_null() ? 1 : 0;
    json["executions"].push_back({{"job", placed.job},
                                  {"site", placed.site},
                                  {"observed_s", placed.observed_s},
                                  {"predicted_median_s", placed.predicted_s},
                                  {"within_5_percent", within}});
  }
  json["executions_not_compared"] = left_out;
  json["sites"] = against.sites;
  return json;
}

/// The replay beside the rows, figure by figure.
void put_rows(Json& json, Result const& result) {
  for (auto const& row : result.against->figures) {
    json["metrics"][row.name] = {{"rows", row.observed},
                                 {"replay", summary_json(row.predicted)},
                                 {"position", row.percentile_rank},
                                 {"mean_difference", row.predicted.mean - row.observed},
                                 {"relative_difference", row.predicted.mean / row.observed - 1}};
  }
}

Json failed_json(Result const& result) {
  Json json = Json::array();
  for (auto const& failed : result.failed) {
    Json each = Json::object();
    if (!failed.strategy.empty()) each["strategy"] = failed.strategy;
    each["replica"] = failed.replica;
    each["seed"] = result.seed.value_or(0);
    each["why"] = failed.why;
    if (result.kind != ResultKind::replay) {
      each["command"] = replica_command(result.scenario,
                                        failed.strategy.empty() ? result.strategy : failed.strategy,
                                        result.seed.value_or(0), failed.replica);
    }
    json.push_back(std::move(each));
  }
  return json;
}

Json figures_json(ResultFigures const& figures, std::vector<std::string> const& names) {
  Json json = Json::object();
  for (auto const& name : names) json[name] = json_number(figure(figures, name));
  return json;
}

Json classes_json(ResultFigures const& classes) {
  Json json = Json::object();
  for (auto const c : ledger::all_time_classes()) {
    std::string const key = std::string(name(c)) + "_s";
    json[key] = json_number(figure(classes, key));
  }
  return json;
}

Json reasons_json(std::vector<ResultReason> const& reasons) {
  Json list = Json::array();
  for (auto const& row : reasons) {
    list.push_back({{"ended", row.ended},
                    {"what", row.what},
                    {"advice", row.advice},
                    {"code", row.code},
                    {"subcode", row.subcode},
                    {"exit_code", row.exit_code},
                    {"reason", row.reason},
                    {"times", json_number(row.times)},
                    {"jobs", json_number(row.jobs)},
                    {"slot_time_lost_s", json_number(row.slot_time_lost.value())},
                    {"held_s", json_number(row.held.value())}});
  }
  return list;
}

Json jobs_json(std::vector<ResultJob> const& jobs) {
  Json json = Json::object();
  for (auto const& job : jobs) {
    std::vector<std::string> names = {"stalls", "holds"};
    if (job.figures.contains("attempts")) names.insert(names.end(), {"attempts", "executions"});
    names.insert(names.end(),
                 {"transfer_retried_s", "transfer_last_s", "execute_last_s", "match_to_done_s"});
    Json each = {{"outcome", job.outcome},
                 {"site", job.site.empty() ? Json(nullptr) : Json(job.site)}};
    each.update(figures_json(job.figures, names));
    if (!job.classes.empty()) each["classes"] = classes_json(job.classes);
    json[job.name] = std::move(each);
  }
  return json;
}

/// What was played, of one simulated campaign.
void put_played(Json& json, Result const& result) {
  json["gridcast"] = result.version;
  json["scenario"] = result.scenario;
  json["scenario_sha256"] = result.scenario_sha256;
  json["calibration_sha256"] = result.calibration_sha256;
  json["title"] = result.title;
  json["question"] = result.question;
  json["strategy"] = result.strategy;
  json["seed"] = result.seed.value_or(0);
  json["replica"] = result.replica.value_or(0);
}

void put_ledger(Json& json, Result const& result) {
  if (!result.version.empty()) put_played(json, result);
  put_critical_path(json, result);
  ResultLedger const& ledger = *result.ledger;
  json["metrics"] = figures_json(ledger.metrics, ledger::metric_names(ledger::ToldOf::campaign));
  auto names = ledger::metric_names(ledger::ToldOf::site);
  names.insert(names.end(), {"execute_mean_s", "execute_median_s"});
  json["sites"] = Json::object();
  for (auto const& [site, figures] : ledger.sites) {
    auto& each = json["sites"][site] = figures_json(figures, names);
    auto const classes = ledger.site_classes.find(site);
    if (classes != ledger.site_classes.end()) each["classes"] = classes_json(classes->second);
  }
  json["classes"] = ledger.dated ? classes_json(ledger.classes) : Json(nullptr);
  json["reasons"] = ledger.dated ? reasons_json(ledger.reasons) : Json(nullptr);
  if (ledger.with_jobs) json["jobs"] = jobs_json(ledger.jobs);
  put_traffic(json, ledger);
  json["finish"] = nullptr;
  if (!ledger.finish) return;
  Json at = Json::array(), succeeded = Json::array();
  for (Seconds const time : ledger.finish->at) at.push_back(json_number(time.value()));
  for (double const done : ledger.finish->p50) succeeded.push_back(json_number(done));
  json["finish"] = {{"at_s", std::move(at)}, {"succeeded", std::move(succeeded)}};
}

/// What was played, of a study.
void put_study(Json& json, Result const& result) {
  bool const replay = result.kind == ResultKind::replay;
  bool const several = result.kind == ResultKind::comparison;
  json["gridcast"] = result.version;
  json["scenario"] = result.scenario;
  json["scenario_sha256"] = result.scenario_sha256;
  json["title"] = result.title;
  if (!replay) json["question"] = result.question;
  json["calibration_sha256"] = result.calibration_sha256;
  json[several ? "baseline" : "strategy"] = several ? result.baseline : result.strategy;
  json["replicas"] = result.replicas;
  json["requested"] = result.requested;
  json["seed"] = result.seed.value_or(0);
  json["partial"] = result.partial;
  if (result.recorded_jobs) json["recorded_jobs"] = *result.recorded_jobs;
  if (!result.no_stalls.empty()) json["no_stalls"] = result.no_stalls;
  if (result.conformal_campaigns > 0) json["conformal_campaigns"] = result.conformal_campaigns;
  if (replay) json["deterministic"] = result.deterministic;
  json["failed"] = failed_json(result);
}

void put_comparison(Json& json, Result const& result) {
  put_study(json, result);
  put_verdict(json, result);
  json["strategies"] = strategies_json(result.strategies);
  json["explanations"] = hypotheses_json(result);
  for (auto const& strategy : result.strategies) {
    auto& each = json["strategies"][strategy.name];
    each["sites"] = sites_json(strategy.sites);
    each["finish"] = finish_json(strategy.finish);
    put_deadline(each, result, strategy);
  }
}

void put_prediction(Json& json, Result const& result) {
  put_study(json, result);
  auto const& strategy = result.strategies.front();
  json["metrics"] = summaries_json(strategy.metrics);
  json["explanations"] = hypotheses_json(result);
  json["sites"] = sites_json(strategy.sites);
  json["finish"] = finish_json(strategy.finish);
  put_deadline(json, result, strategy);
  put_standing(json, strategy);
  put_critical_path(json, result);
  if (result.against) json["against"] = against_json(*result.against);
}

void put_replay(Json& json, Result const& result) {
  put_study(json, result);
  put_rows(json, result);
  json["sites"] = sites_json(result.sites_by_events);
  json["finish"] = finish_json(result.strategies.front().finish);
  if (!result.hypotheses.empty()) json["explanations"] = hypotheses_json(result);
}

// Reading.

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

std::optional<study::FinishBand> finish_in(JsonReader const& json) {
  auto const object = json.object("finish");
  if (!object) return std::nullopt;
  study::FinishBand finish;
  finish.at = times(object->numbers("at_s"));
  finish.makespans = times(object->numbers("makespan_quantiles_s"));
  finish.wanted = object->count("wanted_jobs");
  for (double const time : object->numbers("wanted_quantiles_s")) {
    // Null: as many never had succeeded.
    finish.reached.emplace_back(std::isnan(time) ? std::numeric_limits<double>::infinity() : time);
  }
  if (object->has("succeeded")) {
    finish.p05 = finish.p50 = finish.p95 = object->numbers("succeeded");
  } else {
    finish.p05 = object->numbers("succeeded_p05");
    finish.p50 = object->numbers("succeeded_p50");
    finish.p95 = object->numbers("succeeded_p95");
  }
  for (auto const* list : {&finish.p05, &finish.p50, &finish.p95}) {
    if (list->size() == finish.at.size()) continue;
    json.report("finish", "as many numbers of jobs as times");
    return std::nullopt;
  }
  return finish;
}

SiteSummaries sites_in(JsonReader const& json) {
  SiteSummaries sites;
  json.each("sites", [&](std::string const& site, JsonReader const& each) {
    ResultSummaries summaries;
    each.each([&](std::string const& figure, JsonReader const& summary) {
      summaries[figure] = summary_in(summary);
    });
    sites.emplace_back(site, std::move(summaries));
  });
  return sites;
}

ResultStrategy strategy_in(std::string const& name, JsonReader const& json) {
  ResultStrategy strategy;
  strategy.name = name;
  strategy.replicas = json.count("replicas");
  strategy.metrics = summaries_at(json, "metrics");
  strategy.sites = sites_in(json);
  json.each("versus_baseline", [&](std::string const& figure, JsonReader const& each) {
    strategy.versus_baseline[figure] = difference_in(each);
  });
  if (auto const best = json.object("probability_best")) {
    strategy.probability_best = figures_in(*best);
  }
  read_standing(json, strategy);
  strategy.finish = finish_in(json);
  return strategy;
}

study::RecordComparison against_in(JsonReader const& json) {
  study::RecordComparison against;
  against.jobs = json.count("jobs");
  json.each("metrics", [&](std::string const& name, JsonReader const& each) {
    auto const predicted = each.object("predicted");
    against.figures.push_back({name, each.number("observed"),
                               predicted ? summary_in(*predicted) : study::Summary(),
                               each.number("position"), each.flag("inside_90")});
  });
  json.each("executions", [&](std::string const&, JsonReader const& each) {
    against.executions.push_back({each.text("job"), each.text("site"), each.number("observed_s"),
                                  each.number("predicted_median_s"),
                                  each.flag("within_5_percent")});
  });
  json.each("sites", [&](std::string const& site, JsonReader const& each) {
    against.sites[site] = figures_in(each);
  });
  return against;
}

void read_hypotheses(JsonReader const& json, Result& result) {
  json.each("explanations", [&](std::string const& name, JsonReader const& each) {
    ResultHypothesis hypothesis{name, each.number("weight"), each.count("replicas"),
                                {},   each.number("prior"),  each.number("log_bayes_factor")};
    if (each.has("strategies")) {
      each.each("strategies", [&](std::string const& strategy, JsonReader const& one) {
        hypothesis.strategies.push_back(strategy_in(strategy, one));
      });
    } else {
      hypothesis.strategies.push_back(strategy_in(result.strategy, each));
    }
    result.hypotheses.push_back(std::move(hypothesis));
  });
}

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
  result.recorded_jobs = json.whole("recorded_jobs");
  if (json.has("no_stalls")) result.no_stalls = json.text("no_stalls");
  result.conformal_campaigns = json.count("conformal_campaigns");
  result.partial = json.flag("partial");
  result.deterministic = json.flag("deterministic");
  json.each("failed", [&](std::string const&, JsonReader const& each) {
    result.failed.push_back({each.text("strategy"),
                             static_cast<std::uint32_t>(each.count("replica")), each.text("why")});
  });
}

void read_ledger(JsonReader const& json, Result& result) {
  ResultLedger ledger;
  if (!json.has("metrics")) json.report("metrics", "there");
  ledger.metrics = figures_at(json, "metrics");
  ledger.with_jobs = json.has("jobs");
  ledger.classes = figures_at(json, "classes");
  ledger.dated = json.has("classes");
  json.each("sites", [&](std::string const& site, JsonReader const& each) {
    ledger.sites[site] = figures_in(each);
    ledger.site_classes[site] = figures_at(each, "classes");
  });
  json.each("reasons", [&](std::string const&, JsonReader const& each) {
    auto const integer = [&each](std::string_view key) {
      double const value = each.number(key);
      return std::isnan(value) ? 0 : static_cast<int>(value);
    };
    ledger.reasons.push_back({each.text("ended"), each.text("what"), each.text("advice"),
                              integer("code"), integer("subcode"), integer("exit_code"),
                              each.text("reason"), each.number("times"), each.number("jobs"),
                              Seconds(each.number("slot_time_lost_s")),
                              Seconds(each.number("held_s"))});
  });
  json.each("jobs", [&](std::string const& name, JsonReader const& each) {
    ledger.jobs.push_back({name, each.text("outcome"), each.text("site"), figures_in(each),
                           figures_at(each, "classes")});
  });
  ledger.finish = finish_in(json);
  read_traffic(json, ledger);
  result.ledger = std::move(ledger);
}

void read_prediction(JsonReader const& json, Result& result) {
  if (!json.has("metrics")) json.report("metrics", "there");
  result.strategies.push_back(strategy_in(result.strategy, json));
  result.baseline = result.strategy;
  if (auto const against = json.object("against")) result.against = against_in(*against);
}

void read_replay(JsonReader const& json, Result& result) {
  ResultStrategy strategy;
  strategy.name = result.baseline = result.strategy;
  strategy.replicas = result.replicas;
  strategy.finish = finish_in(json);
  study::RecordComparison rows;
  json.each("metrics", [&](std::string const& name, JsonReader const& each) {
    auto const replayed = each.object("replay");
    if (!replayed) return;
    study::Summary const summary = summary_in(*replayed);
    strategy.metrics[name] = summary;
    double const observed = each.number("rows");
    Interval const central{summary.p05, summary.p95};
    rows.figures.push_back(
        {name, observed, summary, each.number("position"), central.contains(observed)});
  });
  result.sites_by_events = sites_in(json);
  rows.jobs = static_cast<std::size_t>(std::max(0.0, summary(strategy.metrics, "jobs").mean));
  result.strategies.push_back(std::move(strategy));
  result.against = std::move(rows);
}

void read_comparison(JsonReader const& json, Result& result) {
  if (!json.has("strategies")) json.report("strategies", "there");
  json.each("strategies", [&](std::string const& name, JsonReader const& each) {
    result.strategies.push_back(strategy_in(name, each));
  });
  read_verdict(json, result);
}

/// How each kind is written below its schema's name, and read.
struct Schema {
  std::string_view name;
  ResultKind kind;
  void (*put)(Json&, Result const&);
  void (*read)(JsonReader const&, Result&);
};

constexpr Schema schemas[] = {
    {"gridcast.ledger/1", ResultKind::ledger, put_ledger, read_ledger},
    {"gridcast.prediction/1", ResultKind::prediction, put_prediction, read_prediction},
    {"gridcast.replay/1", ResultKind::replay, put_replay, read_replay},
    {"gridcast.comparison/1", ResultKind::comparison, put_comparison, read_comparison}};

std::string known_names() {
  std::string text;
  for (auto const& each : schemas) text += (text.empty() ? "" : ", ") + std::string(each.name);
  return text;
}

Schema const& schema_of(Json const& json, std::string const& source) {
  std::string const schema =
      json.is_object() && json.contains("schema") && json["schema"].is_string()
          ? json["schema"].get<std::string>()
          : std::string();
  for (auto const& each : schemas) {
    if (schema == each.name) return each;
  }
  for (auto const& each : schemas) {
    auto const family = each.name.substr(0, each.name.find('/') + 1);
    if (!schema.starts_with(family)) continue;
    throw InputError(Problem{{source, 0, 0},
                             fmt::format("is a result of schema {}", schema),
                             fmt::format("this gridcast reads {}", each.name),
                             "Use the gridcast that made it, or make it again with this one."});
  }
  throw InputError(
      Problem{{source, 0, 0},
              schema.empty() ? "is no result of gridcast: it names no schema"
                             : fmt::format("is of schema '{}'", schema),
              "a report is made of " + known_names(),
              "Make a result: gridcast run|predict|compare|replay|ledger ... --json."});
}

}  // namespace

std::string replica_command(std::string const& scenario, std::string const& strategy,
                            std::uint64_t seed, std::uint32_t replica) {
  return fmt::format("gridcast run {} --seed {} --replica {} --strategy {}", scenario, seed,
                     replica, strategy);
}

Json result_json(Result const& result) {
  Schema const& schema = schemas[static_cast<std::size_t>(result.kind)];
  Json json;
  json["schema"] = schema.name;
  schema.put(json, result);
  return json;
}

Result read_result(std::string const& text, std::string const& source) {
  auto const json = parse_json(text, source);
  Schema const& schema = schema_of(json, source);
  Result result;
  result.kind = schema.kind;
  result.source = source;
  std::vector<Problem> problems;
  JsonReader const reader(json, "", source, problems);
  read_head(reader, result);
  schema.read(reader, result);
  read_hypotheses(reader, result);
  read_critical_path(reader, result);
  if (!problems.empty()) throw InputError(std::move(problems));
  return result;
}

Result read_result(std::filesystem::path const& file) {
  return read_result(read_text_file(file), file.string());
}

}  // namespace gridcast::report
