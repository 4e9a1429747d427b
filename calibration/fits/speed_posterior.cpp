#include "calibration/fits/speed_posterior.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "calibration/inference/slice_sampler.hpp"
#include "sim/base/statistics.hpp"

namespace gridcast::calibration {

namespace {

using Jobs = std::vector<std::vector<TimedExecution>>;

/// Coordinates: ln work, ln of the three spreads, gamma, then ln speed of each site, then the
/// deviation of each GPU model from the catalogue. For several kinds of jobs ln work and ln of the
/// spread between jobs are the first kind's, and each other kind has three more: its centre above
/// the first's, ln of its spread, and ln of its share over the first's.
enum At : std::size_t { log_work, log_job, log_execution, log_tau, scaling, first_site };
enum OfKind : std::size_t { above_first, log_spread, log_odds, coordinates_of_kind };

constexpr double sd_of_scaling = 0.15;
constexpr double sd_of_model = 0.3;
constexpr double usual_spread = 0.2, sd_of_log_spread = 1.5;  // of a kind of several

double log_normal_prior(double x, double center, double sd) {
  return -square((x - center) / sd) / 2;
}

/// Jobs that are alike once, and how many each stands for. Stamps are whole seconds: jobs that fail
/// at once are therefore few distinct ones.
struct DistinctJobs {
  Jobs jobs;
  std::vector<double> times;

  explicit DistinctJobs(Jobs const& all) {
    using Facts = std::tuple<TimedExecution::Kind, std::size_t, double, double, double>;
    std::map<std::vector<Facts>, std::size_t> index;
    for (auto const& job : all) {
      std::vector<Facts> facts;
      for (TimedExecution const& one : job) {
        facts.emplace_back(one.kind, one.site, one.log_time, one.rounding, one.log_gpus);
      }
      auto const [found, fresh] = index.try_emplace(std::move(facts), jobs.size());
      if (fresh) {
        jobs.push_back(job);
        times.push_back(0);
      }
      ++times[found->second];
    }
  }
};

/// Has for each site the jobs that were there: a move of its speed looks at those alone, and a move
/// of the scaling at those with another number of GPUs than their site's.
class Density {
 public:
  Density(SpeedEvidence const& evidence, std::size_t models, SpeedParameters const& start)
      : distinct_(evidence.jobs),
        priors_(evidence.priors),
        crash_power_(evidence.crash_power),
        first_kind_(first_site + priors_.size() + models),
        more_kinds_(start.kinds.empty() ? 0 : start.kinds.size() - 1),
        range_(start.kinds.empty() ? 0 : 4 * kinds_sd(start.kinds)),
        log_gpus_(relative_log_gpus(priors_)),
        at_site_(priors_.size()),
        of_model_(models) {
    for (std::size_t s = 0; s < priors_.size(); ++s) of_model_[priors_[s].model].push_back(s);
    near_.log_speeds.resize(priors_.size());
    near_.crash_power = crash_power_;
    for (std::size_t j = 0; j < distinct_.jobs.size(); ++j) {
      for (TimedExecution const& one : distinct_.jobs[j]) {
        note(j, at_site_[one.site]);
        if (one.log_gpus != 0) note(j, scaled_);
      }
    }
  }

  std::size_t dimensions() const { return first_kind_ + more_kinds_ * coordinates_of_kind; }

  double operator()(std::vector<double> const& x, std::size_t changed) {
    std::size_t const first_model = first_site + priors_.size();
    if (changed >= first_site && changed < first_model) return of_site(x, changed - first_site);
    if (changed >= first_model && changed < first_kind_) return of_model(x, changed - first_model);
    double sum = 0;
    for (std::size_t i : {log_job, log_execution, log_tau}) {
      if (x[i] < -9) return -HUGE_VAL;
      if (i == log_job && more_kinds_ > 0) continue;
      double const width = i == log_job ? 1 : i == log_execution ? 0.1 : 0.5;
      sum += x[i] - square(std::exp(x[i]) / width) / 2;
    }
    if (x[scaling] < 0) return -HUGE_VAL;
    sum -= square((x[scaling] - usual_gpu_scaling) / sd_of_scaling) / 2;
    sum += log_prior_of_sites(x);
    if (changed == log_tau) return sum;
    SpeedParameters const at = parameters(x);
    if (more_kinds_ > 0) sum += log_prior_of_kinds(x, at.kinds);
    if (changed == scaling) {
      for (std::size_t j : scaled_) sum += log_likelihood_of(j, at);
    } else {
      for (std::size_t j = 0; j < distinct_.jobs.size(); ++j) sum += log_likelihood_of(j, at);
    }
    return sum;
  }

