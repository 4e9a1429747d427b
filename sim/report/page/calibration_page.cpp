#include "sim/report/page/calibration_page.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sim/report/page/report_page.hpp"
#include "sim/report/text/figure_words.hpp"
#include "sim/report/view/prediction.hpp"
#include "sim/report/view/scores.hpp"

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

void add_qq(ProcessBeside const& process, ReportRows& rows) {
  std::size_t const n = process.data.size();
  std::size_t const step = std::max<std::size_t>(1, n / most_steps_of_curve);
  double const all = static_cast<double>(n + process.censored);
  for (std::size_t i = 0; i < n; i += step) {
    double const p = (static_cast<double>(i) + 0.5) / all;
    std::vector<double> theoretical;
    for (auto const& draw : process.draws) theoretical.push_back(draw.quantile(p));
    rows.rows.push_back({process.name, median(std::move(theoretical)), process.data[i]});
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
      {figure_columns(
          "process|>value=duration [s]|>ecdf=share up to it|>lo=fit, 5 %|>hi=fit, 95 %|source")}};
  ecdf.says = says(processes);
  ReportFigure qq{"fits-qq",
                  "Quantiles of the data against those of the fit",
                  "qq",
                  {figure_columns("process|>theoretical=fitted [s]|>observed [s]")}};
  qq.says = "Where the points lie on the line, the fit has what was observed.";
  double most = 0;
  std::string far;
  for (auto const& process : processes) {
    add_ecdf(process, ecdf.data);
    std::size_t const first = qq.data.rows.size();
    add_qq(process, qq.data);
    for (std::size_t i = first; i < qq.data.rows.size(); ++i) {
      double const fitted = std::get<double>(qq.data.rows[i][1]);
      double const off = std::abs(std::get<double>(qq.data.rows[i][2]) - fitted) / fitted;
      if (!(off > most)) continue;
      most = off;
      far = process.name;
    }
  }
  if (!far.empty()) {
    qq.says +=
        fmt::format(" The farthest off is {}, by {:.0f} % of the fitted value.", far, 100 * most);
  }
  return {std::move(ecdf), std::move(qq)};
}

ReportSection parameters(CalibrationPage const& page) {
  ReportSection section{"calibration", "Calibration"};
  bool const fitted = !page.sections.empty();
  section.text.push_back((fitted ? "Fitted from records: " : "Taken from ") + page.file + ".");
  if (!page.no_data.empty() && fitted) section.text.push_back(page.no_data);
  section.figures = process_figures(page.processes);
  if (fitted) {
    add_statements(section, page.sections.front());
  } else {
    section.text.emplace_back(
        "It was written by hand: it has no fitted parameters, hence no intervals.");
  }
  return section;
}

std::string verdict(std::vector<KnownParameter> const& parameters) {
  std::size_t identified = 0, inside = 0;
  for (auto const& each : parameters) {
    if (each.events == 0) continue;
    ++identified;
    inside += each.inside ? 1U : 0U;
  }
  return fmt::format(
      "{} of {} true values lie in the 90 % interval that the calibration gives, of the parameters "
      "that the record has events of.",
      inside, identified);
}

ReportSection recovery(std::vector<KnownParameter> const& parameters) {
  ReportFigure figure{
      "recovery",
      "Each true value in its fitted interval",
      "coverage",
      {figure_columns(
          "figure=parameter|>observed=truth|>lo=90 % interval, low|>hi=90 % interval, high|"
          ">p50=estimate|inside|>events")}};
  figure.says = verdict(parameters);
  for (auto const& each : parameters) {
    figure.data.rows.push_back({each.name, each.truth, each.interval90.low, each.interval90.high,
                                each.estimate, each.inside ? "yes" : "no",
                                static_cast<double>(each.events)});
  }
  return {"recovery", "True values and fitted intervals", {}, {std::move(figure)}};
}

