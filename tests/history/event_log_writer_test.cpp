#include "sim/history/event_log_writer.hpp"

#include <set>
#include <sstream>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "tests/history/history_builder.hpp"
#include "tests/test.hpp"

namespace gridcast {
namespace {

using test::HistoryBuilder;

std::string log_of(JobHistory const& history, EventLogOptions const& options = {}) {
  std::ostringstream out;
  write_event_log(history, out, options);
  return out.str();
}

// One job that succeeds; one that stalls, meets a 404, is released, evicted, and held after 20
// hours; one that is too large.
JobHistory eventful_history() {
  using enum EventKind;
  HistoryBuilder h({{794569, 0}, {794569, 1}, {794570, 12}}, {"CHTC-Spark-CE1", "PDX-Coeus-CE1"});
  h.add(0, 0, submitted).add(0, 1, submitted).add(0, 2, submitted);
  h.add(60, 0, matched).on(0, 3).add(60, 0, transfer_input_started).on(0, 3);
  h.add(61.5, 1, matched).on(1, 260).add(61.9, 1, transfer_input_started).on(1, 260);
  h.add(62, 2, held, Reason::input_too_large);
  h.add(400, 0, transfer_input_finished).on(0, 3).add(400.1, 0, executing).on(0, 3);
  h.add(3720, 1, shadow_exception, Reason::transfer_stalled).on(1, 260);
  h.add(3760, 1, matched).on(1, 260).add(3760, 1, transfer_input_started).on(1, 260);
  h.add(3761, 1, held, Reason::not_found).on(1, 260);
  h.add(11582, 0, transfer_output_started).on(0, 3);
  h.add(11583, 0, transfer_output_finished).on(0, 3).add(11583, 0, terminated).on(0, 3);
  h.add(90000, 1, released, Reason::manual);
  h.add(90060, 1, matched).on(0, 3).add(90060, 1, transfer_input_started).on(0, 3);
  h.add(92000, 1, transfer_input_finished).on(0, 3).add(92000, 1, executing).on(0, 3);
  h.add(95600, 1, evicted, Reason::pilot_ended).on(0, 3);
  h.add(95660, 1, matched).on(1, 1).add(95660, 1, transfer_input_started).on(1, 1);
  h.add(95760, 1, transfer_input_finished).on(1, 1).add(95760, 1, executing).on(1, 1);
  h.add(167760, 1, held, Reason::execution_too_long).on(1, 1);
  h.add(167800, 2, aborted, Reason::manual);
  return h.get();
}

TEST_CASE("an eventful history is written as HTCondor would have logged it") {
  auto const folder = std::string(GRIDCAST_SOURCE_DIR) + "/tests/history/";
  auto const expected = split(read_text_file(folder + "event_log.expected"), '\n');
  auto const written = split(log_of(eventful_history()), '\n');
  for (std::size_t i = 0; i < std::min(expected.size(), written.size()); ++i) {
    INFO("line " << i + 1);
    REQUIRE(written[i] == expected[i]);
  }
  REQUIRE(written.size() == expected.size());
}

TEST_CASE("every event has a known number, a date not before the last, and an end") {
  std::set<std::string> const known = {"000", "001", "004", "005", "007",
                                       "009", "012", "013", "040"};
  std::string last_date;
  bool inside = false;
  for (auto const& line : split(log_of(eventful_history()), '\n')) {
    if (line.empty()) continue;
    if (!inside) {
      REQUIRE(known.count(line.substr(0, 3)) == 1);
      auto const date = line.substr(line.find(')') + 2, 19);
      REQUIRE(date >= last_date);
      last_date = date;
      inside = true;
    } else if (line == "...") {
      inside = false;
    } else {
      INFO(line);
      REQUIRE((line[0] == '\t' || line.substr(0, 4) == "    "));
    }
  }
  REQUIRE_FALSE(inside);
}

TEST_CASE("the start date, the note and the input are the caller's") {
  HistoryBuilder h({{1, 2}}, {"A"});
  h.add(0, 0, EventKind::submitted).add(86400, 0, EventKind::held, Reason::input_too_large);
  EventLogOptions options;
  options.start = std::chrono::sys_days(std::chrono::year(2024) / 2 / 28);
  options.note = "";
  options.input = Bytes(158783.0 * 1024 * 1024);
  REQUIRE(log_of(h.get(), options) ==
          "000 (001.002.000) 2024-02-28 00:00:00 Job submitted from host: "
          "<10.255.0.1:9618?addrs=10.255.0.1-9618&noUDP&sock=schedd>\n"
          "...\n"
          "012 (001.002.000) 2024-02-29 00:00:00 Job was held.\n"
          "\tTransferInputSizeMB (158783) is greater than MAX_TRANSFER_INPUT_MB (5000) at submit "
          "time\n"
          "\tCode 32 Subcode 0\n"
          "...\n");
}

TEST_CASE("a useless result ends with status 1") {
  HistoryBuilder h({{1, 0}}, {"A"});
  h.add(0, 0, EventKind::matched).on(0).add(9, 0, EventKind::executing).on(0);
  h.add(20, 0, EventKind::terminated).on(0).useless();
  REQUIRE_THAT(log_of(h.get()), test::has_text("(1) Normal termination (return value 1)"));
}

TEST_CASE("a running job that is removed is evicted first") {
  HistoryBuilder h({{1, 0}}, {"A"});
  h.add(0, 0, EventKind::matched).on(0).add(9, 0, EventKind::executing).on(0);
  h.add(20, 0, EventKind::aborted, Reason::manual);
  auto const log = log_of(h.get());
  REQUIRE_THAT(log, test::has_text("Job was evicted. Code 1023 Subcode 0"));
  REQUIRE_THAT(log, test::has_text("\tReason: via condor_rm (by user gridcast)"));
  REQUIRE(log.find("004 (001") < log.find("009 (001"));
}

TEST_CASE("limits longer than a day are written as HTCondor writes them") {
  HistoryBuilder h({{1, 0}}, {});
  h.add(0, 0, EventKind::held, Reason::execution_too_long);
  EventLogOptions options;
  options.allowed_execute = hours(40);
  REQUIRE_THAT(log_of(h.get(), options), test::has_text("execute duration of 1+16:00:00"));
}

TEST_CASE("a history without dates has no event log") {
  JobHistory history;
  history.dated = false;
  REQUIRE_THROWS_AS(log_of(history), InputError);
}

}  // namespace
}  // namespace gridcast
