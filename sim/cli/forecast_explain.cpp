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

// A screen shows it all: so many of what is borrowed, left out and rejected, and of sites.
constexpr std::size_t most_lines = 4, most_sites = 10;

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

std::vector<calibration::SiteFacts> most_used(std::vector<calibration::SiteFacts> sites) {
  std::stable_sort(sites.begin(), sites.end(), [](auto const& a, auto const& b) {
    return a.count.attempts > b.count.attempts;
  });
  return sites;
}

std::string sites_text(CalibratedLogs const& logs) {
  using report::Align;
  calibration::Fit const& fit = logs.document.fit;
  report::TextTable table({{"site"},
                           {"GPUs"},
                           {"slots", Align::right},
                           {"finished", Align::right},
                           {"cut short", Align::right},
                           {"hours of one (90 %)", Align::right}});
  std::size_t table_rows = 0, left_out = 0;
  for (calibration::SiteFacts const& site : most_used(logs.calibrated.sites)) {
    auto const* const speed = find(fit, "speed." + site.count.site);
    auto const hours = execution_hours(fit, site.count.site);
    if (speed == nullptr || hours.empty()) continue;
    if (table_rows == most_sites) {
      ++left_out;
      continue;
    }
    ++table_rows;
    history::GpuShare const& gpus = site.place.gpus;
    table.add_row({site.count.site,
                   gpus.count > 0
                       ? fmt::format("{} x {}", gpus.count, calibration::short_model(gpus.model))
                       : "not told",
                   std::to_string(site.count.slots), std::to_string(speed->events),
                   std::to_string(speed->censored),
                   fmt::format("{:.3g} ({:.3g} to {:.3g})", hours[1], hours[0], hours[2])});
  }
  return table.str(screen()) +
         (left_out > 0 ? fmt::format("and {} sites with fewer attempts\n", left_out) : "");
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
  std::vector<Said> gaps;
  for (calibration::NotIdentified const& gap : fit.not_identified) {
    gaps.push_back({gap.what, fmt::format("{}. {}", gap.why, gap.taken_from)});
  }
  return gaps.empty()
             ? ""
             : "Not told by the record, and what stands in for it\n" + shortened(said_once(gaps));
}

}  // namespace

std::string explain(CalibratedLogs const& calibrated,
                    std::vector<condor::SubmitNote> const& not_taken) {
  std::string text = records_text(calibrated) + sites_text(calibrated);
  auto const programs = lines_of(programs_text(calibrated.calibrated.programs));
  if (!programs.empty()) {
    text += programs.front() + "\n" + shortened({programs.begin() + 1, programs.end()});
  }
  text += borrowed_text(calibrated.document.fit);
  auto const notes = lines_of(notes_text(not_taken));
  if (!notes.empty()) text += "Of what is to be run, not taken as it stands\n" + shortened(notes);
  auto const rejected = lines_of(rejected_text(calibrated.document.fit));
  text += rejected.empty() ? "No fit is rejected by its test.\n"
                           : "Fits that a test rejects (p < 0.05)\n" + shortened(rejected);
  return report::fitted(text, screen());
}

}  // namespace gridcast::cli
