#include "sim/report/data/sample_json.hpp"

#include <fmt/format.h>

#include "sim/ledger/metrics.hpp"
#include "sim/study/record.hpp"

namespace gridcast::report {

Json interval_json(Interval const& interval) { return Json::array({interval.low, interval.high}); }

Json summary_json(study::Summary const& summary) {
  Json json;
  json["mean"] = summary.mean;
  json["sd"] = summary.sd;
  json["p05"] = summary.p05;
  json["p25"] = summary.p25;
  json["p50"] = summary.p50;
  json["p75"] = summary.p75;
  json["p95"] = summary.p95;
  json["mean_ci95"] = interval_json(summary.mean_ci95);
  return json;
}

Json metrics_json(study::StudySample const& sample) {
  Json json = Json::object();
  for (auto const& name : ledger::metric_names(ledger::ToldOf::replica))
    json[name] = summary_json(study::summarise(sample, name));
  return json;
}

Json sites_json(study::StudySample const& sample) {
  Json json = Json::object();
  auto const kept = ledger::metric_names(ledger::ToldOf::kept_site);
  std::string const first = study::site_column(kept.front(), "");
  for (auto const& column : sample.names) {
    if (!column.starts_with(first)) continue;
    std::string const site = column.substr(first.size());
    for (auto const& figure : kept) {
      json[site][figure] = summary_json(study::summarise(sample, study::site_column(figure, site)));
    }
  }
  return json;
}

Json finish_json(study::StudySample const& sample, std::vector<Seconds> const& at) {
  auto const values = [](std::vector<Seconds> const& times) {
    Json list = Json::array();
    for (Seconds const time : times) list.push_back(time.value());
    return list;
  };
  study::FinishBand const band = study::finish_band(sample, at);
  if (band.at.empty()) return nullptr;
  return {{"at_s", values(band.at)},
          {"succeeded_p05", band.p05},
          {"succeeded_p50", band.p50},
          {"succeeded_p95", band.p95},
          {"makespan_quantiles_s", values(band.makespans)}};
}

std::string replica_command(std::string const& scenario, std::string const& strategy,
                            std::uint64_t seed, std::uint32_t replica) {
  return fmt::format("gridcast run {} --seed {} --replica {} --strategy {}", scenario, seed,
                     replica, strategy);
}

// The writer makes null of NaN and infinity, and the shortest text that reads back as the same of
// every other number. What is not UTF-8 (in a file name) must not stop it.
std::string json_text(Json const& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace gridcast::report
