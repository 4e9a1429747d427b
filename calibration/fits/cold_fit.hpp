// Were the first uses of a file at a cache fills from its origin? Event logs with ads name the
// cache of each URL. The first try that arrived there, and tries that began before, may have
// had to wait for the cache's own fetch, as the engine simulates it
// (sim/engine/transfer/cache.hpp):
//   T = max(own flow, fill),   fill = exp(sigma z) bytes / F,   z ~ N(0, 1) a fill
// where the own flow is that of flow_fit.hpp, and F the rate of one stream from the origin. The
// alternative is that all caches had all files, or had them at once: T = own flow. Let f be the
// densities of both and P their distribution functions. The first use of each file at each cache
// has
//   f_flow(T) P_fill(T) + f_fill(T) P_flow(T)   against   f_flow(T)
// The product over all of them is averaged over draws of the links from the later uses alone, and
// over
//   ln F ~ N(ln 100 MB/s, 3^2),   ln sigma ~ N(-0.7, 1)
// which gives both evidences, up to one factor. Fills are accepted where their probability is
// above 0.95, with a prior of one half; else all uses are alike. Where an ad has the time to the
// first byte, that counts as latency, and the fill comes after it. Without ads of URLs or sizes
// there is no result.
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
      loads;  // ... share of its link that a cold one takes while it lasts, a healthy one being 1
};

/// Nothing where the record has no evidence.
std::optional<ColdFills> cold_fills(TransferRecords const& records, std::size_t sites,
                                    RandomStream stream);

/// Marks the tries that waited for fills, to exclude them from the links' and outages' evidence.
void mark_cold(TransferRecords& records, ColdFills const& found);

/// A line of that name, which is in no draw: the pool's file has it.
inline constexpr char const* fill_rate_name = "origin_stream_limit_Bps";
Estimate cold_estimate(ColdFills const& found);

}  // namespace gridcast::calibration
