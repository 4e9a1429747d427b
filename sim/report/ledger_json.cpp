#include "sim/report/ledger_json.hpp"

#include <cmath>
#include <cstdint>

#include <nlohmann/json.hpp>

#include "sim/base/statistics.hpp"
#include "sim/report/ledger_text.hpp"

namespace gridcast {

using Json = nlohmann::ordered_json;

Json json_number(double value) {
  if (!std::isfinite(value)) return nullptr;
  constexpr double largest_exact = 9007199254740992.0;  // 2^53
  constexpr double parts = 1e6;
  double const rounded =
      std::abs(value) < largest_exact / parts ? std::round(value * parts) / parts : value;
  if (rounded == std::floor(rounded) && std::abs(rounded) < largest_exact) {
    return static_cast<std::int64_t>(rounded);
  }
  return rounded;
}

Json json_metrics(std::vector<Metric> const& metrics) {
  Json object = Json::object();
  for (auto const& metric : metrics) {
    object[std::string(metric.name)] = metric.available ? json_number(metric.value) : Json(nullptr);
  }
  return object;
}

std::string ledger_json(Ledger const& ledger) {
  Json sites = Json::object();
  for (auto const& [site, lines] : ledger.sites) {
    auto const executions = successful_executions(ledger, site);
    Json& object = sites[site_label(site)] = json_metrics(metrics(lines, ledger.retries_opaque));
    object["execute_mean_s"] = json_number(mean(executions));
    object["execute_median_s"] = json_number(median(executions));
  }
  Json const object = {{"schema", "gridcast.ledger/1"},
                       {"metrics", json_metrics(metrics(ledger))},
                       {"sites", std::move(sites)}};
  return object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace gridcast
