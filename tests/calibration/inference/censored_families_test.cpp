#include "calibration/inference/censored_families.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/statistics.hpp"
#include "tests/calibration/synthetic.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {

using namespace gridcast::test;

namespace {

/// Seconds an epoch at GP-ARGO in the published campaign, unpack of 977.5 s taken off.
Sample gp_argo() {
  Sample sample;
  for (double const seconds : {13170, 16325, 17608, 18937, 31422, 24173, 19034, 49304, 58683, 14598,
                               14324, 14154, 12467}) {
    sample.push_back({(seconds - 977.5) / 5});
  }
  for (double const seconds : {19746, 72024, 72065}) {
    sample.push_back({(seconds - 977.5) / 5, true});
  }
  return sample;
}

Sample censored_sample(Distribution const& truth, double mean_limit, int n, std::uint32_t entity) {
  RandomStream stream = test_stream(entity);
  Sample sample;
  for (int i = 0; i < n; ++i) {
    double const value = truth.sample(stream);
    double const limit = -mean_limit * std::log(stream.uniform());
    sample.push_back({std::min(value, limit), value > limit});
  }
  return sample;
}

}  // namespace

TEST_CASE("Censored fits agree with another optimiser on another likelihood") {
  // scipy 1.10.1: Nelder-Mead on logpdf and logsf of weibull_min, lognorm, gamma, fisk, expon.
  struct Expected {
    Family family;
    double shape, scale, log_likelihood;
  };
  for (Expected const& expected :
       {Expected{Family::weibull, 1.33660596, 7124.83871, -127.2178618},
        Expected{Family::lognormal, 0.724092840, 4948.07639, -124.6854628},
        Expected{Family::gamma, 1.97971023, 3247.70495, -126.5346421},
        Expected{Family::loglogistic, 2.34860908, 4493.64019, -124.8050546},
        Expected{Family::exponential, 1, 6959.90778, -128.0229794}}) {
    FittedFamily const fit = fit_family(gp_argo(), {expected.family, false});
    CAPTURE(fit.form.text());
    CHECK(fit.distribution.shape == Approx(expected.shape).epsilon(1e-4));
    CHECK(fit.distribution.scale == Approx(expected.scale).epsilon(1e-4));
    CHECK(fit.log_likelihood == Approx(expected.log_likelihood).epsilon(1e-8));
  }
}

TEST_CASE("Dropping censored durations shortens a Weibull by 41 %, the likelihood does not") {
  // Shape 0.7, 24 % censored at random, n = 100. Means over 60 samples; three
  // standard errors of either are below 0.06 of the true mean.
  Distribution const truth{Family::weibull, 0.7, 1};
  double completed = 0;
  double fitted = 0;
  double shape = 0;
  constexpr int samples = 60;
  for (std::uint32_t i = 0; i < samples; ++i) {
    Sample const sample = censored_sample(truth, 3.6, 100, i);
    std::vector<double> events;
    for (Observation const& x : sample) {
      if (!x.censored) events.push_back(x.value);
    }
    FittedFamily const fit = fit_family(sample, {Family::weibull, false});
    completed += mean(events) / samples;
    fitted += fit.distribution.mean() / samples;
    shape += fit.distribution.shape / samples;
  }
  CHECK(completed / truth.mean() - 1 == Approx(-0.41).margin(0.05));
  CHECK(fitted / truth.mean() - 1 == Approx(0).margin(0.06));
  CHECK(shape == Approx(0.72).margin(0.03));
}

TEST_CASE("A shifted lognormal is recognised, and its threshold found") {
  Distribution const truth{Family::lognormal, 1.2, 1500, 2500};
  RandomStream stream = test_stream(100);
  Sample sample;
  for (int i = 0; i < 200; ++i) sample.push_back({truth.sample(stream)});
  std::vector<FittedFamily> const fits = fit_families(sample);
  CHECK(fits.front().form == FamilyForm{Family::lognormal, true});
  CHECK(fits.front().distribution.shift == Approx(2500).margin(60));
  CHECK(fits.front().distribution.quantile(0.9) == Approx(truth.quantile(0.9)).epsilon(0.3));
  // The likelihood of the truth is never above the maximum's.
  CHECK(log_likelihood(sample, truth) <= fits.front().log_likelihood);
}

