// What it costs one reader to get one sample: reads, opens, bytes, and the time these take.
//
//   a read of z bytes   overhead + (latency + z / rate(z)) / (1 + read-ahead)
//   rate(z)             stream bandwidth x stripes that z covers: clamp(z / stripe size, 1,
//   stripes) an open             its latency + the library's overhead; samples of a file share one
//   reads of a sample   size / transfer size, whole ones unless reads run on across samples
// A share of the reads may be done twice: prefetched, dropped, and read again when wanted. A sample
// in the page cache costs the library's overhead and a copy.
//
// Left out: locks of shared files, metadata servers that slow down under load.
#pragma once

#include "sim/base/units.hpp"
#include "sim/training/setup.hpp"

namespace gridcast::training {

/// A copy out of the page cache by one thread; assumed.
inline constexpr BytesPerSecond memory_copy(5e9);

struct ReadCost {
  double reads = 0;
  double opens = 0;
  Bytes size;   // of one read
  Bytes bytes;  // of all reads
  Seconds io;   // in calls
  Seconds decode;
  Seconds total() const { return io + decode; }
};

/// How long one read of that size takes on a store that nobody else uses.
Seconds read_time(scenario::StorageSpec const& storage, scenario::ReaderSpec const& reader,
                  Bytes size);

/// Of one sample, a share `cached` of which comes from the page cache.
ReadCost sample_cost(TrainingSetup const& setup, scenario::StorageSpec const& storage,
                     double cached);

/// What one rank gets of the store's bandwidth when all read; infinite where nothing is shared.
BytesPerSecond rank_share(TrainingSetup const& setup, scenario::StorageSpec const& storage);

/// Share of an epoch's reads (from 1) that the page cache answers. In the same order again and
/// again, least recently used gives nothing unless all fits; in random order it gives what it
/// holds, once that has been read.
double cached_share(TrainingSetup const& setup, int epoch);

}  // namespace gridcast::training
