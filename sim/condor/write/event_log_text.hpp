// The parts that events of HTCondor's job event log are put together from: header, dates,
// addresses, usages, resource table, and why an attempt ended or a job was held, in HTCondor's own
// words and codes. Builds no strings on the way.
// HTCondor manual, "Job Event Log Codes"; wording: condor_event.cpp, and the schedd, shadow,
// starter and transfer plugins.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "sim/condor/write/event_log_writer.hpp"
#include "sim/history/job_history.hpp"

namespace gridcast::condor {

/// Place of an attempt.
struct SiteSlot {
  Id<history::Site> site;
  std::uint32_t slot = 0;
  std::uint32_t pilot = 0;  // how many pilots held the slot before
};

/// A time of the log's clock, which counts from time zero.
struct LogStamp {
  std::int64_t seconds = 0;
  int milliseconds = 0;
};

// Parts of an event that are more than a text or a whole number.

/// slot1_K@glidein_SITE_PLACE@HOST, the K-th slot of the first pilot in that place, and
/// glidein_SITE_PLACE_N after N others there; or as the history has it.
struct SlotName {
  SiteSlot of;
};
/// Addresses: of the access point's schedd, the pilot's startd, the starter of a job's n-th
/// attempt.
struct ScheddAddress {};
struct StartdAddress {
  SiteSlot of;
};
struct StarterAddress {
  SiteSlot of;
  int attempt = 0;
};
/// Between quotes, as a ClassAd has it.
struct Quoted {
  std::string_view text;
};
/// Its text, without line ends and other controls.
struct OneLine {
  std::string_view text;
};
/// "1+16:00:00".
struct LogDuration {
  Seconds time;
};
/// "2024-08-12T09:00:00".
struct IsoSecond {
  std::int64_t at = 0;
};

// These write to the end of the line.

/// Attributes below "Job executing". `gpus`: as JobEvent::gpus.
struct SlotAttributes {
  SiteSlot of;
  std::uint16_t gpus = 0;
};
/// One "Usr ..., Sys ...  -  NAME" line.
struct Usage {
  std::int64_t seconds = 0;
  std::string_view what;
};
struct BytesMoved {
  std::int64_t sent = 0, received = 0;
  std::string_view what;
};
struct ResourceTable {
  SiteSlot of;
  std::uint16_t gpus = 0;
};
/// Below the resources: "TimeExecute (s)" and the like.
struct TimeRow {
  std::string_view name;
  std::int64_t seconds = 0;
};

class EventLogText {
 public:
  EventLogText(JobHistory const& history, std::ostream& out, EventLogOptions const& options);

  /// Cut off, not rounded.
  static LogStamp stamp(Seconds at);

  void begin(int number, Id<history::Job> job, LogStamp at);
  void end();
  void flush();

  /// The job's node of a DAG is tried again: from now on it is of another cluster, as DAGMan
  /// submits one.
  void submitted_again(Id<history::Job> job);
  JobName name_of(Id<history::Job> job) const;

  /// Texts, whole numbers, parts of the kinds above, and functions that put more.
  template <class... Parts>
  void put(Parts const&... parts) {
    (add(parts), ...);
  }

  JobHistory const& history() const { return history_; }
  EventLogOptions const& options() const { return options_; }
  /// GLIDEIN_ResourceName of a site that the history has.
  std::string_view resource(Id<history::Site> site) const;

 private:
  void add(std::string_view text) { buffer_.append(text.data(), text.data() + text.size()); }
  // In fmt's form; most of a log is numbers, and reading a format string for each is most of the
  // time that it takes.
  template <std::integral Number>
  void add(Number number) {
    fmt::format_int const text(number);
    add(std::string_view(text.data(), text.size()));
  }
  template <std::invocable Function>
  void add(Function const& function) {
    function();
  }
  void add(SlotName const& name);
  void add(ScheddAddress);
  void add(StartdAddress const& address);
  void add(StarterAddress const& address);
  void add(Quoted const& quoted);
  void add(OneLine const& line);
  void add(LogDuration const& duration);
  void add(IsoSecond const& second) { add_date(second.at, "T"); }
  void add(SlotAttributes const& attributes);
  void add(Usage const& usage);
  void add(BytesMoved const& bytes);
  void add(ResourceTable const& table);
  void add(TimeRow const& row);

