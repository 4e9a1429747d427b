#include "sim/report/page/document.hpp"

#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <system_error>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/base/error.hpp"
#include "sim/base/program.hpp"
#include "sim/report/page/report_page.hpp"

namespace gridcast::report {
namespace {

// How to cite the program and a report of it. CITATION.cff has the same references.

/// So many digits of a SHA-256 distinguish files.
constexpr std::size_t digits_of_hash = 16;

std::string facts_of(Result const& result) {
  std::string text;
  auto const add = [&](std::string const& fact) { text += (text.empty() ? "" : ", ") + fact; };
  if (result.seed) add(fmt::format("seed {}", *result.seed));
  if (result.replicas > 0) {
    add(fmt::format("{}{} campaigns for each strategy", some_stopped(result) ? "up to " : "",
                    result.replicas));
  }
  if (!result.scenario_sha256.empty()) {
    add("scenario SHA-256 " + result.scenario_sha256.substr(0, digits_of_hash));
  }
  if (!result.calibration_sha256.empty()) {
    add("calibration SHA-256 " + result.calibration_sha256.substr(0, digits_of_hash));
  }
  return text;
}

using Json = nlohmann::ordered_json;

Json cell_json(ReportCell const& cell) {
  if (auto const* text = std::get_if<std::string>(&cell)) return *text;
  auto const* number = std::get_if<double>(&cell);
  if (number == nullptr || !std::isfinite(*number)) return nullptr;
  constexpr double largest_exact = 9007199254740992.0;  // 2^53
  bool const whole = *number == std::floor(*number) && std::abs(*number) < largest_exact;
  return whole ? Json(static_cast<std::int64_t>(*number)) : Json(*number);
}

/// The results of `each` for the elements.
template <class Range, class Each>
Json array_of(Range const& range, Each const& each) {
  Json array = Json::array();
  for (auto const& one : range) array.push_back(each(one));
  return array;
}

/// Six digits of a measure are kept: three are shown.
Json rounded_json(ReportCell const& cell) {
  auto const* number = std::get_if<double>(&cell);
  if (number == nullptr || !std::isfinite(*number) || *number == std::floor(*number)) {
    return cell_json(cell);
  }
  double rounded = *number;
  std::string const text = fmt::format("{:.6g}", *number);
  std::from_chars(text.data(), text.data() + text.size(), rounded);
  return cell_json(rounded);
}

Json column_json(ReportColumn const& column) {
  Json json = {{"name", column.name}, {"title", column.title}};
  if (!column.unit.empty()) json["unit"] = column.unit;
  json["type"] = column.type;
  if (!column.link.empty()) json["link"] = column.link;
  if (column.days) json["days"] = true;
  return json;
}

void put_rows(Json& json, ReportRows const& data) {
  json["columns"] = array_of(data.columns, column_json);
  json["rows"] = array_of(data.rows, [](auto const& row) { return array_of(row, rounded_json); });
}

Json figure_json(ReportFigure const& figure) {
  Json json = {{"id", figure.id},
               {"title", figure.title},
               {"says", figure.says},
               {"spec", figure.spec},
               {"params", Json::object()}};
  for (auto const& [name, value] : figure.params) json["params"][name] = cell_json(value);
  for (auto const& [picked, says] : figure.says_by) json["says_by"][picked] = says;
  put_rows(json, figure.data);
  return json;
}

Json table_json(ReportTable const& table) {
  Json json = {{"id", table.id}, {"title", table.title}, {"says", table.says}};
  if (!table.strategy.empty()) json["strategy"] = table.strategy;
  put_rows(json, table.data);
  return json;
}

/// Keys with the same value as in the first are left out.
Json unlike(Json const& first, Json other) {
  for (char const* const part : {"columns", "lanes", "job_lanes", "phases"}) {
    if (other.contains(part) && other[part] == first.value(part, Json())) other.erase(part);
  }
  return other;
}

/// Finer than a log or a screen: of a day milliseconds, of more whole seconds.
class GanttTimes {
 public:
  explicit GanttTimes(Gantt const& gantt) {
    for (auto const& bar : gantt.bars) {
      if (bar.end > days(1)) parts_ = 1;
    }
  }
  Json operator()(Seconds time) const {
    return cell_json(std::round(time.value() * parts_) / parts_);
  }

