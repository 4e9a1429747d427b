// What <limits>, <cmath>, <cctype> and a cast spell out at length.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>

namespace gridcast::inline base {

inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// A count as a number to calculate with.
inline double count(std::size_t n) { return static_cast<double>(n); }

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

inline double square(double x) { return x * x; }

/// Of the standard normal distribution.
inline double normal_cdf(double z) { return 0.5 * std::erfc(-z * M_SQRT1_2); }

}  // namespace gridcast::inline base
