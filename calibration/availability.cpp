#include "calibration/availability.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/distribution.hpp"

namespace gridcast::calibration {

std::vector<SiteShare> site_shares(Records const& records) {
  std::vector<SiteShare> shares;
  for (std::string const& site : records.sites) {
    auto const n = std::count_if(records.jobs.begin(), records.jobs.end(),
                                 [&](JobRecord const& job) { return job.first_site == site; });
    shares.push_back({site, static_cast<std::size_t>(n)});
  }
  return shares;
}

std::map<std::string, int> gpus_by_site(std::vector<SiteShare> const& shares,
                                        Turnover const& turnover, double gpus,
                                        RandomStream stream) {
  std::vector<double> weights;
  double sum = 0;
  for (SiteShare const& share : shares) {
    double const drawn =
        gamma_quantile(stream.uniform(), static_cast<double>(share.first_matches) + 0.5, 1);
    weights.push_back(drawn * turnover.at(share.site));
    sum += weights.back();
  }
  std::map<std::string, int> result;
  std::size_t largest = 0;
  int total = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    int const n = static_cast<int>(gpus * weights[i] / sum + stream.uniform());
    result[shares[i].site] = n;
    total += n;
    if (weights[i] > weights[largest]) largest = i;
  }
  if (total == 0) result[shares[largest].site] = 1;
  return result;
}

}  // namespace gridcast::calibration
