// A quantity over time as the mean of equal bins: how much flowed, how many there were at a time.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/base/units.hpp"

namespace gridcast::report {

/// Something that lasts, at an even rate: bytes a second, or 1 for each of what is counted.
struct Stretch {
  Seconds start, end;
  double rate = 1;
};

/// Mean over each of `bins` equal parts of 0 to `end` of the sum of rates.
std::vector<double> binned(std::vector<Stretch> const& stretches, Seconds end, std::size_t bins);
/// The largest sum of rates at any time.
double peak(std::vector<Stretch> const& stretches);

}  // namespace gridcast::report
