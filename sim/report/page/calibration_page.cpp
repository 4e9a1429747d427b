#include "sim/report/page/calibration_page.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sim/report/page/report_page.hpp"
#include "sim/report/text/figure_words.hpp"
#include "sim/report/text/study_text.hpp"

namespace gridcast::report {
namespace {

constexpr std::size_t grid = 60;
constexpr std::size_t most_steps_of_curve = 200;
constexpr std::array band = {0.05, 0.5, 0.95};

/// The model's share up to x: median and central 90 % of its draws.
std::vector<double> model_at(ProcessBeside const& process, double x) {
  std::vector<double> shares;
  for (auto const& draw : process.draws) shares.push_back(draw.cdf(x));
  return quantiles(std::move(shares), band);
}

/// The largest distance between the shares of the data and the middle of the fit.
double distance(ProcessBeside const& process) {
  double largest = 0;
  auto const n = static_cast<double>(process.data.size() + process.censored);
  for (std::size_t i = 0; i < process.data.size(); ++i) {
    double const fitted = model_at(process, process.data[i])[1];
    double const below = static_cast<double>(i) / n, above = static_cast<double>(i + 1) / n;
    largest = std::max({largest, fitted - above, below - fitted});
  }
  return largest;
}

/// By how much the shares of n values stay from the truth in 90 % of all samples, everywhere
/// (Dvoretzky, Kiefer, Wolfowitz 1956; Massart 1990).
double usual_distance(std::size_t n) {
  constexpr double level = 0.90;
  return std::sqrt(std::log(2 / (1 - level)) / (2 * static_cast<double>(n)));
}

void add_ecdf(ProcessBeside const& process, ReportRows& rows) {
  auto const n = process.data.size() + process.censored;
  std::size_t const step = std::max<std::size_t>(1, process.data.size() / most_steps_of_curve);
  for (std::size_t i = 0; i < process.data.size(); i += step) {
    double const share = static_cast<double>(i + 1) / static_cast<double>(n);
    rows.rows.push_back({process.name, process.data[i], share, ReportCell(), ReportCell(), "data"});
  }
  double const low = process.data.front(), high = process.data.back();
  double const margin = std::max(0.15 * (high - low), 0.02 * high);
  double const from = std::max(0.0, low - margin), to = high + margin;
  for (std::size_t i = 0; i <= grid; ++i) {
    double const x = from + (to - from) * static_cast<double>(i) / static_cast<double>(grid);
    auto const q = model_at(process, x);
    rows.rows.push_back({process.name, x, q[1], q[0], q[2], "model"});
  }
}

std::string says(std::vector<ProcessBeside> const& processes) {
  std::string text;
  for (auto const& process : processes) {
    double const off = distance(process);
    double const usual = usual_distance(process.data.size());
    text += fmt::format(
        "{}{}: {} durations{}, shares at most {:.2f} off the fit ({}, chance alone gives {:.2f})",
        text.empty() ? "" : "; ", process.name, process.data.size(),
        process.censored == 0 ? std::string() : fmt::format(" and {} cut short", process.censored),
        off, off <= usual ? "no surprise" : "beyond chance", usual);
  }
  return text + ".";
}

std::vector<ReportFigure> process_figures(std::vector<ProcessBeside> const& processes) {
  if (processes.empty()) return {};
  ReportFigure ecdf{
      "fits",
      "Each fitted process beside its data",
      "ecdf_band",
      {columns(text_column("process"), number_column("value", "duration", "s"),
               number_column("ecdf", "share up to it"), number_column("lo", "fit, 5 %"),
               number_column("hi", "fit, 95 %"), text_column("source"))}};
  ecdf.says = says(processes);
  for (auto const& process : processes) add_ecdf(process, ecdf.data);
  return {std::move(ecdf)};
}

ReportSection parameters(CalibrationPage const& page) {
  ReportSection section{"calibration", "Calibration"};
  section.text.push_back((page.parameters.empty() ? "Taken from " : "Fitted from records: ") +
                         page.file + ".");
  if (!page.no_data.empty() && !page.parameters.empty()) section.text.push_back(page.no_data);
  section.figures = process_figures(page.processes);
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
