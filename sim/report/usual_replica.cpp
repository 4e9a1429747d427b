#include "sim/report/usual_replica.hpp"

#include <algorithm>
#include <cmath>

namespace gridcast::report {
namespace {

/// How far each value's place among all is from the middle: 0 to 1/2.
std::vector<double> off_middle(std::vector<double> const& values) {
  auto sorted = values;
  std::erase_if(sorted, [](double value) { return std::isnan(value); });
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> off;
  for (double const value : values) {
    auto const [first, last] = std::equal_range(sorted.begin(), sorted.end(), value);
    bool const known = !std::isnan(value);
    auto const below = static_cast<double>(first - sorted.begin());
    auto const upto = static_cast<double>(last - sorted.begin());
    double const place =
        (below + upto) / 2 / static_cast<double>(std::max<std::size_t>(1, sorted.size()));
    off.push_back(known ? std::abs(place - 0.5) : 0);
  }
  return off;
}

}  // namespace

std::uint32_t usual_replica(study::StudySample const& sample) {
  std::vector<double> sum(sample.size(), 0);
  for (auto const* figure : {"badput_s", "makespan_s", "succeeded"}) {
    auto const off = off_middle(study::column(sample, figure));
    for (std::size_t i = 0; i < off.size(); ++i) sum[i] += off[i];
  }
  auto const least = std::min_element(sum.begin(), sum.end());
  return sample.replicas[static_cast<std::size_t>(least - sum.begin())];
}

}  // namespace gridcast::report
