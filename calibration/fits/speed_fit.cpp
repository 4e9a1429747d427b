#include "calibration/fits/speed_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "calibration/fits/speed_posterior.hpp"
#include "calibration/inference/normality.hpp"
#include "calibration/inference/partial_pooling.hpp"
#include "calibration/inference/special_functions.hpp"
#include "sim/base/statistics.hpp"

namespace gridcast::calibration {

namespace {

constexpr double rejected = 0.05;  // p below which a test rejects
constexpr double least_seconds =
    0.25;  // seconds: the part that no stamp of a second shows, for logarithms

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
  double computed = 0;
  for (Seconds const& epoch : attempt.epochs) computed += epoch.value();
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
  if (one.kind == TimedExecution::Kind::longer) return normal_cdf(z);
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
  bool const known = std::any_of(priors.begin(), priors.end(), [](auto& p) { return p.gpus > 0; });
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
  std::size_t all_observed = 0, all_open = 0, repeats = 0, finished_jobs = 0;
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
    counts.finished_jobs += observed > 0 ? 1 : 0;
  }
  auto const all = counts.all_observed + counts.all_open;
  if (all > 0) counts.mean_log /= static_cast<double>(all);
  return counts;
}

/// The job's first execution that came to an end.
TimedExecution const* first_observed(std::vector<TimedExecution> const& job) {
  auto const found = std::find_if(job.begin(), job.end(), [](TimedExecution const& one) {
    return one.kind == TimedExecution::Kind::observed;
  });
  return found == job.end() ? nullptr : &*found;
}

/// A job that was evicted a thousand times shows little more of its length than the longest of
/// these executions do. Keeps those of each site, and all that came to an end.
void keep_longest_open(std::vector<TimedExecution>& job, std::size_t sites) {
  constexpr std::size_t enough_open = 4;
  std::vector<std::vector<double>> open(sites);
  for (TimedExecution const& one : job) {
    if (one.kind == TimedExecution::Kind::longer) open[one.site].push_back(one.log_time);
  }
  std::vector<double> least(sites, -HUGE_VAL);
  for (std::size_t site = 0; site < sites; ++site) {
    auto& times = open[site];
    if (times.size() <= enough_open) continue;
    auto const nth = times.begin() + (enough_open - 1);
    std::nth_element(times.begin(), nth, times.end(), std::greater<>());
    least[site] = *nth;
  }
  std::erase_if(job, [&least](TimedExecution const& one) {
    return one.kind == TimedExecution::Kind::longer && one.log_time < least[one.site];
  });
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

/// Were all jobs of that kind.
double log_likelihood(std::vector<TimedExecution> const& job, SpeedParameters const& at,
                      JobKind const& kind) {
  double const own = at.execution_sigma * at.execution_sigma;
  // Normal in the factor b ~ N(0, sigma^2), one observed execution after the other.
  double mean = 0;
  double variance = kind.sigma * kind.sigma;
  double sum = 0;
  std::size_t open = 0;
  for (TimedExecution const& one : job) {
    if (one.kind != TimedExecution::Kind::observed) {
      ++open;
      continue;
    }
    double const noise = own + one.rounding;
    double const total = variance + noise;
    double const off = one.log_time - expected_log_time(one, kind.center, at) - mean;
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
      double const center = expected_log_time(one, kind.center, at) + mean + sd * normal_nodes[i];
      product *= open_likelihood(one, center, own, at.crash_power);
    }
    integral += product;
  }
  return sum + std::log(std::max(integral, 1e-300));
}

/// The draws of a posterior in the file's terms: speeds around a geometric mean of 1, works around
/// their median.
struct SpeedColumns {
  std::vector<SpeedDraw> rows;  // as they were drawn
  std::vector<double> work, job_sigma, execution_sigma, scalings;
  std::vector<std::vector<double>> speeds;             // by site
  std::vector<std::vector<scenario::WorkKind>> kinds;  // by kind, of each draw; none: one lognormal
  SpeedParameters middle = {};                         // medians

