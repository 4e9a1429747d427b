#include "sim/report/page/document.hpp"

#include <filesystem>
#include <fstream>
#include <limits>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "tests/test.hpp"

namespace gridcast::report {
namespace {

TEST_CASE("cells are numbers, text or nothing", "[document]") {
  ReportDocument document;
  ReportSection section{"s", "S", {}, {}, {}, ReportTable{}};
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
  ReportSection section{"g", "G", {}, {}, Gantt{}};
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

TEST_CASE("events name their words by number, and long campaigns whole seconds", "[document]") {
  ReportDocument document;
  ReportSection section{"g", "G", {}, {}, Gantt{}};
  section.gantt->bars = {{Seconds(1.25), Seconds(90000.75), 4, 0, 0, -1}};
  section.gantt->events = {
      {Seconds(1), 0, "held"}, {Seconds(2), 0, "released"}, {Seconds(3), 0, "held"}};
  section.other_gantts = {*section.gantt};
  document.sections.push_back(section);
  auto const json = document_json(document)["sections"][0];
  CHECK(json["gantt"]["bars"].dump() == "[[1,90001,4,0,0,-1]]");
  CHECK(json["gantt"]["events"].dump() == "[[1,0,0],[2,0,1],[3,0,0]]");
  CHECK(json["gantt"]["event_words"].dump() == R"(["held","released"])");
  CHECK(json["other_gantts"].size() == 1);
}

TEST_CASE("a document without a question says null", "[document]") {
  auto const json = document_json({});
  CHECK(json["question"].is_null());
  CHECK(json["sections"].empty());
  CHECK(json["licences"].empty());
}

using test::has_text;

TEST_CASE("nothing in the data can end its script element", "[html_report]") {
  std::string const hostile =
      "</script><img src=x onerror=alert(1)> & <!-- \xE2\x80\xA8\xE2\x80\xA9";
  std::string const json = nlohmann::json(hostile).dump();
  std::string const escaped = escaped_json(json);
  CHECK(escaped.find_first_of("<>&") == std::string::npos);
  CHECK(escaped.find("\xE2\x80\xA8") == std::string::npos);
  CHECK(escaped.find("\xE2\x80\xA9") == std::string::npos);
  // It is still the same text.
  CHECK(nlohmann::json::parse(escaped) == hostile);
}

TEST_CASE("escaping leaves all other text as it is", "[html_report]") {
  std::string const text = R"({"a": "ä € \" שלום", "b": [1, 2.5]})";
  CHECK(escaped_json(text) == text);
  // The first bytes of a separator, cut off.
  CHECK(escaped_json("\xE2\x80") == "\xE2\x80");
}

TEST_CASE("the document goes to its place in the template", "[html_report]") {
  ReportDocument document;
  document.title = "</script><b>";
  std::string const page =
      html_report(document, "<html><!--GRIDCAST-DATA--><script>draw()</script></html>");
  REQUIRE_THAT(page, has_text("<html><script type=\"application/json\" id=\"gridcast-report\">{"));
  CHECK(page.find("<b>") == std::string::npos);
  CHECK(page.ends_with("</script><script>draw()</script></html>"));
  auto const from = page.find('{');
  auto const json = nlohmann::json::parse(page.substr(from, page.find("</script>") - from));
  CHECK(json["title"] == document.title);
  CHECK(json["schema"] == "gridcast.report/1");
}

TEST_CASE("text that is not UTF-8 does not stop a page", "[html_report]") {
  ReportDocument document;
  document.title = "caf\xE9";
  CHECK_THAT(html_report(document, "<!--GRIDCAST-DATA-->"), has_text("caf\xEF\xBF\xBD"));
}

/// A new empty folder that is gone at the end.
struct Folder {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("gridcast-template-" + std::to_string(::getpid()));
  Folder() { std::filesystem::create_directories(path / "build" / "release" / "tests"); }
  ~Folder() { std::filesystem::remove_all(path); }
  void put(std::filesystem::path const& file, std::string const& text) const {
    std::filesystem::create_directories((path / file).parent_path());
    std::ofstream(path / file) << text;
  }
};

TEST_CASE("the report page comes from the program's own build or installation") {
  Folder const folder;
  auto const programs = folder.path / "build" / "release";
  REQUIRE(page_file(programs / "tests", "report.html") == std::nullopt);

  folder.put("build/release/page/report.html", "");
  CHECK(page_file(programs, "report.html") == std::nullopt);  // an empty file is no page

  folder.put("build/release/page/report.html", "<html>built</html>");
  CHECK(page_file(programs, "report.html") == "<html>built</html>");
  CHECK(page_file(programs / "tests", "report.html") == "<html>built</html>");
  CHECK(page_file(folder.path / "build", "report.html") == std::nullopt);

  folder.put("usr/share/gridcast/report.html", "<html>installed</html>");
  CHECK(page_file(folder.path / "usr" / "bin", "report.html") == "<html>installed</html>");
}

TEST_CASE("tables of later strategies contain only their differences from the first", "[report]") {
  ReportSection section{"jobs", "Each job"};
  section.table = ReportTable{"jobs", "Jobs", {columns(text_column("job"))}, "", "published"};
  section.table->data.rows = {{std::string("1.0")}};
  section.other_tables = {*section.table};
  section.other_tables[0].strategy = "upgrade";
  section.other_tables[0].data.rows = {{10.123456789}, {123456.75}, {1e-9 / 3}};
  ReportDocument document;
  document.sections = {section};
  auto const json = document_json(document)["sections"][0];
  CHECK(json["table"]["columns"].size() == 1);
  CHECK_FALSE(json["other_tables"][0].contains("columns"));
  CHECK(json["other_tables"][0]["strategy"] == "upgrade");
  CHECK(json["other_tables"][0]["rows"].dump() == "[[10.1235],[123457],[3.33333e-10]]");
}

}  // namespace
}  // namespace gridcast::report
