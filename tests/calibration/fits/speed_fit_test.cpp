#include "calibration/fits/speed_fit.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "sim/base/random.hpp"
#include "tests/calibration/synthetic.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {

using namespace gridcast::test;

namespace {

using Kind = TimedExecution::Kind;

double log_normal_density(double off, double variance) {
  return -off * off / (2 * variance) - std::log(variance) / 2;
}

SpeedParameters const at{2, 0.5, 0.3, {0.1, -0.2}};

/// Likelihood of a job by the trapezoidal rule over its factor, given the executions' own
/// likelihoods.
template <class Given>
double integrated(Given const& given) {
  double sum = 0;
  constexpr int steps = 4000;
  for (int i = 0; i <= steps; ++i) {
    double const b = -5 + 10.0 * i / steps;
    sum += given(b) * std::exp(-b * b / (2 * 0.25)) / std::sqrt(2 * M_PI * 0.25) * 10 / steps;
  }
  return std::log(sum);
}

double phi(double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); }

AttemptRecord attempt(std::size_t job, std::uint32_t number, double computed) {
  AttemptRecord record;
  record.job = Id<history::Job>(job);
  record.number = number;
  record.site = Id<history::Site>(0);
  record.executing = Seconds(0);
  record.exit = Seconds(computed);
  record.tail = Seconds(computed);
  record.end = Seconds(computed);
  record.end_kind = history::EventKind::terminated;
  return record;
}

}  // namespace

TEST_CASE("One observed execution is normal with all variances") {
  // ln work - ln speed = 2 - 0.1.
  CHECK(log_likelihood({{Kind::observed, 0, 2.5, 0.04}}, at) ==
        Approx(log_normal_density(2.5 - 1.9, 0.25 + 0.09 + 0.04)));
}

TEST_CASE("Two executions of a job share its factor") {
  // Bivariate normal: variances 0.34, covariance 0.25; off by 0.6 and by -0.1.
  double const x = 2.5 - 1.9, y = 2.1 - 2.2;
  double const determinant = 0.34 * 0.34 - 0.25 * 0.25;
  double const form = (0.34 * x * x - 2 * 0.25 * x * y + 0.34 * y * y) / determinant;
  CHECK(log_likelihood({{Kind::observed, 0, 2.5, 0}, {Kind::observed, 1, 2.1, 0}}, at) ==
        Approx(-form / 2 - std::log(determinant) / 2));
}

TEST_CASE("The likelihood of a cut execution averages over the job's factor") {
  CHECK(log_likelihood({{Kind::longer, 0, 2.3, 0.01}}, at) ==
        Approx(integrated([](double b) {
          return phi((1.9 + b - 2.3) / std::sqrt(0.1));
        })).margin(3e-3));
  // A crash at t: integral of the density of T over T > t, times (t / T)^a.
  for (double const power : {1.0, 0.2}) {
    SpeedParameters so = at;
    so.crash_power = power;
    CHECK(log_likelihood({{Kind::crash, 1, 1.4, 0}}, so) ==
          Approx(integrated([&](double b) {
            double const m = 2.2 + b, v = 0.09;
            double sum = 0;
            for (int i = 0; i < 2000; ++i) {
              double const log_time = 1.4 + 5.0 * (i + 0.5) / 2000;
              sum +=
                  std::exp(power * (1.4 - log_time) - (log_time - m) * (log_time - m) / (2 * v)) /
                  std::sqrt(2 * M_PI * v) * 5 / 2000;
            }
            return sum;
          })).margin(1e-3));
  }
}

