#include "sim/base/random.hpp"

#include <limits>
#include <utility>

#include <Random123/philox.h>
#include <boost/math/constants/constants.hpp>
#include <boost/math/policies/policy.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/tools/fraction.hpp>

#include "sim/base/error.hpp"
#include "sim/base/statistics.hpp"

namespace gridcast::inline base {
namespace {

/// The finaliser of SplitMix64 (Steele, Lea & Flood, OOPSLA 2014; constants by Stafford, mix 13):
/// xor-shifts and odd multipliers, each invertible, so a bijection of the 64 bit numbers.
constexpr std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

// mix(0) is 0; SplitMix64's increment moves that fixed point away from seed 0.
constexpr std::uint64_t increment = 0x9e3779b97f4a7c15;

namespace policies = boost::math::policies;
// Infinity and NaN instead of exceptions. No long double: it is slow, and differs between
// processors.
using Quiet = policies::policy<
    policies::domain_error<policies::ignore_error>, policies::pole_error<policies::ignore_error>,
    policies::overflow_error<policies::ignore_error>,
    policies::evaluation_error<policies::ignore_error>,
    policies::rounding_error<policies::ignore_error>, policies::promote_double<false>>;
constexpr Quiet quiet;

constexpr double pi = boost::math::constants::pi<double>();
constexpr double root_two = boost::math::constants::root_two<double>();
constexpr double log_root_two_pi = boost::math::constants::log_root_two_pi<double>();

/// log(1 + exp(t)) without overflow.
double soft_plus(double t) {
  return t > 0 ? t + std::log1p(std::exp(-t)) : std::log1p(std::exp(t));
}

double quiet_normal_cdf(double z) { return boost::math::erfc(-z / root_two, quiet) / 2; }

double normal_log_survival(double z) {
  if (z < 0) return std::log1p(-quiet_normal_cdf(z));
  if (z < 35) return std::log(quiet_normal_cdf(-z));
  // erfc underflows soon; the asymptotic series (Abramowitz & Stegun 26.2.12) is off by 105 / z^8.
  double const w = 1 / (z * z);
  return -z * z / 2 - std::log(z) - log_root_two_pi + std::log1p(-w * (1 - w * (3 - w * 15)));
}

/// Terms of the continued fraction of the upper incomplete gamma function, A & S 6.5.31 contracted.
struct UpperGammaFraction {
  using result_type = std::pair<double, double>;
  double a;
  double b;
  double k = 0;
  result_type operator()() {
    ++k;
    b += 2;
    return {k * (a - k), b};
  }
};

// The cube root of a gamma variable is normal in all digits that matter from such a shape on
// (Wilson and Hilferty 1931), where the exact law's series have some sqrt(shape) terms.
constexpr double nearly_normal = 1e8;

/// Standard deviations of z's cube root from its mean.
double wilson_hilferty(double shape, double z) {
  return 3 * std::sqrt(shape) * (std::cbrt(z / shape) - 1 + 1 / (9 * shape));
}

double gamma_log_survival(double shape, double z) {
  if (shape >= nearly_normal) return normal_log_survival(wilson_hilferty(shape, z));
  double const below = boost::math::gamma_p(shape, z, quiet);
  if (below < 0.5) return std::log1p(-below);
  double const above = boost::math::gamma_q(shape, z, quiet);
  if (above > 1e-290) return std::log(above);
  if (std::isinf(z)) return -infinity;
  // Underflow is near, so z is far above the shape, where the fraction converges fast.
  double const b = z - shape + 1;
  UpperGammaFraction terms{shape, b};
  double const rest =
      boost::math::tools::continued_fraction_a(terms, std::numeric_limits<double>::epsilon());
  return shape * std::log(z) - z - boost::math::lgamma(shape, quiet) - std::log(b + rest);
}

/// F(k) of Poisson(mean) is the upper incomplete gamma function at k + 1.
double poisson_cdf(double k, double mean) { return boost::math::gamma_q(k + 1, mean, quiet); }

}  // namespace

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> const& counter,
                                    std::uint64_t key) {
  r123::Philox4x32::ctr_type const c = {{counter[0], counter[1], counter[2], counter[3]}};
  r123::Philox4x32::key_type const k = {
      {static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32)}};
  auto const words = r123::Philox4x32()(c, k);
  return {words[0], words[1], words[2], words[3]};
}

void RandomStream::refill() {
  block_ = philox({draw_++, attempt_, entity_, purpose_}, key_);
  used_ = 0;
}

// Lemire, "Fast random integer generation in an interval", ACM TOMACS 29 (2019): the high half of
// word * n, after refusing the 2^32 mod n products of smallest low half, is exactly uniform.
std::uint32_t RandomStream::below(std::uint32_t n) {
  std::uint64_t product = std::uint64_t{word()} * n;
  if (static_cast<std::uint32_t>(product) < n) {
    std::uint32_t const refused = (0U - n) % n;
    while (static_cast<std::uint32_t>(product) < refused) product = std::uint64_t{word()} * n;
  }
  return static_cast<std::uint32_t>(product >> 32);
}

