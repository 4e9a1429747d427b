#include "calibration/fits/stall_tests.hpp"

#include <cmath>

#include "tests/calibration/synthetic.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {

using namespace gridcast::test;

namespace {

TableRecords with_stalls(std::vector<double> const& counts) {
  history::JobTable table;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    table.rows.push_back(plain_job(static_cast<std::uint32_t>(i), "A", 10000));
    table.rows.back().stalls = static_cast<int>(counts[i]);
  }
  return make_table_records(table, {}, Bytes(137e9));
}

}  // namespace

TEST_CASE("Probabilities of the count models, by hand") {
  CountModel const beta{CountFamily::beta_geometric, 2, 3};
  double const p[] = {0.4, 0.2, 4.0 / 35, 1.0 / 14};  // scipy: B(3, 3 + k) / B(2, 3)
  double above = 1;
  for (int k = 0; k < 4; ++k) {
    above -= p[k];
    CHECK(std::exp(beta.log_probability(k)) == Approx(p[k]));
    CHECK(beta.survival(k) == Approx(above));
  }
  CountModel const geometric{CountFamily::geometric, 0.25, 0};
  CHECK(std::exp(geometric.log_probability(2)) == Approx(0.75 / 16));
  CHECK(geometric.survival(1) == Approx(1.0 / 16));
  CountModel const hurdle{CountFamily::hurdle, 0.6, 0.5};
  CHECK(std::exp(hurdle.log_probability(0)) == Approx(0.6));
  CHECK(std::exp(hurdle.log_probability(2)) == Approx(0.1));
  CHECK(hurdle.survival(2) == Approx(0.1));
}

TEST_CASE("Models of counts are recovered from what they make") {
  for (CountModel const& truth :
       {CountModel{CountFamily::geometric, 0.7, 0}, CountModel{CountFamily::hurdle, 0.65, 0.9},
        CountModel{CountFamily::beta_geometric, 3, 4}}) {
    RandomStream stream = test_stream(static_cast<std::uint32_t>(truth.family));
    std::vector<double> counts;
    for (int i = 0; i < 4000; ++i) counts.push_back(truth.sample(stream));
    CountModel const fit = fit_counts(truth.family, counts);
    CHECK(fit.survival(0) == Approx(truth.survival(0)).margin(0.03));
    CHECK(fit.survival(5) == Approx(truth.survival(5)).margin(0.03));
    // 1.63 / sqrt(4000), less than that since it is fitted.
    CHECK(kolmogorov_distance(fit, counts) < 0.026);
  }
}

TEST_CASE("The distance of counts to a model counts both sides of a step") {
  CountModel const half{CountFamily::geometric, 0.5, 0};
  // F = 1/2, 3/4, 7/8, ...; all counts at 1: below the step 1/2, above it 1/4.
  CHECK(kolmogorov_distance(half, {1, 1, 1}) == Approx(0.5));
  CHECK(kolmogorov_distance(half, {0, 0}) == Approx(0.5));
  // The last step as well, whatever lies behind the counts: F(1) is 3/4 and all counts are 1 or
  // less.
  CountModel const rare{CountFamily::geometric, 0.9, 0};
  std::vector<double> counts = {0, 1, 1, 1};
  counts.pop_back();
  CHECK(kolmogorov_distance(rare, std::move(counts)) == Approx(0.9 * 0.9));
}

TEST_CASE("Where every job stalled, any number of stalls without one is as many") {
  std::vector<ModelTest> const tests =
      stall_tests(with_stalls({1, 2, 1, 3, 1}), RandomStreams(1, 0));
  CHECK(tests[1].observed == 0);
  CHECK(tests[1].p_value == 1);
}

TEST_CASE("Independent stalls are rejected by the published campaign") {
  std::vector<ModelTest> const tests = stall_tests(published_records(), RandomStreams(1, 0));
  REQUIRE(tests.size() == 7);
  // 84 jobs, 232 stalls: numpy gives variance / mean = 10.728.
  CHECK(tests[0].observed == Approx(10.728).epsilon(1e-4));
  CHECK(tests[0].p_value < 1e-100);
  CHECK(tests[0].p_value > 0);
  CHECK(tests[1].observed == Approx(55.0 / 84));
  CHECK(tests[1].expected == Approx(84.0 / 316).epsilon(0.01));  // 1 / (1 + mean)
  CHECK(tests[1].p_value == Approx(0.0001));
  CHECK(tests[2].p_value == Approx(0.0001));
  for (std::size_t i = 0; i < 3; ++i) CHECK_THAT(tests[i].verdict, has_text("rejected"));
  // Jobs that differ explain far more, but not that ten of them stalled 12 to 14 times.
  CHECK_THAT(tests[3].verdict, has_text("AIC better"));
  // 35 and 36, 41 and 42: the same number next to each other.
  CHECK(tests[6].observed >= 2);
}

TEST_CASE("Independent stalls pass their own test") {
  RandomStream stream = test_stream(4);
  CountModel const truth{CountFamily::geometric, 0.7, 0};
  std::vector<double> counts;
  for (int i = 0; i < 100; ++i) counts.push_back(truth.sample(stream));
  std::vector<ModelTest> const tests = stall_tests(with_stalls(counts), RandomStreams(1, 0));
  CHECK(tests[0].p_value < 0.01);  // geometric is not Poisson
  for (std::size_t i = 1; i < tests.size(); ++i) {
    CAPTURE(tests[i].hypothesis);
    CHECK(tests[i].p_value > 0.01);
  }
}

TEST_CASE("Jobs that stall side by side are noticed") {
  std::vector<double> counts(60, 0);
  for (std::size_t i = 20; i < 32; ++i) counts[i] = 5;
  std::vector<ModelTest> const tests = stall_tests(with_stalls(counts), RandomStreams(1, 0));
  CHECK(tests[5].observed == 11);
  CHECK(tests[5].expected == Approx(12.0 * 11 / 60).epsilon(0.05));  // 59 pairs of 12 in 60
  CHECK(tests[5].p_value < 0.001);
  CHECK(tests[6].p_value < 0.001);
}

TEST_CASE("Without stalls there is nothing to test") {
  CHECK(stall_tests(with_stalls({0, 0, 0}), RandomStreams(1, 0)).empty());
}

}  // namespace gridcast::calibration
