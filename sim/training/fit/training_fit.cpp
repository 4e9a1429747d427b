#include "sim/training/fit/training_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <fmt/format.h>

#include "sim/base/random.hpp"
#include "sim/base/text.hpp"
#include "sim/training/estimate.hpp"
#include "sim/training/step_time.hpp"

namespace gridcast::training {
namespace {

constexpr double row_freedom = 4;

double noise_of(ScalingPrior const& prior, LineFamily const& family) {
  return std::hypot(prior.noise, family.own_noise);
}

/// From (freedom + 1)/freedom on the line to 0 far from it.
double t_weight(double residual, double scale) {
  double const z = residual / scale;
  return (row_freedom + 1) / (row_freedom + z * z);
}

Eigen::Vector4d slope(LineFamily const& family, std::size_t row, LinePoint const& at,
                      double value) {
  constexpr double small = 1e-5;
  Eigen::Vector4d slope;
  for (std::size_t k = 0; k < at.size(); ++k) {
    LinePoint moved = at;
    moved[k] += small;
    slope[static_cast<Eigen::Index>(k)] = (family.model(row, moved) - value) / small;
  }
  return slope;
}

/// A row as the posterior sees it.
struct Seen {
  double residual = 0, weight = 1;
  Eigen::Vector4d slope;
};

struct Posterior4 {
  LinePoint mean = {};
  Eigen::Matrix4d covariance;
  std::vector<Seen> rows;
};

Eigen::Vector4d vector_of(LinePoint const& point) { return Eigen::Vector4d(point.data()); }

/// One Gauss-Newton step from `at`, half of it: whole ones can swing between two sets of weights.
Posterior4 step_from(LinePoint const& at, ScalingPrior const& prior, LineFamily const& family) {
  double const noise = noise_of(prior, family);
  Eigen::Vector4d before = vector_of(prior.mean), spread = vector_of(prior.spread);
  before[line::step] = family.log_step;
  spread[line::step] = family.log_step_sd;
  Eigen::Matrix4d precision = spread.array().square().inverse().matrix().asDiagonal();
  Eigen::Vector4d pull = precision * before;
  Posterior4 posterior;
  for (std::size_t i = 0; i < family.log_times.size(); ++i) {
    double const value = family.model(i, at);
    Seen seen{family.log_times[i] - value, 0, slope(family, i, at, value)};
    seen.weight = t_weight(seen.residual, noise);
    double const weight = seen.weight / (noise * noise);
    precision += weight * seen.slope * seen.slope.transpose();
    pull += weight * (seen.residual + seen.slope.dot(vector_of(at))) * seen.slope;
    posterior.rows.push_back(std::move(seen));
  }
  posterior.covariance = precision.llt().solve(Eigen::Matrix4d::Identity());
  Eigen::Vector4d const next = (posterior.covariance * pull + vector_of(at)) / 2;
  for (std::size_t k = 0; k < at.size(); ++k) {
    posterior.mean[k] = next[static_cast<Eigen::Index>(k)];
  }
  return posterior;
}

Posterior4 posterior_of(ScalingPrior const& prior, LineFamily const& family) {
  LinePoint at = prior.mean;
  at[line::step] = family.log_step;
  constexpr int most = 200;
  constexpr double settled = 1e-9;
  for (int i = 0;; ++i) {
    Posterior4 posterior = step_from(at, prior, family);
    double moved = 0;
    for (std::size_t k = 0; k < at.size(); ++k) moved += std::abs(posterior.mean[k] - at[k]);
    if (i == most || moved < settled) return posterior;
    at = posterior.mean;
  }
}

/// The prior whose spread is at least this wide, however alike a few families are.
constexpr double least_spread = 1e-3;

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
  return std::ranges::any_of(rows, [&rows](RunRow const& row) {
    return row.nodes != rows.front().nodes || row.gpus != rows.front().gpus ||
           row.batch != rows.front().batch;
  });
}

/// A step that takes no positive time cannot be; far from every measured time.
constexpr double impossible = -50;

RunFamily make_family(std::string const& name, std::vector<RunRow> rows,
                      scenario::Profile const& base) {
  constexpr double usual_step_sd = 0.3;  // around the value of the smallest run
  RunRow const smallest = *std::ranges::min_element(rows, smaller);
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
  family.line.own_noise = contradiction(family.rows);
  family.line.teaches = has_scales(family.rows) && family.line.own_noise <= 0;
  family.line.log_step =
      std::log(smallest.epoch.value() * smallest.gpus * smallest.batch / smallest.samples);
  family.line.log_step_sd = std::hypot(usual_step_sd, family.line.own_noise);
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

char const as_wide[] = "both are kept, and the intervals are as wide as that";

auto run_of(RunRow const& row) {
  return std::tie(row.family, row.gpu, row.gpus, row.nodes, row.batch, row.samples);
}

auto run_of(StorageRow const& row) {
  return std::tie(row.family, row.accelerators, row.hosts, row.threads, row.batch, row.step,
                  row.record, row.samples_per_file, row.cores);
}

template <class Row>
bool same_run(Row const& a, Row const& b) {
  return run_of(a) == run_of(b);
}

double steps(RunRow const& row) { return row.samples / row.gpus / row.batch; }

/// ln of the factor by which the row is too short if the other one is true; 0 if that does not
/// follow. The last step of an epoch may be shorter than the others.
double shortfall(RunRow const& row, RunRow const& than) {
  if (row.family != than.family || row.gpu != than.gpu) return 0;
  if (row.gpus < than.gpus || row.nodes < than.nodes) return 0;
  double const most = row.epoch.value() / std::max(1., std::floor(steps(row)));
  double const least = than.epoch.value() / std::ceil(steps(than));
  double const of_batch = std::min(1., static_cast<double>(row.batch) / than.batch);
  return std::max(0., std::log(least * of_batch / most));
}

double waiting(StorageRow const& row) {
  constexpr double least = 0.01;  // a smaller difference is no contradiction
  return std::max(least, 1 / row.au - 1);
}

double shortfall(StorageRow const& row, StorageRow const& than) {
  bool const alike = row.family == than.family && row.threads == than.threads &&
                     row.batch == than.batch && row.step == than.step &&
                     row.record == than.record && row.samples_per_file == than.samples_per_file &&
                     row.cores == than.cores;
  if (!alike || row.on_host() < than.on_host() || row.hosts < than.hosts) return 0;
  return std::max(0., std::log(waiting(than) / waiting(row)));
}

double apart(RunRow const& a, RunRow const& b) { return std::abs(std::log(a.epoch / b.epoch)); }
double apart(StorageRow const& a, StorageRow const& b) {
  return std::abs(std::log(waiting(a) / waiting(b)));
}

/// Utilisations are rounded and vary by points; of the waiting that is left that is a lot.
bool contradicts(StorageRow const& a, StorageRow const& b, double by) {
  constexpr double usual_points = 0.05;
  return far_apart(by) && std::abs(a.au - b.au) > usual_points;
}
bool contradicts(RunRow const&, RunRow const&, double by) { return far_apart(by); }

/// The row of the table that makes this one the least possible.
template <class Row>
Row const* impossible_by(std::vector<Row> const& rows, Row const& row) {
  Row const* worst = nullptr;
  double most = 0;
  for (Row const& other : rows) {
    double const by = same_run(row, other) ? 0 : shortfall(row, other);
    if (!contradicts(row, other, by) || by <= most) continue;
    worst = &other;
    most = by;
  }
  return worst;
}

/// The first row of the same run, if the two contradict each other.
template <class Row>
Row const* first_said_otherwise(std::vector<Row> const& rows, Row const& row) {
  auto const first =
      std::ranges::find_if(rows, [&row](Row const& other) { return same_run(row, other); });
  return contradicts(row, *first, apart(row, *first)) ? &*first : nullptr;
}

std::string repeated_text(RunRow const& row, RunRow const& first) {
  return fmt::format("the same run took {:.3g} times as long", row.epoch / first.epoch);
}

std::string repeated_text(StorageRow const& row, StorageRow const& first) {
  return fmt::format("the same run was utilised {:.1f} %, not {:.1f} %", 100 * row.au,
                     100 * first.au);
}

std::string impossible_text(RunRow const& row, RunRow const& than) {
  return fmt::format(
      "by that ({}) this epoch takes at least {:.3g} s, not {:.3g} s, as neither more GPUs nor "
      "another batch make a GPU that much faster",
      to_text(than), row.epoch.value() * std::exp(shortfall(row, than)), row.epoch.value());
}

std::string impossible_text(StorageRow const& row, StorageRow const& than) {
  return fmt::format("{} accelerators on {} were utilised {:.1f} %, and more are not {:.1f} %",
                     than.accelerators, counted(than.hosts, "host"), 100 * than.au, 100 * row.au);
}

template <class Row>
std::vector<std::string> texts(std::string const& file, std::vector<Row> const& rows) {
  std::vector<std::string> texts;
  auto const add = [&](Row const& row, Row const& other, std::string const& what) {
    texts.push_back(fmt::format("{}:{}: contradicts line {}: {}; {}", file, row.line, other.line,
                                what, as_wide));
  };
  for (Row const& row : rows) {
    if (Row const* const first = first_said_otherwise(rows, row)) {
      // Two times in one line were reported when it was read.
      if (first->line != row.line) add(row, *first, repeated_text(row, *first));
    } else if (Row const* const than = impossible_by(rows, row)) {
      add(row, *than, impossible_text(row, *than));
    }
  }
  return texts;
}

double logarithm(RunRow const& row) { return std::log(row.epoch.value()); }
double logarithm(StorageRow const& row) { return std::log(waiting(row)); }

template <class Row>
double widest(std::vector<Row> const& rows) {
  double widest = 0;
  for (Row const& row : rows) {
    if (Row const* const than = impossible_by(rows, row)) {
      widest = std::max(widest, shortfall(row, *than) / std::sqrt(2.));  // sd of two
    }
    if (!first_said_otherwise(rows, row)) continue;
    std::vector<double> logs;
    for (Row const& other : rows) {
      if (same_run(row, other)) logs.push_back(logarithm(other));
    }
    widest = std::max(widest, standard_deviation(logs));
  }
  return widest;
}

LineFit fit_line(ScalingPrior const& prior, LineFamily const& family) {
  Posterior4 const posterior = posterior_of(prior, family);
  LineFit fit{posterior.mean, {}, noise_of(prior, family), {}};
  Eigen::Matrix4d const factor = posterior.covariance.llt().matrixL();
  for (std::size_t i = 0; i < line::coefficients; ++i) {
    for (std::size_t k = 0; k <= i; ++k) {
      fit.factor[i][k] = factor(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k));
    }
  }
  for (Seen const& row : posterior.rows) {
    fit.weights.push_back(row.weight * row_freedom / (row_freedom + 1));
  }
  return fit;
}

}  // namespace

