#include "calibration/stall_summary.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/statistics.hpp"

namespace gridcast::calibration {

namespace {

// A stall costs 3,600 s of silence and U(0, 300) s to the next look (docs/model.md, "Stalls").
constexpr double mean_stall_cost = 3750;
constexpr double long_wait = 3600;

struct JobLine {
  std::string site;
  double stalls = 0;
  double retried = 0;
};

std::vector<JobLine> jobs_of(history::JobTable const& table) {
  std::vector<JobLine> jobs;
  for (history::JobRow const& row : table.rows) {
    if (row.outcome == history::Outcome::held_404 || !row.transfer_total || !row.transfer_last)
      continue;
    jobs.push_back({row.last_site(), static_cast<double>(row.stalls),
                    (*row.transfer_total - *row.transfer_last).value()});
  }
  return jobs;
}

double share(std::vector<JobLine> const& jobs, double low, double high) {
  auto const n = std::count_if(jobs.begin(), jobs.end(), [&](JobLine const& job) {
    return low <= job.stalls && job.stalls <= high;
  });
  return static_cast<double>(n) / static_cast<double>(jobs.size());
}

// Correlation of "stalled" between neighbours in the table that ran at the same site; 0 where it
// has no meaning.
double neighbour_correlation(std::vector<JobLine> const& jobs) {
  double both = 0, one = 0, pairs = 0;
  for (std::size_t i = 1; i < jobs.size(); ++i) {
    if (jobs[i].site != jobs[i - 1].site) continue;
    bool const a = jobs[i - 1].stalls > 0, b = jobs[i].stalls > 0;
    both += a && b;
    one += (a + b) / 2.0;
    ++pairs;
  }
  if (one == 0 || one == pairs) return 0;
  double const p = one / pairs;
  return (both / pairs - p * p) / (p * (1 - p));
}

}  // namespace

std::vector<std::string> const& stall_summary_names() {
  static std::vector<std::string> const names{
      "share without a stall",
      "share with 1 to 3 stalls",
      "share with ten or more",
      "log(1 + stalls a job)",
      "log(1 + dispersion)",
      "share with 12 to 14 stalls",
      "median stalls of the stalled",
      "correlation of neighbours",
      "log(retried hours a job)",
      "log(1 + hours beyond 3750 s a stall, per stalled job)",
      "share of stalled jobs that waited over an hour beyond it"};
  return names;
}

std::vector<double> stall_summary(history::JobTable const& table) {
  std::vector<JobLine> const jobs = jobs_of(table);
  if (jobs.empty()) return std::vector<double>(stall_summary_names().size(), 0);
  std::vector<double> stalls, positive;
  double retried = 0, beyond = 0, waited = 0;
  for (JobLine const& job : jobs) {
    stalls.push_back(job.stalls);
    retried += job.retried;
    if (job.stalls == 0) continue;
    positive.push_back(job.stalls);
    double const rest = job.retried - mean_stall_cost * job.stalls;
    beyond += std::max(0.0, rest);
    waited += rest > long_wait;
  }
  double const n = static_cast<double>(jobs.size());
  double const stalled = std::max<double>(1, static_cast<double>(positive.size()));
  return {share(jobs, 0, 0),
          share(jobs, 1, 3),
          share(jobs, 10, 1e9),
          std::log1p(mean(stalls)),
          std::log1p(dispersion_index(stalls)),
          share(jobs, 12, 14),
          positive.empty() ? 0 : std::log1p(median(positive)),
          neighbour_correlation(jobs),
          std::log(0.01 + retried / 3600 / n),
          std::log1p(beyond / 3600 / stalled),
          waited / stalled};
}

}  // namespace gridcast::calibration
