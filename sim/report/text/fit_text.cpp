#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/base/json_fields.hpp"
#include "sim/base/statistics.hpp"
#include "sim/base/text.hpp"
#include "sim/report/text/brief.hpp"
#include "sim/report/text/layout.hpp"
#include "sim/report/text/train_text.hpp"

namespace gridcast::report {
namespace {

// Measured rows that a fit has not seen, beside their forecasts.
class Judged {
 public:
  /// How a forecast is off: as a share of the measured value, or by points of a share.
  enum class Off { share, points };
  explicit Judged(Off off) : of_(off) {}

  void add(double measured, double median, Interval const& interval) {
    double const off = of_ == Off::points ? median - measured : median / measured - 1;
    off_ += std::abs(off);
    worst_ = std::max(worst_, std::abs(off));
    in_interval_ += interval.contains(measured) ? 1 : 0;
    ++rows_;
  }
  int rows() const { return rows_; }
  int in_interval() const { return in_interval_; }
  double mean_error() const { return rows_ > 0 ? off_ / rows_ : 0; }
  double worst_error() const { return worst_; }

  /// Empty without rows.
  std::string text() const {
    if (rows_ == 0) return "";
    return fmt::format(
        "Not fitted: {}, {:.1f} {} off on average, {:.1f} at worst; {} in their 90 % intervals.\n",
        counted(static_cast<std::size_t>(rows_), "row"), 100 * mean_error(),
        of_ == Off::points ? "points" : "%", 100 * worst_, in_interval_);
  }

