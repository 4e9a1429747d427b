// Executions that never end by themselves.
#include "calibration/records/attempt_record.hpp"
#include "tests/calibration/log_records.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {

using namespace gridcast::test;

namespace {

AttemptRecord ended_from_outside(std::size_t job, std::size_t slot, double seconds) {
  AttemptRecord attempt = attempt_at(job, slot, 0, seconds);
  attempt.executing = Seconds(0);
  attempt.tail = Seconds(seconds);
  attempt.end_kind = history::EventKind::held;
  return attempt;
}

/// Five of 1,000 s, within two percent, at site A.
AttemptRecords regular() {
  AttemptRecords records;
  for (std::size_t i = 0; i < 5; ++i) {
    records.attempts.push_back(done_at(i, 0, 0, 0, 990 + 5.0 * static_cast<double>(i)));
  }
  return records;
}

}  // namespace

TEST_CASE("A transfer that lasts far longer than all that ended by themselves hangs") {
  AttemptRecords records = regular();
  records.attempts.push_back(ended_from_outside(5, 0, 4000));
  records.attempts.push_back(ended_from_outside(6, 0, 1200));  // less than a quarter more
  records.attempts.push_back(ended_from_outside(7, 2, 4000));  // nothing is known of site B
  records.attempts.push_back(done_at(8, 0, 0, 0, 4000));       // it did end
  mark_hangs(records);
  std::vector<bool> hung;
  for (AttemptRecord const& attempt : records.attempts) hung.push_back(attempt.hung);
  CHECK(hung == std::vector<bool>{false, false, false, false, false, false, false, false, false});
  records.attempts.pop_back();
  mark_hangs(records);
  CHECK(records.attempts[5].hung);
  CHECK_FALSE(records.attempts[6].hung);
  CHECK_FALSE(records.attempts[7].hung);
}

TEST_CASE("Times of a program are relative to its work") {
  AttemptRecords records = regular();
  records.attempts.push_back(ended_from_outside(5, 0, 4000));
  records.log_scales = {0, 0, 0, 0, 0, std::log(4.0)};
  mark_hangs(records);
  CHECK_FALSE(records.attempts[5].hung);
}

}  // namespace gridcast::calibration
