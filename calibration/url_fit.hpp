// What fetching a URL takes at each site, and how often it fails or hangs (docs/calibration.md):
//   time = median_s * (bytes / reference)^exponent * exp(sigma_s z)
// median_s and sigma_s are partially pooled: their logarithms are normal between sites. Where ads
// give each URL's own time, that is what counts; else only the time of all of them is known, from
// stamps of a second, and its likelihood is that of a rounded sum. Transfers that an eviction cut
// short lasted longer. A URL that fails does so after a share of its time, fitted from those.
#pragma once

#include <cstddef>
#include <vector>

#include "calibration/attempt_record.hpp"
#include "calibration/estimate.hpp"
#include "calibration/posterior.hpp"

namespace gridcast::calibration {

struct UrlInput {
  std::vector<Bytes> sizes;  // of a job's URLs, in order; zero where unknown
  bool assumed = false;      // nobody said how many URLs there are: one
};

/// The URLs of a job, from transfers if there are any; else one of unknown size.
UrlInput urls_of(history::JobHistory const& history);

Fit url_fit(history::JobHistory const& history, AttemptRecords const& records,
            UrlInput const& input, std::size_t draws, RandomStreams const& streams);

}  // namespace gridcast::calibration