double RandomStream::bootstrap_weight() {
  constexpr int shape = 4;
  double weight = 0;
  for (int i = 0; i < shape; ++i) weight -= std::log(uniform());
  return weight / shape;
}

RandomStreams::RandomStreams(std::uint64_t seed, std::uint32_t replica)
    : key_(mix(mix(seed + increment) + replica)) {}

std::string_view name(Family family) {
  static constexpr std::string_view names[] = {"exponential", "weibull", "gamma", "lognormal",
                                               "loglogistic"};
  return names[static_cast<std::size_t>(family)];
}

std::vector<Family> const& all_families() {
  static std::vector<Family> const families = {Family::exponential, Family::weibull, Family::gamma,
                                               Family::lognormal, Family::loglogistic};
  return families;
}

double Distribution::quantile(double u) const {
  switch (family) {
    case Family::exponential:
      return scale > 0 ? shift - scale * std::log1p(-u) : shift;
    case Family::weibull:
      return shift + scale * std::pow(-std::log1p(-u), 1 / shape);
    case Family::gamma:
      return shift + gamma_quantile(u, shape, scale);
    case Family::lognormal:
      return shift + scale * std::exp(shape * normal_quantile(u));
    case Family::loglogistic:
      return shift + scale * std::pow(u / (1 - u), 1 / shape);
  }
  throw InternalError("a family of distributions has a quantile");
}

double Distribution::cdf(double x) const {
  double const z = (x - shift) / scale;
  if (z <= 0) return 0;
  switch (family) {
    case Family::exponential:
      return -std::expm1(-z);
    case Family::weibull:
      return -std::expm1(-std::pow(z, shape));
    case Family::gamma:
      if (shape >= nearly_normal) return quiet_normal_cdf(wilson_hilferty(shape, z));
      return boost::math::gamma_p(shape, z, quiet);
    case Family::lognormal:
      return quiet_normal_cdf(std::log(z) / shape);
    case Family::loglogistic:
      return 1 / (1 + std::pow(z, -shape));
  }
  throw InternalError("a family of distributions has a distribution function");
}

// In z = y / scale; the density of y is that of z divided by the scale.
double Distribution::log_density(double x) const {
  double const z = (x - shift) / scale;
  if (z <= 0 || std::isinf(z)) return -infinity;
  double const log_z = std::log(z);
  switch (family) {
    case Family::exponential:
      return -z - std::log(scale);
    case Family::weibull:
      return std::log(shape / scale) + (shape - 1) * log_z - std::pow(z, shape);
    case Family::gamma:
      return (shape - 1) * log_z - z - boost::math::lgamma(shape, quiet) - std::log(scale);
    case Family::lognormal: {
      double const t = log_z / shape;
      return -t * t / 2 - log_root_two_pi - std::log(shape * scale) - log_z;
    }
    case Family::loglogistic:
      return std::log(shape / scale) + (shape - 1) * log_z - 2 * soft_plus(shape * log_z);
  }
  throw InternalError("a family of distributions has a density");
}

double Distribution::log_survival(double x) const {
  double const z = (x - shift) / scale;
  if (z <= 0) return 0;
  switch (family) {
    case Family::exponential:
      return -z;
    case Family::weibull:
      return -std::pow(z, shape);
    case Family::gamma:
      return gamma_log_survival(shape, z);
    case Family::lognormal:
      return normal_log_survival(std::log(z) / shape);
    case Family::loglogistic:
      return -soft_plus(shape * std::log(z));
  }
  throw InternalError("a family of distributions has a survival function");
}

double Distribution::mean() const {
  switch (family) {
    case Family::exponential:
      return shift + scale;
    case Family::weibull:
      return shift + scale * boost::math::tgamma(1 + 1 / shape, quiet);
    case Family::gamma:
      return shift + scale * shape;
    case Family::lognormal:
      return shift + scale * std::exp(shape * shape / 2);
    case Family::loglogistic:
      return shape > 1 ? shift + scale * (pi / shape) / std::sin(pi / shape) : infinity;
  }
  throw InternalError("a family of distributions has a mean");
}

double normal_quantile(double u) { return -root_two * boost::math::erfc_inv(2 * u, quiet); }

double gamma_quantile(double u, double shape, double scale) {
  if (shape >= nearly_normal) {
    double const root = 1 - 1 / (9 * shape) + normal_quantile(u) / (3 * std::sqrt(shape));
    return scale * shape * root * root * root;
  }
  return scale * boost::math::gamma_p_inv(shape, u, quiet);
}

double beta_quantile(double u, double a, double b) {
  return boost::math::ibeta_inv(a, b, u, quiet);
}

double poisson_quantile(double u, double mean) {
  if (u <= 0) return 0;
  if (u >= 1) return infinity;
  // The Cornish-Fisher guess is off by a few at most; the steps make it exact.
  double const z = normal_quantile(u);
  double k = std::fmax(0, std::floor(mean + z * std::sqrt(mean) + (z * z - 1) / 6));
  while (k > 0 && poisson_cdf(k - 1, mean) >= u) --k;
  while (poisson_cdf(k, mean) < u) ++k;
  return k;
}

}  // namespace gridcast::inline base
