#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sim/ledger/metrics.hpp"
#include "sim/report/page/report_page.hpp"
#include "sim/report/text/answer.hpp"

namespace gridcast::report {
namespace {

std::string part_of(bool lost) { return lost ? "bad" : "good"; }

/// One campaign's, or one study's, time lines.
struct Times {
  std::string label;     // "predicted, published", "observed"
  std::string strategy;  // as it can be picked; empty: any pick
  std::string source;    // observed, predicted
  ResultFigures seconds, low, high;
  TimeScale scale = TimeScale::long_campaign;
};

Times times_of(Result const& result, ResultStrategy const& strategy, std::string const& label) {
  Times times{"predicted, " + label, label, "predicted", mean_times(strategy), {}, {},
              time_scale(result)};
  for (auto const& line : ledger::slot_time_lines()) {
    auto const figure = summary(strategy.metrics, line.name);
    times.low[std::string(line.name)] = figure.p05;
    times.high[std::string(line.name)] = figure.p95;
  }
  return times;
}

Times times_of(Result const& result) {
  Times times{"observed", "", "observed", result.ledger->metrics, {}, {}, time_scale(result)};
  if (result.strategy.empty()) return times;
  times.label = "predicted, one campaign";
  times.source = "predicted";
  return times;
}

/// The observed side of a prediction that was held against a record.
Times times_of(study::RecordComparison const& against, TimeScale scale) {
  Times times{"observed", "", "observed", {}, {}, {}, scale};
  for (auto const& place : against.figures) times.seconds[place.name] = place.observed;
  return times;
}

/// The drawn items: each record, and the strategies of each study, its baseline first.
std::vector<Times> all_times(std::vector<Result> const& results) {
  std::vector<Times> all;
  for (auto const& result : results) {
    std::string const of = source_text(results, result);
    if (result.ledger) {
      all.push_back(times_of(result));
      all.back().label += of;
      continue;
    }
    if (result.against && !result.against->figures.empty()) {
      all.push_back(times_of(*result.against, time_scale(result)));
    }
    for (auto const& each : drawn_strategies(results)) {
      if (each.result != &result || summary(each.strategy->metrics, "jobs").n == 0) continue;
      all.push_back(times_of(result, *each.strategy, each.label));
    }
  }
  std::stable_partition(all.begin(), all.end(),
                        [](Times const& times) { return times.source == "observed"; });
  std::erase_if(all,
                [](Times const& times) { return !(figure(times.seconds, "wallclock_s") > 0); });
  return all;
}

std::string slot_time_words(Times const& times) {
  double const wallclock = figure(times.seconds, "wallclock_s");
  double const badput = figure(times.seconds, "badput_s");
  return fmt::format(
      "{2:.0f} % of {0} of slot time ({1}) went into computing that gave the results and {3:.0f} % "
      "was lost{4}.",
      value_text("wallclock_s", wallclock, times.scale), times.label,
      100 * figure(times.seconds, "compute_success_s") / wallclock, 100 * badput / wallclock,
      largest_loss(times.seconds));
}

/// The contents of one figure: an observed campaign and the predictions that follow it; one of
/// these is shown at a time.
using Together = std::vector<Times>;

std::vector<Together> pairs_of(std::vector<Times> const& all) {
  std::vector<Together> pairs;
  for (auto const& times : all) {
    bool const joins = times.source == "predicted" && !pairs.empty() &&
                       (!pairs.back().back().strategy.empty() || pairs.back().size() == 1) &&
                       (!times.strategy.empty() || pairs.back().front().source == "observed");
    if (!joins) pairs.emplace_back();
    pairs.back().push_back(times);
  }
  return pairs;
}

/// The strategies among them that can be picked.
std::vector<std::string> picks(Together const& together) {
  std::vector<std::string> strategies;
  for (auto const& times : together) {
    if (!times.strategy.empty()) strategies.push_back(times.strategy);
  }
  return strategies;
}

/// The contents of the sentence and the title: the record, and the strategy that is picked.
Together shown_together(Together const& together, std::string const& picked) {
  Together kept = together;
  std::erase_if(kept, [&](Times const& times) {
    return !times.strategy.empty() && times.strategy != picked;
  });
  return kept;
}

/// The sentences, one by one for each strategy that can be picked, and the title.
template <class Says>
void set_words(ReportFigure& figure, Together const& together, Says const& says) {
  auto const strategies = picks(together);
  auto const words = [&](std::string const& picked) {
    std::string text;
    for (auto const& times : shown_together(together, picked)) {
      std::string const sentence = says(times);
      if (!sentence.empty()) text += (text.empty() ? "" : " ") + sentence;
    }
    return text;
  };
  figure.says = words(strategies.empty() ? "" : strategies.front());
  if (strategies.size() > 1) {
    for (auto const& picked : strategies) figure.says_by.emplace_back(picked, words(picked));
  }
  std::string of;
  for (auto const& times : shown_together(together, strategies.empty() ? "" : strategies.front())) {
    bool const one_of_many = !times.strategy.empty() && strategies.size() > 1;
    of += (of.empty() ? ": " : " and ") + (one_of_many ? "predicted" : times.label);
  }
  figure.title += of;
}

ReportFigure by_line(Together const& together, std::size_t number) {
  ReportFigure result{
      fmt::format("waterfall-{}", number),
      "Slot time by line of the ledger",
      "waterfall",
      {columns(text_column("line", "spent on"), text_column("part"),
               number_column("seconds", "slot time", "s"), text_column("source"),
               number_column("lo", "5 % of the campaigns", "s"),
               number_column("hi", "95 % of the campaigns", "s"), text_column("strategy"))}};
  set_words(result, together, slot_time_words);
  // Line by line: a line has its place even if one of them is empty.
  for (auto const& line : ledger::slot_time_lines()) {
    for (auto const& times : together) {
      double const seconds = figure(times.seconds, line.name);
      if (!(seconds > 0)) continue;
      result.data.rows.push_back(
          {std::string(words_of(line.name).words), part_of(line.lost), seconds, times.source,
           figure(times.low, line.name), figure(times.high, line.name),
           times.strategy.empty() ? ReportCell() : ReportCell(times.strategy)});
    }
  }
  return result;
}

/// If they differ from the hours of slots.
void add_gpu_hours(ReportSection& section, std::vector<Result> const& results) {
  for (auto const& result : results) {
    if (!result.ledger || !(result.ledger->gpu_hours > 0)) continue;
    double const gpus = result.ledger->gpu_hours;
    double const slots = figure(result.ledger->metrics, "wallclock_s") / 3600;
    if (std::abs(gpus - slots) < 1e-5 * slots) continue;
    section.text.push_back(
        fmt::format("GPU hours{}: {:.1f}, the hours of slots ({:.1f}) times their GPUs.",
                    source_text(results, result), gpus, slots));
  }
}

}  // namespace

ReportPart waterfall_section(std::vector<Result> const& results) {
  auto const all = all_times(results);
  if (all.empty()) return {std::nullopt, "Use of the time: no slot time was spent."};
  ReportSection section{"where-the-time-went",
                        "Use of the time",
                        {"Good is computing that gave a result, and the input transfers behind "
                         "results; all else is lost (badput)."}};
  auto const pairs = pairs_of(all);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    section.figures.push_back(by_line(pairs[i], i + 1));
  }
  add_gpu_hours(section, results);
  return {std::move(section), ""};
}

}  // namespace gridcast::report
