// All evidence of a log and its ads on input transfers, as columns: the links (flow_fit.hpp), the
// outages (outage_fit.hpp), and how often a URL fails or hangs.
//
// Limits and capacities have in their draws, besides their posterior, the possible error of the law
// itself: 5 % (sd of the logarithm), an assumption, not a finding.
//
// Failures and hangs are shares of the tries, pooled over sites (partial_pooling.hpp). If an
// attempt failed at an unknown one of k URLs, (k + 1) / 2 were tried on average.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "calibration/fits/estimate.hpp"
#include "calibration/fits/outage_fit.hpp"
#include "calibration/inference/partial_pooling.hpp"
#include "calibration/records/transfer_record.hpp"

namespace gridcast::calibration {

struct UrlInput {
  std::vector<Bytes> sizes;             // of a job's URLs, in order; zero where unknown
  bool assumed = false;                 // the number of URLs is not known: one
  std::vector<std::string> names = {};  // empty where unknown
};

/// The URLs of a job as most have them, from transfers if there are any; else one of unknown size.
UrlInput urls_of(history::JobHistory const& history);

/// A rule that was in force, as the durations of the tries that it ended show it.
struct RuleInForce {
  std::size_t ended = 0;
  Seconds shortest, usual, longest;  // how long they had lasted; the median
  std::size_t longer = 0;            // tries that arrived after longer than that
};
/// They pile up where the starter's stall timer acts.
std::optional<RuleInForce> stall_rule(TransferRecords const& records);
/// The client's own rule, as the tries in ads show it: it gave up connections that brought no byte,
/// and went on to another cache. Nothing where no client went on so.
std::optional<RuleInForce> client_rule(history::JobHistory const& history);

struct TransferFitInput {
  UrlInput urls;
  CacheLists caches;                                  // as stated
  std::optional<Seconds> stall_timer = std::nullopt;  // as stated: when it acts
};

/// Columns latency_s, stream_limit_Bps, rate_sigma, link_capacity_Bps, url_failure and url_hang of
/// every site, url_failed_after, those of outage_fit, and where no URL is known to have come by
/// HTTP http_abort, which is its prior: an answer about direct downloads is then as wide as the
/// prior.
Fit transfer_fit(history::JobHistory const& history, AttemptRecords const& records,
                 TransferFitInput const& input, std::size_t draws, RandomStreams const& streams);

/// The fit's counts of URLs, all sites together: failures and hangs, out of those tried.
struct UrlCounts {
  SiteCount failed, hung;
};
UrlCounts url_counts(history::JobHistory const& history, AttemptRecords const& records,
                     TransferFitInput const& input);

}  // namespace gridcast::calibration
