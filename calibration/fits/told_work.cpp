#include "calibration/fits/told_work.hpp"

#include <cmath>

#include "sim/base/statistics.hpp"

namespace gridcast::calibration {

double expected_log_time(TimedExecution const& one, double log_work, SpeedParameters const& at) {
  return log_work - at.log_speeds[one.site] - at.gpu_scaling * one.log_gpus;
}

TimedExecution const* told_execution(std::vector<TimedExecution> const& job,
                                     SpeedParameters const& at) {
  auto const computed = [&](TimedExecution const& one) {
    return one.log_time - expected_log_time(one, 0, at);
  };
  TimedExecution const* longest = nullptr;
  for (TimedExecution const& one : job) {
    if (one.kind == TimedExecution::Kind::observed) return &one;
    if (one.kind == TimedExecution::Kind::crash) continue;
    if (longest == nullptr || computed(one) > computed(*longest)) longest = &one;
  }
  return longest;
}

std::vector<Sample> standardised_times(std::vector<std::vector<TimedExecution>> const& jobs,
                                       SpeedParameters const& at) {
  std::vector<Sample> standardised(at.log_speeds.size());
  for (auto const& job : jobs) {
    auto const* const one = told_execution(job, at);
    if (one == nullptr) continue;
    double const sd = std::sqrt(square(at.job_sigma) + square(at.execution_sigma) + one->rounding);
    standardised[one->site].push_back(
        {(one->log_time - expected_log_time(*one, at.log_work, at)) / sd,
         one->kind != TimedExecution::Kind::observed});
  }
  return standardised;
}

double distance_of_kinds(std::vector<std::vector<TimedExecution>> const& jobs,
                         SpeedParameters const& at) {
  Sample shares;
  for (auto const& job : jobs) {
    auto const* const one = told_execution(job, at);
    if (one == nullptr) continue;
    double share = 0;
    for (JobKind const& kind : at.kinds) {
      double const sd = std::sqrt(square(kind.sigma) + square(at.execution_sigma) + one->rounding);
      share +=
          kind.share * normal_cdf((one->log_time - expected_log_time(*one, kind.center, at)) / sd);
    }
    shares.push_back({share, one->kind != TimedExecution::Kind::observed});
  }
  return kaplan_meier_distance(shares, [](double share) { return share; });
}

}  // namespace gridcast::calibration
