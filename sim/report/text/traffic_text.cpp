#include "sim/report/text/traffic_text.hpp"

#include "sim/report/text/ledger_text.hpp"

namespace gridcast::report {
namespace {

std::string sites_table(history::BytesBySite const& sites, Screen const& screen) {
  TextTable table({{"bytes moved at"}, {"received", Align::right}, {"sent", Align::right}});
  history::MovedBytes all;
  for (auto const& [site, moved] : sites) {
    table.add_row({site_label(site), to_text(moved.received), to_text(moved.sent)});
    all += moved;
  }
  table.add_rule();
  table.add_row({"in all", to_text(all.received), to_text(all.sent)});
  return table.str(screen);
}

std::string caches_table(std::map<std::string, ledger::CacheTraffic> const& caches,
                         Screen const& screen) {
  TextTable table({{"from cache"},
                   {"received", Align::right},
                   {"tries", Align::right},
                   {"arrived", Align::right},
                   {"given up", Align::right},
                   {"failed", Align::right}});
  for (auto const& [name, cache] : caches) {
    table.add_row({name.empty() ? "(not told)" : name, to_text(cache.received),
                   std::to_string(cache.tries), std::to_string(cache.arrived),
                   std::to_string(cache.given_up), std::to_string(cache.failed)});
  }
  return table.str(screen);
}

}  // namespace

std::string traffic_text(ledger::Traffic const& traffic, Screen const& screen) {
  std::string text;
  if (!traffic.sites.empty()) text += sites_table(traffic.sites, screen);
  if (!traffic.caches.empty()) {
    text += (text.empty() ? "" : "\n") + caches_table(traffic.caches, screen);
  }
  return text;
}

}  // namespace gridcast::report
