#include "calibration/fits/crash_fit.hpp"

#include <algorithm>
#include <cmath>

#include <boost/math/special_functions/beta.hpp>
#include <fmt/format.h>

namespace gridcast::calibration {

namespace {

constexpr double sd_of_logs = 1.5;
constexpr int steps = 24;        // of ln a and of ln b
constexpr double lowest = -3.5;  // ln 0.03
constexpr double highest = 5.5;  // ln 245
constexpr double least_share = 0.002;

double log_density(double share, double a, double b) {
  return (a - 1) * std::log(share) + (b - 1) * std::log1p(-share) + std::lgamma(a + b) -
         std::lgamma(a) - std::lgamma(b);
}

}  // namespace

double share_done(AttemptRecord const& attempt, AttemptRecords const& records,
                  std::vector<double> const& typical_times) {
  double computed = attempt.tail.value();
  for (Seconds const& epoch : attempt.epochs) computed += epoch.value();
  double const left = 1 - static_cast<double>(attempt.epochs_before) / records.epochs;
  std::size_t const job = attempt.job.index();
  bool const known = job < records.log_scales.size() && !std::isnan(records.log_scales[job]);
  double const scale = known ? std::exp(records.log_scales[job]) : 1;
  // 5 % at least are left, where a log has lost count of checkpoints.
  double const whole = typical_times[attempt.site.index()] * scale * std::max(left, 0.05);
  return computed / whole;
}

std::vector<double> crash_shares(AttemptRecords const& records,
                                 std::vector<double> const& typical_times) {
  std::vector<double> shares;
  for (AttemptRecord const& attempt : records.attempts) {
    if (!crashed(attempt) || !attempt.executing || !attempt.site.valid()) continue;
    shares.push_back(
        std::clamp(share_done(attempt, records, typical_times), least_share, 1 - least_share));
  }
  return shares;
}

CrashMomentPosterior::CrashMomentPosterior(std::vector<double> const& shares) {
  if (shares.empty()) {
    nodes_.push_back({});
    return;
  }
  double const step = (highest - lowest) / steps;
  for (int i = 0; i <= steps; ++i) {
    for (int j = 0; j <= steps; ++j) {
      double const log_a = lowest + i * step;
      double const log_b = lowest + j * step;
      CrashMoment node{std::exp(log_a), std::exp(log_b),
                       -(log_a * log_a + log_b * log_b) / (2 * sd_of_logs * sd_of_logs)};
      for (double const share : shares) node.probability += log_density(share, node.a, node.b);
      nodes_.push_back(node);
    }
  }
  to_probabilities(nodes_, &CrashMoment::probability);
}

CrashMoment CrashMomentPosterior::draw(double u) const {
  return nodes_[pick(nodes_, &CrashMoment::probability, u)];
}

double CrashMomentPosterior::risk_until(double share) const {
  constexpr double negligible = 1e-6;
  double const until = std::clamp(share, 0.0, 1.0);
  double risk = 0;
  for (CrashMoment const& node : nodes_) {
    if (node.probability < negligible) continue;
    risk += node.probability * boost::math::ibeta(node.a, node.b, until);
  }
  return std::min(1.0, risk);
}

Fit crash_moment_fit(std::vector<double> const& shares, std::size_t draws,
                     RandomStreams const& streams) {
  Fit fit;
  if (shares.empty()) return fit;
  CrashMomentPosterior const posterior(shares);
  std::vector<double> a, b;
  // One uniform a draw: a and b belong together.
  for (double const u : stratified_draws(bootstrap_stream(streams, DrawsOf::crash_moment), draws,
                                         [](double x) { return x; })) {
    CrashMoment const drawn = posterior.draw(u);
    a.push_back(drawn.a);
    b.push_back(drawn.b);
  }
  Estimate line{.name = "crash_at_a",
                .unit = "1",
                .events = shares.size(),
                .method = "share of what remained of its work at which an execution crashed: Beta"};
  auto const early = std::count_if(shares.begin(), shares.end(), [](double x) { return x < 0.1; });
  auto const late = std::count_if(shares.begin(), shares.end(), [](double x) { return x > 0.9; });
  line.fit = fmt::format("of {} crashes {} in the first tenth, {} in the last", shares.size(),
                         early, late);
  add_posterior(fit, line, a);
  line.name = "crash_at_b";
  line.fit.clear();
  add_posterior(fit, line, b);
  return fit;
}

}  // namespace gridcast::calibration
