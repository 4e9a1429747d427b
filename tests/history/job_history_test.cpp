#include "sim/history/job_history.hpp"

#include "tests/history/history_builder.hpp"
#include "tests/test.hpp"

namespace gridcast::history {
namespace {

TEST_CASE("a job is named as HTCondor's tools name it") {
  REQUIRE(to_text(JobName{794569, 14}) == "794569.14");
}

TEST_CASE("a site is interned once") {
  JobHistory history;
  auto const a = history.site_named("A");
  auto const b = history.site_named("B");
  REQUIRE(a != b);
  REQUIRE(history.site_named("A") == a);
  REQUIRE(history.sites == std::vector<std::string>{"A", "B"});
}

TEST_CASE("the events of each job, in order") {
  test::HistoryBuilder h({{1, 0}, {1, 1}, {1, 2}}, {});
  h.add(0, 1, EventKind::submitted).add(0, 0, EventKind::submitted).add(5, 1, EventKind::matched);
  auto const lists = events_by_job(h.get());
  REQUIRE(lists == std::vector<std::vector<std::uint32_t>>{{1}, {0, 2}, {}});
}

}  // namespace
}  // namespace gridcast::history
