#include "sim/report/time_bins.hpp"

#include <algorithm>
#include <utility>

namespace gridcast::report {

std::vector<double> binned(std::vector<Stretch> const& stretches, Seconds end, std::size_t bins) {
  std::vector<double> sums(bins, 0);
  if (!(end > Seconds())) return sums;
  Seconds const width = end / static_cast<double>(bins);
  for (auto const& each : stretches) {
    auto const first = static_cast<std::size_t>(std::max(0.0, each.start / width));
    for (std::size_t i = first; i < bins; ++i) {
      Seconds const from = std::max(each.start, width * static_cast<double>(i));
      Seconds const to = std::min(each.end, width * static_cast<double>(i + 1));
      if (to < from) break;
      sums[i] += each.rate * ((to - from) / width);
    }
  }
  return sums;
}

double peak(std::vector<Stretch> const& stretches) {
  std::vector<std::pair<Seconds, double>> steps;
  for (auto const& each : stretches) {
    if (!(each.end > each.start)) continue;
    steps.emplace_back(each.start, each.rate);
    steps.emplace_back(each.end, -each.rate);
  }
  // What ends makes room before what begins.
  std::sort(steps.begin(), steps.end());
  double now = 0, most = 0;
  for (auto const& [at, change] : steps) most = std::max(most, now += change);
  return most;
}

}  // namespace gridcast::report
