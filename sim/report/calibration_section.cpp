#include "sim/report/calibration_section.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "sim/report/page/shown.hpp"

namespace gridcast::report {
namespace {

constexpr std::size_t grid = 60;
constexpr std::size_t most_steps = 200;
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
  std::size_t const step = std::max<std::size_t>(1, process.data.size() / most_steps);
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
  std::size_t const step = std::max<std::size_t>(1, n / most_steps);
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
  ReportFigure ecdf;
  ecdf.id = "fits";
  ecdf.title = "Each fitted process beside its data";
  ecdf.says = says(processes);
  ecdf.spec = "ecdf_band";
  ecdf.data.columns = {{"process", "process", "", "text"},
                       {"value", "duration", "s"},
                       {"ecdf", "share up to it"},
                       {"lo", "fit, 5 %"},
                       {"hi", "fit, 95 %"},
                       {"source", "source", "", "text"}};
  ReportFigure qq;
  qq.id = "fits-qq";
  qq.title = "Quantiles of the data against those of the fit";
  qq.says = "Where the points lie on the line, the fit has what was observed.";
  qq.spec = "qq";
  qq.data.columns = {{"process", "process", "", "text"},
                     {"theoretical", "fitted", "s"},
                     {"observed", "observed", "s"}};
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
  ReportSection section{"calibration", "Calibration", {}, {}, {}, {}, {}};
  section.text.push_back((page.parameters.empty() ? "Taken from " : "Fitted from records: ") +
                         page.file + ".");
  if (!page.no_data.empty() && !page.parameters.empty()) section.text.push_back(page.no_data);
  section.figures = process_figures(page.processes);
  auto const seen = std::count_if(page.parameters.begin(), page.parameters.end(),
                                  [](auto const& line) { return line.events > 0; });
  ReportTable table;
  table.id = "parameters";
  table.title = "Parameters";
  table.says = fmt::format("{} parameters, {} of them from events of the record; 90 % intervals.",
                           page.parameters.size(), seen);
  table.data.columns = {{"name", "parameter", "", "text"}, {"unit", "unit", "", "text"},
                        {"estimate", "estimate"},          {"lo", "90 % interval, low"},
                        {"hi", "90 % interval, high"},     {"events", "events"},
                        {"censored", "cut short"},         {"fit", "goodness of fit", "", "text"},
                        {"method", "method", "", "text"}};
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
  ReportSection section{"goodness-of-fit", "Tests of the models", {}, {}, {}, {}, {}};
  auto const rejected = std::count_if(page.tests.begin(), page.tests.end(), [](auto const& test) {
    return test.verdict.starts_with("rejected");
  });
  ReportTable table;
  table.id = "tests";
  table.title = "Hypotheses";
  table.says = fmt::format("{} of {} hypotheses are rejected.", rejected, page.tests.size());
  table.data.columns = {{"hypothesis", "hypothesis", "", "text"},
                        {"statistic", "statistic", "", "text"},
                        {"observed", "observed"},
                        {"expected", "expected"},
                        {"p_value", "p"},
                        {"verdict", "verdict", "", "text"}};
  for (auto const& test : page.tests) {
    table.data.rows.push_back({test.hypothesis, test.statistic, test.observed, test.expected,
                               test.p_value, test.verdict});
  }
  section.table = std::move(table);
  return section;
}

ReportSection not_identified(CalibrationPage const& page) {
  ReportSection section{"not-identified", "What the record could not tell", {}, {}, {}, {}, {}};
  ReportTable table;
  table.id = "not-identified";
  table.title = "Not identified";
  table.says = fmt::format("{} things are taken from elsewhere.", page.not_identified.size());
  table.data.columns = {{"what", "what", "", "text"},
                        {"why", "why", "", "text"},
                        {"taken_from", "taken from", "", "text"}};
  for (auto const& line : page.not_identified) {
    table.data.rows.push_back({line.what, line.why, line.taken_from});
  }
  section.table = std::move(table);
  return section;
}

}  // namespace

std::vector<ReportSection> calibration_sections(CalibrationPage const& page) {
  std::vector<ReportSection> sections = {parameters(page)};
  if (!page.tests.empty()) sections.push_back(tests(page));
  if (!page.not_identified.empty()) sections.push_back(not_identified(page));
  return sections;
}

}  // namespace gridcast::report