TEST_CASE("A threshold stays clear of the smallest observation") {
  std::vector<FittedFamily> const fits = fit_families(gp_argo());
  for (FittedFamily const& fit : fits) {
    CHECK(std::isfinite(fit.log_likelihood));
    CHECK(fit.distribution.shift < (12467 - 977.5) / 5);
    CHECK(fit.distribution.shift >= 0);
  }
}

TEST_CASE("Families far behind the best get no weight, and weights add up") {
  std::vector<FittedFamily> const fits = fit_families(gp_argo());
  double total = 0;
  for (FittedFamily const& fit : fits) {
    total += fit.weight;
    CHECK(fit.aicc >= fits.front().aicc);
    CHECK((fit.weight == 0) == (fit.aicc - fits.front().aicc >= 4));
  }
  CHECK(total == Approx(1));
  CHECK(fits.front().form.shifted);
}

TEST_CASE("AICc knows how many parameters the events can carry") {
  Sample const four = {{10}, {12}, {15}, {19}};
  CHECK(std::isinf(fit_family(four, {Family::lognormal, true}).aicc));
  CHECK(std::isfinite(fit_family(four, {Family::lognormal, false}).aicc));
}

TEST_CASE("Draws of a parameter cover the truth as often as they say", "[slow]") {
  // 200 samples of 40 with 20 % or so censored; 90 % intervals of the mean from 100 draws. Between
  // 162 and 194 hits accept 85 to 94 % (and a true 90 % with a false alarm in 1,000).
  Distribution const truth{Family::weibull, 1.3, 100};
  int hits = 0;
  constexpr std::uint32_t samples = 200;
  for (std::uint32_t i = 0; i < samples; ++i) {
    Sample const sample = censored_sample(truth, 400, 40, 1000 + i);
    FittedFamily fit = fit_family(sample, {Family::weibull, false});
    fit.weight = 1;
    std::vector<double> means;
    RandomStream stream = test_stream(5000 + i);
    for (int draw = 0; draw < 100; ++draw) {
      means.push_back(draw_distribution(sample, {fit}, stream).distribution.mean());
    }
    if (quantile(means, 0.05) <= truth.mean() && truth.mean() <= quantile(means, 0.95)) ++hits;
  }
  CHECK(hits >= 162);
  CHECK(hits <= 194);
}

TEST_CASE("Draws take families by their weights") {
  std::vector<FittedFamily> const fits = fit_families(gp_argo());
  RandomStream stream = test_stream(300);
  int best = 0;
  constexpr int draws = 400;
  for (int i = 0; i < draws; ++i) {
    FittedFamily const draw = draw_distribution(gp_argo(), fits, stream);
    if (draw.form == fits.front().form) ++best;
    CHECK(std::any_of(fits.begin(), fits.end(), [&](FittedFamily const& fit) {
      return fit.form == draw.form && fit.weight > 0;
    }));
  }
  // Three standard errors of a share of 400 draws.
  CHECK(best / double(draws) == Approx(fits.front().weight).margin(0.075));
}

TEST_CASE("Kaplan-Meier by hand") {
  // 1, 2+, 3, 3, 5+: S = 4/5, then 4/5 (1 - 1/3)(1 - 1/2) = 4/15.
  KaplanMeier const curve({{3}, {1}, {5, true}, {2, true}, {3}});
  REQUIRE(curve.times == std::vector<double>{1, 3});
  CHECK(curve.survival[0] == Approx(0.8));
  CHECK(curve.survival[1] == Approx(4.0 / 15));
  CHECK(curve.quantile(0.2) == 1);
  CHECK(curve.quantile(0.5) == 3);
  CHECK(std::isinf(curve.quantile(0.9)));
}

