#include "calibration/fits/stall_tests.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include <boost/math/special_functions/gamma.hpp>
#include <fmt/format.h>

#include "calibration/inference/minimise.hpp"
#include "calibration/inference/special_functions.hpp"
#include "sim/base/error.hpp"
#include "sim/base/random.hpp"
#include "sim/base/statistics.hpp"

namespace gridcast::calibration {

namespace {

/// Attempts that fail before one succeeds, each failing with probability q.
double geometric_quantile(double u, double q) {
  return q <= 0 ? 0 : std::floor(std::log1p(-u) / std::log(q));
}

double log_likelihood(CountModel const& model, std::vector<double> const& counts) {
  double sum = 0;
  for (double const k : counts) sum += model.log_probability(k);
  return sum;
}

CountModel fit_hurdle(std::vector<double> const& counts) {
  double positive = 0;
  double sum = 0;
  for (double const k : counts) {
    if (k > 0) ++positive;
    sum += k;
  }
  double const zeros = 1 - positive / static_cast<double>(counts.size());
  return {CountFamily::hurdle, zeros, 1 - positive / sum};
}

CountModel fit_beta_geometric(std::vector<double> const& counts) {
  auto const model = [](std::vector<double> const& x) {
    return CountModel{CountFamily::beta_geometric, std::exp(x[0]), std::exp(x[1])};
  };
  // Between a point (all jobs alike) and two masses (always or never) in either parameter.
  SearchBox const box{{-7, -7}, {12, 12}};
  Minimum const found =
      minimise([&](std::vector<double> const& x) { return -log_likelihood(model(x), counts); },
               {0, 0}, 0.5, box);
  return model(found.at);
}

constexpr std::size_t resamples = 9999;
constexpr std::size_t refits = 199;  // where each resample is fitted by search
constexpr double significant = 0.05;
constexpr double smallest_p = 1e-300;

using Statistic = std::function<double(std::vector<double> const&)>;

double zero_share(std::vector<double> const& counts) {
  auto const zeros = std::count(counts.begin(), counts.end(), 0.0);
  return static_cast<double>(zeros) / static_cast<double>(counts.size());
}

ModelTest poisson_test(std::vector<double> const& counts) {
  ModelTest test;
  test.hypothesis = "stalls are independent: Poisson counts";
  test.statistic = "index of dispersion of stalls a job";
  test.observed = dispersion_index(counts);
  test.expected = 1;
  double const freedom = static_cast<double>(counts.size() - 1);
  test.p_value =
      std::max(smallest_p, boost::math::gamma_q(freedom / 2, freedom * test.observed / 2));
  test.verdict = test.p_value < significant ? "rejected: stalls come in bursts" : "not rejected";
  return test;
}

/// How often counts made by the model are at least as large in the statistic; expected: its mean.
struct Resampled {
  double p_value = 1;
  double expected = 0;
};

Resampled resample(CountModel const& model, std::size_t jobs, std::size_t times, double observed,
                   Statistic const& statistic, RandomStream stream) {
  double sum = 0;
  std::size_t as_large = 0;
  for (std::size_t done = 0; done < times;) {
    std::vector<double> counts;
    for (std::size_t job = 0; job < jobs; ++job) counts.push_back(model.sample(stream));
    if (mean(counts) == 0) continue;
    double const value = statistic(counts);
    sum += value;
    if (value >= observed) ++as_large;
    ++done;
  }
  double const n = static_cast<double>(times);
  return {static_cast<double>(as_large + 1) / (n + 1), sum / n};
}

ModelTest geometric_test(std::vector<double> const& counts, std::string const& name,
                         Statistic const& statistic, RandomStream const& stream) {
  CountModel const model = fit_counts(CountFamily::geometric, counts);
  double const observed = statistic(counts);
  Resampled const made = resample(model, counts.size(), resamples, observed, statistic, stream);
  return {
      "stalls are independent: every attempt stalls with one probability (geometric counts)",
      name,
      observed,
      made.expected,
      made.p_value,
      made.p_value < significant
          ? fmt::format("rejected: no attempt-by-attempt chance of {:.2f} gives this", model.first)
          : "not rejected"};
}

ModelTest shape_test(std::vector<double> const& counts, CountFamily family, std::size_t times,
                     std::string const& hypothesis, RandomStream const& stream) {
  CountModel const model = fit_counts(family, counts);
  auto const distance = [family](std::vector<double> const& x) {
    return kolmogorov_distance(fit_counts(family, x), x);
  };
  double const observed = distance(counts);
  Resampled const made = resample(model, counts.size(), times, observed, distance, stream);
  double const gain =
      akaike(fit_counts(CountFamily::geometric, counts), counts) - akaike(model, counts);
  return {
      hypothesis,
      fmt::format("Kolmogorov distance of counts and fit ({} resamples)", times),
      observed,
      made.expected,
      made.p_value,
      fmt::format("{}; AIC better than independent stalls by {:.1f}",
                  made.p_value < significant ? "rejected: counts pile up where this model has none"
                                             : "survives",
                  gain)};
}

/// Stalls of the jobs that each site got first, in the order of the table.
using SiteStalls = std::vector<std::vector<double>>;

SiteStalls stalls_by_site(std::vector<JobRecord> const& jobs) {
  std::map<std::string, std::vector<std::pair<history::JobName, double>>> named;
  for (JobRecord const& job : jobs) {
    if (!job.first_site.empty()) named[job.first_site].emplace_back(job.job, job.stalls);
  }
  SiteStalls sites;
  for (auto& [site, stalls] : named) {
    std::sort(stalls.begin(), stalls.end());
    sites.emplace_back();
    for (auto const& [job, count] : stalls) sites.back().push_back(count);
  }
  return sites;
}

double count_neighbours(SiteStalls const& sites, bool (*alike)(double, double)) {
  double pairs = 0;
  for (std::vector<double> const& stalls : sites) {
    for (std::size_t i = 1; i < stalls.size(); ++i) {
      if (alike(stalls[i - 1], stalls[i])) ++pairs;
    }
  }
  return pairs;
}

bool both_stalled(double a, double b) { return a > 0 && b > 0; }
bool stalled_alike(double a, double b) { return a > 0 && a == b; }

struct NeighbourQuestion {
  bool (*alike)(double, double);
  std::string hypothesis;
  std::string statistic;
  std::string if_rejected;
  std::string if_not;
};

/// Whether more neighbours are alike than when the site's jobs are put in random order.
ModelTest neighbour_test(SiteStalls sites, NeighbourQuestion const& question, RandomStream stream) {
  double const observed = count_neighbours(sites, question.alike);
  double sum = 0;
  std::size_t as_many = 0;
  for (std::size_t done = 0; done < resamples; ++done) {
    for (std::vector<double>& stalls : sites) {
      for (std::size_t i = stalls.size(); i > 1; --i) {
        std::swap(stalls[i - 1], stalls[stream.below(static_cast<std::uint32_t>(i))]);
      }
    }
    double const pairs = count_neighbours(sites, question.alike);
    sum += pairs;
    if (pairs >= observed) ++as_many;
  }
  double const p = static_cast<double>(as_many + 1) / (resamples + 1);
  return {
      question.hypothesis,
      question.statistic,
      observed,
      sum / resamples,
      p,
      p < significant ? "rejected: " + question.if_rejected : "not rejected: " + question.if_not};
}

std::vector<ModelTest> neighbour_tests(SiteStalls const& sites, RandomStreams const& streams) {
  return {neighbour_test(
              sites,
              {both_stalled, "stalled jobs stand anywhere among a site's jobs",
               "neighbours at a site that both stalled", "stalled jobs stand next to each other",
               "where stalled jobs stand may be chance"},
              bootstrap_stream(streams, DrawsOf::stall_neighbours)),
          neighbour_test(sites,
                         {stalled_alike, "neighbours stall equally often by chance only",
                          "neighbours at a site that stalled equally often",
                          "neighbours share the time for which they stall",
                          "equal counts of neighbours may be chance"},
                         bootstrap_stream(streams, DrawsOf::stall_equal_neighbours))};
}

}  // namespace

double CountModel::log_probability(double k) const {
  switch (family) {
    case CountFamily::geometric:
      return std::log1p(-first) + (k > 0 ? k * std::log(first) : 0);
    case CountFamily::hurdle:
      if (k == 0) return std::log(first);
      return std::log1p(-first) + std::log1p(-second) + (k > 1 ? (k - 1) * std::log(second) : 0);
    case CountFamily::beta_geometric:
      return log_beta(first + 1, second + k) - log_beta(first, second);
  }
  throw InternalError("a family of counts has a probability");
}

double CountModel::survival(double k) const {
  if (k < 0) return 1;
  switch (family) {
    case CountFamily::geometric:
      return std::pow(first, k + 1);
    case CountFamily::hurdle:
      return (1 - first) * std::pow(second, k);
    case CountFamily::beta_geometric:
      return std::exp(log_beta(first, second + k + 1) - log_beta(first, second));
  }
  throw InternalError("a family of counts has a survival function");
}

double CountModel::sample(RandomStream& stream) const {
  double const u = stream.uniform();
  switch (family) {
    case CountFamily::geometric:
      return geometric_quantile(u, first);
    case CountFamily::hurdle:
      return u < first ? 0 : 1 + geometric_quantile(stream.uniform(), second);
    case CountFamily::beta_geometric:
      return geometric_quantile(u, 1 - beta_quantile(stream.uniform(), first, second));
  }
  throw InternalError("a family of counts has draws");
}

CountModel fit_counts(CountFamily family, std::vector<double> const& counts) {
  double const average = mean(counts);
  check(average > 0, "a model of counts is fitted to some that are not zero");
  switch (family) {
    case CountFamily::geometric:
      return {family, average / (1 + average), 0};
    case CountFamily::hurdle:
      return fit_hurdle(counts);
    case CountFamily::beta_geometric:
      return fit_beta_geometric(counts);
  }
  throw InternalError("a family of counts has a fit");
}

double akaike(CountModel const& model, std::vector<double> const& counts) {
  return 2 * model.parameters() - 2 * log_likelihood(model, counts);
}

double kolmogorov_distance(CountModel const& model, std::vector<double> counts) {
  std::sort(counts.begin(), counts.end());
  double const n = static_cast<double>(counts.size());
  double largest = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    double const below = static_cast<double>(i) / n;
    double const up_to = static_cast<double>(i + 1) / n;
    if (i == 0 || counts[i] != counts[i - 1]) {
      largest = std::max(largest, std::abs(below - (1 - model.survival(counts[i] - 1))));
    }
    if (i + 1 == counts.size() || counts[i] != counts[i + 1]) {
      largest = std::max(largest, std::abs(up_to - (1 - model.survival(counts[i]))));
    }
  }
  return largest;
}