  void add_digits(std::uint64_t number, std::size_t least);  // zeros in front
  void add_right(std::string_view text, std::size_t width);  // blanks in front
  void add_hex(std::uint32_t number);                        // four digits or more
  void add_clock(std::int64_t seconds_of_day);               // 16:00:00
  void add_date(std::int64_t at, std::string_view separator);
  history::GpuShare const& gpus_of(std::uint16_t gpus) const;
  void add_gpu(SiteSlot const& point, int gpu);  // the eight digits of its name, or more
  void add_gpu_names(SiteSlot const& point, int count, std::string_view before);
  void add_gpu_ads(SiteSlot const& point, history::GpuShare const& gpus);
  std::string const& resources_to_gpu(int gpus);
  std::string resource_row(std::string_view name, std::int64_t amount) const;
  std::string_view host(SiteSlot const& point) const;
  /// The slots that its pilot holds.
  std::uint32_t slots_of_pilot(SiteSlot const& point) const;
  /// Which of the site's pilots that are there at one time, from 0.
  std::uint32_t pilot_place(SiteSlot const& point) const;
  std::uint32_t number_in_pilot(SiteSlot const& point) const;  // from 1
  void add_endpoint(SiteSlot const& point);
  void add_pilot(SiteSlot const& point);  // the random part of its daemons' sockets

  JobHistory const& history_;
  std::ostream& out_;
  EventLogOptions const& options_;
  std::chrono::sys_seconds start_;
  history::GpuShare requested_gpus_;  // where the history has none
  std::vector<std::string> hosts_;    // of the sites: their names, as far as a host can have them
  std::vector<std::string> slots_;    // names, if the history has them
  std::int64_t disk_kb_;
  int request_width_, allocated_width_;
  std::map<int, std::string> resources_to_gpu_;   // the table, by the number of GPUs
  std::string resources_behind_gpu_;              // ... and the same for all jobs
  std::int64_t day_ = -1;                         // since 1970, of day_text_
  std::array<char, 11> day_text_{};               // "2024-08-12"
  std::map<std::size_t, std::uint32_t> retries_;  // of jobs, by index, that have any
  std::uint32_t most_cluster_ = 0;                // of all jobs; zero before its first use
  fmt::memory_buffer buffer_;
};

/// The facts that the words mention besides the reason.
struct ReasonContext {
  SiteSlot point;
  std::int64_t elapsed = 0;  // seconds since the transfer began
};

/// VacateReasonCode of an eviction that no hold follows.
history::HoldCode vacate_code(JobEvent const& event);

/// HoldReasonCode: the event's own, else the one of its reason.
history::HoldCode logged_hold_code(JobEvent const& event);

/// The code of event 021, by which the starter reports its activity: 12 when input failed, 13 when
/// output did, the reverse of the hold codes.
history::HoldCode starter_code(history::HoldCode hold);

/// True if the starter reports it (021) before the shadow does.
bool reported_by_starter(JobEvent const& event);

/// True if there are words for it.
bool has_words(Reason reason);

/// Writes the words, without a line end; nothing for a reason without words.
void add_reason(EventLogText& log, Reason reason, ReasonContext const& context);

/// The starter's words on files of an execution that it could not bring home, and evicted it for;
/// without a line end.
inline constexpr std::string_view output_given_up =
    "Repeated attempts to transfer output failed for unknown reasons";

/// Somebody typed `command`, or (Reason::policy) the job's `expression` did it.
void add_decision(EventLogText& log, Reason reason, std::string_view command,
                  std::string_view expression);

}  // namespace gridcast::condor
