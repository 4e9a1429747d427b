// The parts that events of HTCondor's job event log are put together from: header, dates,
// addresses, usages, resource table. Builds no strings on the way.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/condor/event_log_options.hpp"
#include "sim/history/job_history.hpp"

namespace gridcast::condor {

/// Where an attempt runs.
struct ExecutionPoint {
  Id<history::Site> site;
  std::uint32_t slot = 0;
};

/// A time of the log's clock, which counts from time zero.
struct LogStamp {
  std::int64_t seconds = 0;
  int milliseconds = 0;
};

class EventLogText {
 public:
  EventLogText(history::JobHistory const& history, std::ostream& out,
               EventLogOptions const& options);

  /// Cut off, not rounded.
  static LogStamp stamp(Seconds at);

  void begin(int number, Id<history::Job> job, LogStamp at);
  void end();
  void flush();

  template <class... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(fmt::appender(buffer_), format, std::forward<Arguments>(arguments)...);
  }

  /// As it is.
  void add_text(std::string_view text) { buffer_.append(text.data(), text.data() + text.size()); }

  /// "2024-08-12T09:00:00", or with a blank for the T; LEGACY dates have no other form here.
  void add_date(std::int64_t at, char separator);
  /// The fraction of a second and the sign of UTC, as far as the options ask for them.
  void add_date_end(LogStamp at);
  /// "1+16:00:00".
  void add_duration(Seconds time);
  /// The slot's name: slot1_1@glidein_SITE_SLOT@HOST, or as the history has it.
  void add_slot(ExecutionPoint const& point);
  /// Of the access point's schedd, the slot's startd, and the starter of a job's n-th attempt.
  void add_schedd();
  void add_startd(ExecutionPoint const& point);
  void add_starter(ExecutionPoint const& point, int attempt);
  /// Between quotes, as a ClassAd has it.
  void add_quoted(std::string_view text);

  // The following write to the end of the line.

  /// Attributes below "Job executing".
  void add_slot_attributes(ExecutionPoint const& point);
  /// One "Usr ..., Sys ...  -  WHAT" line.
  void add_usage(std::int64_t seconds, std::string_view what);
  void add_bytes(std::int64_t received, std::string_view what);
  void add_resources(ExecutionPoint const& point);
  /// Below the resources: "TimeExecute (s)" and the like.
  void add_time_row(std::string_view name, std::int64_t seconds);

  history::JobHistory const& history() const { return history_; }

 private:
  // Numbers as fmt would write them; most of a log is numbers, and reading a format string for each
  // is most of the time that it takes.
  void add_number(std::int64_t number) {
    fmt::format_int const text(number);
    buffer_.append(text.data(), text.data() + text.size());
  }
  void add_digits(std::uint64_t number, std::size_t least);  // zeros in front
  void add_right(std::string_view text, std::size_t width);  // blanks in front
  void add_hex(std::uint32_t number);                        // four digits or more
  void add_clock(std::int64_t seconds_of_day);               // 16:00:00
  std::string resource_row(std::string_view name, std::int64_t amount) const;
  void add_legacy_date(std::int64_t at);
  void add_host(ExecutionPoint const& point);
  void add_endpoint(ExecutionPoint const& point);

  history::JobHistory const& history_;
  std::ostream& out_;
  EventLogOptions const& options_;
  std::chrono::sys_seconds start_;
  std::vector<std::string> hosts_;  // of the sites: their names, as far as a host can have them
  std::vector<std::string> slots_;  // names, if the history has them
  std::int64_t disk_kb_;
  int request_width_, allocated_width_;
  std::string resources_to_gpu_, resources_behind_gpu_;  // the table, the same for all jobs
  std::int64_t day_ = -1;                                // since 1970, of day_text_
  std::array<char, 11> day_text_{};                      // "2024-08-12"
  fmt::memory_buffer buffer_;
};

}  // namespace gridcast::condor
