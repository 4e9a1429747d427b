// The transfers of a history as the likelihood of their times wants them.
#pragma once

#include <vector>

#include "calibration/attempt_record.hpp"
#include "calibration/url_fit.hpp"

namespace gridcast::calibration {

/// One URL with a time of its own: failed ones took a share of it.
struct UrlTime {
  double log_time = 0;
  double log_size = 0;  // of bytes / reference
  bool failed = false;
};

/// Several URLs of which only the sum is known, or that it is longer.
struct UrlSum {
  double seconds = 0;
  std::size_t first = 0, last = 0;  // positions among the job's URLs, `last` not included
  enum class End { arrived, longer } end = End::arrived;
  double times = 1;  // as often
};

struct SiteUrls {
  std::vector<UrlTime> urls;
  std::vector<UrlSum> sums;
  double tried = 0, failed = 0, hung = 0;  // URLs; those of unknown position by expectation
};

struct UrlTimes {
  std::vector<SiteUrls> sites;  // as JobHistory::sites
  double reference = 1;         // bytes; geometric mean of the sizes
  std::vector<double> log_sizes;
  std::size_t failed_without_site = 0;
  double tick = 1;
  double setup = 0;  // of sums: seconds that are none of a URL's
};

UrlTimes url_times(history::JobHistory const& history, AttemptRecords const& records,
                   UrlInput const& input);

}  // namespace gridcast::calibration
