#include "sim/report/data/deadline.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gridcast::report {

double share_by(std::vector<Seconds> const& q, Seconds time) {
  if (q.size() < 2) return std::numeric_limits<double>::quiet_NaN();
  if (time < q.front()) return 0;
  if (time >= q.back()) return 1;
  auto const above = std::upper_bound(q.begin(), q.end(), time);
  auto const i = static_cast<double>(above - q.begin() - 1);
  // Nothing lies between the last that came to pass and never.
  bool const never = std::isinf(above->value());
  double const part = never ? 0 : (time - *(above - 1)) / (*above - *(above - 1));
  return (i + part) / static_cast<double>(q.size() - 1);
}

study::Chance met_by(Result const& result, ResultStrategy const& strategy, Seconds deadline) {
  if (!strategy.finish) return {};
  double const share = share_by(strategy.finish->reached, deadline);
  std::size_t const replicas = strategy.replicas > 0 ? strategy.replicas : result.replicas;
  if (std::isnan(share)) return {};
  return study::chance(std::round(share * static_cast<double>(replicas)), replicas);
}

void put_deadline(Json& json, Result const& result, ResultStrategy const& strategy) {
  if (!result.deadline || !strategy.finish) return;
  auto const met = met_by(result, strategy, *result.deadline);
  json["deadline"] = {{"at_s", result.deadline->value()},
                      {"wanted_jobs", strategy.finish->wanted},
                      {"probability", json_number(met.n > 0 ? met.share : study::not_known)},
                      {"ci95", interval_json(met.ci95)}};
}

}  // namespace gridcast::report
