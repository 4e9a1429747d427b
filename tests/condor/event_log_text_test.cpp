#include "sim/condor/event_log_text.hpp"

#include "tests/condor/log_text.hpp"
#include "tests/history/history_builder.hpp"
#include "tests/test.hpp"

namespace gridcast::condor {
namespace {

using test::HistoryBuilder;
using test::log_of;

std::string first_line(EventLogOptions const& options, double at = 0) {
  HistoryBuilder h({{1, 0}}, {});
  h.add(at, 0, history::EventKind::released);
  auto const log = log_of(h.get(), options);
  return log.substr(0, log.find(" Job"));
}

TEST_CASE("dates are ISO or legacy, of whole or split seconds, local or UTC") {
  EventLogOptions options;
  CHECK(first_line(options) == "013 (001.000.000) 2024-08-12 09:00:00");
  CHECK(first_line(options, 61.9) == "013 (001.000.000) 2024-08-12 09:01:01");
  options.sub_second = true;
  CHECK(first_line(options, 61.9) == "013 (001.000.000) 2024-08-12 09:01:01.900");
  options.utc = true;
  CHECK(first_line(options, 61.9) == "013 (001.000.000) 2024-08-12 09:01:01.900Z");
  options = {};
  options.dates = DateForm::legacy;
  CHECK(first_line(options, 86400) == "013 (001.000.000) 08/13 09:00:00");
}

TEST_CASE("time zero is the caller's, else the history's") {
  HistoryBuilder h({{1, 0}}, {});
  h.add(5, 0, history::EventKind::released);
  h.get().start_unix = 1735689590;  // ten seconds before 2025
  CHECK_THAT(log_of(h.get()), test::has_text(" 2024-12-31 23:59:55 "));
  EventLogOptions options;
  options.start = std::chrono::sys_days(std::chrono::year(2024) / 2 / 29);
  CHECK_THAT(log_of(h.get(), options), test::has_text(" 2024-02-29 00:00:05 "));
}

TEST_CASE("a stamp is cut off, before time zero too") {
  CHECK(EventLogText::stamp(Seconds(1.9996)).seconds == 1);
  CHECK(EventLogText::stamp(Seconds(1.9996)).milliseconds == 999);
  CHECK(EventLogText::stamp(Seconds(-0.25)).seconds == -1);
  CHECK(EventLogText::stamp(Seconds(-0.25)).milliseconds == 750);
}

TEST_CASE("numbers of jobs that need more than three digits have them") {
  HistoryBuilder h({{12634379, 1234}}, {});
  h.add(0, 0, history::EventKind::released);
  CHECK_THAT(log_of(h.get()), test::has_text("013 (12634379.1234.000) "));
}

TEST_CASE("a site's name stays whole as an attribute, and fits where a host's name has to be") {
  HistoryBuilder h({{1, 0}}, {"My \"best\" <site>\n"});
  h.add(0, 0, history::EventKind::matched).on(0).add(1, 0, history::EventKind::executing).on(0);
  auto const log = log_of(h.get());
  CHECK_THAT(log, test::has_text("GLIDEIN_ResourceName = \"My \\\"best\\\" <site> \"\n"));
  CHECK_THAT(log, test::has_text("SlotName: slot1_1@glidein_1_1@My--best---site--\n"));
  CHECK_THAT(log, test::has_text("&alias=My--best---site--&noUDP&sock=startd_1001_0001>\n"));
}

TEST_CASE("slots have the names that the history knows them by") {
  HistoryBuilder h({{1, 0}}, {"A"});
  h.add(0, 0, history::EventKind::matched)
      .on(0, 1)
      .add(1, 0, history::EventKind::executing)
      .on(0, 1);
  h.get().slots = {"unknown", "slot1_2@glidein_4001_1@host.example"};
  CHECK_THAT(log_of(h.get()), test::has_text("SlotName: slot1_2@glidein_4001_1@host.example\n"));
  h.get().slots[1] = "unknown";
  CHECK_THAT(log_of(h.get()), test::has_text("SlotName: slot1_1@glidein_1_1@A\n"));
}

TEST_CASE("an attempt at an unknown place is not at the one before") {
  HistoryBuilder h({{1, 0}}, {"A"});
  h.add(0, 0, history::EventKind::matched).on(0, 1).add(9, 0, history::EventKind::evicted).on(0, 1);
  h.add(50, 0, history::EventKind::matched).add(51, 0, history::EventKind::transfer_input_started);
  CHECK_THAT(test::events_of(log_of(h.get()), "040"), test::has_text("alias=unknown&"));
}

}  // namespace
}  // namespace gridcast::condor
