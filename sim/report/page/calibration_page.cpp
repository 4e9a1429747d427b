#include "sim/report/page/calibration_page.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sim/report/page/report_page.hpp"
#include "sim/report/text/figure_words.hpp"
#include "sim/report/text/study_text.hpp"

namespace gridcast::report {
namespace {

ReportSection parameters(CalibrationPage const& page) {
  ReportSection section{"calibration", "Calibration"};
  section.text.push_back((page.parameters.empty() ? "Taken from " : "Fitted from records: ") +
                         page.file + ".");
  auto const seen = std::count_if(page.parameters.begin(), page.parameters.end(),
                                  [](auto const& line) { return line.events > 0; });
  ReportTable table{"parameters",
                    "Parameters",
                    {columns(text_column("name", "parameter"), text_column("unit"),
                             number_column("estimate"), number_column("lo", "90 % interval, low"),
                             number_column("hi", "90 % interval, high"), number_column("events"),
                             number_column("censored", "cut short"),
                             text_column("fit", "goodness of fit"), text_column("method"))}};
  table.says = fmt::format("{} parameters, {} of them from events of the record; 90 % intervals.",
                           page.parameters.size(), seen);
  for (auto const& line : page.parameters) {
    table.data.rows.push_back({line.name, line.unit, line.estimate, line.interval90.low,
                               line.interval90.high, static_cast<double>(line.events),
                               static_cast<double>(line.censored), line.fit, line.method});
  }
  if (page.parameters.empty()) {
    section.text.emplace_back(
        "It was written by hand: it has no fitted parameters, hence no intervals.");
  } else {
    section.table = std::move(table);
  }
  return section;
}

ReportSection tests(CalibrationPage const& page) {
  auto const rejected = std::count_if(page.tests.begin(), page.tests.end(), [](auto const& test) {
    return test.verdict.starts_with("rejected");
  });
  ReportTable table{
      "tests",
      "Hypotheses",
      {columns(text_column("hypothesis"), text_column("statistic"), number_column("observed"),
               number_column("expected"), number_column("p_value", "p"), text_column("verdict"))}};
  table.says = fmt::format("{} of {} hypotheses are rejected.", rejected, page.tests.size());
  for (auto const& test : page.tests) {
    table.data.rows.push_back({test.hypothesis, test.statistic, test.observed, test.expected,
                               test.p_value, test.verdict});
  }
  return {"goodness-of-fit", "Tests of the models", {}, {}, {}, std::move(table)};
}

ReportSection not_identified(CalibrationPage const& page) {
  ReportTable table{
      "not-identified",
      "Not identified",
      {columns(text_column("what"), text_column("why"), text_column("taken_from", "taken from"))}};
  table.says = fmt::format("{} things are taken from elsewhere.", page.not_identified.size());
  for (auto const& line : page.not_identified) {
    table.data.rows.push_back({line.what, line.why, line.taken_from});
  }
  return {"not-identified", "Unknown from the record", {}, {}, {}, std::move(table)};
}

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

std::vector<ReportSection> calibration_sections(CalibrationPage const& page) {
  std::vector<ReportSection> sections = {parameters(page)};
  if (!page.tests.empty()) sections.push_back(tests(page));
  if (!page.not_identified.empty()) sections.push_back(not_identified(page));
  return sections;
}

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
