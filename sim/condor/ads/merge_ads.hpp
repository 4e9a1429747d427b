// A log and ads of the same jobs, put together, each fact from its better source:
//   log  order of events, holds, releases, checkpoints, lost contact; times of events
//   ads  the access point's clock against UTC (QDate is Unix time, a log's dates are local and
//        without zone); when a claim was activated (JobCurrentStartDate, before the log's first
//        sign of an attempt); sites of attempts that never executed; attempts that the log does not
//        show; ends that came after the log was copied; each URL's transfer
// If both have a fact and differ, the log counts and the conflict is reported. Left out: jobs that
// the log does not name.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/condor/ads/job_ads.hpp"
#include "sim/condor/log/read_log.hpp"
#include "sim/history/job_history.hpp"

namespace gridcast::condor {

struct MergeReport {
  std::size_t jobs_in_both = 0, jobs_only_in_log = 0, jobs_only_in_ads = 0;
  std::size_t attempts_in_both = 0, attempts_only_in_log = 0, attempts_from_ads = 0;
  std::size_t attempts_of_no_ad = 0;  // counted by the ads, but recorded nowhere
  std::size_t starts_moved = 0;       // attempts that began before the log shows it
  std::size_t sites_from_ads = 0, ends_from_ads = 0;
  std::size_t releases_not_dated = 0;
  std::size_t transfers = 0, transfers_of_no_attempt = 0;
  std::optional<Seconds> clock_offset;  // added to the log's clock to make it UTC
  std::vector<std::string> remarks;
  std::vector<std::string> guesses;    // assumptions beyond the ads
  std::vector<std::string> conflicts;  // "12.0: the log has ..., the ads have ..."
};
/// A line for each fact to be reported; conflicts one by one.
std::string to_text(MergeReport const& report);

/// UrlTransfer::attempt counts the job's attempts in the history, from 1: NumShadowStarts, except
/// where a shadow took over a running job after its access point had been restarted.
LoggedHistory merge(LoggedHistory log, JobAds const& ads, MergeReport& report);

}  // namespace gridcast::condor
