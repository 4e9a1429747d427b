#include "calibration/fits/crash_moment.hpp"

#include <algorithm>
#include <cmath>

#include <boost/math/special_functions/beta.hpp>
#include <fmt/format.h>

#include "calibration/inference/special_functions.hpp"
#include "sim/base/random.hpp"
#include "sim/base/statistics.hpp"

namespace gridcast::calibration {

namespace {

constexpr double sd_of_logs = 1.5;
constexpr int steps = 34;         // of ln a and of ln b
constexpr double lowest = -3.5;   // ln 0.03
constexpr double highest = 9.25;  // ln 10,400
constexpr double least_done = 1e-5;
constexpr double least_left = 0.002;
constexpr std::size_t most_crashes = 1000;

/// A share that the crash may have had, with the logarithm of its weight.
struct Possible {
  double log_done = 0, log_left = 0, log_weight = 0;
};

/// At as many quantiles of z.
std::vector<Possible> possible_shares(CrashShare const& crash) {
  constexpr int quantiles = 21;
  // For one that lasted longer than any share of its work allows.
  constexpr double stranger = 1e-6;
  std::vector<Possible> found = {
      {std::log1p(-least_left), std::log(least_left), std::log(stranger)}};
  for (int i = 0; i < quantiles; ++i) {
    double const z = normal_quantile((i + 0.5) / quantiles);
    double const x = crash.share * std::exp(-crash.log_sd * z);
    if (x >= 1) continue;
    double const done = std::clamp(x, least_done, 1 - least_left);
    found.push_back({std::log(done), std::log1p(-done), std::log(1.0 / quantiles)});
  }
  return found;
}

/// For laws that are narrower than a step of the grid all terms can be too small without
/// logarithms.
double log_likelihood(std::vector<Possible> const& crash, double a, double b) {
  double most = -HUGE_VAL, sum = 0;
  auto const log_density = [&](Possible const& x) {
    return a * x.log_done + (b - 1) * x.log_left + x.log_weight;
  };
  for (Possible const& x : crash) most = std::max(most, log_density(x));
  for (Possible const& x : crash) sum += std::exp(log_density(x) - most);
  return most + std::log(sum) - log_beta(a, b);
}

}  // namespace

double share_done(AttemptRecord const& attempt, AttemptRecords const& records,
                  TypicalTimes const& typical_times) {
  double computed = attempt.tail.value();
  for (Seconds const& epoch : attempt.epochs) computed += epoch.value();
  double const left = 1 - static_cast<double>(attempt.epochs_before) / records.epochs;
  std::size_t const job = attempt.job.index();
  bool const known = job < records.log_scales.size() && !std::isnan(records.log_scales[job]);
  double const scale = known ? std::exp(records.log_scales[job]) : 1;
  // 5 % at least are left, where a log has lost count of checkpoints.
  double const whole = typical_times.at_site[attempt.site.index()] * scale * std::max(left, 0.05);
  return computed / whole;
}

std::vector<CrashShare> crash_shares(AttemptRecords const& records,
                                     TypicalTimes const& typical_times) {
  std::vector<CrashShare> shares;
  for (AttemptRecord const& attempt : records.attempts) {
    if (!crashed(attempt) || !attempt.executing || !attempt.site.valid()) continue;
    if (!attempt.times_known) continue;
    double const seconds = (attempt.end - *attempt.executing).value();
    double const rounding = records.tick / std::max(seconds, records.tick);
    shares.push_back({std::max(share_done(attempt, records, typical_times), least_done),
                      std::hypot(typical_times.log_sd, rounding / std::sqrt(6.0))});
  }
  return shares;
}

CrashMomentPosterior::CrashMomentPosterior(std::vector<CrashShare> const& shares) {
  if (shares.empty()) {
    nodes_.push_back({});
    return;
  }
  std::vector<std::vector<Possible>> crashes;
  std::size_t const count = std::min(shares.size(), most_crashes);
  for (std::size_t i = 0; i < count; ++i) {
    crashes.push_back(possible_shares(shares[i * shares.size() / count]));
  }
  double const step = (highest - lowest) / steps;
  for (int i = 0; i <= steps; ++i) {
    for (int j = 0; j <= steps; ++j) {
      double const log_a = lowest + i * step;
      double const log_b = lowest + j * step;
      CrashMoment node{std::exp(log_a), std::exp(log_b),
                       -(log_a * log_a + log_b * log_b) / (2 * sd_of_logs * sd_of_logs)};
      for (auto const& crash : crashes) node.probability += log_likelihood(crash, node.a, node.b);
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

Fit crash_moment_fit(std::vector<CrashShare> const& shares, std::size_t draws,
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
                .method = "share of its remaining work at which an execution crashed: Beta"};
  auto const early = std::count_if(shares.begin(), shares.end(),
                                   [](CrashShare const& each) { return each.share < 0.1; });
  auto const late = std::count_if(shares.begin(), shares.end(),
                                  [](CrashShare const& each) { return each.share > 0.9; });
  line.fit = fmt::format("of {} crashes {} in the first tenth, {} in the last", shares.size(),
                         early, late);
  add_posterior(fit, line, a);
  line.name = "crash_at_b";
  line.fit.clear();
  add_posterior(fit, line, b);
  return fit;
}

}  // namespace gridcast::calibration
