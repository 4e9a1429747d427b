#include <cmath>

#include "sim/running/rest_of_campaign.hpp"
#include "tests/test.hpp"

namespace gridcast::running {

TEST_CASE("a hundred futures have even shares of each shared draw", "[shared_draws]") {
  double SharedDraws::*const members[] = {&SharedDraws::factor, &SharedDraws::rescue,
                                          &SharedDraws::removal, &SharedDraws::release};
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    for (auto const member : members) {
      for (double const share : {0.05, 0.5, 0.95}) {
        int below = 0;
        for (std::uint32_t i = 0; i < 100; ++i) {
          double const u = shared_draws(seed, i).*member;
          CHECK((u > 0 && u < 1));
          below += u < share ? 1 : 0;
        }
        CHECK(std::abs(below - 100 * share) < 5);  // independent draws: up to 15 away
      }
    }
  }
  CHECK(shared_draws(1, 7).rescue != shared_draws(2, 7).rescue);
}

TEST_CASE("shared draws do not depend on each other", "[shared_draws]") {
  int both = 0;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    auto const draws = shared_draws(3, i);
    both += draws.rescue < 0.5 && draws.removal < 0.5 ? 1 : 0;
  }
  CHECK(std::abs(both - 250) < 25);
}

}  // namespace gridcast::running
