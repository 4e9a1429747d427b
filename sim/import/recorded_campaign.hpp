// A campaign that took place, from its remaining records: job event logs, the ads of condor_history
// and condor_q, tables of attempts (gridcast.attempts/1 or, with a column map, any other), or
// tables of jobs. The first bytes of a file show its kind; its name does not matter. Logs and ads
// are merged; tables of attempts and logs add up to one history if their jobs are different ones;
// tables of jobs stand alone, as their sums without dates do not add up with dated events.
//
// Records of several campaigns are put on one clock, with sites, slots and GPUs by name. A pipe or
// standard input, which can be read once only, is kept and can then be read like a file: first to
// recognise its kind, then by its reader. It lies in a file without a name in the folder for
// temporary files (TMPDIR), as it came, compressed or not, and is gone with the process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/condor/ads/job_ads.hpp"
#include "sim/condor/log/read_log.hpp"
#include "sim/history/job_history.hpp"
#include "sim/history/job_table.hpp"
#include "sim/import/submit_campaign.hpp"
#include "sim/import/table/column_map.hpp"

namespace gridcast::import {

struct OneRecord {
  history::JobHistory history;
  std::string file;  // by its name
};

/// True if the records' jobs keep apart though they are called alike.
enum class SameNames { refuse, keep_apart };

/// Records that all have dates, or none; InputError otherwise, and, naming both files, for jobs
/// of one name in two records unless they are to keep apart: then the number of the record, from
/// 1, is put before each cluster's: of clusters of up to three digits, 12.0 of the second is
/// 2012.0.
history::JobHistory combined(std::vector<OneRecord> records, SameNames same_names);

// Which ads belong to which log, where several campaigns use the same job numbers: those that date
// the jobs as the log does.

/// True if most of the jobs that both know are the same jobs: submitted at the same time (QDate),
/// or, for ads with transfers alone, transferring within the job's life. Logs are in any time zone:
/// for submissions, the remainder of a quarter of an hour counts, by which zones differ.
bool are_of_log(condor::JobAds const& ads, history::JobHistory const& log);

/// Indices of files of ads, those of one campaign together: most jobs that two of them know are the
/// same jobs (QDate, GlobalJobId). Ads with transfers alone go with those in whose attempts most of
/// them were.
std::vector<std::vector<std::size_t>> campaigns_of_ads(std::vector<condor::JobAds> const& files);

/// The ads' names of the jobs, where the log has none, and their users.
void add_names(history::JobHistory& history, condor::JobAds const& ads);

class SpooledInput {
 public:
  /// InputError if it cannot be opened or read, ResourceError if there is no room for it.
  explicit SpooledInput(std::filesystem::path const& source);

  /// By which it can be opened, any number of times, as long as this lives.
  std::filesystem::path path() const;
  /// "standard input", or the name that was given.
  std::string const& shown() const { return shown_; }

 private:
  std::shared_ptr<int const> file_;  // a descriptor, closed with its last owner
  std::string shown_;
};

/// True if it can be read once only.
bool is_read_once(std::filesystem::path const& source);

enum class RecordKind {
  event_log,      // text, JSON or XML, compressed or not
  ads,            // condor_history, condor_q or epochs: -long, -json, -jsonl, -xml
  job_table,      // CSV, a row a job
  attempt_table,  // CSV, a row an attempt; another table if there is a map for it
};

/// The kind of a record that begins like this (compression undone); `mapped`: there is a column
/// map.
RecordKind kind_of_beginning(std::string_view beginning, std::filesystem::path const& file,
                             bool mapped = false);

/// For a file that is no record but a listing of one (condor_history without -json, sacct without
/// -P), or a dump of another program: its kind, and the file to give instead.
std::optional<Problem> listing_problem(std::string_view beginning,
                                       std::filesystem::path const& file);

/// How records are to be taken.
struct RecordOptions {
  std::string columns = {};  // a column map, or the name of a shipped one; empty: none
  SameNames same_names = SameNames::refuse;
};

/// The files of one campaign, by kind.
struct CampaignFiles {
  std::vector<std::filesystem::path> logs = {}, ads = {}, tables = {}, attempts = {};
  std::optional<ColumnMap> columns = {};
  SameNames same_names = SameNames::refuse;
  std::vector<SpooledInput> spooled = {};  // of pipes; their paths are among those above
  std::string notes = {};                  // lines on files that are not read

