#include "sim/base/mixture.hpp"

#include <algorithm>
#include <utility>

namespace gridcast::inline base {

DistributionMixture::DistributionMixture(std::vector<Part> parts) : parts_(std::move(parts)) {
  double total = 0;
  for (Part const& part : parts_) total += part.share;
  for (Part& part : parts_) part.share /= total;
}

double DistributionMixture::cdf(double x) const {
  double sum = 0;
  for (Part const& part : parts_) sum += part.share * part.distribution.cdf(x);
  return sum;
}

double DistributionMixture::quantile(double u) const {
  double low = parts_.front().distribution.quantile(u), high = low;
  for (Part const& part : parts_) {
    double const of_part = part.distribution.quantile(u);
    low = std::min(low, of_part);
    high = std::max(high, of_part);
  }
  // Between the smallest and the largest of the parts' own; halved to the precision of a double.
  for (int i = 0; i < 200 && low < high; ++i) {
    double const middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    (cdf(middle) < u ? low : high) = middle;
  }
  return high;
}

}  // namespace gridcast::inline base
