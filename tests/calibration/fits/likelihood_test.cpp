#include "calibration/fits/likelihood.hpp"

#include <cmath>
#include <numeric>

#include "sim/base/random.hpp"
#include "sim/base/statistics.hpp"
#include "tests/calibration/synthetic.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {

using namespace gridcast::test;

TEST_CASE("A rounded duration shows as some number of ticks, and with the right mean") {
  for (double const tick : {1.0, 0.5}) {
    LogNormal const x{1.2, 0.6};
    double total = 0, mean_shown = 0;
    for (int i = 0; i < 4000; ++i) {
      double const d = tick * i;
      double const p = std::exp(log_rounded(x, 2, d, tick));
      total += p;
      mean_shown += p * d;
    }
    CHECK(total == Approx(1).epsilon(1e-6));
    CHECK(mean_shown == Approx(2 + std::exp(1.2 + 0.18)).epsilon(1e-5));
  }
}

TEST_CASE("The two forms of a rounded duration agree, for a smooth distribution to four digits") {
  Distribution const lognormal{Family::lognormal, 0.6, std::exp(1.2)};
  for (double const d : {1.0, 2.0, 3.0, 5.0, 9.0}) {
    CHECK(log_rounded(lognormal, 0.25, d, 1) ==
          Approx(log_rounded(LogNormal{1.2, 0.6}, 0.25, d, 1)).margin(1e-3));
  }
  // Exponential, d = 0: (exp(-1) - 1 + 1) / 1 = exp(-1) of those below one tick show as none.
  Distribution const exponential{Family::exponential, 1, 1};
  CHECK(log_rounded(exponential, 0, 0, 1) == Approx(-1).margin(1e-6));
  // d = 2: exp(-1) - 2 exp(-2) + exp(-3).
  CHECK(std::exp(log_rounded(exponential, 3, 5, 1)) ==
        Approx(std::exp(-1.0) - 2 * std::exp(-2.0) + std::exp(-3.0)).epsilon(1e-6));
  CHECK(log_rounded(exponential, 100, 0, 1) == Approx(std::log(1e-12)));
}

TEST_CASE("Longer than seen: the survival function, and certain below the shift") {
  LogNormal const x{0.5, 2};
  CHECK(std::exp(log_longer(x, 1, 1 + std::exp(0.5))) == Approx(0.5));
  CHECK(std::exp(log_longer(x, 1, 1 + std::exp(2.5))) == Approx(0.1586552539));
  CHECK(log_longer(x, 1, 1) == 0);
}

TEST_CASE("ln Phi is continuous into the tail") {
  CHECK(log_normal_cdf(0) == Approx(std::log(0.5)));
  CHECK(log_normal_cdf(-5) == Approx(-15.06499839));
  CHECK(log_normal_cdf(-30.0001) == Approx(log_normal_cdf(-29.9999)).epsilon(1e-4));
  CHECK(log_normal_cdf(-40) == Approx(-800 - std::log(40.0) - 0.9189385332).epsilon(1e-9));
  CHECK(log_beta(2, 3) == Approx(std::log(1.0 / 12)));
}

TEST_CASE("A sum of lognormals keeps mean and variance") {
  LogNormalSum sum;
  sum.add({0, 0.5});
  sum.add({1, 0.25});
  LogNormal const total = sum.total();
  auto const mean_of = [](LogNormal const& x) { return std::exp(x.mu + x.sigma * x.sigma / 2); };
  auto const variance_of = [&](LogNormal const& x) {
    return mean_of(x) * mean_of(x) * std::expm1(x.sigma * x.sigma);
  };
  CHECK(mean_of(total) == Approx(mean_of({0, 0.5}) + mean_of({1, 0.25})));
  CHECK(variance_of(total) == Approx(variance_of({0, 0.5}) + variance_of({1, 0.25})));
}