ScalingPrior published_scaling() {
  return {{0, 0.0499, 0.0245, 0.0434}, {0, 0.0293, 0.0231, 0.0454}, 0.0229, 6};
}

ScalingPrior pooled(ScalingPrior const& prior, std::vector<LineFamily> const& families) {
  constexpr int rounds = 100;
  ScalingPrior now = prior;
  for (int round = 0; round < rounds; ++round) {
    double count = prior.families, rows = prior.families;
    double squares = prior.families * prior.noise * prior.noise;
    std::vector<Posterior4> all;
    for (LineFamily const& family : families) {
      if (!family.teaches) continue;
      all.push_back(posterior_of(now, family));
      for (Seen const& row : all.back().rows) {
        double const unsure = row.slope.dot(all.back().covariance * row.slope);
        squares += row.weight * (row.residual * row.residual + unsure);
        ++rows;
      }
    }
    count += static_cast<double>(all.size());
    now.noise = std::sqrt(squares / rows);
    for (std::size_t k = line::overhead; k < line::coefficients; ++k) {
      double sum = prior.families * prior.mean[k];
      for (auto const& posterior : all) sum += posterior.mean[k];
      now.mean[k] = sum / count;
      double variance = prior.families * (prior.spread[k] * prior.spread[k] +
                                          std::pow(prior.mean[k] - now.mean[k], 2));
      for (auto const& posterior : all) {
        auto const at = static_cast<Eigen::Index>(k);
        variance += std::pow(posterior.mean[k] - now.mean[k], 2) + posterior.covariance(at, at);
      }
      now.spread[k] = std::max(least_spread, std::sqrt(variance / count));
    }
    now.families = count;
  }
  return now;
}

TrainingFit fit_training(std::vector<RunRow> const& rows, scenario::Profile const& base,
                         FitOptions const& options) {
  std::vector<RunFamily> const families = families_of(rows, base);
  std::vector<LineFamily> const lines = each_of(families, &RunFamily::line);
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

bool far_apart(double logarithm) {
  constexpr double usual = 0.25;
  return logarithm > std::log1p(usual);
}

std::vector<std::string> contradictions(std::string const& file, std::vector<RunRow> const& rows) {
  return texts(file, rows);
}

std::vector<std::string> contradictions(std::string const& file,
                                        std::vector<StorageRow> const& rows) {
  return texts(file, rows);
}

double contradiction(std::vector<RunRow> const& rows) { return widest(rows); }
double contradiction(std::vector<StorageRow> const& rows) { return widest(rows); }

}  // namespace gridcast::training
