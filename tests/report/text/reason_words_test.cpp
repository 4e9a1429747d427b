#include "sim/report/text/reason_words.hpp"

#include "tests/test.hpp"

namespace gridcast::report {
namespace {

using test::has_text;

history::Ending ending(history::EventKind kind, history::Reason reason, int code = 0,
                       int subcode = 0, int exit_code = 0) {
  history::Ending result;
  result.kind = kind;
  result.reason = reason;
  result.code = code;
  result.subcode = subcode;
  result.exit_code = exit_code;
  return result;
}

TEST_CASE("a code says more than the reason that was made of it") {
  auto const words =
      words_of(ending(history::EventKind::held, history::Reason::transfer_failed, 13, 512));
  CHECK(words.what == "input transfer failed: the plugin gave up (exit 2)");
}

TEST_CASE("the reason of a failure comes before the exit status of its plugin") {
  auto const words =
      words_of(ending(history::EventKind::held, history::Reason::not_found, 13, 256));
  CHECK(words.what == "input transfer failed: no such object (404)");
}

TEST_CASE("without a code the text shows the reason") {
  CHECK_THAT(words_of(ending(history::EventKind::evicted, history::Reason::pilot_ended)).what,
             has_text("the pilot was shut down"));
  CHECK(words_of(ending(history::EventKind::evicted, history::Reason::none)).what ==
        "the source gives no reason");
  CHECK_THAT(words_of(ending(history::EventKind::evicted, history::Reason::unknown)).advice,
             has_text("before 24.3 give no code"));
  CHECK_THAT(
      words_of(ending(history::EventKind::shadow_exception, history::Reason::transfer_stalled))
          .what,
      has_text("ended by the stall timer"));
}

TEST_CASE("a lease that ran out and a job that the slot no longer had are two things") {
  using enum history::EventKind;
  for (auto const kind : {reconnect_failed, evicted}) {
    auto const lease = words_of(ending(kind, history::Reason::lost_contact, 1008));
    CHECK_THAT(lease.what, has_text("longer than the job's lease"));
    CHECK_THAT(lease.advice, has_text("A longer job_lease_duration survives longer cuts"));
    auto const gone = words_of(ending(kind, history::Reason::system, 1008));
    CHECK_THAT(gone.what, has_text("no longer had the job"));
    CHECK_THAT(gone.advice, has_text("A longer job_lease_duration changes nothing"));
  }
}

TEST_CASE("the program's exit, of retries and of useless results") {
  auto const unreported = ending(history::EventKind::requeued, history::Reason::none);
  CHECK(words_of(unreported).what == "the program ended with exit code 0");
  CHECK(words_of(unreported, history::BatchSystem::other).what ==
        "the program failed, without a recorded exit code");
  CHECK(words_of(ending(history::EventKind::requeued, history::Reason::exit_code, 0, 0, 1)).what ==
        "the program ended with exit code 1");
  CHECK(words_of(ending(history::EventKind::requeued, history::Reason::killed_by_signal, 0, 0, -9))
            .what == "the program died of signal 9");
  CHECK_THAT(
      words_of(ending(history::EventKind::terminated, history::Reason::none, 0, 0, 2)).advice,
      has_text("No result of use"));
  CHECK_THAT(words_of(ending(history::EventKind::terminated, history::Reason::corrupt_input)).what,
             has_text("did not unpack"));
}

TEST_CASE("an attempt that gave its result ended with an exit code, and not without a result") {
  history::PhaseSpan span;
  CHECK(cause_in_words(span).empty());
  span.cause = ending(history::EventKind::terminated, history::Reason::none);
  CHECK(cause_in_words(span) == "the program ended without a result of use");
  span.succeeded = true;
  CHECK(cause_in_words(span) == "the program ended with exit code 0");
  span.cause->exit_code = 3;  // success_exit_code
  CHECK(cause_in_words(span) == "the program ended with exit code 3");
}

TEST_CASE("another batch system's jobs get no advice about HTCondor's knobs") {
  using enum history::EventKind;
  auto const general = [](history::Ending const& one) {
    return words_of(one, history::BatchSystem::other);
  };
  CHECK(general(ending(aborted, history::Reason::execution_too_long, 47)).what ==
        "the program outlived its time limit");
  CHECK(general(ending(terminated, history::Reason::exit_code, 0, 0, 2)).what ==
        "the program ended with exit code 2");
  for (std::size_t r = 0; r < history::reason_count; ++r) {
    for (auto const kind : {evicted, aborted, held, terminated, requeued}) {
      auto const words = general(ending(kind, static_cast<history::Reason>(r)));
      CAPTURE(r, words.what, words.advice);
      CHECK(!words.what.empty());
      for (auto const* knob : {"OSPool", "HTCondor", "request_", "max_retries", "checkpoint_exit",
                               "job_lease", "requirements", "condor_", "periodic_"}) {
        CHECK(words.advice.find(knob) == std::string::npos);
      }
    }
  }
}

TEST_CASE("each kind of ending has a word, each reason words") {
  CHECK(ending_word(history::EventKind::held) == "held");
  CHECK(ending_word(history::EventKind::reconnect_failed) == "contact lost");
  for (int r = 0; r <= static_cast<int>(history::Reason::unknown); ++r) {
    auto const words = words_of(ending(history::EventKind::held, static_cast<history::Reason>(r)));
    INFO(r);
    CHECK_FALSE(words.what.empty());
    CHECK(words.what.find_first_of("{}") == std::string::npos);
  }
}

TEST_CASE("transfer codes: a plugin's exit, an errno, a time limit") {
  CHECK(words_of_code(13, 256).what == "input transfer failed: the plugin gave up (exit 1)");
  CHECK(words_of_code(13, 5 * 256).what ==
        "input transfer failed: the plugin saw no progress (exit 5)");
  CHECK(words_of_code(13, 3 * 256).what == "input transfer failed: the plugin gave up (exit 3)");
  CHECK_THAT(words_of_code(13, 2816).what, has_text("a retry may help"));
  CHECK(words_of_code(13, 62).what == "input transfer failed: the plugin ran out of time");
  CHECK(words_of_code(13, 2).what == "input transfer failed: an input file does not exist");
  CHECK(words_of_code(13, 104).what ==
        "input transfer failed: Connection reset by peer (error 104)");
  CHECK(words_of_code(13, -1001).what ==
        "input transfer failed: the transfer plugin could not be run");
  CHECK(words_of_code(12, 2).what == "output transfer failed: an output file does not exist");
  CHECK(words_of_code(12, 256).what == "output transfer failed: the plugin gave up (exit 1)");
}

TEST_CASE("each hold code from 1 to 48 that exists, and each vacate code to 1036, has words") {
  auto const known = [](int code) {
    return words_of_code(code, 0).what.find("not in HTCondor's manual") == std::string::npos;
  };
  for (int code = 1; code <= 48; ++code) {
    bool const gone = code == 2 || (code >= 28 && code <= 31);
    INFO(code);
    CHECK(known(code) != gone);
  }
  for (int code = 1000; code <= 1036; ++code) {
    INFO(code);
    CHECK(known(code));
  }
  CHECK_FALSE(known(999));
  CHECK_FALSE(known(0));
  CHECK_FALSE(known(-5));
}

TEST_CASE("a code that nobody knows is reported by its number") {
  CHECK(words_of_code(77, 3).what == "code 77/3, which is not in HTCondor's manual");
  CHECK(code_text(13, 256) == "13/256");
  CHECK(code_text(1, 0) == "1");
}

TEST_CASE("no subcode leaves a placeholder in the text") {
  for (int code = -1; code <= 1040; ++code) {
    for (int subcode : {-2000, -1, 0, 1, 2, 28, 62, 102, 255, 256, 2816, 70000}) {
      auto const words = words_of_code(code, subcode);
      INFO(code_text(code, subcode));
      REQUIRE(words.what.find_first_of("{}") == std::string::npos);
      REQUIRE_FALSE(words.what.empty());
    }
  }
}

}  // namespace
}  // namespace gridcast::report
