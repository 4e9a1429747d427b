// Delays of which some never end: what still lasted when the record ended goes on for ever or not.
// With a share q of all that never end, and n of the others seen to end (their densities are the
// delay's own), those that had lasted for t_j without an end have, with the survival function S of
// the delays that do end,
//   L = (1 - q)^n  prod (q + (1 - q) S(t_j)),    q ~ Beta(1/2, 1/2) beforehand
// (Boag 1949, J. R. Stat. Soc. B 11; Maller & Zhou, Survival Analysis with Long-Term Survivors,
// 1996), with q integrated out over quantiles of its prior.
//
// One that lasted for t_j never ends with the probability w_j = q / (q + (1 - q) S(t_j)), and
//   d ln L / dq = m / q - n / (1 - q),    m = sum w_j (1 - S(t_j))
// is that of a binomial of m among n + m: m are known never to end. What has hardly lasted tells
// nothing.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "sim/base/random.hpp"

namespace gridcast::calibration {

class NeverEnding {
 public:
  void add_ended(double times) { ended_ += times; }
  /// So many that had lasted for so long.
  void add_open(double seconds, double times) { open_[seconds] += times; }
  bool none_open() const { return open_.empty(); }

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

}  // namespace gridcast::calibration
