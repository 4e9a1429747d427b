#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sim/report/page/report_page.hpp"
#include "sim/report/text/figure_words.hpp"
#include "sim/report/text/study_text.hpp"

namespace gridcast::report {
namespace {

ReportFigure coverage(study::RecordComparison const& against, std::size_t number) {
  ReportFigure figure{
      fmt::format("coverage-{}", number),
      "Each observed figure in its predicted interval",
      "coverage",
      {columns(text_column("figure"), number_column("observed"),
               number_column("lo", "predicted, 5 %"), number_column("hi", "predicted, 95 %"),
               number_column("p50", "predicted, median"),
               text_column("inside", "in the central 90 %"),
               number_column("position", "percentile rank"), text_column("unit"))}};
  std::vector<std::string> outside;
  for (auto const& place : against.figures) {
    std::string const words(words_of(place.name).words);
    if (!place.inside) outside.push_back(words);
    figure.data.rows.push_back({words, place.observed, place.predicted.p05, place.predicted.p95,
                                place.predicted.p50, place.inside ? "yes" : "no",
                                place.percentile_rank, place.name.ends_with("_s") ? "s" : ""});
  }
  figure.says = coverage_text(against);
  constexpr std::size_t most_named = 5;
  if (outside.size() > most_named) {
    outside.resize(most_named);
    outside.emplace_back("others");
  }
  figure.says += outside.empty() ? "." : "; not " + list_text(outside) + ".";
  return figure;
}

}  // namespace

ReportPart observed_section(std::vector<Result> const& results) {
  ReportSection section{"observed-and-predicted", "Observed and predicted"};
  for (auto const& result : results) {
    if (!result.against || result.against->figures.empty()) continue;
    section.figures.push_back(coverage(*result.against, section.figures.size() + 1));
    // A replay re-enacts them: that they are the same is no foresight.
    if (result.kind == ResultKind::replay) continue;
    auto const executions = compared_executions(*result.against);
    auto const& compared = executions.compared;
    if (!compared.empty()) {
      section.text.push_back(fmt::format(
          "{1} of {0} executions that gave a result lasted within 5 % of the predicted median of "
          "their site.",
          compared.size(), std::count_if(compared.begin(), compared.end(), [](auto const& each) {
            return each.within;
          })));
    }
    if (executions.left_out > 0) section.text.push_back(left_out_text(executions));
  }
  if (section.figures.empty()) return {};
  return {std::move(section), ""};
}

}  // namespace gridcast::report
