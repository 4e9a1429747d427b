#include "sim/cli/forecast_explain.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "sim/base/statistics.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/report/text/layout.hpp"

namespace gridcast::cli {
namespace {

constexpr std::size_t most_lines = 6;  // of what is borrowed, left out and rejected, each

calibration::Estimate const* find(calibration::Fit const& fit, std::string const& name) {
  auto const found = std::find_if(fit.estimates.begin(), fit.estimates.end(),
                                  [&](auto const& line) { return line.name == name; });
  return found == fit.estimates.end() ? nullptr : &*found;
}

std::string records_text(CalibratedLogs const& logs) {
  std::string text = "Learnt from\n";
  for (calibration::CalibrationInput const& input : logs.document.inputs) {
    text += fmt::format("  {}\n", printable(input.file));
  }
  text += fmt::format("  {} jobs, {} attempts", logs.calibrated.jobs, logs.calibrated.attempts);
  if (logs.jobs_left_out > 0) {
    text +=
        fmt::format("; {} other jobs left out by --where, --since or --until", logs.jobs_left_out);
  }
  return text + "\n";
}

/// What a draw gives each of a column; empty if there is none.
std::vector<double> column(calibration::DrawTable const& draws, std::string const& name) {
  std::vector<double> values;
  auto const found = std::find(draws.columns.begin(), draws.columns.end(), name);
  if (found == draws.columns.end()) return values;
  auto const c = static_cast<std::size_t>(found - draws.columns.begin());
  for (auto const& row : draws.rows) values.push_back(row[c]);
  return values;
}

/// Hours of one execution, 5 %, 50 % and 95 % of the draws: work and speed belong together.
std::vector<double> execution_hours(calibration::Fit const& fit, std::string const& site) {
  std::vector<double> hours = column(fit.draws, "work_s");
  std::vector<double> const speeds = column(fit.draws, "speed." + site);
  if (hours.empty() || hours.size() != speeds.size()) return {};
  for (std::size_t i = 0; i < hours.size(); ++i) hours[i] /= 3600 * speeds[i];
  double const levels[] = {0.05, 0.5, 0.95};
  return quantiles(hours, levels);
}

std::string sites_text(CalibratedLogs const& logs) {
  using report::Align;
  calibration::Fit const& fit = logs.document.fit;
  report::TextTable table({{"site"},
                           {"GPUs"},
                           {"slots", Align::right},
                           {"finished", Align::right},
                           {"cut short", Align::right},
                           {"one execution, h", Align::right},
                           {"90 % interval", Align::right}});
  for (calibration::SiteFacts const& site : logs.calibrated.sites) {
    auto const* const speed = find(fit, "speed." + site.count.site);
    auto const hours = execution_hours(fit, site.count.site);
    if (speed == nullptr || hours.empty()) continue;
    history::GpuShare const& gpus = site.place.gpus;
    table.add_row({site.count.site,
                   gpus.count > 0 ? fmt::format("{} x {}", gpus.count, gpus.model) : "not told",
                   std::to_string(site.count.slots), std::to_string(speed->events),
                   std::to_string(speed->censored), fmt::format("{:.3g}", hours[1]),
                   fmt::format("{:.3g} to {:.3g}", hours[0], hours[2])});
  }
  return table.str(screen());
}

/// The first few, and how many more.
std::string shortened(std::vector<std::string> const& lines) {
  std::string text;
  for (std::size_t i = 0; i < std::min(lines.size(), most_lines); ++i)
    text += "  " + lines[i] + "\n";
  if (lines.size() > most_lines) {
    text += fmt::format("  and {} more (in the calibration file, see --out)\n",
                        lines.size() - most_lines);
  }
  return text;
}

std::vector<std::string> lines_of(std::string const& text) {
  std::vector<std::string> lines;
  for (auto const& line : split(text, '\n')) {
    if (!trim(line).empty()) lines.emplace_back(trim(line));
  }
  return lines;
}

std::string borrowed_text(calibration::Fit const& fit) {
  std::vector<std::string> lines;
  for (calibration::NotIdentified const& gap : fit.not_identified) {
    lines.push_back(fmt::format("{}: {}. {}", gap.what, gap.why, gap.taken_from));
  }
  return lines.empty() ? ""
                       : "Not told by the record, and what stands in for it\n" + shortened(lines);
}

}  // namespace

std::string explain(CalibratedLogs const& calibrated,
                    std::vector<condor::SubmitNote> const& not_taken) {
  std::string text = records_text(calibrated) + sites_text(calibrated);
  text += programs_text(calibrated.calibrated.programs);
  text += borrowed_text(calibrated.document.fit);
  auto const notes = lines_of(notes_text(not_taken));
  if (!notes.empty()) text += "Of what is to be run, not taken as it stands\n" + shortened(notes);
  auto const rejected = lines_of(rejected_text(calibrated.document.fit));
  text += rejected.empty() ? "No fit is rejected by its test.\n"
                           : "Fits that a test rejects (p < 0.05)\n" + shortened(rejected);
  return text;
}

}  // namespace gridcast::cli
