#include "calibration/speed_density.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "calibration/rounded.hpp"

namespace gridcast::calibration {

namespace {

// Gauss-Hermite for the standard normal weight, nine points (Abramowitz & Stegun 25.10, scaled).
constexpr std::array<double, 9> nodes = {
    -4.512745863399783, -3.205429002856470, -2.076847978677830, -1.023255663789133, 0.0,
    1.023255663789133,  2.076847978677830,  3.205429002856470,  4.512745863399783};
constexpr std::array<double, 9> weights = {
    2.234584400774658e-5, 2.789141321231769e-3, 4.991640676521787e-2,
    2.440975028949394e-1, 4.063492063492063e-1, 2.440975028949394e-1,
    4.991640676521787e-2, 2.789141321231769e-3, 2.234584400774658e-5};

constexpr double shortest = 0.25;  // seconds: what no stamp of a second shows, for logarithms

Execution execution(Execution::Kind kind, AttemptRecord const& attempt, double seconds,
                    double share, double tick) {
  double const at_least = std::max(seconds, shortest * tick);
  double const relative = tick / std::max(at_least, tick);
  return {kind, attempt.site.index(), std::log(at_least / share), relative * relative / 6};
}

void add(std::vector<Execution>& executions, AttemptRecord const& attempt, int epochs,
         double tick) {
  double computed = 0;
  for (Seconds const& epoch : attempt.epochs) computed += epoch.value();
  double const each = 1.0 / epochs;
  double const done = static_cast<double>(attempt.epochs.size()) * each;
  bool const checkpoints = epochs > 1;
  if (attempt.unheard && checkpoints) {
    // What it did since is not known; before, its checkpoints tell.
    if (done > 0) {
      executions.push_back(execution(Execution::Kind::whole, attempt, computed, done, tick));
    }
    return;
  }
  bool const finished =
      attempt.exit && !crashed(attempt) && attempt.end_kind != history::EventKind::aborted;
  if (finished) {
    executions.push_back(execution(Execution::Kind::whole, attempt, computed + attempt.tail.value(),
                                   checkpoints ? done + each : 1, tick));
  } else if (done > 0) {
    executions.push_back(execution(Execution::Kind::whole, attempt, computed, done, tick));
  } else if (crashed(attempt)) {
    double const left = std::max(each, 1 - attempt.epochs_before * each);
    executions.push_back(
        execution(Execution::Kind::crash, attempt, attempt.tail.value(), left, tick));
  } else if (attempt.tail.value() > 0) {
    executions.push_back(
        execution(Execution::Kind::longer, attempt, attempt.tail.value(), each, tick));
  }
}

// Of a time that is known to be longer, or that a crash cut anywhere: given the job's factor.
double log_open(Execution const& one, double mean, double variance) {
  double const sd = std::sqrt(variance + one.rounding);
  double const z = (mean - one.log_time) / sd;
  if (one.kind == Execution::Kind::longer) return log_normal_cdf(z);
  return -mean + sd * sd / 2 + log_normal_cdf(z - sd);
}

}  // namespace

std::vector<std::vector<Execution>> executions_by_job(AttemptRecords const& records) {
  std::vector<std::vector<Execution>> jobs;
  Id<history::Job> job;
  for (AttemptRecord const& attempt : records.attempts) {
    if (!attempt.executing || !attempt.site.valid()) continue;
    if (jobs.empty() || attempt.job != job) jobs.emplace_back();
    job = attempt.job;
    add(jobs.back(), attempt, records.epochs, records.tick);
  }
  return jobs;
}

double log_likelihood(std::vector<Execution> const& job, SpeedParameters const& at) {
  double const own = at.execution_sigma * at.execution_sigma;
  // Normal in the factor b ~ N(0, job_sigma^2), one whole execution after the other.
  double mean = 0;
  double variance = at.job_sigma * at.job_sigma;
  double sum = 0;
  std::size_t open = 0;
  for (Execution const& one : job) {
    if (one.kind != Execution::Kind::whole) {
      ++open;
      continue;
    }
    double const noise = own + one.rounding;
    double const total = variance + noise;
    double const off = one.log_time - at.log_work + at.log_speeds[one.site] - mean;
    sum -= off * off / (2 * total) + std::log(total) / 2;
    double const gain = variance / total;
    mean += gain * off;
    variance *= 1 - gain;
  }
  if (open == 0) return sum;
  double integral = 0;
  double const sd = std::sqrt(variance);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    double log = 0;
    for (Execution const& one : job) {
      if (one.kind == Execution::Kind::whole) continue;
      log += log_open(one, at.log_work - at.log_speeds[one.site] + mean + sd * nodes[i], own);
    }
    integral += weights[i] * std::exp(log);
  }
  return sum + std::log(std::max(integral, 1e-300));
}

}  // namespace gridcast::calibration
