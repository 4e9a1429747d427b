#include "calibration/fits/speed_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "calibration/fits/likelihood.hpp"
#include "calibration/fits/partial_pooling.hpp"
#include "sim/base/statistics.hpp"

namespace gridcast::calibration {

namespace {

constexpr double least_seconds = 0.25;  // seconds: what no stamp of a second shows, for logarithms

/// Of which job's work, on how many GPUs.
struct Units {
  double log_scale = 0, log_gpus = 0;
};

void add(std::vector<TimedExecution>& executions, AttemptRecord const& attempt, Units const& units,
         int epochs, double tick) {
  using Kind = TimedExecution::Kind;
  auto const push = [&](Kind kind, double seconds, double share) {
    double const at_least = std::max(seconds, least_seconds * tick);
    double const relative = tick / std::max(at_least, tick);
    executions.push_back({kind, attempt.site.index(), std::log(at_least / share) - units.log_scale,
                          relative * relative / 6, units.log_gpus});
  };
  double computed = 0;
  for (Seconds const& epoch : attempt.epochs) computed += epoch.value();
  double const each = 1.0 / epochs;
  double const done = static_cast<double>(attempt.epochs.size()) * each;
  double const tail = attempt.tail.value();
  bool const checkpoints = epochs > 1;
  if (attempt.unheard && checkpoints) {
    // What it did since is not known; before, its checkpoints tell.
    if (done > 0) push(Kind::observed, computed, done);
    return;
  }
  bool const finished =
      attempt.exit && !crashed(attempt) && attempt.end_kind != history::EventKind::aborted;
  if (finished) {
    double const told = attempt.epochs_told * each;
    push(Kind::observed, computed + tail, told > 0 ? told : checkpoints ? done + each : 1);
  } else if (done > 0) {
    push(Kind::observed, computed, done);
  } else if (crashed(attempt)) {
    push(Kind::crash, tail, std::max(each, 1 - attempt.epochs_before * each));
  } else if (tail > 0) {
    push(Kind::longer, tail, std::min(1.0, (attempt.epochs_told + 1) * each));
  }
}

// Of a time that is known to be longer, or that a crash cut: given the job's factor.
double open_likelihood(TimedExecution const& one, double mean, double variance, double power) {
  double const sd = std::sqrt(variance + one.rounding);
  double const z = (mean - one.log_time) / sd;
  if (one.kind == TimedExecution::Kind::longer) return normal_cdf(z);
  double const shift = power * sd;
  return std::exp(shift * shift / 2 - power * (mean - one.log_time)) * normal_cdf(z - shift);
}

using Jobs = std::vector<std::vector<TimedExecution>>;

/// Coordinates: ln work, ln of the three spreads, gamma, then ln speed of each site, then what sets
/// each GPU model apart from the catalogue.
enum At : std::size_t { log_work, log_job, log_execution, log_tau, scaling, first_site };

constexpr double sd_of_scaling = 0.15;
constexpr double sd_of_model = 0.3;

/// ln of what is expected of an execution, but for its job's factor.
double expected(TimedExecution const& one, SpeedParameters const& at) {
  return at.log_work - at.log_speeds[one.site] - at.gpu_scaling * one.log_gpus;
}

/// ln of the number of GPUs at each site, over the mean of all; one where it is not told.
std::vector<double> relative_log_gpus(std::vector<SpeedPrior> const& priors) {
  std::vector<double> logs;
  for (SpeedPrior const& prior : priors) logs.push_back(std::log(std::max(1, prior.gpus)));
  double const center = logs.empty() ? 0 : mean(logs);
  for (double& log : logs) log -= center;
  return logs;
}

/// With for each site the jobs that were there, so that a move of its speed looks at those alone; and
/// a move of the scaling at those with another number of GPUs than their site's.
class Density {
 public:
  Density(Jobs const& jobs, std::vector<SpeedPrior> const& priors, double power)
      : jobs_(jobs),
        priors_(priors),
        crash_power_(power),
        log_gpus_(relative_log_gpus(priors)),
        at_site_(priors.size()) {
    for (std::size_t j = 0; j < jobs.size(); ++j) {
      for (TimedExecution const& one : jobs[j]) {
        note(j, at_site_[one.site]);
        if (one.log_gpus != 0) note(j, scaled_);
      }
    }
  }

