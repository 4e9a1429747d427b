// Ends of attempts in both versions' words, written down from HTCondor's grammar.
#include "sim/condor/event_log_ends.hpp"

#include "tests/condor/log_text.hpp"
#include "tests/history/history_builder.hpp"
#include "tests/test.hpp"

namespace gridcast::condor {
namespace {

using test::events_of;
using test::HistoryBuilder;
using test::log_of;

// Submitted at 0, in its slot from 60, executing from 100.
HistoryBuilder running() {
  HistoryBuilder h({{7, 3}}, {"SITE"});
  h.add(0, 0, history::EventKind::submitted);
  h.add(60, 0, history::EventKind::matched)
      .on(0, 2)
      .add(61, 0, history::EventKind::transfer_input_started)
      .on(0, 2);
  h.add(100, 0, history::EventKind::transfer_input_finished).on(0, 2);
  h.add(100, 0, history::EventKind::executing).on(0, 2);
  return h;
}

EventLogOptions bare(CondorVersion version = CondorVersion::v23_9) {
  EventLogOptions options = options_of_unknown_jobs();
  options.version = version;
  return options;
}

std::string const usage =
    "\t\tUsr 0 00:00:20, Sys 0 00:00:00  -  Run Remote Usage\n"
    "\t\tUsr 0 00:00:00, Sys 0 00:00:00  -  Run Local Usage\n"
    "\t0  -  Run Bytes Sent By Job\n"
    "\t0  -  Run Bytes Received By Job\n";

std::string const table =
    "\tPartitionable Resources :    Usage  Request Allocated \n"
    "\t   Cpus                 :                 1         1 \n"
    "\t   TimeExecute (s)      :       20                    \n"
    "\t   TimeSlotBusy (s)     :       60                    \n";

TEST_CASE("a requeued job's 004 tells how it exited, and has no table") {
  auto h = running();
  h.add(120, 0, history::EventKind::requeued, history::Reason::exit_code).on(0, 2);
  h.get().events.back().exit_code = 3;
  std::string const body = "\t(0) Job terminated and was requeued\n" + usage +
                           "\t(1) Normal termination (return value 3)\n"
                           "\tThe job attribute OnExitRemove expression evaluated to FALSE\n...\n";
  CHECK(events_of(log_of(h.get(), bare()), "004") ==
        "004 (007.003.000) 2024-08-12 09:02:00 Job was evicted.\n" + body);
  CHECK(events_of(log_of(h.get(), bare(CondorVersion::v25)), "004") ==
        "004 (007.003.000) 2024-08-12 09:02:00 Job was evicted. Code 1005 Subcode 0\n" + body);
}

TEST_CASE("an eviction has its reason bare in 23.9, with a code and a title in 25") {
  auto h = running();
  h.add(120, 0, history::EventKind::evicted, history::Reason::vacated).on(0, 2);
  CHECK(events_of(log_of(h.get(), bare()), "004") ==
        "004 (007.003.000) 2024-08-12 09:02:00 Job was evicted.\n\t(0) CPU times\n" + usage +
            "\tUser requested the job to vacate\n" + table + "...\n");
  CHECK(events_of(log_of(h.get(), bare(CondorVersion::v25)), "004") ==
        "004 (007.003.000) 2024-08-12 09:02:00 Job was evicted. Code 1004 Subcode 0\n"
        "\t(0) CPU times\n" +
            usage + "\tReason: User requested the job to vacate\n" + table + "...\n");
}

TEST_CASE("the code that a source gave is kept, and no reason is none") {
  auto h = running();
  h.add(120, 0, history::EventKind::evicted, history::Reason::unknown).on(0, 2);
  h.get().events.back().code = 1018;
  CHECK(events_of(log_of(h.get(), bare()), "004") ==
        "004 (007.003.000) 2024-08-12 09:02:00 Job was evicted.\n\t(0) CPU times\n" + usage +
            table + "...\n");
  CHECK_THAT(log_of(h.get(), bare(CondorVersion::v25)),
             test::has_text("Job was evicted. Code 1018 Subcode 0\n") &&
                 test::has_text("\tReason: Unspecified job interruption\n"));
}

TEST_CASE("a killed job's 005 names the signal, and 25 does not repeat it below") {
  auto h = running();
  h.add(120, 0, history::EventKind::terminated, history::Reason::killed_by_signal)
      .on(0, 2)
      .useless();
  h.get().events.back().exit_code = -9;
  std::string total = usage;
  total.insert(total.find("\t0  -"),
               "\t\tUsr 0 00:00:20, Sys 0 00:00:00  -  Total Remote Usage\n"
               "\t\tUsr 0 00:00:00, Sys 0 00:00:00  -  Total Local Usage\n");
  std::string const body =
      "005 (007.003.000) 2024-08-12 09:02:00 Job terminated.\n"
      "\t(0) Abnormal termination (signal 9)\n\t(0) No core file\n" +
      total +
      "\t0  -  Total Bytes Sent By Job\n"
      "\t0  -  Total Bytes Received By Job\n" +
      table;
  CHECK(events_of(log_of(h.get(), bare()), "005") ==
        body +
            "\n\tJob terminated of its own accord at 2024-08-12T09:02:00Z with signal 9.\n"
            "...\n");
  CHECK(events_of(log_of(h.get(), bare(CondorVersion::v25)), "005") == body + "...\n");
}

TEST_CASE("a hold of a running job is told by starter, shadow and schedd, in this order") {
  auto h = running();
  h.add(110, 0, history::EventKind::transfer_output_started).on(0, 2);
  h.add(120, 0, history::EventKind::held, history::Reason::output_missing).on(0, 2);
  std::string const words =
      "\tTransfer output files failure at execution point slot1_1@glidein_1_2@SITE while sending "
      "files to access point 10.255.0.1. Details: reading from file result: (errno 2) No such file "
      "or directory\n";
  auto const log = log_of(h.get(), bare(CondorVersion::v25));
  // The starter counts the other way round: 13 is an upload there, 12 is output here.
  CHECK(events_of(log, "021") ==
        "021 (007.003.000) 2024-08-12 09:02:00 Error from starter on slot1_1@glidein_1_2@SITE:\n" +
            words + "\tCode 13 Subcode 2\n...\n");
  CHECK(events_of(log, "012") == "012 (007.003.000) 2024-08-12 09:02:00 Job was held.\n" + words +
                                     "\tCode 12 Subcode 2\n...\n");
  CHECK_THAT(events_of(log, "004"), test::has_text("Code 12 Subcode 2") &&
                                        test::has_text("TimeExecute (s)      :       10"));
  CHECK(log.find("\n021 ") < log.find("\n004 "));
  CHECK(log.find("\n004 ") < log.find("\n012 "));
}

TEST_CASE("a lost connection is 024 and 004") {
  auto h = running();
  h.add(110, 0, history::EventKind::disconnected).on(0, 2);
  h.add(120, 0, history::EventKind::reconnect_failed, history::Reason::lost_contact).on(0, 2);
  auto const log = log_of(h.get(), bare(CondorVersion::v25));
  CHECK(events_of(log, "024") ==
        "024 (007.003.000) 2024-08-12 09:02:00 Job reconnection failed\n"
        "    Job disconnected too long: JobLeaseDuration (2400 seconds) expired\n"
        "    Can not reconnect to slot1_1@glidein_1_2@SITE, rescheduling job\n...\n");
  CHECK_THAT(events_of(log, "004"), test::has_text("Code 1008 Subcode 0\n"));
  CHECK(log.find("\n024 ") < log.find("\n004 "));
}

TEST_CASE("a removal or a release of which nobody says why is one line") {
  HistoryBuilder h({{7, 3}}, {});
  h.add(0, 0, history::EventKind::held, history::Reason::unknown)
      .add(10, 0, history::EventKind::released, history::Reason::unknown);
  h.add(20, 0, history::EventKind::aborted, history::Reason::policy);
  CHECK(log_of(h.get(), bare()) ==
        "012 (007.003.000) 2024-08-12 09:00:00 Job was held.\n"
        "\tReason unspecified\n\tCode 0 Subcode 0\n...\n"
        "013 (007.003.000) 2024-08-12 09:00:10 Job was released.\n...\n"
        "009 (007.003.000) 2024-08-12 09:00:20 Job was aborted.\n"
        "\tThe job attribute PeriodicRemove expression evaluated to TRUE\n...\n");
}

}  // namespace
}  // namespace gridcast::condor
