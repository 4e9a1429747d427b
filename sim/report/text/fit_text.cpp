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

std::string rounded_text(double value) { return fmt::format("{:.3g}", value); }

template <class Parameters, class Draw>
std::string parameters_text(Parameters const& parameters, std::vector<Draw> const& draws,
                            Screen const& screen) {
  TextTable table({{"parameter"},
                   {"median", Align::right},
                   {"90 %", Align::right},
                   {"unit"},
                   {"in", Align::right}});
  for (auto const& parameter : parameters) {
    Summary const s = summary_of(draws, parameter.value);
    if (s.share <= 0) continue;
    table.add_row({parameter.name, rounded_text(s.median),
                   rounded_text(s.interval.low) + " to " + rounded_text(s.interval.high),
                   parameter.unit, fmt::format("{:.0f} %", 100 * s.share)});
  }
  return table.str(screen, 2);
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

std::string notes_text(std::vector<std::string> const& notes) {
  std::string text;
  for (auto const& note : notes) text += note + "\n";
  return text;
}

template <class Row, class Use>
void each_of(std::string const& family, std::vector<Row> const& rows, Use const& use) {
  for (Row const& row : rows) {
    if (row.family == family) use(row);
  }
}

constexpr std::size_t most_families = 12;  // whose rows are shown one by one

}  // namespace

std::string fit_text(training::TrainingFit const& fit, std::vector<training::RunRow> const& held,
                     std::vector<std::string> const& notes, Screen const& screen) {
  std::string text;
  Judged judged(Judged::Off::share);
  std::size_t shown = 0;
  for (auto const& family : fit.families) {
    TextTable rows({{"GPUs", Align::right},
                    {"nodes", Align::right},
                    {"batch", Align::right},
                    {"line", Align::right},
                    {"measured", Align::right},
                    {"forecast", Align::right},
                    {"90 %", Align::right},
                    {"off", Align::right},
                    {"weight", Align::right}});
    bool is_judged = false;
    auto const add = [&](training::RunRow const& row, std::optional<double> weight) {
      auto const f = training::forecast(family, fit.base, row);
      if (!weight) judged.add(row.epoch.value(), f.median.value(), f.interval);
      is_judged = is_judged || !weight;
      rows.add_row({fmt::format("{}", row.gpus), fmt::format("{}", row.nodes),
                    fmt::format("{}", row.batch), fmt::format("{}", row.line), to_text(row.epoch),
                    to_text(f.median),
                    to_text(Seconds(f.interval.low)) + " to " + to_text(Seconds(f.interval.high)),
                    fmt::format("{:+.1f} %", 100 * (f.median / row.epoch - 1)),
                    weight ? fmt::format("{:.0f} %", 100 * *weight) : "not fitted"});
    };
    for (std::size_t i = 0; i < family.rows.size(); ++i) add(family.rows[i], family.weights[i]);
    each_of(family.family, held, [&](auto const& row) { add(row, {}); });
    bool const of_one = family.rows.size() == 1 && !is_judged && fit.families.size() > 1;
    if (of_one || ++shown > most_families) continue;
    bool const named = family.gpu.empty() || family.gpu == family.family;
    text +=
        fitted(fmt::format("{}: {}\n", named ? family.family : family.family + ", " + family.gpu,
                           counted(family.rows.size(), "row")),
               screen) +
        "\n";
    text += parameters_text(training::fitted_parameters(), family.draws, screen) + "\n" +
            rows.str(screen) + "\n";
  }
  if (fit.families.size() > 1) {
    text += fmt::format("{} families; those of one row alone are in --json\n", fit.families.size());
  }
  return text + fitted(judged.text() + notes_text(notes), screen);
}

std::string fit_json(training::TrainingFit const& fit, std::vector<training::RunRow> const& held,
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
  return json_text({{"schema", "gridcast.training-fit/1"},
                    {"families", std::move(families)},
                    {"predicted", judged_json(judged)},
                    {"notes", notes}});
}

