// Were the first uses of a file at a cache fills from its origin? Event logs with ads tell of each
// URL at which cache it was asked for; the first that arrived there, and what was asked for before
// it had, may have had to wait for the cache's own fetch, as the engine plays it
// (sim/engine/transfer/cache.hpp):
//   T = max(own flow, fill),   fill = exp(sigma z) bytes / F,   z ~ N(0, 1) a fill
// the own flow being that of flow_fit.hpp, and F what one stream from the origin reaches. Against
// it stands that all caches had all files, or had them at once: T = own flow. With f the densities
// of both and P their distribution functions, the first of each file at each cache has
//   f_flow(T) P_fill(T) + f_fill(T) P_flow(T)   against   f_flow(T)
// The product over all of them is averaged over draws of the links from the later uses alone, and
// over
//   ln F ~ N(ln 100 MB/s, 3^2),   ln sigma ~ N(-0.7, 1)
// which gives both evidences but for the same factor. Fills are told of where their probability is
// above 0.95, of one half beforehand; else all uses are alike. Where an ad tells the time to the
// first byte, that counts as latency, and the fill is what comes after it. Where no ad tells URLs
// or sizes nothing is said.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "calibration/fits/estimate.hpp"
#include "calibration/records/transfer_record.hpp"

namespace gridcast::calibration {

struct ColdFills {
  double rate = 0;  // B/s, median
  Interval interval90;
  double sigma = 0;
  std::size_t fills = 0;        // first uses of a file at a cache
  std::size_t tries = 0;        // ... and those that came before the first had arrived
  double log_bayes_factor = 0;  // against none
  std::vector<bool> cold;       // of the tries, in the order of the records
  std::vector<double>
      loads;  // ... what a cold one takes of its link while it lasts, a healthy one being 1
};

/// Nothing where the record does not tell.
std::optional<ColdFills> cold_fills(TransferRecords const& records, std::size_t sites,
                                    RandomStream stream);

/// Marks the tries that waited for fills, so that they are none of the links' and outages'.
void mark_cold(TransferRecords& records, ColdFills const& found);

/// A line of that name, which is in no draw: the pool's file has it.
inline constexpr char const* fill_rate_name = "origin_stream_limit_Bps";
Estimate cold_estimate(ColdFills const& found);

}  // namespace gridcast::calibration
