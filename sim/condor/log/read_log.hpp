// Job event logs of HTCondor (text, JSON, XML; plain or gzip; files or standard input) as job
// events in order, and the warnings about them. HTCondor manual, "Job Event Log Codes"; grammar:
// condor_event.cpp of HTCondor 9 to 25.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/units.hpp"
#include "sim/history/job_history.hpp"

namespace gridcast::condor {

using history::EventKind, history::JobEvent, history::JobHistory, history::JobName;
using history::JobStatus, history::Reason;

struct ReadLogOptions {
  std::optional<int> year;  // for MM/DD dates; else inferred, with a warning
  std::string time_zone;    // of the access point, e.g. "America/Chicago"; empty: UTC, or from the
                            // jobs' ends, which some versions log in UTC as well
};

/// Something a user should know of, with the line where it was first seen and how often.
/// A note needs an action of the user, or the record itself settles it.
enum class Need { action, none };

struct LogWarning {
  Location where;
  std::string what;
  Need need = Need::action;
  std::size_t count = 1;
};

struct LogReport {
  std::size_t bytes = 0, lines = 0, events = 0, jobs = 0;
  std::size_t lines_not_understood = 0;
  std::map<int, std::size_t> events_by_number;
  std::vector<LogWarning> warnings;

  /// Adds another reading, of other jobs.
  LogReport& operator+=(LogReport const& other);
};

/// "120 events, 10 jobs, 0 lines not understood", then one line a warning.
std::string to_text(LogReport const& report);
/// Those lines alone.
std::string warnings_text(LogReport const& report);
/// Those that need an action; without the count if all lines were understood.
std::string actions_text(LogReport const& report);

/// A log's own words on why an attempt ended or a job was held: shown verbatim, and never
/// interpreted, except the job lease, which a log gives in no other way.
struct LoggedWords {
  JobName job;
  EventKind kind;
  Seconds at;  // of the campaign's clock
  std::string text;
};

/// The sums in 004 and 005 of the run that they end; empty where they have none.
struct LoggedRun {
  JobName job;
  Seconds at;  // of the campaign's clock
  std::optional<Bytes> sent = {}, received = {};
};

/// Reads the logs as one campaign. InputError for a file that is no event log at all. "-" is
/// standard input.
struct LoggedHistory {
  JobHistory history = {};
  LogReport report = {};
  std::vector<LoggedWords> words = {};          // of read_logs
  std::vector<LoggedRun> runs = {};             // likewise
  std::vector<history::ResourceUse> uses = {};  // likewise
  history::BytesBySite bytes = {};              // of all runs, also where events are not kept
};
LoggedHistory read_logs(std::vector<std::filesystem::path> const& files,
                        ReadLogOptions const& options = {});

/// A log, or the part of it that is in memory already.
struct LogText {
  std::filesystem::path file;
  std::optional<std::string_view> text = {};
};
/// The same of such parts, which may have no event yet.
LoggedHistory read_texts(std::vector<LogText> const& logs, ReadLogOptions const& options);

/// The same without keeping the events: each goes to `sink` in an order in which every job's own
/// events are in order. The history that is returned has names, no events.
LoggedHistory stream_logs(std::vector<std::filesystem::path> const& files,
                          std::function<void(JobEvent const&)> const& sink,
                          ReadLogOptions const& options = {});

/// A log reader's reports to its user, counted: the same report appears once, with the line where
/// it was first seen.
class LogWarnings {
 public:
  explicit LogWarnings(LogReport& report) : report_(report) {}

  /// Later reports are about this file.
  void in_file(std::string file) { files_.push_back(std::move(file)); }
  /// The number of that file, for later reports.
  std::uint32_t file() const { return static_cast<std::uint32_t>(files_.size() - 1); }

  void add(std::string_view what, std::size_t line, Need need = Need::action) {
    add(what, line, file(), need);
  }
  void add(std::string_view what, std::size_t line, std::uint32_t in_file,
           Need need = Need::action);
  /// A line that no rule fits; `what` names its place.
  void not_understood(std::string_view what, std::size_t line, std::size_t lines = 1);

 private:
  LogReport& report_;
  std::vector<std::string> files_ = {""};
  std::map<std::string, std::size_t, std::less<>> known_;  // indices into the report's warnings
};

/// The warnings of a report that have a place: faults there, and omissions. Ten at the most, and
/// how many more.
std::string problems_text(LogReport const& report);

}  // namespace gridcast::condor