  double operator()(std::vector<double> const& x, std::size_t changed) const {
    double sum = 0;
    for (std::size_t i : {log_job, log_execution, log_tau}) {
      if (x[i] < -9) return -HUGE_VAL;
      double const width = i == log_job ? 1 : i == log_execution ? 0.1 : 0.5;
      sum += x[i] - square(std::exp(x[i]) / width) / 2;
    }
    if (x[scaling] < 0) return -HUGE_VAL;
    sum -= square((x[scaling] - usual_gpu_scaling) / sd_of_scaling) / 2;
    sum += log_prior_of_sites(x);
    std::size_t const first_model = first_site + priors_.size();
    if (changed == log_tau || changed >= first_model) return sum;
    SpeedParameters const at = parameters(x);
    if (changed == scaling || changed >= first_site) {
      auto const& some = changed == scaling ? scaled_ : at_site_[changed - first_site];
      for (std::size_t j : some) sum += log_likelihood(jobs_[j], at);
    } else {
      for (auto const& job : jobs_) sum += log_likelihood(job, at);
    }
    return sum;
  }

  SpeedParameters parameters(std::vector<double> const& x) const {
    auto const sites = x.begin() + first_site;
    auto const end = sites + static_cast<std::ptrdiff_t>(priors_.size());
    return {x[log_work],  std::exp(x[log_job]), std::exp(x[log_execution]),
            {sites, end}, x[scaling],           crash_power_};
  }

 private:
  static void note(std::size_t job, std::vector<std::size_t>& list) {
    if (list.empty() || list.back() != job) list.push_back(job);
  }

  double log_prior_of_sites(std::vector<double> const& x) const {
    std::size_t const first_model = first_site + priors_.size();
    double const tau = std::exp(x[log_tau]);
    double sum = 0;
    for (std::size_t m = first_model; m < x.size(); ++m) sum -= square(x[m] / sd_of_model) / 2;
    for (std::size_t s = 0; s < priors_.size(); ++s) {
      double const center =
          priors_[s].log_speed + x[scaling] * log_gpus_[s] + x[first_model + priors_[s].model];
      sum -= square((x[first_site + s] - center) / tau) / 2 + x[log_tau];
    }
    return sum;
  }

