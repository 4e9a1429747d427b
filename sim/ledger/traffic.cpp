#include "sim/ledger/traffic.hpp"

#include <map>
#include <utility>
#include <vector>

namespace gridcast::ledger {
namespace {

/// The site of each attempt of each job, attempts counted from 1.
using AttemptSites = std::map<std::pair<std::uint32_t, std::uint32_t>, Id<history::Site>>;

AttemptSites sites_of_attempts(history::JobHistory const& history) {
  AttemptSites sites;
  std::vector<std::uint32_t> attempts(history.jobs.size());
  for (history::JobEvent const& event : history.events) {
    std::uint32_t& attempt = attempts[event.job.index()];
    if (event.kind == history::EventKind::matched) ++attempt;
    if (event.site.valid()) {
      sites[{static_cast<std::uint32_t>(event.job.index()), attempt}] = event.site;
    }
  }
  return sites;
}

history::BytesBySite bytes_of_transfers(history::JobHistory const& history) {
  history::BytesBySite bytes;
  if (history.transfers.empty()) return bytes;
  AttemptSites const sites = sites_of_attempts(history);
  for (history::UrlTransfer const& transfer : history.transfers) {
    if (!transfer.succeeded) continue;
    auto const found =
        sites.find({static_cast<std::uint32_t>(transfer.job.index()), transfer.attempt});
    history::MovedBytes& at =
        bytes[found == sites.end() ? "" : history.sites[found->second.index()]];
    (transfer.upload ? at.sent : at.received) += transfer.size;
  }
  return bytes;
}

}  // namespace

Traffic count_traffic(history::JobHistory const& history, history::BytesBySite logged) {
  Traffic traffic;
  traffic.sites = logged.empty() ? bytes_of_transfers(history) : std::move(logged);
  for (history::UrlTransfer const& transfer : history.transfers) {
    for (history::CacheTry const& one : transfer.tries) {
      CacheTraffic& cache = traffic.caches[history.caches[one.cache]];
      ++cache.tries;
      if (!transfer.upload) cache.received += one.bytes;
      cache.arrived += one.end == history::TryEnd::arrived ? 1 : 0;
      cache.given_up +=
          history::is_one_of(one.end, {history::TryEnd::stalled, history::TryEnd::slow}) ? 1 : 0;
      cache.failed += one.end == history::TryEnd::failed ? 1 : 0;
    }
  }
  return traffic;
}

}  // namespace gridcast::ledger