TEST_CASE(
    "The fit compares the time of crashes with executions that ended at their site, or anywhere") {
  std::vector<std::vector<TimedExecution>> jobs = {
      {{Kind::crash, 0, 3, 0}, {Kind::observed, 0, 8, 0}},
      {{Kind::crash, 1, 1, 0}, {Kind::longer, 1, 5, 0}}};
  CHECK(crash_power(jobs, 2) == Approx(1 / 16.0));  // 8 - 3 and 8 - 1: four times 1.5
  jobs.push_back({{Kind::observed, 1, 9, 0}, {Kind::crash, 1, 10, 0}});
  CHECK(crash_power(jobs, 2) == Approx(20.25 / 169));  // 8 - 3, 9 - 1 and none
  // No later than at any point alike; nor where nothing came to an end, or nothing crashed.
  CHECK(crash_power({{{Kind::crash, 0, 7.9, 0}, {Kind::observed, 0, 8, 0}}}, 1) == 1);
  CHECK(crash_power({{{Kind::crash, 0, 3, 0}}}, 1) == 1);
  CHECK(crash_power({{{Kind::observed, 0, 8, 0}}}, 1) == 1);
}

TEST_CASE("Executions of a job: ended, cut short, crashed, and unheard of") {
  AttemptRecords records;
  records.tick = 1;
  records.attempts = {attempt(0, 1, 20), attempt(0, 2, 30), attempt(1, 1, 0), attempt(2, 1, 9)};
  AttemptRecord& evicted = records.attempts[0];
  evicted.exit.reset();
  evicted.end_kind = history::EventKind::evicted;
  records.attempts[3].useful = false;
  auto const jobs = executions_by_job(records, {});
  REQUIRE(jobs.size() == 3);
  REQUIRE(jobs[0].size() == 2);
  CHECK(jobs[0][0].kind == Kind::longer);
  CHECK(jobs[0][0].log_time == Approx(std::log(20.0)));
  CHECK(jobs[0][0].rounding == Approx(1.0 / 400 / 6));
  CHECK(jobs[0][1].kind == Kind::observed);
  CHECK(jobs[1][0].log_time == Approx(std::log(0.25)));  // no stamp of a second shows it
  CHECK(jobs[1][0].rounding == Approx(1.0 / 6));
  CHECK(jobs[2][0].kind == Kind::crash);
}

TEST_CASE("Finer time stamps show an execution more precisely") {
  AttemptRecords records;
  records.tick = 0.001;
  records.attempts = {attempt(0, 1, 0.02), attempt(1, 1, 0)};
  auto const jobs = executions_by_job(records, {});
  REQUIRE(jobs.size() == 2);
  CHECK(jobs[0][0].log_time == Approx(std::log(0.02)));
  CHECK(jobs[0][0].rounding == Approx(1.0 / 400 / 6));
  CHECK(jobs[1][0].log_time == Approx(std::log(0.00025)));
  CHECK(jobs[1][0].rounding == Approx(1.0 / 6));
}

TEST_CASE("The computing of checkpointing jobs counts for as many epochs") {
  AttemptRecords records;
  records.epochs = 4;
  AttemptRecord evicted = attempt(0, 1, 7);
  evicted.epochs = {Seconds(10), Seconds(12)};
  evicted.exit.reset();
  evicted.end_kind = history::EventKind::evicted;
  AttemptRecord resumed = attempt(0, 2, 10);
  resumed.epochs = {Seconds(11)};
  resumed.epochs_before = 2;
  AttemptRecord crashed_attempt = attempt(1, 1, 5);
  crashed_attempt.useful = false;
  crashed_attempt.epochs_before = 1;
  AttemptRecord unheard = attempt(2, 1, 50);
  unheard.unheard = true;
  records.attempts = {evicted, resumed, crashed_attempt, unheard};
  auto const jobs = executions_by_job(records, {});
  REQUIRE(jobs.size() == 3);
  REQUIRE(jobs[0].size() == 2);
  CHECK(jobs[0][0].kind == Kind::observed);
  CHECK(jobs[0][0].log_time == Approx(std::log(22 / 0.5)));
  CHECK(jobs[0][1].log_time == Approx(std::log(21 / 0.5)));
  CHECK(jobs[1][0].log_time == Approx(std::log(5 / 0.75)));
  CHECK(jobs[2].empty());
}

