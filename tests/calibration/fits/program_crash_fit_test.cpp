// How often the programs of one record crash.
#include "calibration/fits/crash_fit.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {

namespace {

struct Counts {
  std::size_t ended, crashed;
};

/// A program each, and as many executions.
std::pair<Programs, AttemptRecords> record_of(std::vector<Counts> const& counts) {
  Programs programs;
  AttemptRecords records;
  for (std::size_t j = 0; j < counts.size(); ++j) {
    programs.programs.push_back({.name = std::string(1, static_cast<char>('a' + j))});
    for (std::size_t i = 0; i < counts[j].ended; ++i) {
      AttemptRecord attempt;
      attempt.job = Id<history::Job>(programs.of_job.size());
      attempt.site = Id<history::Site>(0);
      attempt.executing = Seconds(1);
      attempt.exit = attempt.end = Seconds(2);
      attempt.end_kind = history::EventKind::terminated;
      attempt.useful = i >= counts[j].crashed;
      programs.of_job.push_back(j);
      records.attempts.push_back(attempt);
    }
  }
  return {programs, records};
}

Programs reported(std::vector<Counts> const& counts) {
  auto [programs, records] = record_of(counts);
  set_crash_odds(programs, records);
  return programs;
}

}  // namespace

TEST_CASE("Debug runs that crash do not make later runs crash") {
  Programs const programs = reported({{20, 16}, {4, 0}, {4, 0}, {4, 0}});
  CHECK(programs.programs[0].ended == 20);
  CHECK(programs.programs[0].crashed == 16);
  // Odds of 16 to 4 over 16 to 16 of all are 4, drawn somewhat towards those of the others.
  CHECK(programs.programs[0].crash_odds->least > 1);
  CHECK(programs.programs[0].crash_odds->least < 3);
  CHECK(programs.programs[0].crash_odds->most > 4);
  // With p = 1/2 none of four would crash once in sixteen times; of the other two neither did any.
  CHECK(programs.programs[3].crash_odds->most < 1);
  CHECK(programs.programs[3].crash_odds->least < 0.1);
  CHECK(programs.programs[3].crash_odds->least > 0.001);
}

TEST_CASE("Programs that crash alike share their odds, which more runs make more certain") {
  Programs const programs = reported({{400, 100}, {400, 100}, {2, 1}});
  for (Program const& program : programs.programs) {
    CHECK(program.crash_odds->least < 1);
    CHECK(program.crash_odds->most > 1);
  }
  CHECK(programs.programs[0].crash_odds->most < 1.25);
  CHECK(programs.programs[2].crash_odds->most > 1.5);
}

TEST_CASE("One program, or a record without crashes, shows no odds") {
  CHECK_FALSE(reported({{20, 16}}).programs[0].crash_odds);
  Programs const none = reported({{20, 0}, {10, 0}});
  CHECK_FALSE(none.programs[0].crash_odds);
  CHECK(none.programs[0].ended == 20);
}

}  // namespace gridcast::calibration
