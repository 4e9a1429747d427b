#include "calibration/fits/event_length.hpp"

#include <algorithm>
#include <cmath>

namespace gridcast::calibration {
namespace {

constexpr double shortest = 60, longest = 2 * 3600;  // s, of the prior of L
constexpr int length_points = 2000;                  // of a grid

/// Values at the middles of equal parts of the range of logarithms.
std::vector<double> log_grid(double low, double high) {
  std::vector<double> grid;
  for (int i = 0; i < length_points; ++i)
    grid.push_back(low * std::pow(high / low, (i + 0.5) / length_points));
  return grid;
}

// Logarithms of the likelihoods: of many events both are below the smallest double.

// E events with K further hits: K ~ Poisson(E m).
double log_in_starts(HitStarts const& hits, double mean) {
  if (hits.events == 0) return 0;
  double const expected = hits.events * mean;
  return hits.further * std::log(expected) - expected - std::lgamma(hits.further + 1.0);
}

// P(K) = C(K + E - 1, K) q^K (1 - q)^E.
double log_in_time(HitStarts const& hits, double seconds) {
  if (hits.events == 0) return 0;
  double const starts = hits.starts_per_second * seconds;
  double const ways = std::lgamma(hits.further + hits.events) - std::lgamma(hits.events) -
                      std::lgamma(hits.further + 1.0);
  double const hit = hits.further > 0 ? hits.further * std::log(starts / (1 + starts)) : 0;
  return ways + hit - hits.events * std::log1p(starts);
}

}  // namespace

EventLength::EventLength(HitStarts const& hits) : seconds_(log_grid(shortest, longest)) {
  std::vector<double> starts_logs, time_logs;
  for (double const mean : log_grid(1, std::max(2, hits.jobs))) {
    starts_logs.push_back(log_in_starts(hits, mean));
  }
  for (double const seconds : seconds_) time_logs.push_back(log_in_time(hits, seconds));
  double const largest = std::max(*std::max_element(starts_logs.begin(), starts_logs.end()),
                                  *std::max_element(time_logs.begin(), time_logs.end()));
  double in_starts = 0, in_time = 0;
  for (double const log : starts_logs) in_starts += std::exp(log - largest);
  for (double const log : time_logs) {
    in_time += std::exp(log - largest);
    below_.push_back(in_time);
  }
  in_time_ = in_time / (in_time + in_starts);
  for (double& below : below_) below /= in_time > 0 ? in_time : 1;
}

double EventLength::quantile(double probability) const {
  auto const at = std::lower_bound(below_.begin(), below_.end(), probability);
  auto const last = static_cast<std::ptrdiff_t>(seconds_.size()) - 1;
  return seconds_[static_cast<std::size_t>(std::min(at - below_.begin(), last))];
}

}  // namespace gridcast::calibration
