// Where in its run a program crashes.
#include "calibration/fits/crash_moment.hpp"

#include "sim/base/random.hpp"
#include "sim/scenario/draw_columns.hpp"
#include "tests/calibration/log_records.hpp"
#include "tests/calibration/synthetic.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {

using namespace gridcast::test;

namespace {

AttemptRecord crashed_after(std::size_t job, double seconds) {
  AttemptRecord attempt = done_at(job, 0, 0, 0, seconds);
  attempt.useful = false;
  return attempt;
}

/// Of programs whose executions all take the same.
std::vector<CrashShare> beta_shares(double a, double b, int n) {
  std::vector<CrashShare> shares;
  for (int i = 0; i < n; ++i) shares.push_back({beta_quantile((i + 0.5) / n, a, b), 0});
  return shares;
}

}  // namespace

TEST_CASE("A crash's share is of what remained of the work, and of no other execution") {
  AttemptRecords records;
  records.attempts = {crashed_after(0, 95), done_at(1, 0, 0, 0, 100), crashed_after(2, 1)};
  auto const shares = crash_shares(records, {{100, 100}, 0.3});
  REQUIRE(shares.size() == 2);
  CHECK(shares[0].share == Approx(0.95));
  CHECK(shares[1].share == Approx(0.01));
  // The tick is a second: a triangle of that half width, variance 1 / 6.
  CHECK(shares[0].log_sd == Approx(std::sqrt(0.09 + 1 / (6 * 95.0 * 95.0))));
  CHECK(shares[1].log_sd == Approx(std::sqrt(0.09 + 1.0 / 6)));
  CHECK(crash_shares(records, {{50, 100}})[0].share == Approx(1.9));
}

TEST_CASE("The posterior holds the shape of the crashes: at both ends, late, or anywhere") {
  struct Case {
    double a, b;
  };
  for (auto const& [a, b] : {Case{0.5, 0.5}, Case{40, 2}, Case{1, 1}}) {
    CAPTURE(a, b);
    Fit const fit = crash_moment_fit(beta_shares(a, b, 60), 400, RandomStreams(1, 0));
    CHECK(line(fit, "crash_at_a").interval90.contains(a));
    CHECK(line(fit, "crash_at_b").interval90.contains(b));
    for (std::string const& column : fit.draws.columns) {
      CHECK(scenario::find_draw_column(column) != nullptr);
    }
  }
}

// Its steps are of 0.375 in ln a and ln b, which are known to 1 / sqrt(60 / 2) = 0.18.
TEST_CASE("Crashes within seconds of a run of hours come at so small a share of it") {
  Fit const fit = crash_moment_fit(beta_shares(4, 6000, 60), 400, RandomStreams(1, 0));
  double const a = line(fit, "crash_at_a").estimate, b = line(fit, "crash_at_b").estimate;
  CHECK(std::log(a / 4) == Approx(0).margin(0.5));
  CHECK(a / (a + b) == Approx(4 / 6004.0).epsilon(0.25));
}

// Executions of 0.3 in ln time, crashes anywhere in them: one in seven lasted longer than the
// typical execution takes, which is no sign that programs crash at their end.
TEST_CASE("Crashes anywhere in executions of different lengths are no crashes at the end") {
  RandomStream stream = test_stream(7);
  std::vector<CrashShare> shares;
  for (int i = 0; i < 300; ++i) {
    double const own = std::exp(0.3 * normal_quantile(stream.uniform()));
    shares.push_back({std::max(0.002, own * stream.uniform()), 0.3});
  }
  CHECK(std::count_if(shares.begin(), shares.end(), [](auto& x) { return x.share > 1; }) > 20);
  Fit const fit = crash_moment_fit(shares, 400, RandomStreams(1, 0));
  CHECK(line(fit, "crash_at_a").interval90.contains(1));
  CHECK(line(fit, "crash_at_b").interval90.contains(1));
}

TEST_CASE("Of late crashes no risk lies behind an execution that was half done") {
  CrashMomentPosterior const late(beta_shares(40, 2, 40));
  CHECK(late.risk_until(0.5) < 0.01);
  CHECK(late.risk_until(1) == Approx(1));
  CrashMomentPosterior const unknown({});
  CHECK(unknown.risk_until(0.3) == Approx(0.3));
  CHECK(crash_moment_fit({}, 10, RandomStreams(1, 0)).draws.columns.empty());
}

}  // namespace gridcast::calibration