 private:
  double parts_ = 1000;  // of a second
};

/// Events as time, job and the number of their words, which many have in common.
void put_events(Json& json, Gantt const& gantt, GanttTimes const& time_json) {
  std::map<std::string, std::size_t> numbers;
  Json words = Json::array();
  json["events"] = array_of(gantt.events, [&](auto const& event) {
    auto const& [at, job, what] = event;
    auto const [found, is_new] = numbers.try_emplace(what, numbers.size());
    if (is_new) words.push_back(what);
    return Json::array({time_json(at), job, found->second});
  });
  json["event_words"] = std::move(words);
}

Json gantt_json(Gantt const& gantt) {
  GanttTimes const time_json(gantt);
  Json json = {{"id", gantt.id}, {"title", gantt.title}, {"says", gantt.says}, {"epoch", nullptr}};
  if (!gantt.strategy.empty()) json["strategy"] = gantt.strategy;
  if (gantt.epoch_unix) {
    json["epoch"] = fmt::format("{:%FT%TZ}", fmt::gmtime(std::time_t(*gantt.epoch_unix)));
  }
  std::size_t id = 0;
  json["lanes"] = array_of(gantt.lanes, [&id](GanttLane const& lane) {
    return Json{{"id", id++}, {"label", lane.label}, {"group", lane.group}};
  });
  id = 0;
  json["job_lanes"] = array_of(gantt.jobs, [&id](std::string const& job) {
    return Json{{"id", id++}, {"label", job}};
  });
  json["phases"] = gantt_phases();
  json["reasons"] = gantt.reasons;
  json["bars"] = array_of(gantt.bars, [&](GanttBar const& bar) {
    return Json::array(
        {time_json(bar.start), time_json(bar.end), bar.phase, bar.job, bar.lane, bar.reason});
  });
  json["end"] = time_json(gantt.end);
  json["aggregated"] = gantt.aggregated;
  json["worst"] = array_of(gantt.worst, [](auto const& worst) {
    return Json{{"job_lane", worst.first}, {"why", worst.second}};
  });
  if (!gantt.events.empty()) put_events(json, gantt, time_json);
  return json;
}

Json section_json(ReportSection const& section) {
  Json json = {{"id", section.id}, {"title", section.title}, {"text", section.text}};
  json["figures"] = array_of(section.figures, figure_json);
  if (section.gantt) json["gantt"] = gantt_json(*section.gantt);
  if (!section.other_gantts.empty()) {
    json["other_gantts"] = array_of(section.other_gantts, [&](Gantt const& gantt) {
      return unlike(json["gantt"], gantt_json(gantt));
    });
  }
  if (section.table) json["table"] = table_json(*section.table);
  if (!section.other_tables.empty()) {
    json["other_tables"] = array_of(section.other_tables, [&](ReportTable const& table) {
      return unlike(json["table"], table_json(table));
    });
  }
  if (section.facts.empty()) return json;
  json["facts"] = array_of(section.facts, [](ReportFact const& fact) {
    return Json{{"name", fact.name}, {"value", fact.value}};
  });
  return json;
}

constexpr std::string_view place_of_data = "<!--GRIDCAST-DATA-->";

void put_brief(Json& json, ReportBrief const& brief) {
  json["title"] = brief.title;
  json["answer"] = brief.answer;
  json["question"] = brief.question.empty() ? Json(nullptr) : Json(brief.question);
  json["recommendation"] = brief.recommendation;
  json["deadline"] = brief.deadline;
  if (brief.figure) json["figure"] = figure_json(*brief.figure);
  if (brief.options) json["options"] = table_json(*brief.options);
  json["evidence"] = brief.evidence;
  json["assumptions"] = brief.assumptions;
}

std::optional<std::string> contents(std::filesystem::path const& file) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) return std::nullopt;
  std::ifstream in(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (!in || text.empty()) return std::nullopt;
  return text;
}

}  // namespace

std::vector<std::string> citation(ReportDocument const& document,
                                  std::vector<Result> const& results) {
  std::vector<std::string> text = {
      fmt::format("The program: The gridcast developers. {}: a discrete-event simulator that "
                  "forecasts machine-learning training campaigns on a grid. MIT licence.",
                  document.created_by),
      "It is built on SimGrid: H. Casanova, A. Giersch, A. Legrand, M. Quinson and F. Suter. "
      "Versatile, scalable, and accurate simulation of distributed applications and platforms. "
      "Journal of Parallel and Distributed Computing 74 (10), 2899-2917, 2014. "
      "doi:10.1016/j.jpdc.2014.06.008."};
  std::string report =
      fmt::format("This report: \"{}\". Made by {}", document.title, document.created_by);
  if (!document.command.empty()) report += fmt::format(" with `{}`", document.command);
  for (auto const& result : results) {
    auto const facts = facts_of(result);
    if (!facts.empty()) report += "; " + facts;
  }
  text.push_back(report + ". The same inputs and seed give the same figures.");
  return text;
}

