#include "sim/training/fit/straggler_fit.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/base/statistics.hpp"
#include "sim/training/fit/run_rows.hpp"
#include "sim/training/step_time.hpp"

namespace gridcast::training {
namespace {

constexpr double far_off = 4;  // robust standard deviations

std::vector<double> logarithms(std::vector<double> values) {
  for (double& value : values) value = std::log(value);
  return values;
}

double mean_logarithm(std::vector<WorkerSteps> const& workers) {
  double sum = 0;
  std::size_t count = 0;
  for (auto const& worker : workers) {
    for (double const time : worker.times) sum += std::log(time);
    count += worker.times.size();
  }
  return sum / static_cast<double>(count);
}

/// The residuals of each worker's times from its median.
std::vector<std::vector<double>> residuals(std::vector<WorkerSteps> const& workers) {
  std::vector<std::vector<double>> left;
  for (auto const& worker : workers) {
    left.push_back(logarithms(worker.times));
    double const middle = median(left.back());
    for (double& value : left.back()) value -= middle;
  }
  return left;
}

struct Body {
  double spread = 0;
  double lag_one = 0;
};

/// Moments of the values below the limit, and of neighbouring pairs below it.
Body body_of(std::vector<std::vector<double>> const& left, double limit) {
  double squares = 0, products = 0, count = 0, pairs = 0;
  for (auto const& worker : left) {
    for (std::size_t i = 0; i < worker.size(); ++i) {
      if (worker[i] > limit) continue;
      squares += worker[i] * worker[i];
      ++count;
      if (i == 0 || worker[i - 1] > limit) continue;
      products += worker[i] * worker[i - 1];
      ++pairs;
    }
  }
  if (count == 0 || squares <= 0 || pairs == 0) return {};
  return {std::sqrt(squares / count), (products / pairs) / (squares / count)};
}

/// Excesses in the slow state, as logarithms, and the number of spells.
struct Tail {
  std::vector<double> excess;
  double spells = 0;
};

Tail tail_of(std::vector<std::vector<double>> const& left, double limit) {
  Tail tail;
  for (auto const& worker : left) {
    for (std::size_t i = 0; i < worker.size(); ++i) {
      if (worker[i] <= limit) continue;
      tail.excess.push_back(std::log(std::expm1(worker[i])));
      if (i == 0 || worker[i - 1] <= limit) ++tail.spells;
    }
  }
  return tail;
}

}  // namespace

bool is_worker_table(std::string const& text) {
  auto const names = column_names(text);
  return std::find(names.begin(), names.end(), "worker") != names.end();
}

std::vector<WorkerSteps> parse_worker_steps(std::string const& file, std::string const& text) {
  constexpr char wanted[] = "Wanted are worker, time and step_s.";
  MeasuredTable measured(file, text, "worker", wanted);
  std::map<std::string, std::vector<std::pair<double, double>>> by_worker;
  for (MeasuredRow row : measured.rows()) {
    std::string const name = row.text("worker");
    auto const at = row.number("time", MeasuredRow::Least::zero);
    // The trace's own name of the column.
    auto const step =
        row.text("step_s").empty() ? row.number("batch_time_norm") : row.number("step_s");
    if (row.bad()) continue;
    if (name.empty()) row.complain("worker", "no worker", "", wanted);
    if (!at) row.complain("time", "no time", "the order of steps depends on it", wanted);
    if (!step) row.complain("step_s", "no step time", "", wanted);
    if (!row.bad()) by_worker[name].emplace_back(*at, *step);
  }
  measured.raise(by_worker.size());
  std::vector<WorkerSteps> workers;
  for (auto& [name, steps] : by_worker) {
    std::sort(steps.begin(), steps.end());
    WorkerSteps& worker = workers.emplace_back(WorkerSteps{name, {}});
    for (auto const& step : steps) worker.times.push_back(step.second);
    constexpr std::size_t least = 10;
    if (worker.times.size() >= least) continue;
    throw InputError(Problem{{file},
                             fmt::format("worker {} has {} steps", name, worker.times.size()),
                             "ten are needed to estimate how slow it is, and for how long",
                             ""});
  }
  return workers;
}

std::vector<WorkerSteps> read_worker_steps(std::filesystem::path const& file) {
  return parse_worker_steps(file.string(), read_text_file(file));
}

StragglerFit fit_stragglers(std::vector<WorkerSteps> const& workers) {
  auto const left = residuals(workers);
  std::vector<double> off;
  for (auto const& worker : left) {
    for (double const value : worker) off.push_back(std::abs(value));
  }
  constexpr double normal = 1.4826, least = 1e-6;
  double const limit = far_off * std::max(least, normal * median(off));
  Body const body = body_of(left, limit);
  Tail const tail = tail_of(left, limit);

  StragglerFit fit;
  double const mean_log = mean_logarithm(workers);
  std::vector<double> own_logs;
  for (auto const& worker : workers) {
    fit.workers.push_back(worker.worker);
    own_logs.push_back(median(logarithms(worker.times)) - mean_log);
    fit.own.push_back(std::exp(own_logs.back()));
  }
  fit.slow = tail.excess.size();
  scenario::ComputeSpec& compute = fit.compute;
  compute.rank_spread = standard_deviation(own_logs);
  compute.spread = body.spread;
  compute.steady_steps = body.lag_one > 0.05 ? -1 / std::log(std::min(0.999, body.lag_one)) : 0;

  constexpr double assumed = 2, assumed_spread = 0.8;
  double const assumed_excess = std::log(0.4);
  auto const slow = static_cast<double>(tail.excess.size());
  double sum = assumed * assumed_excess;
  for (double const excess : tail.excess) sum += excess;
  double const mean_excess = sum / (slow + assumed);
  double squares = assumed * assumed_spread * assumed_spread;
  for (double const excess : tail.excess) {
    squares += (excess - mean_excess) * (excess - mean_excess);
  }
  compute.slow_share = (slow + 0.5) / (static_cast<double>(off.size()) + 1);
  compute.slow_by = std::exp(mean_excess);
  compute.slow_spread = std::sqrt(squares / (slow + assumed));
  compute.slow_steps = (slow + 1) / (tail.spells + 1);
  return fit;
}

std::vector<double> slowest_of(std::vector<WorkerSteps> const& workers) {
  double const usual = std::exp(mean_logarithm(workers));
  std::size_t steps = workers.front().times.size();
  for (auto const& worker : workers) steps = std::min(steps, worker.times.size());
  std::vector<double> slowest(steps, 0);
  for (auto const& worker : workers) {
    for (std::size_t i = 0; i < steps; ++i) {
      slowest[i] = std::max(slowest[i], worker.times[i] / usual);
    }
  }
  return slowest;
}

StragglerWhatIf straggler_what_if(scenario::ComputeSpec const& compute, int ranks) {
  if (ranks < 2) return {};
  scenario::ComputeSpec healthy = compute;
  healthy.slow_share = 0;
  healthy.rank_spread = 0;
  double const share = static_cast<double>(ranks) / (ranks - 1);
  return {expected_slowest(compute, ranks), share * expected_slowest(compute, ranks, 2),
          expected_slowest(healthy, ranks)};
}

}  // namespace gridcast::training
