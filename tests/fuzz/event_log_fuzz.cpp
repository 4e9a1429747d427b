#include "tests/fuzz/event_log_fuzz.hpp"

#include <algorithm>

#include "sim/condor/log/log_clock.hpp"
#include "sim/condor/log/log_history.hpp"

namespace gridcast::fuzz {

int read_event_log(condor::LogForm form, std::uint8_t const* data, std::size_t size) {
  std::size_t given = 0;
  // In pieces, so that events lie across them.
  auto const source = [&](char* to, std::size_t room) {
    std::size_t const part = std::min({room, size - given, std::size_t{1000}});
    std::copy_n(data + given, part, to);
    given += part;
    return part;
  };
  LogWindow window(source, 1024);
  condor::LogReport report;
  condor::LogWarnings warnings(report);
  condor::ReadLogOptions const options;
  condor::LogClock clock(options, warnings);
  condor::LogHistory history(warnings);
  window.more();
  clock.begin_file(window.text(), 1'700'000'000);
  auto const events = condor::open_events(form, window, warnings);
  condor::RawEvent event;
  while (events->next(event)) history.add(event, clock.time_of(event));
  history::JobHistory const made = history.finish().history;
  std::vector<Seconds> last(made.jobs.size());
  for (history::JobEvent const& reported : made.events) {
    if (reported.at < last.at(reported.job.index())) __builtin_trap();
    last[reported.job.index()] = reported.at;
    if (reported.site.valid() && reported.site.index() >= made.sites.size()) __builtin_trap();
    if (reported.slot >= made.slots.size()) __builtin_trap();
  }
  return 0;
}

}  // namespace gridcast::fuzz
