#include "calibration/speed_fit.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "calibration/rounded.hpp"
#include "calibration/site_lines.hpp"
#include "calibration/slice_sampler.hpp"
#include "calibration/speed_density.hpp"

namespace gridcast::calibration {

namespace {

using Jobs = std::vector<std::vector<Execution>>;

double square(double x) { return x * x; }

/// Coordinates: ln work, ln of the three spreads, then ln speed of each site.
enum At : std::size_t { log_work, log_job, log_execution, log_tau, first_site };

SpeedParameters parameters(std::vector<double> const& x) {
  return {x[log_work],
          std::exp(x[log_job]),
          std::exp(x[log_execution]),
          {x.begin() + first_site, x.end()}};
}

/// With for each site the jobs that were there, so that a move of its speed looks at those alone.
class Density {
 public:
  Density(Jobs const& jobs, std::size_t sites) : jobs_(jobs), at_site_(sites) {
    for (std::size_t j = 0; j < jobs.size(); ++j) {
      for (Execution const& one : jobs[j]) {
        auto& list = at_site_[one.site];
        if (list.empty() || list.back() != j) list.push_back(j);
      }
    }
  }

  // Spreads half-normal: 1 between jobs and 0.5 between sites; 0.1 between executions of one job on
  // one kind of machine, where programs take the same time again to a few per cent.
  double operator()(std::vector<double> const& x, std::size_t changed) const {
    double sum = 0;
    for (std::size_t i : {log_job, log_execution, log_tau}) {
      if (x[i] < -9) return -HUGE_VAL;
      double const width = i == log_job ? 1 : i == log_execution ? 0.1 : 0.5;
      sum += x[i] - square(std::exp(x[i]) / width) / 2;
    }
    double const tau = std::exp(x[log_tau]);
    for (std::size_t i = first_site; i < x.size(); ++i) sum -= square(x[i] / tau) / 2 + x[log_tau];
    if (changed == log_tau) return sum;
    SpeedParameters const at = parameters(x);
    if (changed >= first_site) {
      for (std::size_t j : at_site_[changed - first_site]) sum += log_likelihood(jobs_[j], at);
    } else {
      for (auto const& job : jobs_) sum += log_likelihood(job, at);
    }
    return sum;
  }

 private:
  Jobs const& jobs_;
  std::vector<std::vector<std::size_t>> at_site_;
};

struct Counts {
  std::vector<std::size_t> whole, open;
  std::size_t all_whole = 0, all_open = 0, repeats = 0;
  double mean_log = 0;
};

Counts count(Jobs const& jobs, std::size_t sites) {
  Counts counts{std::vector<std::size_t>(sites), std::vector<std::size_t>(sites)};
  for (auto const& job : jobs) {
    std::size_t whole = 0;
    for (Execution const& one : job) {
      bool const is_whole = one.kind == Execution::Kind::whole;
      ++(is_whole ? counts.whole : counts.open)[one.site];
      whole += is_whole ? 1 : 0;
      counts.mean_log += one.log_time;
      ++(is_whole ? counts.all_whole : counts.all_open);
    }
    counts.repeats += whole > 1 ? whole : 0;
  }
  auto const all = counts.all_whole + counts.all_open;
  if (all > 0) counts.mean_log /= static_cast<double>(all);
  return counts;
}

// Standardised ln times of jobs' first whole executions against the normal distribution.
std::string normal_fit(Jobs const& jobs, SpeedParameters const& at) {
  std::vector<double> u;
  for (auto const& job : jobs) {
    for (Execution const& one : job) {
      if (one.kind != Execution::Kind::whole) continue;
      double const sd = std::sqrt(square(at.job_sigma) + square(at.execution_sigma) + one.rounding);
      double const z = (one.log_time - at.log_work + at.log_speeds[one.site]) / sd;
      u.push_back(std::exp(log_normal_cdf(z)));
      break;
    }
  }
  return uniform_fit(u);
}

}  // namespace

Fit speed_fit(std::vector<std::string> const& sites, AttemptRecords const& records,
              std::size_t draws, RandomStreams const& streams) {
  Jobs const jobs = executions_by_job(records);
  Counts const counts = count(jobs, sites.size());
  Density const density(jobs, sites.size());
  std::vector<double> start(first_site + sites.size(), 0.0);
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

  std::vector<double> work, job_sigma, execution_sigma;
  std::vector<std::vector<double>> speeds(sites.size());
  SpeedParameters middle{0, 0, 0, std::vector<double>(sites.size())};
  for (auto& row : posterior) {
    double center = 0;
    for (std::size_t s = 0; s < sites.size(); ++s) center += row[first_site + s];
    center /= static_cast<double>(std::max<std::size_t>(1, sites.size()));
    work.push_back(std::exp(row[log_work] - center));
    job_sigma.push_back(std::exp(row[log_job]));
    execution_sigma.push_back(std::exp(row[log_execution]));
    for (std::size_t s = 0; s < sites.size(); ++s) {
      speeds[s].push_back(std::exp(row[first_site + s] - center));
    }
  }
  middle.log_work = std::log(median(work));
  middle.job_sigma = median(job_sigma);
  middle.execution_sigma = median(execution_sigma);
  Fit fit;
  for (std::size_t s = 0; s < sites.size(); ++s) {
    middle.log_speeds[s] = std::log(median(speeds[s]));
    Estimate line = site_line(
        "speed", sites[s], "1",
        "work a second; mixed model of ln(execution), geometric mean of sites 1", counts.whole[s]);
    line.censored = counts.open[s];
    add_posterior(fit, line, speeds[s]);
  }
  Estimate line;
  line.name = "work_s";
  line.unit = "s";
  line.method = fmt::format("median job's execution at speed 1, {} epochs", records.epochs);
  line.events = counts.all_whole;
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
  return fit;
}

std::vector<double> typical_times(Fit const& speed, std::vector<std::string> const& sites) {
  double work = 1;
  std::vector<double> times(sites.size(), 1.0);
  for (Estimate const& line : speed.estimates) {
    if (line.name == "work_s") work = line.estimate;
    for (std::size_t s = 0; s < sites.size(); ++s) {
      if (line.name == "speed." + sites[s]) times[s] = 1 / line.estimate;
    }
  }
  for (double& time : times) time *= work;
  return times;
}

}  // namespace gridcast::calibration
