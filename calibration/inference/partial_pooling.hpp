// The common value of sites and their differences, from the few that are known: partial
// pooling (Gelman et al., Bayesian Data Analysis, 3rd ed., ch. 5). A site with much data keeps
// its own value, one with little is drawn towards the others, and one without data has the
// spread between sites. In each of the three models a centre mu and a spread tau describe the
// sites:
//
//   values, seen with variance v_s    y_s ~ N(mu + a_s, v_s),           a_s ~ N(0, tau^2)
//   rates, events in an exposure      k_s ~ Poisson(rate_s x time_s),   rate_s ~ Gamma, mean mu and
//                                                                       standard deviation mu tau
//   probabilities, hits in trials     k_s ~ Binomial(n_s, p_s),         p_s ~ Beta(mu k, (1 - mu)
//                                                                       k), k = 1 / (tau^2 mu)
// Thus tau has the units of y, and is relative for rates and (small) probabilities.
//
// (mu, tau) have a posterior of two dimensions, which is summed over a grid: p(mu, tau | data) is
// the prior times the data's probability with the sites' own values integrated out. Given a node of
// the grid, sites are independent and of the conjugate family. Maximum likelihood would put tau at
// 0 with so few sites, and promise too much (Gelman 2006, Bayesian Analysis 1, 3).
//
// Values from one normal distribution with an unknown centre ~ N(mean, sd^2) and an unknown
// standard deviation, the spread. The spread is half-normal, but not below exp(log_smallest). The
// centre is integrated out in closed form, the logarithm of the spread by the midpoint rule.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "calibration/fits/estimate.hpp"
#include "sim/base/random.hpp"

namespace gridcast::calibration {

/// Priors: mu flat, tau half-normal(1). For given tau, mu is normal with precision sum 1 / (v_s +
/// tau^2): the grid is of tau alone.
class SiteSpread {
 public:
  /// At least one site.
  SiteSpread(std::vector<double> const& values, std::vector<double> const& variances);

  struct Draw {
    double center = 0;  // mu
    double spread = 0;  // tau
  };
  /// Three uniforms.
  Draw draw(RandomStream& stream) const;
  /// The value at an unknown site: mu + a. Four uniforms.
  double draw_site(RandomStream& stream) const;

 private:
  struct Node {
    double tau;
    double probability;
    double center;
    double center_sd;
  };
  std::vector<Node> nodes_;
};

/// Events of a site and their denominator: seconds of exposure for a rate, trials for a
/// probability. Trials need not be whole: one that was cut short when a share u of its risk was
/// behind it counts as u.
struct SiteCount {
  double events = 0;
  double exposure = 0;
  double background = 0;  // events of another kind that are expected among them; of rates only
};

/// All sites together.
SiteCount total_of(std::vector<SiteCount> const& sites);

/// A node of the grid of (mu, tau), and the two parameters of the distribution between sites.
struct PoolingNode {
  double a = 0, b = 0;
  double probability = 0;
};

/// Priors: Jeffreys' mu^(-1/2), tau half-normal(1). Between sites rate ~ Gamma(a, b) with shape
/// a = 1/tau^2 and rate b = a/mu; with the sites' own rates integrated out the events are negative
/// binomial,
///   p(k | a, b) ~ Gamma(a + k) / Gamma(a) b^a / (b + time)^(a + k)            (op. cit. 2.6, 2.7)
/// and given them a site's rate is Gamma(a + k, b + time). If w of the n counted events are
/// expected to be of another kind, k is not known:
///   p(n | a, b) = sum over k of p(k | a, b) time^k / k! Poisson(n - k | w)
/// and a draw takes k by these terms (a Poisson signal over a known background: Helene 1983,
/// Nuclear Instruments and Methods 212).
class PooledRate {
 public:
  /// Some exposure somewhere.
  explicit PooledRate(std::vector<SiteCount> const& sites);

  /// One joint draw, a rate for each site; one uniform, then one a site, two where it has a
  /// background.
  std::vector<double> draw(RandomStream& stream) const;

 private:
  std::vector<SiteCount> sites_;
  std::vector<PoolingNode> nodes_;
};

/// Priors: Jeffreys' Beta(1/2, 1/2) for mu; Rayleigh(1.5) for tau, which keeps it from zero
/// (Chung et al. 2013, Psychometrika 78, boundary-avoiding priors): in a grid, one site can
/// fail many times as often as the others (a black hole), and few failures cannot refute it.
/// Between sites p ~ Beta(a, b); with the sites' own p integrated out the hits are
/// beta-binomial,
///   p(k | a, b) ~ B(a + k, b + n - k) / B(a, b)                                  (op. cit. 5.3)
/// and given them a site's probability is Beta(a + k, b + n - k).
class PooledShare {
 public:
  explicit PooledShare(std::vector<SiteCount> const& sites);

  /// One joint draw, a probability for each site; one uniform, then one a site.
  std::vector<double> draw(RandomStream& stream) const;

 private:
  std::vector<SiteCount> sites_;
  std::vector<PoolingNode> nodes_;
};

/// A line of the calibration file, of PARAMETER.SITE.
Estimate site_line(std::string const& parameter, std::string const& site, std::string unit,
                   std::string method, std::size_t events);

enum class PooledAs { share, rate };  // a probability, or a rate in 1/s

/// A kind of event that was never seen at any site may not exist in this grid (most pools suspend
/// no job), or may have been missed. Beforehand a kind of event exists with a probability q, and an
/// attempt then meets it with Jeffreys' prior Beta(1/2, 1/2), so that n attempts without one have
/// the probability
///   m = B(1/2, n + 1/2) / B(1/2, 1/2) = Gamma(n + 1/2) / (sqrt(pi) Gamma(n + 1)),  near 1 /
///                                                                                  sqrt(pi n)
/// and it exists nevertheless with q m / (q m + 1 - q): in that share of the draws, which have
/// Jeffreys' posterior of no event. In the others there is none (docs/model.md, A-UNSEEN).
struct Unseen {
  double attempts = 0;      // n
  double beforehand = 0.5;  // q

  double exists() const;
};
/// q of crashes, failed URLs and evictions, which hardly a grid is without.
inline constexpr double on_most_grids = 0.9;

/// A column a site, partially pooled. For a site without events the interval is one-sided, [0, 90 %
/// quantile]: no lower limit differs clearly from zero; for events that were never seen at any
/// site, it is that of the draws in which they exist.
void add_pooled(Fit& fit, PooledAs kind, std::string const& parameter, std::string const& what,
                std::vector<std::string> const& sites, std::vector<SiteCount> const& counts,
                Unseen const& unseen, std::size_t draws, RandomStream stream);

struct CommonPrior {
  static constexpr double log_smallest = -7;
  double mean = 0, sd = 1, spread = 1;
};

/// Log density of the values, with centre and spread integrated out.
double log_integrated(std::vector<double> const& values, CommonPrior const& prior);

struct CommonDraw {
  double centre = 0, log_spread = 0;
};
/// A centre and a spread from their posterior, given the values. Uses three uniforms.
CommonDraw draw_common(std::vector<double> const& values, CommonPrior const& prior,
                       RandomStream& stream);

}  // namespace gridcast::calibration
