#include "calibration/fits/likelihood.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <utility>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <boost/math/special_functions/gamma.hpp>
#include <fmt/format.h>
#include <nlopt.hpp>

#include "sim/base/random.hpp"
#include "sim/base/statistics.hpp"

namespace gridcast::calibration {

namespace {

using Function = std::function<double(std::vector<double> const&)>;

double evaluate(std::vector<double> const& x, std::vector<double>&, void* data) {
  double const value = (*static_cast<Function const*>(data))(x);
  return std::isfinite(value) ? value : 1e300;
}

constexpr int most_steps = 30;
constexpr int most_shrinks = 200;

// A stamp that no model explains (a clock that stepped) costs so much and not more.
constexpr double least_probability = 1e-12;

// H(k) of the header, in closed form.
double expected_rest(LogNormal const& x, double k) {
  if (k <= 0) return 0;
  double const z = (std::log(k) - x.mu) / x.sigma;
  return k * normal_cdf(z) - std::exp(x.mu + x.sigma * x.sigma / 2) * normal_cdf(z - x.sigma);
}

// Mean of the distribution function from a to b: Gauss-Legendre, four points (Abramowitz & Stegun
// 25.4). As H' = F, the probability of the header is the mean of F over the tick after k less that
// over the tick before.
double mean_cdf(Distribution const& x, double a, double b) {
  constexpr std::array<double, 2> at = {0.3399810435848563, 0.8611363115940526};
  constexpr std::array<double, 2> weight = {0.6521451548625461, 0.3478548451374538};
  double const middle = (a + b) / 2;
  double const half = (b - a) / 2;
  double sum = 0;
  for (std::size_t i = 0; i < at.size(); ++i) {
    sum += weight[i] * (x.cdf(middle - half * at[i]) + x.cdf(middle + half * at[i]));
  }
  return sum / 2;
}

}  // namespace

Minimum minimise(Function const& function, std::vector<double> start, double first_step,
                 SearchBox const& box, int most_evaluations) {
  nlopt::opt search(nlopt::LN_SBPLX, static_cast<unsigned>(start.size()));
  search.set_min_objective(evaluate, const_cast<Function*>(&function));
  search.set_xtol_abs(1e-6);
  search.set_ftol_abs(1e-8);
  search.set_maxeval(most_evaluations);
  search.set_initial_step(first_step);
  if (!box.low.empty()) search.set_lower_bounds(box.low);
  if (!box.high.empty()) search.set_upper_bounds(box.high);
  Minimum found{std::move(start), 0};
  search.optimize(found.at, found.value);
  return found;
}

SliceSampler::SliceSampler(LogDensity density, std::vector<double> start,
                           std::vector<double> widths, RandomStream stream)
    : density_(std::move(density)),
      at_(std::move(start)),
      widths_(std::move(widths)),
      stream_(stream) {
  for (std::size_t i = 0; i < at_.size(); ++i) directions_.push_back({{i}, i});
}

void SliceSampler::move_together(std::vector<std::size_t> coordinates, std::size_t changed) {
  directions_.push_back({std::move(coordinates), changed});
}

void SliceSampler::move_along(Curve curve, double width, std::size_t changed, Redraw redraw) {
  directions_.push_back({{}, changed, std::move(curve), width, std::move(redraw)});
}

std::vector<double> SliceSampler::moved(double value, Direction const& direction) const {
  if (direction.curve) return direction.curve(at_, value);
  std::vector<double> x = at_;
  std::size_t const first = direction.coordinates.front();
  double const step = value - at_[first];
  for (std::size_t const i : direction.coordinates) x[i] += step;
  x[first] = value;
  return x;
}

double SliceSampler::log_density(double value, Direction const& direction) const {
  double const log_density = density_(moved(value, direction), direction.changed);
  return std::isnan(log_density) ? -std::numeric_limits<double>::infinity() : log_density;
}

void SliceSampler::move(Direction const& direction) {
  bool const curved = static_cast<bool>(direction.curve);
  double const here = curved ? 0 : at_[direction.coordinates.front()];
  double const width = curved ? direction.width : widths_[direction.coordinates.front()];
  double const level = log_density(here, direction) + std::log(stream_.uniform());
  double low = here - width * stream_.uniform();
  double high = low + width;
  int steps = most_steps;
  while (steps > 0 && log_density(low, direction) > level) low -= width, --steps;
  while (steps > 0 && log_density(high, direction) > level) high += width, --steps;
  for (int shrink = 0; shrink < most_shrinks; ++shrink) {
    double const next = low + (high - low) * stream_.uniform();
    if (log_density(next, direction) >= level) {
      at_ = moved(next, direction);
      return;
    }
    (next < here ? low : high) = next;
  }
}

void SliceSampler::sweep() {
  for (auto const& direction : directions_) {
    move(direction);
    if (direction.redraw) direction.redraw(at_, stream_);
  }
}

void SliceSampler::sweep(std::size_t times) {
  for (std::size_t i = 0; i < times; ++i) sweep();
}

std::vector<std::vector<double>> SliceSampler::draws(std::size_t count, std::size_t thin) {
  sweep(std::max<std::size_t>(50, count * thin / 10));
  std::vector<std::vector<double>> draws;
  draws.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    sweep(thin);
    draws.push_back(at_);
  }
  return draws;
}