TEST_CASE("Anderson-Darling by hand") {
  // numpy, from the formula of the Anderson-Darling statistic.
  Distribution const unit{Family::exponential, 1, 1, 0};
  CHECK(anderson_darling({{2}, {0.5}, {1}}, unit) == Approx(0.5119482850));
}

TEST_CASE("Without censoring the Kaplan-Meier distance is Kolmogorov's") {
  // F = 0.393, 0.632, 0.865; steps of 1/3: the largest distance is before the first.
  CHECK(kaplan_meier_distance({{0.5}, {1}, {2}}, [](double x) { return 1 - std::exp(-x); }) ==
        Approx(1 - std::exp(-0.5)));
}

TEST_CASE("The right family passes, a wrong one does not") {
  RandomStream stream = test_stream(1);
  Distribution const truth{Family::lognormal, 0.8, 100};
  Sample sample;
  Sample censored;
  for (int i = 0; i < 150; ++i) {
    double const value = truth.sample(stream);
    sample.push_back({value});
    censored.push_back({std::min(value, 200.0), value > 200});
  }
  for (Sample const& seen : {sample, censored}) {
    auto const p = [&](Family family) {
      return goodness_of_fit(seen, fit_family(seen, {family, false}), 199, test_stream(2)).p_value;
    };
    CHECK(p(Family::lognormal) > 0.05);
    CHECK(p(Family::exponential) < 0.02);
  }
  CHECK(goodness_of_fit(sample, fit_family(sample, {Family::lognormal, false}), 19, test_stream(3))
            .anderson_darling);
}

TEST_CASE("The fit makes no test if it expects hardly any event within the limit") {
  Sample sample(5, {1, false});
  sample.push_back({2, true});
  for (int i = 0; i < 20; ++i) sample.push_back({1e9, true});
  FittedFamily const fit = fit_family(sample, {Family::exponential, false});
  GoodnessOfFit const good = goodness_of_fit(sample, fit, 199, test_stream(4));
  CHECK(good.resamples == 0);
  CHECK(good.p_value == 1);
}

TEST_CASE("The p-value is as often small as it should be", "[slow]") {
  // 100 right models; below 0.1 in 10 +- 3 of them, 2 to 21 with a false alarm in 1,000.
  int small = 0;
  for (std::uint32_t i = 0; i < 100; ++i) {
    RandomStream stream = test_stream(100 + i);
    Distribution const truth{Family::weibull, 2, 100};
    Sample sample;
    for (int k = 0; k < 30; ++k) {
      double const value = truth.sample(stream);
      sample.push_back({std::min(value, 130.0), value > 130});
    }
    FittedFamily const fit = fit_family(sample, {Family::weibull, false});
    if (goodness_of_fit(sample, fit, 99, test_stream(300 + i)).p_value < 0.1) ++small;
  }
  CHECK(small >= 2);
  CHECK(small <= 21);
}

TEST_CASE("Numbers that are all alike are spread by their rounding, and others are as they were") {
  Sample const alike(40, {10, false});
  std::vector<double> values;
  for (Observation const& one : with_rounding(alike, 1, 3, test_stream(8))) {
    values.push_back(one.value);
    CHECK(std::abs(one.value - 10) < 1.5);
  }
  CHECK(mean(values) == Approx(10).margin(0.3));
  CHECK(standard_deviation(values) == Approx(0.5).epsilon(0.3));
  Sample others = alike;
  others.resize(4);
  CHECK(with_rounding(others, 1, 3, test_stream(8))[3].value == 10);  // too few to fit a law to
  others = alike;
  others[0].value = 20;
  CHECK(with_rounding(others, 1, 3, test_stream(8))[1].value == 10);
  others = alike;
  others[0] = {50, true};
  CHECK(with_rounding(others, 1, 3, test_stream(8))[0].value == 50);
  CHECK(with_rounding(others, 1, 3, test_stream(8))[1].value != 10);
}

}  // namespace gridcast::calibration
