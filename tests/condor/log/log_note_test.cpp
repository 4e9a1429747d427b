#include "sim/condor/log/log_note.hpp"

#include "sim/condor/log/event_reader.hpp"
#include "tests/test.hpp"

namespace gridcast::test {

TEST_CASE("Hold codes") {
  CHECK(condor::hold_reason(1, 0, "") == history::Reason::manual);
  CHECK(condor::hold_reason(3, 7, "") == history::Reason::policy);
  CHECK(condor::hold_reason(12, 2, "") == history::Reason::output_missing);
  CHECK(condor::hold_reason(12, 256, "") == history::Reason::output_failed);
  CHECK(condor::hold_reason(13, 256, "") == history::Reason::transfer_failed);
  CHECK(condor::hold_reason(13, 62, "") == history::Reason::transfer_timeout);
  CHECK(condor::hold_reason(26, 102, "") == history::Reason::system);
  CHECK(condor::hold_reason(32, 0, "") == history::Reason::input_too_large);
  CHECK(condor::hold_reason(34, 102, "") == history::Reason::out_of_resources);
  CHECK(condor::hold_reason(36, 0, "") == history::Reason::checkpoint_failed);
  CHECK(condor::hold_reason(46, 0, "") == history::Reason::job_too_long);
  CHECK(condor::hold_reason(47, 0, "") == history::Reason::execution_too_long);
  CHECK(condor::hold_reason(0, 0, "via condor_hold (by user u)") == history::Reason::manual);
  CHECK(condor::hold_reason(0, 0, "Reason unspecified") == history::Reason::unknown);
}

TEST_CASE("words show the direction of a transfer that failed before HTCondor 10") {
  std::string const starter_sends =
      "Error from slot1@h: STARTER at 192.0.2.1 failed to send file(s) to <192.0.2.9:9618>: error "
      "reading from out.txt: (errno 2) No such file or directory; SHADOW failed to receive file(s) "
      "from <192.0.2.1:3000>";
  std::string const shadow_sends =
      "Error from slot1@h: SHADOW at 192.0.2.9 failed to send file(s) to <192.0.2.1:3000>: error "
      "reading from in.txt: (errno 2) No such file or directory; STARTER failed to receive file(s)";
  std::string const shadow_writes =
      "Error from slot1@h: STARTER at 192.0.2.1 failed to send file(s) to <192.0.2.9:9618>; SHADOW "
      "at 192.0.2.9 failed to write to file out/x: (errno 2) No such file or directory";
  for (int const code : {12, 13}) {
    CHECK(condor::hold_code(code, starter_sends) == 12);
    CHECK(condor::hold_code(code, shadow_writes) == 12);
    CHECK(condor::hold_code(code, shadow_sends) == 13);
    CHECK(condor::hold_code(code,
                            "STARTER failed to receive file(s); SHADOW at h failed to send") == 13);
    CHECK(condor::hold_code(code, "") == code);
    // Since then the code itself has the direction, whatever the details are.
    CHECK(condor::hold_code(code, "Transfer output files failure at h. Details: " + shadow_sends) ==
          code);
  }
  CHECK(condor::hold_code(12, "Error from slot1@h: FILETRANSFER:1:non-zero exit (1)") == 13);
  CHECK(condor::hold_code(3, starter_sends) == 3);
  // The access point could not write; the program has written its file.
  CHECK(condor::hold_reason(12, 2, shadow_writes) == history::Reason::output_failed);
  CHECK(condor::hold_reason(12, 2, starter_sends) == history::Reason::output_missing);
}

TEST_CASE("Words add facts that the codes of a transfer lack") {
  CHECK(condor::hold_reason(13, 256, "failed download: 404 page not found") ==
        history::Reason::not_found);
  CHECK(condor::hold_reason(13, 256, "status 404: see") == history::Reason::not_found);
  CHECK(condor::hold_reason(13, 256, "host node-404.example.org broke") ==
        history::Reason::transfer_failed);
  CHECK(condor::hold_reason(13, 256, "Aborted due to lack of progress") ==
        history::Reason::no_progress);
  CHECK(condor::hold_reason(13, 62, "Input File transfer stalled for 3620 seconds") ==
        history::Reason::transfer_stalled);
  // HTCondor 9, of a plugin (pelican issue 1109).
  CHECK(condor::vacate_reason(0, 0,
                              "Error from slot1_1@n11: FILETRANSFER:1:non-zero exit (1) from "
                              "stash_plugin. |Error: 404: No namespace found for path osdf:///a") ==
        history::Reason::not_found);
  CHECK(condor::hold_reason(12, 256, "404 not found") == history::Reason::output_failed);
}

TEST_CASE("Vacate codes and words") {
  CHECK(condor::vacate_reason(1013, 0, "") == history::Reason::pilot_ended);
  CHECK(condor::vacate_reason(1022, 0, "") == history::Reason::vacated);
  CHECK(condor::vacate_reason(1008, 0, "") == history::Reason::lost_contact);
  CHECK(condor::vacate_reason(1008, 0, "Job not found at execution machine") ==
        history::Reason::system);
  CHECK(condor::vacate_reason(1007, 0,
                              "Error from slot: Input File transfer stalled for 3620 seconds") ==
        history::Reason::transfer_stalled);
  CHECK(condor::vacate_reason(1007, 0, "Error from slot: something else") ==
        history::Reason::unknown);
  CHECK(condor::vacate_reason(0, 0,
                              "Repeated attempts to transfer output failed for unknown reasons") ==
        history::Reason::output_failed);
  CHECK(condor::vacate_reason(34, 102, "") == history::Reason::out_of_resources);
  auto const of_words = [](std::string const& words) {
    return condor::vacate_reason(0, 0, "Error from slot1@n.example.org: " + words);
  };
  CHECK(of_words("STARTER at 192.0.2.1 failed to send file(s) to <192.0.2.9:9618>: error reading "
                 "from /x/a.out: (errno 2) No such file or directory; SHADOW failed to receive "
                 "file(s) from <192.0.2.1:40000>") == history::Reason::output_missing);
  CHECK(
      of_words("STARTER at 192.0.2.1 failed to send file(s) to <192.0.2.9:9618>; SHADOW at "
               "192.0.2.9 failed to write to file /home/a.out: (errno 122) Disk quota exceeded") ==
      history::Reason::output_failed);
  CHECK(of_words("STARTER at 192.0.2.1 failed to receive file(s) from <192.0.2.9:9618>") ==
        history::Reason::transfer_failed);
  CHECK(of_words("Job has gone over disk limit of 1000 kilobytes") ==
        history::Reason::out_of_resources);
  CHECK(of_words("Failed to execute '/x/run.sh': (errno=8: 'Exec format error')") ==
        history::Reason::system);
  CHECK(condor::vacate_reason(0, 0, "") == history::Reason::unknown);
  CHECK(condor::vacate_reason(0, 0, "User requested the job to vacate") ==
        history::Reason::vacated);
}

TEST_CASE("A note names the party that decided") {
  CHECK(condor::decision_reason("via condor_rm (by user u)") == history::Reason::manual);
  CHECK(condor::decision_reason("removed because <OtherJobRemoveRequirements = DAGManJobId =?= 9> "
                                "fired when job (9.0) was removed") == history::Reason::manual);
  CHECK(condor::decision_reason(
            "The job attribute PeriodicRelease expression 'x' evaluated to TRUE") ==
        history::Reason::policy);
  CHECK(condor::decision_reason("") == history::Reason::unknown);
}

TEST_CASE("A slot that was busy for ages was so for a century") {
  condor::RawEvent event;
  event.number = 5;
  for (std::int64_t const seconds : {std::int64_t{455000000000000000}, std::int64_t{1} << 62}) {
    event.slot_busy = seconds;
    CHECK(condor::note_of(event, 0)->busy_ms == 100LL * 366 * 86400 * 1000);
  }
  event.slot_busy = 160;
  CHECK(condor::note_of(event, 0)->busy_ms == 160'000);
  event.slot_busy = -160;
  CHECK(condor::note_of(event, 0)->busy_ms == 0);
}

}  // namespace gridcast::test
