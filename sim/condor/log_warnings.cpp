#include "sim/condor/log_warnings.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace gridcast::condor {

void LogWarnings::add(std::string_view what, std::size_t line, std::uint32_t in_file) {
  auto const found = known_.find(what);
  if (found != known_.end()) {
    ++report_.warnings[found->second].count;
    return;
  }
  known_.emplace(what, report_.warnings.size());
  auto const shown = std::min<std::size_t>(line, std::numeric_limits<int>::max());
  report_.warnings.push_back({{files_[in_file], static_cast<int>(shown)}, std::string(what)});
}

void LogWarnings::not_understood(std::string_view what, std::size_t line, std::size_t lines) {
  report_.lines_not_understood += lines;
  if (lines > 0) add(what, line);
}

std::string to_text(LogReport const& report) {
  std::string text = fmt::format("{} events, {} jobs, {} lines not understood\n", report.events,
                                 report.jobs, report.lines_not_understood);
  for (auto const& warning : report.warnings) {
    text += Problem{warning.where, warning.what, "", ""}.to_text();
    if (warning.count > 1) text += fmt::format(" ({} times)", warning.count);
    text += '\n';
  }
  return text;
}

}  // namespace gridcast::condor
