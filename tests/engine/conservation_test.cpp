// Nothing gets lost in a replica: 300 random grids under as many strategies.
#include "tests/engine/conservation.hpp"

#include "tests/engine/random_grid.hpp"
#include "tests/test.hpp"

namespace gridcast::test {

TEST_CASE("each replica conserves slot time, bytes and jobs") {
  std::map<history::EventKind, std::size_t> seen;
  for (std::uint32_t number = 0; number < 300; ++number) {
    Grid const grid = random_grid(number);
    engine::Replica const replica = grid.run(number);
    INFO("grid " << number);
    CHECK(violations(grid, replica) == "");
    for (history::JobEvent const& event : replica.history.events) ++seen[event.kind];
  }
  using enum history::EventKind;
  for (history::EventKind const kind :
       {terminated, evicted, shadow_exception, held, released, aborted, requeued, checkpointed,
        suspended, reconnected, reconnect_failed}) {
    INFO("kind " << int(kind));
    CHECK(seen[kind] > 60);  // the grids do try it
  }
}

}  // namespace gridcast::test
