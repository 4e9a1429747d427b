// The report page as a value: sections with figures, tables and a Gantt chart, in reading order.
// The page (web/) renders all sections that there are.
//
// Its JSON form is "gridcast.report/1" (docs/report.md). Numbers are seconds, bytes and counts as
// in the results; the page chooses the unit in which it shows them.
//
// The one HTML file is the page's template, made from web/ when gridcast is built, with that JSON
// inside. All that comes from logs and scenarios is in the JSON; `escaped_json` is the only place
// where it is made safe for HTML, and the page puts it on the screen as text only.
#pragma once

#include <cstdint>
#include <filesystem>
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
  bool days = false;            // long times are shown in days; amounts of work are in hours
};

/// Titled by its name where no title is given.
ReportColumn text_column(std::string name, std::string title = {});
ReportColumn number_column(std::string name, std::string title = {}, std::string unit = {});
/// A time in seconds, of which long ones are shown in days.
ReportColumn time_column(std::string name, std::string title = {});

template <class... Column>
std::vector<ReportColumn> columns(Column... column) {
  return {std::move(column)...};
}

struct ReportRows {
  std::vector<ReportColumn> columns;
  std::vector<std::vector<ReportCell>> rows = {};  // cells in column order
};

/// Columns of a figure's median and its central 90 %: NAME_p50, with the title, NAME_p05 and
/// NAME_p95, with "5 %" and "95 %" behind `prefix`.
void add_range(ReportRows& rows, ReportColumn const& figure, std::string const& prefix = {});

struct ReportFigure {
  std::string id, title;
  std::string spec;  // web/specs/NAME.vl.json
  ReportRows data = {};
  std::string says = {};  // a sentence on it, computed from the data
  std::vector<std::pair<std::string, ReportCell>> params = {};
  std::vector<std::pair<std::string, std::string>> says_by = {};  // by the selection; else `says`
};

struct ReportTable {
  std::string id, title;
  ReportRows data = {};
  std::string says = {};      // may have several lines
  std::string strategy = {};  // as it can be picked; empty: there is but one
};

struct ReportFact {
  std::string name, value;
};

/// A file that went in.
struct InputFileFact {
  std::string what, file, sha256;
  std::string text = {};  // of a scenario or a pool: shown
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

/// Activity of a job, in the page's order.
enum class GanttPhase : std::uint8_t {
  waiting,
  matched,
  transfer,
  stalled,
  executing,
  checkpoint,
  suspended,
  disconnected,
  held,
  evicted
};

/// The words for them.
std::vector<std::string> const& gantt_phases();

struct Gantt {
  std::string id, title, says;
  std::optional<std::int64_t> epoch_unix;  // time zero, where known
  std::vector<GanttLane> lanes;            // slots
  std::vector<std::string> jobs;
  std::vector<std::string> reasons;
  std::vector<GanttBar> bars;
  Seconds end;  // of the time axis; zero: of the bars
  bool aggregated = false;
  std::vector<std::pair<std::uint32_t, std::string>> worst;                  // job, why
  std::vector<std::tuple<Seconds, std::uint32_t, std::string>> events = {};  // time, job, event
  std::string strategy = {};  // as it can be picked; empty: there is but one
};

struct ReportSection {
  std::string id, title;
  std::vector<std::string> text = {};
  std::vector<ReportFigure> figures = {};
  std::optional<Gantt> gantt = {};
  std::optional<ReportTable> table = {};
  std::vector<ReportFact> facts = {};
  std::vector<Gantt> other_gantts = {};        // with the same random numbers, under the others
  std::vector<ReportTable> other_tables = {};  // ... the table's, of the same columns
};

struct ReportNotice {
  std::string level;  // "note", "warning"
  std::string text;
};

/// The part of a scenario for a committee: at most two printed pages.
struct ReportBrief {
  std::string title = {};
  std::string question = {};             // empty: none
  std::vector<std::string> answer = {};  // the verdict first
  std::string recommendation = {};
  std::string deadline = {};  // the share that meets it; without one, the time it takes
  std::optional<ReportFigure> figure = {};  // the trade-off
  std::optional<ReportTable> options = {};  // in words, with their outcomes
  std::vector<std::string> evidence = {};
  std::vector<std::string> assumptions = {};  // the limits of the answer
};

struct ReportDocument : ReportBrief {
  std::string kind = {};  // comparison, prediction, run, replay, ledger
  std::string subtitle = {}, created_by = {}, command = {};
  std::vector<ReportBrief> others = {};      // of further scenarios
  std::optional<ReportTable> overview = {};  // of several scenarios
  std::vector<std::string> cite = {};        // the program and the report
  std::vector<std::string> ranking = {};     // the strategies, the best first
  std::vector<ReportSection> sections = {};  // the appendix
  std::vector<ReportNotice> notices = {};
};

nlohmann::ordered_json document_json(ReportDocument const& document);

/// JSON that may stand in a <script> element: < > & and the line separators U+2028 and U+2029,
/// which occur within strings only, as \uXXXX. So no text can end the element or begin a comment
/// (HTML standard, "restrictions for contents of script elements").
std::string escaped_json(std::string_view json);

/// A template with JSON in the place of its data.
std::string page_with_data(std::string_view page_template, nlohmann::ordered_json const& json);

/// The template with the data in their place. Bytes that are not UTF-8 are shown as U+FFFD.
std::string html_report(ReportDocument const& document, std::string_view page_template);

/// The page NAME that belongs to a program in `folder`: page/NAME in it or in a folder above (a
/// build), or share/gridcast/NAME in one of these (an installation). None if it could not be made,
/// for want of Node.js and npm.
std::optional<std::string> page_file(std::filesystem::path folder, std::string const& name);
/// That of the program that runs.
std::optional<std::string> page_file(std::string const& name);

}  // namespace gridcast::report
