#include "calibration/unpack_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "calibration/posterior.hpp"
#include "sim/base/distribution.hpp"
#include "sim/base/statistics.hpp"

namespace gridcast::calibration {
namespace {

constexpr BytesPerSecond published_rate(140e6);
constexpr double ninety_percent = 1.6449;  // standard deviations either way

std::vector<double> measured_at(Records const& records, std::string const& site) {
  std::vector<double> seconds;
  for (WrongOutputRecord const& job : records.wrong_outputs) {
    if (job.network && job.site == site) seconds.push_back(job.seconds);
  }
  return seconds;
}

std::vector<double> completed_at(Records const& records, std::string const& site) {
  std::vector<double> seconds;
  for (ExecutionRecord const& job : records.executions) {
    if (!job.censored() && job.site == site) seconds.push_back(job.seconds);
  }
  return seconds;
}

double relative_scatter(std::vector<double> const& x) {
  return x.size() < 2 ? 0 : standard_deviation(x) / mean(x);
}

/// What is known where nothing was measured: a centre and the sd of its logarithm.
struct Borrowed {
  double center = 0;
  double log_sd = 0;
};

Borrowed borrow(Records const& records, UnpackFit const& fit) {
  double sum = 0;
  int measured = 0;
  for (SiteUnpack const& site : fit.sites) {
    if (site.events == 0) continue;
    sum += std::log(site.estimate);
    ++measured;
  }
  if (measured == 0) {
    return {(records.input_size / published_rate).value(), std::log(3.0) / ninety_percent};
  }
  return {std::exp(sum / measured), std::log(2.0) / ninety_percent};
}

}  // namespace

UnpackFit fit_unpack(Records const& records, std::size_t n_draws, RandomStreams const& streams) {
  UnpackFit fit;
  fit.sites.resize(records.sites.size());
  for (std::size_t s = 0; s < fit.sites.size(); ++s) {
    std::vector<double> const measured = measured_at(records, records.sites[s]);
    fit.sites[s].events = measured.size();
    if (measured.empty()) continue;
    fit.sites[s].estimate = mean(measured);
    fit.measured_somewhere = true;
  }
  Borrowed const borrowed = borrow(records, fit);
  for (std::size_t s = 0; s < fit.sites.size(); ++s) {
    SiteUnpack& site = fit.sites[s];
    std::vector<double> const completed = completed_at(records, records.sites[s]);
    double const most = completed.empty()
                            ? std::numeric_limits<double>::infinity()
                            : *std::min_element(completed.begin(), completed.end()) / 2;
    double log_sd = borrowed.log_sd;
    if (site.events == 0) {
      site.estimate = std::min(borrowed.center, most);
    } else {
      log_sd = std::max(relative_scatter(measured_at(records, records.sites[s])),
                        completed.size() < 2 ? 0.05 : relative_scatter(completed));
    }
    site.draws =
        stratified_draws(bootstrap_stream(streams, DrawsOf::unpack, s), n_draws, [&](double u) {
          return std::min(site.estimate * std::exp(log_sd * normal_quantile(u)), most);
        });
  }
  return fit;
}

}  // namespace gridcast::calibration
