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

TEST_CASE("each replica of a DAG conserves time and jobs under any failure of its nodes") {
  std::size_t removed = 0, again = 0;
  for (std::uint32_t number = 0; number < 300; ++number) {
    Grid grid = random_grid(number);
    RandomStream random = RandomStreams(3, 0).stream(Purpose::test, number);
    auto& submit = grid.campaign.submit;
    for (std::size_t i = 0; i < submit.size(); ++i) {
      submit[i].name = std::to_string(i);
      submit[i].retries = static_cast<int>(random.below(4));
      if (i > 0 && random.chance(0.5)) submit[i].after = {std::to_string(i - 1)};
    }
    engine::Replica const replica = grid.run(number);
    INFO("grid " << number);
    CHECK(violations(grid, replica) == "");
    removed += count(replica.history, history::EventKind::aborted, history::Reason::node_failed);
    for (double const times : counts(replica.history, history::EventKind::submitted)) {
      again += times > 1;
    }
  }
  CHECK(removed > 1000);  // the grids do try it
  CHECK(again > 1000);
}

}  // namespace gridcast::test
