#include "sim/report/data/result_json.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sim/base/files.hpp"
#include "sim/base/json_text.hpp"
#include "sim/ledger/metrics.hpp"
#include "sim/report/data/choice_json.hpp"
#include "sim/report/text/ledger_text.hpp"

namespace gridcast::report {
namespace {

// Each function lists rows of a field table (sim/base/json_fields.hpp); `row` is a JsonWriter or a
// JsonReader, and `result` is const for the writer. A study's numbers have all digits, the numbers
// of a ledger are rounded to a millionth.

using Keys = std::vector<std::string>;

Keys replica_metrics() { return ledger::metric_names(ledger::MetricScope::replica); }

Keys compared_names() {
  return each_of<std::string>(study::compared_figures(),
                              [](auto const& figure) { return figure.name; });
}

Keys class_names() {
  return each_of(ledger::all_time_classes(),
                 [](auto const c) { return std::string(name(c)) + "_s"; });
}

Keys strategy_names(Result const& result) {
  return each_of(result.strategies, [](auto const& strategy) { return strategy.name; });
}

/// The kind of transfers that the record behind a calibration does not contain.
constexpr std::string_view lacking_words[] = {"", "input transfers",
                                              "input that came from the origin by HTTP",
                                              "input that the access point itself sent"};

/// Verdict on a strategy and the figures behind it, each if it is known.
void standing_rows(auto& row, auto& strategy) {
  row.unless_empty("probability_best_ci95", strategy.probability_best_ci95);
  row.unless_empty("pooled", strategy.pooled);
  row.object("rank", strategy.enough_succeed.n > 0, [&](auto& rank) {
    rank.named("is", strategy.rank, study::rank_names);
    rank("why", strategy.why_not_ranked);
    rank("enough_succeed", strategy.enough_succeed);
  });
  row.object("never_ran", strategy.never_ran.n > 0, [&](auto& never) {
    strategy.never_ran.fields(never, strategy.never_ran);
    never("why", strategy.why_never_ran);
  });
  if (row.reads || strategy.beyond_record != scenario::RecordGap::none) {
    row.named("beyond_record", strategy.beyond_record, lacking_words);
  }
  bool const cut = strategy.ends.at_horizon + strategy.ends.queue_limit > 0;
  row.object("ends", cut, [&](auto& ends) { strategy.ends.fields(ends, strategy.ends); });
  row.unless_empty("spread", strategy.spread);
}

void strategy_rows(auto& row, auto& strategy) {
  row.unless_empty("about", strategy.about);
  row.unless_empty("stopped", strategy.stopped);
  row.unless_empty("as_baseline", strategy.as_baseline);
  row("replicas", strategy.replicas);
  row.in_order("metrics", strategy.metrics, replica_metrics());
  row.in_order("versus_baseline", strategy.versus_baseline, replica_metrics());
  row.in_order("probability_best", strategy.probability_best, compared_names());
  standing_rows(row, strategy);
}

/// Sites and times of a strategy of a whole study, and the answer to a deadline.
void outcome_rows(auto& row, auto& strategy) {
  row.in_order("sites", strategy.sites, replica_metrics());
  row("finish", strategy.finish);
  row("gpu_hours", strategy.gpu_hours);
  auto answer = strategy.by_deadline.value_or(DeadlineAnswer());
  row.object("deadline", strategy.by_deadline.has_value(), [&](auto& deadline) {
    deadline("at_s", answer.at);
    deadline.derived("wanted_jobs", strategy.finish ? strategy.finish->wanted : 0);
    deadline("probability", answer.met.share);
    deadline("ci95", answer.met.ci95);
    deadline.restore(strategy, [&answer](auto&, auto& read) {
      answer.met.n = read.replicas;
      read.by_deadline = answer;
    });
  });
}

void hypothesis_rows(auto& row, auto& result) {
  row.by_name("explanations", result.hypotheses, [&](auto& each, auto& hypothesis) {
    each("prior", hypothesis.prior);
    each("log_bayes_factor", hypothesis.log_bayes_factor);
    each("weight", hypothesis.posterior);
    each("replicas", hypothesis.replicas);
    if (result.kind == ResultKind::comparison) {
      each.by_name("strategies", hypothesis.strategies,
                   [](auto& one, auto& strategy) { strategy_rows(one, strategy); });
      each.restore(hypothesis, [&](auto&, auto& read) {
        read.strategies.resize(result.strategies.size());  // as the other lists
      });
      return;
    }
    each.restore(hypothesis,
                 [&](auto&, auto& read) { read.strategies.emplace_back().name = result.strategy; });
    each.in_order("metrics", hypothesis.strategies.front().metrics, replica_metrics());
  });
}

void parameter_value_rows(auto& row, auto& value, Keys const& strategies) {
  row("name", value.name);
  row("meaning", value.meaning);
  row("share_of_score", value.share);
  row("ci95", value.ci95);
  row.list("ranges", value.ranges, [&](auto& each, auto& range) {
    each.unless_empty("name", range.name);
    each("upto", range.upto);
    each.restore(range, [](auto&, auto& read) {
      if (std::isnan(read.upto)) read.upto = infinity;
    });
    each.named("choice", range.choice, strategies);
  });
}

void against_rows(auto& row, auto& against) {
  row("jobs", against.jobs);
  row.by_name("metrics", against.figures);
  row("executions", against.executions);
  row.derived("executions_not_compared",
              std::count_if(against.executions.begin(), against.executions.end(),
                            [](auto const& each) { return std::isnan(each.predicted_s); }));
  row("sites", against.sites);
}

/// The study that was made.
void study_rows(auto& row, auto& result) {
  bool const replay = result.kind == ResultKind::replay;
  row("gridcast", result.version);
  row("scenario", result.scenario);
  row("scenario_sha256", result.scenario_sha256);
  row("title", result.title);
  if (!replay) row("question", result.question);
  row("calibration_sha256", result.calibration_sha256);
  if (result.kind == ResultKind::comparison) {
    row("baseline", result.baseline);
  } else {
    row("strategy", result.strategy);
  }
  row("replicas", result.replicas);
  row("requested", result.requested);
  row("seed", result.seed);
  row("partial", result.partial);
  row.unless_empty("recorded_jobs", result.recorded_jobs);
  row.unless_empty("no_stalls", result.no_stalls);
  row.unless_empty("extrapolation", result.extrapolation);
  row.unless_empty("simplified", result.simplified);
  if (replay) row("deterministic", result.deterministic);
  row.list("failed", result.failed, [&](auto& each, auto& failed) {
    each.unless_empty("strategy", failed.strategy);
    each("replica", failed.replica);
    each.derived("seed", result.seed);
    each("why", failed.why);
    if (replay) return;
    auto const& strategy = failed.strategy.empty() ? result.strategy : failed.strategy;
    each.derived("command", replica_command(result.scenario, strategy, result.seed.value_or(0),
                                            failed.replica));
  });
}

void comparison_rows(auto& row, auto& result) {
  study_rows(row, result);
  auto const choice = [&] {
    row.object("choice", result.choice.has_value(), [&](auto& inner) {
      inner.restore(result, [](auto&, auto& read) { read.choice.emplace(); });
      choice_rows(inner, *result.choice, strategy_names(result));
      inner.list("parameter_values", result.parameter_values, [&](auto& each, auto& value) {
        parameter_value_rows(each, value, strategy_names(result));
      });
    });
  };
  if (!row.reads) choice();
  row.expect("strategies");
  row.by_name("strategies", result.strategies, [&](auto& each, auto& strategy) {
    strategy_rows(each, strategy);
    outcome_rows(each, strategy);
  });
  if (row.reads) choice();  // which names the strategies
  hypothesis_rows(row, result);
}

void prediction_rows(auto& row, auto& result) {
  study_rows(row, result);
  row.restore(result, [](auto&, auto& read) {
    auto& strategy = read.strategies.emplace_back();
    strategy.name = read.baseline = read.strategy;
    strategy.replicas = read.replicas;
  });
  auto& strategy = result.strategies.front();
  row.expect("metrics");
  row.in_order("metrics", strategy.metrics, replica_metrics());
  row.unless_empty("about", strategy.about);
  hypothesis_rows(row, result);
  outcome_rows(row, strategy);
  standing_rows(row, strategy);
  row("money", result.money, !std::isnan(result.money.middle));
  row.unless_empty("currency", result.currency);
  row.unless_empty("critical_path", result.critical_path);
  row.object("against", result.against.has_value(), [&](auto& against) {
    against.restore(result, [](auto&, auto& read) { read.against.emplace(); });
    against_rows(against, *result.against);
  });
}

/// The replay beside the rows of the table, figure by figure.
void replay_rows(auto& row, auto& result) {
  study_rows(row, result);
  row.restore(result, [](auto&, auto& read) {
    auto& strategy = read.strategies.emplace_back();
    strategy.name = read.baseline = read.strategy;
    strategy.replicas = read.replicas;
    read.against.emplace();
  });
  row.by_name("metrics", result.against->figures, [](auto& each, auto& figure) {
    each("rows", figure.observed);
    each("replay", figure.predicted);
    each("position", figure.percentile_rank);
    each.derived("mean_difference", figure.predicted.mean - figure.observed);
    each.derived("relative_difference", figure.predicted.mean / figure.observed - 1);
  });
  row.restore(result, [](auto&, auto& read) {
    auto& metrics = read.strategies.front().metrics;
    for (auto& figure : read.against->figures) {
      auto const& predicted = metrics[figure.name] = figure.predicted;
      figure.inside = Interval{predicted.p05, predicted.p95}.contains(figure.observed);
    }
    read.against->jobs = jobs(read);
  });
  row.in_order("sites", result.sites_by_events, replica_metrics());
  row("finish", result.strategies.front().finish);
  if (row.reads || !result.hypotheses.empty()) hypothesis_rows(row, result);
}

void job_rows(auto& row, auto& job) {
  row("outcome", job.outcome);
  row("site", job.site, !job.site.empty());
  row.numbers(job.figures, {"stalls", "holds", "attempts", "executions", "transfer_retried_s",
                            "transfer_last_s", "execute_last_s", "match_to_done_s"});
  if (row.reads || !job.classes.empty()) {
    row.in_order("classes", job.classes, class_names(), Digits::millionths);
  }
}

/// Bytes and GPU hours.
void traffic_rows(auto& row, auto& ledger) {
  row.object("gpu_hours", true, [&](auto& hours) {
    hours.rounded("all", ledger.gpu_hours);
    hours.rounded("sites", ledger.site_gpu_hours);
  });
  row.object("bytes", !ledger.traffic.is_empty(), [&](auto& bytes) {
    bytes.members(
        "sites", ledger.traffic.sites,
        [](auto& each, auto&, auto& moved) {
          each.rounded("received", moved.received);
          each.rounded("sent", moved.sent);
        },
        site_label(""));
    bytes.members("caches", ledger.traffic.caches, [](auto& each, auto&, auto& cache) {
      each.rounded("received", cache.received);
      each("tries", cache.tries);
      each("arrived", cache.arrived);
      each("given_up", cache.given_up);
      each("failed", cache.failed);
    });
  });
}

/// When how many jobs of one campaign had succeeded.
struct FinishCurve {
  std::vector<Seconds> at;
  std::vector<double> succeeded;