 private:
  Off of_;
  double off_ = 0, worst_ = 0;
  int rows_ = 0, in_interval_ = 0;
};

// The twelve lines of gridcast profile --fit.

constexpr std::array<double, 3> shown_levels = {0.05, 0.5, 0.95};
constexpr std::size_t shown_families = 3;  // of a table
constexpr double odd_weight = 0.5;         // a row that counts less is named

/// The families with the most rows, in the order of the table.
template <class Family>
std::vector<Family const*> with_most_rows(std::vector<Family> const& families) {
  std::vector<Family const*> all = each_of(families, [](Family const& family) { return &family; });
  std::ranges::stable_sort(all, std::greater<>(), [](auto* each) { return each->rows.size(); });
  if (all.size() > shown_families) all.resize(shown_families);
  return all;
}

template <class Family>
std::size_t row_count(std::vector<Family> const& families) {
  return sum_of<std::size_t>(families, [](Family const& family) { return family.rows.size(); });
}

/// Median and 90 % of a parameter over the draws.
template <class Draw, class Value>
std::string parameter_range(std::vector<Draw> const& draws, Value const& value) {
  auto const q = quantiles(each_of(draws, value), shown_levels);
  return fmt::format("{:.3g} ({:.2g} to {:.2g})", q[1], q[0], q[2]);
}

TextTable scaling_table(training::TrainingFit const& fit) {
  TextTable table("most rows|>rows|>step, ms|>% a doubling|>% on nodes");
  for (training::FamilyFit const* const family : with_most_rows(fit.families)) {
    auto const& draws = family->draws;
    std::vector<double> steps;
    for (auto const& draw : draws) steps.push_back(draw.step_time.value() * 1e3);
    constexpr std::size_t widest = 24;
    table.add_row(
        {family->family.substr(0, widest), fmt::format("{}", family->rows.size()),
         fmt::format("{:.3g}", median(steps)),
         parameter_range(draws, [](auto const& draw) { return 100 * draw.slow_per_doubling; }),
         parameter_range(draws, [](auto const& draw) { return 100 * draw.slow_across_nodes; })});
  }
  return table;
}

/// The row that counts least, if it counts little.
std::string odd_row_text(training::TrainingFit const& fit) {
  training::RunRow const* odd = nullptr;
  double least = odd_weight;
  std::size_t others = 0;
  for (auto const& family : fit.families) {
    for (std::size_t i = 0; i < family.rows.size(); ++i) {
      if (family.weights[i] >= odd_weight) continue;
      ++others;
      if (family.weights[i] >= least) continue;
      least = family.weights[i];
      odd = &family.rows[i];
    }
  }
  if (odd == nullptr) return "";
  return fmt::format("Odd: line {} ({}) counts {:.0f} % of a usual row{}.", odd->line,
                     training::to_text(*odd), 100 * least,
                     others > 1 ? fmt::format("; so do {} more, or nearly", others - 1) : "");
}

/// `about`: further sentences with their weights.
std::string brief_of(std::string const& fitted, Judged const& judged, TextTable const& table,
                     std::vector<std::pair<std::string, int>> const& about,
                     std::vector<std::string> const& notes, Screen const& screen) {
  Brief brief(screen);
  brief.say(fitted, Brief::needed, 2);
  brief.say(std::string(trim(judged.text())), 8, 2);
  brief.add(table.str(brief.screen()), 6);
  for (auto const& [sentence, weight] : about) brief.say(sentence, weight, 2);
  if (!notes.empty()) {
    std::string const more =
        notes.size() > 1 ? fmt::format(" ({} more with --details)", notes.size() - 1) : "";
    brief.say("Note: " + notes.front() + more, 4, 3);
  }
  brief.add(next_command(screen), 7);
  return brief.text();
}

/// Summary of a parameter over the draws that have it; `share` of them.
struct Summary {
  double median = 0;
  Interval interval;  // 90 %
  double share = 0;
};

template <class Draw>
Summary summary_of(std::vector<Draw> const& draws, double (*value)(Draw const&)) {
  // The runs show no bandwidth of a link that never binds.
  constexpr double no_limit = 1e5;  // GB/s
  std::vector<double> values;
  for (Draw const& draw : draws) {
    double const x = value(draw);
    if (x != 0 && x < no_limit) values.push_back(x);
  }
  if (values.empty()) return {};
  double const share = static_cast<double>(values.size()) / static_cast<double>(draws.size());
  auto const q = quantiles(std::move(values), shown_levels);
  return {q[1], {q[0], q[2]}, share};
}

template <class Parameters, class Draw>
Json parameters_json(Parameters const& parameters, std::vector<Draw> const& draws) {
  Json list = Json::array();
  for (auto const& parameter : parameters) {
    Summary const s = summary_of(draws, parameter.value);
    if (s.share <= 0) continue;
    list.push_back({{"name", parameter.name},
                    {"unit", parameter.unit},
                    {"median", json_number(s.median)},
                    {"interval90", {json_number(s.interval.low), json_number(s.interval.high)}},
                    {"share_of_draws", json_number(s.share)}});
  }
  return list;
}

Json judged_json(Judged const& judged) {
  return {{"rows", judged.rows()},
          {"mean_error", json_number(judged.mean_error())},
          {"worst_error", json_number(judged.worst_error())},
          {"in_interval", judged.in_interval()}};
}

template <class Row, class Use>
void each_of_family(std::string const& family, std::vector<Row> const& rows, Use const& use) {
  for (Row const& row : rows) {
    if (row.family == family) use(row);
  }
}

}  // namespace

std::string brief_fit(training::TrainingFit const& fit, std::vector<training::RunRow> const& held,
                      std::vector<std::string> const& notes, Screen const& screen) {
  Judged judged(Judged::Off::share);
  for (auto const& family : fit.families) {
    each_of_family(family.family, held, [&](auto const& row) {
      auto const f = training::forecast(family, fit.base, row);
      judged.add(row.epoch.value(), f.median.value(), f.interval);
    });
  }
  std::string const fitted =
      fmt::format("Fitted to {} of {}.", counted(row_count(fit.families), "row"),
                  fit.families.size() == 1 ? "one family (machine and software)"
                                           : fmt::format("{} families", fit.families.size()));
  return brief_of(
      fitted, judged, scaling_table(fit),
      {{odd_row_text(fit), 7},
       {"Evidence: these rows; what they do not show is as in other published systems.", 5}},
      notes, screen);
}

std::string brief_fit(std::vector<training::StorageFit> const& fits,
                      std::vector<training::StorageRow> const& held,
                      std::vector<std::string> const& notes, Screen const& screen) {
  Judged judged(Judged::Off::points);
  TextTable rows("most rows|>rows|>accelerators a host|>AU|>forecast");
  for (auto const& fit : fits) {
    each_of_family(fit.family, held, [&](auto const& row) {
      auto const f = training::forecast(fit, row);
      judged.add(row.au, f.median, f.interval);
    });
  }
  for (training::StorageFit const* const fit : with_most_rows(fits)) {
    auto const most = std::ranges::max_element(fit->rows, {}, &training::StorageRow::on_host);
    constexpr std::size_t widest = 36;
    rows.add_row({fit->family.substr(0, widest), fmt::format("{}", fit->rows.size()),
                  fmt::format("{:.0f}", most->on_host()), fmt::format("{:.1f} %", 100 * most->au),
                  fmt::format("{:.1f} %", 100 * training::forecast(*fit, *most).median)});
  }
  std::string const fitted = fmt::format(
      "Fitted to {} of {} (a store and a workload each).", counted(row_count(fits), "row"),
      fits.size() == 1 ? "one family" : fmt::format("{} families", fits.size()));
  return brief_of(fitted, judged, rows, {}, notes, screen);
}

Json fit_json(training::TrainingFit const& fit, std::vector<training::RunRow> const& held,
              std::vector<std::string> const& notes) {
  Json families = Json::array();
  Judged judged(Judged::Off::share);
  for (auto const& family : fit.families) {
    Json rows = Json::array();
    auto const add = [&](training::RunRow const& row, std::optional<double> weight) {
      auto const f = training::forecast(family, fit.base, row);
      if (!weight) judged.add(row.epoch.value(), f.median.value(), f.interval);
      rows.push_back(
          {{"line", row.line},
           {"gpus", row.gpus},
           {"nodes", row.nodes},
           {"batch", row.batch},
           {"fitted", weight.has_value()},
           {"weight", weight ? Json(json_number(*weight)) : Json(nullptr)},
           {"epoch_s", json_number(row.epoch.value())},
           {"forecast_s", json_number(f.median.value())},
           {"interval90_s", {json_number(f.interval.low), json_number(f.interval.high)}}});
    };
    for (std::size_t i = 0; i < family.rows.size(); ++i) add(family.rows[i], family.weights[i]);
    each_of_family(family.family, held, [&](auto const& row) { add(row, {}); });
    families.push_back(
        {{"family", family.family},
         {"gpu", family.gpu},
         {"batch", family.batch},
         {"parameters", parameters_json(training::fitted_parameters(), family.draws)},
         {"rows", std::move(rows)}});
  }
  return {{"schema", "gridcast.training-fit/1"},
          {"families", std::move(families)},
          {"predicted", judged_json(judged)},
          {"notes", notes}};
}

Json fit_json(std::vector<training::StorageFit> const& fits,
              std::vector<training::StorageRow> const& held,
              std::vector<std::string> const& notes) {
  Json families = Json::array();
  Judged judged(Judged::Off::points);
  for (auto const& fit : fits) {
    Json rows = Json::array();
    auto const add = [&](training::StorageRow const& row, bool fitted) {
      auto const f = training::forecast(fit, row);
      if (!fitted) judged.add(row.au, f.median, f.interval);
      rows.push_back({{"line", row.line},
                      {"accelerators", row.accelerators},
                      {"hosts", row.hosts},
                      {"fitted", fitted},
                      {"au", json_number(row.au)},
                      {"forecast", json_number(f.median)},
                      {"interval90", {json_number(f.interval.low), json_number(f.interval.high)}}});
    };
    for (auto const& row : fit.rows) add(row, true);
    each_of_family(fit.family, held, [&](auto const& row) { add(row, false); });
    families.push_back({{"family", fit.family},
                        {"system", fit.system},
                        {"parameters", parameters_json(training::storage_parameters(), fit.draws)},
                        {"rows", std::move(rows)}});
  }
  return {{"schema", "gridcast.storage-fit/1"},
          {"families", std::move(families)},
          {"predicted", judged_json(judged)},
          {"notes", notes}};
}

}  // namespace gridcast::report
