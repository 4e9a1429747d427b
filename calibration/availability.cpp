#include "calibration/availability.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/distribution.hpp"

namespace gridcast {

std::vector<SiteShare> site_shares(Records const& records) {
  std::vector<SiteShare> shares;
  for (std::string const& site : records.sites) {
    SiteShare share{site, 0, 0};
    double busy = 0;
    std::size_t completed = 0;
    for (JobRecord const& job : records.jobs) share.first_matches += job.first_site == site;
    for (ExecutionRecord const& execution : records.executions) {
      if (execution.site != site) continue;
      busy += execution.seconds;
      ++completed;
    }
    for (JobRecord const& job : records.jobs) {
      if (job.last_site == site)
        busy += job.last_transfer.value_or(0) + job.retried_seconds.value_or(0);
    }
    share.mean_busy_seconds = completed > 0 ? busy / static_cast<double>(completed) : 1;
    shares.push_back(share);
  }
  return shares;
}

std::map<std::string, int> gpus_by_site(std::vector<SiteShare> const& shares, double gpus,
                                        std::size_t jobs, RandomStream stream) {
  double const queueing = std::max(0.0, 1 - gpus / static_cast<double>(jobs));
  std::vector<double> weights;
  double sum = 0;
  for (SiteShare const& share : shares) {
    double const drawn =
        gamma_quantile(stream.uniform(), static_cast<double>(share.first_matches) + 0.5, 1);
    weights.push_back(drawn * std::pow(share.mean_busy_seconds, queueing));
    sum += weights.back();
  }
  std::map<std::string, int> result;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    result[shares[i].site] = std::max(1, static_cast<int>(std::lround(gpus * weights[i] / sum)));
  }
  return result;
}

}  // namespace gridcast
