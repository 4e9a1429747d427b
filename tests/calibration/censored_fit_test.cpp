#include "calibration/censored_fit.hpp"

#include <algorithm>
#include <cmath>

#include "calibration/goodness_of_fit.hpp"
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

}  // namespace gridcast::calibration
