// Whole replicas of random grids: the fast network against SimGrid's max-min flows, and the
// protocols that need the latter.
#include "sim/base/error.hpp"
#include "tests/engine/conservation.hpp"
#include "tests/engine/random_grid.hpp"
#include "tests/model/closed_form.hpp"

namespace gridcast::test {

namespace {

// All that distinguishes a history, job by job: events of one moment may change places.
std::vector<double> replica_by_job(Grid const& grid, engine::NetworkModel network) {
  return in_child([&] {
    engine::Replica const replica = grid.run(0, {.network = network});
    check(violations(grid, replica).empty(), violations(grid, replica));
    std::vector<double> numbers;
    for (auto const& indices : history::events_by_job(replica.history)) {
      for (std::uint32_t const i : indices) {
        history::JobEvent const& event = replica.history.events[i];
        numbers.push_back(static_cast<double>(event.kind));
        numbers.push_back(event.site.valid() ? static_cast<double>(event.site.index()) : -1);
        numbers.push_back(event.slot);
        numbers.push_back(event.at.value());
      }
    }
    return numbers;
  });
}

}  // namespace

TEST_CASE("a replica is the same with the fast network and with max-min flows") {
  for (std::uint32_t number = 0; number < 40; ++number) {
    INFO("grid " << number);
    Grid grid = random_grid(number);
    // Expressions see whole seconds: a microsecond more may change what comes after.
    grid.strategy.retry.policy = {};
    are_near(replica_by_job(grid, engine::NetworkModel::fast),
             replica_by_job(grid, engine::NetworkModel::maxmin));
  }
}

TEST_CASE("direct downloads and HTCondor's own transfers conserve, too") {
  for (scenario::Protocol const protocol :
       {scenario::Protocol::http, scenario::Protocol::htcondor}) {
    for (std::uint32_t number = 0; number < 25; ++number) {
      INFO("grid " << number);
      Grid grid = random_grid(number);
      grid.strategy.transfer.protocol = protocol;
      grid.pool.access_point.max_transfer_input = Bytes(1e12);
      CHECK_NOTHROW(replica_by_job(grid, engine::NetworkModel::automatic));
    }
  }
}

}  // namespace gridcast::test
