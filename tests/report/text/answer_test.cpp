#include "sim/report/text/answer.hpp"

#include <algorithm>

#include "sim/ledger/metrics.hpp"
#include "sim/report/text/study_text.hpp"
#include "tests/report/results.hpp"
#include "tests/test.hpp"

namespace gridcast::report {
namespace {

using test::has_text;

TEST_CASE("a prediction's answer has its interval and where the loss is", "[answer]") {
  auto const text = answer({test::prediction_result()});
  REQUIRE(text.size() == 1);
  // 2 and 3 hours were lost beside 2 useful ones; the median of two is the lower one.
  CHECK_THAT(text[0],
             has_text("With the published strategy 2 of 2 jobs finish, in 2.8 h (2.8 to "
                      "5.6), for 4.0 GPU hours (4.0 to 5.0); 56 % of the slot time is lost on "
                      "average"));
  CHECK_THAT(text[0], has_text("is lost on average, to retried transfers"));
}

TEST_CASE("an interval has whole jobs, and without dates it is said", "[answer]") {
  auto result = test::prediction_result();
  auto& metrics = result.strategies[0].metrics;
  study::Summary& succeeded = metrics["succeeded"];
  succeeded.p05 = 40.95;
  succeeded.p50 = 78;
  succeeded.p95 = 97;
  CHECK_THAT(answer({result})[0], has_text("78 of 2 jobs finish (41 to 97)"));
  result.strategies[0].finish.reset();
  CHECK_THAT(answer({result})[0], has_text("at unknown times"));
}

TEST_CASE("figures that could not be otherwise are no hits of an answer", "[answer]") {
  auto result = test::prediction_result();
  result.against = study::RecordComparison();
  result.against->figures = {{"stalls", 2, study::summarise({1, 3}), 0.5, true},
                             {"holds", 9, study::summarise({1, 3}), 1, false},
                             {"jobs", 2, study::summarise({2, 2}), 0.5, true}};
  CHECK(
      evidence({result}).back() ==
      "Held against the record: 1 of 2 observed figures lie in the central 90 %, and 1 more is the "
      "same in all campaigns and in the record.");
}

TEST_CASE("a sentence names the largest loss if it is large enough", "[answer]") {
  CHECK(ledger::find_metric("transfer_retried_unsuccessful_s")->in_sentence() ==
        "retried transfers of other jobs");
  CHECK(ledger::find_metric("overhead_s")->in_sentence() == "overhead");
  CHECK(largest_loss({{"wallclock_s", 1e5}, {"badput_s", 1}, {"overhead_s", 1}}).empty());
  CHECK(largest_loss({{"wallclock_s", 100},
                      {"badput_s", 50},
                      {"compute_evicted_s", 30},
                      {"transfer_retried_s", 20}}) ==
        ", mostly (30 of 50 points) to computing lost to evictions or holds");
}

TEST_CASE("an answer about a record names the ends of jobs that did not succeed", "[answer]") {
  Result result;
  result.ledger = ResultLedger();
  result.ledger->metrics = {{"jobs", 100},       {"succeeded", 60}, {"held", 38},
                            {"wrong_output", 1}, {"removed", 0},    {"makespan_s", 86400 * 4.6}};
  CHECK(answer({result})[0] ==
        "60 of 100 jobs succeeded, 38 were held for good, 1 gave a wrong output; the last job "
        "ended after 4.6 d.");
  result.ledger->metrics["unfinished"] = 1;
  CHECK_THAT(answer({result})[0],
             has_text("; the record goes to 4.6 d after the first submission."));
}

TEST_CASE("an answer names missing and failed campaigns", "[answer]") {
  auto result = test::prediction_result();
  result.partial = true;
  result.replicas = 1;
  result.requested = 2;
  result.failed = {{"", 1, "no"}};
  auto const text = cautions({result});
  REQUIRE(text.size() == 2);
  CHECK_THAT(text[0], has_text("after 1 of 2 campaigns"));
  CHECK(text[1] == "Failed: campaign 1: no");
}

// Two replicas, of 10,000 s and 20,000 s.
TEST_CASE("an answer names campaigns that a time limit ended, and JSON keeps them", "[answer]") {
  auto result = test::prediction_result();
  set_ends(result, Seconds(20001));
  CHECK(cautions({result}).empty());
  set_ends(result, Seconds(20000));
  for (auto const& each : {result, test::read_back(result)}) {
    CHECK(baseline(each)->ends.at_horizon == 1);
    auto const text = cautions({each});
    REQUIRE(text.size() == 1);
    CHECK_THAT(text[0], has_text("1 of 2 campaigns was not done at the horizon, 5.56 h after"));
  }
  result.strategies[0].ends = {days(366), 0, 2};
  CHECK_THAT(cautions({result})[0], has_text("2 of 2 campaigns lasted 90 d or longer"));
}

TEST_CASE("studies of other seeds have other random numbers", "[answer]") {
  auto other = test::prediction_result();
  other.seed = 8;
  CHECK_THAT(cautions({test::prediction_result(), other})[0], has_text("differ in seed"));
}

TEST_CASE("with several results each sentence names its own", "[answer]") {
  auto const text = answer({test::prediction_result(), test::comparison_result()});
  CHECK(text[0].starts_with("p.json: "));
  CHECK(text[1].starts_with("c.json: "));
}

TEST_CASE("a comparison's answer is its verdict", "[answer]") {
  auto const text = answer({test::comparison_result()});
  REQUIRE(text.size() == 3);
  CHECK_THAT(text[0],
             has_text("Undecided: on average better is the fastest of those that finish as many "
                      "jobs, but 2 campaigns of each are too few (-n simulates more)."));
  CHECK_THAT(text[1], has_text("With the better strategy "));
  CHECK_THAT(text[2], has_text("With the published strategy "));
}

TEST_CASE("evidence has the campaigns, and strategies without a rank with their causes",
          "[answer]") {
  auto result = test::comparison_result();
  result.recorded_jobs = 100;
  CHECK(evidence({result})[0] == "100 recorded jobs, 2 campaigns, 2 draws.");
  CHECK(evidence({result})[1] == "A draw is one set of parameters that agrees with the record.");
  result.strategies[0].rank = study::Rank::too_few_succeed;
  result.strategies[0].why_not_ranked = "held: too large";
  auto const text = evidence({result});
  CHECK(std::count(text.begin(), text.end(),
                   "Too few jobs succeed to choose published (held: too large).") == 1);
}

TEST_CASE("a decided answer has the share of draws, an open one the rival", "[answer]") {
  auto result = test::comparison_result();
  result.replicas = 100;
  result.choice->state = study::ChoiceState::decided;
  CHECK_THAT(answer({result})[0],
             has_text("Decided: better is the fastest of those that finish as many jobs: 2 of 2"));
  result.choice->state = study::ChoiceState::undecided;
  result.choice->strategies[0].best_in_draws = 0.25;
  result.choice->strategies[1].best_in_draws = 0.75;
  CHECK_THAT(answer({result})[0],
             has_text("but best or equal in 75 % of draws (published in 25 %)."));
}

TEST_CASE("a forecast names the shares of the rival hypotheses", "[answer]") {
  auto const text = assumptions({test::prediction_result()});
  CHECK_THAT(text[0], has_text("differ in it: in 50 % a cache or the origin delivers nothing"));
  Result recorded_campaign;
  recorded_campaign.ledger = ResultLedger();
  CHECK(assumptions({recorded_campaign}).empty());
}

}  // namespace
}  // namespace gridcast::report
