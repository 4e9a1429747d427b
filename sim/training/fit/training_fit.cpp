#include "sim/training/fit/training_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "sim/base/random.hpp"
#include "sim/base/statistics.hpp"
#include "sim/training/estimate.hpp"
#include "sim/training/step_time.hpp"

namespace gridcast::training {
namespace {

/// A run as the line sees it.
TrainingSetup setup_of(scenario::Profile const& base, int measured_batch, RunRow const& run) {
  TrainingSetup setup;
  setup.profile.exchange = base.exchange;
  setup.profile.compute.forward_share = base.compute.forward_share;
  setup.profile.compute.optimizer = base.compute.optimizer;
  setup.profile.train.batch = run.batch;
  setup.gpus = run.gpus;
  setup.nodes = run.nodes;
  setup.samples = run.samples;
  setup.measured_batch = measured_batch;
  return setup;
}

Seconds epoch_time(TrainingSetup const& setup) {
  EpochPlan const plan = epoch_plan(setup);
  Seconds time = step_time(setup, setup.profile.train.batch).total() * plan.full;
  if (plan.rest > 0) time += step_time(setup, plan.rest).total();
  return time;
}

scenario::StepDraw draw_at(LinePoint const& point) {
  scenario::StepDraw draw;
  draw.step_time = Seconds(std::exp(point[line::step]));
  draw.step_overhead = draw.step_time * point[line::overhead];
  draw.intra_bandwidth = draw.inter_bandwidth = unlimited_link;
  draw.slow_per_doubling = point[line::doubling];
  draw.slow_across_nodes = point[line::crossing];
  return draw;
}

/// The same as a machine can have it: no loss is negative.
scenario::StepDraw possible_draw(LinePoint point, double noise) {
  constexpr double most_overhead = 0.9;
  point[line::overhead] = std::clamp(point[line::overhead], 0., most_overhead);
  point[line::doubling] = std::max(0., point[line::doubling]);
  point[line::crossing] = std::max(0., point[line::crossing]);
  scenario::StepDraw draw = draw_at(point);
  draw.noise = noise;
  return draw;
}

bool smaller(RunRow const& a, RunRow const& b) {
  return std::tuple(a.nodes, a.gpus, -a.batch) < std::tuple(b.nodes, b.gpus, -b.batch);
}

struct RunFamily {
  std::string name;
  std::vector<RunRow> rows;
  int batch = 1;
  LineFamily line = {};
};

bool has_scales(std::vector<RunRow> const& rows) {
  return std::any_of(rows.begin(), rows.end(), [&rows](RunRow const& row) {
    return row.nodes != rows.front().nodes || row.gpus != rows.front().gpus ||
           row.batch != rows.front().batch;
  });
}

/// A step that takes no positive time cannot be; far from every measured time.
constexpr double impossible = -50;

RunFamily make_family(std::string const& name, std::vector<RunRow> rows,
                      scenario::Profile const& base) {
  constexpr double usual_step_sd = 0.3;  // around the value of the smallest run
  RunRow const smallest = *std::min_element(rows.begin(), rows.end(), smaller);
  RunFamily family{name, std::move(rows), smallest.batch};
  std::vector<TrainingSetup> setups;
  for (RunRow const& row : family.rows) {
    family.line.log_times.push_back(std::log(row.epoch.value()));
    setups.push_back(setup_of(base, family.batch, row));
  }
  family.line.model = [setups](std::size_t row, LinePoint const& point) {
    TrainingSetup setup = setups[row];
    put(setup, draw_at(point));
    double const time = epoch_time(setup).value();
    return time > 0 ? std::log(time) : impossible;
  };
  family.line.teaches = has_scales(family.rows);
  family.line.log_step =
      std::log(smallest.epoch.value() * smallest.gpus * smallest.batch / smallest.samples);
  family.line.log_step_sd = usual_step_sd;
  return family;
}

std::vector<RunFamily> families_of(std::vector<RunRow> const& rows, scenario::Profile const& base) {
  std::map<std::string, std::vector<RunRow>> by_family;
  std::vector<std::string> order;
  for (RunRow const& row : rows) {
    auto& group = by_family[row.family];
    if (group.empty()) order.push_back(row.family);
    group.push_back(row);
  }
  std::vector<RunFamily> families;
  for (auto const& name : order) {
    families.push_back(make_family(name, std::move(by_family[name]), base));
  }
  return families;
}

FamilyFit family_fit(RunFamily const& family, LineFit const& fit, std::size_t count,
                     RandomStream stream) {
  FamilyFit result{family.name, family.rows.front().gpu, family.batch, family.rows, fit.weights,
                   {}};
  double const noise = fit.noise * std::sqrt(2.);  // the sd of a t of 4 degrees of freedom
  for (std::size_t i = 0; i < count; ++i) {
    LinePoint z, at = fit.mean;
    for (double& each : z) each = normal_quantile(stream.uniform());
    for (std::size_t k = 0; k < line::coefficients; ++k) {
      for (std::size_t j = 0; j <= k; ++j) at[k] += fit.factor[k][j] * z[j];
    }
    result.draws.push_back(possible_draw(at, noise));
  }
  return result;
}

double beyond(FamilyFit const& fit, RunRow const& run) {
  int most = 1, least = std::numeric_limits<int>::max();
  for (RunRow const& row : fit.rows) {
    most = std::max(most, row.gpus);
    least = std::min(least, row.batch);
  }
  return doublings_beyond(static_cast<double>(run.gpus) / most,
                          static_cast<double>(least) / run.batch);
}

}  // namespace

TrainingFit fit_training(std::vector<RunRow> const& rows, scenario::Profile const& base,
                         FitOptions const& options) {
  std::vector<RunFamily> const families = families_of(rows, base);
  std::vector<LineFamily> lines;
  for (RunFamily const& family : families) lines.push_back(family.line);
  TrainingFit fit{base, pooled(options.prior, lines), {}};
  RandomStreams const streams(options.seed, 0);
  for (std::size_t i = 0; i < families.size(); ++i) {
    fit.families.push_back(
        family_fit(families[i], fit_line(fit.scaling, lines[i]), options.draws,
                   streams.stream(Purpose::bootstrap, static_cast<std::uint32_t>(i))));
  }
  return fit;
}

Seconds epoch_of(scenario::StepDraw const& draw, int measured_batch, scenario::Profile const& base,
                 RunRow const& run) {
  TrainingSetup setup = setup_of(base, measured_batch, run);
  put(setup, draw);
  return epoch_time(setup);
}

EpochForecast forecast(FamilyFit const& fit, scenario::Profile const& base, RunRow const& run) {
  constexpr int noises = 17;  // of each draw, evenly by probability; sd 0.97
  TrainingSetup setup = setup_of(base, fit.batch, run);
  double const doublings = beyond(fit, run);
  std::vector<double> expected, times;
  for (scenario::StepDraw const& draw : fit.draws) {
    put(setup, draw);
    double const time = epoch_time(setup).value();
    expected.push_back(time);
    double const sd = forecast_sd(draw.noise, doublings);
    for (int i = 0; i < noises; ++i) {
      times.push_back(time * std::exp(sd * normal_quantile((i + 0.5) / noises)));
    }
  }
  constexpr std::array<double, 2> ends = {0.05, 0.95};
  auto const q = quantiles(std::move(times), ends);
  return {Seconds(median(std::move(expected))), {q[0], q[1]}};
}

std::vector<FittedParameter<scenario::StepDraw>> const& fitted_parameters() {
  static std::vector<FittedParameter<scenario::StepDraw>> const parameters = {
      {"step time", "ms", [](auto const& d) { return d.step_time.value() * 1e3; }},
      {"overhead", "ms", [](auto const& d) { return d.step_overhead.value() * 1e3; }},
      {"loss a doubling", "%", [](auto const& d) { return d.slow_per_doubling * 100; }},
      {"loss across nodes", "%", [](auto const& d) { return d.slow_across_nodes * 100; }},
      {"noise", "%", [](auto const& d) { return d.noise * 100; }}};
  return parameters;
}

}  // namespace gridcast::training
