#include <map>

#include "sim/report/data/chrome_trace.hpp"
#include "tests/condor/random_history.hpp"
#include "tests/history/history_builder.hpp"
#include "tests/test.hpp"

namespace gridcast::report {
namespace {

using enum history::EventKind;
using test::HistoryBuilder;

}  // namespace

TEST_CASE("attempts that overlap in a slot go to lanes of their own", "[trace_layout]") {
  HistoryBuilder h({{1, 0}, {1, 1}, {1, 2}}, {"A"});
  h.add(0, 0, matched).on(0, 4).add(5, 1, matched).on(0, 4);
  h.add(10, 0, aborted).on(0, 4).add(10, 2, matched).on(0, 4);
  h.add(20, 1, aborted).on(0, 4).add(20, 2, aborted).on(0, 4);
  TraceLayout const layout = trace_layout(h.get());
  REQUIRE(layout.lanes.size() == 2);
  CHECK(layout.lanes[0].name == "slot 4");
  CHECK(layout.lanes[1].name == "slot 4 (2)");
  CHECK(layout.lane == std::vector<std::uint32_t>{0, 1, 0});
  CHECK(layout.end == Seconds(20));
  CHECK_FALSE(layout.has_unknown_site);
}

TEST_CASE("transfers at a time, by site and of all", "[trace_layout]") {
  HistoryBuilder h({{1, 0}, {1, 1}}, {"A", "B"});
  for (std::size_t job : {0U, 1U}) {
    h.add(static_cast<double>(job), job, matched).on(job, 1);
    h.add(static_cast<double>(job), job, transfer_input_started).on(job, 1);
  }
  h.add(7, 0, transfer_input_finished).on(0, 1).add(9, 1, aborted).on(1, 1);
  h.add(9, 0, aborted).on(0, 1);
  TraceLayout const layout = trace_layout(h.get());
  auto const all = counts_of(layout, {history::Phase::transfer, history::Phase::stalled}, true);
  REQUIRE(all.size() == 4);
  CHECK(all[1].at == Seconds(1));
  CHECK(all[1].count == 2);
  CHECK(all[3].count == 0);
  auto const by_site = counts_of(layout, {history::Phase::transfer}, false);
  REQUIRE(by_site.size() == 4);
  CHECK(by_site[0].site == Id<history::Site>(0U));
  CHECK(by_site[1].site == Id<history::Site>(1U));
  CHECK(by_site[1].count == 1);
}

TEST_CASE("no two spans are in a lane at a time", "[trace_layout]") {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    auto const history = test::RandomHistory(seed, condor::CondorVersion::v25, 1'700'000'000).get();
    TraceLayout const layout = trace_layout(history);
    std::map<std::uint32_t, std::map<Seconds, Seconds>> busy;
    for (std::size_t i = 0; i < layout.spans.size(); ++i) {
      history::PhaseSpan const& span = layout.spans[i];
      REQUIRE((layout.lane[i] == TraceLayout::in_queue) == (span.attempt == 0));
      if (span.attempt == 0) continue;
      REQUIRE(layout.lanes[layout.lane[i]].site == span.site);
      REQUIRE(busy[layout.lane[i]].emplace(span.begin, span.end).second);
    }
    for (auto const& [lane, spans] : busy) {
      Seconds until(-1e18);
      for (auto const& [begin, end] : spans) {
        REQUIRE(begin >= until);
        until = end;
      }
    }
  }
}

}  // namespace gridcast::report
