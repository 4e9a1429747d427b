#include "sim/ledger/ledger.hpp"
#include "tests/history/history_builder.hpp"
#include "tests/test.hpp"

namespace gridcast::ledger {
namespace {

using enum history::EventKind;
using history::Reason;

/// Two jobs of two users on two hosts of one site, and one that is removed in the queue.
history::JobHistory campaign() {
  test::HistoryBuilder builder({{1, 0}, {1, 1}, {2, 0}}, {"A"});
  builder.add(0, 0, submitted).add(0, 1, submitted).add(0, 2, submitted);
  builder.add(10, 0, matched).on(0, 1).add(20, 0, executing).on(0, 1);
  builder.add(50, 0, evicted, Reason::vacated).on(0, 1);
  builder.add(60, 0, matched).on(0, 2).add(70, 0, executing).on(0, 2);
  builder.add(100, 0, terminated).on(0, 2);
  builder.add(10, 1, matched).on(0, 2).add(10, 1, executing).on(0, 2);
  builder.add(40, 1, held, Reason::out_of_resources).on(0, 2);
  builder.add(200, 2, aborted, Reason::manual);
  history::JobHistory history = builder.get();
  history.slots = {"unknown", "slot1@n1.a.org", "slot1@n2.a.org"};
  history.users = {"ann", "bob", "ann"};
  history.labels = {{.executable = "x"}, {.executable = "y"}, {.executable = "y"}};
  return history;
}

void check_sums(Ledger const& grouped) {
  LedgerLines sum;
  for (auto const& [name, lines] : grouped.sites) sum += lines;
  CHECK(sum.jobs == 3);
  CHECK(sum.wallclock() == Seconds(110));
  CHECK(sum.badput() == grouped.total.badput());
  CHECK(grouped.total.wallclock() == Seconds(110));
}

}  // namespace

TEST_CASE("Groups of each kind add up to the whole") {
  for (std::string const& name : grouping_names()) {
    CAPTURE(name);
    check_sums(account_by(campaign(), *grouping_named(name)));
  }
  CHECK_FALSE(grouping_named("colour"));
}

TEST_CASE("A second counts for the host where it was spent, a job for its last one") {
  auto const by_host = account_by(campaign(), Grouping::host).sites;
  CHECK(by_host.at("n1.a.org").wallclock() == Seconds(40));
  CHECK(by_host.at("n1.a.org").jobs == 0);
  CHECK(by_host.at("n2.a.org").wallclock() == Seconds(70));
  CHECK(by_host.at("n2.a.org").jobs == 2);
  CHECK(by_host.at("").removed == 1);
}

TEST_CASE("A job counts for its user, its program and its end") {
  auto const by_user = account_by(campaign(), Grouping::user).sites;
  CHECK(by_user.at("ann").jobs == 2);
  CHECK(by_user.at("ann").compute_evicted == Seconds(30));
  CHECK(by_user.at("bob").compute_held == Seconds(30));
  auto const by_program = account_by(campaign(), Grouping::program).sites;
  CHECK(by_program.at("x").succeeded == 1);
  CHECK(by_program.at("y").jobs == 2);
  auto const by_exit = account_by(campaign(), Grouping::exit).sites;
  CHECK(by_exit.at("exit 0").compute_success == Seconds(30));
  CHECK(by_exit.at("held: out of resources").held == 1);
  CHECK(by_exit.at("removed: manual").wallclock() == Seconds());
}

}  // namespace gridcast::ledger
