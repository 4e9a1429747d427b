// Jobs that crash whenever they run, and jobs that crash now and then.
#include "calibration/fits/crash_fit.hpp"
#include "sim/base/statistics.hpp"
#include "sim/scenario/draw_columns.hpp"
#include "tests/calibration/synthetic.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {

using namespace gridcast::test;

namespace {

/// Jobs one after the other, each with its executions.
class Record {
 public:
  /// `jobs` jobs that crash so often at a site, in other slots each time, and then end well at site
  /// 0, or not.
  Record& add(int jobs, int crashes, bool well, std::size_t site = 0) {
    for (int i = 0; i < jobs; ++i, ++jobs_) {
      for (int k = 0; k < crashes; ++k) {
        trials.push_back({.job = jobs_, .site = site, .slot = slots_++, .failed = true});
      }
      if (well) trials.push_back({.job = jobs_, .site = 0, .slot = slots_++});
    }
    return *this;
  }

  std::vector<JobTrial> trials;

 private:
  std::size_t jobs_ = 0, slots_ = 0;
};

constexpr std::size_t draws = 1000;

/// With the columns of two sites' crashes, all at 0.2 before.
Fit fit_of(BadJobs const& jobs) {
  Fit fit;
  for (char const* const site : {"crash.A", "crash.B"}) {
    fit.draws.add(site, std::vector<double>(draws, 0.2));
  }
  jobs.add_to(fit, {"A", "B"}, draws, RandomStreams(1, 0));
  return fit;
}

std::vector<double> column(Fit const& fit, std::size_t i) {
  std::vector<double> values;
  for (auto const& row : fit.draws.rows) values.push_back(row[i]);
  return values;
}

std::size_t draws_with_bad_jobs(Fit const& fit) {
  auto const values = column(fit, 2);
  return draws - static_cast<std::size_t>(std::count(values.begin(), values.end(), 0.0));
}

}  // namespace

// Beta(15 + 1/2, 135 + 1/2): 0.103 +- 0.025.
TEST_CASE("Jobs that crashed four times where no other did are bad, and a tenth of all") {
  BadJobs const jobs(Record().add(15, 4, false).add(135, 0, true).trials, 2);
  CHECK(jobs.is_bad(14) > 0.999);
  CHECK(jobs.is_bad(15) == 0);
  CHECK(jobs.is_bad(1000) == 0);
  CHECK(jobs.count().events == Approx(15).margin(0.02));
  CHECK(jobs.count().exposure == 150);
  Fit const fit = fit_of(jobs);
  CHECK(scenario::find_draw_column("crash_of_job") != nullptr);
  Estimate const& share = line(fit, "crash_of_job");
  CHECK(share.events == 15);
  CHECK(share.estimate == Approx(0.1).margin(0.01));
  CHECK(share.interval90.low == Approx(0.065).margin(0.015));
  CHECK(share.interval90.high == Approx(0.146).margin(0.015));
  CHECK_FALSE(not_identified(fit, "crash_of_job"));
}

// Among 200 jobs that crash with 0.3 each time, 140 run once, 42 twice, 13 three times, 4 four
// times, and one is out of retries, as 0.3^4 x 200 = 1.6 are.
TEST_CASE("If retries end well as often as first executions, there are no bad jobs") {
  Record record;
  record.add(140, 0, true).add(42, 1, true).add(13, 2, true).add(4, 3, true).add(1, 4, false);
  BadJobs const jobs(record.trials, 2);
  CHECK(jobs.is_bad(199) < 0.1);
  CHECK(draws_with_bad_jobs(fit_of(jobs)) < draws / 10);
}

// 20 of 200 are bad, the others crash with 0.3: 126 run once, 38 twice, 11 three times, 3 four
// times, 2 are out of retries.
TEST_CASE("Bad jobs are distinguished from jobs with bad chance") {
  Record record;
  record.add(126, 0, true).add(38, 1, true).add(11, 2, true).add(3, 3, true).add(22, 4, false);
  BadJobs const jobs(record.trials, 2);
  CHECK(jobs.count().events == Approx(20).margin(1));
  Fit const fit = fit_of(jobs);
  CHECK(line(fit, "crash_of_job").interval90.contains(0.1));
  CHECK(draws_with_bad_jobs(fit) > 0.99 * draws);
}

TEST_CASE(
    "Without a second execution nothing is reported, and first ones crash as often as they did") {
  BadJobs const jobs(Record().add(20, 1, false).add(80, 0, true).trials, 2);
  Fit const fit = fit_of(jobs);
  CHECK(not_identified(fit, "crash_of_job"));
  // 1 / 10 beforehand; with one site that had executions nothing changes it.
  CHECK(draws_with_bad_jobs(fit) / static_cast<double>(draws) == Approx(0.1).margin(0.02));
  CHECK(jobs.count().events == Approx(20 * 0.05).margin(0.2));
  // m of the 20 are bad: q near m / 100 and p near 0.2 (20.5 - m) / 19.5, as it was 0.2 with one of
  // them.
  std::vector<double> first;
  auto const crash = column(fit, 0), bad = column(fit, 2);
  for (std::size_t i = 0; i < draws; ++i) {
    if (bad[i] > 0) first.push_back(bad[i] + (1 - bad[i]) * crash[i]);
    if (bad[i] == 0) CHECK(crash[i] == Approx(0.2 * 20.5 / 19.5).margin(0.003));
  }
  CHECK(mean(first) == Approx(0.203).margin(0.015));
}

TEST_CASE("A site or a slot where nearly all jobs crash makes no job a bad one") {
  Record record;
  // At B 97 of 100 executions crash, and six jobs used up their retries there.
  record.add(94, 0, true).add(20, 4, true, 1).add(6, 4, false, 1);
  BadJobs const hole(record.trials, 2);
  CHECK(hole.count().events < 0.2);
  // Four times in the same slot: as one crash each, so that it is not known.
  Record same = Record().add(5, 4, false).add(95, 0, true);
  for (JobTrial& trial : same.trials) {
    if (trial.failed) trial.slot = 0;
  }
  CHECK(BadJobs(same.trials, 2).is_bad(0) < 0.1);
}

// One crash each: q' / ((1 - q') p') = q / (1 - q) (1 - p + p odds) / p, which odds of 1/2 and 2
// change by 1.5 p.
TEST_CASE("A program that crashes more has more bad jobs, so that one crash shows as much in any") {
  Record record = Record().add(2, 1, false).add(98, 0, true);
  record.trials[0].odds = 0.5;
  record.trials[1].odds = 2;
  BadJobs const jobs(record.trials, 2);
  CHECK(jobs.is_bad(0) > 0.02);
  CHECK(jobs.is_bad(1) / jobs.is_bad(0) == Approx(1).margin(0.03));
}

TEST_CASE("Without a crash there is no column") {
  CHECK(fit_of(BadJobs(Record().add(50, 0, true).trials, 2)).draws.columns.size() == 2);
}

}  // namespace gridcast::calibration
