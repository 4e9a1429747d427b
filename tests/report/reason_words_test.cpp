// Endings in words: by code, by reason, by the program's exit.
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

TEST_CASE("what the plugin said is more than its exit status") {
  auto const words =
      words_of(ending(history::EventKind::held, history::Reason::not_found, 13, 256));
  CHECK(words.what == "input transfer failed: no such object (404)");
}

TEST_CASE("without a code, the reason") {
  CHECK_THAT(words_of(ending(history::EventKind::evicted, history::Reason::pilot_ended)).what,
             has_text("the pilot was shut down"));
  CHECK(words_of(ending(history::EventKind::evicted, history::Reason::none)).what ==
        "the source gives no reason");
  CHECK_THAT(words_of(ending(history::EventKind::evicted, history::Reason::unknown)).advice,
             has_text("before 24.3 give no code"));
  CHECK_THAT(
      words_of(ending(history::EventKind::shadow_exception, history::Reason::transfer_stalled))
          .what,
      has_text("stalled"));
}

TEST_CASE("the program's exit, of retries and of useless results") {
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

}  // namespace
}  // namespace gridcast::report
