#include "calibration/records/transfer_record.hpp"

#include <algorithm>
#include <utility>

#include "calibration/records/pilot_records.hpp"

namespace gridcast::calibration {

namespace {

using AttemptKey = std::pair<std::size_t, std::uint32_t>;
using Downloads = std::map<AttemptKey, std::vector<history::UrlTransfer const*>>;

constexpr std::uint32_t no_cache = 0xffffffffU;

Downloads downloads(history::JobHistory const& history) {
  Downloads by_attempt;
  for (history::UrlTransfer const& transfer : history.transfers) {
    if (!transfer.upload) by_attempt[{transfer.job.index(), transfer.attempt}].push_back(&transfer);
  }
  return by_attempt;
}

/// Counts the attempt of each job that fetched most.
std::vector<std::vector<Bytes>> sizes_by_job(std::size_t jobs, Downloads const& all,
                                             std::vector<Bytes> const& usual) {
  std::vector<std::vector<Bytes>> sizes(jobs);
  for (auto const& [key, transfers] : all) {
    std::vector<Bytes> fetched;
    for (auto const* transfer : transfers) {
      if (transfer->succeeded) fetched.push_back(transfer->size);
    }
    if (fetched.size() > sizes[key.first].size()) sizes[key.first] = std::move(fetched);
  }
  for (auto& job : sizes) {
    if (job.empty()) job = usual;
  }
  return sizes;
}

/// Names that are numbered as they come.
std::uint32_t number_of(std::vector<std::string>& names,
                        std::map<std::string, std::uint32_t>& known, std::string const& name) {
  auto const [found, fresh] = known.try_emplace(name, static_cast<std::uint32_t>(names.size()));
  if (fresh) names.push_back(name);
  return found->second;
}

/// "cache-1.example" is the cache that is stated as "cache-1" or "cache-1.example:8443".
bool same_cache(std::string const& host, std::string const& stated) {
  std::string const name = stated.substr(0, stated.find(':'));
  return host == name || host.starts_with(name + ".");
}

class TransferFollower {
 public:
  TransferFollower(history::JobHistory const& history, std::vector<Bytes> const& usual,
                   TransferRecords& records)
      : history_(history),
        downloads_(downloads(history)),
        sizes_(sizes_by_job(history.jobs.size(), downloads_, usual)),
        records_(records) {
    records_.caches = history.caches;
  }

  void add(AttemptRecord const& attempt) {
    Seconds const begin = attempt.input_started.value_or(attempt.start);
    auto const known = downloads_.find({attempt.job.index(), attempt.number});
    bool const listed = known != downloads_.end();
    if (!attempt.site.valid()) {
      records_.without_site += listed || !attempt.executing ? 1 : 0;
      return;
    }
    now_ = begin;
    std::size_t done = 0;
    bool over = false;
    if (listed) {
      for (auto const* transfer : known->second) {
        add(attempt, *transfer, done);
        done += transfer->succeeded ? 1 : 0;
        over = !transfer->succeeded;
      }
    }
    if (!over) rest(attempt, done, listed);
  }

 private:
  TransferTry blank(AttemptRecord const& attempt) {
    TransferTry one;
    one.job = attempt.job;
    one.attempt = attempt.number;
    one.site = attempt.site;
    one.cache = no_cache;
    one.times_known = attempt.times_known;
    std::string const node = attempt.slot_known ? pilot_of(history_.slots[attempt.slot])
                                                : history_.sites[attempt.site.index()];
    one.node = number_of(records_.nodes, nodes_, node);
    return one;
  }

  Bytes size_of(AttemptRecord const& attempt, std::size_t url) const {
    auto const& sizes = sizes_[attempt.job.index()];
    return url < sizes.size() ? sizes[url] : Bytes();
  }

