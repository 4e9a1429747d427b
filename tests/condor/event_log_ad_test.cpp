#include "sim/condor/event_log_ad.hpp"

#include "tests/condor/log_text.hpp"
#include "tests/history/history_builder.hpp"
#include "tests/test.hpp"

namespace gridcast::condor {
namespace {

TEST_CASE("each event is followed by its ad, which tells the site while the job is in a slot") {
  test::HistoryBuilder h({{7, 3}}, {"SITE"});
  h.add(0, 0, history::EventKind::held, history::Reason::input_too_large)
      .add(5, 0, history::EventKind::released);
  h.add(60, 0, history::EventKind::matched).on(0, 2);
  EventLogOptions options;
  options.ad_information = options.utc = true;
  CHECK(test::events_of(test::log_of(h.get(), options), "028") ==
        "028 (007.003.000) 2024-08-12 09:00:00Z Job ad information event triggered.\n"
        "Cluster = 7\n"
        "EventTime = \"2024-08-12T09:00:00Z\"\n"
        "EventTypeNumber = 28\n"
        "HoldReasonCode = 32\n"
        "HoldReasonSubCode = 0\n"
        "MyType = \"JobAdInformationEvent\"\n"
        "Proc = 3\n"
        "Subproc = 0\n"
        "TriggerEventTypeName = \"ULOG_JOB_HELD\"\n"
        "TriggerEventTypeNumber = 12\n"
        "...\n"
        "028 (007.003.000) 2024-08-12 09:00:05Z Job ad information event triggered.\n"
        "Cluster = 7\n"
        "EventTime = \"2024-08-12T09:00:05Z\"\n"
        "EventTypeNumber = 28\n"
        "MyType = \"JobAdInformationEvent\"\n"
        "Proc = 3\n"
        "Subproc = 0\n"
        "TriggerEventTypeName = \"ULOG_JOB_RELEASED\"\n"
        "TriggerEventTypeNumber = 13\n"
        "...\n"
        "028 (007.003.000) 2024-08-12 09:01:00Z Job ad information event triggered.\n"
        "Cluster = 7\n"
        "EventTime = \"2024-08-12T09:01:00Z\"\n"
        "EventTypeNumber = 28\n"
        "MachineAttrGLIDEIN_ResourceName0 = \"SITE\"\n"
        "MyType = \"JobAdInformationEvent\"\n"
        "Proc = 3\n"
        "Subproc = 0\n"
        "TriggerEventTypeName = \"ULOG_FILE_TRANSFER\"\n"
        "TriggerEventTypeNumber = 40\n"
        "...\n");
}

}  // namespace
}  // namespace gridcast::condor
