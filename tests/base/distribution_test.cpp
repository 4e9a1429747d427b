// Known numbers are from scipy 1.10, the far tails from exact sums in 60 digits.
#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/base/random.hpp"
#include "sim/base/statistics.hpp"
#include "tests/test.hpp"

namespace gridcast::inline base {
namespace {

auto near(double value, double relative = 1e-12) { return Approx(value).epsilon(relative); }

std::vector<Distribution> examples() {
  return {{Family::exponential, 1, 1800, 0},   {Family::weibull, 0.7, 1800, 0},
          {Family::gamma, 2.5, 1800, 0},       {Family::lognormal, 1.2, 1800, 0},
          {Family::loglogistic, 1.5, 1800, 0}, {Family::gamma, 0.3, 60, 20},
          {Family::weibull, 3, 60, 20},        {Family::lognormal, 0.2, 60, 20}};
}

TEST_CASE("families have the names of calibration files", "[distribution]") {
  std::string names;
  for (Family const family : all_families()) names += std::string(name(family)) + " ";
  CHECK(names == "exponential weibull gamma lognormal loglogistic ");
}

TEST_CASE("distributions give the known numbers", "[distribution]") {
  struct Known {
    Family family;
    double shape, quantile_10, quantile_90, cdf, log_density, log_survival, in_tail, mean;
  };
  for (Known const& known :
       {Known{Family::exponential, 1, 189.64892818408737, 4144.653167389282, 0.7506477912227038,
              -8.884430832773145, -1.3888888888888888, -55.55555555555556, 1800},
        Known{Family::weibull, 0.7, 72.29330150784487, 5925.479349896892, 0.7159317248942978,
              -9.209308772326485, -1.2585406644118868, -16.64597532126256, 2278.4823109031104},
        Known{Family::gamma, 2.5, 1449.2771882660904, 8312.72120980301, 0.2658006266614161,
              -8.67635760278801, -0.3089746614493453, -49.78728670390603, 4500},
        Known{Family::lognormal, 1.2, 386.7119363051969, 8378.329438072891, 0.6078629271358772,
              -8.962776559888658, -0.9361438246401818, -7.806083165279208, 3697.9797791589976},
        Known{Family::loglogistic, 1.5, 416.01676461038085, 7788.147679660001, 0.6207554839152056,
              -8.864973043796295, -0.9695741207531116, -6.028487323730793, 4353.118474162123}}) {
    INFO(name(known.family));
    for (double const shift : {0., 500.}) {
      Distribution const d{known.family, known.shape, 1800, shift};
      CHECK(d.quantile(0.1) == near(shift + known.quantile_10));
      CHECK(d.quantile(0.9) == near(shift + known.quantile_90));
      CHECK(d.cdf(shift + 2500) == near(known.cdf));
      CHECK(d.log_density(shift + 2500) == near(known.log_density));
      CHECK(d.log_survival(shift + 2500) == near(known.log_survival));
      CHECK(d.log_survival(shift + 1e5) == near(known.in_tail));
      CHECK(d.mean() == near(shift + known.mean));
    }
  }
}

TEST_CASE("a gamma law of a very large shape is the exact one where the two meet",
          "[distribution]") {
  Distribution const exact{Family::gamma, 1e8 * (1 - 1e-12), 2, 3},
      near_normal{Family::gamma, 1e8, 2, 3};
  for (double const u : {1e-6, 0.05, 0.5, 0.95, 1 - 1e-6}) {
    double const x = near_normal.quantile(u);
    CHECK(x == near(exact.quantile(u), 1e-11));
    CHECK(near_normal.cdf(x) == near(u, 1e-6));
    CHECK(near_normal.cdf(x) == near(exact.cdf(x), 1e-5));
    CHECK(near_normal.log_survival(x) == near(exact.log_survival(x), 1e-5));
  }
  Distribution const constant{Family::gamma, 1e70, 1e-69, 0};  // of numbers that are all alike
  CHECK(constant.quantile(0.9) == near(10));
}

TEST_CASE("the survival function is exact where 1 - F is not", "[distribution]") {
  auto const gamma = [](double shape, double x) {
    return Distribution{Family::gamma, shape, 1, 0}.log_survival(x);
  };
  CHECK(gamma(1, 800) == near(-800));
  CHECK(gamma(2.5, 2000) == near(-1988.8825792749567));
  CHECK(gamma(3, 2000) == near(-1985.49034226164232));
  CHECK(gamma(50, 1000) == near(-806.035548118424385));
  CHECK(gamma(2000, 5000) == near(-1172.54398775982258));

  auto const normal = [](double z) {
    return Distribution{Family::lognormal, 0.5, 1, 0}.log_survival(std::exp(z / 2));
  };
  CHECK(normal(-10) == near(-7.619853024160473e-24));
  CHECK(normal(-3) == near(-0.001350809964748193));
  CHECK(normal(5) == near(-15.064998393988727));
  CHECK(normal(34.9) == near(-613.4772446953714));
  CHECK(normal(35.1) == near(-620.4829497048894));
  CHECK(normal(100) == near(-5005.524208694205));

  CHECK(Distribution{Family::loglogistic, 2, 1, 0}.log_survival(1e200) ==
        near(-400 * std::log(10.)));
  CHECK(Distribution{Family::loglogistic, 2, 1, 0}.log_survival(1e-10) == near(-1e-20));
  CHECK(Distribution{Family::exponential, 1, 1, 0}.log_survival(1e-20) == near(-1e-20));
}

TEST_CASE("the quantile undoes the distribution function", "[distribution]") {
  for (auto const& d : examples()) {
    INFO(name(d.family) << " " << d.shape);
    for (double const u : {1e-6, 0.01, 0.25, 0.5, 0.75, 0.99, 1 - 1e-6}) {
      double const x = d.quantile(u);
      if (x == d.shift) continue;  // so near to it that a double cannot separate them
      CHECK(d.cdf(x) == near(u, 1e-9));
      CHECK(d.log_survival(x) == near(std::log1p(-u), 1e-8));
    }
  }
}

TEST_CASE("the quantile never falls and is finite at the ends of uniform()", "[distribution]") {
  for (auto const& d : examples()) {
    INFO(name(d.family) << " " << d.shape);
    double last = d.quantile(0x1p-33);
    CHECK(last >= d.shift);
    for (int i = 1; i < 1000; ++i) {
      double const x = d.quantile(i / 1000.);
      CHECK(x >= last);
      last = x;
    }
    CHECK(d.quantile(1 - 0x1p-33) > last);
    CHECK(std::isfinite(d.quantile(1 - 0x1p-33)));
  }
}

TEST_CASE("the density is the slope of the distribution function", "[distribution]") {
  for (auto const& d : examples()) {
    INFO(name(d.family) << " " << d.shape);
    for (double const u : {0.05, 0.4, 0.9}) {
      double const x = d.quantile(u);
      double const h = 1e-5 * (x - d.shift);
      CHECK(std::exp(d.log_density(x)) == near((d.cdf(x + h) - d.cdf(x - h)) / (2 * h), 1e-6));
    }
  }
}

TEST_CASE("the density is zero at and below the shift", "[distribution]") {
  for (Family const family : all_families()) {
    Distribution const d{family, 0.8, 100, 20};
    for (double const x : {-infinity, -1., 0., 20.}) {
      CHECK(d.cdf(x) == 0);
      CHECK(d.log_density(x) == -infinity);
      CHECK(d.log_survival(x) == 0);
    }
    CHECK(d.cdf(infinity) == 1);
    CHECK(d.log_density(infinity) == -infinity);
    CHECK(d.log_survival(infinity) == -infinity);
  }
}

TEST_CASE("a value that overflows or does not exist is infinite, without an exception",
          "[distribution]") {
  CHECK(Distribution{Family::loglogistic, 1, 10, 0}.mean() == infinity);
  CHECK(Distribution{Family::weibull, 0.001, 10, 0}.mean() == infinity);
  CHECK(Distribution{Family::lognormal, 100, 10, 0}.mean() == infinity);
  CHECK(Distribution{Family::weibull, 0.001, 10, 0}.quantile(0.9999) == infinity);
  CHECK(Distribution{Family::lognormal, 1000, 10, 0}.quantile(0.9999) == infinity);
  CHECK(Distribution{Family::gamma, 1e-5, 10, 0}.quantile(0.001) >= 0);
  for (Family const family : all_families()) {
    Distribution const d{family, 2, 1, 0};
    CHECK(d.quantile(0) == 0);
    CHECK(d.quantile(1) == infinity);
  }
}

TEST_CASE("samples have the mean and the distribution, one uniform each", "[distribution]") {
  // Fixed seeds. A correct sampler fails a mean for one seed in 1e6, a distance for one in 1e6.
  std::uint32_t entity = 0;
  for (auto const& d : examples()) {
    INFO(name(d.family) << " " << d.shape);
    auto stream = RandomStreams(11, 0).stream(Purpose::test, ++entity);
    auto shadow = stream;
    constexpr int n = 40000;
    std::vector<double> x, u;
    for (int i = 0; i < n; ++i) {
      x.push_back(d.sample(stream));
      shadow.uniform();
      u.push_back(d.cdf(x.back()));
    }
    CHECK(stream.uniform() == shadow.uniform());
    // The log-logistic of the examples has no variance to measure its mean by.
    if (d.family != Family::loglogistic) {
      CHECK(std::abs(mean(x) - d.mean()) < 4.9 * standard_deviation(x) / std::sqrt(n));
    }
    std::sort(u.begin(), u.end());
    double distance = 0;
    for (std::size_t i = 0; i < u.size(); ++i) {
      distance = std::max(distance, std::abs(u[i] - (static_cast<double>(i) + 0.5) / n) + 0.5 / n);
    }
    CHECK(distance * std::sqrt(n) < 2.7);  // Kolmogorov: 2 exp(-2 * 2.7^2) = 9e-7
  }
}

TEST_CASE("a larger uniform never gives a smaller sample", "[distribution]") {
  // Common random numbers keep their sign: of two scales, the larger is later in every draw.
  for (Family const family : all_families()) {
    auto one = RandomStreams(12, 0).stream(Purpose::test, 0);
    auto other = one;
    for (int i = 0; i < 100; ++i) {
      CHECK(Distribution{family, 1.3, 10, 0}.sample(one) <
            Distribution{family, 1.3, 11, 0}.sample(other));
    }
  }
}

TEST_CASE("the normal quantile", "[distribution]") {
  CHECK(normal_quantile(0.5) == 0);
  CHECK(normal_quantile(0.975) == near(1.959963984540054));
  CHECK(normal_quantile(0.025) == near(-1.9599639845400545));
  CHECK(normal_quantile(1e-10) == near(-6.361340902404056));
}

TEST_CASE("gamma and beta quantiles", "[distribution]") {
  CHECK(gamma_quantile(0.025, 0.5, 1) == near(0.0004910345585876278));
  CHECK(gamma_quantile(0.975, 7.5, 1) == near(13.744196431721488));
  CHECK(gamma_quantile(0.975, 7.5, 10) == near(137.44196431721488));
  CHECK(gamma_quantile(1e-9, 0.05, 1) == near(5.844632057286943e-181, 1e-10));
  CHECK(gamma_quantile(0.5, 0.05, 1) == near(5.573878440746256e-07));
  CHECK(gamma_quantile(1 - 1e-9, 30, 1) == near(75.24037981905083, 1e-9));
  CHECK(gamma_quantile(1e-9, 1e4, 1) == near(9411.828411445864));
  CHECK(beta_quantile(0.025, 3, 8) == near(0.06673951117773447));
}

TEST_CASE("the Poisson quantile is the smallest count that reaches u", "[distribution]") {
  CHECK(poisson_quantile(0.5, 0) == 0);
  CHECK(poisson_quantile(0.5, 0.01) == 0);
  CHECK(poisson_quantile(0.995, 0.01) == 1);
  CHECK(poisson_quantile(0.1, 3.7) == 1);
  CHECK(poisson_quantile(0.9, 3.7) == 6);
  CHECK(poisson_quantile(0.5, 1e6) == 1e6);
  CHECK(poisson_quantile(1 - 1e-9, 50) == 98);
  for (double const mean : {0.3, 2., 17.}) {
    double term = std::exp(-mean);
    double sum = 0;
    for (int k = 0; sum < 0.999999; ++k) {
      // Just below and above the step of the distribution function at k.
      if (sum > 0) CHECK(poisson_quantile(sum * (1 + 1e-9), mean) == k);
      sum += term;
      CHECK(poisson_quantile(sum * (1 - 1e-9), mean) == k);
      term *= mean / (k + 1);
    }
  }
}

}  // namespace
}  // namespace gridcast::inline base
