// Points that fill the unit cube evenly: point k has the coordinates
//
//   u_i = frac(s_i + k sqrt(p_i)),  p_i the i-th prime
//
// of a Richtmyer sequence (Niederreiter 1978, Bulletin of the AMS 84), with random shifts s_i.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "sim/base/random.hpp"

namespace gridcast::inline base {

/// One point, coordinate after coordinate; there are ten.
class EvenPoint {
 public:
  EvenPoint(RandomStream shifts, std::uint32_t number) : shifts_(shifts), number_(number) {}

  /// In (0, 1).
  double next() {
    static constexpr std::array primes = {2.0, 3.0, 5.0, 7.0, 11.0, 13.0, 17.0, 19.0, 23.0, 29.0};
    constexpr double least = 0x1p-53;
    double const turns = shifts_.uniform() + number_ * std::sqrt(primes.at(coordinate_++));
    return std::fmax(least, turns - std::floor(turns));
  }

 private:
  RandomStream shifts_;
  double number_;
  std::size_t coordinate_ = 0;
};

}  // namespace gridcast::inline base