ReportColumn text_column(std::string name, std::string title) {
  ReportColumn column = number_column(std::move(name), std::move(title));
  column.type = "text";
  return column;
}

ReportColumn number_column(std::string name, std::string title, std::string unit) {
  if (title.empty()) title = name;
  return {std::move(name), std::move(title), std::move(unit)};
}

ReportColumn time_column(std::string name, std::string title) {
  ReportColumn column = number_column(std::move(name), std::move(title), "s");
  column.days = true;
  return column;
}

void add_range(ReportRows& rows, ReportColumn const& figure, std::string const& prefix) {
  std::pair<char const*, std::string> const parts[] = {
      {"_p50", figure.title}, {"_p05", prefix + "5 %"}, {"_p95", prefix + "95 %"}};
  for (auto const& [end, title] : parts) {
    auto& column = rows.columns.emplace_back(figure);
    column.name += end;
    column.title = title;
  }
}

std::vector<std::string> const& gantt_phases() {
  static std::vector<std::string> const phases = {
      "waiting",    "matched",   "transfer",     "stalled", "executing",
      "checkpoint", "suspended", "disconnected", "held",    "evicted"};
  return phases;
}

Json document_json(ReportDocument const& document) {
  Json json = {{"schema", "gridcast.report/1"}, {"kind", document.kind}};
  put_brief(json, document);
  json["subtitle"] = document.subtitle;
  json["created_by"] = document.created_by;
  json["command"] = document.command;
  json["others"] = array_of(document.others, [](ReportBrief const& brief) {
    Json other = Json::object();
    put_brief(other, brief);
    return other;
  });
  if (document.overview) json["overview"] = table_json(*document.overview);
  json["cite"] = document.cite;
  json["ranking"] = document.ranking;
  json["sections"] = array_of(document.sections, section_json);
  json["notices"] = array_of(document.notices, [](ReportNotice const& notice) {
    return Json{{"level", notice.level}, {"text", notice.text}};
  });
  json["licences"] = Json::array();
  return json;
}

std::string escaped_json(std::string_view json) {
  constexpr std::string_view separators = "\xE2\x80";  // U+2028 and U+2029 are E2 80 A8 and A9
  std::string text;
  text.reserve(json.size() + json.size() / 16);
  for (std::size_t i = 0; i < json.size(); ++i) {
    bool const separator = json.substr(i, 2) == separators && i + 2 < json.size() &&
                           (json[i + 2] == '\xA8' || json[i + 2] == '\xA9');
    if (separator) {
      text += json[i + 2] == '\xA8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else if (json[i] == '<') {
      text += "\\u003c";
    } else if (json[i] == '>') {
      text += "\\u003e";
    } else if (json[i] == '&') {
      text += "\\u0026";
    } else {
      text += json[i];
    }
  }
  return text;
}

std::string page_with_data(std::string_view page_template, nlohmann::ordered_json const& json) {
  auto const place = page_template.find(place_of_data);
  check(place != std::string_view::npos, "the page's template has a place for the data");
  std::string page(page_template.substr(0, place));
  page +=
      R"(<script type="application/json" id="gridcast-report">)" +
      escaped_json(json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)) +
      "</script>";
  page += page_template.substr(place + place_of_data.size());
  return page;
}

std::string html_report(ReportDocument const& document, std::string_view page_template) {
  return page_with_data(page_template, document_json(document));
}

std::optional<std::string> page_file(std::filesystem::path folder, std::string const& name) {
  for (;; folder = folder.parent_path()) {
    for (auto const* place : {"page", "share/gridcast"}) {
      if (auto page = contents(folder / place / name)) return page;
    }
    if (!folder.has_relative_path()) return std::nullopt;
  }
}

std::optional<std::string> page_file(std::string const& name) {
  return page_file(program_file().parent_path(), name);
}

}  // namespace gridcast::report
