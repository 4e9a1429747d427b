#include "sim/running/ending_odds.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "sim/base/statistics.hpp"

namespace gridcast::running {
namespace {

double bounded(double p) {
  constexpr double least = 1e-6;
  return std::clamp(p, least, 1 - least);
}

double log_beta(double a, double b) { return std::lgamma(a) + std::lgamma(b) - std::lgamma(a + b); }

EndingOdds odds_at(double logit_mean, double log_size) {
  double const mean = inverse_logit(logit_mean), size = std::exp(log_size);
  return {mean * size, (1 - mean) * size};
}

}  // namespace

ShareOfRepeats::ShareOfRepeats(std::vector<Execution> executions, double usual)
    : executions_(std::move(executions)), repeated_(executions_.size()), usual_(bounded(usual)) {
  std::sort(executions_.begin(), executions_.end(),
            [](Execution const& a, Execution const& b) { return a.length < b.length; });
  double sum = 0, all = 0;
  for (std::size_t i = executions_.size(); i-- > 0;) {
    Execution const& execution = executions_[i];
    sum += execution.weight * execution.repeated;
    repeated_[i] = sum / (all += execution.weight);
  }
}

double ShareOfRepeats::of(Seconds age, double q) const {
  auto const first = std::lower_bound(
      executions_.begin(), executions_.end(), age,
      [](Execution const& execution, Seconds length) { return execution.length < length; });
  auto const at = static_cast<std::size_t>(first - executions_.begin());
  double const share = first == executions_.end() ? usual_ : repeated_[at];
  return inverse_logit(logit(bounded(share)) + logit(bounded(q)) - logit(usual_));
}

double EndingOdds::draw(std::size_t repeats, RandomStream& stream) const {
  constexpr double least = 1e-9;  // a probability of zero never ends
  return std::max(least, beta_quantile(stream.uniform(), a, b + static_cast<double>(repeats)));
}

EndingOddsPosterior::EndingOddsPosterior(std::vector<JobRepeats> const& jobs) {
  std::map<std::pair<std::size_t, bool>, double> counts;
  for (JobRepeats const& job : jobs) counts[{job.repeats, job.ended}] += job.weight;
  constexpr int means = 43, sizes = 18;
  constexpr double most_logit = 7, usual_logit = 3, usual_sd = 2;
  double const least_size = std::log(1.0), most_size = std::log(500.0);
  double best = -infinity;
  for (int i = 0; i < means; ++i) {
    for (int j = 0; j < sizes; ++j) {
      double const logit_mean = most_logit * (2.0 * i / (means - 1) - 1);
      double const log_size = least_size + (most_size - least_size) * j / (sizes - 1);
      EndingOdds const odds = odds_at(logit_mean, log_size);
      double log_likelihood = -square((logit_mean - usual_logit) / usual_sd) / 2;
      for (auto const& [job, count] : counts) {
        auto const& [repeats, ended] = job;
        log_likelihood +=
            count * (log_beta(odds.a + (ended ? 1 : 0), odds.b + static_cast<double>(repeats)) -
                     log_beta(odds.a, odds.b));
      }
      best = std::max(best, log_likelihood);
      points_.push_back({logit_mean, log_size, log_likelihood});
    }
  }
  double sum = 0;
  for (Point& point : points_) sum += point.share = std::exp(point.share - best);
  for (Point& point : points_) point.share /= sum;
}

EndingOdds EndingOddsPosterior::draw(RandomStream stream) const {
  double left = stream.uniform();
  for (Point const& point : points_) {
    left -= point.share;
    if (left <= 0) return odds_at(point.logit_mean, point.log_size);
  }
  return odds_at(points_.back().logit_mean, points_.back().log_size);
}

EndingOdds EndingOddsPosterior::middle() const {
  double logit_mean = 0, log_size = 0;
  for (Point const& point : points_) {
    logit_mean += point.share * point.logit_mean;
    log_size += point.share * point.log_size;
  }
  return odds_at(logit_mean, log_size);
}

}  // namespace gridcast::running