TEST_CASE("In a table that counts epochs, an execution is the share of a job that it did") {
  AttemptRecords records;
  records.epochs = 20;
  AttemptRecord evicted = attempt(0, 1, 70);
  evicted.epochs_recorded = 3;
  evicted.exit.reset();
  evicted.end_kind = history::EventKind::evicted;
  AttemptRecord shorter = attempt(1, 1, 100);
  shorter.epochs_recorded = 5;
  AttemptRecord usual = attempt(2, 1, 400);
  usual.epochs_recorded = 20;
  AttemptRecord late = attempt(3, 1, 500);  // taken away when all was done
  late.epochs_recorded = 20;
  late.exit.reset();
  late.end_kind = history::EventKind::evicted;
  records.attempts = {evicted, shorter, usual, late};
  auto const jobs = executions_by_job(records, {});
  REQUIRE(jobs.size() == 4);
  CHECK(jobs[0][0].kind == Kind::longer);  // it was in its fourth
  CHECK(jobs[0][0].log_time == Approx(std::log(70 / (4 / 20.0))));
  CHECK(jobs[1][0].kind == Kind::observed);
  CHECK(jobs[1][0].log_time == Approx(std::log(400)));
  CHECK(jobs[2][0].log_time == Approx(std::log(400)));
  CHECK(jobs[3][0].kind == Kind::longer);
  CHECK(jobs[3][0].log_time == Approx(std::log(500)));
}

TEST_CASE("Speeds and spreads are recovered from jobs that ran at both sites") {
  AttemptRecords records;
  RandomStream stream = test_stream(5);
  for (std::size_t job = 0; job < 60; ++job) {
    double const own = 0.4 * normal_quantile(stream.uniform());
    for (std::uint32_t number = 1; number <= 2; ++number) {
      double const noise = 0.05 * normal_quantile(stream.uniform());
      double const speed = number == 1 ? 2 : 0.5;
      records.attempts.push_back(attempt(job, number, 1000 * std::exp(own + noise) / speed));
      records.attempts.back().site = Id<history::Site>(number - 1);
    }
  }
  Fit const fit = speed_fit({"A", "B"}, records, {}, 100, RandomStreams(1, 0));
  CHECK(line(fit, "speed.A").estimate == Approx(2).epsilon(0.03));
  CHECK(line(fit, "speed.B").estimate == Approx(0.5).epsilon(0.03));
  CHECK(line(fit, "speed.A").events == 60);
  CHECK(line(fit, "work_s").estimate == Approx(1000).epsilon(0.15));
  CHECK(line(fit, "job_sigma").interval90.contains(0.4));
  CHECK(line(fit, "execution_sigma").interval90.contains(0.05));
  CHECK(line(fit, "execution_sigma").events == 120);
  TypicalTimes const typical = typical_times(fit, {"A", "B"});
  CHECK(typical.at_site[0] == Approx(line(fit, "work_s").estimate / line(fit, "speed.A").estimate));
  CHECK(typical.at_site[1] == Approx(line(fit, "work_s").estimate / line(fit, "speed.B").estimate));
  double const job = line(fit, "job_sigma").estimate, own = line(fit, "execution_sigma").estimate;
  CHECK(typical.log_sd == Approx(std::sqrt(job * job + own * own)));
}