  /// Nothing but event logs, of one campaign.
  bool logs_alone() const {
    return ads.empty() && tables.empty() && attempts.empty() && same_names == SameNames::refuse;
  }
};

/// InputError for all that cannot be opened, for listings, and for job tables among other
/// records.
CampaignFiles sort_by_kind(std::vector<std::filesystem::path> const& files,
                           RecordOptions const& options = {});

/// A campaign as all its records show it together.
struct RecordedCampaign : condor::LoggedHistory {
  history::JobTable table = {};  // of tables: their rows
  condor::JobAds ads = {};       // of ads: the facts of each
  /// Clusters of each campaign, where logs are of several: those that share a cluster are of one.
  std::vector<std::set<std::uint32_t>> campaigns = {};
  /// Reports of the reading for the user, in lines; empty where there was nothing to read.
  std::string log_report = {}, ads_report = {}, merge_report = {}, table_report = {};
  /// The lines of log_report that need an action of the user.
  std::string log_actions = {};
  /// Lines on omissions, which are always printed, and on guesses.
  std::string notes = {}, guesses = {};
  /// Faults at a place in a file, from the reports of logs and ads.
  std::string problems = {};
};

/// JobLeaseDuration of the jobs: as most ads have it, else as in a log where a job was lost
/// ("JobLeaseDuration (60 seconds) expired"). Nothing where neither has it.
std::optional<Seconds> usual_lease(RecordedCampaign const& campaign);

/// Names that are no UTF-8, or hold characters that a terminal obeys, with these bytes spelled out
/// ("\\xc3"): they are then the same in calibrations, JSON and pages. Returns a line about it, if
/// there were any.
std::string spell_out_names(RecordedCampaign& campaign);

/// InputError for a file of another kind.
RecordedCampaign open_campaign(CampaignFiles const& files,
                               condor::ReadLogOptions const& options = {});

/// For event logs alone, without keeping the events, as a log may be larger than memory: each goes
/// to `sink`, and the history has names only.
RecordedCampaign stream_campaign(CampaignFiles const& files, condor::ReadLogOptions const& options,
                                 std::function<void(history::JobEvent const&)> const& sink);

// Input of a recorded campaign's jobs: the number of URLs, their names and their sizes. Ads of
// single transfers show it; without them TransferInput names the URLs, and sums of bytes give their
// total.

/// URLs of the attempt that fetched most of them; else those of most jobs' TransferInput.
std::vector<std::string> fetched_urls(RecordedCampaign const& campaign,
                                      history::JobHistory const& history);

/// Median of the input of a job in total: by the ads' sums of fetched bytes, else the bytes that
/// executions received (004 and 005). Zero if unknown.
Bytes usual_input(RecordedCampaign const& campaign, history::JobHistory const& history);

/// Sizes of URLs as the record's own transfers show them, the largest that arrived; and the total
/// of all others, where that is known.
KnownSizes known_sizes(RecordedCampaign const& campaign, history::JobHistory const& history);

/// The size of each URL: as known or as in the URL itself, else its share of the remaining total;
/// zero where unknown.
std::vector<Bytes> sizes_of(std::vector<std::string> const& urls, KnownSizes const& known);

/// The use of resources by executions, from logs and ads, by job and time; a use that a log and
/// ads both contain is there twice.
std::vector<history::ResourceUse> resource_uses(RecordedCampaign const& campaign);

// Some of a record's jobs: those that a ClassAd expression holds for, and those submitted in a
// time. Attributes that the expression can name, as far as the record has them:
//   ClusterId, ProcId          the job's name
//   GlobalJobId                its name in a table, if not cluster.proc
//   QDate                      its submission, Unix seconds
//   DAGNodeName, JobBatchName, Cmd, Args
//   NumShadowStarts, NumJobStarts, NumHolds
//   ExitCode, JobStatus        of its end (4 completed, 3 removed, 5 held, 1 otherwise)
//   GLIDEIN_ResourceName, GPUs, DeviceName   of its last execution
//   RemoteWallClockTime        seconds in slots
//   RequestMemory, MemoryUsage (MB), RequestDisk, DiskUsage (KB), RequestCpus, RequestGPUs
//                              of its executions, the highest

struct RecordFilter {
  std::string where = {};              // ClassAd expression; empty: all
  std::string since = {}, until = {};  // 2025-11-05, or 2025-11-05T20:00:00, of the record's clock
  bool is_empty() const { return where.empty() && since.empty() && until.empty(); }
};

struct FilteredRecord {
  history::JobHistory history;
  std::size_t left_out = 0;  // jobs
};

/// `uses`: resource_uses() of the record. InputError for an invalid expression or date, for names
/// that no job has, and if no job is left.
FilteredRecord filtered(history::JobHistory history, RecordFilter const& filter,
                        std::vector<history::ResourceUse> const& uses = {});

}  // namespace gridcast::import
