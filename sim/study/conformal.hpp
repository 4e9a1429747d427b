// Conformal correction of 90 % intervals: how much wider they have to be, by what campaigns that were
// forecast without having been seen turned out to be.
//
//   E_i = max((m - y) / (m - low), (y - m) / (high - m))   of campaign i: y observed, m the forecast's
//         median, [low, high] its central 90 % interval; above 1 outside of it
//   f   = the ceil(0.9 (n + 1))-th smallest of the n values E
//   corrected interval = [m - f (m - low), m + f (high - m)]
//
// It holds a further campaign with a probability of 90 % or more, whatever the forecasts are worth,
// where that campaign is exchangeable with the n (drawn as they were). With fewer than nine campaigns
// there is no such value. Conformalised quantile regression: Romano, Patterson & Candès 2019 (NeurIPS
// 32), here scaled by the halves of the interval; leaving one out: Barber et al. 2021 (Annals of
// Statistics 49, "Predictive inference with the jackknife+").
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/study/forecast_scores.hpp"
#include "sim/study/sample.hpp"

namespace gridcast::study {

inline constexpr double conformal_level = 0.9;
/// The least n with ceil(0.9 (n + 1)) <= n.
inline constexpr std::size_t least_conformal_campaigns = 9;

struct ConformalFactor {
  std::string figure;
  std::size_t campaigns = 0;
  double factor = 1;  // f; infinite where too many forecasts were sure of what did not come
};

struct ConformalTable {
  std::vector<ConformalFactor> factors;
  /// Of the corrected intervals, each by the other campaigns alone: none with fewer than ten.
  std::size_t cases = 0, inside = 0;
};

/// Of records that are campaigns of their own, each forecast once; figures that at least nine of them
/// have and that could vary.
ConformalTable conformal_table(std::vector<ScoredRecord> const& records);

/// The summary with its 5 and 95 % points moved, not beyond what is possible; as it is where the factor
/// is infinite.
Summary corrected(Summary summary, double factor, Interval const& possible);

}  // namespace gridcast::study
