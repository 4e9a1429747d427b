#include "sim/report/data/optimum_json.hpp"

#include "sim/report/data/choice_json.hpp"
#include "sim/report/data/json.hpp"

namespace gridcast::report {
namespace {

Json gain_json(study::GoalGain const& gain) {
  return {{"goal", scenario::name(gain.goal)},
          {"before", json_number(gain.before)},
          {"after", json_number(gain.after)},
          {"difference", json_number(gain.difference)},
          {"ci95", {json_number(gain.ci95.low), json_number(gain.ci95.high)}}};
}

Json change_json(optimize::Change const& change) {
  Json json = {{"key", change.key}, {"from", change.from}, {"to", change.to}};
  json["worth"] = gain_json(change.worth);
  json["within_margin"] = nullptr;
  if (!change.low.empty()) json["within_margin"] = {change.low, change.high};
  return json;
}

Json response_json(optimize::Response const& response) {
  Json values = Json::array();
  for (auto const& value : response.values) {
    values.push_back(
        {{"value", value.value},
         {"here", value.here},
         {"before", json_number(value.gain.before)},
         {"figure", json_number(value.gain.after)},
         {"difference", json_number(value.gain.difference)},
         {"ci95", {json_number(value.gain.ci95.low), json_number(value.gain.ci95.high)}},
         {"campaigns", value.campaigns}});
  }
  return {{"key", response.key},
          {"around", response.recommended ? "recommended" : "current"},
          {"values", values}};
}

Json choice_json(study::Choice const& choice) {
  Json json = Json::object();
  if (choice.strategies.empty()) return json;
  JsonWriter writer(json);
  choice_rows(writer, choice, {"current", "recommended"});
  return json;
}

std::string_view party_name(optimize::Party party) {
  return optimize::party_names[static_cast<std::size_t>(party)];
}

}  // namespace

std::string optimum_json(optimize::Optimum const& optimum) {
  Json changes = Json::array(), lines = Json::array(), responses = Json::array();
  for (auto const& change : optimum.changes) changes.push_back(change_json(change));
  for (auto const& line : optimum.lines) {
    lines.push_back({{"where", party_name(line.where)}, {"text", line.text}});
  }
  for (auto const& response : optimum.responses) responses.push_back(response_json(response));
  return json_text({{"schema", "gridcast.optimum/1"},
                    {"scenario", optimum.scenario},
                    {"strategy", optimum.current.name},
                    {"as", party_name(optimum.as)},
                    {"reaches_goal", optimize::reaches_goal(optimum)},
                    {"changes", changes},
                    {"lines", lines},
                    {"gain", gain_json(optimum.gain)},
                    {"fresh", optimum.fresh},
                    {"choice", choice_json(optimum.choice)},
                    {"explanations", optimum.explanations},
                    {"settings", optimum.knobs},
                    {"responses", responses},
                    {"tried", optimum.tried},
                    {"campaigns", optimum.campaigns},
                    {"measured", optimum.measured},
                    {"failed", optimum.failed},
                    {"converged", optimum.converged},
                    {"interrupted", optimum.interrupted}});
}

}  // namespace gridcast::report
