#include "tests/training/published/unpack_fit.hpp"

#include "tests/test.hpp"

namespace gridcast::test {

namespace published = training::published;

TEST_CASE("the fit passes through the medians with any outliers") {
  std::vector<published::PublishedExecution> executions;
  for (double const time : {600., 605., 610., 5000.}) executions.push_back({"A", 5, Seconds(time)});
  executions.push_back({"A", 5, Seconds(590)});
  executions.push_back({"A", 20, Seconds(2105)});
  executions.push_back({"B", 5, Seconds(100)});  // one number of epochs does not give two numbers
  auto const fits = published::fit_unpack_and_epochs(executions);
  REQUIRE(fits.size() == 1);
  CHECK(fits[0].epoch.value() == Approx(100));
  CHECK(fits[0].unpack.value() == Approx(105));
  CHECK(fits[0].of(5).value() == Approx(605));
}

TEST_CASE("unpacking never takes less than nothing") {
  std::vector<published::PublishedExecution> const executions = {{"A", 5, Seconds(100)},
                                                                 {"A", 20, Seconds(500)}};
  auto const fits = published::fit_unpack_and_epochs(executions);
  REQUIRE(fits.size() == 1);
  CHECK(fits[0].unpack == Seconds(0));
}

TEST_CASE("executions that found no network count as unpacking, corrupt archives do not") {
  history::JobTable table;
  table.rows.resize(3);
  table.rows[0].sites = table.rows[1].sites = table.rows[2].sites = {"A"};
  table.rows[0].execute = {Seconds(70000), Seconds(1000)};
  table.rows[1].outcome = table.rows[2].outcome = history::Outcome::wrong_output;
  table.rows[1].execute = {Seconds(977)};
  table.rows[1].note = "no output as the network was unreachable";
  table.rows[2].execute = {Seconds(33)};
  auto const executions = published::executions_of(table, 5);
  REQUIRE(executions.size() == 2);
  CHECK(executions[0].time == Seconds(1000));
  CHECK(executions[1].epochs == 0);
}

}  // namespace gridcast::test
