#include "sim/running/shared_draws.hpp"

#include "sim/base/even_points.hpp"

namespace gridcast::running {

SharedDraws shared_draws(std::uint64_t seed, std::uint32_t future) {
  constexpr std::uint32_t of_shifts = 0xffff0010U;
  EvenPoint point(RandomStreams(seed, 0).stream(Purpose::bootstrap, of_shifts), future);
  SharedDraws draws;
  for (double* const draw : {&draws.factor, &draws.rescue, &draws.removal, &draws.release}) {
    *draw = point.next();
  }
  return draws;
}

}  // namespace gridcast::running