  // A URL from an ad.
  void add(AttemptRecord const& attempt, history::UrlTransfer const& transfer, std::size_t done) {
    double seconds = transfer.duration.value();
    bool const timed = seconds > 0;
    if (!timed) seconds = (transfer.end - transfer.start).value();
    double const tick = records_.tick > 0.5 ? 1 : 0;
    double const low = std::max(transfer.start.value(), transfer.end.value() - seconds);
    double const high =
        std::min(transfer.start.value() + tick, transfer.end.value() + tick - seconds);
    Seconds at = std::max(Seconds((low + std::max(low, high)) / 2), now_);
    TransferTry one = blank(attempt);
    one.url = transfer.url;
    one.bytes =
        transfer.succeeded && transfer.size > Bytes() ? transfer.size : size_of(attempt, done);
    one.timed = timed;
    if (transfer.tries.empty()) {
      one.start = at;
      one.end = at + Seconds(seconds);
      one.end_kind = transfer.succeeded    ? TransferEnd::arrived
                     : input_hung(attempt) ? TransferEnd::hung
                                           : TransferEnd::failed;
      records_.tries.push_back(one);
      now_ = one.end;
      return;
    }
    for (history::CacheTry const& each : transfer.tries) {
      one.start = at;
      one.end = at = at + each.duration;
      one.cache = each.cache;
      one.first_byte = each.first_byte;
      one.timed = each.duration > Seconds();
      one.end_kind = end_of(each.end);
      one.no_byte = each.end != history::TryEnd::arrived && each.bytes <= Bytes();
      records_.tries.push_back(one);
      ++one.before;
    }
    now_ = at;
  }

  static TransferEnd end_of(history::TryEnd end) {
    switch (end) {
      case history::TryEnd::arrived:
        return TransferEnd::arrived;
      case history::TryEnd::stalled:
      case history::TryEnd::slow:
        return TransferEnd::by_client;
      default:
        return TransferEnd::failed;
    }
  }

  // The part of an attempt that ads omit: the URLs from `done` on, as a whole.
  void rest(AttemptRecord const& attempt, std::size_t done, bool listed) {
    auto const& sizes = sizes_[attempt.job.index()];
    if (listed && (attempt.executing || done >= sizes.size())) return;
    TransferTry one = blank(attempt);
    one.urls =
        static_cast<int>(std::max<std::size_t>(1, sizes.size() - std::min(done, sizes.size())));
    for (std::size_t i = done; i < sizes.size(); ++i) one.bytes = one.bytes + sizes[i];
    one.start = now_;
    if (attempt.executing) {
      one.end = attempt.input_finished.value_or(*attempt.executing);
    } else {
      one.end = attempt.disconnections.empty() ? attempt.end : attempt.disconnections.front().at;
      one.end_kind = end_of(attempt);
      // Nothing was transferred yet, or it failed before.
      if (!attempt.input_started && !input_failed(attempt) && !input_hung(attempt)) return;
    }
    if (one.end < one.start) return;
    records_.tries.push_back(one);
  }

  // A hold in words of a stalled transfer is its client's: the starter's timer ends an attempt, and
  // the job is idle again.
  static TransferEnd end_of(AttemptRecord const& attempt) {
    bool const stalled = attempt.reason == history::Reason::transfer_stalled;
    if (stalled && attempt.end_kind != history::EventKind::held) return TransferEnd::by_timer;
    if (input_failed(attempt)) return TransferEnd::failed;
    return input_hung(attempt) ? TransferEnd::hung : TransferEnd::cut;
  }

