// The ads' facts of jobs: condor_history and condor_q (one ad a job), and the epoch history
// (condor_history -epochs, one ad an attempt and one for each of its transfers), which alone has
// dates of attempts that never executed and of each URL. HTCondor manual, "Job ClassAd Attributes";
// condor_history(1).
//
// Ads keep values of former attempts, and now and then values that were never set. An attempt's
// date before its start or after its end, and a duration longer than the attempt, is dropped and
// counted.
//
// Transfers: the epoch history's INPUT, OUTPUT and CHECKPOINT ads hold the result ads of the
// transfer plugin, an element of InputPluginResultList for each URL. Pelican's plugin adds
// DeveloperData, with the tries at one cache after the other: Attempts, Endpoint0, TransferTime0,
// TransferFileBytes0, TimeToFirstByte0, TransferError0 and so on (Pelican, cmd/plugin.go). Times
// are the execution point's, in Unix seconds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/classad/expression.hpp"
#include "sim/condor/log/read_log.hpp"
#include "sim/history/job_history.hpp"

namespace gridcast::condor {

struct TextAd;

struct CacheTryAd {
  std::string endpoint, error;  // host and port; the client's message, empty if all went well
  Seconds duration;
  Bytes bytes;
  std::optional<Seconds> first_byte;
};

/// One URL of one attempt.
struct UrlTransferAd {
  std::uint32_t attempt = 0;  // NumShadowStarts; 0: unknown
  std::string url, error;
  bool upload = false, succeeded = false;
  std::int64_t start = 0, end = 0;  // by the execution point's clock
  Seconds duration;
  Bytes size;
  std::vector<CacheTryAd> tries = {};
};

/// False, if it has no URL or no possible time.
bool read_transfer(classad::Ad const& ad, UrlTransferAd& into);

/// Unix seconds. Ads write 0 or -1 for "not yet".
using UnixDate = std::optional<std::int64_t>;

/// One attempt: the life of one shadow.
struct AttemptAdFacts {
  std::uint32_t number = 0;  // NumShadowStarts, from 1; 0: unknown
  UnixDate start;            // JobCurrentStartDate: the claim's activation
  UnixDate shadow_start;     // ShadowBday; later than `start` if it took over a running job
  UnixDate end;              // EpochWriteDate
  UnixDate input_queued, input_started, input_finished, executing, output_started, output_finished,
      disconnected;
  std::optional<Seconds> activation, setup, execution, teardown;
  std::optional<int> exit_code, exit_signal;  // if the program ended in this attempt
  std::optional<int> vacate_code, vacate_subcode;
  std::string vacate_reason, host, site;
  std::optional<std::uint32_t> num_holds, num_job_cool_downs;  // before its end
  std::map<std::string, std::uint32_t> num_holds_by_reason = {};
  bool not_held = false;          // at its end, by the count of the next ad, for each vacate code
  history::GpuShare gpus = {};    // that its slot had
  history::ResourceUse use = {};  // without its job's name
  // For attempts that the job's own ad counts only (earlier_ends.cpp):
  bool held = false;         // with the vacate code for the hold's
  bool requeued = false;     // its program ended by itself, and was not done
  bool end_unknown = false;  // not how it ended
  bool summed = false;       // its times are its share of a sum
};

/// Facts of the job as a whole, at the time when the ad was printed. Members are named as the
/// attributes.
struct JobAdFacts {
  UnixDate q_date, job_start_date, job_current_start_date, completion_date, entered_current_status,
      server_time;
  std::optional<int> job_status, last_job_status, exit_code, exit_signal;
  std::optional<int> hold_reason_code, hold_reason_subcode, job_success_exit_code;
  std::string hold_reason, remove_reason;
  std::optional<Seconds> remote_wall_clock_time, last_remote_wall_clock_time, job_lease_duration,
      allowed_execute_duration, allowed_job_duration;
  std::optional<std::uint32_t> num_shadow_starts, num_job_starts, num_job_completions,
      num_job_matches, num_holds, num_job_reconnects, num_job_cool_downs, job_max_retries;
  std::optional<int> last_hold_reason_code, last_hold_reason_subcode;
  std::string last_hold_reason;
  // By HTCondor's names of codes.
  std::map<std::string, std::uint32_t> num_holds_by_reason, num_vacates_by_reason;
  std::string cmd, arguments, transfer_input, last_remote_host, batch_name, dag_node;
  std::string global_job_id, owner, user;
  std::optional<int> request_gpus;
  std::optional<Bytes> fetched;  // by plugins in its last run (TransferInputStats)
  /// HTCondor moves its files, and no TransferOutput lists those to bring back; none: unknown.
  std::optional<bool> outputs_unlisted;
  std::vector<std::string> sites;  // MachineAttrGLIDEIN_ResourceName0 and on: the latest first
  std::vector<std::string> hosts;  // MachineAttrName0 and on, else MachineAttrMachine0
  bool from_epoch = false;         // of an attempt's ad: the job went on
  AttemptAdFacts last = {};        // of the job's own ad: its last attempt, if it has one