namespace {

/// Over the logarithm of the spread by the midpoint rule, over the centre in closed form.
struct SpreadSteps {
  double step = 0;
  std::vector<double> log_spreads, logs;  // ln of the density with each
};

SpreadSteps spread_steps(std::vector<double> const& values, CommonPrior const& prior) {
  constexpr int parts = 100;
  double const n = static_cast<double>(values.size()), centre = mean(values);
  double squares = 0;
  for (double const each : values) squares += square(each - centre);
  SpreadSteps all;
  all.step = (std::log(5 * prior.spread) - CommonPrior::log_smallest) / parts;
  for (int i = 0; i < parts; ++i) {
    double const log_spread = CommonPrior::log_smallest + (i + 0.5) * all.step;
    double const variance = std::exp(2 * log_spread);
    double const of_centre = square(prior.sd) + variance / n;
    all.log_spreads.push_back(log_spread);
    all.logs.push_back(-(n * std::log(2 * M_PI) + std::log(of_centre * n)) / 2 -
                       square(centre - prior.mean) / of_centre / 2 - (n - 1) * log_spread -
                       squares / variance / 2 + log_spread - variance / square(prior.spread) / 2 -
                       std::log(prior.spread) + std::log(2 / M_PI) / 2);
  }
  return all;
}

}  // namespace

double log_integrated(std::vector<double> const& values, CommonPrior const& prior) {
  SpreadSteps const all = spread_steps(values, prior);
  return log_mean_exp(all.logs) + std::log(static_cast<double>(all.logs.size()) * all.step);
}

CommonDraw draw_common(std::vector<double> const& values, CommonPrior const& prior,
                       RandomStream& stream) {
  SpreadSteps const all = spread_steps(values, prior);
  double const log_mean = log_mean_exp(all.logs);
  double left = stream.uniform() * static_cast<double>(all.logs.size());
  std::size_t i = 0;
  while (i + 1 < all.logs.size() && (left -= std::exp(all.logs[i] - log_mean)) > 0) ++i;
  CommonDraw drawn;
  drawn.log_spread = all.log_spreads[i] + (stream.uniform() - 0.5) * all.step;
  double const of_mean = std::exp(2 * drawn.log_spread) / static_cast<double>(values.size());
  double const own = square(prior.sd) / (square(prior.sd) + of_mean);
  drawn.centre = prior.mean + own * (mean(values) - prior.mean) +
                 std::sqrt(own * of_mean) * normal_quantile(stream.uniform());
  return drawn;
}

double log_mean_exp(std::vector<double> const& logs) {
  double const most = *std::max_element(logs.begin(), logs.end());
  if (!std::isfinite(most)) return most;
  double sum = 0;
  for (double const one : logs) sum += std::exp(one - most);
  return most + std::log(sum / static_cast<double>(logs.size()));
}

double variance_of_log_mean(std::vector<double> const& logs) {
  constexpr double most = 600;  // of what exp() holds
  auto const n = static_cast<double>(logs.size());
  double const middle = median(logs);
  double upper = 0;
  for (double const log : logs) upper += square(std::max(0.0, log - middle)) * 2 / n;
  return std::max(0.0, upper - most) + std::log1p(std::expm1(std::min(upper, most)) / n);
}

