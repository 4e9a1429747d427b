#include "sim/condor/event_log_ad.hpp"

#include <string_view>

#include "sim/condor/event_log_reasons.hpp"

namespace gridcast::condor {
namespace {

// Of ULogEventNumber in condor_event.h.
std::string_view type_name(int number) {
  switch (number) {
    case 0:
      return "ULOG_SUBMIT";
    case 1:
      return "ULOG_EXECUTE";
    case 3:
      return "ULOG_CHECKPOINTED";
    case 4:
      return "ULOG_JOB_EVICTED";
    case 5:
      return "ULOG_JOB_TERMINATED";
    case 7:
      return "ULOG_SHADOW_EXCEPTION";
    case 9:
      return "ULOG_JOB_ABORTED";
    case 10:
      return "ULOG_JOB_SUSPENDED";
    case 11:
      return "ULOG_JOB_UNSUSPENDED";
    case 12:
      return "ULOG_JOB_HELD";
    case 13:
      return "ULOG_JOB_RELEASED";
    case 21:
      return "ULOG_REMOTE_ERROR";
    case 22:
      return "ULOG_JOB_DISCONNECTED";
    case 23:
      return "ULOG_JOB_RECONNECTED";
    case 24:
      return "ULOG_JOB_RECONNECT_FAILED";
    default:
      return "ULOG_FILE_TRANSFER";
  }
}

}  // namespace

// The attributes are in the order of the alphabet.
void write_ad_information(EventLogText& log, AdTrigger const& trigger) {
  history::JobName const name = log.history().jobs[trigger.event.job.index()];
  log.begin(28, trigger.event.job, trigger.at);
  log.add("Job ad information event triggered.\nCluster = {}\nEventTime = \"", name.cluster);
  log.add_date(trigger.at.seconds, 'T');
  log.add_date_end(trigger.at);
  log.add("\"\nEventTypeNumber = 28\n");
  if (trigger.number == 12) {
    auto const code = logged_hold_code(trigger.event);
    log.add("HoldReasonCode = {}\nHoldReasonSubCode = {}\n", code.code, code.subcode);
  }
  if (trigger.in_slot && trigger.point.site.valid()) {
    log.add("MachineAttrGLIDEIN_ResourceName0 = ");
    log.add_quoted(log.history().sites[trigger.point.site.index()]);
    log.add("\n");
  }
  log.add("MyType = \"JobAdInformationEvent\"\nProc = {}\nSubproc = 0\n", name.proc);
  log.add("TriggerEventTypeName = \"{}\"\nTriggerEventTypeNumber = {}\n", type_name(trigger.number),
          trigger.number);
  log.end();
}

}  // namespace gridcast::condor
