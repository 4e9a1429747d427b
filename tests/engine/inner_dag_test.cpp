// DAGs that are one node of another (SUBDAG EXTERNAL): their limits, the exit codes that end them,
// and their further runs.
#include <algorithm>

#include "sim/engine/job_queue.hpp"
#include "sim/ledger/ledger.hpp"
#include "tests/engine/dag_nodes.hpp"
#include "tests/engine/events.hpp"
#include "tests/engine/quiet_grid.hpp"
#include "tests/test.hpp"

namespace gridcast::test {
namespace {

using engine::DagQueue;

// An inner DAG of two chains, of which two may run at a time.
TEST_CASE("An inner DAG is one node for the limits outside, and has its own inside") {
  scenario::Campaign campaign;
  campaign.categories = {{"subwf", 1}, {"in1+big", 1}};
  campaign.dags = {{.name = "in1", .category = "subwf"}, {.name = "in2", .category = "subwf"}};
  campaign.submit = {node("in1+a"), node("in1+b"), node("in1+c", {"in1+a"}), node("in2+a"),
                     node("top")};
  for (std::size_t i : {0u, 1u, 2u}) campaign.submit[i].dag = "in1";
  campaign.submit[3].dag = "in2";
  auto const done = [](DagQueue& queue, std::uint32_t job) {
    queue.settled(Id<history::Job>(job), DagQueue::Left::succeeded);
    return numbers(queue.take_ready());
  };
  SECTION("a category of inner DAGs") {
    DagQueue queue(campaign);
    CHECK(numbers(queue.take_ready()) == Numbers{0, 1, 4});  // in2 waits for in1
    CHECK(done(queue, 1).empty());
    CHECK(done(queue, 0) == Numbers{2});
    CHECK(done(queue, 4).empty());
    CHECK(done(queue, 2) == Numbers{3});
  }
  SECTION("a category inside") {
    campaign.submit[0].category = campaign.submit[1].category = "in1+big";
    DagQueue queue(campaign);
    CHECK(numbers(queue.take_ready()) == Numbers{0, 4});
    CHECK(done(queue, 0) == Numbers{1, 2});
  }
  SECTION("the limit of nodes outside counts an inner DAG once, also between its nodes") {
    campaign.max_nodes = 1;
    DagQueue queue(campaign);
    CHECK(numbers(queue.take_ready()) == Numbers{0, 1});
    CHECK(done(queue, 1).empty());
    CHECK(done(queue, 0) == Numbers{2});
    CHECK(done(queue, 2) == Numbers{3});
    CHECK(done(queue, 3) == Numbers{4});
  }
  SECTION("the limit of nodes inside") {
    campaign.dags[0].max_nodes = 1;
    DagQueue queue(campaign);
    CHECK(numbers(queue.take_ready()) == Numbers{0, 4});
    CHECK(done(queue, 0) == Numbers{1});
    CHECK(done(queue, 1) == Numbers{2});
  }
  SECTION("an inner DAG whose rest never comes is over") {
    DagQueue queue(campaign);
    queue.take_ready();
    CHECK(done(queue, 1).empty());
    CHECK(queue.settled(Id<history::Job>(0), DagQueue::Left::failed).size() == 1);
    CHECK(numbers(queue.take_ready()) == Numbers{3});
  }
}

TEST_CASE("Inner DAGs of inner DAGs hold each other back") {
  scenario::Campaign campaign;
  campaign.categories = {{"one", 1}};
  campaign.dags = {{.name = "a"},
                   {.name = "a+b", .in = "a", .category = "one"},
                   {.name = "a+c", .in = "a", .category = "one"}};
  campaign.submit = {node("x"), node("y")};
  campaign.submit[0].dag = "a+b";
  campaign.submit[1].dag = "a+c";
  DagQueue queue(campaign);
  CHECK(numbers(queue.take_ready()) == Numbers{0});
  queue.settled(Id<history::Job>(0), DagQueue::Left::succeeded);
  CHECK(numbers(queue.take_ready()) == Numbers{1});
}

TEST_CASE("ABORT-DAG-ON of an inner DAG fails its node, or with RETURN 0 lets the others go on") {
  scenario::Campaign campaign;
  campaign.dags = {{.name = "in"}};
  campaign.submit = {node("in+a"), node("in+b", {"in+a"}), node("after", {"in+b"}), node("other")};
  campaign.submit[0].dag = campaign.submit[1].dag = "in";
  campaign.submit[0].abort_on = 1;
  SECTION("failed") {
    DagQueue queue(campaign);
    CHECK(numbers(queue.take_ready()) == Numbers{0, 3});
    CHECK(queue.settled(Id<history::Job>(0), DagQueue::Left::failed).size() == 2);
    CHECK(queue.abort(0).empty());
    CHECK(queue.submitted_with(0).empty());  // the outer DAG goes on
    CHECK(!queue.is_aborted(3));
  }
  SECTION("succeeded") {
    campaign.submit[0].abort_return = 0;
    campaign.submit[1].after = {};
    DagQueue queue(campaign);
    CHECK(numbers(queue.take_ready()) == Numbers{0, 1, 3});
    CHECK(queue.settled(Id<history::Job>(0), DagQueue::Left::failed).empty());
    CHECK(queue.abort(0).empty());
    CHECK(queue.submitted_with(0) == Numbers{1});
    CHECK(numbers(queue.take_ready()) == Numbers{2});
    CHECK(queue.settled(Id<history::Job>(1), DagQueue::Left::failed).empty());
    CHECK(queue.take_ready().empty());
  }
}

TEST_CASE("An inner DAG that ends by ABORT-DAG-ON is tried again, without a node's own retries") {
  scenario::Campaign campaign;
  campaign.dags = {{.name = "in", .retries = 1}};
  campaign.submit = {node("in+a"), node("in+b"), node("in+c", {"in+b"}), node("out")};
  for (std::size_t i : {0u, 1u, 2u}) campaign.submit[i].dag = "in";
  campaign.submit[0].abort_on = 3;
  Id<history::Job> const first(0), second(1);
  auto const begin = [](DagQueue& queue) {
    CHECK(numbers(queue.take_ready()) == Numbers{0, 1, 3});
  };
  SECTION("once") {
    DagQueue queue(campaign);
    begin(queue);
    REQUIRE(queue.aborts(first, 3));
    CHECK(queue.restart(0) == Numbers{1});  // not the one outside
    CHECK(!queue.aborts(first, 3));         // this time the DAG goes on
    CHECK(queue.retry(first, 3));
    queue.run_again(1);
    CHECK(queue.retry(second, -1));   // removed, and submitted again
    CHECK(!queue.retry(second, -1));  // it has no retries of its own
    REQUIRE(queue.aborts(first, 3));
    CHECK(queue.restart(0).empty());
    CHECK(queue.aborts(first, 3));
    CHECK(!queue.retry(first, 3));
  }
  SECTION("not after the exit code of UNLESS-EXIT, nor if it has succeeded") {
    campaign.submit[0].abort_return = GENERATE(4, 0);
    campaign.dags[0].unless_exit = 4;
    DagQueue queue(campaign);
    begin(queue);
    CHECK(queue.restart(0).empty());
    CHECK(!queue.retry(first, 3));
  }
}

TEST_CASE("The exit code of an inner DAG ends the DAG around it") {
  scenario::Campaign campaign;
  campaign.dags = {{.name = "mid", .abort_on = 5}, {.name = "in", .in = "mid", .abort_on = 4}};
  campaign.submit = {node("in+a"), node("in+b", {"in+a"}), node("mid+c"), node("out"),
                     node("after", {"out"})};
  campaign.submit[0].dag = campaign.submit[1].dag = "in";
  campaign.submit[2].dag = "mid";
  campaign.submit[0].abort_on = 3;
  campaign.submit[0].abort_return = 4;
  Id<history::Job> const first(0);
  auto const fail = [&](DagQueue& queue) {
    CHECK(numbers(queue.take_ready()) == Numbers{0, 2, 3});
    REQUIRE(queue.aborts(first, 3));
    CHECK(queue.restart(0).empty());
    queue.settled(first, DagQueue::Left::failed);
    queue.abort(0);
    CHECK(queue.end_outer(0).empty());
    return queue.take_ended();
  };
  SECTION("the next one") {
    DagQueue queue(campaign);
    CHECK(fail(queue) == Numbers{2});
    CHECK(!queue.is_aborted(3));
  }
  SECTION("and the one around that") {
    campaign.dags[1].abort_return = 5;
    DagQueue queue(campaign);
    CHECK(fail(queue) == Numbers{2, 3});
    CHECK(queue.is_aborted(4));
  }
}

TEST_CASE("An inner DAG with a failed node exits with 1, without one with 0") {
  scenario::Campaign campaign;
  int const abort_on = GENERATE(0, 1);
  auto const left =
      GENERATE(DagQueue::Left::failed, DagQueue::Left::succeeded, DagQueue::Left::held_for_good);
  campaign.dags = {{.name = "in", .abort_on = abort_on}};
  campaign.submit = {node("in+a"), node("in+b"), node("other"), node("late", {"other"})};
  campaign.submit[0].dag = campaign.submit[1].dag = "in";
  DagQueue queue(campaign);
  CHECK(numbers(queue.take_ready()) == Numbers{0, 1, 2});
  queue.settled(Id<history::Job>(0), left);
  CHECK(queue.end_outer(0).empty());  // another node runs
  CHECK(!queue.is_aborted(2));
  queue.settled(Id<history::Job>(1), DagQueue::Left::succeeded);
  bool const ends = (left == DagQueue::Left::failed && abort_on == 1) ||
                    (left == DagQueue::Left::succeeded && abort_on == 0);
  CHECK(queue.end_outer(1).size() == (ends ? 1 : 0));  // late
  CHECK(queue.is_aborted(2) == ends);
  CHECK(queue.take_ended() == (ends ? Numbers{2} : Numbers{}));
}

TEST_CASE("An inner DAG whose node failed runs again from its rescue file, if it has retries") {
  using enum DagQueue::Left;
  scenario::Campaign campaign;
  campaign.categories = {{"subwf", 1}};
  campaign.dags = {{.name = "in", .category = "subwf", .retries = 1},
                   {.name = "next", .category = "subwf"}};
  campaign.submit = {node("in+a"), node("in+b", {"in+a"}), node("in+c"),
                     node("after", {"in+b", "in+c"}), node("next+a")};
  for (std::size_t i : {0u, 1u, 2u}) campaign.submit[i].dag = "in";
  campaign.submit[4].dag = "next";
  campaign.submit[0].retries = 1;
  std::size_t lost = 0;
  auto const leaves = [&lost](DagQueue& queue, std::uint32_t job, DagQueue::Left how) {
    Id<history::Job> const id(job);
    lost += queue.settled(id, how).size() + queue.end_outer(queue.node_of(id)).size();
    return numbers(queue.take_ready());
  };
  // The retry is the last of the ready nodes (DAGMAN_RETRY_NODE_FIRST is false unless it is set).
  SECTION("succeeded nodes stay so, and the others have all their retries again") {
    DagQueue queue(campaign);
    CHECK(numbers(queue.take_ready()) == Numbers{0, 2});
    CHECK(queue.retry(Id<history::Job>(0), 1));
    CHECK(!queue.retry(Id<history::Job>(0), 1));
    CHECK(leaves(queue, 0, failed).empty());  // c still runs
    CHECK(leaves(queue, 2, succeeded) == Numbers{4});
    CHECK(leaves(queue, 4, succeeded) == Numbers{0});
    CHECK(queue.retry(Id<history::Job>(0), 1));
    CHECK(leaves(queue, 0, succeeded) == Numbers{1});
    CHECK(leaves(queue, 1, succeeded) == Numbers{3});
    CHECK(lost == 0);
  }
  SECTION("no third run") {
    DagQueue queue(campaign);
    queue.take_ready();
    leaves(queue, 2, succeeded);
    leaves(queue, 0, failed);
    CHECK(leaves(queue, 4, succeeded) == Numbers{0});
    CHECK(lost == 0);
    CHECK(leaves(queue, 0, failed).empty());
    CHECK(lost == 2);  // b and after; a itself has left
  }
  SECTION("not after UNLESS-EXIT 1, nor with a job that is held for good") {
    bool const is_held = GENERATE(false, true);
    if (!is_held) campaign.dags[0].unless_exit = 1;
    DagQueue queue(campaign);
    queue.take_ready();
    leaves(queue, 2, is_held ? held_for_good : succeeded);
    CHECK(leaves(queue, 0, failed) == Numbers{4});
    CHECK(lost == 3);
  }
  SECTION("not behind the horizon") {
    DagQueue queue(campaign);
    queue.take_ready();
    leaves(queue, 0, failed);
    CHECK(queue.give_up().size() == 4);  // a, b, after, next
    CHECK(leaves(queue, 2, failed).empty());
  }
}

TEST_CASE("A second run of an outer DAG runs its inner ones again, with all their retries") {
  using enum DagQueue::Left;
  scenario::Campaign campaign;
  campaign.dags = {{.name = "out", .retries = 1}, {.name = "in", .in = "out", .retries = 1}};
  campaign.submit = {node("in+a"), node("in+b"), node("out+c"), node("after", {"in+a", "out+c"})};
  campaign.submit[0].dag = campaign.submit[1].dag = "in";
  campaign.submit[2].dag = "out";
  DagQueue queue(campaign);
  std::size_t lost = 0;
  auto const leaves = [&](std::uint32_t job, DagQueue::Left how) {
    lost += queue.settled(Id<history::Job>(job), how).size() + queue.end_outer(job).size();
    return numbers(queue.take_ready());
  };
  CHECK(numbers(queue.take_ready()) == Numbers{0, 1, 2});
  CHECK(leaves(1, succeeded).empty());
  CHECK(leaves(0, failed) == Numbers{0});
  CHECK(leaves(0, failed).empty());  // c runs
  CHECK(leaves(2, failed) == Numbers{0, 2});
  CHECK(leaves(2, succeeded).empty());
  CHECK(leaves(0, failed) == Numbers{0});
  SECTION("that end well") {
    CHECK(leaves(0, succeeded) == Numbers{3});
    CHECK(lost == 0);
  }
  SECTION("that fail for good") {
    CHECK(leaves(0, failed).empty());
    CHECK(lost == 1);  // after
  }
}

TEST_CASE("A DAG that an inner one ends runs again with its other nodes, if it has retries") {
  using enum DagQueue::Left;
  scenario::Campaign campaign;
  campaign.dags = {{.name = "out", .retries = 1},
                   {.name = "in", .in = "out", .retries = 5, .abort_on = 1}};
  campaign.submit = {node("in+a"), node("out+b"), node("out+c", {"in+a"})};
  campaign.submit[0].dag = "in";
  campaign.submit[1].dag = campaign.submit[2].dag = "out";
  DagQueue queue(campaign);
  auto const fail = [&queue] {
    return queue.settled(Id<history::Job>(0), failed).size() + queue.end_outer(0).size();
  };
  CHECK(numbers(queue.take_ready()) == Numbers{0, 1});
  CHECK(fail() == 0);
  CHECK(queue.take_again() == Numbers{1});
  CHECK(queue.take_ended().empty());
  CHECK(numbers(queue.take_ready()) == Numbers{0});
  CHECK(fail() == 2);  // a and c
  CHECK(queue.take_again().empty());
  CHECK(queue.take_ended() == Numbers{1});
}

/// Programs of "quick" always fail.
Grid failing_inner_dag(int retries) {
  Grid grid = quiet_grid(4, 1);
  grid.campaign.dags = {{.name = "in", .retries = retries}};
  grid.campaign.submit = {node("quick"), node("slow"), node("done"), node("after", {"slow"}),
                          node("other")};
  for (std::size_t i : {0u, 1u, 2u}) grid.campaign.submit[i].dag = "in";
  for (scenario::Submission& each : grid.campaign.submit) each.crash_odds = {1e-12, 1e-12};
  grid.campaign.submit[0].crash_odds = {1e12, 1e12};
  grid.campaign.submit[0].scale = 0.1;
  grid.campaign.submit[2].scale = 1e-6;  // it ends before any crash
  grid.campaign.submit[0].abort_on = 3;
  grid.campaign.work.exit_codes = {3};
  grid.site().crash = 0.5;
  return grid;
}

TEST_CASE("a second run of an inner DAG removes its running nodes and keeps finished ones") {
  using enum history::EventKind;
  int const retries = GENERATE(0, 2);
  auto const history = failing_inner_dag(retries).run().history;
  auto const of = [&](std::size_t job) { return events_of(history, job); };
  auto const runs = static_cast<std::size_t>(retries) + 1;
  CHECK(times(of(0), executing).size() == runs);
  CHECK(times(of(1), executing).size() == runs);
  CHECK(times(of(1), evicted).size() == runs - 1);
  CHECK(times(of(1), aborted).size() == 1);
  CHECK(times(of(2), executing).size() == 1);
  for (history::JobEvent const& event : of(0)) {
    if (event.kind == requeued || event.kind == terminated) CHECK(event.exit_code == 3);
  }
  CHECK(of(3).empty());
  CHECK(times(of(4), evicted).empty());
  CHECK(ledger::account(history).total.succeeded == 2);
}

TEST_CASE("A node fails in each run of its inner DAG as often as it has retries") {
  using enum history::EventKind;
  Grid grid = failing_inner_dag(2);
  grid.campaign.submit[0].abort_on = {};
  grid.campaign.submit[0].retries = 1;
  int const jobs = GENERATE(1, 2);
  grid.campaign.submit[1].jobs = jobs;
  grid.campaign.submit[3].after = {"quick", "slow", "done"};
  auto const history = grid.run().history;
  auto const of = [&](std::size_t job) { return events_of(history, job); };
  CHECK(times(of(0), executing).size() == 6);  // (1 + 1) (2 + 1)
  CHECK(times(of(0), submitted).size() == 3);
  auto const after = static_cast<std::size_t>(jobs) + 2;
  Seconds last;
  for (std::size_t slow = 1; slow + 1 < after; ++slow) {
    CHECK(times(of(slow), executing).size() == 1);
    last = std::max(last, times(of(slow), terminated).at(0));
  }
  CHECK(times(of(0), submitted)[1] == last);
  CHECK(times(of(after - 1), executing).size() == 1);
  CHECK(of(after).empty());
  CHECK(ledger::account(history).total.succeeded == static_cast<std::size_t>(jobs) + 2);
}

TEST_CASE("A failing node of several jobs comes again with all of them") {
  using enum history::EventKind;
  Grid grid = failing_inner_dag(1);
  grid.campaign.submit[0].abort_on = {};
  grid.campaign.submit[0].jobs = 2;
  auto const history = grid.run().history;
  CHECK(times(events_of(history, 0), submitted).size() == 2);
  CHECK(times(events_of(history, 1), submitted).size() == 2);
  CHECK(times(events_of(history, 2), submitted).size() == 1);
  CHECK(history.jobs.size() == 6);
}

TEST_CASE("An inner DAG that fails has the running jobs of the outer one removed") {
  using enum history::EventKind;
  Grid grid = failing_inner_dag(0);
  bool const by_failure = GENERATE(false, true);
  grid.campaign.dags[0].abort_on = by_failure ? 1 : 3;
  if (by_failure) grid.campaign.submit[0].abort_on = {};
  grid.campaign.submit[4].scale = 3;
  auto const history = grid.run().history;
  CHECK(times(events_of(history, 4), aborted).size() == 1);
  CHECK(times(events_of(history, 4), executing).size() == 1);
  CHECK(events_of(history, 3).empty());
  // An inner DAG whose node failed goes on as far as it can: its slow node succeeds.
  CHECK(ledger::account(history).total.succeeded == (by_failure ? 2 : 1));
}

}  // namespace
}  // namespace gridcast::test
