#include "sim/report/html_report.hpp"

#include <nlohmann/json.hpp>

#include "tests/test.hpp"

namespace gridcast::report {
namespace {

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

}  // namespace
}  // namespace gridcast::report