double variance_by_batches(std::vector<double> const& logs) {
  constexpr std::size_t batches = 10;
  double const log_mean = log_mean_exp(logs);
  std::vector<double> means;
  for (std::size_t k = 0; k < batches; ++k) {
    auto const at = [&](std::size_t i) {
      return logs.begin() + static_cast<std::ptrdiff_t>(i * logs.size() / batches);
    };
    std::vector<double> const batch(at(k), at(k + 1));
    if (!batch.empty()) means.push_back(std::exp(log_mean_exp(batch) - log_mean));
  }
  return variance(means) / static_cast<double>(means.size());
}

double log_beta(double a, double b) { return std::lgamma(a) + std::lgamma(b) - std::lgamma(a + b); }

double arcsine_quantile(double u) {
  double const sine = std::sin(std::numbers::pi / 2 * u);
  return sine * sine;
}

double log_normal_cdf(double z) {
  if (z > -30) return std::log(normal_cdf(z));
  return -z * z / 2 - std::log(-z) - 0.9189385332046727;  // Mills' ratio
}

double log_rounded(LogNormal const& x, double shift, double d, double tick) {
  double const k = d - shift;
  double const p =
      (expected_rest(x, k + tick) - 2 * expected_rest(x, k) + expected_rest(x, k - tick)) / tick;
  return std::log(std::max(p, least_probability));
}

double log_rounded(Distribution const& x, double known, double d, double tick) {
  double const k = d - known;
  double const p = mean_cdf(x, k, k + tick) - mean_cdf(x, k - tick, k);
  return std::log(std::max(p, least_probability));
}

double log_longer(LogNormal const& x, double shift, double c) {
  if (c <= shift) return 0;
  return log_normal_cdf((x.mu - std::log(c - shift)) / x.sigma);
}

void LogNormalSum::add(LogNormal const& term) {
  double const square = term.sigma * term.sigma;
  double const mean = std::exp(term.mu + square / 2);
  mean_ += mean;
  variance_ += mean * mean * std::expm1(square);
}

LogNormal LogNormalSum::total() const {
  double const square = std::log1p(variance_ / (mean_ * mean_));
  return {std::log(mean_) - square / 2, std::sqrt(square)};
}

namespace {

constexpr double degrees = 5;

/// A multivariate Student t.
class StudentT {
 public:
  StudentT(Eigen::VectorXd center, Eigen::MatrixXd const& covariance)
      : center_(std::move(center)), root_(covariance.llt().matrixL()) {
    auto const d = static_cast<double>(center_.size());
    log_scale_ = boost::math::lgamma((degrees + d) / 2) - boost::math::lgamma(degrees / 2) -
                 d / 2 * std::log(degrees * M_PI);
    for (Eigen::Index i = 0; i < center_.size(); ++i) log_scale_ -= std::log(root_(i, i));
  }

  std::vector<double> draw(RandomStream& stream) const {
    Eigen::VectorXd z(center_.size());
    for (Eigen::Index i = 0; i < z.size(); ++i) z(i) = normal_quantile(stream.uniform());
    double const chi2 = gamma_quantile(stream.uniform(), degrees / 2, 2);
    Eigen::VectorXd const x = center_ + root_ * z * std::sqrt(degrees / chi2);
    return {x.data(), x.data() + x.size()};
  }

  double log_density(std::vector<double> const& at) const {
    Eigen::VectorXd const x =
        Eigen::Map<Eigen::VectorXd const>(at.data(), static_cast<Eigen::Index>(at.size())) -
        center_;
    Eigen::VectorXd const z = root_.triangularView<Eigen::Lower>().solve(x);
    auto const d = static_cast<double>(at.size());
    return log_scale_ - (degrees + d) / 2 * std::log1p(z.squaredNorm() / degrees);
  }

