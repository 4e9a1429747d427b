#include <array>
#include <optional>

#include <fmt/format.h>

#include "sim/base/text.hpp"
#include "sim/report/data/json.hpp"
#include "sim/report/text/judged.hpp"
#include "sim/report/text/layout.hpp"
#include "sim/report/text/train_text.hpp"
#include "sim/training/step_time.hpp"

namespace gridcast::report {
namespace {

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
  constexpr std::array<double, 3> levels = {0.05, 0.5, 0.95};
  auto const q = quantiles(std::move(values), levels);
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
void each_of(std::string const& family, std::vector<Row> const& rows, Use const& use) {
  for (Row const& row : rows) {
    if (row.family == family) use(row);
  }
}

}  // namespace

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
    each_of(family.family, held, [&](auto const& row) { add(row, {}); });
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
    each_of(fit.family, held, [&](auto const& row) { add(row, false); });
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