  SpeedColumns(std::vector<SpeedDraw> drawn, std::size_t sites)
      : rows(std::move(drawn)), speeds(sites) {
    kinds.resize(rows.empty() ? 0 : rows.front().at.kinds.size());
    for (SpeedDraw const& row : rows) add(row.at);
    middle.log_work = std::log(median(work));
    middle.job_sigma = median(job_sigma);
    middle.execution_sigma = median(execution_sigma);
    middle.gpu_scaling = median(scalings);
    for (auto const& of_site : speeds) middle.log_speeds.push_back(std::log(median(of_site)));
    for (auto const& of_kind : kinds) {
      middle.kinds.push_back(
          {median(values(of_kind, &scenario::WorkKind::share)),
           middle.log_work +
               middle.job_sigma * median(values(of_kind, &scenario::WorkKind::center)),
           middle.job_sigma * median(values(of_kind, &scenario::WorkKind::sigma))});
    }
  }

  static std::vector<double> values(std::vector<scenario::WorkKind> const& of_kind,
                                    double scenario::WorkKind::*member) {
    std::vector<double> all;
    for (scenario::WorkKind const& kind : of_kind) all.push_back(kind.*member);
    return all;
  }

 private:
  void add(SpeedParameters const& at) {
    double center = 0;
    for (double const log_speed : at.log_speeds) center += log_speed;
    center /= static_cast<double>(std::max<std::size_t>(1, at.log_speeds.size()));
    work.push_back(std::exp((at.kinds.empty() ? at.log_work : kinds_median(at.kinds)) - center));
    job_sigma.push_back(at.kinds.empty() ? at.job_sigma : kinds_sd(at.kinds));
    execution_sigma.push_back(at.execution_sigma);
    scalings.push_back(at.gpu_scaling);
    for (std::size_t s = 0; s < speeds.size(); ++s) {
      speeds[s].push_back(std::exp(at.log_speeds[s] - center));
    }
    if (kinds.empty()) return;
    auto const of_draw = standardised(at.kinds);
    for (std::size_t k = 0; k < kinds.size(); ++k) kinds[k].push_back(of_draw[k]);
  }
};

/// If one lognormal is rejected: several kinds of jobs, or why it stays.
class KindsSearch {
 public:
  struct Result {
    std::optional<SpeedColumns> columns = {};
    std::size_t jobs = 0;  // that it is drawn from
    std::string why_not = {};
  };

  KindsSearch(Jobs const& jobs, std::vector<SpeedPrior> const& priors)
      : jobs_(jobs), priors_(priors) {}

  Result search(SpeedColumns const& one, std::size_t draws, RandomStream const& stream) const {
    auto const finished = std::count_if(
        jobs_.begin(), jobs_.end(), [](auto const& job) { return first_observed(job) != nullptr; });
    if (static_cast<std::size_t>(finished) < enough_for_kinds) {
      return {.why_not = fmt::format("kept, with fewer than {} finished jobs", enough_for_kinds)};
    }
    KindsFit const mixture = separate_kinds(times(one), prior(one), log_speeds(one));
    std::size_t const kinds = mixture.kinds.size();
    if (kinds < 2) return {.why_not = "kept, as no mixture is much likelier"};
    Jobs const taken = at_most(enough_jobs / kinds);
    SpeedEvidence const evidence{taken, priors_, crash_power(taken, priors_.size())};
    SpeedColumns several(draw_speeds(evidence, start(mixture, one), draws, stream), priors_.size());
    auto const more = static_cast<double>(3 * (kinds - 1));
    double const gain =
        2 * (mean_likelihood(evidence, several) - mean_likelihood(evidence, one)) + more;
    bool const differ = gain < more * std::log(static_cast<double>(taken.size())) + very_strong_bic;
    if (differ && any_twice(taken)) {
      return {.why_not = "kept, as executions of one job differ as much as jobs do"};
    }
    return {.columns = std::move(several), .jobs = taken.size()};
  }

 private:
  static constexpr double very_strong_bic = 10;