TEST_CASE("Where no execution came to an end, works are as long as usual, and never nothing") {
  auto const fit_of = [](AttemptRecords const& records) {
    Fit const fit = speed_fit({"A"}, records, {}, 200, RandomStreams(1, 0));
    CHECK(std::ranges::any_of(fit.not_identified,
                              [](auto const& gap) { return gap.what == "work_s"; }));
    return line(fit, "work_s").interval90;
  };
  auto const none = fit_of({});  // 1 h with a factor of 100 either way
  CHECK(std::log10(none.low / 36) == Approx(0).margin(0.7));
  CHECK(std::log10(none.high / 360'000) == Approx(0).margin(0.7));
  AttemptRecords evicted;
  for (std::size_t job = 0; job < 30; ++job) {
    evicted.attempts.push_back(attempt(job, 1, 7200));
    evicted.attempts.back().exit.reset();
    evicted.attempts.back().end_kind = history::EventKind::evicted;
  }
  auto const longer = fit_of(evicted);
  CHECK(longer.low > 7200);
  CHECK(longer.high < 1e7);
}

TEST_CASE("A site where most fail within seconds is as fast as the few that finish there") {
  AttemptRecords records;
  RandomStream stream = test_stream(9);
  std::size_t job = 0;
  auto const add = [&](std::size_t site, double seconds, bool crash) {
    records.attempts.push_back(attempt(job++, 1, seconds));
    records.attempts.back().site = Id<history::Site>(site);
    records.attempts.back().useful = !crash;
  };
  auto const noise = [&] { return std::exp(0.05 * normal_quantile(stream.uniform())); };
  for (int i = 0; i < 90; ++i) add(0, 3000 * noise(), false);
  for (int i = 0; i < 6; ++i) add(1, 9900 * noise(), false);
  for (int i = 0; i < 118; ++i) add(1, 2 + 8 * stream.uniform(), true);
  Fit const fit = speed_fit({"FAST", "HOLE"}, records, {}, 100, RandomStreams(1, 0));
  // 0.05 / sqrt(6) = 0.02 is the error of the hole's time.
  double const ratio = line(fit, "speed.FAST").estimate / line(fit, "speed.HOLE").estimate;
  CHECK(std::log(ratio / 3.3) == Approx(0).margin(4 * 0.02));
  CHECK(line(fit, "job_sigma").estimate < 0.08);
}

TEST_CASE("If crashes come at any point, finished and crashed executions show the same times") {
  AttemptRecords records;
  RandomStream stream = test_stream(10);
  constexpr std::size_t jobs = 400;
  for (std::size_t job = 0; job < jobs; ++job) {
    double const whole = 1000 * std::exp(0.8 * normal_quantile(stream.uniform()));
    bool const crash = job % 2 == 0;
    records.attempts.push_back(attempt(job, 1, crash ? whole * stream.uniform() : whole));
    records.attempts.back().useful = !crash;
  }
  Fit const fit = speed_fit({"A"}, records, {}, 100, RandomStreams(1, 0));
  // 0.8 / sqrt(200) = 0.06.
  CHECK(std::log(line(fit, "work_s").estimate / 1000) == Approx(0).margin(2.5 * 0.06));
  CHECK(line(fit, "job_sigma").estimate == Approx(0.8).margin(0.1));
}

TEST_CASE(
    "A sample shows some of very many jobs and all jobs of a small site; the counts are of all") {
  AttemptRecords records;
  RandomStream stream = test_stream(6);
  std::size_t const many = enough_jobs + 4000, few = 50;
  for (std::size_t job = 0; job < many; ++job) {
    // One in so many at the small site, whose few jobs would be lost among the others.
    bool const small = job % (many / few) == 0;
    double const speed = small ? 0.5 : 2;
    double const noise = 0.2 * normal_quantile(stream.uniform());
    records.attempts.push_back(attempt(job, 1, 1000 * std::exp(noise) / speed));
    records.attempts.back().site = Id<history::Site>(small ? 1 : 0);
  }
  Fit const fit = speed_fit({"A", "B"}, records, {}, 10, RandomStreams(1, 0));
  CHECK(line(fit, "speed.A").events == many - few);
  CHECK(line(fit, "speed.B").events == few);
  // Each fourth of A's 7,950, as 2,000 are enough of one of two sites, and all of B's.
  CHECK_THAT(line(fit, "work_s").method, has_text("from 2038 of 8000 jobs"));
  // 0.2 / sqrt(50) = 0.03 is the error of the small site's time; a speed is half of the difference.
  double const ratio = line(fit, "speed.A").estimate / line(fit, "speed.B").estimate;
  CHECK(std::log(ratio / 4) == Approx(0).margin(4 * 0.03));
}

TEST_CASE("Jobs with very many evictions show the work of all from fewer of them") {
  AttemptRecords records;
  RandomStream stream = test_stream(11);
  constexpr std::size_t jobs = 600, sites = 12, evictions = 5;
  auto const add = [&](std::size_t job, double seconds) -> AttemptRecord& {
    records.attempts.push_back(attempt(job, 1, seconds));
    records.attempts.back().site = Id<history::Site>(stream.below(sites));
    return records.attempts.back();
  };
  for (std::size_t job = 0; job < jobs; ++job) {
    double const whole = 1000 * std::exp(0.3 * normal_quantile(stream.uniform()));
    for (std::size_t i = 0; i < evictions; ++i) {
      AttemptRecord& evicted = add(job, whole * stream.uniform());
      evicted.exit.reset();
      evicted.end_kind = history::EventKind::evicted;
    }
    add(job, whole);
  }
  std::vector<std::string> names;
  for (std::size_t s = 0; s < sites; ++s) names.push_back("S" + std::to_string(s));
  Fit const fit = speed_fit(names, records, {}, 100, RandomStreams(1, 0));
  auto const work = line(fit, "work_s");
  CHECK(work.events == jobs);
  CHECK(work.censored == evictions * jobs);
  CHECK_THAT(work.method, has_text(" of 600 jobs, evenly"));
  // 0.3 / sqrt(300 jobs) = 0.017.
  CHECK(std::log(work.estimate / 1000) == Approx(0).margin(3 * 0.017));
  CHECK(line(fit, "job_sigma").estimate == Approx(0.3).margin(0.04));
}

namespace {

/// Twelve sites with one GPU model and jobs of 1,000 s on one GPU: at half of them there is one, at
/// the others `gpus`, with which they are faster by their number to the power of `scaling`.
Fit fit_of_sites(int gpus, double scaling) {
  constexpr std::size_t sites = 12, jobs = 240;
  std::vector<std::string> names;
  std::vector<SpeedPrior> priors;
  for (std::size_t s = 0; s < sites; ++s) {
    names.push_back("S" + std::to_string(s));
    priors.push_back({.gpus = s % 2 == 0 ? 1 : gpus});
  }
  AttemptRecords records;
  RandomStream stream = test_stream(8);
  for (std::size_t job = 0; job < jobs; ++job) {
    SpeedPrior const& site = priors[job % sites];
    double const noise = 0.05 * normal_quantile(stream.uniform());
    records.attempts.push_back(
        attempt(job, 1, 1000 * std::exp(noise) / std::pow(site.gpus, scaling)));
    records.attempts.back().site = Id<history::Site>(job % sites);
    records.attempts.back().gpus = site.gpus;
  }
  return speed_fit(names, records, priors, 200, RandomStreams(1, 0));
}

bool is_identified(Fit const& fit, std::string const& what) {
  return std::none_of(fit.not_identified.begin(), fit.not_identified.end(),
                      [&](auto const& gap) { return gap.what == what; });
}

}  // namespace

TEST_CASE("Sites with other numbers of GPUs show how speed grows with them") {
  Fit const reported = fit_of_sites(4, 0.4);
  CHECK(is_identified(reported, "gpu_scaling"));
  CHECK(line(reported, "gpu_scaling").events == 120);
  // Sites are as fast as their GPUs, but for 0.05 / sqrt(20): the prior of 0.9 +- 0.15 hardly
  // counts.
  CHECK(line(reported, "gpu_scaling").estimate == Approx(0.4).margin(0.05));

  Fit const alike = fit_of_sites(1, 0.4);
  CHECK_FALSE(is_identified(alike, "gpu_scaling"));
  CHECK(line(alike, "gpu_scaling").estimate == Approx(0.9).margin(0.04));  // 3 sd / sqrt(200)
}

TEST_CASE("A typical time is the work over the site's speed, and spreads by jobs and executions") {
  Fit fit;
  fit.estimates = {{.name = "work_s", .estimate = 30},
                   {.name = "job_sigma", .estimate = 0.3},
                   {.name = "execution_sigma", .estimate = 0.4},
                   {.name = "speed.A", .estimate = 2},
                   {.name = "speed.B", .estimate = 0.5}};
  TypicalTimes const times = typical_times(fit, {"A", "B", "C"});
  CHECK(times.at_site == std::vector<double>{15, 60, 30});
  CHECK(times.log_sd == Approx(0.5));
}

}  // namespace gridcast::calibration
