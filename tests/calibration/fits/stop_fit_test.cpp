// Limits of slots: a moment that comes again and again, and a hazard.
#include <algorithm>

#include "calibration/fits/site_fit.hpp"
#include "sim/scenario/draw_columns.hpp"
#include "tests/calibration/log_records.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {

using test::attempt_at;
using test::done_at;

namespace {

AttemptRecord stopped_at(std::size_t job, double seconds, int code = 34) {
  AttemptRecord attempt = attempt_at(job, 0, 0, seconds);
  attempt.executing = Seconds();
  attempt.end_kind = history::EventKind::held;
  attempt.reason = code == 34 ? history::Reason::out_of_resources : history::Reason::system;
  attempt.code = code;
  attempt.tail = Seconds(seconds);
  return attempt;
}

Estimate const* find(Fit const& fit, std::string const& name) {
  for (Estimate const& line : fit.estimates) {
    if (line.name == name) return &line;
  }
  return nullptr;
}

}  // namespace

TEST_CASE("Stops at much the same moment are met with a probability, at that moment") {
  AttemptRecords records;
  for (std::size_t i = 0; i < 6; ++i) {
    records.attempts.push_back(stopped_at(i, 609 + static_cast<double>(i)));
  }
  for (std::size_t i = 6; i < 10; ++i) records.attempts.push_back(done_at(i, 0, 0, 0, 5000));
  records.attempts.push_back(done_at(10, 0, 0, 0, 300));  // did not live so long
  Fit const fit = stop_fit({"A", "B"}, records, 400, RandomStreams(1, 0));
  Estimate const* const share = find(fit, "stop.A");
  REQUIRE(share != nullptr);
  CHECK(share->events == 6);
  CHECK(share->interval90.contains(0.6));
  CHECK(find(fit, "stop_after_s.A")->estimate == Approx(611.5).epsilon(0.01));
  CHECK(find(fit, "stop_per_s.A") == nullptr);
  CHECK(find(fit, "stop.B") == nullptr);
  for (std::string const& column : fit.draws.columns) {
    CHECK(scenario::find_site_column(column.substr(0, column.find('.'))) != nullptr);
  }
}

TEST_CASE("Stops at any time are a hazard: their number over the time executed") {
  AttemptRecords records;
  double const times[] = {100, 900, 4000};
  for (std::size_t i = 0; i < 3; ++i) records.attempts.push_back(stopped_at(i, times[i], 9));
  for (std::size_t i = 3; i < 8; ++i) records.attempts.push_back(done_at(i, 0, 0, 0, 5000));
  Fit const fit = stop_fit({"A"}, records, 400, RandomStreams(1, 0));
  REQUIRE(find(fit, "stop_per_s.A") != nullptr);
  CHECK(find(fit, "stop_per_s.A")->interval90.contains(3 / 30000.));
  CHECK(find(fit, "stop.A") == nullptr);
}

TEST_CASE("What is held after a stop, and what is idle again, come out as shares") {
  for (bool const held : {true, false}) {
    AttemptRecords records;
    for (std::size_t i = 0; i < 20; ++i) {
      AttemptRecord& attempt = records.attempts.emplace_back(stopped_at(i, 600));
      if (!held) attempt.end_kind = history::EventKind::evicted;
    }
    Fit const fit = stop_fit({"A"}, records, 400, RandomStreams(1, 0));
    auto const& columns = fit.draws.columns;
    auto const found = std::find(columns.begin(), columns.end(), "stop_holds.A");
    REQUIRE(found != columns.end());
    auto const c = static_cast<std::size_t>(found - columns.begin());
    for (auto const& row : fit.draws.rows) CHECK((held ? row[c] : 1 - row[c]) > 0.6);
  }
}

TEST_CASE("Jobs that were over with a stop say nothing of what is held") {
  AttemptRecords records;
  for (std::size_t i = 0; i < 40; ++i) {
    AttemptRecord& attempt = records.attempts.emplace_back(stopped_at(i, 600));
    if (i % 2 == 0) attempt.end_kind = history::EventKind::aborted;
  }
  Fit const fit = stop_fit({"A"}, records, 400, RandomStreams(1, 0));
  CHECK(find(fit, "stop.A")->events == 40);
  auto const& columns = fit.draws.columns;
  auto const found = std::find(columns.begin(), columns.end(), "stop_holds.A");
  REQUIRE(found != columns.end());
  auto const c = static_cast<std::size_t>(found - columns.begin());
  for (auto const& row : fit.draws.rows) CHECK(row[c] > 0.6);
}

TEST_CASE("What nothing stopped has no columns") {
  AttemptRecords records;
  records.attempts = {done_at(0, 0, 0, 0, 5000)};
  Fit const fit = stop_fit({"A"}, records, 100, RandomStreams(1, 0));
  CHECK(fit.draws.columns.empty());
  CHECK(fit.not_identified.empty());
}

}  // namespace gridcast::calibration
