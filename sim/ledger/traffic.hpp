// What was moved for a campaign's jobs, by site and by cache, where the record says it.
//
// By site: "Run Bytes Received/Sent By Job" of the log's 004 and 005, where there is a log; else the
// sizes of the URLs that the ads say were transferred. By cache: what each try at it brought, as the
// client tells (DeveloperData in the ads); a try that was given up brought what it had by then.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "sim/history/job_history.hpp"

namespace gridcast::ledger {

struct CacheTraffic {
  Bytes received;
  std::size_t tries = 0, arrived = 0, given_up = 0, failed = 0;
};

struct Traffic {
  history::BytesBySite sites;
  std::map<std::string, CacheTraffic> caches;
  bool is_empty() const { return sites.empty() && caches.empty(); }
};

/// `logged`: as the log's runs tell; empty where there is no log, or it tells none.
Traffic count_traffic(history::JobHistory const& history, history::BytesBySite logged);

}  // namespace gridcast::ledger
