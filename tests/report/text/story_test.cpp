#include "sim/report/text/story.hpp"

#include "sim/report/data/campaign_tables.hpp"
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

/// The lines of both tables.
struct Tables {
  explicit Tables(history::JobHistory const& history) {
    AttemptRows const rows(history);
    for (history::Attempt const& attempt : history::attempts_of(history)) {
      rows.add_attempt(attempts, attempt);
      rows.add_transfers(transfers, attempt);
    }
  }
  std::string attempts, transfers;
};

TEST_CASE("attempts and transfers are reported row by row", "[attempts]") {
  Tables const tables(two_stories());
  auto const& attempts = tables.attempts;
  CHECK_THAT(attempts, has_text("1.0,1,PDX,3,60,61,3961,,,3961,requeued,"));
  CHECK_THAT(attempts, has_text("1.0,3,CHTC,6,7000,7001,8001,8002,15202,15210,success,\n"));
  CHECK_THAT(attempts, has_text("1.1,1,CHTC,1,60,61,62,,,62,held,"));
  auto const& transfers = tables.transfers;
  CHECK_THAT(transfers, has_text("1.0,1,PDX,3,input,61,3961,3900,failed,"));
  CHECK_THAT(transfers, has_text("1.0,2,CHTC,5,input,4001,5001,1000,finished,\n"));
  CHECK_THAT(transfers, has_text("1.0,3,CHTC,6,output,15202,15210,8,finished,\n"));
}

TEST_CASE("a checkpoint that was stored is a transfer of its own", "[attempts]") {
  auto history = two_stories();
  // The last execution of 1.0 began at 8002 s and ended at 15202 s.
  history.events.insert(history.events.end() - 3, 2, history.events.back());
  auto const checkpoint = history.events.end() - 5;
  checkpoint[0].at = Seconds(9000);
  checkpoint[0].kind = history::EventKind::transfer_output_started;
  checkpoint[1].at = Seconds(9050);
  checkpoint[1].kind = history::EventKind::checkpointed;
  Tables const tables(history);
  CHECK_THAT(tables.attempts, has_text("1.0,3,CHTC,6,7000,7001,8001,8002,15202,15210,success,\n"));
  CHECK_THAT(tables.transfers, has_text("1.0,3,CHTC,6,input,7001,8001,1000,finished,\n"
                                        "1.0,3,CHTC,6,checkpoint,9000,9050,50,finished,\n"
                                        "1.0,3,CHTC,6,output,15202,15210,8,finished,\n"));
}

TEST_CASE("an attempt that the history breaks off has no end", "[attempts]") {
  auto history = two_stories();
  history.events.resize(7);
  auto const attempts = history::attempts_of(history);
  REQUIRE(attempts.size() == 2);
  CHECK_FALSE(attempts[0].ended.has_value());
  CHECK_THAT(Tables(history).attempts, has_text("1.0,1,PDX,3,60,61,,,,,,\n"));
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
