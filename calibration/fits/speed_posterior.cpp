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
/// deviation of each GPU model from the catalogue.
enum At : std::size_t { log_work, log_job, log_execution, log_tau, scaling, first_site };

constexpr double sd_of_scaling = 0.15;
constexpr double sd_of_model = 0.3;

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
  Density(SpeedEvidence const& evidence, std::size_t models)
      : distinct_(evidence.jobs),
        priors_(evidence.priors),
        crash_power_(evidence.crash_power),
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

  std::size_t dimensions() const { return first_site + priors_.size() + of_model_.size(); }

  double operator()(std::vector<double> const& x, std::size_t changed) {
    std::size_t const first_model = first_site + priors_.size();
    if (changed >= first_site && changed < first_model) return of_site(x, changed - first_site);
    if (changed >= first_model) return of_model(x, changed - first_model);
    double sum = 0;
    for (std::size_t i : {log_job, log_execution, log_tau}) {
      if (x[i] < -9) return -HUGE_VAL;
      double const width = i == log_job ? 1 : i == log_execution ? 0.1 : 0.5;
      sum += x[i] - square(std::exp(x[i]) / width) / 2;
    }
    if (x[scaling] < 0) return -HUGE_VAL;
    sum -= square((x[scaling] - usual_gpu_scaling) / sd_of_scaling) / 2;
    sum += log_prior_of_sites(x);
    if (changed == log_tau) return sum;
    SpeedParameters const at = parameters(x);
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
            {sites, end}, x[scaling],           crash_power_};
  }

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

  double log_prior_of_sites(std::vector<double> const& x) const {
    std::size_t const first_model = first_site + priors_.size();
    double sum = 0;
    for (std::size_t m = first_model; m < dimensions(); ++m) sum -= square(x[m] / sd_of_model) / 2;
    for (std::size_t s = 0; s < priors_.size(); ++s) sum += log_prior_of_site(x, s);
    return sum;
  }

  double log_prior_of_site(std::vector<double> const& x, std::size_t s) const {
    double const tau = std::exp(x[log_tau]);
    return -(square((x[first_site + s] - center(x, s)) / tau) / 2 + x[log_tau]);
  }

  DistinctJobs distinct_;
  std::vector<SpeedPrior> const& priors_;
  double crash_power_;
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

std::vector<SpeedParameters> draw_speeds(SpeedEvidence const& evidence,
                                         SpeedParameters const& start, std::size_t draws,
                                         RandomStream const& stream) {
  constexpr std::size_t thin = 4;
  Density density(evidence, models_of(evidence.priors));
  std::vector<double> widths(density.dimensions(), 0.2);
  widths[log_job] = widths[log_tau] = 0.5;
  widths[log_execution] = 1.5;
  SliceSampler sampler([&](auto const& x, std::size_t changed) { return density(x, changed); },
                       density.point(start), widths, stream);
  std::vector<SpeedParameters> drawn;
  for (auto const& x : sampler.draws(draws, thin)) drawn.push_back(density.parameters(x));
  return drawn;
}

double expected_log_time(TimedExecution const& one, SpeedParameters const& at) {
  return at.log_work - at.log_speeds[one.site] - at.gpu_scaling * one.log_gpus;
}

}  // namespace gridcast::calibration
