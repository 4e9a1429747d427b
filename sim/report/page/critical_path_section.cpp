#include <fmt/format.h>

#include "sim/report/page/report_page.hpp"
#include "sim/report/page/shown.hpp"

namespace gridcast::report {

std::vector<ReportSection> critical_path_sections(std::vector<Result> const& results) {
  std::vector<ReportSection> sections;
  for (auto const& result : results) {
    if (result.critical_path.empty()) continue;
    std::string const number = sections.empty() ? "" : "-" + std::to_string(sections.size());
    ReportSection section{"critical-path" + number,
                          "The critical path" + source_text(results, result)};
    section.text.push_back(fmt::format(
        "{} submissions one after the other, each of which waited for the one before, {}. What is "
        "not on it could take longer without the campaign's doing so.",
        result.critical_path.size(),
        result.kind == ResultKind::ledger ? "in this run" : "in the typical replica"));
    ReportTable table{
        "critical-path-steps" + number,
        "Its submissions in the order of time",
        {columns(text_column("submission"), number_column("submitted", "from", "s"),
                 number_column("ended", "to", "s"), number_column("computing", "computing", "s"),
                 number_column("waiting", "waiting in the queue", "s"),
                 number_column("lost", "in attempts that failed", "s"),
                 number_column("other", "transfers and set-up", "s"),
                 number_column("attempts", "attempts"))},
        "Seconds since the first submission, and of the job that ended last."};
    for (study::CriticalStep const& step : result.critical_path) {
      table.data.rows.push_back({step.name, step.submitted.value(), step.ended.value(),
                                 step.computing.value(), step.waiting.value(), step.lost.value(),
                                 step.other.value(), static_cast<double>(step.attempts)});
    }
    section.table = std::move(table);
    sections.push_back(std::move(section));
  }
  return sections;
}

}  // namespace gridcast::report
