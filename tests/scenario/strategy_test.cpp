#include "sim/scenario/strategy.hpp"

#include "sim/scenario/tables.hpp"
#include "tests/scenario/changed_strategies.hpp"
#include "tests/test.hpp"

namespace gridcast::scenario {

TEST_CASE("a strategy with one key changed differs from the default in that key alone") {
  auto const changed = test::changed_strategies();
  REQUIRE(changed.size() > 30);
  CHECK(Strategy() == Strategy());
  CHECK(strategy_table().differences(Strategy(), Strategy()).empty());
  for (auto const& [path, strategy] : changed) {
    CAPTURE(path);
    CHECK_FALSE(strategy == Strategy());
    CHECK(Strategy(strategy) == strategy);
    auto const differences = strategy_table().differences(Strategy(), strategy);
    REQUIRE(differences.size() == 1);
    CHECK(differences.front().path == path);
    CHECK(strategy_table().differences(strategy, strategy).empty());
  }
}

}  // namespace gridcast::scenario