  history::JobHistory const& history_;
  Downloads downloads_;
  std::vector<std::vector<Bytes>> sizes_;
  TransferRecords& records_;
  std::map<std::string, std::uint32_t> nodes_;
  Seconds now_;
};

/// The first cache of each site, as far as ads name it; no_cache elsewhere.
std::vector<std::uint32_t> first_caches(TransferRecords const& records, std::size_t sites) {
  std::vector<std::map<std::uint32_t, std::size_t>> counts(sites);
  for (TransferTry const& one : records.tries) {
    if (one.cache != no_cache && one.before == 0) ++counts[one.site.index()][one.cache];
  }
  std::vector<std::uint32_t> first(sites, no_cache);
  for (std::size_t s = 0; s < sites; ++s) {
    auto const most =
        std::ranges::max_element(counts[s], [](auto& a, auto& b) { return a.second < b.second; });
    if (most != counts[s].end()) first[s] = most->first;
  }
  return first;
}

std::uint32_t stated_cache(TransferRecords& records, std::string const& name) {
  for (std::size_t i = 0; i < records.caches.size(); ++i) {
    if (same_cache(records.caches[i], name)) return static_cast<std::uint32_t>(i);
  }
  records.caches.push_back(name);
  return static_cast<std::uint32_t>(records.caches.size() - 1);
}

void fill_caches(history::JobHistory const& history, CacheLists const& stated,
                 TransferRecords& records) {
  auto first = first_caches(records, history.sites.size());
  std::vector<bool> listed(history.sites.size(), false);
  for (std::size_t s = 0; s < history.sites.size(); ++s) {
    auto const list = stated.find(history.sites[s]);
    if (list == stated.end() || list->second.empty()) continue;
    first[s] = stated_cache(records, list->second.front());
    listed[s] = true;
  }
  for (TransferTry& one : records.tries) {
    if (one.cache != no_cache) continue;
    std::size_t const s = one.site.index();
    if (first[s] == no_cache) {
      first[s] = static_cast<std::uint32_t>(records.caches.size());
      records.caches.push_back("the cache of " + history.sites[s]);
    }
    one.cache = first[s];
    records.assumed_caches += listed[s] ? 0 : 1;
  }
}

/// The director also offers a site the caches that other sites used. The most used ones come first.
void add_other_caches(CacheLists& lists, CacheLists const& stated,
                      std::map<std::string, double> const& tries) {
  std::vector<std::pair<double, std::string>> others;
  for (auto const& [cache, count] : tries) others.emplace_back(-count, cache);
  std::ranges::sort(others);
  for (auto& [site, caches] : lists) {
    if (stated.contains(site)) continue;
    for (auto const& [count, cache] : others) {
      if (!contains(caches, cache)) caches.push_back(cache);
    }
  }
}

}  // namespace

TransferRecords make_transfer_records(history::JobHistory const& history,
                                      AttemptRecords const& attempts,
                                      std::vector<Bytes> const& usual, CacheLists const& stated) {
  TransferRecords records;
  records.tick = attempts.tick;
  TransferFollower follower(history, usual, records);
  for (AttemptRecord const& attempt : attempts.attempts) follower.add(attempt);
  fill_caches(history, stated, records);
  std::ranges::stable_sort(records.tries, {}, &TransferTry::start);
  return records;
}

CacheLists caches_in_order(history::JobHistory const& history, TransferRecords const& records,
                           CacheLists const& stated) {
  struct CacheUse {
    double before = 0, tries = 0;
  };
  std::map<std::string, double> tries;
  std::map<std::string, std::map<std::uint32_t, CacheUse>> sites;
  for (TransferTry const& one : records.tries) {
    if (one.cache >= history.caches.size()) continue;  // a name of our own
    CacheUse& use = sites[history.sites[one.site.index()]][one.cache];
    use.before += one.before;
    ++use.tries;
    ++tries[records.caches[one.cache]];
  }
  CacheLists lists = stated;
  for (auto const& [site, caches] : sites) {
    if (lists.contains(site)) continue;
    std::vector<std::pair<double, std::uint32_t>> order;
    for (auto const& [cache, use] : caches) order.emplace_back(use.before / use.tries, cache);
    std::ranges::sort(order);
    for (auto const& [place, cache] : order) lists[site].push_back(records.caches[cache]);
  }
  add_other_caches(lists, stated, tries);
  return lists;
}

}  // namespace gridcast::calibration
