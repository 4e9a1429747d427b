// The events of a job event log one after the other, in their written form and
// before their interpretation: the part that the text, JSON and XML forms share.
// Views point into the reader's buffer and live until the next event. HTCondor
// manual, "Job Event Log Codes"; numbers and wording: condor_event.cpp of HTCondor 9
// to 25.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/log_input.hpp"
#include "sim/condor/log/read_log.hpp"
#include "sim/history/job_history.hpp"

namespace gridcast::condor {

/// 040's six first lines, in the order of the ClassAd attribute Type.
enum class TransferStep : std::uint8_t {
  none,
  input_queued,
  input_started,
  input_finished,
  output_queued,
  output_started,
  output_finished,
};

struct RawEvent {
  int number = 0;  // 000 to 047
  JobName job;
  bool of_cluster = false;  // 035 to 038 speak of a cluster, not of one job
  std::int64_t at_ms = 0;   // of the clock the log was written by, Unix milliseconds as if UTC
  bool utc = false;         // the date is marked as UTC
  bool year_known = true;   // MM/DD dates have none; at_ms is then of the year 1972
  std::size_t line = 0;     // where it begins, from 1
  TransferStep transfer = TransferStep::none;
  std::optional<int> seconds_in_queue;  // 040 started
  std::string_view host;                // sinful string of 000, 001, 022, 023, 040
  std::string_view slot_name;           // 001, 021, 022, 023, 024
  std::string_view site;                // GLIDEIN_ResourceName of 001 or 028, or another name of it
  int site_rank = 0;                    // site_rank() of the attribute that names it
  std::string_view node;                // DAG node of 000
  std::string_view program, user;       // Cmd and Owner of 028
  int gpus = 0;                         // of the slot: 001; 0: unknown
  bool lists_resources = false;  // 001 of the slot, or 004 and 005: GPUs too, where there are some
  std::string_view gpu_model;    // DeviceName of the first of them
  double gpu_capability = 0, gpu_memory_mb = 0;
  std::optional<std::int64_t> sent, received;       // bytes of the run, 004 and 005
  std::optional<std::int64_t> slot_busy, executed;  // TimeSlotBusy, TimeExecute, seconds
  history::ResourceAmounts resources;               // 004, 005 and 006
  std::string_view resource_header;                 // first line of their table, in text
  std::optional<Seconds> cpu_time;                  // of the run, 004 and 005
  std::string_view reason;                          // the first line of free text
  std::optional<int> code, subcode;                 // of hold, vacate, or starter message
  bool requeued = false;                            // 004 "terminated and was requeued"
  bool checkpointed = false;                        // 004
  std::optional<int> return_value, signal;          // 004 requeued, 005
  std::optional<std::int64_t> ended_unix;           // "of its own accord at", which is UTC
  std::optional<std::int64_t> ended_ms;             // the same on the clock of at_ms, where known
  int amounts_not_understood = 0;                   // of attributes, such as one of 26 digits
};

enum class LogForm { text, json, xml, empty, none };

class EventReader {
 public:
  EventReader(LogWindow& window, LogWarnings& warnings) : window_(window), warnings_(warnings) {}
  EventReader(EventReader const&) = delete;
  EventReader& operator=(EventReader const&) = delete;
  virtual ~EventReader() = default;

  /// False at the end. Views in `event` are good until the next call. Text that cannot be
  /// understood is skipped and reported to the warnings.
  virtual bool next(RawEvent& event) = 0;

  /// Lines begun so far.
  std::size_t lines() const { return line_; }

 protected:
  /// Counts the lines that are taken off the window.
  void take(std::size_t size);

  LogWindow& window_;
  LogWarnings& warnings_;
  std::size_t line_ = 0;  // lines taken off the window
};

/// The form of the log, by its first bytes; `none` is no event log.
LogForm recognise_form(std::string_view beginning);

/// The apparent content of a file that is no event log: "job ads (condor_history -json)".
std::string looks_like(std::string_view beginning);

std::unique_ptr<EventReader> open_events(LogForm form, LogWindow& window, LogWarnings& warnings);

// For the readers of the three forms.

std::unique_ptr<EventReader> text_events(LogWindow& window, LogWarnings& warnings);
std::unique_ptr<EventReader> json_events(LogWindow& window, LogWarnings& warnings);
std::unique_ptr<EventReader> xml_events(LogWindow& window, LogWarnings& warnings);

/// The numbers an event can have: 000 to 047.
inline bool known_event(int number) { return number >= 0 && number <= 47; }

/// How well an attribute names the site where a job runs: the resource before the site of CMS, and
/// that before a site that may have several; 0: not at all.
int site_rank(std::string_view attribute);

/// True if such an attribute has a value: "$$(GLIDEIN_Site:Unknown)" has no value.
bool is_site_name(std::string_view value);

/// Takes in an attribute of 001 or 028 that may name the site. `value` is without quotes.
void read_site(RawEvent& event, std::string_view name, std::string_view value);

/// Reads an attribute of 001 on the slot's GPUs, and that it lists "Cpus": "GPUs",
/// "GPUs_GPU_1234abcd" (text form: the whole nested ad) or "GPUs_GPU_1234abcd.DeviceName", and
/// HTCondor 9's "GPUs_DeviceName". Strings are with or without their quotes.
void read_gpu_attribute(RawEvent& event, std::string_view name, std::string_view value);

/// The node of "DAG Node: NAME"; empty if the line has none.
std::string_view dag_node(std::string_view line);

/// True if `line` begins as the first line of an event does in the text form: "005 (".
bool begins_event(std::string_view line);

}  // namespace gridcast::condor
