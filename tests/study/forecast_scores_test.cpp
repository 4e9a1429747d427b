#include "sim/study/forecast_scores.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/random.hpp"
#include "tests/test.hpp"

namespace gridcast::study {
namespace {

double normal(RandomStream& stream) { return normal_quantile(stream.uniform()); }

/// Campaigns and forecasts of them: a figure is N(100, `truth`^2), the forecast
/// N(`centre`, `width`^2); figures of one campaign share `shared` of their variance.
struct MadeWorld {
  double truth = 10, centre = 100, width = 10, shared = 0;
  std::size_t figures = 8;
};

ScoredRecord made_record(MadeWorld const& world, std::size_t number, RandomStream& stream) {
  ScoredRecord record{"campaign " + std::to_string(number), "model", "", {}};
  auto const together = [&](double sd, double common) {
    return sd * (std::sqrt(world.shared) * common + std::sqrt(1 - world.shared) * normal(stream));
  };
  double const noise = normal(stream);
  std::vector<double> noises;
  for (int i = 0; i < 100; ++i) noises.push_back(normal(stream));
  for (std::size_t f = 0; f < world.figures; ++f) {
    ScoredFigure figure;
    figure.figure = "figure " + std::to_string(f);
    figure.observed = 100 + together(world.truth, noise);
    for (double const common : noises) {
      figure.forecast.push_back(world.centre + together(world.width, common));
    }
    figure.last = 100;
    record.figures.push_back(std::move(figure));
  }
  return record;
}

ScoreTable made_scores(MadeWorld const& world, std::size_t campaigns, std::uint32_t seed) {
  auto stream = RandomStreams(seed, 0).stream(Purpose::test, 5);
  std::vector<ScoredRecord> records;
  for (std::size_t i = 0; i < campaigns; ++i) records.push_back(made_record(world, i, stream));
  ScoreOptions options;
  options.resamples = 400;
  return score(records, options);
}

TEST_CASE("Right forecasts cover, and are better than guesses", "[forecast_scores]") {
  auto const table = made_scores({}, 30, 1);
  CHECK(table.cases == 240);
  CHECK(table.campaigns == 30);
  // Standard error 1.9 points: four of them.
  CHECK(table.coverage[2].share() == Approx(0.9).margin(0.08));
  CHECK(table.coverage[2].share95.contains(0.9));
  CHECK(table.coverage[2].expected == Approx(0.9).margin(0.02));
  // The guess is the very centre: its error is 0.8 sd, the forecast's score 0.56.
  CHECK(table.crps_last.skill == Approx(0.3).margin(0.08));
  CHECK(table.crps_last.proven());
  CHECK(table.crps_spread.proven());
}

TEST_CASE("Too narrow, too wide, or off: each is seen", "[forecast_scores]") {
  auto const narrow = made_scores({.width = 3}, 30, 2);
  CHECK(narrow.coverage[2].share95.high < 0.8);
  auto const off = made_scores({.centre = 120}, 30, 3);
  CHECK(off.figures.front().median_rank < 0.1);
  CHECK_FALSE(off.crps_last.proven());
  CHECK(off.crps_last.skill < 0);
  auto const wide = made_scores({.width = 60}, 30, 4);
  CHECK(wide.coverage[0].share() > 0.95);
}

// Figures that go together: a binomial error would be far too small, the bootstrap over campaigns
// is not misled.
TEST_CASE("Figures of one campaign that depend on each other are no many cases",
          "[forecast_scores]") {
  int covered = 0;
  constexpr int worlds = 40;
  for (std::uint32_t seed = 0; seed < worlds; ++seed) {
    auto const table = made_scores({.shared = 0.95}, 12, 100 + seed);
    covered += table.coverage[1].share95.contains(0.8) ? 1 : 0;
  }
  // The bootstrap of twelve campaigns covers 85 to 95 %: below 28 of 40 once in 1,000 at the least.
  CHECK(covered >= 28);
}

TEST_CASE("A figure that cannot vary does not count, unless it was wrong", "[forecast_scores]") {
  ScoredFigure jobs{"jobs", 80, {80, 80, 80}};
  CHECK_FALSE(counts(jobs));
  jobs.observed = 79;
  CHECK(counts(jobs));
  CHECK_FALSE(counts({"makespan_s", std::nan(""), {1, 2, 3}}));
  CHECK_FALSE(counts({"makespan_s", 3, {1, std::nan(""), std::nan("")}}));
  ScoredRecord const record{"a", "b", "", {{"jobs", 80, {80, 80, 80}}}};
  auto const table = score({record});
  CHECK(table.cases == 0);
  CHECK(table.not_counted == std::vector<std::string>{"jobs"});
  REQUIRE(table.coverage.size() == coverage_levels.size());
  CHECK(table.coverage.front().level == 0.5);
  CHECK(table.coverage.front().inside == 0);
  CHECK(std::isnan(table.crps_last.skill));
}

TEST_CASE("Repeats: the width of intervals over how far they lie apart", "[forecast_scores]") {
  std::vector<double> forecast;
  for (int i = 0; i <= 100; ++i) forecast.push_back(i);
  std::vector<ScoredRecord> records;
  for (double const seen : {40.0, 50.0, 60.0}) {
    ScoredFigure figure{"makespan_s", seen, forecast};
    records.push_back({"repeat " + std::to_string(seen), "a", "the same", {figure}});
  }
  // sd 10, divided by 1 - 1/9; the interval of 101 values is (101 + 1) 0.9 wide.
  CHECK(score(records).width_of_repeats == Approx(91.8 / (2 * 1.6449 * 10 * 9 / 8)));
  auto alike = records;
  for (auto& record : alike) record.figures[0].observed = 50;
  CHECK(std::isnan(score(alike).width_of_repeats));
  CHECK(std::isnan(score({records[0]}).width_of_repeats));
  for (auto& record : records) record.repeats.clear();
  CHECK(std::isnan(score(records).width_of_repeats));
}

TEST_CASE("The spread of a guess comes from three campaigns or more", "[forecast_scores]") {
  CHECK(spread_between({10, 20}) == usual_spread);
  CHECK(spread_between({10, 0, 20}) == usual_spread);
  CHECK(spread_between({1, std::exp(1.0), std::exp(2.0)}) == Approx(1));
}

}  // namespace
}  // namespace gridcast::study
