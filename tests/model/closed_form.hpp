// Simulated against calculated. A sample agrees with its closed form if its mean is within three
// standard errors of it, which a correct simulator misses for 0.27 % of the seeds; the seeds are
// fixed, so a test that passes goes on passing until the model or its streams change.
#pragma once

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/statistics.hpp"
#include "sim/study/replica_pool.hpp"
#include "tests/test.hpp"

namespace gridcast::test {

/// The result of `task`, in a child process: SimGrid takes one max-min platform a process, and only
/// before the first simulation in it. So no test here simulates in its own process.
inline std::vector<double> in_child(std::function<std::vector<double>()> const& task) {
  auto const result = study::run_replicas(1, 1, [&](std::uint32_t) { return task(); });
  check(result.failed.empty(), result.failed.empty() ? "" : result.failed[0].why);
  return result.records.at(0).second;
}

/// The same for tasks 0 .. n - 1, one after the other in one result.
inline std::vector<double> in_children(
    std::size_t n, std::function<std::vector<double>(std::uint32_t)> const& task) {
  auto const result = study::run_replicas(n, 2, task);
  check(result.failed.empty(), result.failed.empty() ? "" : result.failed[0].why);
  std::vector<double> all;
  for (auto const& [replica, record] : result.records) {
    all.insert(all.end(), record.begin(), record.end());
  }
  return all;
}

/// `sample`: independent values.
inline void agrees(std::vector<double> const& sample, double expected) {
  double const error = standard_deviation(sample) / std::sqrt(static_cast<double>(sample.size()));
  INFO("simulated " << mean(sample) << " +- " << error << ", calculated " << expected);
  REQUIRE(sample.size() > 30);
  CHECK(std::abs(mean(sample) - expected) <= 3 * error);
}

/// Exact up to the clock's ticks of a microsecond and SimGrid's flows of whole bytes.
inline Approx near(double value) { return Approx(value).epsilon(1e-6); }

inline void are_near(std::vector<double> const& values, std::vector<double> const& expected) {
  REQUIRE(values.size() == expected.size());
  for (std::size_t i = 0; i < values.size(); ++i) CHECK(values[i] == near(expected[i]));
}

}  // namespace gridcast::test
