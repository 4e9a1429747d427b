#include "sim/history/job_table.hpp"

#include <algorithm>

#include "sim/ledger/metrics.hpp"
#include "tests/history/history_builder.hpp"
#include "tests/history/job_table_text.hpp"
#include "tests/test.hpp"

namespace gridcast::history {
namespace {

std::filesystem::path published(std::string const& name) {
  return test::source_dir() / "calibration/data/osg-imagenet" / name;
}

JobRow successful_row() {
  JobRow row;
  row.name = {1, 0};
  row.sites = {"A"};
  row.execute = {Seconds(1000)};
  row.slot_busy = {Seconds(1110)};
  row.transfer_total = row.transfer_last = Seconds(100);
  return row;
}

JobRow back(JobRow const& row) { return to_table(to_history({{row}})).rows.at(0); }

TEST_CASE("a plain success is submitted, matched, fed, run and done") {
  auto const history = to_history({{successful_row()}});
  REQUIRE_FALSE(history.dated);
  REQUIRE(history.retries_opaque);
  std::vector<std::pair<EventKind, double>> walk;
  for (auto const& event : history.events) walk.emplace_back(event.kind, event.at.value());
  using enum EventKind;
  REQUIRE(walk == std::vector<std::pair<EventKind, double>>{{submitted, 0},
                                                            {matched, 0},
                                                            {transfer_input_started, 0},
                                                            {transfer_input_finished, 100},
                                                            {executing, 100},
                                                            {transfer_output_started, 1100},
                                                            {terminated, 1110}});
}

TEST_CASE("retried time is shared out among stalls, holds and evictions") {
  JobRow row = successful_row();
  row.sites = {"A", "B"};
  row.transfer_total = Seconds(500);
  row.stalls = 2;
  row.evictions = 1;
  row.holds_released = 1;
  row.execute = {Seconds(70), Seconds(1000)};
  auto const history = to_history({{row}});
  std::vector<JobEvent> ends;
  for (auto const& event : history.events) {
    if (event.kind == EventKind::evicted || event.kind == EventKind::held ||
        event.kind == EventKind::shadow_exception) {
      ends.push_back(event);
    }
  }
  REQUIRE(ends.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) REQUIRE(ends[i].at == Seconds(100.0 * double(i + 1)));
  REQUIRE(ends[0].kind == EventKind::evicted);
  REQUIRE(ends[0].executed == Seconds(70));
  REQUIRE(history.sites[ends[0].site.index()] == "A");
  REQUIRE(ends[1].kind == EventKind::shadow_exception);
  REQUIRE(history.sites[ends[1].site.index()] == "B");
  REQUIRE(ends[2].kind == EventKind::held);
  REQUIRE(ends[3].kind == EventKind::shadow_exception);
}

TEST_CASE("a move that no eviction explains happens late") {
  JobRow row = successful_row();
  row.sites = {"A", "B"};
  row.transfer_total = Seconds(500);
  row.stalls = 3;
  auto const history = to_history({{row}});
  std::vector<std::string> sites;
  for (auto const& event : history.events) {
    if (event.kind == EventKind::matched) sites.push_back(history.sites[event.site.index()]);
  }
  REQUIRE(sites == std::vector<std::string>{"A", "A", "A", "B"});
}

TEST_CASE("retried time without a cause is a failed attempt, not a stall") {
  JobRow row = successful_row();
  row.transfer_total = Seconds(500);
  auto const again = back(row);
  REQUIRE(again.stalls == 0);
  REQUIRE(again.transfer_total == Seconds(500));
  REQUIRE(again.transfer_last == Seconds(100));
}

TEST_CASE("an unknown last transfer takes at most the slot's time beyond the execution") {
  JobRow row = successful_row();
  row.transfer_total = Seconds(27746);
  row.transfer_last.reset();
  row.stalls = 7;
  REQUIRE(back(row).transfer_last == Seconds(110));
  row.slot_busy.clear();
  REQUIRE(back(row).transfer_last == Seconds(27746.0 / 8));
  row.stalls = 0;
  REQUIRE(back(row).transfer_last == Seconds(27746));
}

TEST_CASE("jobs that never ran come back as they were") {
  JobRow row;
  row.name = {1, 1};
  row.outcome = Outcome::removed_stuck;
  auto again = back(row);
  REQUIRE(again.outcome == Outcome::removed_stuck);
  REQUIRE_FALSE(again.transfer_total);
  row.outcome = Outcome::held_size;
  again = back(row);
  REQUIRE(again.outcome == Outcome::held_size);
  REQUIRE_FALSE(again.transfer_total);
  row.outcome = Outcome::held_404;
  row.transfer_total = row.transfer_last = Seconds(1);
  again = back(row);
  REQUIRE(again.outcome == Outcome::held_404);
  REQUIRE(again.transfer_last == Seconds(1));
  row.outcome = Outcome::unfinished;
  REQUIRE(back(row).outcome == Outcome::unfinished);
  REQUIRE(back(row).transfer_last == Seconds(1));
}

// The facts of a row that a history cannot keep: sites visited twice in a row, earlier slot-busy
// times, notes.
JobRow comparable(JobRow row) {
  row.sites.erase(std::unique(row.sites.begin(), row.sites.end()), row.sites.end());
  if (!row.slot_busy.empty()) row.slot_busy = {row.slot_busy.back()};
  // A held job's slot was busy until the hold, which a report leaves out.
  if (is_held(row.outcome) || row.outcome == Outcome::wrong_output) row.slot_busy.clear();
  row.note.clear();
  return row;
}

TEST_CASE("the published rows survive the way to a history and back") {
  auto const table = read_job_tables(
      {published("imagenet-5epoch-100jobs.csv"), published("imagenet-5epoch-pilot.csv")});
  auto const again = to_table(to_history(table));
  REQUIRE(again.rows.size() == 105);
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    INFO(to_text(table.rows[i].name));
    JobTable const before{{comparable(table.rows[i])}}, after{{comparable(again.rows[i])}};
    REQUIRE(to_csv(after) == to_csv(before));
  }
}

TEST_CASE("a table seen through its own instrument gives the same ledger") {
  auto const history = to_history(read_job_table(published("imagenet-5epoch-100jobs.csv")));
  auto const once = ledger::metrics(ledger::account(history));
  auto const twice = ledger::metrics(ledger::account(to_history(to_table(history))));
  for (std::size_t i = 0; i < once.size(); ++i) {
    INFO(once[i].name);
    REQUIRE(twice[i].value == Approx(once[i].value));
  }
}

TEST_CASE("a dated history is reported as a report would: evicted computing lies in the total") {
  using enum EventKind;
  test::HistoryBuilder h({{1, 0}}, {"A", "B"});
  h.add(0, 0, submitted).add(50, 0, matched).on(0).add(51, 0, transfer_input_started).on(0);
  h.add(90, 0, transfer_input_finished).add(91, 0, executing).add(191, 0, evicted).on(0);
  h.add(300, 0, matched).on(1).add(301, 0, transfer_input_started).on(1);
  h.add(341, 0, transfer_input_finished).on(1).add(342, 0, executing).on(1);
  h.add(1342, 0, transfer_output_started).on(1).add(1350, 0, terminated).on(1);
  auto const row = to_table(h.get()).rows.at(0);
  REQUIRE(row.transfer_total == Seconds(290));
  REQUIRE(row.transfer_last == Seconds(40));
  REQUIRE(row.execute == std::vector<Seconds>{Seconds(100), Seconds(1000)});
  REQUIRE(row.slot_busy == std::vector<Seconds>{Seconds(141), Seconds(1050)});
  REQUIRE(row.sites == std::vector<std::string>{"A", "B"});
  REQUIRE(row.evictions == 1);
}

TEST_CASE("users are written only where there are several, and survive the way round") {
  JobRow first, second;
  second.name.proc = 1;
  CHECK(to_csv({{first, second}}).find("user") == std::string::npos);
  first.user = "alice";
  second.user = "bob, jr";
  auto const text = to_csv({{first, second}});
  CHECK(text.find(",note,user\n") != std::string::npos);
  CHECK(text.find(",alice\n") != std::string::npos);
  CHECK(text.find(",\"bob, jr\"\n") != std::string::npos);
  JobTable const after = to_table(to_history({{first, second}}));
  CHECK(after.rows[0].user == "alice");
  CHECK(after.rows[1].user == "bob, jr");
}

TEST_CASE("a table is written with quotes where they are needed") {
  JobRow row = successful_row();
  row.note = "a \"note\", with\na break";
  auto const text = to_csv({{row}});
  REQUIRE_THAT(text, test::has_text("1,0,A,success,1000,1110,100,100,0,0,0,"
                                    "\"a \"\"note\"\", with\na break\"\n"));
}

}  // namespace
TEST_CASE("A table has whole seconds, and empty cells for missing values") {
  JobRow row;
  row.execute = {Seconds(10.4), Seconds(20.5)};
  row.slot_busy = {Seconds(99.7)};
  row.transfer_total = Seconds(0.6);
  JobRow const written = in_whole_seconds({{row}}).rows.at(0);
  CHECK(written.execute == std::vector{Seconds(10), Seconds(21)});
  CHECK(written.slot_busy == std::vector{Seconds(100)});
  CHECK(written.transfer_total == Seconds(1));
  CHECK(!written.transfer_last);
}

}  // namespace gridcast::history