  SpeedParameters parameters(std::vector<double> const& x) const {
    auto const sites = x.begin() + first_site;
    auto const end = sites + static_cast<std::ptrdiff_t>(priors_.size());
    return {x[log_work],  std::exp(x[log_job]), std::exp(x[log_execution]),
            {sites, end}, x[scaling],           crash_power_,
            kinds(x)};
  }

  /// Around which the sites' speeds lie.
  double center(std::vector<double> const& x, std::size_t s) const {
    std::size_t const first_model = first_site + priors_.size();
    return priors_[s].log_speed + x[scaling] * log_gpus_[s] + x[first_model + priors_[s].model];
  }

  /// The coordinates of that point.
  std::vector<double> point(SpeedParameters const& at) const {
    std::vector<double> x(dimensions(), 0.0);
    x[log_work] = at.log_work;
    x[log_job] = std::log(at.job_sigma);
    x[log_execution] = std::log(at.execution_sigma);
    x[log_tau] = -1;
    x[scaling] = at.gpu_scaling;
    std::copy(at.log_speeds.begin(), at.log_speeds.end(), x.begin() + first_site);
    if (at.kinds.empty()) return x;
    JobKind const& first = at.kinds.front();
    x[log_work] = first.center;
    x[log_job] = std::log(first.sigma);
    for (std::size_t k = 0; k < more_kinds_; ++k) {
      JobKind const& kind = at.kinds[k + 1];
      double* const of = &x[first_kind_ + k * coordinates_of_kind];
      of[above_first] = kind.center - first.center;
      of[log_spread] = std::log(kind.sigma);
      of[log_odds] = std::log(kind.share / first.share);
    }
    return x;
  }

 private:
  double log_likelihood_of(std::size_t job, SpeedParameters const& at) const {
    return distinct_.times[job] * log_likelihood(distinct_.jobs[job], at);
  }

  /// The terms of one site's speed: of 1,000 sites each move looks at one.
  double of_site(std::vector<double> const& x, std::size_t site) {
    near_.log_work = x[log_work];
    near_.job_sigma = std::exp(x[log_job]);
    near_.execution_sigma = std::exp(x[log_execution]);
    near_.gpu_scaling = x[scaling];
    near_.kinds = kinds(x);
    double sum = log_prior_of_site(x, site);
    for (std::size_t const j : at_site_[site]) {
      for (TimedExecution const& one : distinct_.jobs[j]) {
        near_.log_speeds[one.site] = x[first_site + one.site];
      }
      sum += log_likelihood_of(j, near_);
    }
    return sum;
  }

  double of_model(std::vector<double> const& x, std::size_t model) const {
    double sum = -square(x[first_site + priors_.size() + model] / sd_of_model) / 2;
    for (std::size_t const s : of_model_[model]) sum += log_prior_of_site(x, s);
    return sum;
  }

  static void note(std::size_t job, std::vector<std::size_t>& list) {
    if (list.empty() || list.back() != job) list.push_back(job);
  }

  std::vector<JobKind> kinds(std::vector<double> const& x) const {
    if (more_kinds_ == 0) return {};
    std::vector<JobKind> kinds = {{1, x[log_work], std::exp(x[log_job])}};
    double total = 1;
    for (std::size_t k = 0; k < more_kinds_; ++k) {
      double const* const of = &x[first_kind_ + k * coordinates_of_kind];
      kinds.push_back(
          {std::exp(of[log_odds]), x[log_work] + of[above_first], std::exp(of[log_spread])});
      total += kinds.back().share;
    }
    for (JobKind& kind : kinds) kind.share /= total;
    return kinds;
  }

  double log_prior_of_sites(std::vector<double> const& x) const {
    std::size_t const first_model = first_site + priors_.size();
    double sum = 0;
    for (std::size_t m = first_model; m < first_kind_; ++m) sum -= square(x[m] / sd_of_model) / 2;
    for (std::size_t s = 0; s < priors_.size(); ++s) sum += log_prior_of_site(x, s);
    return sum;
  }

  double log_prior_of_site(std::vector<double> const& x, std::size_t s) const {
    double const tau = std::exp(x[log_tau]);
    return -(square((x[first_site + s] - center(x, s)) / tau) / 2 + x[log_tau]);
  }

  /// Flat in the shares, of whose odds' logarithms the Jacobian is their product.
  double log_prior_of_kinds(std::vector<double> const& x, std::vector<JobKind> const& kinds) const {
    double sum = log_normal_prior(x[log_job], std::log(usual_spread), sd_of_log_spread);
    for (JobKind const& kind : kinds) sum += std::log(kind.share);
    for (std::size_t k = 0; k < more_kinds_; ++k) {
      double const* const of = &x[first_kind_ + k * coordinates_of_kind];
      sum += log_normal_prior(of[above_first], 0, range_) +
             log_normal_prior(of[log_spread], std::log(usual_spread), sd_of_log_spread);
    }
    return sum;
  }

