#include "sim/running/shared_draws.hpp"

#include <array>
#include <cmath>

#include "sim/base/random.hpp"

namespace gridcast::running {

SharedDraws shared_draws(std::uint64_t seed, std::uint32_t future) {
  constexpr std::array<double, 4> primes = {2, 3, 5, 7};
  constexpr double least = 0x1p-53;  // never zero
  constexpr std::uint32_t of_shifts = 0xffff0010U;
  RandomStream shifts = RandomStreams(seed, 0).stream(Purpose::bootstrap, of_shifts);
  std::array<double, 4> u{};
  for (std::size_t i = 0; i < u.size(); ++i) {
    double const at = shifts.uniform() + future * std::sqrt(primes[i]);
    u[i] = std::fmax(least, at - std::floor(at));
  }
  return {u[0], u[1], u[2], u[3]};
}

}  // namespace gridcast::running
