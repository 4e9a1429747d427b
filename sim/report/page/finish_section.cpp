#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/report/data/result.hpp"
#include "sim/report/page/report_page.hpp"
#include "sim/report/view/comparison.hpp"

namespace gridcast::report {
namespace {

struct Curve {
  std::string label;
  study::FinishBand const* finish = nullptr;
  bool single = false;  // one campaign: no band
};

std::vector<Curve> curves_of(std::vector<Result> const& results) {
  std::vector<Curve> curves;
  for (auto const& result : results) {
    if (!result.ledger || !result.ledger->finish) continue;
    std::string const of = result.strategy.empty() ? "observed" : result.strategy + ", one replica";
    curves.push_back({of + source_text(results, result), &*result.ledger->finish, true});
  }
  for (auto const& each : drawn_strategies(results)) {
    if (each.strategy->finish) curves.push_back({each.label, &*each.strategy->finish, false});
  }
  return curves;
}

std::string says(Curve const& curve, std::size_t jobs) {
  auto const& finish = *curve.finish;
  double const end = finish.p50.empty() ? 0 : finish.p50.back();
  auto const half = std::find_if(finish.p50.begin(), finish.p50.end(),
                                 [&](double done) { return 2 * done >= end && done > 0; });
  if (end <= 0 || half == finish.p50.end()) {
    return fmt::format("{}: no job succeeded.", curve.label);
  }
  auto const time_of = [&](auto where) {
    return to_text(finish.at[static_cast<std::size_t>(where - finish.p50.begin())]);
  };
  auto const all = std::find(half, finish.p50.end(), end);
  std::string const of = jobs > 0 ? fmt::format(" of {}", jobs) : "";
  if (jobs == 1) return fmt::format("{}: the job has succeeded by {}.", curve.label, time_of(all));
  return fmt::format("{}: {:.0f}{} jobs succeed by {}, half of them by {}{}.", curve.label, end, of,
                     time_of(all), time_of(half), curve.single ? "" : " (medians)");
}

ReportFigure curve_figure(std::vector<Curve> const& curves, std::size_t jobs,
                          std::optional<Seconds> deadline) {
  bool const single = std::all_of(curves.begin(), curves.end(), [](auto& c) { return c.single; });
  ReportFigure figure{"finish-curve",
                      "Jobs that had succeeded",
                      single ? "finish_lines" : "finish_curve",
                      {figure_columns(fmt::format(
                          "strategy|>t_s=time since the first submission [s]|>done_p50={} [jobs]|"
                          ">lo=5 % of the replicas [jobs]|>hi=95 % of the replicas [jobs]",
                          single ? "jobs" : "jobs, median"))},
                      says(curves.front(), jobs)};
  if (deadline) figure.params.emplace_back("deadline_s", deadline->value());
  for (auto const& curve : curves) {
    for (std::size_t i = 0; i < curve.finish->at.size(); ++i) {
      figure.data.rows.push_back({curve.label, curve.finish->at[i].value(), curve.finish->p50[i],
                                  curve.finish->p05[i], curve.finish->p95[i]});
    }
  }
  return figure;
}

/// Share of the replicas by length of the campaign: between neighbouring quantiles lies a
/// hundredth.
ReportFigure density_figure(std::vector<Curve> const& curves, std::optional<Seconds> deadline) {
  ReportFigure figure{
      "makespan-density",
      "How long the campaign takes",
      "makespan_density",
      {figure_columns("strategy|>value=makespan [s]|>density=share of the replicas [%]")}};
  if (deadline) figure.params.emplace_back("deadline_s", deadline->value());
  constexpr std::size_t bins = 24;
  double end = 0;
  for (auto const& curve : curves) {
    auto const& q = curve.finish->makespans;
    if (q.size() > 20) end = std::max(end, q[q.size() - 1 - q.size() / 20].value());
  }
  for (auto const& curve : curves) {
    if (curve.finish->makespans.empty() || !(end > 0)) continue;
    double before = 0;
    for (std::size_t i = 1; i <= bins; ++i) {
      double const to = end * static_cast<double>(i) / bins;
      double const share = share_by(curve.finish->makespans, Seconds(to));
      figure.data.rows.push_back({curve.label, to - end / bins / 2, 100 * (share - before)});
      before = share;
    }
  }
  return figure;
}

/// "published: 0.9 to 6.3 d ..."
std::string length_says(std::vector<Result> const& results) {
  auto const first = shown_strategies(results).front();
  return fmt::format("{}: ends after {}.", first.label,
                     range_text("makespan_s", summary(first.strategy->metrics, "makespan_s"),
                                time_scale(*first.result)));
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
  section.figures.push_back(curve_figure(curves, jobs(results.front()), deadline));
  bool const study = std::any_of(curves.begin(), curves.end(), [](auto& c) { return !c.single; });
  if (!study) return {std::move(section), ""};
  auto density = density_figure(curves, deadline);
  density.says = length_says(results);
  if (!density.data.rows.empty()) section.figures.push_back(std::move(density));
  for (auto result : results) {
    if (deadline) result.deadline = deadline;
    add_statements(section, report::deadline(result));
  }
  return {std::move(section), ""};
}

std::vector<ReportSection> critical_path_sections(std::vector<Result> const& results) {
  std::vector<ReportSection> sections;
  for (auto const& result : results) {
    if (result.critical_path.empty()) continue;
    bool const is_run = result.kind == ResultKind::ledger;
    auto section =
        critical_path(result.critical_path, is_run ? "of this run" : "of the typical replica");
    if (!sections.empty()) section.id += fmt::format("-{}", sections.size());
    section.title += source_text(results, result);
    sections.push_back(page_section(section));
  }
  return sections;
}

}  // namespace gridcast::report
