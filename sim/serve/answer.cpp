#include "sim/serve/answer.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/ledger/metrics.hpp"
#include "sim/report/data/result.hpp"
#include "sim/report/data/result_json.hpp"
#include "sim/report/text/choice_text.hpp"
#include "sim/study/choice.hpp"
#include "sim/study/finish_band.hpp"

namespace gridcast::serve {
namespace {

using report::Json;

Json time_json(double seconds) {
  return std::isinf(seconds) ? Json("never") : report::json_number(seconds);
}

Json quantiles_json(study::Summary const& sum) {
  return {{"p05", time_json(sum.p05)},
          {"p25", time_json(sum.p25)},
          {"p50", time_json(sum.p50)},
          {"p75", time_json(sum.p75)},
          {"p95", time_json(sum.p95)}};
}

/// The figures that an answer shows, and their values by replica.
void add_figures(Json& json, study::StudySample const& sample, std::size_t wanted,
                 ledger::ShownIn asked) {
  Json figures = Json::object(), lists = Json::object();
  for (ledger::Metric const* metric : ledger::metrics_shown(asked)) {
    std::string const key(metric->name);
    bool const makespan = key == "makespan_s";
    auto const values =
        makespan ? study::makespans(sample, wanted) : study::column(sample, metric->name);
    figures[key] =
        quantiles_json(makespan ? study::summarise_times(values) : summarise(sample, metric->name));
    Json& list = lists[key] = Json::array();
    for (double const value : values) {
      list.push_back(time_json(value));
    }
  }
  json["numbers"] = sample.replicas;
  json["figures"] = std::move(figures);
  json["values"] = std::move(lists);
}

std::size_t wanted_of(study::StudyFacts const& facts, study::StudySample const& sample) {
  return study::wanted_jobs(sample, facts.preferences.wanted);
}

Json strategy_json(report::Result const& result, std::size_t index) {
  auto const& strategy = result.strategies[index];
  auto const& choice = *result.choice;
  auto const& rated = choice.strategies[index];
  auto const words = report::time_words(choice);
  Json json = {{"name", strategy.name},
               {"about", report::about_sentence(strategy)},
               {"stopped", strategy.stopped},
               {"best", choice.state != study::ChoiceState::no_success && index == choice.best},
               {"best_in_draws", report::json_number(rated.best_in_draws)},
               {"jobs", report::jobs_cell(rated.finished)},
               {"time", report::time_cell(rated.makespan, words)},
               {"gpu_hours", report::hours_cell(rated.gpu_hours)}};
  add_figures(json, strategy.sample, choice.wanted, ledger::ShownIn::differences);
  return json;
}

}  // namespace

Json answer_json(study::Prediction const& prediction, AnswerPart part) {
  auto const& sample = prediction.sample;
  auto const result = report::result_of(prediction);
  auto const outcome = report::outcome_of(result, result.strategies.front());
  auto const words = report::time_words(outcome);
  std::size_t const wanted = wanted_of(prediction, sample);
  Json json = {{"schema", "gridcast.answer/1"},
               {"replicas", sample.size()},
               {"requested", prediction.requested},
               {"failed", prediction.failed.size()},
               {"last", part == AnswerPart::last},
               {"partial", prediction.interrupted},
               {"jobs", prediction.jobs},
               {"wanted", wanted},
               {"sentence", report::to_text(outcome, words)},
               {"short", report::median_text(outcome, words)}};
  add_figures(json, sample, wanted, ledger::ShownIn::question);
  if (part == AnswerPart::last) json["result"] = report::json_text(report::result_json(result));
  return json;
}

Json strategies_json(study::Comparison const& comparison, AnswerPart part) {
  auto const result = report::result_of(comparison);
  Json json = {{"schema", "gridcast.strategies/1"},
               {"replicas", result.replicas},
               {"requested", comparison.requested},
               {"last", part == AnswerPart::last},
               {"partial", comparison.interrupted},
               {"goal", scenario::to_text(comparison.preferences.goal)},
               {"baseline", comparison.strategies[comparison.baseline]},
               {"strategies", Json::array()}};
  if (!result.choice) return json;
  auto const& choice = *result.choice;
  json["wanted"] = choice.wanted;
  json["time_unit"] = report::time_words(choice).unit();
  json["verdict"] = report::choice_sentence(result);
  json["about"] = report::about_sentence(result.strategies[choice.best]);
  json["trade_off"] = report::trade_off_sentence(result);
  json["evidence"] = report::evidence_sentence(result);
  for (std::size_t const index : study::ranking(choice)) {
    json["strategies"].push_back(strategy_json(result, index));
  }
  return json;
}

}  // namespace gridcast::serve
