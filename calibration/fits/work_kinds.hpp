// If the works of a record's jobs are not of one lognormal: a mixture of as many as the record
// needs.
//
// Let y = ln time of a job's execution at site s, with the term for its number of GPUs,
//   y + ln speed_s ~ sum_k w_k N(m_k, s_k^2 + r)      r the variance of the stamps' rounding
// and of one that was cut short at y the probability of more. It is found by expectation
// maximisation (Dempster, Laird & Rubin 1977), for censored values (McLachlan & Peel, Finite
// Mixture Models, 2000, 2.16 and 10.4), which moves the sites' speeds as well, under their prior
// N(c_s, tau^2): speeds from one wide lognormal would blur the kinds. Each mixture is made of that
// with one kind less. One of its kinds, each in turn, is split where the least squares are left
// within, or into a narrow and a wide one; the likeliest counts.
//
// So many kinds as have the least BIC, if that is 10 less than of one (Kass & Raftery 1995: very
// strong), of five at most. A kind has four finished jobs at least, and is no narrower than 3 %:
// without that, the likelihood of a few equal works would have no bound. If fewer than
// `enough_for_kinds` jobs finished there is one lognormal, for each result of its test.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/scenario/parameter_draw.hpp"

namespace gridcast::calibration {

inline constexpr std::size_t enough_for_kinds = 20;

/// One execution of a job.
struct JobTime {
  std::size_t site = 0;
  double log_time = 0;  // with the site's number of GPUs
  double rounding = 0;  // variance of it
  bool longer = false;  // it was cut short there
};

/// ln(work) of these jobs is N(center, sigma^2) with probability `share`.
struct JobKind {
  double share = 1, center = 0, sigma = 1;
};

struct KindsPrior {
  std::vector<double> log_speeds;  // the centres, and the standard deviation around them
  double tau = 0.5;
};

struct KindsFit {
  std::vector<JobKind> kinds;  // by their centres
  std::vector<double> log_speeds;
};

/// Has one kind where no more are found.
KindsFit separate_kinds(std::vector<JobTime> const& jobs, KindsPrior const& prior,
                        std::vector<double> const& log_speeds);

/// Share of works up to that one, and the work of that share.
double kinds_cdf(std::vector<JobKind> const& kinds, double log_work);
double kinds_median(std::vector<JobKind> const& kinds);
double kinds_sd(std::vector<JobKind> const& kinds);

/// In the form of a ParameterDraw: around the median, in units of the whole standard deviation, by
/// their centres.
std::vector<scenario::WorkKind> standardised(std::vector<JobKind> kinds);

}  // namespace gridcast::calibration