  bool has_status(JobStatus status) const { return job_status == static_cast<int>(status); }
  /// Somebody removed it while it was held.
  bool removed_from_hold() const {
    return has_status(JobStatus::removed) && last_job_status == static_cast<int>(JobStatus::held);
  }
};

/// All facts of one job in the ads.
struct AdsOfJob {
  JobAdFacts facts;
  std::vector<AttemptAdFacts> attempts;  // in order
  std::vector<UrlTransferAd> transfers;  // by attempt, then start
  std::size_t file = 0;                  // of JobAds::files, the first with the job itself
};

struct AdsReport {
  LogReport reading;  // bytes, lines, jobs, lines not understood, warnings with their lines
  std::map<std::string, std::size_t> ads_by_type;  // HISTORY, EPOCH, INPUT, OUTPUT, CHECKPOINT, ...
  std::size_t ads_without_ids = 0, values_not_understood = 0, duplicates = 0;
  std::size_t dates_of_others = 0;  // left by a former attempt, or never set
};
/// "209 ads (HISTORY 80, EPOCH 125, ...), 80 jobs, ...", then one line a warning.
std::string to_text(AdsReport const& report);

struct JobAds {
  std::map<JobName, AdsOfJob> jobs;
  std::vector<std::string> files;
  AdsReport report;
};

/// JobLeaseDuration as most of the jobs have it: the pool's JOB_DEFAULT_LEASE_DURATION, unless
/// their submit file sets another. Nothing if no ad has it.
std::optional<Seconds> usual_lease(JobAds const& ads);

/// True if most of the jobs whose ads show it have no list of outputs. Nothing if no ad shows it.
std::optional<bool> usually_unlisted(JobAds const& ads);

/// RequestGPUs as most of the jobs have it. Nothing if no ad has it.
std::optional<int> usual_gpus(JobAds const& ads);

/// Reads the files, plain or gzip, "-" for standard input, as ads of one campaign. InputError for
/// files without ads of jobs, and for files with two jobs of one name.
JobAds read_job_ads(std::vector<std::filesystem::path> const& files);

/// One text; to be called for each, and settle_job_ads after the last.
void add_job_ads(std::string_view text, std::string const& file, JobAds& into);
/// Orders the ads, and takes each repeated fact once.
void settle_job_ads(JobAds& ads);

/// True if two jobs that are called alike are two: submitted at different times, or with different
/// ids. Two access points number their jobs alike, or one whose queue was made anew.
bool are_two_jobs(JobAdFacts const& one, JobAdFacts const& other);

/// The slot's GPUs in an attempt's ad, or in a job's ad for its last one.
history::GpuShare gpus_in(TextAd const& ad);
/// Those of an attempt: as its slot had them, else as many as the job requested; count 0: unknown.
history::GpuShare gpus_of(JobAdFacts const& job, AttemptAdFacts const& attempt);

/// An execution's resources in an ad; its time is the ad's last date. Attributes with a number that
/// no amount can be, such as one of 26 digits, go to `useless` by their place.
history::ResourceUse resource_use_in(TextAd const& ad, std::vector<std::size_t>& useless);

/// Drops values that cannot be the attempt's own; returns their number.
std::size_t drop_values_of_others(AttemptAdFacts& facts);
/// Of the job's own ad: its last attempt lies between its start and the job's present status.
std::size_t drop_values_of_others(JobAdFacts& facts);

/// Values of "machineattrname0", 1, ... as far as they go: of the last attempt, the one before, and
/// so on. The prefix is in lower case.
std::vector<std::string> machine_attributes(TextAd const& ad, std::string_view prefix);
/// The host by attributes other than RemoteHost, which old schedds and some tools leave out.
std::string host_in(TextAd const& ad);
/// The site of the last match, as the submit file had it put into the ad.
std::string site_in(TextAd const& ad);

/// The slot of a RemoteHost, as JobHistory::slots has it: "slot1_2@glidein_1001_1@host", "@host"
/// where a host or an address is all that is given.
std::string slot_of(std::string_view remote_host);

/// "glidein_1001_1" of "slot1_2@glidein_1001_1@host"; the host where no glidein is named; may be
/// empty.
std::string startd_of(std::string_view remote_host);

/// The end of a try, by the client's words. Pelican's since 7.0 (client/errors): "no progress for
/// more than 1m40s after 0 B transferred", "cancelled transfer, too slow".
history::TryEnd try_end(std::string const& error);

}  // namespace gridcast::condor
