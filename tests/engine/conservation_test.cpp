// Nothing gets lost in a replica: 3,000 random grids under as many strategies.
#include "tests/engine/conservation.hpp"

#include "tests/engine/random_grid.hpp"
#include "tests/test.hpp"

namespace gridcast::test {

TEST_CASE("each replica conserves slot time, bytes and jobs") {
  std::size_t succeeded = 0, held = 0, evicted = 0, stalled = 0;
  for (std::uint32_t number = 0; number < 3000; ++number) {
    Grid const grid = random_grid(number);
    engine::Replica const replica = grid.run(number);
    INFO("grid " << number);
    CHECK(violations(grid, replica) == "");
    succeeded += count(replica.history, history::EventKind::terminated);
    held += count(replica.history, history::EventKind::held);
    evicted += count(replica.history, history::EventKind::evicted);
    stalled += count(replica.history, history::EventKind::shadow_exception);
  }
  INFO(succeeded << " terminated, " << held << " held, " << evicted << " evicted, " << stalled
                 << " exceptions");
  CHECK(std::min({succeeded, held, evicted, stalled}) > 5000);  // the grids do try it
}

}  // namespace gridcast::test
