#include <cmath>
#include <limits>

#include "sim/base/random.hpp"
#include "sim/study/forecast_scores.hpp"
#include "tests/test.hpp"

namespace gridcast::study {
namespace {

/// A forecast with median 10 and the 5 and 95 % points `low` and `high`, of 101 values.
ScoredRecord forecast_of(double low, double high, double observed, int number) {
  ScoredFigure figure;
  figure.figure = "makespan_s";
  figure.observed = observed;
  for (int i = 0; i <= 100; ++i) {
    double const half = i < 50 ? (10 - low) / 45 : (high - 10) / 45;
    figure.forecast.push_back(10 + (i - 50) * half);
  }
  return {"campaign " + std::to_string(number), "the others", "", {figure}};
}

}  // namespace

TEST_CASE("Below nine campaigns there is no correction, from nine on the largest deviation") {
  std::vector<ScoredRecord> records;
  for (int i = 1; i <= 8; ++i) records.push_back(forecast_of(5, 20, 10 + i, i));
  CHECK(conformal_table(records).factors.empty());
  records.push_back(forecast_of(5, 20, 2.5, 9));  // 7.5 below the median, by a half of 5
  auto const table = conformal_table(records);
  REQUIRE(table.factors.size() == 1);
  CHECK(table.factors[0].figure == "makespan_s");
  CHECK(table.factors[0].campaigns == 9);
  CHECK(table.factors[0].factor == Approx(1.5));
  CHECK(table.cases == 0);  // by the eight others none is told
  for (int i = 10; i <= 19; ++i) records.push_back(forecast_of(5, 20, 10, i));
  // Of 19 the 18th smallest: 8 of the 10 above the median, by a half of 10.
  CHECK(conformal_table(records).factors[0].factor == Approx(0.8));
  CHECK(conformal_table(records).cases == 19);
}

TEST_CASE("A corrected summary moves its ends alone, as far as is possible") {
  Summary summary;
  summary.p05 = 5, summary.p25 = 8, summary.p50 = 10, summary.p75 = 14, summary.p95 = 20;
  Interval const any{0, std::numeric_limits<double>::infinity()};
  CHECK(corrected(summary, 1.5, any).p05 == Approx(2.5));
  CHECK(corrected(summary, 1.5, any).p95 == Approx(25));
  CHECK(corrected(summary, 1.5, any).p50 == 10);
  CHECK(corrected(summary, 3, any).p05 == 0);
  CHECK(corrected(summary, 1.5, {0, 21}).p95 == 21);
  CHECK(corrected(summary, 0.2, any).p75 == Approx(12));
  CHECK(corrected(summary, std::numeric_limits<double>::infinity(), any).p95 == 20);
}

// 400 worlds of 19 campaigns, and one more: forecasts are N(100, 5^2), campaigns N(100, 10^2), so
// that 90 % intervals hold 59 %. Corrected they hold 90 to 95 % (n + 1 = 20); the mean of 400
// chances has a standard error of 1.5 points, and a right one fails this test once in 10,000 seeds.
TEST_CASE("Corrected intervals hold a further campaign, whatever the forecasts are worth") {
  auto stream = RandomStreams(7, 0).stream(Purpose::test, 9);
  auto const normal = [&] { return normal_quantile(stream.uniform()); };
  int plain = 0, held = 0;
  for (int world = 0; world < 400; ++world) {
    std::vector<ScoredRecord> records;
    for (int i = 0; i < 19; ++i) {
      ScoredFigure figure{"makespan_s", 100 + 10 * normal(), {}};
      for (int k = 0; k < 60; ++k) figure.forecast.push_back(100 + 5 * normal());
      records.push_back({"campaign " + std::to_string(i), "", "", {figure}});
    }
    std::vector<double> forecast;
    for (int k = 0; k < 60; ++k) forecast.push_back(100 + 5 * normal());
    double const next = 100 + 10 * normal();
    Summary const before = summarise(forecast);
    Summary const after =
        corrected(before, conformal_table(records).factors.at(0).factor, {0, 1e9});
    plain += Interval{before.p05, before.p95}.contains(next) ? 1 : 0;
    held += Interval{after.p05, after.p95}.contains(next) ? 1 : 0;
  }
  CHECK(plain < 0.68 * 400);
  CHECK(held > 0.845 * 400);
  CHECK(held < 0.995 * 400);
}

}  // namespace gridcast::study
