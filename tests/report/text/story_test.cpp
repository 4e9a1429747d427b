#include "sim/report/text/story.hpp"

#include "sim/report/data/csv.hpp"
#include "sim/report/text/layout.hpp"
#include "tests/history/history_builder.hpp"
#include "tests/test.hpp"

namespace gridcast::report {
namespace {

using test::has_text;

/// One job that stalls, is evicted and succeeds; one that meets a 404.
history::JobHistory two_stories() {
  test::HistoryBuilder history({{1, 0}, {1, 1}}, {"CHTC", "PDX"});
  history.add(0, 0, history::EventKind::submitted).add(0, 1, history::EventKind::submitted);
  history.add(60, 0, history::EventKind::matched).on(1, 3);
  history.add(61, 0, history::EventKind::transfer_input_started).on(1, 3);
  history.add(60, 1, history::EventKind::matched).on(0);
  history.add(61, 1, history::EventKind::transfer_input_started).on(0);
  history.add(62, 1, history::EventKind::held, history::Reason::not_found).on(0);
  history.add(3961, 0, history::EventKind::shadow_exception, history::Reason::transfer_stalled)
      .on(1, 3);
  history.add(4000, 0, history::EventKind::matched).on(0, 5);
  history.add(4001, 0, history::EventKind::transfer_input_started).on(0, 5);
  history.add(5001, 0, history::EventKind::transfer_input_finished).on(0, 5);
  history.add(5002, 0, history::EventKind::executing).on(0, 5);
  history.add(6002, 0, history::EventKind::evicted, history::Reason::pilot_ended).on(0, 5);
  history.add(7000, 0, history::EventKind::matched).on(0, 6);
  history.add(7001, 0, history::EventKind::transfer_input_started).on(0, 6);
  history.add(8001, 0, history::EventKind::transfer_input_finished).on(0, 6);
  history.add(8002, 0, history::EventKind::executing).on(0, 6);
  history.add(15202, 0, history::EventKind::transfer_output_started).on(0, 6);
  history.add(15210, 0, history::EventKind::transfer_output_finished).on(0, 6);
  history.add(15210, 0, history::EventKind::terminated).on(0, 6);
  return history.get();
}

TEST_CASE("an attempt that the history breaks off has no end", "[attempts]") {
  auto history = two_stories();
  history.events.resize(7);
  auto const attempts = history::attempts_of(history);
  REQUIRE(attempts.size() == 2);
  CHECK_FALSE(attempts[0].ended.has_value());
}

TEST_CASE("CSV cells are quoted where they must be", "[csv_text]") {
  CHECK(csv_line({"a", "b,c", "say \"so\"", ""}) == "a,\"b,c\",\"say \"\"so\"\"\",\n");
  CHECK(csv_number(0.1) == "0.1");
  CHECK(csv_number(720000) == "720000");
}

TEST_CASE("the story fits a screen and has its parts", "[story]") {
  auto const history = two_stories();
  Story story(history);
  for (history::JobEvent const& event : history.events) story.add(event);
  story.settled(Id<history::Job>(0));
  story.finish();
  auto const text = story.text("Two jobs\n", {Charset::ascii, 80});
  CHECK_THAT(text, has_text("Two jobs") && has_text("PDX") && has_text("404"));
  CHECK(std::count(text.begin(), text.end(), '\n') <= 60);
}

}  // namespace
}  // namespace gridcast::report