TEST_CASE("The minimum of a bowl, free and against a wall; what is not finite is avoided") {
  auto const bowl = [](std::vector<double> const& x) {
    if (x[0] > 50) return std::numeric_limits<double>::quiet_NaN();
    return 7 + (x[0] - 3) * (x[0] - 3) + 2 * (x[1] + 1) * (x[1] + 1);
  };
  Minimum const free = minimise(bowl, {40, 5}, 0.5);
  CHECK(free.at[0] == Approx(3).margin(1e-3));
  CHECK(free.at[1] == Approx(-1).margin(1e-3));
  CHECK(free.value == Approx(7).margin(1e-6));
  Minimum const walled = minimise(bowl, {1, 1}, 0.5, {{-10, 0}, {2, 10}});
  CHECK(walled.at[0] == Approx(2).margin(1e-3));
  CHECK(walled.at[1] == Approx(0).margin(1e-3));
  CHECK(minimise(bowl, {40, 5}, 0.5, {}, 5).value > 8);
}

TEST_CASE("Slice sampling draws from the density, whatever the widths") {
  for (double const width : {0.5, 1.0, 40.0}) {
    CAPTURE(width);
    SliceSampler sampler(
        [](std::vector<double> const& x, std::size_t) {
          if (x[1] <= 0) return -HUGE_VAL;
          return -(x[0] - 5) * (x[0] - 5) / 8 - x[1];  // N(5, 2^2), Exp(1)
        },
        {0, 1}, {width, width}, test_stream(3));
    auto const draws = sampler.draws(4000, width < 1 ? 8 : 2);
    REQUIRE(draws.size() == 4000);
    std::vector<double> normal, exponential;
    for (auto const& draw : draws) normal.push_back(draw[0]), exponential.push_back(draw[1]);
    CHECK(mean(normal) == Approx(5).margin(0.25));
    CHECK(standard_deviation(normal) == Approx(2).margin(0.15));
    CHECK(mean(exponential) == Approx(1).margin(0.12));
    CHECK(quantile(exponential, 0.9) == Approx(std::log(10.0)).margin(0.25));
    CHECK(*std::min_element(exponential.begin(), exponential.end()) > 0);
  }
}

// A centre ~ N(0, 5^2) and ten that lie within 0.01 of it: one at a time they hardly move; together
// they have the centre's own spread, of which 300 draws show 4 %.
TEST_CASE("Coordinates that hold one another back are moved together") {
  std::size_t const around = 10;
  auto const density = [](std::vector<double> const& x, std::size_t) {
    double sum = -x[0] * x[0] / 50;
    for (std::size_t i = 1; i < x.size(); ++i) {
      sum -= (x[i] - x[0]) * (x[i] - x[0]) / (2 * 0.01 * 0.01);
    }
    return sum;
  };
  auto const spread = [&](bool together) {
    SliceSampler sampler(density, std::vector<double>(around + 1, 1),
                         std::vector<double>(around + 1, 1), test_stream(4));
    if (together) {
      std::vector<std::size_t> all(around + 1);
      std::iota(all.begin(), all.end(), 0);
      sampler.move_together(all);
    }
    std::vector<double> centres;
    for (auto const& draw : sampler.draws(300, 2)) {
      centres.push_back(draw[0]);
      for (double const x : draw) REQUIRE(std::abs(x - draw[0]) < 0.06);
    }
    return standard_deviation(centres);
  };
  CHECK(spread(true) == Approx(5).epsilon(0.2));
  CHECK(spread(false) < 1);
}

