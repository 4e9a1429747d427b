#include "tests/training/published/unpack_fit.hpp"

#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "sim/base/statistics.hpp"

namespace gridcast::training::published {
namespace {

/// Relative to the median of the executions with as many epochs.
double deviation(std::vector<PublishedExecution> const& points,
                 std::map<int, double> const& medians, double unpack, double epoch) {
  double sum = 0;
  for (auto const& point : points) {
    sum += std::abs(point.time.value() - unpack - point.epochs * epoch) / medians.at(point.epochs);
  }
  return sum;
}

SiteTimes fit_site(std::string const& site, std::vector<PublishedExecution> const& points) {
  SiteTimes best{site, Seconds(0), Seconds(0), points.size()};
  std::map<int, double> medians;
  for (auto const& point : points) {
    medians[point.epochs] = median_time(points, site, point.epochs);
  }
  double least = std::numeric_limits<double>::infinity();
  auto const consider = [&](double unpack, double epoch) {
    if (unpack < 0 || epoch < 0) return;
    double const sum = deviation(points, medians, unpack, epoch);
    if (sum >= least) return;
    least = sum;
    best.unpack = Seconds(unpack);
    best.epoch = Seconds(epoch);
  };
  for (auto const& a : points) {
    if (a.epochs > 0) consider(0, a.time.value() / a.epochs);
    for (auto const& b : points) {
      if (a.epochs >= b.epochs) continue;
      double const epoch = (b.time - a.time).value() / (b.epochs - a.epochs);
      consider(a.time.value() - a.epochs * epoch, epoch);
    }
  }
  return best;
}

}  // namespace

std::vector<PublishedExecution> executions_of(history::JobTable const& table, int epochs) {
  std::vector<PublishedExecution> executions;
  for (history::JobRow const& row : table.rows) {
    if (row.execute.empty()) continue;
    bool const unpacked_only = row.outcome == history::Outcome::wrong_output &&
                               row.note.find("network was unreachable") != std::string::npos;
    if (row.outcome != history::Outcome::success && !unpacked_only) continue;
    executions.push_back(
        {row.last_site(), unpacked_only ? 0 : epochs, row.execute.back(), to_text(row.name)});
  }
  return executions;
}

std::vector<SiteTimes> fit_unpack_and_epochs(std::vector<PublishedExecution> const& executions) {
  std::map<std::string, std::vector<PublishedExecution>> by_site;
  for (auto const& execution : executions) by_site[execution.site].push_back(execution);
  std::vector<SiteTimes> fits;
  for (auto const& [site, points] : by_site) {
    std::set<int> epochs;
    for (auto const& point : points) epochs.insert(point.epochs);
    if (epochs.size() >= 2) fits.push_back(fit_site(site, points));
  }
  return fits;
}

double median_time(std::vector<PublishedExecution> const& executions, std::string const& site,
                   int epochs) {
  std::vector<double> times;
  for (auto const& execution : executions) {
    if (execution.site == site && execution.epochs == epochs) {
      times.push_back(execution.time.value());
    }
  }
  return median(times);
}

}  // namespace gridcast::training::published
