// Submissions that wait for each other: by hand what the queue lets go, and closed forms of whole
// campaigns on the quiet grid (a job takes 10 s of transfer and 1,000 s of execution).
#include "sim/engine/job_queue.hpp"
#include "tests/engine/quiet_grid.hpp"
#include "tests/test.hpp"

namespace gridcast::test {
namespace {

using engine::DagQueue;

scenario::Submission node(std::string const& name, std::vector<std::string> after = {}) {
  scenario::Submission submission;
  submission.jobs = 1;
  submission.name = name;
  submission.after = std::move(after);
  return submission;
}

std::vector<std::size_t> numbers(std::vector<DagQueue::Node> const& nodes) {
  std::vector<std::size_t> numbers;
  for (DagQueue::Node const& each : nodes) numbers.push_back(each.number);
  return numbers;
}

using Numbers = std::vector<std::size_t>;

TEST_CASE("A node comes when all that it waits for has succeeded") {
  scenario::Campaign campaign;
  campaign.submit = {node("a"), node("b"), node("c", {"a", "b"})};
  DagQueue queue(campaign);
  CHECK(numbers(queue.take_ready()) == Numbers{0, 1});
  queue.settled(Id<history::Job>(0), DagQueue::Result::succeeded);
  CHECK(queue.take_ready().empty());
  queue.settled(Id<history::Job>(1), DagQueue::Result::succeeded);
  CHECK(numbers(queue.take_ready()) == Numbers{2});
}

TEST_CASE("What waits for a node that failed never comes, and is told once") {
  scenario::Campaign campaign;
  campaign.submit = {node("a"), node("b", {"a"}), node("c", {"b"}), node("d", {"a", "c"})};
  DagQueue queue(campaign);
  queue.take_ready();
  CHECK(queue.settled(Id<history::Job>(0), DagQueue::Result::failed).size() == 3);
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
  queue.settled(Id<history::Job>(0), DagQueue::Result::succeeded);
  CHECK(numbers(queue.take_ready()) == Numbers{1});
}

TEST_CASE("A delay is kept, and a campaign with nodes that never come ends") {
  Grid grid = quiet_grid(8, 1);
  grid.campaign.submit = {node("a"), node("b", {"a"})};
  grid.campaign.submit[1].delay = Seconds(500);
  auto const replica = grid.run();
  CHECK(replica.history.events.back().at.value() >= 2 * 1010.0 + 500);
  CHECK(replica.history.events.back().at.value() <= 2 * 1012.0 + 500);
}

}  // namespace
}  // namespace gridcast::test
