#include "sim/running/pace_change.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/base/statistics.hpp"

namespace gridcast::running {
namespace {

constexpr std::size_t blocks = 4, least_in_block = 2;
constexpr double expected_change = 0.9, most_change = 1.5;

/// Of the logarithms of their mean lengths. Logs have whole seconds.
double variance_of_blocks(std::vector<EndedExecution> const& executions) {
  constexpr double least = 1;
  std::array<double, blocks> logs{};
  for (std::size_t block = 0; block < blocks; ++block) {
    std::size_t const begin = block * executions.size() / blocks;
    std::size_t const end = (block + 1) * executions.size() / blocks;
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += executions[i].length.value();
    logs[block] = std::log(std::max(least, sum / count(end - begin)));
  }
  double const middle = mean(logs);
  double squares = 0;
  for (double const log : logs) squares += square(log - middle);
  return squares / (blocks - 1);
}

}  // namespace

double pace_change(std::vector<EndedExecution> executions) {
  if (executions.size() < blocks * least_in_block) return expected_change;
  std::sort(executions.begin(), executions.end(),
            [](auto const& a, auto const& b) { return a.end < b.end; });
  constexpr double freedom = blocks - 1;
  double const variance =
      (square(expected_change) + freedom * variance_of_blocks(executions)) / (1 + freedom);
  return std::min(most_change, std::sqrt(variance));
}

}  // namespace gridcast::running
