#include <cmath>

#include "sim/report/data/result.hpp"
#include "sim/report/data/result_json.hpp"
#include "sim/report/text/study_text.hpp"
#include "tests/report/results.hpp"
#include "tests/test.hpp"

namespace gridcast::report {
namespace {

using test::has_text;

TEST_CASE("the report on a deadline is how often enough jobs have succeeded by then",
          "[deadline]") {
  Result asked = test::prediction_result();
  CHECK(deadline_text(asked, endless_screen()).empty());
  // Both jobs have succeeded by 10,000 s in one replica, by 20,000 s in the other.
  ask_deadline(asked, Seconds(15000));
  CHECK_THAT(deadline_text(asked, endless_screen()),
             has_text("2 jobs have succeeded by then") && has_text("in 50 % ±49 of the campaigns"));
  auto const json = result_json(asked);
  CHECK(json["deadline"]["at_s"] == 15000);
  CHECK(json["deadline"]["wanted_jobs"] == 2);
  CHECK(json["deadline"]["probability"] == 0.5);
  // By 25,000 s in both; that of two says no more than that it is above 15 %.
  ask_deadline(asked, Seconds(25000));
  CHECK_THAT(deadline_text(asked, endless_screen()), has_text("in > 16 % of the campaigns"));
}

TEST_CASE("a campaign that has soon ended without successes keeps no deadline", "[deadline]") {
  // All jobs are held at once, so none ever succeeds; the baseline brings both to their end.
  auto comparison = test::fake_comparison({"published", "hold-all"});
  comparison.samples[1] =
      test::fake_sample({test::figures(100, 100, 0), test::figures(100, 100, 0)});
  Result asked = result_of(comparison);
  asked.deadline = Seconds(30000);
  CHECK(met_by(asked, asked.strategies[0], Seconds(30000)).share == 1);
  CHECK(met_by(asked, asked.strategies[1], Seconds(30000)).share == 0);
  CHECK(std::isinf(summary(asked.strategies[1].metrics, "makespan_s").p50));
  auto const text = deadline_text(asked, endless_screen());
  CHECK_THAT(text, has_text("2 succeeded by"));
  auto const line = text.substr(text.find("hold-all"));
  CHECK_THAT(line.substr(0, line.find('\n')), has_text("<"));
}

TEST_CASE("campaigns without dates have no report on a deadline", "[deadline]") {
  Result asked = test::prediction_result();
  asked.strategies[0].finish.reset();
  ask_deadline(asked, Seconds(15000));
  CHECK_THAT(deadline_text(asked, endless_screen()), has_text("no campaign has dates"));
  CHECK_FALSE(result_json(asked).contains("deadline"));
}

}  // namespace
}  // namespace gridcast::report
