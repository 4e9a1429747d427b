#include "tests/ledger/userlog_count.hpp"

#include <map>

#include "sim/base/log_input.hpp"
#include "sim/condor/log/event_reader.hpp"
#include "sim/condor/log/read_log.hpp"

namespace gridcast::test {

UserlogTotals count_userlog(std::filesystem::path const& log) {
  LogInput input(log);
  LogWindow window([&](char* to, std::size_t size) { return input.read(to, size); });
  window.more();
  condor::LogReport report;
  condor::LogWarnings warnings(report);
  auto const events = condor::open_events(condor::recognise_form(window.text()), window, warnings);

  UserlogTotals totals;
  std::map<history::JobName, Seconds> began;
  condor::RawEvent event;
  while (events->next(event)) {
    Seconds const at(static_cast<double>(event.at_ms) / 1000);
    if (event.number == 1) began[event.job] = at;
    auto const run = began.find(event.job);
    bool const ends =
        event.number == 4 || event.number == 5 || event.number == 7 || event.number == 24;
    if (!ends || run == began.end()) continue;
    Seconds const wall = at - run->second;
    began.erase(run);
    ++totals.runs;
    totals.wall += wall;
    if (event.number == 5) totals.good += wall;
  }
  return totals;
}

}  // namespace gridcast::test
