// Input transfers of event logs as flat records for the fits: the job, the URL, the site and the
// time, the cache, and the end of the transfer. A record is one try at one cache where ads list the
// tries (JobHistory::transfers), else one URL, else the whole run of the plugin, for which a log
// gives only the start and the end.
//
// The cache of a try is known from ads. If an attempt left no ad (the stall timer ended it, or an
// eviction), its cache is the first of its site's list. That list is the stated one, else it starts
// with the first cache of the site's other tries, else it has one cache for each site, and the
// calibration notes the assumption.
//
// Stamps of a log and of ads are whole seconds, durations in ads are finer: a URL with stamps S and
// E and duration d began between max(S, E - d) and min(S + 1, E + 1 - d), and the middle is taken.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "calibration/records/attempt_record.hpp"

namespace gridcast::calibration {

enum class TransferEnd : std::uint8_t {
  arrived,
  by_timer,   // the starter's stall timer ended the attempt: dead or only too long, unknown
  by_client,  // the client gave up this try: no byte for as long as it waits
  failed,     // refused, reset, not found: it is over; its full duration is unknown
  hung,       // the plugin's lifetime ended it
  cut,        // the slot was lost meanwhile: evicted, pilot ended, contact lost, or the log ends
};

struct TransferTry {
  Id<history::Job> job;
  std::uint32_t attempt = 0;
  Id<history::Site> site;
  std::uint32_t node = 0;                           // TransferRecords::nodes
  std::uint32_t cache = 0;                          // TransferRecords::caches
  std::optional<std::uint32_t> url = std::nullopt;  // JobHistory::urls, where an ad has it
  Seconds start, end;
  std::optional<Seconds> first_byte;  // after the start, where an ad has it
  Bytes bytes;                        // that it was to bring; zero where unknown
  int urls = 1;                       // more than one: only the sum is known
  int before = 0;                     // tries of the same URL at other caches
  bool times_known = true;  // false: it arrived at an unknown time (AttemptRecord::times_known)
  bool timed = false;       // its duration is known to less than a tick (from an ad)
  bool no_byte = false;     // an ad reports that nothing came
  double load = 1;          // on its link; a try whose bytes flow all the time: 1
  TransferEnd end_kind = TransferEnd::arrived;

  Seconds duration() const { return end - start; }
};

/// The caches of each site, in order of use; sites that are not in it: as the record shows.
using CacheLists = std::map<std::string, std::vector<std::string>>;

struct TransferRecords {
  std::vector<TransferTry> tries;  // ordered by start
  std::vector<std::string> nodes;  // startds
  std::vector<std::string> caches;
  std::size_t assumed_caches = 0;  // tries whose cache is the first of an unstated list
  std::size_t without_site = 0;    // attempts that transferred at a site that the log does not name
  double tick = 1;
};

/// Sizes of the URLs of each job, in order: by its own ads, else `usual`.
TransferRecords make_transfer_records(history::JobHistory const& history,
                                      AttemptRecords const& records,
                                      std::vector<Bytes> const& usual, CacheLists const& stated);

/// The caches of each site in order of use: as stated, else as its tries show them, the first cache
/// first, and then the caches of other sites. Sites whose caches no ad names are left out.
CacheLists caches_in_order(history::JobHistory const& history, TransferRecords const& records,
                           CacheLists const& stated);

}  // namespace gridcast::calibration
