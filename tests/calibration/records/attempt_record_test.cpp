// What held or took an executing job away did not end its program.
#include "calibration/records/attempt_record.hpp"

#include "tests/history/history_builder.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {

using enum history::EventKind;
using history::Reason;

namespace {

/// One job that executed from 100 s to 1000 s.
AttemptRecord record_of(history::EventKind end, Reason reason, int code, bool output = false) {
  test::HistoryBuilder builder({{1, 0}}, {"A"});
  builder.add(0, 0, submitted).add(50, 0, matched).on(0).add(100, 0, executing).on(0);
  if (output) {
    builder.add(999, 0, transfer_output_started).on(0);
    builder.add(1000, 0, transfer_output_finished).on(0);
  }
  builder.add(1000, 0, end, reason).on(0);
  builder.get().events.back().code = static_cast<std::int16_t>(code);
  AttemptRecords const records = make_attempt_records(builder.get());
  REQUIRE(records.attempts.size() == 1);
  return records.attempts.front();
}

}  // namespace

TEST_CASE("Limits of time, memory and disk censor an execution") {
  CHECK_FALSE(record_of(held, Reason::execution_too_long, 47).exit);
  CHECK_FALSE(record_of(held, Reason::out_of_resources, 34).exit);
  CHECK_FALSE(record_of(held, Reason::system, 9).exit);
  CHECK_FALSE(record_of(evicted, Reason::system, 21).exit);
  CHECK_FALSE(record_of(held, Reason::manual, 1).exit);
  CHECK(record_of(terminated, Reason::none, 0).exit);
  CHECK(record_of(held, Reason::output_missing, 12).exit);
  CHECK(record_of(held, Reason::execution_too_long, 47).tail == Seconds(900));
}

TEST_CASE("A limit of the slot is told from a limit of time, a person and a vacate") {
  CHECK(stopped_by_slot(record_of(held, Reason::out_of_resources, 34)));
  CHECK(stopped_by_slot(record_of(held, Reason::system, 9)));
  CHECK(stopped_by_slot(record_of(evicted, Reason::system, 21)));
  CHECK_FALSE(stopped_by_slot(record_of(held, Reason::execution_too_long, 47)));
  CHECK_FALSE(stopped_by_slot(record_of(held, Reason::manual, 1)));
  CHECK_FALSE(stopped_by_slot(record_of(evicted, Reason::vacated, 1010)));
  CHECK_FALSE(vacated(record_of(evicted, Reason::system, 21)));
}

TEST_CASE("\"Startd was shutdown\" is a vacate, no lost contact") {
  AttemptRecord const attempt = record_of(evicted, Reason::pilot_ended, 1013);
  CHECK(vacated(attempt));
  CHECK_FALSE(ended_without_contact(attempt));
  CHECK(ended_without_contact(record_of(evicted, Reason::pilot_ended, 0)));
}

TEST_CASE("Files brought home at an eviction do not make it an exit") {
  CHECK_FALSE(record_of(evicted, Reason::vacated, 1010, true).exit);
  CHECK(record_of(terminated, Reason::none, 0, true).exit);
}

TEST_CASE("A job that the log leaves running ran until the log's last word") {
  test::HistoryBuilder builder({{1, 0}}, {"A"});
  builder.add(0, 0, submitted).add(50, 0, matched).on(0).add(100, 0, executing).on(0);
  builder.get().seen_until = Seconds(5000);
  AttemptRecords const records = make_attempt_records(builder.get());
  CHECK(records.end == Seconds(5000));
  CHECK(records.attempts.front().tail == Seconds(4900));
}

}  // namespace gridcast::calibration
