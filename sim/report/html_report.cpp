#include "sim/report/html_report.hpp"

#include <nlohmann/json.hpp>

#include "sim/base/error.hpp"

namespace gridcast::report {
namespace {

constexpr std::string_view place_of_data = "<!--GRIDCAST-DATA-->";

}  // namespace

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

std::string html_report(ReportDocument const& document, std::string_view page_template) {
  auto const place = page_template.find(place_of_data);
  check(place != std::string_view::npos, "the page's template has a place for the data");
  auto const json = document_json(document).dump(-1, ' ', false,
                                                 nlohmann::ordered_json::error_handler_t::replace);
  std::string page(page_template.substr(0, place));
  page +=
      R"(<script type="application/json" id="gridcast-report">)" + escaped_json(json) + "</script>";
  page += page_template.substr(place + place_of_data.size());
  return page;
}

}  // namespace gridcast::report
