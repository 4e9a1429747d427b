// Sites that come and go.
#include "calibration/records/presence.hpp"

#include "sim/base/statistics.hpp"
#include "tests/calibration/log_records.hpp"
#include "tests/calibration/process_fits.hpp"
#include "tests/calibration/synthetic.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {

using namespace gridcast::test;

namespace {

constexpr double day = 86400;

/// A job on slot 0 (site A) or 2 (site B) from day `from` to day `to`.
void run(AttemptRecords& records, std::size_t slot, double from, double to) {
  records.attempts.push_back(attempt_at(records.attempts.size(), slot, from * day, to * day));
}

void wait(AttemptRecords& records, double from, double to) {
  records.waits.push_back({Id<history::Job>(0), Seconds(from * day), Seconds(to * day)});
}

}  // namespace

TEST_CASE("A site is away on days on which jobs waited and none ran there") {
  AttemptRecords records;
  records.end = Seconds(10 * day);
  run(records, 0, 0.1, 2.5);  // days 0 to 2
  run(records, 0, 5.1, 5.2);  // day 5, and nobody asks on day 8
  run(records, 0, 9.1, 9.9);
  run(records, 2, 1.2, 1.4);  // B: day 1 alone
  wait(records, 0, 7.6);      // half of day 7, and more
  auto const counts = count_presence(records, 2);
  // A: there 0 1 2, away 3 4, there 5, away 6 7, unknown 8, there 9.
  CHECK(counts[0].leaves.events == 2);
  CHECK(counts[0].leaves.exposure == 4 * day);
  CHECK(counts[0].returns.events == 1);
  CHECK(counts[0].returns.exposure == 3 * day);
  // B: away 0, there 1, away 2 to 7, unknown.
  CHECK(counts[1].leaves.events == 1);
  CHECK(counts[1].leaves.exposure == day);
  CHECK(counts[1].returns.events == 1);
  CHECK(counts[1].returns.exposure == 6 * day);
}

TEST_CASE("Waits that overlap are counted once, and less than half of a day shows nothing") {
  AttemptRecords records;
  records.end = Seconds(3 * day);
  run(records, 0, 0.1, 0.2);
  wait(records, 1, 1.3);
  wait(records, 1.1, 1.4);
  CHECK(count_presence(records, 2)[0].leaves.exposure == 0);
  wait(records, 1.3, 1.6);
  CHECK(count_presence(records, 2)[0].leaves.events == 1);
}

TEST_CASE("A site does not lack what a job waits for that it does not fit") {
  AttemptRecords records;
  records.end = Seconds(3 * day);
  run(records, 0, 0.1, 0.2);
  run(records, 2, 0.1, 0.2);
  wait(records, 1, 3);
  records.waits.back().passed_over = {Id<history::Site>(0)};
  CHECK(count_presence(records, 2)[0].leaves.exposure == 0);
  CHECK(count_presence(records, 2)[1].leaves.events == 1);
}

// 40 times two days there and two away: rates of half a day each, known to 1 / sqrt(40).
TEST_CASE("The fit finds how often sites leave and return, and gives none of sites that stay") {
  AttemptRecords records;
  records.end = Seconds(160 * day);
  wait(records, 0, 160);
  for (int i = 0; i < 40; ++i) run(records, 0, 4 * i + 0.1, 4 * i + 1.9);
  auto const fitted = [&] { return log_columns(two_sites(), records, {}, 200, "site-absences"); };
  Fit const fit = fitted();
  CHECK(line(fit, "away_per_s.A").estimate * day == Approx(0.5).epsilon(0.3));
  CHECK(line(fit, "back_per_s.A").estimate * day == Approx(0.5).epsilon(0.3));
  records.attempts.clear();
  run(records, 0, 0.1, 159.9);
  CHECK(fitted().draws.columns.empty());
}

}  // namespace gridcast::calibration
