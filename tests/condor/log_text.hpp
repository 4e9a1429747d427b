// The log of a history as text, and single events of it.
#pragma once

#include <sstream>
#include <string>

#include "sim/condor/write/event_log_writer.hpp"

namespace gridcast::test {

inline std::string log_of(history::JobHistory const& history,
                          condor::EventLogOptions const& options = {}) {
  std::ostringstream out;
  condor::write_event_log(history, out, options);
  return out.str();
}

/// The events of that number, with their ends, one after the other.
inline std::string events_of(std::string const& log, std::string const& number) {
  std::string found;
  for (std::size_t from = 0; from < log.size();) {
    auto const to = log.find("...\n", from) + 4;
    if (log.compare(from, 3, number) == 0) found += log.substr(from, to - from);
    from = to;
  }
  return found;
}

}  // namespace gridcast::test
