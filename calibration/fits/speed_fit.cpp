#include "calibration/fits/speed_fit.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "calibration/inference/partial_pooling.hpp"
#include "calibration/inference/slice_sampler.hpp"
#include "calibration/inference/special_functions.hpp"
#include "sim/base/statistics.hpp"

namespace gridcast::calibration {

namespace {

constexpr double least_seconds =
    0.25;  // seconds: the part that no stamp of a second shows, for logarithms

constexpr double usual_work = 3600;  // s, where no execution came to an end
double const sd_of_usual_work = std::log(100.0) / ninety_percent;

/// Logarithms of the scale of a job's work and of its number of GPUs.
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
  auto const computed = sum_of<double>(attempt.epochs, &Seconds::value);
  double const each = 1.0 / epochs;
  double const done = static_cast<double>(attempt.epochs.size()) * each;
  double const tail = attempt.tail.value();
  bool const checkpoints = epochs > 1;
  if (attempt.unheard && checkpoints) {
    // Its progress since is not known; before, its checkpoints show it.
    if (done > 0) push(Kind::observed, computed, done);
    return;
  }
  bool const finished =
      attempt.exit && !crashed(attempt) && attempt.end_kind != history::EventKind::aborted;
  if (finished) {
    double const progress = attempt.epochs_recorded * each;
    push(Kind::observed, computed + tail, progress > 0 ? progress : checkpoints ? done + each : 1);
  } else if (done > 0) {
    push(Kind::observed, computed, done);
  } else if (crashed(attempt)) {
    push(Kind::crash, tail, std::max(each, 1 - attempt.epochs_before * each));
  } else if (tail > 0) {
    push(Kind::longer, tail, std::min(1.0, (attempt.epochs_recorded + 1) * each));
  }
}

// Likelihood of a censored time, or of one that a crash cut, given the job's factor.
double open_likelihood(TimedExecution const& one, double mean, double variance, double power) {
  double const sd = std::sqrt(variance + one.rounding);
  double const z = (mean - one.log_time) / sd;
  constexpr double certain = 8.5;  // from there on normal_cdf is 1
  if (one.kind == TimedExecution::Kind::longer) return z > certain ? 1 : normal_cdf(z);
  double const shift = power * sd;
  return std::exp(shift * shift / 2 - power * (mean - one.log_time)) * normal_cdf(z - shift);
}

using Jobs = std::vector<std::vector<TimedExecution>>;

/// One a site, around zero, and models numbered from zero.
std::vector<SpeedPrior> settled(std::vector<SpeedPrior> priors, std::size_t sites) {
  priors.resize(sites);
  double center = 0;
  for (SpeedPrior const& prior : priors) center += prior.log_speed / static_cast<double>(sites);
  for (SpeedPrior& prior : priors) prior.log_speed -= center;
  return priors;
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
  bool const known = std::ranges::any_of(priors, [](auto& p) { return p.gpus > 0; });
  if (!known) return;
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
  counts.mean_log = all > 0 ? counts.mean_log / static_cast<double>(all) : std::log(usual_work);
  return counts;
}

/// Keeps the longest executions that did not come to an end, so many of each group, and all others.
void keep_longest_open(std::vector<TimedExecution>& job, std::size_t groups, std::size_t most,
                       auto const& group_of) {
  std::vector<std::vector<double>> open(groups);
  for (TimedExecution const& one : job) {
    if (one.kind == TimedExecution::Kind::longer) open[group_of(one)].push_back(one.log_time);
  }
  // The shortest of those that stay, and how many of exactly that length do: policies end many
  // executions after the same whole seconds.
  std::vector<double> least(groups, -HUGE_VAL);
  std::vector<std::ptrdiff_t> equal_to_least(groups, 0);
  for (std::size_t group = 0; group < groups; ++group) {
    auto& times = open[group];
    if (times.size() <= most) continue;
    auto const nth = times.begin() + static_cast<std::ptrdiff_t>(most - 1);
    std::nth_element(times.begin(), nth, times.end(), std::greater<>());
    least[group] = *nth;
    equal_to_least[group] = std::count(times.begin(), nth + 1, *nth);
  }
  std::erase_if(job, [&](TimedExecution const& one) {
    auto const group = group_of(one);
    if (one.kind != TimedExecution::Kind::longer || one.log_time > least[group]) return false;
    return one.log_time < least[group] || equal_to_least[group]-- <= 0;
  });
}

/// A job that was evicted a thousand times shows little more of its length than the longest of
/// these executions do: those of each site, and of all sites.
void keep_longest_open(std::vector<TimedExecution>& job, std::size_t sites) {
  constexpr std::size_t at_a_site = 4, in_all = 8;
  keep_longest_open(job, sites, at_a_site, [](TimedExecution const& one) { return one.site; });
  keep_longest_open(job, 1, in_all, [](TimedExecution const&) { return std::size_t{0}; });
}

/// The number of jobs in which the posterior has enough evidence. An execution that did not come to
/// an end takes the time of ten others.
std::size_t enough_of_these(Jobs const& jobs) {
  std::size_t open = 0;
  for (auto const& job : jobs) {
    open += static_cast<std::size_t>(
        std::ranges::count(job, TimedExecution::Kind::longer, &TimedExecution::kind));
  }
  return open <= enough_open ? enough_jobs
                             : std::min(enough_jobs, jobs.size() * enough_open / open);
}

/// Each kth job of those whose first execution was at the site: the choice does not depend on any
/// duration.
Jobs enough_of(Jobs const& jobs, std::size_t sites, std::size_t enough) {
  auto const site_of = [](std::vector<TimedExecution> const& job) { return job.front().site; };
  std::vector<std::size_t> begun(sites), seen(sites);
  for (auto const& job : jobs) {
    if (!job.empty()) ++begun[site_of(job)];
  }
  std::size_t const at_a_site = std::max<std::size_t>(1, enough / std::max<std::size_t>(1, sites));
  Jobs taken;
  for (auto const& job : jobs) {
    if (job.empty()) continue;
    std::size_t const every = (begun[site_of(job)] + at_a_site - 1) / at_a_site;
    if (seen[site_of(job)]++ % every == 0) taken.push_back(job);
  }
  return taken;
}

/// The evidence of the posterior. `priors`: one a site, around zero, models numbered from zero.
struct SpeedEvidence {
  std::vector<std::vector<TimedExecution>> const& jobs;
  std::vector<SpeedPrior> const& priors;
  double crash_power = 1;
  bool none_ended = false;
};

/// ln of the number of GPUs at each site, over the mean of all; one where it is unknown.
std::vector<double> relative_log_gpus(std::vector<SpeedPrior> const& priors) {
  std::vector<double> logs;
  for (SpeedPrior const& prior : priors) logs.push_back(std::log(std::max(1, prior.gpus)));
  double const center = logs.empty() ? 0 : mean(logs);
  for (double& log : logs) log -= center;
  return logs;
}

/// ln of the expected time of an execution.
double expected_log_time(TimedExecution const& one, SpeedParameters const& at) {
  return at.log_work - at.log_speeds[one.site] - at.gpu_scaling * one.log_gpus;
}

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
    std::map<std::vector<TimedExecution>, std::size_t> index;
    for (auto const& job : all) {
      auto const [found, fresh] = index.try_emplace(job, jobs.size());
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
        none_ended_(evidence.none_ended),
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
    if (none_ended_) sum -= square((x[log_work] - std::log(usual_work)) / sd_of_usual_work) / 2;
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
    std::ranges::copy(at.log_speeds, x.begin() + first_site);
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
  bool none_ended_;
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

/// By slice sampling from about there: its spreads and speeds.
std::vector<SpeedParameters> draw_speeds(SpeedEvidence const& evidence,
                                         SpeedParameters const& start, std::size_t draws,
                                         RandomStream const& stream) {
  constexpr std::size_t thin = 4;
  Density density(evidence, models_of(evidence.priors));
  std::vector<double> widths(density.dimensions(), 0.2);
  widths[log_job] = widths[log_tau] = 0.5;
  widths[log_execution] = 1.5;
  if (evidence.none_ended) widths[log_work] = sd_of_usual_work;
  SliceSampler sampler([&](auto const& x, std::size_t changed) { return density(x, changed); },
                       density.point(start), widths, stream);
  return each_of(sampler.draws(draws, thin), [&](auto const& x) { return density.parameters(x); });
}

/// The draws of a posterior in the file's terms: speeds around a geometric mean of 1, works around
/// their median.
struct SpeedColumns {
  std::vector<double> work, job_sigma, execution_sigma, scalings;
  std::vector<std::vector<double>> speeds;  // by site

  SpeedColumns(std::vector<SpeedParameters> const& drawn, std::size_t sites) : speeds(sites) {
    for (SpeedParameters const& at : drawn) add(at);
  }

 private:
  void add(SpeedParameters const& at) {
    double const center = at.log_speeds.empty() ? 0 : mean(at.log_speeds);
    work.push_back(std::exp(at.log_work - center));
    job_sigma.push_back(at.job_sigma);
    execution_sigma.push_back(at.execution_sigma);
    scalings.push_back(at.gpu_scaling);
    for (std::size_t s = 0; s < speeds.size(); ++s) {
      speeds[s].push_back(std::exp(at.log_speeds[s] - center));
    }
  }
};

void add_speeds(Fit& fit, std::vector<std::string> const& sites, SpeedColumns const& columns,
                ExecutionCounts const& counts) {
  for (std::size_t s = 0; s < sites.size(); ++s) {
    Estimate line =
        site_line("speed", sites[s], "1",
                  "work a second; mixed model of ln(execution), geometric mean of sites 1",
                  counts.observed[s]);
    line.censored = counts.open[s];
    add_posterior(fit, line, columns.speeds[s]);
  }
}

void add_work(Fit& fit, SpeedColumns const& columns, ExecutionCounts const& counts,
              std::string const& method) {
  Estimate line;
  line.name = "work_s";
  line.unit = "s";
  line.method = method;
  line.events = counts.all_observed;
  line.censored = counts.all_open;
  add_posterior(fit, line, columns.work);
  if (counts.all_observed == 0) {
    fit.not_identified.push_back(
        {"work_s", "no execution came to an end",
         "1 h with a factor of 100 either way, as far as executions that were cut short leave it"});
  }
  line.name = "job_sigma";
  line.unit = "1";
  line.method = "sd of ln(work) between jobs; half-normal(1)";
  add_posterior(fit, line, columns.job_sigma);
  line.name = "execution_sigma";
  line.method = "sd of ln(work) between executions of a job; half-normal(0.1)";
  line.events = counts.repeats;
  add_posterior(fit, line, columns.execution_sigma);
  if (counts.repeats == 0) {
    fit.not_identified.push_back(
        {"execution_sigma", "no job computed the same twice",
         "half-normal(0.1), as far as executions that were cut short leave it"});
  }
}

}  // namespace

std::vector<std::vector<TimedExecution>> executions_by_job(AttemptRecords const& records,
                                                           std::vector<SpeedPrior> const& priors) {
  std::vector<std::vector<TimedExecution>> jobs;
  Id<history::Job> job;
  for (AttemptRecord const& attempt : records.attempts) {
    if (!attempt.executing || !attempt.site.valid() || attempt.hung) continue;
    if (!attempt.times_known) continue;
    if (jobs.empty() || attempt.job != job) jobs.emplace_back();
    job = attempt.job;
    std::size_t const site = attempt.site.index();
    Units units;
    if (job.index() < records.log_scales.size()) units.log_scale = records.log_scales[job.index()];
    if (site < priors.size() && priors[site].gpus > 0 && attempt.gpus > 0) {
      units.log_gpus = std::log(static_cast<double>(attempt.gpus) / priors[site].gpus);
    }
    if (std::isnan(units.log_scale)) continue;  // of an unknown program
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
  // Normal in the factor b ~ N(0, sigma^2), one observed execution after the other.
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
    double const off = one.log_time - expected_log_time(one, at) - mean;
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
      double const center = expected_log_time(one, at) + mean + sd * normal_nodes[i];
      product *= open_likelihood(one, center, own, at.crash_power);
    }
    integral += product;
  }
  return sum + std::log(std::max(integral, 1e-300));
}