ReportFigure coverage(study::RecordComparison const& against, std::size_t number) {
  ReportFigure figure{
      fmt::format("coverage-{}", number),
      "Each observed figure in its predicted interval",
      "coverage",
      {figure_columns(
          "figure|>observed|>lo=predicted, 5 %|>hi=predicted, 95 %|>p50=predicted, median|"
          "inside=in the central 90 %|>position=percentile rank|unit")}};
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

constexpr std::size_t most_drawn_records = 12;

/// Each figure that counts in its central 90 %.
ReportFigure intervals_figure(study::ScoredRecord const& record, std::size_t number) {
  ReportFigure figure{
      fmt::format("intervals-{}", number),
      fmt::format("{}, forecast from {}", record.record, record.from),
      "coverage",
      {figure_columns("figure|>observed|>lo=forecast, 5 %|>hi=forecast, 95 %|>p50=forecast, median|"
                      "inside=in the central 90 %|unit")}};
  std::size_t inside = 0;
  for (auto const& each : record.figures) {
    if (!study::counts(each)) continue;
    auto values = each.forecast;
    std::erase_if(values, [](double x) { return std::isnan(x); });
    auto const q = quantiles(values, std::array{0.05, 0.5, 0.95});
    bool const held = each.observed >= q[0] && each.observed <= q[2];
    inside += held ? 1 : 0;
    figure.data.rows.push_back({std::string(words_of(each.figure).words), each.observed, q[0], q[2],
                                q[1], held ? "yes" : "no", each.figure.ends_with("_s") ? "s" : ""});
  }
  figure.says = fmt::format("{} of {} figures lie in the central 90 % of what was forecast.",
                            inside, figure.data.rows.size());
  return figure;
}

ReportSection intervals_section(std::vector<study::ScoredRecord> const& records) {
  ReportSection section{"intervals", "What came, in what was forecast"};
  std::size_t const drawn = std::min(records.size(), most_drawn_records);
  for (std::size_t i = 0; i < drawn; ++i) {
    section.figures.push_back(intervals_figure(records[i], i + 1));
  }
  if (drawn < records.size()) {
    section.text.push_back(
        fmt::format("The first {} of {} forecasts are drawn.", drawn, records.size()));
  }
  return section;
}

}  // namespace

std::vector<ReportSection> calibration_sections(CalibrationPage const& page) {
  std::vector<ReportSection> sections = {parameters(page)};
  for (std::size_t i = 1; i < page.sections.size(); ++i) {
    if (!page.sections[i].statements.empty()) sections.push_back(page_section(page.sections[i]));
  }
  return sections;
}

ReportDocument validation_page(ValidationRequest const& request) {
  ReportDocument document;
  document.kind = "validation";
  document.title = request.title;
  document.subtitle = "A calibration held against the truth of a test pool";
  document.created_by = request.created_by;
  document.command = request.command;
  document.question = "Does the calibration find the parameters that the pool was run with?";
  document.answer = {verdict(request.parameters)};
  std::vector<std::string> outside;
  for (auto const& each : request.parameters) {
    if (!each.inside) outside.push_back(each.name);
  }
  if (!outside.empty()) document.answer.push_back("Outside: " + list_text(outside) + ".");
  document.assumptions = {
      "Of an honest calibration nine in ten intervals hold the truth, in the long run."};
  document.sections.push_back(recovery(request.parameters));
  for (auto& section : calibration_sections(request.calibration)) {
    document.sections.push_back(std::move(section));
  }
  document.sections.push_back(provenance({}, request.created_by, request.command, request.inputs));
  return document;
}

ReportPart observed_section(std::vector<Result> const& results) {
  ReportSection section{"observed-and-predicted", "Observed and predicted"};
  for (auto const& result : results) {
    if (!result.against || result.against->figures.empty()) continue;
    section.figures.push_back(coverage(*result.against, section.figures.size() + 1));
    // A replay re-enacts them: that they are the same is no foresight.
    if (result.kind == ResultKind::replay) continue;
    add_statements(section, against_record(result));
  }
  if (section.figures.empty()) return {};
  return {std::move(section), ""};
}

ReportDocument scores_page(ScoresRequest const& request) {
  ReportDocument document;
  document.kind = "validation";
  document.title = request.title;
  document.subtitle = "Forecasts held against campaigns that took place";
  document.created_by = request.created_by;
  document.command = request.command;
  document.question = "How good are forecasts of campaigns that were not seen?";
  if (request.table.cases == 0) {
    document.answer = {"No figure can be scored: none of them could vary."};
  } else {
    for (auto const& sentence : score_sentences(request.table)) {
      document.answer.push_back(sentence + ".");
    }
    for (auto const& section : scores_sections(request.table, request.conformal)) {
      document.sections.push_back(page_section(section));
    }
    document.sections.push_back(intervals_section(request.records));
  }
  document.assumptions = {
      "Skill is 1 - score / score of a plain guess: the last campaign's figures, scaled by jobs.",
      "Figures of one campaign depend on each other."};
  document.sections.push_back(provenance({}, request.created_by, request.command, request.inputs));
  return document;
}

}  // namespace gridcast::report
