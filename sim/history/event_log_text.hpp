// The parts that events of HTCondor's job event log are put together from: header, usages, resource
// table, addresses, and the reasons in HTCondor's own words. Builds no strings on the way.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "sim/history/event_log_writer.hpp"

namespace gridcast {

/// Where an attempt runs.
struct ExecutionPoint {
  Id<Site> site;
  std::uint32_t slot = 0;
};

class EventLogText {
 public:
  EventLogText(JobHistory const& history, std::ostream& out, EventLogOptions const& options);

  /// Seconds of the log's clock: whole, cut off.
  static std::int64_t stamp(Seconds at);

  void begin(int number, Id<Job> job, std::int64_t at);
  void end();
  void flush();

  template <class... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(buffer_), format, std::forward<Arguments>(arguments)...);
  }

  /// "2024-08-12T09:00:00", or with a blank for the T.
  void add_date(std::int64_t at, char separator);
  /// The slot's name: slot1_1@glidein_SITE_SLOT@RESOURCE.
  void add_slot(ExecutionPoint const& point);

  // The following write to the end of the line.

  void add_address(ExecutionPoint const& point);
  /// Attributes below "Job executing".
  void add_slot_attributes(ExecutionPoint const& point);
  /// One "Usr ..., Sys ...  -  WHAT" line.
  void add_usage(std::int64_t seconds, std::string_view what);
  void add_bytes(std::int64_t received, std::string_view what);
  void add_resources(ExecutionPoint const& point);
  /// Below the resources: "TimeExecute (s)" and the like.
  void add_time_row(std::string_view name, std::int64_t seconds);

  /// Why an attempt ended or a job was held. `elapsed`: seconds since the transfer began.
  void add_reason(Reason reason, ExecutionPoint const& point, std::int64_t elapsed);
  /// Somebody typed `command`, or (Reason::policy) the job's `expression` did it.
  void add_decision(Reason reason, std::string_view command, std::string_view expression);

 private:
  void add_transfer_reason(Reason reason, ExecutionPoint const& point, std::int64_t elapsed);
  void add_starter_error(ExecutionPoint const& point);
  void add_transfer_failure(ExecutionPoint const& point, std::string_view protocol);
  void add_resource_row(std::string_view name, std::int64_t amount);
  void add_duration(Seconds time);

  JobHistory const& history_;
  std::ostream& out_;
  EventLogOptions const& options_;
  std::string_view protocol_;  // of the input's URL
  std::int64_t disk_kb_;
  int request_width_, allocated_width_;
  fmt::memory_buffer buffer_;
};

}  // namespace gridcast
