#include "sim/report/page/document.hpp"

#include <limits>

#include <nlohmann/json.hpp>

#include "tests/test.hpp"

namespace gridcast::report {
namespace {

TEST_CASE("cells are numbers, text or nothing", "[document]") {
  ReportDocument document;
  ReportSection section{"s", "S", {}, {}, {}, ReportTable{}, {}};
  section.table->data.columns = {{"a", "A", "s"}, {"b", "B", "", "text"}};
  section.table->data.rows = {{1.5, "x"},
                              {86400.0, "y"},
                              {std::numeric_limits<double>::quiet_NaN(), ReportCell()},
                              {std::numeric_limits<double>::infinity(), ""}};
  document.sections.push_back(section);
  auto const table = document_json(document)["sections"][0]["table"];
  CHECK(table["rows"].dump() == R"([[1.5,"x"],[86400,"y"],[null,null],[null,""]])");
  CHECK(table["columns"][0]["unit"] == "s");
  CHECK_FALSE(table["columns"][1].contains("unit"));
}

TEST_CASE("a Gantt chart's bars refer to lanes, jobs and reasons", "[document]") {
  ReportDocument document;
  ReportSection section{"g", "G", {}, {}, Gantt{}, {}, {}};
  section.gantt->epoch_unix = 0;
  section.gantt->lanes = {{"PDX slot 1", "PDX"}};
  section.gantt->jobs = {"1.0"};
  section.gantt->bars = {{Seconds(1), Seconds(2.25), 4, 0, 0, -1}};
  document.sections.push_back(section);
  auto const gantt = document_json(document)["sections"][0]["gantt"];
  CHECK(gantt["bars"].dump() == "[[1,2.25,4,0,0,-1]]");
  CHECK(gantt["epoch"] == "1970-01-01T00:00:00Z");
  CHECK(gantt["phases"][4] == "executing");
  CHECK_FALSE(gantt.contains("events"));
}

TEST_CASE("a document without a question says null", "[document]") {
  auto const json = document_json({});
  CHECK(json["question"].is_null());
  CHECK(json["sections"].empty());
  CHECK(json["licences"].empty());
}

}  // namespace
}  // namespace gridcast::report
