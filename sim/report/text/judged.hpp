// Measured rows that a fit has not seen, beside their forecasts.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "sim/base/statistics.hpp"
#include "sim/base/text.hpp"

namespace gridcast::report {

class Judged {
 public:
  /// How a forecast is off: as a share of the measured value, or by points of a share.
  enum class Off { share, points };
  explicit Judged(Off off) : of_(off) {}

  void add(double measured, double median, Interval const& interval) {
    double const off = of_ == Off::points ? median - measured : median / measured - 1;
    off_ += std::abs(off);
    worst_ = std::max(worst_, std::abs(off));
    in_interval_ += interval.contains(measured) ? 1 : 0;
    ++rows_;
  }
  int rows() const { return rows_; }
  int in_interval() const { return in_interval_; }
  double mean_error() const { return rows_ > 0 ? off_ / rows_ : 0; }
  double worst_error() const { return worst_; }

  /// Empty without rows.
  std::string text() const {
    if (rows_ == 0) return "";
    return fmt::format(
        "Not fitted: {}, {:.1f} {} off on average, {:.1f} at worst; {} in their 90 % intervals.\n",
        counted(static_cast<std::size_t>(rows_), "row"), 100 * mean_error(),
        of_ == Off::points ? "points" : "%", 100 * worst_, in_interval_);
  }

 private:
  Off of_;
  double off_ = 0, worst_ = 0;
  int rows_ = 0, in_interval_ = 0;
};

}  // namespace gridcast::report
