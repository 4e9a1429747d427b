#include "sim/cli/calibrate_brief.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "sim/base/text.hpp"
#include "sim/cli/calibrate.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/report/text/brief.hpp"
#include "sim/report/text/layout.hpp"

namespace gridcast::cli {
namespace {

/// The width of an interval against its estimate.
double relative_width(calibration::Estimate const& line) {
  double const size = std::max(std::abs(line.estimate), 1e-12);
  return (line.interval90.high - line.interval90.low) / size;
}

/// The fitted parameters with events, the least certain first.
std::vector<calibration::Estimate> least_certain(calibration::Fit const& fit) {
  auto lines = fit.estimates;
  std::erase_if(lines, [](auto const& line) {
    return line.origin != calibration::Origin::fitted || line.events == 0;
  });
  std::stable_sort(lines.begin(), lines.end(), [](auto const& a, auto const& b) {
    return relative_width(a) > relative_width(b);
  });
  return lines;
}

std::string least_certain_table(calibration::Fit const& fit, report::Screen const& screen) {
  constexpr std::size_t most = 3;
  auto lines = least_certain(fit);
  if (lines.size() > most) lines.resize(most);
  report::TextTable table({{"least certain of those with events"},
                           {"estimate", report::Align::right},
                           {"90 % interval", report::Align::right}});
  for (auto const& line : lines) {
    table.add_row({line.name,
                   fmt::format("{:.3g}{}{}", line.estimate, line.unit == "1" ? "" : " ",
                               line.unit == "1" ? "" : line.unit),
                   fmt::format("{:.3g} to {:.3g}", line.interval90.low, line.interval90.high)});
  }
  return lines.empty() ? "" : table.str(screen);
}

std::string causes_sentence(calibration::Fit const& fit) {
  std::string text;
  for (auto const& model : fit.hypotheses) {
    text +=
        fmt::format("{}{} {:.0f} %", text.empty() ? "" : ", ", model.name, 100 * model.probability);
  }
  return text.empty() ? "" : "Causes of stalled transfers: " + text + ".";
}

std::string rejected_sentence(calibration::Fit const& fit) {
  auto const lines = rejected_text(fit);
  auto const rejected = static_cast<std::size_t>(std::count(lines.begin(), lines.end(), '\n'));
  if (rejected == 0) return "";
  return fmt::format("A test rejects {} (p < 0.05); --details names {}.", counted(rejected, "fit"),
                     rejected == 1 ? "it" : "them");
}

}  // namespace

std::string brief_calibration(calibration::Fit const& fit, std::size_t jobs) {
  auto const shown = screen();
  auto narrow = shown;
  narrow.width = std::min(shown.width, report::brief_width);
  std::size_t const events = least_certain(fit).size();
  report::Brief brief(shown);
  brief.say(fmt::format("Calibrated from {}: {} of {} parameters are fitted to events of the "
                        "record; the others rest on priors.",
                        counted(jobs, "job"), events, fit.estimates.size()),
            9, 2);
  brief.add(least_certain_table(fit, narrow), 6);
  brief.say(causes_sentence(fit), 5, 2);
  brief.say(rejected_sentence(fit), 7, 2);
  std::string const more = more_data_text(fit, jobs);
  brief.say(more.empty() ? "" : more.substr(1), 4, 2);
  return brief.text();
}

}  // namespace gridcast::cli
