#include "sim/report/page/document.hpp"

#include <cmath>

#include <fmt/chrono.h>
#include <nlohmann/json.hpp>

namespace gridcast::report {
namespace {

using Json = nlohmann::ordered_json;

Json cell_json(ReportCell const& cell) {
  if (auto const* text = std::get_if<std::string>(&cell)) return *text;
  auto const* number = std::get_if<double>(&cell);
  if (number == nullptr || !std::isfinite(*number)) return nullptr;
  constexpr double largest_exact = 9007199254740992.0;  // 2^53
  bool const whole = *number == std::floor(*number) && std::abs(*number) < largest_exact;
  return whole ? Json(static_cast<std::int64_t>(*number)) : Json(*number);
}

void put_rows(Json& json, ReportRows const& data) {
  json["columns"] = Json::array();
  for (auto const& column : data.columns) {
    Json each = {{"name", column.name}, {"title", column.title}};
    if (!column.unit.empty()) each["unit"] = column.unit;
    each["type"] = column.type;
    if (!column.link.empty()) each["link"] = column.link;
    json["columns"].push_back(std::move(each));
  }
  json["rows"] = Json::array();
  for (auto const& row : data.rows) {
    Json cells = Json::array();
    for (auto const& cell : row) cells.push_back(cell_json(cell));
    json["rows"].push_back(std::move(cells));
  }
}

Json figure_json(ReportFigure const& figure) {
  Json json = {{"id", figure.id},
               {"title", figure.title},
               {"says", figure.says},
               {"spec", figure.spec},
               {"params", Json::object()}};
  for (auto const& [name, value] : figure.params) json["params"][name] = cell_json(value);
  put_rows(json, figure.data);
  return json;
}

Json table_json(ReportTable const& table) {
  Json json = {{"id", table.id}, {"title", table.title}, {"says", table.says}};
  put_rows(json, table.data);
  return json;
}

// Milliseconds are finer than any log.
double rounded(Seconds time) { return std::round(time.value() * 1000) / 1000; }

Json gantt_lists(Gantt const& gantt) {
  Json lists;
  lists["lanes"] = Json::array();
  for (std::size_t i = 0; i < gantt.lanes.size(); ++i) {
    lists["lanes"].push_back(
        {{"id", i}, {"label", gantt.lanes[i].label}, {"group", gantt.lanes[i].group}});
  }
  lists["job_lanes"] = Json::array();
  for (std::size_t i = 0; i < gantt.jobs.size(); ++i) {
    lists["job_lanes"].push_back({{"id", i}, {"label", gantt.jobs[i]}});
  }
  lists["phases"] = gantt_phases();
  lists["reasons"] = gantt.reasons;
  lists["bars"] = Json::array();
  for (auto const& bar : gantt.bars) {
    lists["bars"].push_back(Json::array({cell_json(rounded(bar.start)), cell_json(rounded(bar.end)),
                                         bar.phase, bar.job, bar.lane, bar.reason}));
  }
  return lists;
}

Json gantt_json(Gantt const& gantt) {
  Json json = {{"id", gantt.id}, {"title", gantt.title}, {"says", gantt.says}};
  json["epoch"] = nullptr;
  if (gantt.epoch_unix) {
    json["epoch"] = fmt::format("{:%FT%TZ}", fmt::gmtime(std::time_t(*gantt.epoch_unix)));
  }
  json.update(gantt_lists(gantt));
  json["aggregated"] = gantt.aggregated;
  json["worst"] = Json::array();
  for (auto const& [job, why] : gantt.worst) {
    json["worst"].push_back({{"job_lane", job}, {"why", why}});
  }
  if (gantt.events.empty()) return json;
  json["events"] = Json::array();
  for (auto const& [at, job, what] : gantt.events) {
    json["events"].push_back(Json::array({cell_json(rounded(at)), job, what}));
  }
  return json;
}

Json section_json(ReportSection const& section) {
  Json json = {{"id", section.id}, {"title", section.title}, {"text", section.text}};
  json["figures"] = Json::array();
  for (auto const& figure : section.figures) json["figures"].push_back(figure_json(figure));
  if (section.gantt) json["gantt"] = gantt_json(*section.gantt);
  if (section.table) json["table"] = table_json(*section.table);
  if (section.facts.empty()) return json;
  json["facts"] = Json::array();
  for (auto const& fact : section.facts) {
    json["facts"].push_back({{"name", fact.name}, {"value", fact.value}});
  }
  return json;
}

}  // namespace

std::vector<std::string> const& gantt_phases() {
  static std::vector<std::string> const phases = {
      "waiting",    "matched",   "transfer",     "stalled", "executing",
      "checkpoint", "suspended", "disconnected", "held",    "evicted"};
  return phases;
}

Json document_json(ReportDocument const& document) {
  Json json;
  json["schema"] = "gridcast.report/1";
  json["kind"] = document.kind;
  json["title"] = document.title;
  json["subtitle"] = document.subtitle;
  json["created_by"] = document.created_by;
  json["command"] = document.command;
  json["answer"] = document.answer;
  json["question"] = document.question.empty() ? Json(nullptr) : Json(document.question);
  json["assumptions"] = document.assumptions;
  json["sections"] = Json::array();
  for (auto const& section : document.sections) json["sections"].push_back(section_json(section));
  json["notices"] = Json::array();
  for (auto const& notice : document.notices) {
    json["notices"].push_back({{"level", notice.level}, {"text", notice.text}});
  }
  json["licences"] = Json::array();
  return json;
}

}  // namespace gridcast::report
