#include "sim/cli/forecast_sources.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "calibration/records/places.hpp"
#include "sim/base/statistics.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/submit_scenario.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/report/text/layout.hpp"

namespace gridcast::cli {
namespace {

namespace fs = std::filesystem;
using calibration::Estimate;
using calibration::Fit;
using calibration::Origin;

// Limits that keep the text on one screen: lines of a kind (others by name alone), sites,
// parameters, programs, records.
constexpr std::size_t most_lines = 3, most_sites = 8, most_parameters = 8, most_programs = 4,
                      most_records = 4;

// Gaps with most effect on a forecast. They come first; the others are shown by name.
constexpr std::string_view decisive[] = {"input transfers", "how the next campaign differs",
                                         "slots",           "gpu_scaling",
                                         "limits of slots", "URLs of a job",
                                         "execution_sigma"};

std::string parameter_of(std::string const& name) { return name.substr(0, name.find('.')); }

Estimate const* line_of(Fit const& fit, std::string const& name) {
  auto const found = std::ranges::find(fit.estimates, name, &Estimate::name);
  return found == fit.estimates.end() ? nullptr : &*found;
}

struct RecordKind {
  std::vector<fs::path> const& files;
  char const* one;
  char const* several;
};

/// A line for each record, or one line with the first and the last of many: with rotated logs and a
/// log for each job there may be hundreds.
std::string names_of(RecordKind const& kind) {
  auto const named = [](fs::path const& file) { return printable(file.string()); };
  if (kind.files.size() > most_records) {
    fs::path const& first = kind.files.front();
    fs::path const& last = kind.files.back();
    return fmt::format("  {} {}: {} to {}\n", kind.files.size(), kind.several, named(first),
                       named(first.parent_path() == last.parent_path() ? last.filename() : last));
  }
  std::string text;
  for (fs::path const& file : kind.files) text += fmt::format("  {}: {}\n", named(file), kind.one);
  return text;
}

/// The number of events of each fitted parameter, over all sites.
std::string learnt_text(Fit const& fit) {
  std::map<std::string, std::size_t> events;
  for (Estimate const& line : fit.estimates) {
    if (line.origin == Origin::fitted && line.events > 0)
      events[parameter_of(line.name)] += line.events;
  }
  std::vector<std::pair<std::string, std::size_t>> most(events.begin(), events.end());
  std::stable_sort(most.begin(), most.end(),
                   [](auto const& a, auto const& b) { return a.second > b.second; });
  std::vector<std::string> shown;
  for (auto const& [name, count] : most) {
    if (shown.size() < most_parameters) shown.push_back(fmt::format("{} {}", name, count));
  }
  if (shown.empty()) return "";
  std::string const more =
      most.size() > shown.size() ? fmt::format(", and {} more", most.size() - shown.size()) : "";
  return fmt::format("  parameters, with their number of events: {}{}\n", fmt::join(shown, ", "),
                     more);
}

std::vector<std::string> lines_in(std::string const& text) {
  std::vector<std::string> lines;
  for (auto const& line : split(text, '\n')) {
    if (!trim(line).empty()) lines.emplace_back(trim(line));
  }
  return lines;
}

std::string first_of(std::vector<std::string> const& lines) {
  std::string text;
  for (std::size_t i = 0; i < std::min(lines.size(), most_lines); ++i) {
    text += "  " + lines[i] + "\n";
  }
  return text;
}

std::string records_text(ForecastSources const& sources) {
  CalibratedLogs const& logs = sources.learnt;
  std::string text = "Learnt from\n";
  import::CampaignFiles const& files = sources.files;
  text += names_of({files.logs, "event log", "event logs"});
  text += names_of({files.ads, "ads, of sizes, URLs and programs", "files of ads"});
  text += names_of({files.attempts, "table of attempts", "tables of attempts"});
  if (!sources.submit.empty()) {
    text += fmt::format("  {}: submit file, of the jobs' program, URLs and list of outputs\n",
                        printable(sources.submit.string()));
  }
  text += "  " + counted(logs.calibrated.jobs, "job") + ", " +
          counted(logs.calibrated.attempts, "attempt");
  auto const& counts = logs.read.counts;
  if (!counts.empty()) text += fmt::format("; read: {}", fmt::join(counts, "; "));
  text += "\n";
  return text + learnt_text(logs.document.fit);
}

/// Hours of one execution, 5 %, 50 % and 95 % quantiles of work over speed in the same draw.
std::vector<double> execution_hours(Fit const& fit, std::string const& site) {
  std::vector<double> hours = fit.draws.column("work_s");
  std::vector<double> const speeds = fit.draws.column("speed." + site);
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

std::vector<std::string> site_row(calibration::SiteFacts const& site, Estimate const& speed,
                                  std::vector<double> const& hours) {
  history::GpuShare const& gpus = site.place.gpus;
  std::string const model =
      gpus.count > 0   ? fmt::format("{} x {}", *gpus.count, calibration::short_model(gpus.model))
      : gpus.is_none() ? "none"
                       : "unknown";
  return {site.place.resource,
          model,
          std::to_string(site.count.slots),
          std::to_string(speed.events),
          std::to_string(speed.censored),
          fmt::format("{:.2g} ({:.2g}-{:.2g})", hours[1], hours[0], hours[2])};
}

std::string sites_text(CalibratedLogs const& logs) {
  using report::Align;
  Fit const& fit = logs.document.fit;
  report::TextTable table({{"site"},
                           {"GPUs"},
                           {"slots", Align::right},
                           {"done", Align::right},
                           {"cut", Align::right},
                           {"hours (90 %)", Align::right}});
  std::size_t table_rows = 0, left_out = 0;
  for (calibration::SiteFacts const& site : most_used(logs.calibrated.sites)) {
    auto const* const speed = line_of(fit, "speed." + site.count.site);
    auto const hours = execution_hours(fit, site.count.site);
    if (speed == nullptr || hours.empty()) continue;
    if (table_rows == most_sites) {
      ++left_out;
      continue;
    }
    ++table_rows;
    table.add_row(site_row(site, *speed, hours));
  }
  std::string text =
      "Executions: done, cut short (a whole one is longer), hours of one\n" + table.str(screen());
  if (left_out > 0) text += fmt::format("and {} sites with fewer attempts\n", left_out);
  return text;
}

/// All names, each with its number of sites.
std::string names_with_sites(std::vector<std::string> const& all) {
  std::vector<std::pair<std::string, std::size_t>> sites;
  for (std::string const& name : all) {
    std::string const parameter = parameter_of(name);
    auto found = std::ranges::find(sites, parameter, &std::pair<std::string, std::size_t>::first);
    if (found == sites.end()) found = sites.insert(found, {parameter, 0});
    ++found->second;
  }
  std::vector<std::string> words;
  for (auto const& [name, count] : sites) {
    words.push_back(count > 1 ? fmt::format("{} ({} sites)", name, count) : name);
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

/// "20.6 %" of "20.6 % of the draws have it, ..."; empty for any other text.
std::string share_of_draws(std::string const& taken_from) {
  auto const at = taken_from.find(" of the draws have");
  return at == std::string::npos ? "" : taken_from.substr(0, at);
}

std::size_t place_in_decisive(std::string const& what) {
  std::string const parameter = parameter_of(what);
  for (std::size_t i = 0; i < std::size(decisive); ++i) {
    if (parameter.starts_with(decisive[i])) return i;
  }
  return std::size(decisive);
}

/// Parameters without events of their own: from the other sites, from a prior, or present in some
/// draws only.
std::string borrowed_text(Fit const& fit) {
  std::vector<std::string> of_others, unseen;
  for (Estimate const& line : fit.estimates) {
    if (line.origin == Origin::borrowed) of_others.push_back(line.name);
  }
  std::vector<calibration::NotIdentified> gaps;
  for (calibration::NotIdentified const& gap : fit.not_identified) {
    std::string const share = share_of_draws(gap.taken_from);
    if (share.empty()) {
      gaps.push_back(gap);
    } else {
      unseen.push_back(fmt::format("{} ({})", gap.what, share));
    }
  }
  std::stable_sort(gaps.begin(), gaps.end(), [](auto const& a, auto const& b) {
    return place_in_decisive(a.what) < place_in_decisive(b.what);
  });
  std::vector<Said> said;
  for (auto const& gap : gaps) {
    std::string const taken = gap.taken_from.substr(0, gap.taken_from.find(';'));
    said.push_back({gap.what, fmt::format("{}. {}", gap.why, taken)});
  }
  std::vector<std::string> const lines = said_once(said);
  std::string text = first_of(lines);
  std::vector<std::string> others;
  for (std::size_t i = most_lines; i < lines.size(); ++i) {
    std::string name = lines[i].substr(0, lines[i].find(": "));
    bool const lists_sites = name.find(',') != std::string::npos;
    if (lists_sites) name.resize(std::min(name.size(), name.find(" at ")));
    if (!is_one_of(name, others)) others.push_back(std::move(name));
  }
  if (!others.empty()) {
    text += fmt::format("  from priors (--out keeps why): {}\n", fmt::join(others, "; "));
  }
  if (!of_others.empty()) {
    text += "  as at the other sites, where none was seen: " + names_with_sites(of_others) + "\n";
  }
  if (!unseen.empty()) {
    text += fmt::format("  never seen, so in some draws only: {}\n", fmt::join(unseen, ", "));
  }
  return text.empty() ? "" : "Not in the record, and the replacement\n" + text;
}

std::string programs_shown(calibration::Programs const& programs) {
  if (!programs.several()) return "";
  std::string text = fmt::format("{} programs, distinguished by the {}\n", programs.programs.size(),
                                 programs.grouped_by);
  std::size_t shown = 0, hidden = 0;
  for (calibration::Program const& program : programs.programs) {
    // The newest counts unless another is named.
    bool const room = shown < most_programs - 1 || program.newest;
    if (!room) {
      ++hidden;
      continue;
    }
    shown += program.newest ? 0 : 1;
    text += fmt::format("  {}: {}, {} finished{}, work {:.3g}{}\n",
                        program.name.empty() ? "(no name)" : program.name,
                        counted(program.jobs, "job"), program.finished,
                        program.finished > 0 ? fmt::format(" in {:.0f} s", program.median_s) : "",
                        program.scale, program.newest ? ", the newest" : "");
  }
  if (hidden > 0) text += fmt::format("  and {} more\n", hidden);
  return text;
}

/// The first few lines, and the number of the others, which are on stderr.
std::string shortened(std::vector<std::string> const& lines) {
  std::string text = first_of(lines);
  if (lines.size() > most_lines) {
    text += fmt::format("  and {} more (on stderr)\n", lines.size() - most_lines);
  }
  return text;
}

/// Parts of the records that their readers, the filter or the fits left out.
std::string left_out_text(CalibratedLogs const& logs) {
  std::vector<std::string> lines = lines_in(logs.read.reading);
  std::string text;
  if (std::size_t const jobs = logs.read.record.left_out; jobs > 0) {
    text += fmt::format("  {} by --where, --since or --until\n", counted(jobs, "job"));
  }
  auto const& strangers = logs.calibrated.programs.strangers;
  auto const others =
      static_cast<std::size_t>(std::count(strangers.begin(), strangers.end(), true));
  if (others > 0) {
    text += fmt::format(
        "  {} of works and speeds: far longer or shorter than their program, so of another\n",
        counted(others, "job"));
  }
  std::erase_if(lines, [&](std::string const& line) { return is_one_of(line, logs.read.counts); });
  text += shortened(lines);
  return text.empty() ? "" : "Left out\n" + text;
}

std::string rejections_text(Fit const& fit) {
  auto const tested = static_cast<std::size_t>(
      std::count_if(fit.estimates.begin(), fit.estimates.end(),
                    [](auto const& line) { return p_value_in(line.fit).has_value(); }) +
      static_cast<std::ptrdiff_t>(fit.tests.size()));
  auto const rejected = lines_in(rejected_text(fit));
  if (tested == 0) return "No fit has enough events for a test.\n";
  if (rejected.empty()) return fmt::format("No test rejects any of {} fits.\n", tested);
  return fmt::format("Fits that a test rejects (p < 0.05), of {} with a test\n", tested) +
         shortened(rejected);
}

}  // namespace

std::string sources_text(ForecastSources const& sources) {
  CalibratedLogs const& logs = sources.learnt;
  std::string text = records_text(sources) + sites_text(logs) +
                     programs_shown(logs.calibrated.programs) + left_out_text(logs) +
                     borrowed_text(logs.document.fit);
  std::vector<std::string> notes;
  for (std::string const& note : lines_in(notes_text(sources.notes))) {
    notes.push_back(note.substr(0, note.find(". --")));  // stderr also names the options
  }
  if (!notes.empty()) {
    text += "Changed or ignored in the new jobs\n" + shortened(notes);
  }
  return report::fitted(text + rejections_text(logs.document.fit), screen());
}

}  // namespace gridcast::cli