 private:
  Eigen::VectorXd center_;
  Eigen::MatrixXd root_;
  double log_scale_ = 0;
};

StudentT around(ImportanceProposal const& proposal) {
  auto const d = static_cast<Eigen::Index>(proposal.center.size());
  Eigen::VectorXd const center = Eigen::Map<Eigen::VectorXd const>(proposal.center.data(), d);
  Eigen::MatrixXd covariance = Eigen::MatrixXd::Zero(d, d);
  for (auto const& draw : proposal.draws) {
    Eigen::VectorXd const x = Eigen::Map<Eigen::VectorXd const>(draw.data(), d) - center;
    covariance += x * x.transpose() / static_cast<double>(proposal.draws.size());
  }
  for (Eigen::Index i = 0; i < d; ++i) {
    auto const own = static_cast<std::size_t>(i);
    if (proposal.draws.empty()) covariance(i, i) = proposal.sd[own] * proposal.sd[own];
    covariance(i, i) = covariance(i, i) * 1.2 + 1e-4;
  }
  return {center, covariance};
}

// The next round is around the weighted draws; where few weights rule, around a power of them.
ImportanceProposal next_round(ImportanceDraws const& draws, RandomStream& stream) {
  ImportanceDraws tempered = draws;
  double power = 1;
  double const enough = 8.0 * static_cast<double>(draws.at.front().size());
  auto const effective = [&] {
    double sum = 0, squares = 0;
    for (double const w : tempered.weights) sum += w, squares += w * w;
    return sum * sum / squares;
  };
  while (effective() < enough && power > 0.05) {
    power *= 0.7;
    for (std::size_t i = 0; i < draws.weights.size(); ++i) {
      tempered.weights[i] = std::pow(draws.weights[i], power);
    }
  }
  double const sum = std::accumulate(tempered.weights.begin(), tempered.weights.end(), 0.0);
  for (double& w : tempered.weights) w /= sum;
  ImportanceProposal next;
  next.center.assign(draws.at.front().size(), 0.0);
  for (std::size_t i = 0; i < draws.at.size(); ++i) {
    for (std::size_t k = 0; k < next.center.size(); ++k) {
      next.center[k] += tempered.weights[i] * draws.at[i][k];
    }
  }
  for (std::size_t const i : tempered.resampled(draws.at.size(), stream)) {
    next.draws.push_back(draws.at[i]);
  }
  return next;
}

}  // namespace

std::vector<std::size_t> ImportanceDraws::resampled(std::size_t n, RandomStream& stream) const {
  std::vector<std::size_t> chosen;
  double const step = 1.0 / static_cast<double>(n);
  double u = stream.uniform() * step, sum = weights.empty() ? 1 : weights[0];
  std::size_t i = 0;
  for (std::size_t k = 0; k < n; ++k, u += step) {
    while (sum < u && i + 1 < weights.size()) sum += weights[++i];
    chosen.push_back(i);
  }
  return chosen;
}

ImportanceDraws importance_sample(LogTarget const& target, ImportanceProposal const& proposal,
                                  std::size_t count, RandomStream& stream) {
  StudentT const from = around(proposal);
  ImportanceDraws draws;
  double largest = -HUGE_VAL;
  for (std::size_t i = 0; i < count; ++i) {
    draws.at.push_back(from.draw(stream));
    double const f = target(draws.at.back());
    draws.weights.push_back(std::isfinite(f) ? f - from.log_density(draws.at.back()) : -HUGE_VAL);
    largest = std::max(largest, draws.weights.back());
  }
  double sum = 0, squares = 0;
  for (double& w : draws.weights) {
    w = std::isfinite(largest) ? std::exp(w - largest) : 1;
    sum += w;
    squares += w * w;
  }
  for (double& w : draws.weights) w /= sum;
  draws.log_evidence = largest + std::log(sum / static_cast<double>(count));
  draws.effective = sum * sum / squares;
  return draws;
}

ImportanceProposal adapted_proposal(LogTarget const& target, ImportanceProposal proposal,
                                    std::size_t count, RandomStream& stream) {
  constexpr int rounds = 4;
  for (int round = 0; round < rounds; ++round) {
    proposal = next_round(importance_sample(target, proposal, count, stream), stream);
  }
  return proposal;
}

std::vector<AveragedProbability> averaged_probabilities(std::vector<UnsureEvidence> const& models,
                                                        std::vector<double> const& error_variances,
                                                        std::size_t draws, RandomStream stream) {
  std::vector<std::vector<double>> logs(models.size());
  for (std::size_t i = 0; i < draws; ++i) {
    std::vector<double> errors, drawn;
    for (double const variance : error_variances) {
      errors.push_back(std::sqrt(variance) * normal_quantile(stream.uniform()));
    }
    for (UnsureEvidence const& one : models) {
      drawn.push_back(one.log_posterior);
      for (std::size_t const error : one.errors) drawn.back() += errors[error];
    }
    double const total = log_mean_exp(drawn) + std::log(static_cast<double>(drawn.size()));
    for (std::size_t m = 0; m < models.size(); ++m) logs[m].push_back(drawn[m] - total);
  }
  std::vector<AveragedProbability> averaged;
  for (auto const& of_model : logs) {
    double const log_mean = log_mean_exp(of_model), mean = std::exp(log_mean);
    averaged.push_back({log_mean,
                        {std::min(mean, std::exp(quantile(of_model, 0.05))),
                         std::max(mean, std::exp(quantile(of_model, 0.95)))}});
  }
  return averaged;
}

