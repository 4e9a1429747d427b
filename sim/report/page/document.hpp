// The report page as a value: sections with figures, tables and a Gantt chart, in the order in
// which they are read. The page (web/) renders whatever sections there are; nothing here knows
// HTML.
//
// As JSON it is "gridcast.report/1" (docs/report.md). Numbers are seconds, bytes and counts as in
// the results; the page chooses the unit in which it shows them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "sim/base/units.hpp"

namespace gridcast::report {

/// A value of a table: nothing, a number, or text. A number that is not finite is nothing.
using ReportCell = std::variant<std::monostate, double, std::string>;

struct ReportColumn {
  std::string name;             // the field that a figure's specification refers to
  std::string title;            // for people
  std::string unit = {};        // "s", "B", "B/s", "" ...
  std::string type = "number";  // number, text, date
  std::string link = {};        // "gantt-job": its value jumps to that job in the Gantt chart
};

struct ReportRows {
  std::vector<ReportColumn> columns;
  std::vector<std::vector<ReportCell>> rows;  // cells in column order
};

struct ReportFigure {
  std::string id, title;
  std::string says;  // what it shows, computed from the data
  std::string spec;  // web/specs/NAME.vl.json
  std::vector<std::pair<std::string, ReportCell>> params;
  ReportRows data;
};

struct ReportTable {
  std::string id, title, says;
  ReportRows data;
};

struct ReportFact {
  std::string name, value;
};

struct GanttLane {
  std::string label, group;
};

struct GanttBar {
  Seconds start, end;
  std::uint8_t phase = 0;  // index into gantt_phases()
  std::uint32_t job = 0;   // index into Gantt::jobs
  std::int32_t lane = -1;  // index into Gantt::lanes; -1: no slot
  std::int32_t reason = -1;
};

/// Words for what a job is doing, in the page's order.
std::vector<std::string> const& gantt_phases();

struct Gantt {
  std::string id, title, says;
  std::optional<std::int64_t> epoch_unix;  // time zero, where known
  std::vector<GanttLane> lanes;            // slots
  std::vector<std::string> jobs;
  std::vector<std::string> reasons;
  std::vector<GanttBar> bars;
  bool aggregated = false;
  std::vector<std::pair<std::uint32_t, std::string>> worst;                  // job, why
  std::vector<std::tuple<Seconds, std::uint32_t, std::string>> events = {};  // time, job, what
};

struct ReportSection {
  std::string id, title;
  std::vector<std::string> text;
  std::vector<ReportFigure> figures;
  std::optional<Gantt> gantt;
  std::optional<ReportTable> table;
  std::vector<ReportFact> facts;
};

struct ReportNotice {
  std::string level;  // "note", "warning"
  std::string text;
};

struct ReportDocument {
  std::string kind;  // comparison, prediction, run, replay, ledger, validation, training
  std::string title, subtitle, created_by, command;
  std::vector<std::string> answer;
  std::string question;  // empty: none
  std::vector<std::string> assumptions;
  std::vector<ReportSection> sections;
  std::vector<ReportNotice> notices;
};

/// What a part of the page is made into: a section, or the reason why there is none.
struct ReportPart {
  std::optional<ReportSection> section;
  std::string missing;  // empty: nothing to say
};

nlohmann::ordered_json document_json(ReportDocument const& document);

}  // namespace gridcast::report
