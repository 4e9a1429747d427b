// Limits of slots: a moment that comes again and again, and a hazard.
#include "calibration/fits/stop_fit.hpp"

#include <algorithm>

#include "sim/base/statistics.hpp"
#include "sim/scenario/draw_columns.hpp"
#include "tests/calibration/log_records.hpp"
#include "tests/calibration/synthetic.hpp"
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
    auto const dot = column.find('.');
    bool const known = dot == std::string::npos
                           ? scenario::find_draw_column(column) != nullptr
                           : scenario::find_site_column(column.substr(0, dot)) != nullptr;
    CHECK(known);
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

TEST_CASE("Jobs that are held or idle after a stop are fitted as shares") {
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

TEST_CASE("Jobs that ended with a stop give no evidence on holds") {
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

TEST_CASE("Without stops there are no columns") {
  AttemptRecords records;
  records.attempts = {done_at(0, 0, 0, 0, 5000)};
  Fit const fit = stop_fit({"A"}, records, 100, RandomStreams(1, 0));
  CHECK(fit.draws.columns.empty());
  CHECK(fit.not_identified.empty());
}

namespace {

constexpr double limit_met = 1200;

/// Jobs of which each is stopped after 1,200 s with the probability p, or each time, and tried up
/// to four times; the others take 3,000 s. In slots of their own, so that none is a slot's.
AttemptRecords tried_again(int jobs, double each_time, double p, RandomStream noise) {
  AttemptRecords records;
  for (int job = 0; job < jobs; ++job) {
    bool const always = noise.chance(each_time);
    for (std::uint32_t number = 1; number <= 4; ++number) {
      bool const stopped = noise.chance(p) || always;
      auto const j = static_cast<std::size_t>(job);
      AttemptRecord attempt = stopped ? stopped_at(j, limit_met * (1 + 0.02 * noise.uniform()))
                                      : done_at(j, 0, 0, 0, 3000);
      attempt.number = number;
      attempt.slot = static_cast<std::uint32_t>(records.attempts.size());
      records.attempts.push_back(attempt);
      if (!stopped) break;
    }
  }
  return records;
}

std::vector<double> draws_of(Fit const& fit, std::string const& name) {
  auto const& columns = fit.draws.columns;
  auto const found = std::find(columns.begin(), columns.end(), name);
  REQUIRE(found != columns.end());
  std::vector<double> values;
  for (auto const& row : fit.draws.rows) {
    values.push_back(row[static_cast<std::size_t>(found - columns.begin())]);
  }
  return values;
}

double draws_with_any(std::vector<double> const& values) {
  auto const none = std::count(values.begin(), values.end(), 0.0);
  return 1 - static_cast<double>(none) / static_cast<double>(values.size());
}

}  // namespace

// Records of 100 jobs of which a fifth is stopped at first: none, half or all of these each time.
// In 199, 183 and 185 of 200 records, the intervals of 90 % contained the share. Without such
// jobs they were the likelier in 6.
TEST_CASE("Jobs that a limit stops each time are distinguished from bad chance", "[slow]") {
  constexpr int campaigns = 200;
  constexpr double stopped = 0.2;
  for (double const rho : {0.0, 0.5, 1.0}) {
    double const q = rho * stopped, p = (stopped - q) / (1 - q);
    int held_q = 0, held_p = 0, believed = 0;
    double such_jobs = 0;
    for (std::uint32_t i = 0; i < campaigns; ++i) {
      AttemptRecords const records = tried_again(100, q, p, test::test_stream(7000 + i));
      Fit const fit = stop_fit({"A"}, records, 400, RandomStreams(i, 0));
      auto const of_job = draws_of(fit, "stop_of_job");
      held_q += test::line(fit, "stop_of_job").interval90.contains(q) ? 1 : 0;
      auto const of_site = draws_of(fit, "stop.A");
      held_p += quantile(of_site, 0.05) <= p && p <= quantile(of_site, 0.95) ? 1 : 0;
      such_jobs += draws_with_any(of_job) / campaigns;
      believed += draws_with_any(of_job) > 0.5 ? 1 : 0;
    }
    INFO("rho " << rho << ": q in " << held_q << ", p in " << held_p << " of " << campaigns
                << " intervals; such jobs in " << such_jobs << " of the draws, believed in "
                << believed);
    CHECK(held_q >= 0.85 * campaigns);
    if (rho < 1) CHECK(held_p >= 0.85 * campaigns);
    if (rho == 0) CHECK(believed <= 0.1 * campaigns);
    if (rho > 0) CHECK(believed >= 0.9 * campaigns);
  }
}

// Three of ten first executions are stopped, and no job is tried again: q + (1 - q) p stays the
// same.
TEST_CASE("If no stopped job ran again, half of the draws have jobs that are stopped each time") {
  AttemptRecords records;
  for (std::size_t i = 0; i < 30; ++i) records.attempts.push_back(stopped_at(i, limit_met));
  for (std::size_t i = 30; i < 100; ++i) records.attempts.push_back(done_at(i, 0, 0, 0, 3000));
  Fit const fit = stop_fit({"A"}, records, 1000, RandomStreams(1, 0));
  CHECK(test::not_identified(fit, "stop_of_job"));
  CHECK(test::line(fit, "stop_of_job").origin == Origin::by_default);
  auto const of_job = draws_of(fit, "stop_of_job"), of_site = draws_of(fit, "stop.A");
  CHECK(draws_with_any(of_job) == Approx(0.5).margin(0.05));
  double first = 0;
  for (std::size_t i = 0; i < of_job.size(); ++i) {
    first += (of_job[i] + (1 - of_job[i]) * of_site[i]) / static_cast<double>(of_job.size());
  }
  CHECK(first == Approx(0.3).margin(0.02));
}

TEST_CASE("An execution that something else ended before the moment shows nothing of its job") {
  AttemptRecords records = tried_again(100, 0.2, 0, test::test_stream(1));
  auto const such_jobs = [](AttemptRecords const& of) {
    return count_stops(of, laws_of_stops(of, 1)).each_time.events;
  };
  double const without = such_jobs(records);
  for (std::size_t job = 0; job < 100; ++job) {
    AttemptRecord evicted = attempt_at(job, 1, 0, 600);
    evicted.executing = Seconds();
    evicted.end_kind = history::EventKind::evicted;
    evicted.number = 5;
    records.attempts.push_back(evicted);
  }
  auto const by_job = [](AttemptRecord const& a, AttemptRecord const& b) { return a.job < b.job; };
  std::stable_sort(records.attempts.begin(), records.attempts.end(), by_job);
  CHECK(such_jobs(records) == Approx(without));
  // One that lived past it shows that its job is none of them.
  for (AttemptRecord& attempt : records.attempts) {
    if (attempt.number == 5) attempt.end = Seconds(2000);
  }
  CHECK(such_jobs(records) < 0.1 * without);
}

// Ten were stopped at 610 s in the first week; of the second, all lived past that.
TEST_CASE("A week without a stop counts the executions that the limit of others left alone") {
  AttemptRecords first, second;
  for (std::size_t i = 0; i < 10; ++i) first.attempts.push_back(stopped_at(i, 610));
  for (std::size_t i = 10; i < 30; ++i) second.attempts.push_back(done_at(i, 0, 0, 0, 5000));
  AttemptRecords whole = first;
  whole.attempts.insert(whole.attempts.end(), second.attempts.begin(), second.attempts.end());
  StopCounts const counts = count_stops(second, laws_of_stops(whole, 1));
  CHECK(counts.at_moment.events == 0);
  CHECK(counts.at_moment.exposure == 20);
  CHECK(counts.each_time.events == 0);
  CHECK(counts.each_time.exposure == 20);
  CHECK(counts.at_any.exposure == 20 * 5000);
}

TEST_CASE("Sites that stopped nothing stop jobs that take their need with them") {
  AttemptRecords records = tried_again(100, 0.2, 0, test::test_stream(2));
  Fit const fit = stop_fit({"A", "B"}, records, 200, RandomStreams(1, 0));
  CHECK(mean(draws_of(fit, "stop_after_s.B")) == Approx(1212).margin(5));
  CHECK(mean(draws_of(fit, "stop_holds.B")) > 0.9);
  CHECK(find(fit, "stop.B") == nullptr);
  CHECK(find(fit, "stop_per_s.B") == nullptr);
}

// Stops at any time, of jobs that are stopped four times and of jobs that are stopped once.
TEST_CASE("Jobs are stopped each time where stops have no moment in common too") {
  double const times[] = {60, 300, 900, 2500, 8000, 20000};
  for (bool const again : {true, false}) {
    AttemptRecords records;
    for (std::size_t job = 0; job < 60; ++job) {
      for (std::uint32_t number = 1; number <= 4; ++number) {
        bool const stopped = job < 6 && (again || number == 1);
        records.attempts.push_back(stopped ? stopped_at(job, times[job])
                                           : done_at(job, 0, 0, 0, 30000));
        records.attempts.back().number = number;
        records.attempts.back().slot = static_cast<std::uint32_t>(records.attempts.size());
        if (!stopped) break;
      }
    }
    Fit const fit = stop_fit({"A"}, records, 400, RandomStreams(1, 0));
    double const such_jobs = draws_with_any(draws_of(fit, "stop_of_job"));
    CHECK((again ? such_jobs > 0.99 : such_jobs < 0.2));
    if (again) CHECK(test::line(fit, "stop_of_job").interval90.contains(0.1));
  }
}

}  // namespace gridcast::calibration
