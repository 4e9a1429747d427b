// What a log and ads tell of the same jobs, put together, each fact from its better source:
//   log  order of events, holds, releases, checkpoints, lost contact; what happened when
//   ads  the access point's clock against UTC (QDate is Unix time, a log's dates are local and
//        without zone); when a claim was activated (JobCurrentStartDate, before the log's first
//        sign of an attempt); sites of attempts that never executed; attempts of which the log
//        shows nothing; ends that came after the log was copied; each URL's transfer
// Where both tell a thing differently, the log counts and the conflict is reported.
// Left out: jobs that the log does not name.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/condor/job_ads.hpp"
#include "sim/condor/read_log.hpp"

namespace gridcast::condor {

struct MergeConflict {
  history::JobName job;
  std::string what;  // "the log says ..., the ads say ..."
};

struct MergeReport {
  std::size_t jobs_in_both = 0, jobs_only_in_log = 0, jobs_only_in_ads = 0;
  std::size_t attempts_in_both = 0, attempts_only_in_log = 0, attempts_from_ads = 0;
  std::size_t attempts_of_no_ad = 0;  // counted by the ads, but told of nowhere
  std::size_t starts_moved = 0;       // attempts that began before the log says so
  std::size_t sites_from_ads = 0, ends_from_ads = 0;
  std::size_t releases_not_dated = 0;
  std::size_t transfers = 0, transfers_of_no_attempt = 0;
  std::optional<Seconds> clock_offset;  // added to the log's clock to make it UTC
  std::vector<std::string> remarks;
  std::vector<MergeConflict> conflicts;
};
/// A line for each thing to be said; conflicts one by one.
std::string to_text(MergeReport const& report);

/// UrlTransfer::attempt counts the job's attempts in the history, from 1: NumShadowStarts, except
/// where a shadow took over a running job after its access point had been restarted.
LoggedHistory merge(LoggedHistory log, JobAds const& ads, MergeReport& report);

/// Without a log: an attempt for each EPOCH ad. Not known then, and said in the report: when a job
/// was released (at the latest when it was next matched, and so it is told), checkpoints and
/// suspensions, and attempts without an ad. InputError without a dated job.
history::JobHistory history_from_ads(JobAds const& ads, MergeReport& report);

}  // namespace gridcast::condor
