#include "sim/condor/event_log_options.hpp"

namespace gridcast::condor {

EventLogOptions options_of_unknown_jobs() {
  EventLogOptions options;
  options.note.clear();
  options.url.clear();
  options.input = {};
  options.gpus = 0;
  options.memory_mb = 0;
  options.disk = {};
  return options;
}

}  // namespace gridcast::condor
