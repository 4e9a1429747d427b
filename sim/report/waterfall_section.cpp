#include "sim/report/waterfall_section.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/ledger/metrics.hpp"
#include "sim/report/page/shown.hpp"
#include "sim/report/text/answer.hpp"

namespace gridcast::report {
namespace {

constexpr std::string_view good_part = "good";
constexpr std::string_view bad_part = "bad";

ReportCell number_or_none(double value) {
  return std::isnan(value) ? ReportCell() : ReportCell(value);
}

std::string_view part_of(ledger::SlotTimeLine const& line) {
  return line.lost ? bad_part : good_part;
}

/// One campaign's, or one study's, time lines.
struct Times {
  std::string label;   // "predicted, published", "observed"
  std::string source;  // observed, predicted
  ResultFigures seconds, low, high;
  std::map<std::string, ResultFigures> sites;  // SITE: {line: seconds}
  TimeScale scale = TimeScale::long_campaign;
};

Times times_of(Result const& result, ResultStrategy const& strategy, std::string const& label) {
  Times times{"predicted, " + label, "predicted", mean_times(strategy), {}, {}, {},
              time_scale(result)};
  for (auto const& line : ledger::slot_time_lines()) {
    auto const figure = summary(strategy.metrics, line.name);
    times.low[std::string(line.name)] = figure.p05;
    times.high[std::string(line.name)] = figure.p95;
  }
  for (auto const& [site, figures] : strategy.sites) {
    for (auto const& [name, one] : figures) times.sites[site][name] = one.mean;
  }
  return times;
}

Times times_of(Result const& result) {
  bool const simulated = !result.strategy.empty();
  return {simulated ? "predicted, one replica" : "observed",
          simulated ? "predicted" : "observed",
          result.ledger->metrics,
          {},
          {},
          result.ledger->sites,
          time_scale(result)};
}

/// The observed side of a prediction that was held against a record.
Times times_of(ResultAgainst const& against, TimeScale scale) {
  Times times{"observed", "observed", {}, {}, {}, against.sites, scale};
  for (auto const& place : against.places) times.seconds[place.name] = place.observed;
  return times;
}

/// What is drawn: each record, each study's baseline, and what a comparison found best.
std::vector<Times> all_times(std::vector<Result> const& results) {
  std::vector<Times> all;
  for (auto const& result : results) {
    std::string const of = results.size() > 1 ? " (" + one_line(result.source) + ")" : "";
    if (result.ledger) {
      all.push_back(times_of(result));
      all.back().label += of;
      continue;
    }
    if (result.against && !result.against->places.empty()) {
      all.push_back(times_of(*result.against, time_scale(result)));
    }
    auto const* base = baseline(result);
    if (base == nullptr || summary(base->metrics, "jobs").n == 0) continue;
    all.push_back(times_of(result, *base, base->name + of));
    auto const* best = best_strategy(result);
    if (best != nullptr && best != base) {
      all.push_back(times_of(result, *best, best->name + of + ", the best"));
    }
  }
  std::stable_partition(all.begin(), all.end(),
                        [](Times const& times) { return times.source == "observed"; });
  std::erase_if(all,
                [](Times const& times) { return !(figure(times.seconds, "wallclock_s") > 0); });
  return all;
}

std::string says(Times const& times) {
  double const wallclock = figure(times.seconds, "wallclock_s");
  double const badput = figure(times.seconds, "badput_s");
  return fmt::format(
      "Of {} of slot time ({}), {:.0f} % went into computing that gave the results and {:.0f} % "
      "was "
      "lost{}.",
      value_text("wallclock_s", wallclock, times.scale), times.label,
      100 * figure(times.seconds, "compute_success_s") / wallclock, 100 * badput / wallclock,
      largest_loss(times.seconds));
}

/// What is drawn in one figure: an observed campaign and the prediction that follows it.
using Together = std::vector<Times>;

/// Line by line, so that a line has its place even if one of them has nothing in it.
void add_lines(Together const& together, ReportRows& data) {
  for (auto const& line : ledger::slot_time_lines()) {
    for (auto const& times : together) {
      double const seconds = figure(times.seconds, line.name);
      if (!(seconds > 0)) continue;
      data.rows.push_back({std::string(words_of(line.name).words), std::string(part_of(line)),
                           seconds, times.source, number_or_none(figure(times.low, line.name)),
                           number_or_none(figure(times.high, line.name))});
    }
  }
}

std::vector<Together> pairs_of(std::vector<Times> const& all) {
  std::vector<Together> pairs;
  for (auto const& times : all) {
    bool const joins = times.source == "predicted" && !pairs.empty() && pairs.back().size() == 1 &&
                       pairs.back().front().source == "observed";
    if (joins) {
      pairs.back().push_back(times);
    } else {
      pairs.push_back({times});
    }
  }
  return pairs;
}

ReportFigure by_line(Together const& together, std::size_t number) {
  ReportFigure result;
  result.id = fmt::format("waterfall-{}", number);
  result.title = "Slot time by line of the ledger";
  result.spec = "waterfall";
  result.data.columns = {{"line", "spent on", "", "text"},   {"part", "part", "", "text"},
                         {"seconds", "slot time", "s"},      {"source", "source", "", "text"},
                         {"lo", "5 % of the replicas", "s"}, {"hi", "95 % of the replicas", "s"}};
  for (auto const& times : together) {
    result.title += (&times == together.data() ? ": " : " and ") + times.label;
    result.says += (result.says.empty() ? "" : " ") + says(times);
  }
  add_lines(together, result.data);
  return result;
}

constexpr std::string_view site_lines[] = {"compute_success_s", "transfer_success_s", "badput_s"};

std::string by_site_says(Times const& times) {
  std::string worst;
  double most = 0;
  for (auto const& [site, figures] : times.sites) {
    double const lost = figure(figures, "badput_s");
    if (!(lost > most)) continue;
    most = lost;
    worst = site;
  }
  double const lost = figure(times.seconds, "badput_s");
  constexpr double worth_a_word = 0.005;
  if (worst.empty() || lost < worth_a_word * figure(times.seconds, "wallclock_s")) {
    return fmt::format("Next to no slot time was lost ({}).", times.label);
  }
  return fmt::format("{} lost the most: {} of the {} lost ({}).", worst,
                     value_text("badput_s", most, times.scale),
                     value_text("badput_s", lost, times.scale), times.label);
}

ReportFigure by_site(Together const& together, std::size_t number) {
  ReportFigure result;
  result.id = fmt::format("time-by-site-{}", number);
  result.title = "Slot time by site";
  result.spec = "by_site_bars";
  result.data.columns = {{"site", "site", "", "text"},
                         {"line", "spent on", "", "text"},
                         {"seconds", "slot time", "s"},
                         {"source", "source", "", "text"},
                         {"part", "part", "", "text"}};
  for (auto const& times : together) {
    if (times.sites.empty()) continue;
    result.title += (result.says.empty() ? ": " : " and ") + times.label;
    result.says += (result.says.empty() ? "" : " ") + by_site_says(times);
    for (auto const line : site_lines) {
      for (auto const& [site, figures] : times.sites) {
        double const seconds = figure(figures, line);
        if (!(seconds > 0)) continue;
        result.data.rows.push_back({site.empty() ? "(no site)" : site,
                                    std::string(words_of(line).words), seconds, times.source,
                                    std::string(line == "badput_s" ? bad_part : good_part)});
      }
    }
  }
  return result;
}

ReportTable as_table(std::vector<Times> const& all) {
  ReportTable table;
  table.id = "time-lines";
  table.title = "Every line";
  table.says = "All lines add up to the slot time.";
  table.data.columns = {{"source", "source", "", "text"},
                        {"line", "spent on", "", "text"},
                        {"part", "part", "", "text"},
                        {"seconds", "slot time", "s"},
                        {"share", "share", "%"}};
  for (auto const& times : all) {
    double const wallclock = figure(times.seconds, "wallclock_s");
    for (auto const& line : ledger::slot_time_lines()) {
      double const seconds = figure(times.seconds, line.name);
      if (std::isnan(seconds)) continue;
      table.data.rows.push_back({times.label, std::string(words_of(line.name).words),
                                 std::string(part_of(line)), seconds, 100 * seconds / wallclock});
    }
  }
  return table;
}

}  // namespace

ReportPart waterfall_section(std::vector<Result> const& results) {
  auto const all = all_times(results);
  if (all.empty()) return {std::nullopt, "Where the time went: no slot time was spent."};
  ReportSection section{"where-the-time-went", "Where the time went", {}, {}, {}, {}, {}};
  section.text = {
      "Good is computing that gave a result, and the input transfers behind results; all else is "
      "lost (badput)."};
  auto const pairs = pairs_of(all);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    section.figures.push_back(by_line(pairs[i], i + 1));
    auto sites = by_site(pairs[i], i + 1);
    if (!sites.data.rows.empty()) section.figures.push_back(std::move(sites));
  }
  section.table = as_table(all);
  return {std::move(section), ""};
}

}  // namespace gridcast::report
