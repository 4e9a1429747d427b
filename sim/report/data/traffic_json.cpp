#include "sim/report/data/traffic_json.hpp"

#include "sim/report/text/ledger_text.hpp"

namespace gridcast::report {

void put_traffic(Json& json, ResultLedger const& ledger) {
  Json hours = {{"all", json_number(ledger.gpu_hours)}, {"sites", Json::object()}};
  for (auto const& [site, value] : ledger.site_gpu_hours) hours["sites"][site] = json_number(value);
  json["gpu_hours"] = std::move(hours);
  if (ledger.traffic.is_empty()) return;
  Json sites = Json::object(), caches = Json::object();
  for (auto const& [site, moved] : ledger.traffic.sites) {
    sites[site_label(site)] = {{"received", json_number(moved.received.value())},
                               {"sent", json_number(moved.sent.value())}};
  }
  for (auto const& [name, cache] : ledger.traffic.caches) {
    caches[name] = {{"received", json_number(cache.received.value())},
                    {"tries", cache.tries},
                    {"arrived", cache.arrived},
                    {"given_up", cache.given_up},
                    {"failed", cache.failed}};
  }
  json["bytes"] = {{"sites", std::move(sites)}, {"caches", std::move(caches)}};
}

void read_traffic(JsonReader const& json, ResultLedger& ledger) {
  if (auto const hours = json.object("gpu_hours")) {
    ledger.gpu_hours = hours->number("all");
    if (auto const sites = hours->object("sites")) {
      sites->each_number(
          [&](std::string const& site, double value) { ledger.site_gpu_hours[site] = value; });
    }
  }
  auto const bytes = json.object("bytes");
  if (!bytes) return;
  bytes->each("sites", [&](std::string const& site, JsonReader const& each) {
    ledger.traffic.sites[site == site_label("") ? "" : site] = {Bytes(each.number("received")),
                                                                Bytes(each.number("sent"))};
  });
  bytes->each("caches", [&](std::string const& name, JsonReader const& each) {
    ledger.traffic.caches[name] = {Bytes(each.number("received")), each.count("tries"),
                                   each.count("arrived"), each.count("given_up"),
                                   each.count("failed")};
  });
}

}  // namespace gridcast::report