  Jobs at_most(std::size_t enough) const {
    return jobs_.size() > enough ? enough_of(jobs_, priors_.size(), enough) : jobs_;
  }

  std::vector<JobTime> times(SpeedColumns const& one) const {
    std::vector<JobTime> all;
    for (auto const& job : at_most(enough_jobs / 2)) {
      auto const* const one_run = informative_execution(job, one.middle);
      if (one_run == nullptr) continue;
      all.push_back({one_run->site, one_run->log_time + one.middle.gpu_scaling * one_run->log_gpus,
                     one_run->rounding, one_run->kind != TimedExecution::Kind::observed});
    }
    return all;
  }

  std::vector<double> log_speeds(SpeedColumns const& one) const {
    std::vector<double> middle;
    for (std::size_t s = 0; s < priors_.size(); ++s) {
      std::vector<double> all;
      for (SpeedDraw const& row : one.rows) all.push_back(row.at.log_speeds[s]);
      middle.push_back(median(std::move(all)));
    }
    return middle;
  }

  KindsPrior prior(SpeedColumns const& one) const {
    KindsPrior prior;
    std::vector<double> taus;
    for (SpeedDraw const& row : one.rows) taus.push_back(row.tau);
    prior.tau = median(std::move(taus));
    for (std::size_t s = 0; s < priors_.size(); ++s) {
      std::vector<double> all;
      for (SpeedDraw const& row : one.rows) all.push_back(row.log_centers[s]);
      prior.log_speeds.push_back(median(std::move(all)));
    }
    return prior;
  }

  /// The fitted spreads contain that between executions of a job as well.
  static SpeedParameters start(KindsFit const& mixture, SpeedColumns const& one) {
    SpeedParameters start = one.middle;
    start.log_speeds = mixture.log_speeds;
    start.kinds = mixture.kinds;
    auto const narrowest =
        std::min_element(mixture.kinds.begin(), mixture.kinds.end(),
                         [](JobKind const& a, JobKind const& b) { return a.sigma < b.sigma; });
    start.execution_sigma = std::min(start.execution_sigma, narrowest->sigma / 2);
    for (JobKind& kind : start.kinds) {
      kind.sigma = std::sqrt(square(kind.sigma) - square(start.execution_sigma));
    }
    // The reference kind should move little.
    std::iter_swap(start.kinds.begin(), std::max_element(start.kinds.begin(), start.kinds.end(),
                                                         [](auto const& a, auto const& b) {
                                                           return a.share < b.share;
                                                         }));
    return start;
  }

  /// Whether any job executed twice: else executions of one job cannot differ.
  static bool any_twice(Jobs const& jobs) {
    return std::any_of(jobs.begin(), jobs.end(), [](auto const& job) { return job.size() > 1; });
  }

  /// Mean of the log likelihood over draws.
  static double mean_likelihood(SpeedEvidence const& evidence, SpeedColumns const& columns) {
    constexpr std::size_t rows = 50;
    std::size_t const every = std::max<std::size_t>(1, columns.rows.size() / rows);
    std::vector<double> logs;
    for (std::size_t i = 0; i < columns.rows.size(); i += every) {
      logs.push_back(log_likelihood(evidence, columns.rows[i].at));
    }
    return mean(logs);
  }

