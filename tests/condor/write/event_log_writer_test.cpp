// Ends of attempts in both versions' words, written down from HTCondor's grammar.

#include "sim/condor/write/event_log_writer.hpp"

#include <set>

#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/base/text.hpp"
#include "tests/condor/log_text.hpp"
#include "tests/history/history_builder.hpp"
#include "tests/test.hpp"

namespace gridcast::condor {
namespace {

using test::HistoryBuilder;
using test::log_of;

// One job that succeeds; one that stalls, meets a 404, is released, evicted, and held after 20
// hours; one that is too large.
history::JobHistory eventful_history() {
  using enum history::EventKind;
  HistoryBuilder h({{794569, 0}, {794569, 1}, {794570, 12}}, {"CHTC-Spark-CE1", "PDX-Coeus-CE1"});
  h.add(0, 0, submitted).add(0, 1, submitted).add(0, 2, submitted);
  h.add(60, 0, matched).on(0, 3).add(60, 0, transfer_input_started).on(0, 3);
  h.add(61.5, 1, matched).on(1, 260).add(61.9, 1, transfer_input_started).on(1, 260);
  h.add(62, 2, held, history::Reason::input_too_large);
  h.add(400, 0, transfer_input_finished).on(0, 3).add(400.1, 0, executing).on(0, 3);
  h.add(3720, 1, shadow_exception, history::Reason::transfer_stalled).on(1, 260);
  h.add(3760, 1, matched).on(1, 260).add(3760, 1, transfer_input_started).on(1, 260);
  h.add(3761, 1, held, history::Reason::not_found).on(1, 260);
  h.add(11582, 0, transfer_output_started).on(0, 3);
  h.add(11583, 0, transfer_output_finished).on(0, 3).add(11583, 0, terminated).on(0, 3);
  h.add(90000, 1, released, history::Reason::manual);
  h.add(90060, 1, matched).on(0, 3).add(90060, 1, transfer_input_started).on(0, 3);
  h.add(92000, 1, transfer_input_finished).on(0, 3).add(92000, 1, executing).on(0, 3);
  h.add(95600, 1, evicted, history::Reason::pilot_ended).on(0, 3);
  h.add(95660, 1, matched).on(1, 1).add(95660, 1, transfer_input_started).on(1, 1);
  h.add(95760, 1, transfer_input_finished).on(1, 1).add(95760, 1, executing).on(1, 1);
  h.add(167760, 1, held, history::Reason::execution_too_long).on(1, 1);
  h.add(167800, 2, aborted, history::Reason::manual);
  return h.get();
}

TEST_CASE("an eventful history is written as HTCondor would have logged it") {
  auto const folder = test::source_dir().string() + "/tests/condor/";
  auto const expected = split(read_text_file(folder + "event_log.expected"), '\n');
  auto const written = split(log_of(eventful_history()), '\n');
  for (std::size_t i = 0; i < std::min(expected.size(), written.size()); ++i) {
    INFO("line " << i + 1);
    REQUIRE(written[i] == expected[i]);
  }
  REQUIRE(written.size() == expected.size());
}

TEST_CASE("every event has a known number, a date not before the last, and an end") {
  std::set<std::string> const known = {"000", "001", "004", "005", "007",
                                       "009", "012", "013", "021", "040"};
  std::string last_date;
  bool inside = false;
  for (auto const& line : split(log_of(eventful_history()), '\n')) {
    if (line.empty()) continue;
    if (!inside) {
      REQUIRE(known.count(line.substr(0, 3)) == 1);
      auto const date = line.substr(line.find(')') + 2, 19);
      REQUIRE(date >= last_date);
      last_date = date;
      inside = true;
    } else if (line == "...") {
      inside = false;
    } else {
      INFO(line);
      REQUIRE((line[0] == '\t' || line.substr(0, 4) == "    "));
    }
  }
  REQUIRE_FALSE(inside);
}

TEST_CASE("the start date, the note and the input are the caller's") {
  HistoryBuilder h({{1, 2}}, {"A"});
  h.add(0, 0, history::EventKind::submitted)
      .add(86400, 0, history::EventKind::held, history::Reason::input_too_large);
  EventLogOptions options;
  options.start = std::chrono::sys_days(std::chrono::year(2024) / 2 / 28);
  options.note = "";
  options.input = Bytes(158783.0 * 1024 * 1024);
  REQUIRE(log_of(h.get(), options) ==
          "000 (001.002.000) 2024-02-28 00:00:00 Job submitted from host: "
          "<10.255.0.1:9618?addrs=10.255.0.1-9618&noUDP&sock=schedd>\n"
          "...\n"
          "012 (001.002.000) 2024-02-29 00:00:00 Job was held.\n"
          "\tTransferInputSizeMB (158783) is greater than MAX_TRANSFER_INPUT_MB (5000) at submit "
          "time\n"
          "\tCode 32 Subcode 0\n"
          "...\n");
}

// Site B has pilots of three slots: slot 4 is the second of the second. Its third pilot is another
// startd.
TEST_CASE("slots are named by the pilot that holds them, and each pilot has one address") {
  HistoryBuilder h({{1, 0}, {1, 1}}, {"A", "B"});
  using enum history::EventKind;
  std::uint16_t const earlier[] = {0, 2};
  for (std::uint16_t const pilots : earlier) {
    double const at = pilots * 100;
    for (std::uint32_t const job : {0U, 1U}) {
      h.add(at + 10, job, matched).on(1, 4 + job);
      h.get().events.back().pilot = pilots;
      h.add(at + 10, job, transfer_input_started).on(1, 4 + job);
      h.add(at + 20, job, executing).on(1, 4 + job);
      h.add(at + 50, job, evicted, history::Reason::pilot_ended).on(1, 4 + job);
    }
  }
  EventLogOptions options = options_of_unknown_jobs();
  options.slots_per_pilot = {1, 3};
  std::string const log = log_of(h.get(), options);
  std::string const address = "<10.2.0.1:9618?addrs=10.2.0.1-9618&alias=B&noUDP&sock=";
  for (std::string const& text :
       {"host: " + address + "startd_1002_0001>\n\tSlotName: slot1_2@glidein_2_1@B\n",
        "host: " + address + "startd_1002_0001>\n\tSlotName: slot1_3@glidein_2_1@B\n",
        "host: " + address + "slot1_2_1002_0001_1>\n",
        "host: " + address + "startd_1002_00010002>\n\tSlotName: slot1_2@glidein_2_1_2@B\n",
        "host: " + address + "startd_1002_00010002>\n\tSlotName: slot1_3@glidein_2_1_2@B\n",
        "host: " + address + "slot1_3_1002_00010002_2>\n"}) {
    CHECK_THAT(log, test::has_text(text));
  }
}

TEST_CASE("the writer gives each run the bytes that a record shows") {
  HistoryBuilder h({{1, 0}}, {"A"});
  using enum history::EventKind;
  h.add(0, 0, submitted);
  h.add(10, 0, matched).add(20, 0, executing).add(100, 0, evicted);
  h.add(110, 0, matched).add(120, 0, executing).add(200, 0, terminated);
  EventLogOptions options = options_of_unknown_jobs();
  options.runs = {{{1, 0}, Seconds(100), Bytes(7), Bytes(300)},
                  {{1, 0}, Seconds(201), Bytes(50), std::nullopt}};
  std::string const log = log_of(h.get(), options);
  for (auto const* line :
       {"\t7  -  Run Bytes Sent By Job\n\t300  -  Run Bytes Received By Job\n",
        "\t50  -  Run Bytes Sent By Job\n\t0  -  Run Bytes Received By Job\n",
        "\t57  -  Total Bytes Sent By Job\n\t300  -  Total Bytes Received By Job\n"}) {
    CAPTURE(line);
    CHECK(log.find(line) != std::string::npos);
  }
}

TEST_CASE("a useless result ends with status 1") {
  HistoryBuilder h({{1, 0}}, {"A"});
  h.add(0, 0, history::EventKind::matched).on(0).add(9, 0, history::EventKind::executing).on(0);
  h.add(20, 0, history::EventKind::terminated).on(0).useless();
  REQUIRE_THAT(log_of(h.get()), test::has_text("(1) Normal termination (return value 1)"));
}

TEST_CASE("a running job that is removed is evicted first") {
  HistoryBuilder h({{1, 0}}, {"A"});
  h.add(0, 0, history::EventKind::matched).on(0).add(9, 0, history::EventKind::executing).on(0);
  h.add(20, 0, history::EventKind::aborted, history::Reason::manual);
  auto const log = log_of(h.get());
  REQUIRE_THAT(log, test::has_text("Job was evicted.\n"));
  REQUIRE_THAT(log, test::has_text("\tvia condor_rm (by user gridcast)"));
  REQUIRE(log.find("004 (001") < log.find("009 (001"));
}

// A night in a slot with everything that the shadow and the starter report on the way.
TEST_CASE("the steps of a job in its slot are written one by one") {
  using enum history::EventKind;
  HistoryBuilder h({{7, 3}}, {"SITE"});
  h.add(0, 0, matched).on(0, 2).add(5, 0, transfer_input_queued).on(0, 2);
  h.add(20, 0, transfer_input_started).on(0, 2).add(30, 0, transfer_input_finished).on(0, 2);
  h.add(30, 0, executing)
      .on(0, 2)
      .add(100, 0, suspended)
      .on(0, 2)
      .add(160, 0, unsuspended)
      .on(0, 2);
  h.add(200, 0, transfer_output_started).on(0, 2).add(201, 0, checkpointed).on(0, 2);
  h.add(300, 0, checkpointed).on(0, 2);
  h.add(400, 0, disconnected).on(0, 2).add(430, 0, reconnected).on(0, 2);
  h.add(500, 0, transfer_output_queued).on(0, 2).add(510, 0, transfer_output_started).on(0, 2);
  auto const startd =
      std::string("<10.1.0.2:9618?addrs=10.1.0.2-9618&alias=SITE&noUDP&sock=startd_1001_0002>\n");
  auto const starter = std::string(
      "<10.1.0.2:9618?addrs=10.1.0.2-9618&alias=SITE&noUDP&sock=slot1_1_1001_0002_1>\n");
  std::string const id = " (007.003.000) 2024-08-12 09:";
  CHECK(log_of(h.get(), options_of_unknown_jobs()) ==
        "040" + id + "00:00 Entered queue to transfer input files\n...\n" + "040" + id +
            "00:05 Entered queue to transfer input files\n...\n" + "040" + id +
            "00:20 Started transferring input files\n" +
            "\tSeconds spent in queue: 15\n\tTransferring to host: " + starter + "...\n" + "040" +
            id + "00:30 Finished transferring input files\n...\n" + "001" + id +
            "00:30 Job executing on host: " + startd +
            "\tSlotName: slot1_1@glidein_1_2@SITE\n\tCpus = 1\n"
            "\tGLIDEIN_ResourceName = \"SITE\"\n\tGPUs = 0\n...\n" +
            "010" + id +
            "01:40 Job was suspended.\n"
            "\tNumber of processes actually suspended: 1\n...\n" +
            "011" + id + "02:40 Job was unsuspended.\n...\n" + "040" + id +
            "03:20 Started transferring output files\n...\n" + "040" + id +
            "03:21 Finished transferring output files\n...\n" + "003" + id +
            "05:00 Job was checkpointed.\n"
            "\t\tUsr 0 00:04:29, Sys 0 00:00:00  -  Run Remote Usage\n"
            "\t\tUsr 0 00:00:00, Sys 0 00:00:00  -  Run Local Usage\n"
            "\t0  -  Run Bytes Sent By Job For Checkpoint\n...\n" +
            "022" + id +
            "06:40 Job disconnected, attempting to reconnect\n"
            "    Socket between submit and execute hosts closed unexpectedly\n"
            "    Trying to reconnect to slot1_1@glidein_1_2@SITE " +
            startd + "...\n" + "023" + id +
            "07:10 Job reconnected to slot1_1@glidein_1_2@SITE\n"
            "    startd address: " +
            startd + "    starter address: " + starter + "...\n" + "040" + id +
            "08:20 Entered queue to transfer output files\n...\n" + "040" + id +
            "08:30 Started transferring output files\n...\n");
}

TEST_CASE("a shadow that has reconnected shows no output transfers and checkpoints, if asked") {
  using enum history::EventKind;
  HistoryBuilder h({{7, 3}}, {"SITE"});
  h.add(0, 0, matched).on(0).add(10, 0, executing).on(0);
  h.add(110, 0, transfer_output_started).on(0).add(120, 0, checkpointed).on(0);
  h.add(130, 0, disconnected).on(0).add(140, 0, reconnected).on(0);
  h.add(210, 0, transfer_output_started).on(0).add(220, 0, checkpointed).on(0);
  h.add(300, 0, evicted).on(0);
  h.add(400, 0, matched).on(0).add(410, 0, executing).on(0);
  h.add(510, 0, transfer_output_started).on(0).add(520, 0, checkpointed).on(0);
  auto const starts = [&](EventLogOptions const& options) {
    auto const log = log_of(h.get(), options);
    std::size_t n = 0;
    for (auto at = log.find("Started transferring output"); at != std::string::npos;
         at = log.find("Started transferring output", at + 1)) {
      ++n;
    }
    return n;
  };
  EventLogOptions options;
  CHECK(starts(options) == 3);
  options.silent_after_reconnect = true;
  CHECK(starts(options) == 2);  // the next attempt has a new shadow
}

// TimeExecute is of the last process that ran in the slot, TimeSlotBusy of all.
TEST_CASE("a checkpoint begins a new process") {
  using enum history::EventKind;
  HistoryBuilder h({{7, 3}}, {"SITE"});
  h.add(0, 0, matched).on(0).add(10, 0, executing).on(0);
  h.add(110, 0, transfer_output_started).on(0).add(120, 0, checkpointed).on(0);
  h.add(150, 0, transfer_output_started).on(0).add(160, 0, transfer_output_finished).on(0);
  h.add(160, 0, terminated).on(0);
  auto const log = log_of(h.get());
  CHECK_THAT(log, test::has_text("TimeExecute (s)      :       30 "));
  CHECK_THAT(log, test::has_text("TimeSlotBusy (s)     :      160 "));
  CHECK_THAT(log, test::has_text("Usr 0 00:02:10, Sys 0 00:00:00  -  Run Remote Usage"));
}

TEST_CASE("limits longer than a day are written as HTCondor writes them") {
  HistoryBuilder h({{1, 0}}, {});
  h.add(0, 0, history::EventKind::held, history::Reason::execution_too_long);
  EventLogOptions options;
  options.allowed_execute = hours(40);
  REQUIRE_THAT(log_of(h.get(), options), test::has_text("execute duration of 1+16:00:00"));
}

TEST_CASE("a history without dates has no event log") {
  history::JobHistory history;
  history.dated = false;
  REQUIRE_THROWS_AS(log_of(history), InputError);
}

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

TEST_CASE("a requeued job's 004 shows how it exited, and has no table") {
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

TEST_CASE("the writer keeps the code of a source, and writes no reason without one") {
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

TEST_CASE("a hold of a running job is reported by starter, shadow and schedd, in this order") {
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

// As HTCondor 23.9.6 logged it (calibration/data/htcondor-pool/c3-ckpt, job 14).
TEST_CASE("an eviction as no file came back is reported by the starter first") {
  auto h = running();
  h.add(110, 0, history::EventKind::disconnected).on(0, 2);
  h.add(115, 0, history::EventKind::reconnected).on(0, 2);
  h.add(120, 0, history::EventKind::evicted, history::Reason::output_failed).on(0, 2);
  auto const log = log_of(h.get(), bare(CondorVersion::v25));
  CHECK(events_of(log, "021") ==
        "021 (007.003.000) 2024-08-12 09:02:00 Error from starter on slot1_1@glidein_1_2@SITE:\n"
        "\tRepeated attempts to transfer output failed for unknown reasons\n...\n");
  CHECK_THAT(events_of(log, "004"),
             test::has_text("Error from slot1_1@glidein_1_2@SITE: Repeated attempts to transfer "
                            "output failed for unknown reasons\n"));
  CHECK(log.find("\n021 ") < log.find("\n004 "));
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

TEST_CASE("a removal or a release without a reason is one line") {
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

TEST_CASE("each submission of a DAG's node names it, on one line") {
  using enum history::EventKind;
  HistoryBuilder h({{4, 0}, {5, 0}, {6, 0}}, {"SITE"});
  h.add(0, 0, submitted).add(0, 1, submitted).add(0, 2, submitted);
  h.add(1, 0, aborted).add(2, 0, submitted);
  history::JobHistory history = h.get();
  history.labels = {{.node = "run0-train"}, {.node = "two\n...\nlines"}, {.batch = "no node"}};
  std::vector<std::string> below;
  auto const lines = split(log_of(history), '\n');
  for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
    if (lines[i].starts_with("000 (")) below.emplace_back(lines[i + 1]);
  }
  CHECK(below == std::vector<std::string>{"    DAG Node: run0-train", "    DAG Node: two ... lines",
                                          "    simulated by gridcast", "    DAG Node: run0-train"});
}

TEST_CASE("jobs of a DAG's node that is tried again are another cluster, as DAGMan submits one") {
  using enum history::EventKind;
  HistoryBuilder h({{4, 0}, {4, 1}, {7, 0}}, {"SITE"});
  h.add(0, 0, submitted).add(0, 1, submitted).add(0, 2, submitted);
  h.add(1, 0, matched).on(0).add(2, 0, executing).on(0).add(3, 0, terminated).on(0);
  h.add(4, 1, aborted).add(4, 0, submitted).add(4, 1, submitted);
  h.add(5, 1, aborted).add(5, 1, submitted).add(6, 0, aborted).add(7, 2, aborted);
  std::string headers;
  for (auto const& line : split(log_of(h.get()), '\n')) {
    if (line.find(" Job ") != std::string::npos) headers += line.substr(0, 17) + "\n";
  }
  CHECK(headers ==
        "000 (004.000.000)\n000 (004.001.000)\n000 (007.000.000)\n001 (004.000.000)\n"
        "005 (004.000.000)\n009 (004.001.000)\n000 (011.000.000)\n000 (011.001.000)\n"
        "009 (011.001.000)\n000 (018.001.000)\n009 (011.000.000)\n009 (007.000.000)\n");
}

}  // namespace

}  // namespace gridcast::condor
