#include "sim/condor/event_log_frame.hpp"

#include "sim/condor/event_log_ad.hpp"

namespace gridcast::condor {

void LogRun::start(std::int64_t at) {
  ++attempts;
  matched = queued = transfer_began = at;
  claimed = true;
  has_executed = output_open = false;
  last_process = executed = received = 0;
}

void LogRun::start_process(std::int64_t at) {
  claimed = executing = has_executed = true;
  execution_began = at;
}

void LogRun::stop_process(std::int64_t at) {
  if (!executing) return;
  executing = false;
  last_process = at - execution_began;
  executed += last_process;
  all_executed += last_process;
}

void EventLogFrame::begin(int event_number, history::JobEvent const& event) {
  number = event_number;
  log.begin(number, event.job, now);
}

void EventLogFrame::end(history::JobEvent const& event, LogRun const& run) {
  log.end();
  if (!options.ad_information) return;
  write_ad_information(log, {number, event, now, run.point, run.claimed});
}

void EventLogFrame::write(int event_number, history::JobEvent const& event, LogRun const& run,
                          std::string_view text) {
  begin(event_number, event);
  log.add_text(text);
  end(event, run);
}

}  // namespace gridcast::condor
