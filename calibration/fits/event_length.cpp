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

// E events with K further hits: K ~ Poisson(E m).
double likelihood_in_starts(HitStarts const& hits, double mean) {
  if (hits.events == 0) return 1;
  double const expected = hits.events * mean;
  return std::exp(hits.further * std::log(expected) - expected - std::lgamma(hits.further + 1.0));
}

double likelihood_in_time(HitStarts const& hits, double seconds) {
  if (hits.events == 0) return 1;
  double const starts = hits.starts_per_second * seconds;
  double const ways = std::lgamma(hits.further + hits.events) - std::lgamma(hits.events) -
                      std::lgamma(hits.further + 1.0);
  return std::exp(ways + hits.further * std::log(starts / (1 + starts)) -
                  hits.events * std::log1p(starts));
}

}  // namespace

EventLength::EventLength(HitStarts const& hits) : seconds_(log_grid(shortest, longest)) {
  double in_starts = 0, in_time = 0;
  for (double const mean : log_grid(1, std::max(2, hits.jobs))) {
    in_starts += likelihood_in_starts(hits, mean);
  }
  for (double const seconds : seconds_) {
    in_time += likelihood_in_time(hits, seconds);
    below_.push_back(in_time);
  }
  in_time_ = in_time / (in_time + in_starts);
  for (double& below : below_) below /= in_time;
}

double EventLength::quantile(double probability) const {
  auto const at = std::lower_bound(below_.begin(), below_.end(), probability);
  auto const last = static_cast<std::ptrdiff_t>(seconds_.size()) - 1;
  return seconds_[static_cast<std::size_t>(std::min(at - below_.begin(), last))];
}

}  // namespace gridcast::calibration