Fit speed_fit(std::vector<std::string> const& sites, AttemptRecords const& records,
              std::vector<SpeedPrior> priors, std::size_t draws, RandomStreams const& streams) {
  priors = settled(std::move(priors), sites.size());
  Jobs jobs = executions_by_job(records, priors);
  ExecutionCounts const counts = count_executions(jobs, sites.size());
  for (auto& job : jobs) keep_longest_open(job, sites.size());
  std::size_t const enough = enough_of_these(jobs);
  Jobs const taken = jobs.size() > enough ? enough_of(jobs, sites.size(), enough) : jobs;
  SpeedEvidence const evidence{taken, priors, crash_power(taken, sites.size()),
                               counts.all_observed == 0};
  SpeedParameters start{counts.mean_log, std::exp(-1.0), std::exp(-3.0), {}, usual_gpu_scaling};
  std::vector<double> const log_gpus = relative_log_gpus(priors);
  for (std::size_t s = 0; s < sites.size(); ++s) {
    start.log_speeds.push_back(priors[s].log_speed + usual_gpu_scaling * log_gpus[s]);
  }
  SpeedColumns const columns(
      draw_speeds(evidence, start, draws, bootstrap_stream(streams, DrawsOf::speed)), sites.size());
  std::string method = fmt::format("median job's execution at speed 1, {} epochs", records.epochs);
  if (taken.size() < jobs.size()) {
    method += fmt::format("; from {} of {} jobs, evenly", taken.size(), jobs.size());
  }
  Fit fit;
  add_speeds(fit, sites, columns, counts);
  add_work(fit, columns, counts, method);
  add_scaling(fit, sites, priors, jobs, columns.scalings);
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
