#include <algorithm>

#include "sim/report/page/report_page.hpp"
#include "tests/history/history_builder.hpp"
#include "tests/test.hpp"

namespace gridcast::report {
namespace {

using test::has_text;

/// Stalls once, then computes.
history::JobHistory one_stall() {
  return test::HistoryBuilder({{7, 0}}, {"PDX"})
      .add(0, 0, history::EventKind::submitted)
      .add(100, 0, history::EventKind::matched)
      .on(0, 3)
      .add(110, 0, history::EventKind::transfer_input_started)
      .on(0, 3)
      .add(400, 0, history::EventKind::shadow_exception, history::Reason::transfer_stalled)
      .on(0, 3)
      .add(500, 0, history::EventKind::matched)
      .on(0, 4)
      .add(510, 0, history::EventKind::transfer_input_started)
      .on(0, 4)
      .add(600, 0, history::EventKind::transfer_input_finished)
      .on(0, 4)
      .add(600, 0, history::EventKind::executing)
      .on(0, 4)
      .add(1000, 0, history::EventKind::terminated)
      .on(0, 4)
      .get();
}

Seconds time_in(Gantt const& gantt, GanttPhase phase) {
  Seconds sum;
  for (auto const& bar : gantt.bars) {
    if (bar.phase == static_cast<std::uint8_t>(phase)) sum += bar.end - bar.start;
  }
  return sum;
}

TEST_CASE("each second of a job is in one bar", "[gantt]") {
  auto const gantt = gantt_bars(one_stall(), {true});
  CHECK(time_in(gantt, GanttPhase::waiting) == Seconds(200));
  CHECK(time_in(gantt, GanttPhase::matched) == Seconds(20));
  CHECK(time_in(gantt, GanttPhase::stalled) == Seconds(290));
  CHECK(time_in(gantt, GanttPhase::transfer) == Seconds(90));
  CHECK(time_in(gantt, GanttPhase::executing) == Seconds(400));
  REQUIRE(gantt.lanes.size() == 2);
  CHECK(gantt.lanes[0].label == "PDX 3");
  CHECK(gantt.lanes[0].group == "PDX");
  CHECK(gantt.jobs == std::vector<std::string>{"7.0"});
}

TEST_CASE("a lost attempt says why", "[gantt]") {
  auto const gantt = gantt_bars(one_stall(), {true});
  auto const stalled = std::find_if(gantt.bars.begin(), gantt.bars.end(), [](auto const& bar) {
    return bar.phase == static_cast<std::uint8_t>(GanttPhase::stalled);
  });
  REQUIRE(stalled->reason >= 0);
  CHECK_THAT(gantt.reasons[static_cast<std::size_t>(stalled->reason)], has_text("stall"));
}

TEST_CASE("words of the log are quoted", "[gantt]") {
  auto const gantt = gantt_bars(
      one_stall(), {true},
      {{{7, 0}, history::EventKind::shadow_exception, Seconds(400), "</script><img onerror=x>"}});
  REQUIRE(gantt.reasons.size() == 1);
  CHECK_THAT(gantt.reasons[0], has_text("\u201c</script><img onerror=x>\u201d"));
}

TEST_CASE("an attempt has the words of its own end, not of the hold in the same second",
          "[gantt]") {
  using enum history::EventKind;
  auto const gantt = gantt_bars(one_stall(), {true},
                                {{{7, 0}, shadow_exception, Seconds(400), "the transfer failed"},
                                 {{7, 0}, held, Seconds(400), "held by the policy"}});
  REQUIRE(gantt.reasons.size() == 1);
  CHECK_THAT(gantt.reasons[0], has_text("the transfer failed"));
}

TEST_CASE("phases that are open at the end of the record last until then", "[gantt]") {
  auto history = test::HistoryBuilder({{1, 0}, {1, 1}}, {"PDX"})
                     .add(0, 0, history::EventKind::submitted)
                     .add(0, 1, history::EventKind::submitted)
                     .add(50, 0, history::EventKind::held, history::Reason::not_found)
                     .add(80, 1, history::EventKind::aborted)
                     .get();
  auto const gantt = gantt_bars(history, {true, true});
  CHECK(time_in(gantt, GanttPhase::held) == Seconds(30));
  CHECK(time_in(gantt, GanttPhase::waiting) == Seconds(130));
}

TEST_CASE("the section jumps to the jobs that lost most", "[gantt]") {
  auto const part =
      gantt_section(one_campaign("a test", one_stall(), ledger::account(one_stall())));
  REQUIRE(part.section);
  auto const& gantt = *part.section->gantt;
  REQUIRE(gantt.worst.size() == 1);
  CHECK_THAT(gantt.worst[0].second, has_text("1 stall;"));
  CHECK_THAT(gantt.says, has_text("1 job on 2 slots"));
  CHECK(gantt.events.size() == 9);
  CHECK_FALSE(gantt.aggregated);
}

TEST_CASE("a job of several slots has the row of its first", "[gantt]") {
  auto history = one_stall();
  history.occupied.add(1, 16);
  auto const part = gantt_section(one_campaign("a test", history, ledger::account(history)));
  REQUIRE(part.section);
  CHECK_THAT(part.section->gantt->says,
             has_text("1 job of 16 slots each, in the rows of their first slots, over"));
}

TEST_CASE("under other strategies the same jobs are drawn, without their events", "[gantt]") {
  auto campaign = one_campaign("a test", one_stall(), ledger::account(one_stall()));
  campaign.strategy = "published";
  auto other = campaign;
  other.strategy = "upgrade";
  auto const section = *gantt_section(campaign, {other}).section;
  CHECK(section.gantt->title == "Activity of each job: a test, strategy published");
  REQUIRE(section.other_gantts.size() == 1);
  CHECK(section.other_gantts[0].strategy == "upgrade");
  CHECK(section.other_gantts[0].jobs == section.gantt->jobs);
  CHECK(section.other_gantts[0].bars.size() == section.gantt->bars.size());
  CHECK(section.other_gantts[0].events.empty());
}

/// Bars of a second for two jobs: one of three is a transfer, the others are executions.
Gantt many_bars(std::uint32_t count) {
  Gantt gantt;
  gantt.jobs = {"1.0", "1.1"};
  for (std::uint32_t i = 0; i < count; ++i) {
    auto const phase = i % 3 ? GanttPhase::executing : GanttPhase::transfer;
    gantt.bars.push_back(
        {Seconds(i), Seconds(i + 1), static_cast<std::uint8_t>(phase), i % 2, 0, -1});
  }
  return gantt;
}

TEST_CASE("merged bars keep the time of each phase", "[gantt]") {
  auto gantt = many_bars(51000);
  make_comparable({&gantt}, most_gantt_bars);
  CHECK(gantt.aggregated);
  CHECK(gantt.bars.size() <= most_gantt_bars);
  CHECK(gantt.bars.size() > most_gantt_bars / 8);
  CHECK(time_in(gantt, GanttPhase::transfer).value() == Approx(17000));
  CHECK(time_in(gantt, GanttPhase::executing).value() == Approx(34000));
}

TEST_CASE("the mark of an eviction stays where it is", "[gantt]") {
  auto gantt = many_bars(600);
  GanttBar const mark{
      Seconds(89.5), Seconds(90), static_cast<std::uint8_t>(GanttPhase::evicted), 0, 0, -1};
  gantt.bars.push_back(mark);
  make_comparable({&gantt}, 300);
  auto const found = std::find_if(gantt.bars.begin(), gantt.bars.end(),
                                  [&](auto const& bar) { return bar.phase == mark.phase; });
  REQUIRE(found != gantt.bars.end());
  CHECK(found->start == mark.start);
  CHECK(found->end == mark.end);
  CHECK(time_in(gantt, GanttPhase::transfer).value() == Approx(200));
}

TEST_CASE("charts of two strategies share the axis and the width of the bins", "[gantt]") {
  auto large = many_bars(6000), small = many_bars(500);
  make_comparable({&small, &large}, 300);
  CHECK(small.end == Seconds(6000));
  CHECK(large.end == Seconds(6000));
  CHECK(small.aggregated);
  CHECK(large.bars.size() <= 300);
  // A twelfth of the time has a twelfth of the bins.
  CHECK(small.bars.size() <= large.bars.size() / 6);
  CHECK(time_in(small, GanttPhase::executing).value() == Approx(333));
}

TEST_CASE("without dates the page has no chart and gives the reason", "[gantt]") {
  auto history = one_stall();
  history.dated = false;
  auto const part = gantt_section(one_campaign("a table", history, ledger::account(history)));
  CHECK_FALSE(part.section);
  CHECK_THAT(part.missing, has_text("no dates"));
  CHECK_FALSE(gantt_section({"nothing"}).section);
}

}  // namespace
}  // namespace gridcast::report