// exp(x) + exp(y) = 1, to a thousandth, with any share of exp(x) as likely as any other in its
// logit from -6 to 6: along one coordinate alone nothing gets around the corner.
TEST_CASE("What lies along a curve is drawn evenly from all of it") {
  auto const logit = [](std::vector<double> const& x) { return x[0] - x[1]; };
  auto const density = [&](std::vector<double> const& x, std::size_t) {
    double const off = std::log(std::exp(x[0]) + std::exp(x[1])) / 1e-3;
    return std::abs(logit(x)) < 6 ? -off * off / 2 : -HUGE_VAL;
  };
  SliceSampler sampler(density, {std::log(0.5), std::log(0.5)}, {1, 1}, test_stream(6));
  sampler.move_along(
      [&](std::vector<double> x, double by) {
        double const whole = std::log(std::exp(x[0]) + std::exp(x[1])), to = logit(x) + by;
        return std::vector<double>{whole - std::log1p(std::exp(-to)),
                                   whole - std::log1p(std::exp(to))};
      },
      4, 0);
  std::vector<double> logits;
  for (auto const& draw : sampler.draws(300, 2)) logits.push_back(logit(draw));
  for (double const p : {0.1, 0.5, 0.9}) {
    CHECK(quantile(logits, p) == Approx(12 * p - 6).margin(5 * 12 * std::sqrt(p * (1 - p) / 300)));
  }
}

// Four values far from each other with a prior that says nothing: the centre is theirs, with the
// spread over two (of the density itself, summed over a grid of both).
TEST_CASE("A centre and a spread in common are drawn as their posterior is") {
  CommonPrior const prior{1, 2, 3};
  std::vector<double> const values = {-1, 0, 2, 5};
  double sum = 0, centre = 0, log_spread = 0;
  for (double c = -12; c < 14; c += 0.05) {
    for (double l = -6.9; l < 2.6; l += 0.05) {
      double log_p = -(c - 1) * (c - 1) / 8 - std::exp(2 * l) / 18 + l - 4 * l;
      for (double const x : values) log_p -= (x - c) * (x - c) / 2 / std::exp(2 * l);
      double const p = std::exp(log_p);
      sum += p;
      centre += p * c;
      log_spread += p * l;
    }
  }
  // Of centre and spread 1 / (2 pi sd), of the half-normal 2 / sqrt(2 pi), of each value 1 / sqrt(2
  // pi).
  double const factors = std::log(1 / (std::sqrt(2 * M_PI) * 2)) +
                         std::log(2 / (std::sqrt(2 * M_PI) * 3)) - 2 * std::log(2 * M_PI);
  CHECK(log_integrated(values, prior) ==
        Approx(std::log(sum * 0.05 * 0.05) + factors).margin(0.01));
  RandomStream stream = test_stream(7);
  std::vector<double> centres, log_spreads;
  for (int i = 0; i < 2000; ++i) {
    CommonDraw const drawn = draw_common(values, prior, stream);
    centres.push_back(drawn.centre);
    log_spreads.push_back(drawn.log_spread);
  }
  CHECK(mean(centres) ==
        Approx(centre / sum).margin(4 * standard_deviation(centres) / std::sqrt(2000.0)));
  CHECK(mean(log_spreads) ==
        Approx(log_spread / sum).margin(4 * standard_deviation(log_spreads) / std::sqrt(2000.0)));
}

TEST_CASE("The mean of likelihoods by their logarithms, however small") {
  constexpr double nothing = -std::numeric_limits<double>::infinity();
  CHECK(log_mean_exp({std::log(1), std::log(3)}) == Approx(std::log(2)));
  CHECK(log_mean_exp({-2000 + std::log(2), -2000 + std::log(6)}) == Approx(-2000 + std::log(4)));
  CHECK(log_mean_exp({0, nothing}) == Approx(-std::log(2)));
  CHECK(log_mean_exp({nothing, nothing}) == nothing);
}

// exp(x) of normal x with sd 0.5: variance over squared mean is exp(1/4) - 1, and that of a mean of
// 400 a 400th. What lies far below adds nothing.
TEST_CASE("A mean of likelihoods is off by what those above the median scatter") {
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

// Of two models that are d apart, with errors of variance v in all: the mean of 1 / (1 + exp(-d -
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
    // What both have in common divides out.
    CHECK(std::exp(first(1, {0, 0, v}).log_probability) == Approx(1 / (1 + std::exp(-1.0))));
  }
  auto const shaky = first(20, {900, 0, 0});
  CHECK(shaky.interval90.low < 0.01);
  CHECK(shaky.interval90.high > 0.99);
}

}  // namespace gridcast::calibration
