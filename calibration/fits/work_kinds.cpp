#include "calibration/fits/work_kinds.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include "calibration/inference/special_functions.hpp"
#include "sim/base/statistics.hpp"

namespace gridcast::calibration {

namespace {

constexpr double narrowest_kind = 0.03;  // sd of ln(work)
constexpr double least_jobs = 4;         // that finished, of a kind
constexpr double very_strong = 10;       // difference of BIC

double log_normal_density(double z) { return -z * z / 2 - std::log(2 * std::numbers::pi) / 2; }

/// The expectation of ln(work) of one job, if it is of the kind.
struct Moments {
  double log_likelihood = 0, mean = 0, variance = 0;
};

Moments moments(JobTime const& job, double log_speed, JobKind const& kind) {
  double const at = job.log_time + log_speed, own = square(kind.sigma);
  if (!job.longer) {
    double const total = own + job.rounding, off = at - kind.center, gain = own / total;
    return {log_normal_density(off / std::sqrt(total)) - std::log(total) / 2,
            kind.center + gain * off, own * (1 - gain)};
  }
  // A normal variable above a bound (Cohen 1959).
  double const z = (at - kind.center) / kind.sigma, log_above = log_normal_cdf(-z);
  double const hazard = std::exp(log_normal_density(z) - log_above);
  return {log_above, kind.center + kind.sigma * hazard,
          std::max(0.0, own * (1 + z * hazard - hazard * hazard))};
}

/// One step of the algorithm: kinds and speeds anew, from the last ones' expectation of each job.
class Expectation {
 public:
  Expectation(std::vector<JobTime> const& jobs, KindsFit const& last)
      : jobs_(jobs), last_(last), belongs_(jobs.size(), std::vector<double>(last.kinds.size())) {
    for (std::size_t j = 0; j < jobs.size(); ++j) weigh(j);
  }

  double log_likelihood() const { return log_likelihood_; }

  KindsFit maximised(KindsPrior const& prior) const {
    KindsFit next = last_;
    for (std::size_t k = 0; k < next.kinds.size(); ++k) next.kinds[k] = kind(k);
    next.log_speeds = speeds(next.kinds, prior);
    // Works and speeds show only against each other; the prior of speeds determines the level of
    // both.
    double shift = 0;
    for (std::size_t s = 0; s < prior.log_speeds.size(); ++s) {
      shift +=
          (prior.log_speeds[s] - next.log_speeds[s]) / static_cast<double>(prior.log_speeds.size());
    }
    for (double& log_speed : next.log_speeds) log_speed += shift;
    for (JobKind& kind : next.kinds) kind.center += shift;
    return next;
  }

  /// Finished jobs of the kind.
  double finished(std::size_t k) const {
    double sum = 0;
    for (std::size_t j = 0; j < jobs_.size(); ++j) sum += jobs_[j].longer ? 0 : belongs_[j][k];
    return sum;
  }

  std::vector<std::vector<double>> const& belongs() const { return belongs_; }

 private:
  void weigh(std::size_t j) {
    std::vector<double>& of = belongs_[j];
    double most = -HUGE_VAL, sum = 0;
    for (std::size_t k = 0; k < of.size(); ++k) {
      JobKind const& kind = last_.kinds[k];
      of[k] = std::log(kind.share) +
              moments(jobs_[j], last_.log_speeds[jobs_[j].site], kind).log_likelihood;
      most = std::max(most, of[k]);
    }
    for (double& weight : of) sum += weight = std::exp(weight - most);
    for (double& weight : of) weight /= sum;
    log_likelihood_ += most + std::log(sum);
  }

  JobKind kind(std::size_t k) const {
    double n = 0, sum = 0, squares = 0;
    std::vector<Moments> all;
    for (std::size_t j = 0; j < jobs_.size(); ++j) {
      all.push_back(moments(jobs_[j], last_.log_speeds[jobs_[j].site], last_.kinds[k]));
      n += belongs_[j][k];
      sum += belongs_[j][k] * all.back().mean;
    }
    double const center = sum / n;
    for (std::size_t j = 0; j < jobs_.size(); ++j) {
      squares += belongs_[j][k] * (square(all[j].mean - center) + all[j].variance);
    }
    return {n / static_cast<double>(jobs_.size()), center,
            std::max(narrowest_kind, std::sqrt(squares / n))};
  }

