// The words of the starter's stall timer, in each form that a log can have.
#include "tests/condor/log_files.hpp"
#include "tests/test.hpp"

namespace gridcast::test {
namespace {

// The starter's words, as HTCondor 23.9.6 has them in 004, in the three forms of a log.
constexpr char const* words =
    "Error from slot1_1@glidein_3002_1@host: Input File transfer stalled for 21 seconds";

void check_one_stall(history::JobHistory const& history) {
  auto const& end = history.events.back();
  CHECK(history::is_one_of(end.kind,
                           {history::EventKind::evicted, history::EventKind::shadow_exception}));
  CHECK(history::ended_by_stall_timer(end));
}

}  // namespace

TEST_CASE("The stall timer's words are understood in text, JSON and XML, and in 007") {
  std::string const head =
      event(0, 0, "Job submitted from host: <10.0.0.1:9618>") +
      event(40, 1, "Started transferring input files", "\tTransferring to host: <10.0.0.2:9618>\n");
  std::string const error = event(21, 22, "Error from starter on slot1_1@glidein_3002_1@host:",
                                  "\tInput File transfer stalled for 21 seconds\n");
  check_one_stall(
      read_text(head + error +
                event(4, 22, "Job was evicted.", "\t(0) CPU times\n\t" + std::string(words) + "\n"))
          .history);
  // Before 24.3 an eviction gives no words of its own.
  check_one_stall(
      read_text(head + error + event(4, 22, "Job was evicted.", "\t(0) CPU times\n")).history);
  std::string const xml =
      "<c><a n=\"MyType\"><s>SubmitEvent</s></a><a n=\"EventTypeNumber\"><i>0</i></a>"
      "<a n=\"EventTime\"><s>2026-01-01T00:00:00</s></a><a n=\"Cluster\"><i>1</i></a>"
      "<a n=\"Proc\"><i>0</i></a><a n=\"Subproc\"><i>0</i></a></c>\n"
      "<c><a n=\"MyType\"><s>FileTransferEvent</s></a><a n=\"EventTypeNumber\"><i>40</i></a>"
      "<a n=\"EventTime\"><s>2026-01-01T00:00:01</s></a><a n=\"Cluster\"><i>1</i></a>"
      "<a n=\"Proc\"><i>0</i></a><a n=\"Subproc\"><i>0</i></a><a n=\"Type\"><i>2</i></a></c>\n"
      "<c><a n=\"MyType\"><s>JobEvictedEvent</s></a><a n=\"EventTypeNumber\"><i>4</i></a>"
      "<a n=\"EventTime\"><s>2026-01-01T00:00:22</s></a><a n=\"Cluster\"><i>1</i></a>"
      "<a n=\"Proc\"><i>0</i></a><a n=\"Subproc\"><i>0</i></a>"
      "<a n=\"TerminatedAndRequeued\"><b v=\"f\"/></a><a n=\"Reason\"><s>" +
      std::string(words) + "</s></a><a n=\"ReasonCode\"><i>1007</i></a></c>\n";
  check_one_stall(read_text(xml).history);
  std::string const json =
      R"({"MyType": "SubmitEvent", "EventTypeNumber": 0, "EventTime": "2026-01-01T00:00:00", "Cluster": 1, "Proc": 0, "Subproc": 0}
{"MyType": "FileTransferEvent", "EventTypeNumber": 40, "EventTime": "2026-01-01T00:00:01", "Cluster": 1, "Proc": 0, "Subproc": 0, "Type": 2}
{"MyType": "JobEvictedEvent", "EventTypeNumber": 4, "EventTime": "2026-01-01T00:00:22", "Cluster": 1, "Proc": 0, "Subproc": 0, "TerminatedAndRequeued": false, "ReasonCode": 1007, "Reason": ")" +
      std::string(words) + "\"}\n";
  check_one_stall(read_text(json).history);
  check_one_stall(read_text(head + event(7, 22, "Shadow exception!",
                                         "\tInput File transfer stalled for 21 seconds\n"))
                      .history);
}

}  // namespace gridcast::test
