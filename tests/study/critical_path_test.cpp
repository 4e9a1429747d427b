// A chain of submissions, by a closed form: on the quiet grid a job takes 10 s of transfer and
// 1,000 s of execution.
#include "sim/study/critical_path.hpp"

#include "tests/engine/quiet_grid.hpp"
#include "tests/test.hpp"

namespace gridcast::test {
namespace {

scenario::Submission node(std::string const& name, std::vector<std::string> after = {}) {
  scenario::Submission submission;
  submission.jobs = 1;
  submission.name = name;
  submission.after = std::move(after);
  return submission;
}

TEST_CASE("A chain takes the sum of its nodes, however many slots there are") {
  Grid grid = quiet_grid(8, 1);
  grid.campaign.submit = {node("a"), node("b", {"a"}), node("c", {"b"})};
  auto const replica = grid.run();
  // Three times 10 s and 1,000 s, and at most two seconds each until the next cycle.
  double const end = replica.history.events.back().at.value();
  CHECK(end >= 3 * 1010.0);
  CHECK(end <= 3 * 1012.0);
  auto const path = study::critical_path(grid.campaign, replica.history);
  REQUIRE(path.size() == 3);
  CHECK(path[1].name == "b");
  CHECK(path[1].computing.value() == Approx(1000).margin(1e-6));
  CHECK(path[1].submitted == path[0].ended);
}

TEST_CASE("The chain that ends last is critical; without chains there is no critical path") {
  Grid grid = quiet_grid(8, 1);
  CHECK(study::critical_path(grid.campaign, grid.run().history).empty());
  grid.campaign.submit = {node("a"), node("b"), node("c", {"b"}), node("d", {"a"})};
  grid.campaign.submit[1].delay = Seconds(300);
  auto const path = study::critical_path(grid.campaign, grid.run().history);
  REQUIRE(path.size() == 2);
  CHECK(path[0].name == "b");
  CHECK(path[1].name == "c");
}

// a and b may not be in the queue together, and the third node of one that may hold two waits for
// one of them.
TEST_CASE("A job that waits for a limit follows the job that made room") {
  Grid grid = quiet_grid(8, 1);
  grid.campaign.submit = {node("a"), node("b"), node("c", {"a", "b"})};
  grid.campaign.submit[0].category = grid.campaign.submit[1].category = "gpu";
  grid.campaign.categories = {{"gpu", 1}};
  auto path = study::critical_path(grid.campaign, grid.run().history);
  REQUIRE(path.size() == 3);
  CHECK(path[0].name == "a");
  CHECK(path[1].submitted == path[0].ended);

  grid.campaign.submit = {node("a"), node("b"), node("c")};
  grid.campaign.submit[0].delay = Seconds(500);
  grid.campaign.categories.clear();
  grid.campaign.max_nodes = 2;
  path = study::critical_path(grid.campaign, grid.run().history);
  REQUIRE(path.size() == 2);
  CHECK(path[0].name == "b");
  CHECK(path[1].name == "c");
  grid.campaign.max_nodes = 3;
  CHECK(study::critical_path(grid.campaign, grid.run().history).size() == 1);
}

}  // namespace
}  // namespace gridcast::test