  std::vector<double> speeds(std::vector<JobKind> const& kinds, KindsPrior const& prior) const {
    double const of_prior = 1 / square(prior.tau);
    std::vector<double> weights(prior.log_speeds.size(), of_prior), sums;
    for (double const center : prior.log_speeds) sums.push_back(of_prior * center);
    for (std::size_t j = 0; j < jobs_.size(); ++j) {
      std::size_t const s = jobs_[j].site;
      for (std::size_t k = 0; k < kinds.size(); ++k) {
        // The expected time of an execution that was cut short.
        double const time =
            jobs_[j].longer
                ? moments(jobs_[j], last_.log_speeds[s], last_.kinds[k]).mean - last_.log_speeds[s]
                : jobs_[j].log_time;
        double const noise = jobs_[j].longer ? 0 : jobs_[j].rounding;
        double const weight = belongs_[j][k] / (square(kinds[k].sigma) + noise);
        weights[s] += weight;
        sums[s] += weight * (kinds[k].center - time);
      }
    }
    for (std::size_t s = 0; s < sums.size(); ++s) sums[s] /= weights[s];
    return sums;
  }

  std::vector<JobTime> const& jobs_;
  KindsFit const& last_;
  std::vector<std::vector<double>> belongs_;
  double log_likelihood_ = 0;
};

struct Climbed {
  KindsFit fit;
  double log_likelihood = 0;
};

/// To where the likelihood stands still. Nothing where a kind dwindles.
std::optional<Climbed> climb(std::vector<JobTime> const& jobs, KindsPrior const& prior,
                             KindsFit fit) {
  constexpr int most_steps = 300;
  constexpr double still = 1e-4;
  double last = -HUGE_VAL;
  for (int i = 0; i < most_steps; ++i) {
    Expectation const step(jobs, fit);
    for (std::size_t k = 0; k < fit.kinds.size(); ++k) {
      if (fit.kinds.size() > 1 && step.finished(k) < least_jobs) return std::nullopt;
    }
    if (step.log_likelihood() - last < still) return Climbed{fit, step.log_likelihood()};
    last = step.log_likelihood();
    fit = step.maximised(prior);
  }
  return Climbed{fit, last};
}

/// Two kinds in place of one, on either side of where ln(work) of its finished jobs is best cut in
/// two.
std::optional<std::pair<JobKind, JobKind>> cut(std::vector<JobTime> const& jobs,
                                               KindsFit const& fit, std::size_t k) {
  Expectation const now(jobs, fit);
  std::vector<std::pair<double, double>> works;  // with its part in this kind
  double n = 0, sum = 0;
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    if (jobs[j].longer) continue;
    works.emplace_back(jobs[j].log_time + fit.log_speeds[jobs[j].site], now.belongs()[j][k]);
    n += works.back().second;
    sum += works.back().first * works.back().second;
  }
  std::sort(works.begin(), works.end());
  double below = 0, sum_below = 0, most = 0;
  std::optional<std::pair<JobKind, JobKind>> best;
  for (auto const& [work, weight] : works) {
    below += weight;
    sum_below += weight * work;
    double const above = n - below;
    if (below < least_jobs) continue;
    if (above < least_jobs) break;
    double const low = sum_below / below, high = (sum - sum_below) / above;
    double const between = below * above * square(high - low);
    if (between <= most) continue;
    most = between;
    // The variance between the two is subtracted from that within.
    double const left = square(fit.kinds[k].sigma) - between / square(n);
    double const sigma = std::max(narrowest_kind, std::sqrt(std::max(0.0, left)));
    double const share = fit.kinds[k].share;
    best = {{share * below / n, low, sigma}, {share * above / n, high, sigma}};
  }
  return best;
}

/// The likeliest with one kind more.
std::optional<Climbed> with_one_more(std::vector<JobTime> const& jobs, KindsPrior const& prior,
                                     KindsFit const& fit) {
  std::optional<Climbed> best;
  auto const attempt = [&](std::size_t k, std::pair<JobKind, JobKind> const& two) {
    KindsFit start = fit;
    start.kinds[k] = two.first;
    start.kinds.push_back(two.second);
    auto climbed = climb(jobs, prior, std::move(start));
    if (climbed && (!best || climbed->log_likelihood > best->log_likelihood)) {
      best = std::move(climbed);
    }
  };
  for (std::size_t k = 0; k < fit.kinds.size(); ++k) {
    JobKind const& one = fit.kinds[k];
    if (auto const two = cut(jobs, fit, k)) attempt(k, *two);
    attempt(k, {{one.share * 0.7, one.center, std::max(narrowest_kind, one.sigma / 2)},
                {one.share * 0.3, one.center, one.sigma * 2}});
  }
  return best;
}

}  // namespace

