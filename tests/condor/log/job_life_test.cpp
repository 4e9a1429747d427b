// Each rule of sim/condor/log/job_life.hpp on a log of a few lines.
#include "sim/condor/log/job_life.hpp"

#include "tests/condor/log_files.hpp"
#include "tests/test.hpp"

namespace gridcast::test {
namespace {

std::string submit() {
  return event(0, 0, "Job submitted from host: <192.0.2.9:9618?sock=schedd>");
}
std::string input_started(int at, std::string_view body = "") {
  return event(40, at, "Started transferring input files", body);
}
std::string input_finished(int at) { return event(40, at, "Finished transferring input files"); }
std::string output(int start, int finish) {
  return event(40, start, "Started transferring output files") +
         event(40, finish, "Finished transferring output files");
}
std::string executing(int at) {
  return event(1, at, "Job executing on host: <192.0.2.1:9618?sock=a>",
               "\tGLIDEIN_ResourceName = \"A\"\n");
}
std::string terminated(int at, std::string_view how = "(1) Normal termination (return value 0)") {
  return event(5, at, "Job terminated.", "\t" + std::string(how) + "\n");
}
std::string evicted(int at, std::string_view code = "",
                    std::string_view body = "\t(0) CPU times\n") {
  return event(4, at, "Job was evicted." + std::string(code), body);
}
std::string held(int at, std::string_view code, std::string_view why = "Because") {
  return event(12, at, "Job was held.",
               "\t" + std::string(why) + "\n\tCode " + std::string(code) + "\n");
}
std::string disconnected(int at) {
  return event(22, at, "Job disconnected, attempting to reconnect",
               "    Socket closed\n    Trying to reconnect to slot1@g@h <192.0.2.1:9618?sock=a>\n");
}

std::string start() { return submit() + input_started(10) + input_finished(20) + executing(20); }
std::string const started =
    "0 submitted\n10 matched A\n10 input_started A\n20 input_finished A\n20 executing A\n";

std::string story_of(std::string const& log) {
  auto const read = read_text(log);
  INFO(to_text(read.report));
  CHECK(read.report.lines_not_understood == 0);
  return story(read.history);
}

}  // namespace

TEST_CASE("An attempt without trouble") {
  CHECK(story_of(start() + output(50, 51) + terminated(51)) ==
        started + "50 output_started A\n51 output_finished A\n51 terminated A\n");
}

TEST_CASE("Blanks behind the line that ends an event change nothing") {
  std::string const text = submit() + executing(20) + terminated(90);
  std::string blanks = text;
  blanks.insert(blanks.size() - 1, " \t");
  CHECK(story_of(blanks) == story_of(text));
  CHECK_FALSE(warned(read_text(blanks).report, "without \"...\""));
}

TEST_CASE("The wait for a transfer slot is part of the claim") {
  std::string const queued = event(40, 5, "Entered queue to transfer input files");
  CHECK(story_of(submit() + queued + input_started(10) + input_finished(20) + executing(20)) ==
        "0 submitted\n5 matched A\n10 input_started A\n20 input_finished A\n20 executing A\n");
  CHECK(story_of(submit() + input_started(10, "\tSeconds spent in queue: 4\n") + executing(20)) ==
        "0 submitted\n6 matched A\n10 input_started A\n20 input_finished A\n20 executing A\n");
  // No earlier than the submission.
  CHECK(story_of(submit() + input_started(10, "\tSeconds spent in queue: 40\n") + executing(20))
            .starts_with("0 submitted\n0 matched A\n10 input_started A\n"));
}

TEST_CASE("001 before its own transfer's end, within its second or the next") {
  CHECK(story_of(submit() + input_started(10) + executing(20) + input_finished(20)) == started);
  CHECK(story_of(submit() + input_started(10) + executing(20) + input_finished(21)) == started);
  CHECK(story_of(submit() + executing(20) + input_started(20) + input_finished(20)) ==
        "0 submitted\n20 matched A\n20 input_started A\n20 input_finished A\n20 executing A\n");
}

TEST_CASE("001 without a claim counts as one") {
  CHECK(story_of(submit() + executing(20)) == "0 submitted\n20 matched A\n20 executing A\n");
}

TEST_CASE("001 after the 004 of its attempt") {
  CHECK(story_of(submit() + input_started(10) + input_finished(20) + evicted(20) + executing(21) +
                 input_started(22) + input_finished(23) + executing(24)) ==
        "0 submitted\n10 matched A\n10 input_started A\n20 input_finished A\n20 executing A\n"
        "20 evicted unknown A\n22 matched A\n22 input_started A\n23 input_finished A\n"
        "24 executing A\n");
}

TEST_CASE("A hold of a running job counts once, whichever way it is logged") {
  std::string const expected = started + "30 held manual 1/0 A\n";
  CHECK(story_of(start() + evicted(30) + held(30, "1 Subcode 0")) == expected);
  CHECK(story_of(start() + evicted(30) + held(31, "1 Subcode 0")) == expected);
  CHECK(story_of(start() + held(30, "1 Subcode 0") + evicted(30)) == expected);
  CHECK(story_of(start() + held(30, "1 Subcode 0")) == expected);
  // Announced by the eviction's code, or logged in the same words: the schedd may take its time.
  CHECK(story_of(start() + evicted(30, " Code 1 Subcode 0") + held(42, "1 Subcode 0")) == expected);
  CHECK(story_of(start() + evicted(30, "", "\t(0) CPU times\n\tBecause\n") +
                 held(42, "1 Subcode 0")) == expected);
  // Another matter.
  CHECK(story_of(start() + evicted(30, " Code 1022 Subcode 0") + held(42, "1 Subcode 0")) ==
        started + "30 evicted vacated 1022/0 A\n42 held manual 1/0\n");
}

TEST_CASE("A hold of an idle job ends no attempt") {
  CHECK(story_of(submit() + held(5, "3 Subcode 7") + event(13, 9, "Job was released.")) ==
        "0 submitted\n5 held policy 3/7\n9 released unknown\n");
}

TEST_CASE("A failed input transfer, logged as finished or not") {
  std::string const starter = event(
      21, 15, "Error from starter on slot1@g@h:", "\tFailed to transfer\n\tCode 12 Subcode 256\n");
  std::string const expected =
      "0 submitted\n10 matched h\n10 input_started h\n15 held transfer_failed 13/256 h\n";
  std::string const end = starter + evicted(15) + held(15, "13 Subcode 256");
  CHECK(story_of(submit() + input_started(10) + end) == expected);
  CHECK(story_of(submit() + input_started(10) + input_finished(15) + end) == expected);
}

TEST_CASE("024 and the 004 that follows are one loss, when the shadow ends") {
  std::string const failed =
      event(24, 60, "Job reconnection failed",
            "    Job disconnected too long: JobLeaseDuration (20 seconds) expired\n"
            "    Can not reconnect to slot1@g@h, rescheduling job\n");
  CHECK(story_of(start() + disconnected(40) + failed + evicted(70)) ==
        started + "40 disconnected A\n70 reconnect_failed lost_contact A\n");
  std::string const gone = event(24, 60, "Job reconnection failed",
                                 "    Job not found at execution machine\n"
                                 "    Can not reconnect to slot1@g@h, rescheduling job\n");
  CHECK(story_of(start() + disconnected(40) + gone + evicted(70)) ==
        started + "40 disconnected A\n70 reconnect_failed system A\n");
  CHECK(story_of(start() + disconnected(40) + failed + input_started(80)) ==
        started +
            "40 disconnected A\n60 reconnect_failed lost_contact A\n80 matched\n"
            "80 input_started\n");
}

TEST_CASE("007 and the 004 that follows are one") {
  std::string const exception =
      event(7, 30, "Shadow exception!",
            "\tError from slot1@h: Input File transfer stalled for 3620 seconds\n"
            "\t0  -  Run Bytes Sent By Job\n");
  CHECK(story_of(start() + exception + evicted(30)) ==
        started + "30 shadow_exception transfer_stalled A\n");
  CHECK(story_of(start() + exception + input_started(35)) ==
        started + "30 shadow_exception transfer_stalled A\n35 matched\n35 input_started\n");
}

TEST_CASE("004 requeued is a retry") {
  std::string const body =
      "\t(0) Job terminated and was requeued\n\t\tUsr 0 00:00:00, Sys 0 00:00:00  -  Run Remote "
      "Usage\n\t38  -  Run Bytes Sent By Job\n\t(1) Normal termination (return value 1)\n\tThe job "
      "attribute OnExitRemove expression evaluated to FALSE\n";
  CHECK(story_of(start() + output(30, 30) + evicted(30, "", body)) ==
        started + "30 output_started A\n30 output_finished A\n30 requeued exit_code exit 1 A\n");
}

TEST_CASE("004 and 009 in a second are a removal") {
  std::string const removed = event(9, 30, "Job was aborted.", "\tvia condor_rm (by user u)\n");
  CHECK(story_of(start() + evicted(30) + removed) == started + "30 aborted manual A\n");
  CHECK(story_of(start() + removed + evicted(30)) == started + "30 aborted manual A\n");
  CHECK(story_of(submit() + removed) == "0 submitted\n30 aborted manual\n");
}

TEST_CASE("Terminations: by exit, by signal, useful or not") {
  CHECK(story_of(start() + terminated(40, "(1) Normal termination (return value 3)")) ==
        started + "40 terminated exit_code exit 3 A\n");
  CHECK(story_of(start() + terminated(40, "(0) Abnormal termination (signal 9)")) ==
        started + "40 terminated killed_by_signal exit -9 A\n");
  auto const read = read_text(start() + terminated(40, "(1) Normal termination (return value 3)"));
  CHECK_FALSE(read.history.events.back().useful);
}

TEST_CASE("Later events show a reconnection that is not logged") {
  CHECK(story_of(start() + disconnected(30) + event(23, 35, "Job reconnected to slot1@g@h")) ==
        started + "30 disconnected A\n35 reconnected A\n");
  CHECK(story_of(start() + disconnected(30) + output(40, 40) + terminated(40)) ==
        started +
            "30 disconnected A\n40 reconnected A\n40 output_started A\n"
            "40 output_finished A\n40 terminated A\n");
}

TEST_CASE("Self-checkpoints are output pairs after which the job goes on") {
  CHECK(story_of(start() + output(30, 31) + output(40, 41) + output(50, 51) + terminated(51)) ==
        started +
            "30 output_started A\n31 checkpointed A\n40 output_started A\n41 checkpointed A\n"
            "50 output_started A\n51 output_finished A\n51 terminated A\n");
  // Lost later than the last pair, which was a checkpoint then.
  CHECK(story_of(start() + output(30, 31) + evicted(45)) ==
        started + "30 output_started A\n31 checkpointed A\n45 evicted unknown A\n");
  CHECK(story_of(start() + output(30, 31) + evicted(31)) ==
        started + "30 output_started A\n31 output_finished A\n31 evicted unknown A\n");
  CHECK(story_of(start() + output(30, 31) + output(40, 41) + evicted(41)) ==
        started +
            "30 output_started A\n31 checkpointed A\n40 output_started A\n41 checkpointed A\n"
            "41 evicted unknown A\n");
  // What came home at an eviction was one as well, as a later attempt shows.
  std::string const resumed = input_started(40) + input_finished(50) + executing(50);
  std::string const again =
      "40 matched A\n40 input_started A\n50 input_finished A\n50 executing A\n";
  CHECK(story_of(start() + output(30, 31) + evicted(31) + resumed + output(55, 56) + evicted(58)) ==
        started + "30 output_started A\n31 checkpointed A\n31 evicted unknown A\n" + again +
            "55 output_started A\n56 checkpointed A\n58 evicted unknown A\n");
  CHECK(story_of(start() + output(30, 31) + evicted(31) + resumed + output(58, 58) +
                 terminated(58)) ==
        started + "30 output_started A\n31 output_finished A\n31 evicted unknown A\n" + again +
            "58 output_started A\n58 output_finished A\n58 terminated A\n");
  // It continues, as its image size shows.
  std::string const size = event(6, 35, "Image size of job updated: 5");
  CHECK(story_of(start() + output(30, 31) + size + evicted(36)) ==
        started + "30 output_started A\n31 checkpointed A\n36 evicted unknown A\n");
}

// Nothing ends the attempt: a result is followed by 005 at once, other jobs go on.
TEST_CASE("The last pair of a job that goes on when the record ends was a checkpoint") {
  std::string const pair = "30 output_started A\n31 checkpointed A\n";
  CHECK(story_of(start() + output(30, 31)) ==
        started + "30 output_started A\n31 output_finished A\n");
  CHECK(story_of(start() + output(30, 31) + output(40, 41)) ==
        started + pair + "40 output_started A\n41 checkpointed A\n");
  // Another job is submitted a minute later, and just after it.
  auto const other = [](int at) {
    return event(0, at, "Job submitted from host: <192.0.2.9:9618>", "", "002.000.000");
  };
  CHECK_THAT(story_of(start() + output(30, 31) + other(91)), has_text("31 output_finished"));
  CHECK_THAT(story_of(start() + output(30, 31) + other(92)), has_text("31 checkpointed"));
}

TEST_CASE("The output's transfer after the end of the same second") {
  CHECK(story_of(start() + terminated(50) + output(50, 50)) ==
        started + "50 output_started A\n50 output_finished A\n50 terminated A\n");
}

TEST_CASE("Suspensions") {
  CHECK(story_of(
            start() +
            event(10, 30, "Job was suspended.", "\tNumber of processes actually suspended: 1\n") +
            event(11, 36, "Job was unsuspended.")) ==
        started + "30 suspended A\n36 unsuspended A\n");
}

TEST_CASE("021 and 028 are no events of their own") {
  std::string const hook = event(
      21, 20, "Message from starter on slot1@g@h:", "\tPREPARE_JOB (prepare-hook) succeeded\n");
  std::string const ad =
      event(28, 20, "Job ad information event triggered.",
            "Proc = 0\nGLIDEIN_ResourceName = \"A\"\nTriggerEventTypeNumber = 1\n");
  CHECK(story_of(start() + hook + ad) == started);
  // ... but show its place.
  std::string const bare = event(1, 20, "Job executing on host: <192.0.2.1:9618?sock=a>");
  CHECK(story_of(submit() + input_started(10) + input_finished(20) + bare + ad) == started);
}

TEST_CASE("Vacate codes of HTCondor 24 and later") {
  auto const end = [](std::string_view code) {
    return story_of(start() + evicted(30, " Code " + std::string(code) + " Subcode 0"));
  };
  CHECK(end("1022") == started + "30 evicted vacated 1022/0 A\n");
  CHECK(end("1013") == started + "30 evicted pilot_ended 1013/0 A\n");
  CHECK(end("1008") == started + "30 evicted lost_contact 1008/0 A\n");
  CHECK(end("1002") == started + "30 evicted unknown 1002/0 A\n");
}

TEST_CASE("A program whose 001 is missing ran if its output was transferred") {
  std::string const begin = submit() + input_started(10) + input_finished(20);
  std::string const sending = event(40, 50, "Started transferring output files");
  CHECK(story_of(begin + sending + held(55, "12 Subcode 28")).find("20 executing") !=
        std::string::npos);
  CHECK(story_of(begin + sending + evicted(55)).find("20 executing") != std::string::npos);
  CHECK(story_of(begin + evicted(55)).find("executing") == std::string::npos);
  CHECK(story_of(begin + sending + held(55, "13 Subcode 256")).find("executing") ==
        std::string::npos);
}

TEST_CASE("An end without any sign of its beginning has no execution, and a note") {
  auto const read = read_text(submit() + terminated(40));
  CHECK(story(read.history).find("executing") == std::string::npos);
  CHECK(warned(read.report, "nothing shows when a program that ended began"));
  CHECK_FALSE(warned(read_text(start() + terminated(40)).report, "nothing shows"));
}

TEST_CASE("Events that a log lacks are added and reported") {
  auto const twice = read_text(start() + input_started(50) + input_finished(60) + executing(60));
  CHECK(story(twice.history) == started +
                                    "50 evicted unknown A\n50 matched A\n50 input_started A\n60 "
                                    "input_finished A\n60 executing A\n");
  CHECK(warned(twice.report, "no end"));

  auto const unreleased = read_text(submit() + held(5, "1 Subcode 0") + executing(20));
  CHECK(story(unreleased.history) ==
        "0 submitted\n5 held manual 1/0\n20 released unknown\n"
        "20 matched A\n20 executing A\n");
  CHECK(warned(unreleased.report, "runs without a release"));

  auto const late = read_text(executing(20) + terminated(40));
  CHECK(story(late.history) == "0 matched A\n0 executing A\n20 terminated A\n");
  CHECK(warned(late.report, "submission is not in the log"));
}

TEST_CASE("Impossible events are left out and reported") {
  auto const ended = read_text(start() + terminated(40) + terminated(41) + executing(50));
  CHECK(story(ended.history) == started + "40 terminated A\n");
  CHECK(warned(ended.report, "after the job's end"));
  CHECK(warned(read_text(submit() + submit()).report, "in the log a second time"));
  CHECK(warned(read_text(submit() + held(5, "1 Subcode 0") + held(9, "1 Subcode 0")).report,
               "held twice"));
}

// The pool died with the job, and its access point began to count anew.
TEST_CASE("A second submission is another job's, and the first one ends with its last event") {
  std::string const again = "Job submitted from host: <192.0.2.9:9618>";
  auto const idle = read_text(submit() + event(0, 5, again));
  CHECK(idle.history.jobs.size() == 2);
  CHECK(warned(idle.report, "was that of an earlier job"));
  auto const in_slot = read_text(start() + event(0, 9000, again));
  REQUIRE(in_slot.history.jobs.size() == 2);
  Seconds last;
  for (auto const& each : in_slot.history.events) {
    if (each.job.index() == 0) last = std::max(last, each.at);
  }
  CHECK(last == Seconds(20));
}

// As a merge of two copies by time has them.
TEST_CASE("An event that is written twice in a row is one") {
  auto const once = start() + held(30, "1 Subcode 0");
  auto const twice = start() + executing(20) + held(30, "1 Subcode 0") + held(30, "1 Subcode 0");
  CHECK(story(read_text(twice).history) == story(read_text(once).history));
}

TEST_CASE("A clock that is set back lets no time pass backwards") {
  auto const read = read_text(start() + output(5, 5) + terminated(40));
  CHECK(story(read.history) ==
        started + "20 output_started A\n20 output_finished A\n40 terminated A\n");
  CHECK(warned(read.report, "clock went back"));
}

TEST_CASE("After a clock was set back, jobs take as long as before") {
  auto const read = read_text(start() + disconnected(3000) + executing(400) + terminated(430));
  CHECK(story(read.history).ends_with("3030 terminated A\n"));
  CHECK(warned(read.report, "the clock was set back by 43.3 min"));
}

TEST_CASE("A clock that is set forward by a month or more is named where jobs are in slots") {
  std::string const far =
      "005 (001.000.000) 2027-03-01 00:00:00 Job terminated.\n"
      "\t(1) Normal termination (return value 0)\n...\n";
  CHECK(warned(read_text(start() + far).report, "was the clock set forward?"));
  CHECK_FALSE(warned(read_text(start() + terminated(60)).report, "set forward"));
}

}  // namespace gridcast::test