  static void fields(auto& row, auto& curve) {
    row.rounded("at_s", curve.at);
    row.rounded("succeeded", curve.succeeded);
    row.restore(curve, [](auto& reader, auto& read) {
      if (read.succeeded.size() != read.at.size()) {
        reader.report("as many numbers of jobs as times");
      }
    });
  }
};

void finish_rows(auto& row, auto& ledger) {
  std::optional<FinishCurve> curve;
  if (ledger.finish) curve = FinishCurve{ledger.finish->at, ledger.finish->p50};
  row("finish", curve);
  row.restore(ledger, [&](auto&, auto& read) {
    if (!curve) return;
    auto& band = read.finish.emplace();
    band.at = curve->at;
    band.p05 = band.p50 = band.p95 = curve->succeeded;
  });
}

/// The campaign that was simulated.
void simulated_rows(auto& row, auto& result) {
  row("gridcast", result.version);
  row("scenario", result.scenario);
  row("scenario_sha256", result.scenario_sha256);
  row("calibration_sha256", result.calibration_sha256);
  row("title", result.title);
  row("question", result.question);
  row("strategy", result.strategy);
  row("seed", result.seed);
  row("replica", result.replica);
}

void site_rows(auto& row, auto& ledger) {
  auto site_figures = ledger::metric_names(ledger::MetricScope::site);
  site_figures.insert(site_figures.end(), {"execute_mean_s", "execute_median_s"});
  row.members("sites", ledger.sites, [&](auto& each, auto& site, auto& figures) {
    each.numbers(figures, site_figures);
    auto const found = ledger.site_classes.find(site);
    ResultFigures classes = found == ledger.site_classes.end() ? ResultFigures() : found->second;
    if (each.reads || !classes.empty()) {
      each.in_order("classes", classes, class_names(), Digits::millionths);
    }
    each.restore(ledger, [&](auto&, auto& read) { read.site_classes[site] = classes; });
  });
}

void ledger_rows(auto& row, auto& result) {
  if (row.reads || !result.version.empty()) simulated_rows(row, result);
  row.unless_empty("critical_path", result.critical_path);
  row.restore(result, [](auto& reader, auto& read) {
    read.ledger.emplace();
    read.ledger->dated = reader.has("classes");
    read.ledger->with_jobs = reader.has("jobs");
  });
  auto& ledger = *result.ledger;
  row("attempts_not_in_record", ledger.attempts_unrecorded, ledger.attempts_unrecorded > 0);
  row.expect("metrics");
  row.in_order("metrics", ledger.metrics, ledger::metric_names(ledger::MetricScope::campaign),
               Digits::millionths);
  site_rows(row, ledger);
  row.in_order("classes", ledger.classes, class_names(), Digits::millionths, ledger.dated);
  row("reasons", ledger.reasons, ledger.dated);
  if (ledger.with_jobs) {
    row.by_name("jobs", ledger.jobs, [](auto& each, auto& job) { job_rows(each, job); });
  }
  traffic_rows(row, ledger);
  finish_rows(row, ledger);
}

void result_rows(auto& row, auto& result) {
  switch (result.kind) {
    case ResultKind::ledger:
      return ledger_rows(row, result);
    case ResultKind::prediction:
      return prediction_rows(row, result);
    case ResultKind::replay:
      return replay_rows(row, result);
    case ResultKind::comparison:
      return comparison_rows(row, result);
  }
}

/// By ResultKind.
constexpr std::string_view schemas[] = {"gridcast.ledger/1", "gridcast.prediction/1",
                                        "gridcast.replay/1", "gridcast.comparison/1"};

ResultKind kind_of(Json const& json, std::string const& source) {
  std::string const schema =
      json.is_object() && json.contains("schema") && json["schema"].is_string()
          ? json["schema"].get<std::string>()
          : std::string();
  for (std::size_t i = 0; i < std::size(schemas); ++i) {
    if (schema == schemas[i]) return static_cast<ResultKind>(i);
  }
  for (std::string_view const known : schemas) {
    if (!schema.starts_with(known.substr(0, known.find('/') + 1))) continue;
    refuse({source, 0, 0}, fmt::format("is a result of schema {}", schema),
           fmt::format("this gridcast reads {}", known),
           "Use the gridcast that made it, or make it again with this one.");
  }
  throw InputError(
      Problem{{source, 0, 0},
              schema.empty() ? "is no result of gridcast: it names no schema"
                             : fmt::format("is of schema '{}'", schema),
              fmt::format("a report is made of {}", fmt::join(schemas, ", ")),
              schema == "gridcast.running/1"
                  ? "gridcast watch LOG --page FILE writes the page of a campaign that runs."
                  : "Make a result: gridcast forecast|compare|ledger ... --json."});
}

/// A site as a member of an object that is itself a member of the text.
std::string member_text(ledger::Ledger const& ledger, std::string const& site,
                        std::vector<double> executions) {
  ResultLedger part;
  add_site(part, ledger, site, std::move(executions));
  Json json;
  JsonWriter writer(json);
  site_rows(writer, std::as_const(part));
  std::string text;
  std::string const whole = json_text(json["sites"]);  // "{" ... newline, "}", newline
  for (char const c : std::string_view(whole).substr(1, whole.size() - 4)) {
    text += c;
    if (c == '\n') text += "  ";
  }
  return text;
}

}  // namespace

std::string replica_command(std::string const& scenario, std::string const& strategy,
                            std::uint64_t seed, std::uint32_t replica) {
  return fmt::format("gridcast forecast {} --once --seed {} --replica {} --strategy {}", scenario,
                     seed, replica, strategy);
}

Json result_json(Result const& result) {
  Json json;
  json["schema"] = schemas[static_cast<std::size_t>(result.kind)];
  JsonWriter writer(json);
  result_rows(writer, result);
  return json;
}

void print_ledger_json(Json head, std::string const& key, std::string const& by,
                       ledger::Ledger const& ledger,
                       std::function<void(std::string_view)> const& print) {
  constexpr std::size_t part_size = 1U << 20U;
  head[key] = Json::object();
  std::string const text = json_text(head), place = "\n  \"" + key + "\": {";
  std::size_t const begin = text.find(place) + place.size();
  std::string part = text.substr(0, begin);
  auto executions = successful_executions(ledger);
  std::map<std::string, std::string const*> sites;  // by label, as in a Result
  for (auto const& [site, lines] : ledger.sites) sites[site_label(site)] = &site;
  bool first = true;
  for (auto const& [label, site] : sites) {
    part += std::exchange(first, false) ? "" : ",";
    std::string member = member_text(ledger, *site, std::move(executions[*site]));
    if (site->empty()) member.replace(member.find(label), label.size(), "(no " + by + ")");
    part += member;
    if (part.size() < part_size) continue;
    print(part);
    part.clear();
  }
  if (!sites.empty()) part += "\n  ";
  print(part + text.substr(begin));
}

Result read_result(std::string const& text, std::string const& source) {
  auto const json = base::parse_json<Json>(
      text,
      {source, "a result is one JSON object", "Make it again: gridcast VERB ... --json > FILE."});
  Result result;
  result.kind = kind_of(json, source);
  result.source = source;
  std::vector<Problem> problems;
  JsonReader reader(json, source, problems);
  result_rows(reader, result);
  if (!problems.empty()) throw InputError(std::move(problems));
  auto const& strategies = result.strategies;
  bool const asked = !strategies.empty() && strategies.front().by_deadline;
  if (asked) result.deadline = strategies.front().by_deadline->at;
  return result;
}

Result read_result(std::filesystem::path const& file) {
  return read_result(read_text_file(file), file.string());
}

}  // namespace gridcast::report