  DistinctJobs distinct_;
  std::vector<SpeedPrior> const& priors_;
  double crash_power_;
  std::size_t first_kind_, more_kinds_;
  double range_;
  std::vector<double> log_gpus_;
  std::vector<std::vector<std::size_t>> at_site_, of_model_;
  std::vector<std::size_t> scaled_;
  SpeedParameters near_;  // as of_site() needs them
};

std::size_t models_of(std::vector<SpeedPrior> const& priors) {
  std::size_t models = 1;
  for (SpeedPrior const& prior : priors) models = std::max(models, prior.model + 1);
  return models;
}

}  // namespace

std::vector<double> relative_log_gpus(std::vector<SpeedPrior> const& priors) {
  std::vector<double> logs;
  for (SpeedPrior const& prior : priors) logs.push_back(std::log(std::max(1, prior.gpus)));
  double const center = logs.empty() ? 0 : mean(logs);
  for (double& log : logs) log -= center;
  return logs;
}

double log_likelihood(SpeedEvidence const& evidence, SpeedParameters const& at) {
  double sum = 0;
  for (auto const& job : evidence.jobs) sum += log_likelihood(job, at);
  return sum;
}

std::vector<SpeedDraw> draw_speeds(SpeedEvidence const& evidence, SpeedParameters const& start,
                                   std::size_t draws, RandomStream const& stream) {
  Density density(evidence, models_of(evidence.priors), start);
  std::vector<double> widths(density.dimensions(), 0.2);
  widths[log_job] = widths[log_tau] = 0.5;
  widths[log_execution] = 1.5;
  SliceSampler sampler([&](auto const& x, std::size_t changed) { return density(x, changed); },
                       density.point(start), widths, stream);
  if (start.kinds.size() > 1) {
    // Narrow kinds hold works and speeds in place against each other, not both together.
    std::vector<std::size_t> together = {log_work};
    for (std::size_t s = 0; s < evidence.priors.size(); ++s) together.push_back(first_site + s);
    sampler.move_together(std::move(together), log_tau);
  }
  // A sweep over several kinds costs several times as much.
  std::size_t const thin = start.kinds.size() > 1 ? 2 : 4;
  std::vector<SpeedDraw> drawn;
  for (auto const& x : sampler.draws(draws, thin)) {
    SpeedDraw draw{density.parameters(x), std::exp(x[log_tau]), {}};
    for (std::size_t s = 0; s < evidence.priors.size(); ++s) {
      draw.log_centers.push_back(density.center(x, s));
    }
    drawn.push_back(std::move(draw));
  }
  return drawn;
}

double expected_log_time(TimedExecution const& one, double log_work, SpeedParameters const& at) {
  return log_work - at.log_speeds[one.site] - at.gpu_scaling * one.log_gpus;
}

TimedExecution const* informative_execution(std::vector<TimedExecution> const& job,
                                            SpeedParameters const& at) {
  auto const computed = [&](TimedExecution const& one) {
    return one.log_time - expected_log_time(one, 0, at);
  };
  TimedExecution const* longest = nullptr;
  for (TimedExecution const& one : job) {
    if (one.kind == TimedExecution::Kind::observed) return &one;
    if (one.kind == TimedExecution::Kind::crash) continue;
    if (longest == nullptr || computed(one) > computed(*longest)) longest = &one;
  }
  return longest;
}

std::vector<Sample> standardised_times(std::vector<std::vector<TimedExecution>> const& jobs,
                                       SpeedParameters const& at) {
  std::vector<Sample> standardised(at.log_speeds.size());
  for (auto const& job : jobs) {
    auto const* const one = informative_execution(job, at);
    if (one == nullptr) continue;
    double const sd = std::sqrt(square(at.job_sigma) + square(at.execution_sigma) + one->rounding);
    standardised[one->site].push_back(
        {(one->log_time - expected_log_time(*one, at.log_work, at)) / sd,
         one->kind != TimedExecution::Kind::observed});
  }
  return standardised;
}

double distance_of_kinds(std::vector<std::vector<TimedExecution>> const& jobs,
                         SpeedParameters const& at) {
  Sample shares;
  for (auto const& job : jobs) {
    auto const* const one = informative_execution(job, at);
    if (one == nullptr) continue;
    double share = 0;
    for (JobKind const& kind : at.kinds) {
      double const sd = std::sqrt(square(kind.sigma) + square(at.execution_sigma) + one->rounding);
      share +=
          kind.share * normal_cdf((one->log_time - expected_log_time(*one, kind.center, at)) / sd);
    }
    shares.push_back({share, one->kind != TimedExecution::Kind::observed});
  }
  return kaplan_meier_distance(shares, [](double share) { return share; });
}

}  // namespace gridcast::calibration