  Jobs const& jobs_;
  std::vector<SpeedPrior> const& priors_;
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

void add_kinds(Fit& fit, SpeedColumns const& columns, std::size_t jobs) {
  using scenario::WorkKind;
  for (std::size_t k = 0; k < columns.kinds.size(); ++k) {
    auto const add = [&](char const* of, char const* method, double WorkKind::*member) {
      Estimate line;
      line.name = fmt::format("work_kind_{}_{}", k + 1, of);
      line.unit = "1";
      line.method = method;
      line.events = static_cast<std::size_t>(
          std::lround(columns.middle.kinds[k].share * static_cast<double>(jobs)));
      add_posterior(fit, line, SpeedColumns::values(columns.kinds[k], member));
    };
    add("share", "share of the jobs; mixture of lognormals", &WorkKind::share);
    add("center", "ln(median work of these jobs / work_s), in units of job_sigma",
        &WorkKind::center);
    add("sigma", "sd of ln(work) of these jobs, in units of job_sigma", &WorkKind::sigma);
  }
}

struct FitWords {
  std::string method, fit;
};

void add_work(Fit& fit, SpeedColumns const& columns, ExecutionCounts const& counts,
              FitWords const& words) {
  Estimate line;
  line.name = "work_s";
  line.unit = "s";
  line.method = words.method;
  line.events = counts.all_observed;
  line.censored = counts.all_open;
  line.fit = words.fit;
  add_posterior(fit, line, columns.work);
  line.name = "job_sigma";
  line.unit = "1";
  line.method = columns.kinds.empty() ? "sd of ln(work) between jobs; half-normal(1)"
                                      : "sd of ln(work) between jobs, of all kinds";
  line.fit.clear();
  add_posterior(fit, line, columns.job_sigma);
  add_kinds(fit, columns, counts.finished_jobs);
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
  if (at.kinds.empty()) return log_likelihood(job, at, {1, at.log_work, at.job_sigma});
  double most = -HUGE_VAL;
  std::array<double, scenario::most_work_kinds> logs;
  for (std::size_t k = 0; k < at.kinds.size(); ++k) {
    logs[k] = std::log(at.kinds[k].share) + log_likelihood(job, at, at.kinds[k]);
    most = std::max(most, logs[k]);
  }
  double sum = 0;
  for (std::size_t k = 0; k < at.kinds.size(); ++k) sum += std::exp(logs[k] - most);
  return most + std::log(sum);
}

Fit speed_fit(std::vector<std::string> const& sites, AttemptRecords const& records,
              std::vector<SpeedPrior> priors, std::size_t draws, RandomStreams const& streams) {
  priors = settled(std::move(priors), sites.size());
  Jobs jobs = executions_by_job(records, priors);
  ExecutionCounts const counts = count_executions(jobs, sites.size());
  for (auto& job : jobs) keep_longest_open(job, sites.size());
  Jobs const taken = jobs.size() > enough_jobs ? enough_of(jobs, sites.size(), enough_jobs) : jobs;
  SpeedEvidence const evidence{taken, priors, crash_power(taken, sites.size())};
  SpeedParameters start{counts.mean_log, std::exp(-1.0), std::exp(-3.0), {}, usual_gpu_scaling};
  std::vector<double> const log_gpus = relative_log_gpus(priors);
  for (std::size_t s = 0; s < sites.size(); ++s) {
    start.log_speeds.push_back(priors[s].log_speed + usual_gpu_scaling * log_gpus[s]);
  }
  SpeedColumns columns(
      draw_speeds(evidence, start, draws, bootstrap_stream(streams, DrawsOf::speed)), sites.size());
  auto const test = test_of_normality(standardised_times(taken, columns.middle),
                                      bootstrap_stream(streams, DrawsOf::normality));
  FitWords words{fmt::format("median job's execution at speed 1, {} epochs", records.epochs),
                 in_words(test)};
  std::size_t used = taken.size();
  if (test && test->p < rejected) {
    auto found = KindsSearch(jobs, priors)
                     .search(columns, draws, bootstrap_stream(streams, DrawsOf::work_kinds));
    if (found.columns) {
      columns = std::move(*found.columns);
      used = found.jobs;
      words.fit =
          fmt::format("one lognormal: {}; a mixture of {} in its place: distance {:.3f}", words.fit,
                      columns.kinds.size(), distance_of_kinds(taken, columns.middle));
    } else {
      words.fit += "; " + found.why_not;
    }
  }
  if (used < jobs.size()) {
    words.method += fmt::format("; from {} of {} jobs, evenly", used, jobs.size());
  }
  Fit fit;
  add_speeds(fit, sites, columns, counts);
  add_work(fit, columns, counts, words);
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
