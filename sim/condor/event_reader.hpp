// One event after the other out of a log, whatever form it is written in.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "sim/condor/log_warnings.hpp"
#include "sim/condor/log_window.hpp"
#include "sim/condor/raw_event.hpp"

namespace gridcast::condor {

enum class LogForm { text, json, xml, empty, none };

class EventReader {
 public:
  EventReader(LogWindow& window, LogWarnings& warnings) : window_(window), warnings_(warnings) {}
  EventReader(EventReader const&) = delete;
  EventReader& operator=(EventReader const&) = delete;
  virtual ~EventReader() = default;

  /// False at the end. Views in `event` are good until the next call. What cannot be understood is
  /// skipped and told to the warnings.
  virtual bool next(RawEvent& event) = 0;

  /// Lines begun so far.
  std::size_t lines() const { return line_; }

 protected:
  /// Counts the lines of what is taken off the window.
  void take(std::size_t size);

  LogWindow& window_;
  LogWarnings& warnings_;
  std::size_t line_ = 0;  // lines taken off the window
};

/// What the log is written in, by its first bytes; `none` is no event log.
LogForm recognise_form(std::string_view beginning);

/// What a file that is no event log seems to be: "job ads (condor_history -json)".
std::string looks_like(std::string_view beginning);

std::unique_ptr<EventReader> open_events(LogForm form, LogWindow& window, LogWarnings& warnings);

}  // namespace gridcast::condor