std::vector<ModelTest> stall_tests(TableRecords const& records, RandomStreams const& streams) {
  std::vector<JobRecord> jobs;
  std::copy_if(records.jobs.begin(), records.jobs.end(), std::back_inserter(jobs),
               [](JobRecord const& job) { return job.got_data; });
  std::vector<double> counts;
  counts.reserve(jobs.size());
  for (JobRecord const& job : jobs) counts.push_back(job.stalls);
  if (counts.size() < 2 || mean(counts) == 0) return {};
  auto const stream = [&](DrawsOf what, std::size_t part = 0) {
    return bootstrap_stream(streams, what, part);
  };
  std::vector<ModelTest> tests = {
      poisson_test(counts),
      geometric_test(counts, "share of jobs without a stall", zero_share,
                     stream(DrawsOf::stall_geometric, 0)),
      geometric_test(
          counts, "index of dispersion of stalls a job",
          [](std::vector<double> const& x) { return dispersion_index(x); },
          stream(DrawsOf::stall_geometric, 1)),
      shape_test(counts, CountFamily::hurdle, resamples,
                 "some jobs never meet the cause, the others stall on with one probability",
                 stream(DrawsOf::stall_hurdle)),
      shape_test(counts, CountFamily::beta_geometric, refits,
                 "jobs differ: each has its own probability of a stall (beta-geometric counts)",
                 stream(DrawsOf::stall_beta_geometric))};
  std::vector<ModelTest> const neighbours = neighbour_tests(stalls_by_site(jobs), streams);
  tests.insert(tests.end(), neighbours.begin(), neighbours.end());
  return tests;
}

}  // namespace gridcast::calibration
