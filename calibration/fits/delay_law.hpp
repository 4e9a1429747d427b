// Delays between two stamps of a log, in seconds, each as a distribution with its doubt:
//   X ~ gamma (shape, scale)
//   log L = sum over seen ln P(d) + sum over censored ln S(c)
// with the P of rounded stamps (below). Weak priors: ln shape ~ N(0, 0.25), ln
// scale ~ N(ln of a guess, 2^2), each of half that width where no delay was seen. Parameters are
// drawn by slice sampling. If there are more than `enough_delays`, so many, evenly chosen, are in
// the likelihood: their mean is known to 1 / sqrt(2,000) = 2.2 % of their spread. More than 500
// different delays are rounded to six binary digits (1.6 %). If a share of
// them never ends, delays that lasted to the end of the record are censored or last for ever, by
// the kind of delay.
//
// Delays that may never end: one that still lasted when the record ended lasts for ever or not. Let
// q be the share of all that never end, and n the number of the others that were seen to end (their
// densities are the delay's own). Those that had lasted for t_j without an end have, with the
// survival function S of the delays that do end,
//   L = (1 - q)^n  prod (q + (1 - q) S(t_j)),    q ~ Beta(1/2, 1/2) beforehand
// (Boag 1949, J. R. Stat. Soc. B 11; Maller & Zhou, Survival Analysis with Long-Term Survivors,
// 1996), with q integrated out over quantiles of its prior.
//
// One that lasted for t_j never ends with the probability w_j = q / (q + (1 - q) S(t_j)), and
//   d ln L / dq = m / q - n / (1 - q),    m = sum w_j (1 - S(t_j))
// is that of a binomial of m among n + m: m are known never to end. A delay that has hardly lasted
// is no evidence.
//
// Likelihood of durations between two time stamps, each rounded down to a tick. All times are in
// seconds. A difference of d means a duration from d - tick to d + tick, most likely d. Both ends
// are anywhere in their ticks, and a true duration x shows as d with probability max(0, 1 - |x - d|
// / tick). Thus
//   P(d) = integral of f(x) max(0, 1 - |x - d| / tick) dx
//        = (H(d + tick) - 2 H(d) + H(d - tick)) / tick,   H(k) = E max(0, k - X)
// which is an interval-censored likelihood (Klein & Moeschberger, Survival Analysis, 3.5) with the
// triangle that two ends make.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "calibration/fits/estimate.hpp"
#include "sim/base/random.hpp"

namespace gridcast::calibration {

/// ln P(d) of any distribution plus `known` seconds.
double log_rounded(Distribution const& x, double known, double d, double tick);

class NeverEnding {
 public:
  void add_ended(double times) { ended_ += times; }
  /// So many that had lasted for so long.
  void add_open(double seconds, double times) { open_[seconds] += times; }

  /// ln L, q integrated out.
  double log_likelihood(Distribution const& ends) const;
  /// m, in the mean over q.
  double known(Distribution const& ends) const;

 private:
  struct Lasting {
    double survival = 0, times = 0;
  };
  std::vector<Lasting> lasting(Distribution const& ends) const;
  std::vector<double> log_likelihoods(std::vector<Lasting> const& open) const;

  double ended_ = 0;
  std::map<double, double> open_;
};

struct Delay {
  double seconds = 0;     // between the stamps
  double known = 0;       // so many of them are something else
  bool censored = false;  // it lasted longer
  std::size_t kind = 0;   // each kind has a share of its own that never ends, where some may
};

struct DelayModel {
  std::string name;  // of the columns: NAME_family, NAME_shape, NAME_scale_s, NAME_shift_s
  std::string what;  // for the file
  double guess = 1;  // seconds; the prior's centre, and all there is without a delay
};

inline constexpr std::size_t enough_delays = 2'000;

/// The four columns of draws.
void add_times(Fit& fit, std::string const& name, std::vector<Distribution> const& drawn);

/// NAME_mean_s as a parameter, the four columns as draws.
Fit fit_delay(DelayModel const& model, std::vector<Delay> const& delays, double tick,
              std::size_t draws, RandomStream stream);

struct EndingDelays {
  Fit fit;                                           // of those that end
  std::map<std::size_t, std::vector<double>> never;  // by kind: in each draw, how many never do
};
/// Delays that may in part never end. Kinds without a censored one are not in `never`.
EndingDelays fit_ending_delays(DelayModel const& model, std::vector<Delay> const& delays,
                               double tick, std::size_t draws, RandomStream stream);

}  // namespace gridcast::calibration
