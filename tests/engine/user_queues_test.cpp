// Two users in one queue, in the engine: who starts when.
#include "sim/engine/job_queue.hpp"
#include "tests/engine/conservation.hpp"
#include "tests/test.hpp"

namespace gridcast::test {

namespace {

// Jobs take 10 s of transfer and 1,000 s of computing; cycles are a second apart.
constexpr double round = 1011;

/// Alice's jobs at the start, then Bob's.
Grid two_users(int gpus, int alice, int bob) {
  Grid grid = quiet_grid(gpus, alice);
  grid.campaign.submit[0].user = "alice";
  grid.campaign.submit.push_back({.at = Seconds(100), .jobs = bob, .user = "bob"});
  return grid;
}

/// In which round each job of a user was matched, and how many in each.
std::vector<int> rounds(engine::Replica const& replica, std::string const& user, std::size_t most) {
  std::vector<int> counts(most);
  for (history::JobEvent const& event : replica.history.events) {
    if (event.kind != history::EventKind::matched) continue;
    if (replica.history.users[event.job.index()] != user) continue;
    auto const number = static_cast<std::size_t>(event.at.value() / round);
    if (number < most) ++counts[number];
  }
  return counts;
}

}  // namespace

TEST_CASE("users with the same priority share the free slots") {
  Grid const grid = two_users(8, 40, 12);
  engine::Replica const replica = grid.run();
  CHECK(Violations(grid, replica).text() == "");
  // With a half-life of a day 1,000 s change a priority by a tenth: 8 slots are 3.8 and 4.2 of
  // them, rounded up for the better priority.
  CHECK(rounds(replica, "alice", 2) == std::vector<int>{8, 3});
  CHECK(rounds(replica, "bob", 2) == std::vector<int>{0, 5});
}

TEST_CASE("a priority factor of three is a third of the share") {
  Grid grid = two_users(8, 40, 12);
  grid.pool.negotiator.priority_halflife = days(1e6);  // nobody's use counts
  grid.campaign.submit[1].priority_factor = 3000;
  CHECK(rounds(grid.run(), "bob", 3) == std::vector<int>{0, 2, 2});
  grid.campaign.submit[0].priority_factor = 9000;
  CHECK(rounds(grid.run(), "bob", 3) == std::vector<int>{0, 6, 6});
}

TEST_CASE("who has used much for long gives way to who comes") {
  Grid grid = two_users(8, 40, 12);
  grid.pool.negotiator.priority_halflife = Seconds(10);
  // Alice's real priority is 8, Bob's 0.5: 8 slots are 0.47 and 7.53 of them. Bob takes seven, and
  // her part of one is rounded up.
  CHECK(rounds(grid.run(), "bob", 2) == std::vector<int>{0, 7});
}

TEST_CASE("one named user changes nothing") {
  Grid named = quiet_grid(3, 10);
  named.campaign.submit.push_back({.at = Seconds(50), .jobs = 4});
  Grid const plain = named;
  for (scenario::Submission& submission : named.campaign.submit) submission.user = "alice";
  history::JobHistory const a = named.run().history, b = plain.run().history;
  CHECK(a.users.empty());
  REQUIRE(a.events.size() == b.events.size());
  for (std::size_t i = 0; i < a.events.size(); ++i) {
    CHECK(a.events[i].job == b.events[i].job);
    CHECK(a.events[i].at == b.events[i].at);
  }
}

TEST_CASE("slots that evictions and holds give back are no longer counted") {
  Grid grid = two_users(6, 60, 60);
  grid.site().pilot_kill_per_second = 1e-4;
  grid.draw.outages.stall_when_quiet = 0.2;
  grid.strategy.transfer.stall_timeout = Seconds(50);
  engine::Replica const replica = grid.run();
  CHECK(Violations(grid, replica).text() == "");
  CHECK(ledger::account(replica.history).total.succeeded == 120);
  // Half and half while both wait, so Bob's last job ends not long after his share would.
  double last = 0;
  for (history::JobEvent const& event : replica.history.events) {
    bool const of_bob = replica.history.users[event.job.index()] == "bob";
    if (of_bob && event.kind == history::EventKind::terminated) last = event.at.value();
  }
  double const all = ledger::account(replica.history).makespan->value();
  CHECK(last > 0.8 * all);
}

}  // namespace gridcast::test
