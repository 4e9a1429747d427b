// What fetching a URL takes at each site, in seconds, and how often it fails or hangs:
//   ln time = mu_s + exponent x ln(bytes / reference) + sigma_s z,   z ~ N(0, 1)
// url_median_s = exp(mu_s); the reference is the geometric mean of the sizes. Medians and sigmas are
// partially pooled (Gelman et al., Bayesian Data Analysis, ch. 5), with unit half-normal spreads:
//   mu_s ~ N(M, tau_M^2), M ~ N(0, 20^2);   ln sigma_s ~ N(L, tau_L^2), L ~ N(-0.7, 1)
//   tau_M half-normal(1), tau_L half-normal(1/2)
// The likelihood, of what is known of an attempt:
//   a URL's own time in the ads    normal in its logarithm
//   only the sum of several        P(d) of a rounded duration (likelihood.hpp), the sum as the
//                                  lognormal of the same mean and variance (Fenton 1960)
//   cut short by an eviction       P(sum > c)
//   a URL that failed              took the share `url_failed_after` of its time, prior Beta(2, 2)
// A sum has a setup in it that is none of a URL's: zero with prior one half, else flat up to the
// shortest sum. The exponent is the share of a typical time that is bandwidth, the rest being latency:
// log-uniform from that of 1 GB/s to 1.
//
// Failures and hangs are shares of the URLs tried, pooled over sites (partial_pooling.hpp). Of an
// attempt that failed at one of k URLs, nobody says which, (k + 1) / 2 were tried on average.
#pragma once

#include <cstddef>
#include <vector>

#include "calibration/fits/estimate.hpp"
#include "calibration/records/attempt_record.hpp"

namespace gridcast::calibration {

struct UrlInput {
  std::vector<Bytes> sizes;  // of a job's URLs, in order; zero where unknown
  bool assumed = false;      // nobody said how many URLs there are: one
};

/// The URLs of a job, from transfers if there are any; else one of unknown size.
UrlInput urls_of(history::JobHistory const& history);

/// Columns url_median_s, url_sigma, url_failure, url_hang of every site, and url_exponent,
/// url_failed_after, url_reference_B.
Fit url_fit(history::JobHistory const& history, AttemptRecords const& records,
            UrlInput const& input, std::size_t draws, RandomStreams const& streams);

}  // namespace gridcast::calibration
