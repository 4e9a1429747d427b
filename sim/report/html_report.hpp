// The one HTML file: the page's template with the document as JSON inside. All that comes from logs
// and scenarios is in the JSON; `escaped_json` is the only place where it is made safe for HTML,
// and the page puts it on the screen as text only.
#pragma once

#include <string>
#include <string_view>

#include "sim/report/page/document.hpp"

namespace gridcast::report {

/// JSON that may stand in a <script> element: < > & and the line separators U+2028 and U+2029,
/// which occur within strings only, as \uXXXX. So no text can end the element or begin a comment
/// (HTML standard, "restrictions for contents of script elements").
std::string escaped_json(std::string_view json);

/// The template's place for the data filled in. What is not UTF-8 is shown as U+FFFD.
std::string html_report(ReportDocument const& document, std::string_view page_template);

}  // namespace gridcast::report
