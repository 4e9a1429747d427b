#include "sim/report/data/answer_json.hpp"

#include <array>
#include <cmath>
#include <string_view>

#include "sim/ledger/metrics.hpp"
#include "sim/report/data/result_json.hpp"
#include "sim/scenario/controls.hpp"

namespace gridcast::report {
namespace {

/// What one asks a campaign first, in this order.
constexpr std::array<std::string_view, 9> asked_figures = {
    "makespan_s", "succeeded", "badput_s", "wallclock_s",      "transfer_retried_s",
    "stalls",     "evictions", "holds",    "goodput_fraction",
};

char const* form_name(scenario::Form form) {
  using scenario::Form;
  switch (form) {
    case Form::word:
      return "word";
    case Form::truth:
      return "truth";
    case Form::integer:
      return "integer";
    case Form::number:
      return "number";
    case Form::time:
      return "time";
    case Form::size:
      return "size";
    case Form::rate:
      return "rate";
    case Form::time_range:
      return "time range";
    case Form::factor_range:
      return "range";
    case Form::expression:
      return "expression";
    default:
      return "text";
  }
}

char const* source_name(scenario::ValueSource source) {
  switch (source) {
    case scenario::ValueSource::file:
      return "scenario";
    case scenario::ValueSource::software:
      return "software";
    case scenario::ValueSource::standard:
      break;
  }
  return "default";
}

Json control_json(scenario::Control const& control) {
  auto const& bounds = control.key.bounds;
  Json json = {{"path", control.path},
               {"group", control.group},
               {"label", control.label},
               {"form", form_name(control.key.form)},
               {"help", control.key.help},
               {"value", control.value},
               {"source", source_name(control.source)},
               {"default", control.key.fallback},
               {"front", control.place == scenario::Place::front},
               {"least", json_number(bounds.least)},
               {"most", json_number(bounds.most)},
               {"above", bounds.above}};
  if (!control.key.words.empty()) json["words"] = control.key.words;
  return json;
}

Json figures_json() {
  Json list = Json::array();
  for (std::string_view const name : asked_figures) {
    auto const* const metric = ledger::find_metric(name);
    check(metric, "what is asked is a metric");
    char const* better = metric->better == ledger::Better::more   ? "more"
                         : metric->better == ledger::Better::less ? "less"
                                                                  : "neither";
    bool const time = name.ends_with("_s"), share = name.ends_with("_fraction");
    list.push_back({{"name", name},
                    {"label", metric->label},
                    {"unit", time    ? "s"
                             : share ? "share"
                                     : ""},
                    {"better", better},
                    {"definition", metric->definition}});
  }
  return list;
}

Json sites_json(scenario::Scenario const& scenario) {
  Json list = Json::array();
  for (auto const& site : scenario.pool.sites) {
    list.push_back({{"name", site.name},
                    {"resource", scenario::resource_name(site)},
                    {"gpu", site.gpu},
                    {"no_match", scenario::why_no_match(site, scenario.campaign.request)}});
  }
  return list;
}

}  // namespace

Json controls_json(scenario::Scenario const& scenario, scenario::Strategy const& strategy) {
  Json strategies = Json::array(), controls = Json::array();
  for (auto const& each : scenario.strategies) strategies.push_back(each.name);
  for (auto const& control : scenario::controls_of(scenario, strategy)) {
    controls.push_back(control_json(control));
  }
  return {{"schema", "gridcast.controls/1"},
          {"scenario", scenario.file.string()},
          {"title", scenario.title},
          {"question", scenario.question},
          {"jobs", scenario.campaign.jobs()},
          {"strategy", strategy.name},
          {"baseline", scenario.baseline},
          {"strategies", std::move(strategies)},
          {"replicas", scenario.study.replicas},
          {"seed", scenario.study.seed},
          {"figures", figures_json()},
          {"sites", sites_json(scenario)},
          {"controls", std::move(controls)}};
}

Json answer_json(study::Prediction const& prediction, AnswerPart part) {
  auto const& sample = prediction.sample;
  Json json = {{"schema", "gridcast.answer/1"},     {"replicas", sample.size()},
               {"requested", prediction.requested}, {"failed", prediction.failed.size()},
               {"last", part == AnswerPart::last},  {"partial", prediction.interrupted},
               {"jobs", prediction.jobs},           {"numbers", sample.replicas},
               {"figures", Json::object()},         {"values", Json::object()}};
  for (std::string_view const name : asked_figures) {
    auto const values = study::column(sample, name);
    auto const sum = study::summarise(values);
    std::string const key(name);
    json["figures"][key] = {
        {"mean", json_number(sum.mean)},
        {"mean_ci95", {json_number(sum.mean_ci95.low), json_number(sum.mean_ci95.high)}},
        {"p05", json_number(sum.p05)},
        {"p25", json_number(sum.p25)},
        {"p50", json_number(sum.p50)},
        {"p75", json_number(sum.p75)},
        {"p95", json_number(sum.p95)}};
    Json& list = json["values"][key] = Json::array();
    for (double const value : values) list.push_back(json_number(value));
  }
  if (part == AnswerPart::last) json["result"] = json_text(result_json(result_of(prediction)));
  return json;
}

}  // namespace gridcast::report