  Jobs const& jobs_;
  std::vector<SpeedPrior> const& priors_;
  double crash_power_;
  std::vector<double> log_gpus_;
  std::vector<std::vector<std::size_t>> at_site_;
  std::vector<std::size_t> scaled_;
};

/// One a site, around zero, and models numbered from zero.
std::vector<SpeedPrior> settled(std::vector<SpeedPrior> priors, std::size_t sites) {
  priors.resize(sites);
  double center = 0;
  for (SpeedPrior const& prior : priors) center += prior.log_speed / static_cast<double>(sites);
  for (SpeedPrior& prior : priors) prior.log_speed -= center;
  return priors;
}

std::size_t models_of(std::vector<SpeedPrior> const& priors) {
  std::size_t models = 1;
  for (SpeedPrior const& prior : priors) models = std::max(models, prior.model + 1);
  return models;
}

/// Observed executions with another number of GPUs than most had, here or at another site.
std::size_t with_unusual_gpus(std::vector<SpeedPrior> const& priors, Jobs const& jobs) {
  std::map<long, std::size_t> executions;
  std::size_t all = 0, most = 0;
  for (auto const& job : jobs) {
    for (TimedExecution const& one : job) {
      if (one.kind != TimedExecution::Kind::observed || priors[one.site].gpus == 0) continue;
      std::size_t& same = executions[std::lround(priors[one.site].gpus * std::exp(one.log_gpus))];
      most = std::max(most, ++same);
      ++all;
    }
  }
  return all - most;
}

void add_scaling(Fit& fit, std::vector<std::string> const& sites,
                 std::vector<SpeedPrior> const& priors, Jobs const& jobs,
                 std::vector<double> const& scalings) {
  bool const told = std::any_of(priors.begin(), priors.end(), [](auto& p) { return p.gpus > 0; });
  if (!told) return;
  std::size_t const other = with_unusual_gpus(priors, jobs);
  Estimate line{.name = "gpu_scaling",
                .unit = "1",
                .events = other,
                .method = "speed grows as the number of GPUs to this power; N(0.9, 0.15^2)",
                .origin = other > 0 ? Origin::fitted : Origin::by_default};
  add_posterior(fit, line, scalings);
  if (other == 0) {
    fit.not_identified.push_back({"gpu_scaling", "all executions had the same number of GPUs",
                                  "nearly in proportion to their number: its prior"});
  }
  for (std::size_t s = 0; s < sites.size(); ++s) {
    fit.draws.add("gpus_of_speed." + sites[s],
                  std::vector<double>(scalings.size(), priors[s].gpus));
  }
}

struct ExecutionCounts {
  std::vector<std::size_t> observed, open;
  std::size_t all_observed = 0, all_open = 0, repeats = 0;
  double mean_log = 0;
};

ExecutionCounts count_executions(Jobs const& jobs, std::size_t sites) {
  ExecutionCounts counts{std::vector<std::size_t>(sites), std::vector<std::size_t>(sites)};
  for (auto const& job : jobs) {
    std::size_t observed = 0;
    for (TimedExecution const& one : job) {
      bool const is_observed = one.kind == TimedExecution::Kind::observed;
      ++(is_observed ? counts.observed : counts.open)[one.site];
      observed += is_observed ? 1 : 0;
      counts.mean_log += one.log_time;
      ++(is_observed ? counts.all_observed : counts.all_open);
    }
    counts.repeats += observed > 1 ? observed : 0;
  }
  auto const all = counts.all_observed + counts.all_open;
  if (all > 0) counts.mean_log /= static_cast<double>(all);
  return counts;
}

// Standardised ln times of jobs' first observed executions against the normal distribution.
std::string normal_fit(Jobs const& jobs, SpeedParameters const& at) {
  std::vector<double> standardised;
  for (auto const& job : jobs) {
    for (TimedExecution const& one : job) {
      if (one.kind != TimedExecution::Kind::observed) continue;
      double const sd = std::sqrt(square(at.job_sigma) + square(at.execution_sigma) + one.rounding);
      standardised.push_back((one.log_time - expected(one, at)) / sd);
      break;
    }
  }
  return normality(standardised);
}

/// Each kth job of those whose first execution was at the site, so that what is taken does not depend
/// on how long anything took.
Jobs enough_of(Jobs const& jobs, std::size_t sites) {
  auto const site_of = [](std::vector<TimedExecution> const& job) { return job.front().site; };
  std::vector<std::size_t> begun(sites), seen(sites);
  for (auto const& job : jobs) {
    if (!job.empty()) ++begun[site_of(job)];
  }
  std::size_t const at_a_site =
      std::max<std::size_t>(1, enough_jobs / std::max<std::size_t>(1, sites));
  Jobs taken;
  for (auto const& job : jobs) {
    if (job.empty()) continue;
    std::size_t const every = (begun[site_of(job)] + at_a_site - 1) / at_a_site;
    if (seen[site_of(job)]++ % every == 0) taken.push_back(job);
  }
  return taken;
}

}  // namespace

std::vector<std::vector<TimedExecution>> executions_by_job(AttemptRecords const& records,
                                                           std::vector<SpeedPrior> const& priors) {
  std::vector<std::vector<TimedExecution>> jobs;
  Id<history::Job> job;
  for (AttemptRecord const& attempt : records.attempts) {
    if (!attempt.executing || !attempt.site.valid() || attempt.hung) continue;
    if (!attempt.times_told) continue;
    if (jobs.empty() || attempt.job != job) jobs.emplace_back();
    job = attempt.job;
    std::size_t const site = attempt.site.index();
    Units units;
    if (job.index() < records.log_scales.size()) units.log_scale = records.log_scales[job.index()];
    if (site < priors.size() && priors[site].gpus > 0 && attempt.gpus > 0) {
      units.log_gpus = std::log(static_cast<double>(attempt.gpus) / priors[site].gpus);
    }
    if (std::isnan(units.log_scale)) continue;  // of a program that nobody knows
    add(jobs.back(), attempt, units, records.epochs, records.tick);
  }
  return jobs;
}

double crash_power(Jobs const& jobs, std::size_t sites) {
  constexpr double early = 1.5;  // ln(T / t) in the mean
  using Kind = TimedExecution::Kind;
  std::vector<std::vector<double>> observed(sites);
  std::vector<double> all;
  for (auto const& job : jobs) {
    for (TimedExecution const& one : job) {
      if (one.kind != Kind::observed) continue;
      observed[one.site].push_back(one.log_time);
      all.push_back(one.log_time);
    }
  }
  if (all.empty()) return 1;
  std::vector<double> typical;
  for (auto const& times : observed) typical.push_back(median(times.empty() ? all : times));
  double crashes = 0, ahead = 0;
  for (auto const& job : jobs) {
    for (TimedExecution const& one : job) {
      if (one.kind != Kind::crash) continue;
      ++crashes;
      ahead += std::max(0.0, typical[one.site] - one.log_time);
    }
  }
  double const earlier = ahead / std::max(crashes, 1.0) / early;
  return earlier > 1 ? 1 / square(earlier) : 1;
}

double log_likelihood(std::vector<TimedExecution> const& job, SpeedParameters const& at) {
  double const own = at.execution_sigma * at.execution_sigma;
  // Normal in the factor b ~ N(0, job_sigma^2), one observed execution after the other.
  double mean = 0;
  double variance = at.job_sigma * at.job_sigma;
  double sum = 0;
  std::size_t open = 0;
  for (TimedExecution const& one : job) {
    if (one.kind != TimedExecution::Kind::observed) {
      ++open;
      continue;
    }
    double const noise = own + one.rounding;
    double const total = variance + noise;
    double const off = one.log_time - expected(one, at) - mean;
    sum -= off * off / (2 * total) + std::log(total) / 2;
    double const gain = variance / total;
    mean += gain * off;
    variance *= 1 - gain;
  }
  if (open == 0) return sum;
  double integral = 0;
  double const sd = std::sqrt(variance);
  for (std::size_t i = 0; i < normal_nodes.size(); ++i) {
    double product = normal_weights[i];
    for (TimedExecution const& one : job) {
      if (one.kind == TimedExecution::Kind::observed) continue;
      double const center = expected(one, at) + mean + sd * normal_nodes[i];
      product *= open_likelihood(one, center, own, at.crash_power);
    }
    integral += product;
  }
  return sum + std::log(std::max(integral, 1e-300));
}

Fit speed_fit(std::vector<std::string> const& sites, AttemptRecords const& records,
              std::vector<SpeedPrior> priors, std::size_t draws, RandomStreams const& streams) {
  priors = settled(std::move(priors), sites.size());
  Jobs const jobs = executions_by_job(records, priors);
  ExecutionCounts const counts = count_executions(jobs, sites.size());
  Jobs const taken = jobs.size() > enough_jobs ? enough_of(jobs, sites.size()) : jobs;
  Density const density(taken, priors, crash_power(taken, sites.size()));
  std::vector<double> start(first_site + sites.size() + models_of(priors), 0.0);
  start[scaling] = usual_gpu_scaling;
  std::vector<double> const log_gpus = relative_log_gpus(priors);
  for (std::size_t s = 0; s < sites.size(); ++s) {
    start[first_site + s] = priors[s].log_speed + usual_gpu_scaling * log_gpus[s];
  }
  start[log_work] = counts.mean_log;
  start[log_job] = -1;
  start[log_execution] = -3;
  start[log_tau] = -1;
  std::vector<double> widths(start.size(), 0.2);
  widths[log_job] = widths[log_tau] = 0.5;
  widths[log_execution] = 1.5;
  SliceSampler sampler([&](auto const& x, std::size_t changed) { return density(x, changed); },
                       start, widths, bootstrap_stream(streams, DrawsOf::speed));
  auto posterior = sampler.draws(draws, 4);

  std::vector<double> work, job_sigma, execution_sigma, scalings;
  std::vector<std::vector<double>> speeds(sites.size());
  SpeedParameters middle{0, 0, 0, std::vector<double>(sites.size()), 0};
  for (auto& row : posterior) {
    double center = 0;
    for (std::size_t s = 0; s < sites.size(); ++s) center += row[first_site + s];
    center /= static_cast<double>(std::max<std::size_t>(1, sites.size()));
    work.push_back(std::exp(row[log_work] - center));
    job_sigma.push_back(std::exp(row[log_job]));
    execution_sigma.push_back(std::exp(row[log_execution]));
    scalings.push_back(row[scaling]);
    for (std::size_t s = 0; s < sites.size(); ++s) {
      speeds[s].push_back(std::exp(row[first_site + s] - center));
    }
  }
  middle.log_work = std::log(median(work));
  middle.job_sigma = median(job_sigma);
  middle.execution_sigma = median(execution_sigma);
  middle.gpu_scaling = median(scalings);
  Fit fit;
  for (std::size_t s = 0; s < sites.size(); ++s) {
    middle.log_speeds[s] = std::log(median(speeds[s]));
    Estimate line =
        site_line("speed", sites[s], "1",
                  "work a second; mixed model of ln(execution), geometric mean of sites 1",
                  counts.observed[s]);
    line.censored = counts.open[s];
    add_posterior(fit, line, speeds[s]);
  }
  Estimate line;
  line.name = "work_s";
  line.unit = "s";
  line.method = fmt::format("median job's execution at speed 1, {} epochs", records.epochs);
  if (taken.size() < jobs.size()) {
    line.method += fmt::format("; from {} of {} jobs, evenly", taken.size(), jobs.size());
  }
  line.events = counts.all_observed;
  line.censored = counts.all_open;
  line.fit = normal_fit(jobs, middle);
  add_posterior(fit, line, work);
  line.name = "job_sigma";
  line.unit = "1";
  line.method = "sd of ln(work) between jobs; half-normal(1)";
  line.fit.clear();
  add_posterior(fit, line, job_sigma);
  line.name = "execution_sigma";
  line.method = "sd of ln(work) between executions of a job; half-normal(0.1)";
  line.events = counts.repeats;
  add_posterior(fit, line, execution_sigma);
  if (counts.repeats == 0) {
    fit.not_identified.push_back(
        {"execution_sigma", "no job computed the same twice",
         "half-normal(0.1), as far as executions that were cut short leave it"});
  }
  add_scaling(fit, sites, priors, jobs, scalings);
  return fit;
}

TypicalTimes typical_times(Fit const& speed, std::vector<std::string> const& sites) {
  double work = 1;
  TypicalTimes times{std::vector<double>(sites.size(), 1.0)};
  for (Estimate const& line : speed.estimates) {
    if (line.name == "work_s") work = line.estimate;
    if (line.name == "job_sigma" || line.name == "execution_sigma") {
      times.log_sd = std::hypot(times.log_sd, line.estimate);
    }
    for (std::size_t s = 0; s < sites.size(); ++s) {
      if (line.name == "speed." + sites[s]) times.at_site[s] = 1 / line.estimate;
    }
  }
  for (double& time : times.at_site) time *= work;
  return times;
}

}  // namespace gridcast::calibration