namespace {

constexpr std::size_t least_of_a_kind = 4;
constexpr double narrowest = 0.2;  // of the whole spread

struct Normal {
  double weight = 1, mean = 0, sd = 1;

  double density(double y) const {
    double const z = (y - mean) / sd;
    return weight * std::exp(-z * z / 2) / (sd * std::sqrt(2 * std::numbers::pi));
  }
};

struct Mixture {
  Normal low, high;

  double log_likelihood(std::vector<double> const& y) const {
    double sum = 0;
    for (double const value : y) sum += std::log(low.density(value) + high.density(value));
    return sum;
  }
};

/// Of values that belong to a kind with the belongs.
Normal weighted(std::vector<double> const& y, std::vector<double> const& belongs, double least_sd) {
  double n = 0, sum = 0, squares = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    n += belongs[i];
    sum += belongs[i] * y[i];
  }
  double const mean = sum / n;
  for (std::size_t i = 0; i < y.size(); ++i) squares += belongs[i] * (y[i] - mean) * (y[i] - mean);
  return {n / static_cast<double>(y.size()), mean, std::max(std::sqrt(squares / n), least_sd)};
}

Mixture of_weights(std::vector<double> const& y, std::vector<double> const& high, double least_sd) {
  std::vector<double> low;
  for (double const weight : high) low.push_back(1 - weight);
  return {weighted(y, low, least_sd), weighted(y, high, least_sd)};
}

/// Weights of the upper part of sorted values, split so that the least squares are left within.
std::vector<double> best_split(std::vector<double> const& y) {
  std::vector<double> best;
  double least = 0;
  for (std::size_t first = least_of_a_kind; first + least_of_a_kind <= y.size(); ++first) {
    std::vector<double> belongs(y.size(), 0);
    std::fill(belongs.begin() + static_cast<std::ptrdiff_t>(first), belongs.end(), 1);
    Mixture const split = of_weights(y, belongs, 0);
    double const within = split.low.weight * split.low.sd * split.low.sd +
                          split.high.weight * split.high.sd * split.high.sd;
    if (!best.empty() && within >= least) continue;
    best = belongs;
    least = within;
  }
  return best;
}

/// Nothing where one kind dwindles.
std::optional<Mixture> fit_mixture(std::vector<double> const& y, double least_sd) {
  constexpr int iterations = 500;
  std::vector<double> belongs = best_split(y);
  auto const n = static_cast<double>(y.size());
  for (int i = 0; i < iterations; ++i) {
    Mixture const mixture = of_weights(y, belongs, least_sd);
    double const slower = mixture.high.weight * n;
    if (std::min(slower, n - slower) < least_of_a_kind) return std::nullopt;
    for (std::size_t k = 0; k < y.size(); ++k) {
      double const low = mixture.low.density(y[k]), high = mixture.high.density(y[k]);
      belongs[k] = high / (low + high);
    }
  }
  return of_weights(y, belongs, least_sd);
}

}  // namespace

std::optional<TwoKinds> two_kinds(std::vector<double> const& durations) {
  std::vector<double> y;
  for (double const duration : durations) y.push_back(std::log(duration));
  std::sort(y.begin(), y.end());
  if (y.size() < 2 * least_of_a_kind || y.front() == y.back()) return std::nullopt;
  Normal const one = weighted(y, std::vector<double>(y.size(), 1), 0);
  auto const mixture = fit_mixture(y, narrowest * one.sd);
  if (!mixture) return std::nullopt;
  double const of_one = Mixture{one, {0, 0, 1}}.log_likelihood(y);
  double const gain = 2 * (mixture->log_likelihood(y) - of_one);
  if (gain <= 3 * std::log(static_cast<double>(y.size()))) return std::nullopt;
  Mixture ordered = *mixture;
  if (ordered.low.mean > ordered.high.mean) std::swap(ordered.low, ordered.high);
  return TwoKinds{std::exp(ordered.low.mean), std::exp(ordered.high.mean), ordered.high.weight,
                  ordered.high.sd};
}

}  // namespace gridcast::calibration
