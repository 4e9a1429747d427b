#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sim/report/data/result.hpp"
#include "sim/report/page/report_page.hpp"
#include "sim/report/text/choice_text.hpp"

namespace gridcast::report {
namespace {

struct Curve {
  std::string label;
  study::FinishBand const* finish = nullptr;
  bool single = false;  // one campaign: no band
  std::string says = {};
  Seconds cut() const;
};

/// The end of a time axis: the 95 % quantile of the campaigns' ends, or the end of one campaign.
Seconds Curve::cut() const {
  auto const& ends = finish->makespans;
  constexpr std::size_t hundred = 101;
  bool const quantiles = !single && ends.size() == hundred;
  return quantiles ? ends[95] : finish->at.empty() ? Seconds() : finish->at.back();
}

/// Successes of one campaign, and when half of them and all were there.
std::string says_of_one(std::string const& label, study::FinishBand const& finish,
                        std::size_t jobs) {
  double const end = finish.p50.empty() ? 0 : finish.p50.back();
  auto const half = std::find_if(finish.p50.begin(), finish.p50.end(),
                                 [&](double done) { return 2 * done >= end && done > 0; });
  if (end <= 0 || half == finish.p50.end()) return fmt::format("{}: no job succeeded.", label);
  auto const time_of = [&](auto where) {
    return to_text(finish.at[static_cast<std::size_t>(where - finish.p50.begin())]);
  };
  auto const all = std::find(half, finish.p50.end(), end);
  std::string const of = jobs > 0 ? fmt::format(" of {}", jobs) : "";
  if (jobs == 1) return fmt::format("{}: the job has succeeded by {}.", label, time_of(all));
  return fmt::format("{}: {:.0f}{} jobs succeed by {}, half of them by {}.", label, end, of,
                     time_of(all), time_of(half));
}

std::vector<Curve> curves_of(std::vector<Result> const& results) {
  std::vector<Curve> curves;
  for (auto const& result : results) {
    if (!result.ledger || !result.ledger->finish) continue;
    std::string const of =
        result.strategy.empty() ? "observed" : result.strategy + ", one campaign";
    auto const label = of + source_text(results, result);
    auto const& finish = *result.ledger->finish;
    curves.push_back({label, &finish, true, says_of_one(label, finish, jobs(result))});
  }
  for (auto const& each : drawn_strategies(results)) {
    if (!each.strategy->finish) continue;
    auto const outcome = outcome_of(*each.result, *each.strategy);
    curves.push_back(
        {each.label, &*each.strategy->finish, false,
         fmt::format("{}: {} (medians).", each.label, median_text(outcome, time_words(outcome)))});
  }
  return curves;
}

ReportFigure curve_figure(std::vector<Curve> const& curves, std::optional<Seconds> deadline) {
  bool const single = std::all_of(curves.begin(), curves.end(), [](auto& c) { return c.single; });
  ReportFigure figure{"finish-curve",
                      "Jobs that had succeeded",
                      single ? "finish_lines" : "finish_curve",
                      {columns(text_column("strategy"),
                               number_column("t_s", "time since the first submission", "s"),
                               number_column("done_p50", single ? "jobs" : "jobs, median", "jobs"),
                               number_column("lo", "5 % of the campaigns", "jobs"),
                               number_column("hi", "95 % of the campaigns", "jobs"),
                               number_column("cut_s", "end of the axis", "s"))},
                      curves.front().says};
  if (deadline) figure.params.emplace_back("deadline_s", deadline->value());
  for (auto const& curve : curves) {
    for (std::size_t i = 0; i < curve.finish->at.size(); ++i) {
      figure.data.rows.push_back({curve.label, curve.finish->at[i].value(), curve.finish->p50[i],
                                  curve.finish->p05[i], curve.finish->p95[i], curve.cut().value()});
    }
  }
  return figure;
}

std::vector<Seconds> deadlines_of(std::vector<Curve> const& curves,
                                  std::optional<Seconds> deadline) {
  if (deadline) return {*deadline};
  Seconds end;
  for (auto const& curve : curves) {
    auto const& q = curve.finish->makespans;
    if (!q.empty()) end = std::max(end, q[q.size() / 2]);
  }
  constexpr double steps[] = {600, 3600, 6 * 3600, 86400, 7 * 86400.0, 30 * 86400.0};
  Seconds unit(60);
  for (double const step : steps) {
    if (end >= Seconds(2 * step)) unit = Seconds(step);
  }
  double const middle = std::max(1.0, std::ceil(end / unit));
  return {unit * std::ceil(middle / 2), unit * middle, unit * (2 * middle)};
}

ReportTable deadline_table(std::vector<Result> const& results, std::vector<Seconds> const& times) {
  auto const shown = shown_strategies(results);
  auto const& first = shown.front();
  std::size_t const wanted = first.strategy->finish ? first.strategy->finish->wanted : 0;
  ReportTable table{
      "deadlines",
      fmt::format("Time until {0} jobs have succeeded, and the probability that {0} have by a "
                  "deadline",
                  wanted),
      {columns(text_column("strategy"))}};
  add_range(table.data, time_column("wanted_s", fmt::format("time until {} jobs", wanted)));
  for (Seconds const time : times) {
    auto const name = fmt::format("by_{:.0f}", time.value());
    table.data.columns.push_back({name, "succeeded by " + to_text(time), "%"});
    table.data.columns.push_back({name + "_lo", "95 % interval, low", "%"});
    table.data.columns.push_back({name + "_hi", "95 % interval, high", "%"});
  }
  for (auto const& each : shown) {
    std::vector<ReportCell> row = {each.label};
    add_range(row, outcome_of(*each.result, *each.strategy).makespan);
    for (Seconds const by : times) {
      auto const met = met_by(*each.result, *each.strategy, by);
      if (met.n == 0) {
        row.resize(row.size() + 3);
        continue;
      }
      row.insert(row.end(), {100 * met.share, 100 * met.ci95.low, 100 * met.ci95.high});
    }
    table.data.rows.push_back(std::move(row));
  }
  if (auto const met = met_by(*first.result, *first.strategy, times.front()); met.n > 0) {
    table.says = fmt::format(
        "{}: {} jobs, the wanted share of the campaign, have succeeded by {} with probability "
        "{:.0f} % ({:.0f} to {:.0f}).",
        first.label, wanted, to_text(times.front()), 100 * met.share, 100 * met.ci95.low,
        100 * met.ci95.high);
  }
  return table;
}

}  // namespace

ReportPart finish_section(std::vector<Result> const& results, std::optional<Seconds> deadline) {
  auto const curves = curves_of(results);
  if (curves.empty()) {
    return {std::nullopt,
            "Finish curve: the results have no dates (or are of an earlier gridcast), so when jobs "
            "were done is not known."};
  }
  ReportSection section{"finish", "When jobs are done"};
  auto const words = left_out_words(results);
  if (!words.empty()) section.text.push_back(words);
  section.figures.push_back(curve_figure(curves, deadline));
  bool const study = std::any_of(curves.begin(), curves.end(), [](auto& c) { return !c.single; });
  if (!study) return {std::move(section), ""};
  section.table = deadline_table(results, deadlines_of(curves, deadline));
  return {std::move(section), ""};
}

std::vector<ReportSection> critical_path_sections(std::vector<Result> const& results) {
  std::vector<ReportSection> sections;
  for (auto const& result : results) {
    if (result.critical_path.empty()) continue;
    std::string const number = sections.empty() ? "" : "-" + std::to_string(sections.size());
    ReportSection section{"critical-path" + number,
                          "The critical path" + source_text(results, result)};
    section.text.push_back(fmt::format(
        "{} submissions one after the other, each of which waited for the one before, {}. Others "
        "could take longer without making the campaign longer.",
        result.critical_path.size(),
        result.kind == ResultKind::ledger ? "in this run" : "in the typical campaign"));
    ReportTable table{
        "critical-path-steps" + number,
        "Its submissions in the order of time",
        {columns(text_column("submission"), number_column("submitted", "from", "s"),
                 number_column("ended", "to", "s"), number_column("computing", "computing", "s"),
                 number_column("waiting", "waiting in the queue", "s"),
                 number_column("lost", "in attempts that failed", "s"),
                 number_column("other", "transfers and set-up", "s"),
                 number_column("attempts", "attempts"))},
        "Seconds since the first submission, and of the job that ended last."};
    for (study::CriticalStep const& step : result.critical_path) {
      table.data.rows.push_back({step.name, step.submitted.value(), step.ended.value(),
                                 step.computing.value(), step.waiting.value(), step.lost.value(),
                                 step.other.value(), static_cast<double>(step.attempts)});
    }
    section.table = std::move(table);
    sections.push_back(std::move(section));
  }
  return sections;
}

}  // namespace gridcast::report
