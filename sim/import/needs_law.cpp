#include "sim/import/needs_law.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>

#include "sim/base/random.hpp"
#include "sim/base/statistics.hpp"

namespace gridcast::import {
namespace {

/// Of a normal law's part above z: its share, and its mean minus the law's, in standard deviations.
struct Tail {
  double share, mean;
};

Tail tail_above(double z) {
  constexpr double far = 30;  // the share is no longer a number
  double const share = normal_cdf(-z);
  double const density = std::exp(-z * z / 2) / std::sqrt(2 * M_PI);
  return {share, z > far ? z + 1 / z : density / share};
}

using Stopped = std::map<double, std::size_t>;  // jobs, by the limit that stopped them

class LognormalNeeds {
 public:
  LognormalNeeds(std::vector<double> const& known, Stopped const& stopped) {
    constexpr std::size_t fewest = 3;
    if (known.size() < fewest) return;
    std::vector<double> logarithms;
    for (double const amount : known) logarithms.push_back(std::log(amount));
    double const least = 1e-6;
    mean_ = mean(logarithms);
    sd_ = std::max(least, standard_deviation(logarithms));
    constexpr int most_steps = 2000;
    for (int i = 0; i < most_steps; ++i) {
      double const before = mean_ + sd_;
      step(logarithms, stopped);
      sd_ = std::max(least, sd_);
      if (std::abs(mean_ + sd_ - before) < least) break;
    }
  }

  /// The quantile `p` of the needs above `limit`.
  double above(double limit, double p) const {
    constexpr double widest = 3;
    double const share = sd_ > 0 ? tail_above((std::log(limit) - mean_) / sd_).share : 0;
    if (share <= 0) return limit * std::pow(widest, p);
    return std::exp(mean_ - sd_ * normal_quantile(share * (1 - p)));
  }

 private:
  void step(std::vector<double> const& logarithms, Stopped const& stopped) {
    double n = count(logarithms.size()), sum = 0, squares = 0;
    for (double const x : logarithms) {
      sum += x - mean_;
      squares += square(x - mean_);
    }
    for (auto const& [limit, jobs] : stopped) {
      double const z = (std::log(limit) - mean_) / sd_;
      double const mean = tail_above(z).mean;
      n += count(jobs);
      sum += count(jobs) * sd_ * mean;
      squares += count(jobs) * square(sd_) * (1 + z * mean);
    }
    mean_ += sum / n;
    sd_ = std::sqrt(squares / n - square(sum / n));
  }

  double mean_ = 0, sd_ = 0;  // of the logarithm; sd_ 0: unknown
};

}  // namespace

std::vector<double> amounts_needed(std::vector<ledger::JobNeed> const& needs) {
  std::vector<double> amounts;
  Stopped stopped;
  for (ledger::JobNeed const& need : needs) {
    if (need.amount <= 0 || !need.exceeded) {
      amounts.push_back(need.amount);
    } else {
      ++stopped[need.amount];
    }
  }
  std::vector<double> known = amounts;
  std::erase_if(known, [](double amount) { return amount <= 0; });
  LognormalNeeds const law(known, stopped);
  for (auto const& [limit, jobs] : stopped) {
    for (std::size_t i = 0; i < jobs; ++i)
      amounts.push_back(law.above(limit, (count(i) + 0.5) / count(jobs)));
  }
  return amounts;
}

}  // namespace gridcast::import
