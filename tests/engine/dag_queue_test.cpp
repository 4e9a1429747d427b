// Submissions that wait for each other: by hand what the queue lets go, and closed forms of whole
// campaigns on the quiet grid (a job takes 10 s of transfer and 1,000 s of execution).
#include "sim/engine/job_queue.hpp"
#include "sim/ledger/ledger.hpp"
#include "tests/engine/dag_nodes.hpp"
#include "tests/engine/events.hpp"
#include "tests/engine/quiet_grid.hpp"
#include "tests/test.hpp"

namespace gridcast::test {
namespace {

using engine::DagQueue;

TEST_CASE("A node comes when all that it waits for has succeeded") {
  scenario::Campaign campaign;
  campaign.submit = {node("a"), node("b"), node("c", {"a", "b"})};
  DagQueue queue(campaign);
  CHECK(numbers(queue.take_ready()) == Numbers{0, 1});
  queue.settled(Id<history::Job>(0), DagQueue::Left::succeeded);
  CHECK(queue.take_ready().empty());
  queue.settled(Id<history::Job>(1), DagQueue::Left::succeeded);
  CHECK(numbers(queue.take_ready()) == Numbers{2});
}

TEST_CASE("A simulated job is called by its node, and by nothing where there are no nodes") {
  scenario::Campaign campaign;
  campaign.submit = {node("a"), node("b", {"a"})};
  campaign.submit[0].jobs = 2;
  auto const labels = engine::unplayed_history({}, campaign).labels;
  REQUIRE(labels.size() == 3);
  CHECK(labels[0].node == "a");
  CHECK(labels[1].node == "a");
  CHECK(labels[2].node == "b");
  campaign.submit = {node(""), node("")};
  CHECK(engine::unplayed_history({}, campaign).labels.empty());
}

TEST_CASE("A node behind a failed node never runs, and is reported once") {
  scenario::Campaign campaign;
  campaign.submit = {node("a"), node("b", {"a"}), node("c", {"b"}), node("d", {"a", "c"})};
  DagQueue queue(campaign);
  queue.take_ready();
  CHECK(queue.settled(Id<history::Job>(0), DagQueue::Left::failed).size() == 3);
  CHECK(queue.take_ready().empty());
  CHECK(queue.give_up().empty());
}

TEST_CASE("Categories and -maxjobs hold back; retries are counted, but not after UNLESS-EXIT") {
  scenario::Campaign campaign;
  campaign.submit = {node("a"), node("b"), node("c")};
  campaign.submit[0].category = campaign.submit[1].category = "big";
  campaign.categories = {{"big", 1}};
  campaign.submit[2].retries = 1;
  campaign.submit[2].unless_exit = 2;
  DagQueue queue(campaign);
  CHECK(numbers(queue.take_ready()) == Numbers{0, 2});
  CHECK(!queue.retry(Id<history::Job>(2), 2));
  CHECK(queue.retry(Id<history::Job>(2), 1));
  CHECK(!queue.retry(Id<history::Job>(2), 1));
  queue.settled(Id<history::Job>(0), DagQueue::Left::succeeded);
  CHECK(numbers(queue.take_ready()) == Numbers{1});
}

TEST_CASE("The node that has been ready for longest is submitted first") {
  scenario::Campaign campaign;
  campaign.submit = {node("a1"), node("a2", {"a1"}), node("b1"), node("b2", {"b1"})};
  campaign.max_nodes = 1;
  DagQueue queue(campaign);
  Numbers order;
  for (int i = 0; i < 4; ++i) {
    auto const taken = numbers(queue.take_ready());
    REQUIRE(taken.size() == 1);
    order.push_back(taken.front());
    queue.settled(Id<history::Job>(taken.front()), DagQueue::Left::succeeded);
  }
  CHECK(order == Numbers{0, 2, 1, 3});
}

/// Whose turn it was on the one slot.
Numbers order_of_matches(Grid const& grid) {
  Numbers jobs;
  for (history::JobEvent const& event : grid.run().history.events) {
    if (event.kind == history::EventKind::matched) jobs.push_back(event.job.index());
  }
  return jobs;
}

TEST_CASE("Jobs are matched in the order of their submission, not of the file") {
  Grid grid = quiet_grid(1, 1);
  SECTION("a later node of a chain is behind what waits already") {
    grid.campaign.submit = {node("a1"), node("a2", {"a1"}), node("b")};
    CHECK(order_of_matches(grid) == Numbers{0, 2, 1});
  }
  SECTION("a job that is submitted again is the last") {
    grid.campaign.submit = {node("a"), node("b")};
    grid.campaign.submit[0].retries = 1;
    policy_of(grid).periodic_remove = classad::parse(
        "ProcId == 0 && NumJobStarts == 1 && CurrentTime - JobCurrentStartExecutingDate > 60");
    CHECK(order_of_matches(grid) == Numbers{0, 1, 0});
  }
  SECTION("the queue orders submissions by time, not as the file does") {
    grid.campaign.submit = {{Seconds(100), 1}, {Seconds(0), 2}};
    CHECK(order_of_matches(grid) == Numbers{1, 2, 0});
  }
  SECTION("each user's own") {
    grid.campaign.submit = {{Seconds(100), 1}, {Seconds(0), 2}, {Seconds(100000), 1}};
    grid.campaign.submit[2].user = "bob";
    CHECK(order_of_matches(grid) == Numbers{1, 2, 0, 3});
  }
}

TEST_CASE("The first job that fails fails its node, and all of them are tried again") {
  using Left = DagQueue::Left;
  scenario::Campaign campaign;
  campaign.submit = {node("a"), node("b", {"a"})};
  campaign.submit[0].jobs = 3;
  campaign.submit[0].retries = 2;
  campaign.submit[0].unless_exit = 2;
  DagQueue queue(campaign);
  queue.take_ready();
  Id<history::Job> const first(0), second(1), third(2), other(3);
  CHECK(queue.of_several(third));
  CHECK(!queue.of_several(other));
  CHECK(queue.jobs_of(0) == std::vector{first, second, third});
  CHECK(!queue.retry(first, 1));  // not by itself
  CHECK(!queue.left_queue(second, Left::succeeded, 0));
  CHECK(!queue.is_failing(0));
  CHECK(queue.left_queue(first, Left::failed, 1));
  CHECK(queue.is_failing(0));
  CHECK(!queue.is_empty(0));
  CHECK(!queue.left_queue(third, Left::failed, 2));  // the code of the first counts
  CHECK(queue.is_empty(0));
  CHECK(queue.retry_node(0));
  CHECK(!queue.is_empty(0));
  CHECK(!queue.is_failing(0));
  queue.left_queue(first, Left::succeeded, 0);
  queue.left_queue(third, Left::failed, 2);
  queue.left_queue(second, Left::succeeded, 0);
  CHECK(!queue.retry_node(0));  // UNLESS-EXIT
  CHECK(queue.over(0) == std::vector{other});
  CHECK(queue.take_ready().empty());
}

TEST_CASE("A node of which a job is held for good has not failed, and does not succeed") {
  using Left = DagQueue::Left;
  scenario::Campaign campaign;
  campaign.submit = {node("a"), node("b", {"a"})};
  campaign.submit[0].jobs = 2;
  campaign.submit[0].retries = 1;
  DagQueue queue(campaign);
  queue.take_ready();
  CHECK(!queue.left_queue(Id<history::Job>(0), Left::held_for_good, -1));
  CHECK(!queue.left_queue(Id<history::Job>(1), Left::succeeded, 0));
  CHECK(!queue.retry_node(0));
  CHECK(queue.over(0).size() == 1);
}

/// One node of so many jobs, of which one is removed a minute or two into its first execution.
Grid failing_node(int gpus, int jobs, int removed, int retries) {
  Grid grid = quiet_grid(gpus, 1);
  grid.campaign.submit = {node("a"), node("b", {"a"})};
  grid.campaign.submit[0].jobs = jobs;
  grid.campaign.submit[0].retries = retries;
  // A job that is submitted again has another QDate than the campaign's zero.
  policy_of(grid).periodic_remove =
      classad::parse("ProcId == " + std::to_string(removed) +
                     " && QDate == 1767225600 && CurrentTime - JobCurrentStartExecutingDate > 60");
  return grid;
}

TEST_CASE(
    "A job that had succeeded is run again with its node, and its first hours are not goodput") {
  using enum history::EventKind;
  Grid const grid = failing_node(1, 2, 1, 1);  // one after the other
  auto const history = grid.run().history;
  auto const of_first = events_of(history, 0), of_second = events_of(history, 1);
  std::vector const attempt = {matched,   transfer_input_started,  transfer_input_finished,
                               executing, transfer_output_started, transfer_output_finished,
                               terminated};
  std::vector<history::EventKind> twice = {submitted};
  twice.insert(twice.end(), attempt.begin(), attempt.end());
  twice.insert(twice.end(), twice.begin(), twice.end());
  CHECK(kinds(of_first) == twice);
  CHECK(of_second[5].kind == aborted);
  CHECK(of_second[5].reason == history::Reason::policy);
  CHECK(of_first[8].at == of_second[5].at);  // all submitted again at once
  CHECK(of_second[6].kind == submitted);
  CHECK(of_second[6].at == of_second[5].at);

  auto const ledger = ledger::account(history);
  double const cut_off = (of_second[5].at - of_second[4].at).value();
  CHECK(cut_off > 60);
  CHECK(cut_off <= 121);
  CHECK(ledger.total.succeeded == 3);
  CHECK(ledger.total.removed == 0);
  CHECK(ledger.total.compute_success.value() == Approx(3000));
  CHECK(ledger.total.compute_retried.value() == Approx(1000));
  CHECK(ledger.total.compute_evicted.value() == Approx(cut_off));
  CHECK(ledger.total.compute_unfinished.value() == 0);
  CHECK(ledger.total.transfer_success.value() == Approx(30));
  CHECK(ledger.total.transfer_retried.value() == Approx(20));
  CHECK(ledger.total.attempts == 5);
  CHECK(ledger.total.wallclock().value() == Approx(4050 + cut_off + ledger.total.overhead.value()));
}

TEST_CASE("Jobs that run and jobs that wait are removed with their node, and say so") {
  using enum history::EventKind;
  int const gpus = GENERATE(1, 2);  // the other job of the node waits, or runs
  Grid grid = failing_node(gpus, 2, 0, 1);
  auto const history = grid.run().history;
  auto const of_first = events_of(history, 0), of_second = events_of(history, 1);
  auto const removed = times(of_second, aborted);
  REQUIRE(removed.size() == 1);
  CHECK(removed == times(of_first, aborted));
  CHECK(count(history, aborted, history::Reason::node_failed) == 1);
  CHECK(times(of_second, submitted) == std::vector{Seconds(), removed[0]});
  auto const ledger = ledger::account(history);
  CHECK(ledger.total.succeeded == 3);
  CHECK(ledger.total.compute_success.value() == Approx(3000));
  double const cut_off = (removed[0] - times(of_first, executing)[0]).value();
  CHECK(ledger.total.compute_evicted.value() == Approx(gpus * cut_off).margin(2));
  bool printed = false;
  for (auto const& ending : ledger.endings) {
    if (ending.ending.reason != history::Reason::node_failed) continue;
    printed = true;
    CHECK(ending.times == 1);
    CHECK(ending.slot_time_lost.value() == Approx(gpus == 2 ? cut_off + 10 : 0).margin(2));
  }
  CHECK(printed);
}

TEST_CASE("A failed node without retries ends its other jobs and the nodes behind it") {
  using enum history::EventKind;
  Grid const grid = failing_node(1, 3, 1, 0);
  auto const history = grid.run().history;
  auto const ledger = ledger::account(history);
  CHECK(ledger.total.jobs == 4);
  CHECK(ledger.total.succeeded == 1);  // the first, before the second failed
  CHECK(ledger.total.compute_success.value() == Approx(1000));
  CHECK(ledger.total.removed == 2);
  CHECK(ledger.total.unfinished == 1);
  CHECK(count(history, submitted) == 3);
  CHECK(kinds(events_of(history, 2)) == std::vector{submitted, aborted});
}

TEST_CASE("Jobs of a node that were not made yet are made when it is tried again") {
  using enum history::EventKind;
  Grid grid = failing_node(1, 6, 0, 1);
  grid.campaign.max_materialize = 2;
  auto const history = grid.run().history;
  CHECK(ledger::account(history).total.succeeded == 7);
  // The first makes room for a third job at the moment in which it is removed.
  CHECK(count(history, submitted) == 3 + 6 + 1);
  CHECK(count(history, aborted) == 3);
}

// Four nodes of three jobs of 1,000 s and room for all: two jobs of each node are in the queue.
TEST_CASE("each node of a DAG is a cluster with late materialisation of its own") {
  using enum history::EventKind;
  Grid grid = quiet_grid(20, 3);
  scenario::Submission const node = grid.campaign.submit.front();
  grid.campaign.submit.clear();
  for (char const* name : {"a", "b", "c", "d"}) {
    grid.campaign.submit.push_back(node);
    grid.campaign.submit.back().name = name;
  }
  grid.campaign.submit.back().after = {"a"};
  grid.campaign.max_materialize = 2;
  auto const history = grid.run().history;
  CHECK(count(history, terminated) == 12);
  Seconds const first = times(events_of(history, 0), terminated).front();
  auto const early = [&](history::JobEvent const& event) {
    return event.kind == submitted && event.at < first;
  };
  CHECK(std::ranges::count_if(history.events, early) == 6);
}

TEST_CASE("A held job of a node that fails is removed, also one that nobody would release") {
  using enum history::EventKind;
  Grid grid = failing_node(2, 2, 0, 1);
  nobody_releases(grid);
  bool const for_good = GENERATE(true, false);
  policy_of(grid).periodic_hold =
      classad::parse("ProcId == 1 && QDate == 1767225600 && JobStatus == 2");
  if (!for_good)
    policy_of(grid).periodic_release = classad::parse("CurrentTime - EnteredCurrentStatus > 5000");
  auto const history = grid.run().history;
  auto const held_one = events_of(history, 1);
  CHECK(times(held_one, held).size() == 1);
  CHECK(times(held_one, aborted) == times(events_of(history, 0), aborted));
  CHECK(ledger::account(history).total.succeeded == 3);
}

TEST_CASE("A delay is kept, and a campaign with nodes that never come ends") {
  Grid grid = quiet_grid(8, 1);
  grid.campaign.submit = {node("a"), node("b", {"a"})};
  grid.campaign.submit[1].delay = Seconds(500);
  auto const replica = grid.run();
  CHECK(replica.history.events.back().at.value() >= 2 * 1010.0 + 500);
  CHECK(replica.history.events.back().at.value() <= 2 * 1012.0 + 500);
}

TEST_CASE("ABORT-DAG-ON ends its DAG even if retries are left") {
  scenario::Campaign campaign;
  campaign.submit = {node("a"), node("b"), node("c", {"b"}), node("d")};
  campaign.submit[0].abort_on = 1;
  campaign.submit[0].retries = campaign.submit[1].retries = 3;
  campaign.max_nodes = 2;
  DagQueue queue(campaign);
  CHECK(numbers(queue.take_ready()) == Numbers{0, 1});
  Id<history::Job> const first(0), second(1);
  CHECK(!queue.aborts(first, 0));
  REQUIRE(queue.aborts(first, 1));
  CHECK(!queue.retry(first, 1));
  CHECK(queue.settled(first, DagQueue::Left::failed).empty());
  CHECK(queue.abort(0).size() == 2);  // c and d
  CHECK(queue.submitted_with(0) == Numbers{1});
  CHECK(!queue.retry(second, -1));
  CHECK(queue.settled(second, DagQueue::Left::failed).empty());
  CHECK(queue.take_ready().empty());
}

TEST_CASE("A FINAL node comes when all others are over, however they ended") {
  using Left = DagQueue::Left;
  scenario::Campaign campaign;
  campaign.submit = {node("end"), node("a"), node("b", {"a"}), node("c")};
  campaign.submit[0].last = true;
  CHECK(scenario::problems_of_nodes(campaign).empty());
  Id<history::Job> const a(1), b(2), c(3);
  DagQueue all(campaign), failed(campaign), held(campaign);
  for (DagQueue* const queue : {&all, &failed, &held}) {
    CHECK(numbers(queue->take_ready()) == Numbers{1, 3});
  }
  all.settled(a, Left::succeeded);
  CHECK(numbers(all.take_ready()) == Numbers{2});
  all.settled(b, Left::succeeded);
  CHECK(all.take_ready().empty());
  all.settled(c, Left::succeeded);
  CHECK(numbers(all.take_ready()) == Numbers{0});
  CHECK(failed.settled(a, Left::failed).size() == 1);  // b
  CHECK(failed.take_ready().empty());
  failed.settled(c, Left::failed);
  CHECK(numbers(failed.take_ready()) == Numbers{0});
  CHECK(held.settled(a, Left::held_for_good).size() == 2);  // b, and the end of the DAG
  held.settled(c, Left::succeeded);
  CHECK(held.take_ready().empty());
  // Nothing waits for it, and it is of no inner DAG.
  campaign.submit[3].after = {"end"};
  CHECK(scenario::problems_of_nodes(campaign).size() == 1);
  campaign.submit[3].after.clear();
  campaign.dags = {{.name = "inner"}};
  campaign.submit[0].dag = "inner";
  CHECK(scenario::problems_of_nodes(campaign).size() == 1);
}

TEST_CASE("ABORT-DAG-ON and failures do not keep the FINAL node from running") {
  using enum history::EventKind;
  Grid grid = quiet_grid(2, 1);
  grid.campaign.submit = {node("quick"), node("slow"), node("child", {"slow"}), node("end")};
  grid.campaign.submit[0].scale = 0.1;
  grid.campaign.submit[0].abort_on = 0;
  grid.campaign.submit[3].last = true;
  auto const history = grid.run().history;
  auto const removed_at = times(events_of(history, 1), aborted);
  REQUIRE(removed_at.size() == 1);
  CHECK(times(events_of(history, 3), submitted) == removed_at);
  CHECK(times(events_of(history, 3), executing).size() == 1);
  CHECK(events_of(history, 2).empty());
  CHECK(ledger::account(history).total.succeeded == 2);
  grid.campaign.submit[0].abort_on = {};
  auto const whole = grid.run().history;
  auto const child_end = times(events_of(whole, 2), terminated);
  REQUIRE(child_end.size() == 1);
  CHECK(times(events_of(whole, 3), submitted) == child_end);
}

TEST_CASE("A DAG that a job aborts has its running jobs removed, and starts no other") {
  using enum history::EventKind;
  Grid grid = quiet_grid(2, 1);
  grid.campaign.submit = {node("quick"), node("slow"), node("late"), node("child", {"slow"})};
  grid.campaign.submit[0].scale = 0.1;
  grid.campaign.submit[0].abort_on = 0;
  grid.campaign.submit[1].retries = 3;
  grid.campaign.submit[2].delay = Seconds(500);
  auto const history = grid.run().history;
  auto const ledger = ledger::account(history);
  CHECK(ledger.total.succeeded == 1);
  auto const end = times(events_of(history, 0), terminated);
  REQUIRE(end.size() == 1);
  CHECK(times(events_of(history, 1), aborted) == end);
  CHECK(times(events_of(history, 1), executing).size() == 1);
  CHECK(count(history, executing) == 2);
  CHECK(events_of(history, 3).empty());
}

TEST_CASE("Others wait until the program of a PROVISIONER has run for a while, not for its end") {
  using enum history::EventKind;
  Grid grid = quiet_grid(4, 1);
  grid.campaign.submit = {node("prov"), node("a", {"prov"})};
  grid.campaign.submit[0].ready_after = Seconds(300);
  auto const history = grid.run().history;
  auto const started = times(events_of(history, 0), executing);
  auto const submitted_at = times(events_of(history, 1), submitted);
  REQUIRE(submitted_at.size() == 1);
  CHECK(submitted_at[0] == started[0] + Seconds(300));
  CHECK(ledger::account(history).total.succeeded == 2);
}

TEST_CASE("A PROVISIONER that fails before it is ready takes the others along, and later not") {
  scenario::Campaign campaign;
  campaign.submit = {node("prov"), node("a", {"prov"})};
  campaign.submit[0].ready_after = Seconds(300);
  DagQueue early(campaign), late(campaign);
  early.take_ready();
  late.take_ready();
  CHECK(early.settled(Id<history::Job>(0), DagQueue::Left::failed).size() == 1);
  late.provisioned(0);
  CHECK(numbers(late.take_ready()) == Numbers{1});
  CHECK(late.settled(Id<history::Job>(0), DagQueue::Left::failed).empty());
  CHECK(late.settled(Id<history::Job>(1), DagQueue::Left::succeeded).empty());
}

}  // namespace
}  // namespace gridcast::test
