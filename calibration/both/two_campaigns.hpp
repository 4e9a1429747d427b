// One parameter that two campaigns of a pool tell, each by joint draws of its own (a job table's
// and an event log's): the normal model of Gelman et al., Bayesian Data Analysis, 3rd ed., 5.4. On
// a scale on which a parameter is roughly normal, record c (of C_c campaigns) has the mean y_c and
// the standard deviation s_c of
//   y_c ~ N(theta_c, s_c^2),   theta_c ~ N(mu, tau^2 / C_c),   mu flat,
//   tau ~ half-normal(scale), or as stated
// so that given tau, with w_c = 1 / (s_c^2 + tau^2 / C_c),
//   mu ~ N(sum w_c y_c / sum w_c, 1 / sum w_c),   the next campaign ~ N(mu, tau^2)
// and, mu integrated out,
//   p(tau | y) ~ p(tau) (w_1 w_2 / (w_1 + w_2))^(1/2) exp(-(y_1 - y_2)^2 w_1 w_2 / (2 (w_1 + w_2)))
// which is summed over a grid. The two disagree where y_1 - y_2 is more than three times
//   (s_1^2 + s_2^2 + tau^2 (1 / C_1 + 1 / C_2))^(1/2),   tau^2 as expected beforehand
// of which a parameter that obeys the model is more in one of 370 (normal distribution).
#pragma once

#include <cmath>
#include <optional>
#include <vector>

namespace gridcast::calibration {

/// On which a parameter is roughly normal: the logarithm of what is above zero, the logit of a
/// probability.
enum class PoolingScale { logarithm, logit };

/// From a parameter to the scale, and back. Probabilities of 0 and 1 are taken for 1e-9 from there.
double on_scale(PoolingScale scale, double value);
double off_scale(PoolingScale scale, double value);

/// What one record tells of a parameter, on the scale.
struct ToldByRecord {
  double mean = 0;
  double sd = 0;
  double campaigns = 1;
};

/// How campaigns of a pool differ.
struct CampaignsDiffer {
  double scale = 0;                             // of the half-normal prior of tau
  std::optional<double> stated = std::nullopt;  // tau instead
};

struct PooledRecords {
  double mean = 0;     // of mu
  double sd = 0;       // of mu
  double next_sd = 0;  // of the next campaign, around the same mean
  double tau = 0;      // expected square's root
  double weight = 0;   // of the first record in the mean
  double apart = 0;    // difference of the first from the second, over its standard deviation

  bool disagree() const { return std::abs(apart) > 3; }
  /// Probability of a difference at least as large, either way.
  double p_value() const;
};

PooledRecords pool_records(ToldByRecord const& first, ToldByRecord const& second,
                           CampaignsDiffer const& differ);

/// Mean and standard deviation, on the scale, of the draws that are finite and above zero; none
/// with fewer than ten different ones: there nothing is uncertain, or nothing is told.
std::optional<ToldByRecord> told_by_draws(PoolingScale scale, std::vector<double> const& draws);

/// The draws moved and stretched on the scale until they have this mean and standard deviation;
/// their order, and so what they have to do with other columns, stays. Draws that are zero or
/// infinite stay.
std::vector<double> moved_to(PoolingScale scale, std::vector<double> draws, double mean, double sd);

}  // namespace gridcast::calibration
