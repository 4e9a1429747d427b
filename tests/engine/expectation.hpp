// A sample against the expectation of its closed form.
#pragma once

#include <cmath>
#include <vector>

#include "sim/base/statistics.hpp"
#include "tests/test.hpp"

namespace gridcast::test {

/// The mean of independent values is within 5 standard errors of it.
inline void check_mean(std::vector<double> const& sample, double expected) {
  double const error = std::sqrt(variance(sample) / static_cast<double>(sample.size()));
  INFO("mean " << mean(sample) << " of " << sample.size() << ", standard error " << error
               << ", expected " << expected);
  CHECK(std::abs(mean(sample) - expected) < 5 * error);
}

/// So many of n, each with probability p.
inline void check_share(std::size_t count, std::size_t n, double p) {
  double const error = std::sqrt(p * (1 - p) / static_cast<double>(n));
  INFO(count << " of " << n << ", expected " << p << " of them");
  CHECK(std::abs(static_cast<double>(count) / static_cast<double>(n) - p) < 5 * error);
}

}  // namespace gridcast::test
