#include "calibration/inference/normality.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "sim/base/random.hpp"
#include "tests/calibration/synthetic.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {

using namespace gridcast::test;

namespace {

/// Each value up to where it is cut.
using Draw = std::function<double(RandomStream&)>;
Sample cut_sample(int count, Draw const& value, Draw const& cut, RandomStream& stream) {
  Sample sample;
  for (int i = 0; i < count; ++i) {
    double const x = value(stream), c = cut(stream);
    sample.push_back({std::min(x, c), x > c});
  }
  return sample;
}

Draw limit(double at) {
  return [at](RandomStream&) { return at; };
}

/// Share of samples, each of its own seed, that the test rejects at 0.05.
double share_rejected(int samples, std::function<std::vector<Sample>(RandomStream&)> const& make) {
  int rejected = 0;
  for (int i = 0; i < samples; ++i) {
    RandomStream stream = test_stream(static_cast<std::uint32_t>(700 + i));
    auto const test = test_of_normality(make(stream), stream);
    REQUIRE(test);
    rejected += test->p < 0.05 ? 1 : 0;
  }
  return static_cast<double>(rejected) / samples;
}

double standard(RandomStream& stream) { return normal_quantile(stream.uniform()); }

/// Two kinds, as many of each, a factor of ten apart.
double of_two_kinds(RandomStream& stream) {
  return (stream.chance(0.5) ? 0 : std::log(10.0)) + 0.1 * standard(stream);
}

}  // namespace

TEST_CASE("Kolmogorov's distance of a sample from the normal distribution, in words") {
  CHECK(normality({0, 1, 2, 3}).empty());
  // Phi(0) = 0.5 five times: the largest distance is one half.
  CHECK(normality({0, 0, 0, 0, 0}) == "Kolmogorov distance 0.500, n = 5, p = 0.00015");
  CHECK_THAT(normality({9, 9, 9, 9, 9, 9}), has_text("distance 1.000, n = 6, p = "));
  CHECK_THAT(normality({-2, -1, 0, 1, 2}), has_text("p = 0.1 or more"));
}

// Critical values of Molin and Abdi (1998), "New tables and numerical approximation for the
// Kolmogorov-Smirnov/Lilliefors/Van Soest test of normality": n, distance, level.
TEST_CASE("The p value of Kolmogorov's distance is Lilliefors'") {
  struct Critical {
    int n;
    double distance, level;
  };
  for (auto const& [n, distance, level] : {Critical{10, 0.2616, 0.05},
                                           {10, 0.3037, 0.01},
                                           {20, 0.1920, 0.05},
                                           {20, 0.2226, 0.01},
                                           {30, 0.1590, 0.05},
                                           {30, 0.1848, 0.01}}) {
    INFO(n << " " << distance);
    // The middles of n equal parts, all moved up so far.
    std::vector<double> values;
    for (int i = 0; i < n; ++i) {
      double const u = (i + 0.5) / n + distance - 0.5 / n;
      values.push_back(normal_quantile(std::min(u, 1 - 1e-9)));
    }
    std::string const text = normality(values);
    CHECK(std::stod(text.substr(text.find("p = ") + 4)) == Approx(level).epsilon(0.15));
  }
}

// Of logarithms it is the lognormal that fit_family() finds by another way.
TEST_CASE("The likeliest normal distribution of values of which some are cut short") {
  RandomStream stream = test_stream(71);
  auto const wide = [](RandomStream& s) { return 3 + 2 * standard(s); };
  for (Draw const& cut :
       {limit(2), limit(4), Draw([](RandomStream& s) { return 8 * s.uniform(); })}) {
    Sample const sample = cut_sample(80, wide, cut, stream);
    Sample times = sample;
    for (Observation& x : times) x.value = std::exp(x.value);
    Distribution const lognormal = fit_family(times, {Family::lognormal, false}).distribution;
    MeanAndSd const found = likeliest_normal(sample);
    CHECK(found.mean == Approx(std::log(lognormal.scale)).margin(1e-4));
    CHECK(found.sd == Approx(lognormal.shape).margin(1e-4));
  }
  // All known whole: the mean, and the deviation around it.
  CHECK(likeliest_normal({{1}, {3}, {5}}).mean == Approx(3));
  CHECK(likeliest_normal({{1}, {3}, {5}}).sd == Approx(std::sqrt(8.0 / 3)));
}

// Of 200 right samples 10 +- 3 are rejected at 0.05; 20 or more once in 400 times.
TEST_CASE("A normal sample that is cut short is rejected as seldom as it should be", "[slow]") {
  double const at_70 = normal_quantile(0.7);
  auto const rejected = [](int count, Draw const& cut) {
    return share_rejected(200, [&](RandomStream& stream) {
      return std::vector<Sample>{cut_sample(count, standard, cut, stream)};
    });
  };
  CHECK(rejected(30, limit(at_70)) < 0.1);
  CHECK(rejected(100, limit(at_70)) < 0.1);
  CHECK(rejected(100, limit(normal_quantile(0.2))) < 0.1);
  // At any age, as evictions are.
  CHECK(rejected(100, [](RandomStream& s) { return std::log(-2 * std::log(s.uniform())); }) < 0.1);
  // Each of two places has a limit of its own.
  CHECK(share_rejected(200, [&](RandomStream& stream) {
          return std::vector<Sample>{cut_sample(60, standard, limit(-0.3), stream),
                                     cut_sample(60, standard, limit(at_70), stream)};
        }) < 0.1);
}

TEST_CASE("Two kinds are no normal sample, wherever a limit cuts them") {
  // In the upper kind, of which a fifth or two are left; and below it.
  for (double const at : {std::log(10.0) + 0.1 * normal_quantile(0.4), std::log(5.0)}) {
    CHECK(share_rejected(20, [&](RandomStream& stream) {
            return std::vector<Sample>{cut_sample(60, of_two_kinds, limit(at), stream)};
          }) > 0.9);
  }
}

TEST_CASE("What is cut short is no value of its own") {
  Sample few = {{0}, {1}, {2}, {3}};
  CHECK_FALSE(test_of_normality({few}, test_stream(72)));
  few.push_back({1.5, true});
  CHECK_FALSE(test_of_normality({few}, test_stream(72)));
  few.push_back({4});
  CHECK(test_of_normality({few}, test_stream(72))->n == 5);
}

}  // namespace gridcast::calibration