std::string fit_text(std::vector<training::StorageFit> const& fits,
                     std::vector<training::StorageRow> const& held,
                     std::vector<std::string> const& notes, Screen const& screen) {
  std::string text;
  Judged judged(Judged::Off::points);
  std::size_t shown = 0;
  for (auto const& fit : fits) {
    TextTable rows({{"accelerators", Align::right},
                    {"hosts", Align::right},
                    {"line", Align::right},
                    {"AU measured", Align::right},
                    {"forecast", Align::right},
                    {"90 %", Align::right},
                    {""}});
    bool is_judged = false;
    auto const add = [&](training::StorageRow const& row, bool fitted) {
      auto const f = training::forecast(fit, row);
      if (!fitted) judged.add(row.au, f.median, f.interval);
      is_judged = is_judged || !fitted;
      rows.add_row({fmt::format("{}", row.accelerators), fmt::format("{}", row.hosts),
                    fmt::format("{}", row.line), fmt::format("{:.1f} %", 100 * row.au),
                    fmt::format("{:.1f} %", 100 * f.median),
                    fmt::format("{:.1f} to {:.1f} %", 100 * f.interval.low, 100 * f.interval.high),
                    fitted ? "fitted" : "predicted"});
    };
    for (auto const& row : fit.rows) add(row, true);
    each_of(fit.family, held, [&](auto const& row) { add(row, false); });
    bool const of_one = fit.rows.size() == 1 && !is_judged && fits.size() > 1;
    if (of_one || ++shown > most_families) continue;
    text += fitted(fit.family + "\n", screen) + "\n" +
            parameters_text(training::storage_parameters(), fit.draws, screen) + "\n" +
            rows.str(screen, 2) + "\n";
  }
  if (fits.size() > 1) {
    text += fmt::format("{} families; those of one row alone are in --json\n", fits.size());
  }
  return text + fitted(judged.text() + notes_text(notes), screen);
}

std::string fit_json(std::vector<training::StorageFit> const& fits,
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
  return json_text({{"schema", "gridcast.storage-fit/1"},
                    {"families", std::move(families)},
                    {"predicted", judged_json(judged)},
                    {"notes", notes}});
}

std::string fit_text(training::StragglerFit const& fit, std::vector<double> const& slowest,
                     Screen const& screen) {
  scenario::ComputeSpec const& c = fit.compute;
  int const ranks = static_cast<int>(fit.own.size());
  TextTable table({{"parameter"}, {"value", Align::right}, {"unit"}});
  auto const add = [&table](char const* name, double value, char const* unit) {
    table.add_row({name, rounded_text(value), unit});
  };
  add("between workers, all the job long", 100 * c.rank_spread, "%");
  add("from step to step", 100 * c.spread, "%");
  add("which lasts", c.steady_steps, "rows");
  add("time in the slow state", 100 * c.slow_share, "%");
  add("slower there by, in the median", 100 * c.slow_by, "%");
  add("sd of its logarithm", c.slow_spread, "");
  add("which lasts", c.slow_steps, "rows");
  auto const if_done = training::straggler_what_if(c, ranks);
  return table.str(screen, 2) +
         fitted(
             fmt::format("\nthe slowest of these {}, over the usual time: 99 % point {:.2f} "
                         "(measured {:.2f}), "
                         "median {:.2f} ({:.2f})\n"
                         "a step of {} such workers takes {:.3f} usual times; without the slowest, "
                         "its work "
                         "shared out, {:.3f}; with slow ones replaced, {:.3f}\n",
                         ranks, training::slowest_quantile(c, fit.own, 0.99),
                         quantile(slowest, 0.99), training::slowest_quantile(c, fit.own, 0.5),
                         median(slowest), ranks, if_done.step, if_done.dropped, if_done.replaced),
             screen);
}

std::string fit_json(training::StragglerFit const& fit, std::vector<double> const& slowest) {
  scenario::ComputeSpec const& c = fit.compute;
  auto const if_done = training::straggler_what_if(c, static_cast<int>(fit.own.size()));
  Json workers = Json::object();
  for (std::size_t i = 0; i < fit.own.size(); ++i) {
    workers[fit.workers[i]] = json_number(fit.own[i]);
  }
  return json_text({{"schema", "gridcast.straggler-fit/1"},
                    {"rank_spread", json_number(c.rank_spread)},
                    {"spread", json_number(c.spread)},
                    {"steady_steps", json_number(c.steady_steps)},
                    {"slow_share", json_number(c.slow_share)},
                    {"slow_by", json_number(c.slow_by)},
                    {"slow_spread", json_number(c.slow_spread)},
                    {"slow_steps", json_number(c.slow_steps)},
                    {"workers", std::move(workers)},
                    {"slowest_p99", json_number(training::slowest_quantile(c, fit.own, 0.99))},
                    {"slowest_p99_measured", json_number(quantile(slowest, 0.99))},
                    {"what_if",
                     {{"step", json_number(if_done.step)},
                      {"without_the_slowest", json_number(if_done.dropped)},
                      {"slow_ones_replaced", json_number(if_done.replaced)}}}});
}

}  // namespace gridcast::report
