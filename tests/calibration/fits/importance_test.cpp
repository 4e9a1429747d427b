#include <cmath>

#include "calibration/fits/likelihood.hpp"
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

TEST_CASE("Where the target is nowhere possible, all draws are as good") {
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

}  // namespace gridcast::calibration
