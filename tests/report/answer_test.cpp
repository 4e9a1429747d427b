#include "sim/report/answer.hpp"

#include "tests/report/results.hpp"
#include "tests/test.hpp"

namespace gridcast {
namespace {

using test::has_text;

TEST_CASE("a prediction's answer has its interval and where the loss is", "[answer]") {
  auto const text = answer({test::prediction_result()});
  REQUIRE(text.size() == 1);
  CHECK_THAT(text[0], has_text("With the strategy published: 2 of 2 jobs succeed (2 to 2 in"));
  CHECK_THAT(text[0], has_text("mostly (56 of 56 points) to retried transfers"));
}

TEST_CASE("what is partial or failed is said", "[answer]") {
  auto result = test::prediction_result();
  result.partial = true;
  result.replicas = 1;
  result.requested = 2;
  result.failed = {"replica 1: no"};
  auto const text = cautions({result});
  REQUIRE(text.size() == 2);
  CHECK_THAT(text[0], has_text("interrupted after 1 of 2 replicas"));
  CHECK(text[1] == "Failed: replica 1: no");
}

TEST_CASE("studies of other seeds are not of the same luck", "[answer]") {
  auto other = test::prediction_result();
  other.seed = 8;
  CHECK_THAT(cautions({test::prediction_result(), other})[0], has_text("differ in seed"));
}

TEST_CASE("of several results each sentence says whose it is", "[answer]") {
  auto const text = answer({test::prediction_result(), test::comparison_result()});
  CHECK(text[0].starts_with("p.json: "));
  CHECK(text[1].starts_with("c.json: "));
}

TEST_CASE("a forecast names the shares of the rival explanations", "[answer]") {
  auto const text = assumptions({test::prediction_result()});
  CHECK_THAT(text[0], has_text("In 50 % of the replicas a cache or the origin is overloaded"));
  Result recorded_campaign;
  recorded_campaign.ledger = ResultLedger();
  CHECK(assumptions({recorded_campaign}).empty());
}

}  // namespace
}  // namespace gridcast
