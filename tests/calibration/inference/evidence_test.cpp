#include "calibration/inference/evidence.hpp"

#include <cmath>

#include "tests/test.hpp"

namespace gridcast::calibration {

TEST_CASE("The evidence of a normal density is its integral, the draws have its moments") {
  // exp(-(x - 2)^2 / (2 0.5^2) - (y + 1 - x)^2 / (2 3^2)): integral 2 pi 0.5 x 3.
  auto const target = [](std::vector<double> const& at) {
    double const a = (at[0] - 2) / 0.5, b = (at[1] + 1 - at[0]) / 3;
    return -(a * a + b * b) / 2;
  };
  RandomStream stream(7, Purpose::test, 0, 0);
  ImportanceProposal const start{.center = {0, 0}, .draws = {}, .sd = {2, 2}};
  ImportanceProposal const found = adapted_proposal(target, start, 400, stream);
  ImportanceDraws const draws = importance_sample(target, found, 2000, stream);
  CHECK(draws.log_evidence == Approx(std::log(2 * M_PI * 1.5)).margin(0.05));
  CHECK(draws.effective > 1200);
  double x = 0, y = 0;
  for (std::size_t const i : draws.resampled(1000, stream)) {
    x += draws.at[i][0] / 1000;
    y += draws.at[i][1] / 1000;
  }
  CHECK(x == Approx(2).margin(0.06));
  CHECK(y == Approx(1).margin(0.35));
}

TEST_CASE("Weights add up to one, and their squares to one over the effective number") {
  RandomStream stream(8, Purpose::test, 0, 0);
  ImportanceProposal const start{.center = {0.5}, .draws = {}, .sd = {2}};
  auto const target = [](std::vector<double> const& at) { return -at[0] * at[0] / 2; };
  ImportanceDraws const draws = importance_sample(target, start, 300, stream);
  double sum = 0, squares = 0;
  for (double const w : draws.weights) sum += w, squares += w * w;
  CHECK(sum == Approx(1));
  CHECK(draws.effective == Approx(1 / squares));
  CHECK(draws.effective < 300);
  RandomStream uniforms(8, Purpose::test, 0, 0);
  for (int i = 0; i < 300 * 2; ++i) uniforms.uniform();
  CHECK(stream.uniform() == uniforms.uniform());
}

TEST_CASE("All draws have equal weights if the target is possible nowhere") {
  RandomStream stream(9, Purpose::test, 0, 0);
  ImportanceProposal const start{.center = {0}, .draws = {}, .sd = {1}};
  auto const nowhere = [](std::vector<double> const&) { return -HUGE_VAL; };
  ImportanceDraws const draws = importance_sample(nowhere, start, 10, stream);
  for (double const w : draws.weights) CHECK(w == Approx(0.1));
}

TEST_CASE("Systematic resampling takes each draw as often as its weight says, but for a part") {
  ImportanceDraws draws;
  draws.weights = {0.5, 0.03, 0.22, 0, 0.25};
  RandomStream stream(10, Purpose::test, 0, 0);
  std::vector<std::size_t> counts(5);
  for (std::size_t const i : draws.resampled(100, stream)) ++counts[i];
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(std::abs(static_cast<double>(counts[i]) - 100 * draws.weights[i]) < 1 + 1e-9);
  }
  CHECK(counts[3] == 0);
}

// exp(x) of normal x with sd 0.5: variance over squared mean is exp(1/4) - 1, and that of a mean of
// 400 a 400th. A value far below adds nothing.
TEST_CASE("The scatter of the likelihoods above the median is the error of their mean") {
  std::vector<double> logs;
  for (int i = 0; i < 400; ++i) logs.push_back(0.5 * normal_quantile((i + 0.5) / 400) - 70);
  double const expected = std::expm1(0.25) / 400;
  CHECK(variance_of_log_mean(logs) == Approx(expected).epsilon(0.03));
  for (std::size_t i = 0; i < 100; ++i) logs[i] -= 500;
  CHECK(variance_of_log_mean(logs) == Approx(expected).epsilon(0.03));
  // One of eight that is by far the largest says next to nothing.
  CHECK(variance_of_log_mean({0, 0, 0, 0, 0, 0, 0, 40}) == Approx(400 - std::log(8)));
  CHECK(variance_of_log_mean({3}) == 0);
  CHECK(variance_of_log_mean({0, 0, 0, 9999}) < 1e9);
}

// For two models that are d apart, with errors of variance v in all: the mean of 1 / (1 + exp(-d -
// sqrt(v) z)).
TEST_CASE("Models whose evidences may be wrong by more than they differ are none of them sure") {
  auto const by_hand = [](double d, double v) {
    double sum = 0;
    constexpr int steps = 4000;
    for (int i = 0; i < steps; ++i) {
      double const z = normal_quantile((i + 0.5) / steps);
      sum += 1 / (1 + std::exp(-d - std::sqrt(v) * z)) / steps;
    }
    return sum;
  };
  constexpr std::size_t of_first = 0, of_second = 1, of_both = 2;
  auto const first = [](double apart, std::vector<double> const& variances) {
    auto const both =
        averaged_probabilities({{apart, {of_first, of_both}}, {0, {of_second, of_both}}}, variances,
                               4000, RandomStream(5, Purpose::test, 0, 0));
    CHECK(std::exp(both[0].log_probability) + std::exp(both[1].log_probability) == Approx(1));
    CHECK(both[0].interval90.contains(std::exp(both[0].log_probability)));
    return both[0];
  };
  auto const sure = first(2, {0, 0, 0});
  CHECK(std::exp(sure.log_probability) == Approx(1 / (1 + std::exp(-2.0))));
  CHECK(sure.interval90.high - sure.interval90.low < 1e-9);
  for (double const v : {1.0, 25.0, 900.0}) {
    CAPTURE(v);
    double const expected = by_hand(20, v);
    CHECK(std::exp(first(20, {v / 2, v / 2, 0}).log_probability) == Approx(expected).margin(0.02));
    CHECK(std::exp(first(20, {0, v, 0}).log_probability) == Approx(expected).margin(0.02));
    // Common factors divide out.
    CHECK(std::exp(first(1, {0, 0, v}).log_probability) == Approx(1 / (1 + std::exp(-1.0))));
  }
  auto const shaky = first(20, {900, 0, 0});
  CHECK(shaky.interval90.low < 0.01);
  CHECK(shaky.interval90.high > 0.99);
}

}  // namespace gridcast::calibration