KindsFit separate_kinds(std::vector<JobTime> const& jobs, KindsPrior const& prior,
                        std::vector<double> const& log_speeds) {
  auto const finished =
      std::count_if(jobs.begin(), jobs.end(), [](JobTime const& job) { return !job.longer; });
  std::vector<double> works;
  for (JobTime const& job : jobs) works.push_back(job.log_time + log_speeds[job.site]);
  if (works.empty()) return {{JobKind()}, log_speeds};
  KindsFit one{{{1, mean(works), std::max(narrowest_kind, standard_deviation(works))}}, log_speeds};
  if (static_cast<std::size_t>(finished) < enough_for_kinds) return one;
  double const each = 3 * std::log(static_cast<double>(jobs.size()));
  auto const bic = [&](Climbed const& found) {
    return each * static_cast<double>(found.fit.kinds.size()) - 2 * found.log_likelihood;
  };
  Climbed best = climb(jobs, prior, one).value();
  double const of_one = bic(best);
  one = best.fit;
  // One more may be no better where two more are.
  Climbed last = best;
  while (last.fit.kinds.size() < scenario::most_work_kinds) {
    auto const more = with_one_more(jobs, prior, last.fit);
    if (!more) break;
    last = *more;
    if (bic(last) < bic(best)) best = last;
  }
  if (bic(best) > of_one - very_strong) return one;
  std::sort(best.fit.kinds.begin(), best.fit.kinds.end(),
            [](JobKind const& a, JobKind const& b) { return a.center < b.center; });
  return best.fit;
}

double kinds_cdf(std::vector<JobKind> const& kinds, double log_work) {
  double sum = 0;
  for (JobKind const& kind : kinds)
    sum += kind.share * normal_cdf((log_work - kind.center) / kind.sigma);
  return sum;
}

double kinds_median(std::vector<JobKind> const& kinds) {
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (JobKind const& kind : kinds) {
    low = std::min(low, kind.center);
    high = std::max(high, kind.center);
  }
  for (int i = 0; i < 60; ++i) {
    double const middle = (low + high) / 2;
    (kinds_cdf(kinds, middle) < 0.5 ? low : high) = middle;
  }
  return (low + high) / 2;
}

double kinds_sd(std::vector<JobKind> const& kinds) {
  double center = 0, squares = 0;
  for (JobKind const& kind : kinds) center += kind.share * kind.center;
  for (JobKind const& kind : kinds) {
    squares += kind.share * (square(kind.center - center) + square(kind.sigma));
  }
  return std::sqrt(squares);
}

std::vector<scenario::WorkKind> standardised(std::vector<JobKind> kinds) {
  std::sort(kinds.begin(), kinds.end(),
            [](JobKind const& a, JobKind const& b) { return a.center < b.center; });
  double const median = kinds_median(kinds), sd = kinds_sd(kinds);
  std::vector<scenario::WorkKind> of_draw;
  for (JobKind const& kind : kinds) {
    of_draw.push_back({kind.share, (kind.center - median) / sd, kind.sigma / sd});
  }
  return of_draw;
}

}  // namespace gridcast::calibration
