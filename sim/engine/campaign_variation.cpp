#include "sim/engine/campaign_variation.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/even_points.hpp"
#include "sim/base/statistics.hpp"

namespace gridcast::engine {

double FactorLaw::quantile(double u) const {
  // The mean of a lognormal variable is exp(mean + sd^2 / 2).
  auto const mean_one = [](double x, double sd) {
    return sd > 0 ? normal_cdf(x / sd + sd / 2) : (x < 0 ? 0.0 : 1.0);
  };
  auto const cdf = [&](double x) {
    double const usual = same * mean_one(x, same_sd) + (1 - same) * mean_one(x, changed_sd);
    double const log_uniform = (x / std::log(most_upheaval) + 1) / 2;
    return (1 - upheaval) * usual + upheaval * std::clamp(log_uniform, 0.0, 1.0);
  };
  constexpr double most = 40;  // e^40: beyond any factor
  constexpr int halvings = 60;
  double low = -most, high = most;
  for (int i = 0; i < halvings; ++i) {
    double const middle = (low + high) / 2;
    (cdf(middle) < u ? low : high) = middle;
  }
  // A law with an atom at zero ends within rounding of it.
  constexpr double rounding = 1e-12;
  return std::abs(high) < rounding ? 1 : std::exp(high);
}

double FactorLaw::log_sd() const {
  // ln f of a lognormal law with mean one is normal with the mean -sd^2 / 2.
  auto const square = [](double sd) { return sd * sd + std::pow(sd, 4) / 4; };
  double const usual = 1 - upheaval, changed = 1 - same;
  double const mean = -usual * (same * same_sd * same_sd + changed * changed_sd * changed_sd) / 2;
  double const of_upheavals = std::pow(std::log(most_upheaval), 2) / 3;
  double const mean_square =
      usual * (same * square(same_sd) + changed * square(changed_sd)) + upheaval * of_upheavals;
  return std::sqrt(mean_square - mean * mean);
}

CampaignVariation usual_variation() {
  CampaignVariation variation;
  variation.computing = {0.6, 0.1, 0.7, 0.15};
  variation.transfers = {0.5, 0.25, 0.8, 0.15};
  variation.repeats = {0.35, 0.6, 1.3, 0.15};
  variation.holds = {0.35, 0.6, 1.3, 0.15};
  variation.waiting = {0.35, 0.3, 1.3, 0.15};
  variation.odds = {0.5, 0.5, 2, 0.15};
  variation.unseen = {.wrong_output = 0.02,
                      .held = 0.02,
                      .removed = 0.02,
                      .holds = 0.02,
                      .evictions = 0.04,
                      .lost_contacts = 0.05,
                      .most_jobs = 0.02};
  return variation;
}

CampaignFactors campaign_factors(CampaignVariation const& variation, std::uint64_t seed,
                                 std::uint32_t replica) {
  EvenPoint point(RandomStreams(seed, 0).stream(Purpose::bootstrap, 4), replica);
  CampaignFactors factors;
  factors.computing = variation.computing.quantile(point.next());
  factors.transfers = variation.transfers.quantile(point.next());
  factors.repeats = variation.repeats.quantile(point.next());
  factors.holds = variation.holds.quantile(point.next());
  factors.waiting = variation.waiting.quantile(point.next());
  for (double& odds : factors.odds) odds = variation.odds.quantile(point.next());
  // Success is the most frequent ending, and its odds scale those of all others. They keep the
  // median one.
  factors.odds[static_cast<std::size_t>(history::RecordedEnd::succeeded)] /=
      variation.odds.quantile(0.5);
  return factors;
}

}  // namespace gridcast::engine
