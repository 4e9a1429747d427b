#include <cmath>

#include "calibration/simulated/simulated_fit.hpp"
#include "sim/base/random.hpp"
#include "sim/base/statistics.hpp"
#include "tests/calibration/synthetic.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {

using namespace gridcast::test;

namespace {

constexpr std::size_t rows = 400;
constexpr double claimed_sd = 0.2;  // of the logarithm

/// Lognormal draws around one, as far from it as is claimed.
std::vector<double> around_one(std::uint32_t stream) {
  return stratified_draws(test_stream(stream), rows,
                          [](double u) { return std::exp(claimed_sd * normal_quantile(u)); });
}

Fit stated_fit() {
  Fit fit;
  for (char const* const name : {"right", "wrong", "unseen", "end_not_recorded"}) {
    auto const stream = static_cast<std::uint32_t>(fit.estimates.size());
    add_posterior(fit, {.name = name, .unit = "s", .events = 5}, around_one(stream));
  }
  fit.estimates[2].events = 0;
  fit.not_identified.push_back({"end_not_recorded", "", ""});
  return fit;
}

/// The fit to the campaign of that row: the truth with the claimed error; and twice
/// the truth, with thrice the error.
Fit fit_again(Fit const& fit, std::uint32_t row) {
  RandomStream stream = test_stream(1000 + row);
  Fit again = fit;
  double const z = normal_quantile(stream.uniform());
  for (std::size_t c = 0; c < again.estimates.size(); ++c) {
    double const error = c == 0 ? claimed_sd * z : std::log(2.0) + 3 * claimed_sd * z;
    again.estimates[c].estimate = fit.draws.rows[row][c] * std::exp(error);
  }
  return again;
}

std::vector<double> logs(Fit const& fit, std::size_t c) {
  std::vector<double> values;
  for (auto const& row : fit.draws.rows) values.push_back(std::log(row[c]));
  return values;
}

}  // namespace

// The median of 400 errors of sd s has the standard error 1.25 s / 20 and half the 16 to 84 % range
// about 1.2 s / 20: the bounds are three of them or more.
TEST_CASE("A fit that is right keeps its draws, one that is biased and too sure is mended") {
  Fit const fit = stated_fit();
  Fit const mended = recalibrated(
      fit, [&](std::uint32_t row) { return fit_again(fit, row); }, rows, simulated_here(1));
  CHECK(mean(logs(mended, 0)) == Approx(0).margin(0.04));
  CHECK(standard_deviation(logs(mended, 0)) == Approx(claimed_sd).margin(0.04));
  CHECK(mean(logs(mended, 1)) == Approx(-std::log(2)).margin(0.12));
  CHECK(standard_deviation(logs(mended, 1)) == Approx(3 * claimed_sd).margin(0.12));
  CHECK(std::log(mended.estimates[1].estimate) == Approx(-std::log(2)).margin(0.12));
  CHECK(mended.estimates[1].interval90.low < std::exp(-std::log(2) - 1.3 * 3 * claimed_sd));
  for (std::size_t const c : {2U, 3U}) {
    CAPTURE(fit.estimates[c].name);
    CHECK(logs(mended, c) == logs(fit, c));
  }
}

TEST_CASE("Shares stay shares, and a shock hits one job at least") {
  Fit fit;
  std::vector<double> const shares =
      stratified_draws(test_stream(1), rows, [](double u) { return beta_quantile(u, 20, 2); });
  std::vector<double> hits;
  for (double const share : shares) hits.push_back(1 + 10 * share);
  add_posterior(fit, {.name = "hold_on_failure", .unit = "1", .events = 19}, shares);
  add_posterior(fit, {.name = "not_found_mean_hits", .unit = "1", .events = 3}, hits);
  // Events of every second campaign last a time: their hits say nothing of the mean.
  std::vector<double> lasts(rows, 0);
  for (std::size_t row = 0; row < rows; row += 2) lasts[row] = 3600;
  add_posterior(fit, {.name = "not_found_lasts_s", .unit = "s"}, lasts);
  auto const half = [&](std::uint32_t row) {
    Fit again = fit;
    again.estimates[0].estimate = fit.draws.rows[row][0] / 2;
    double const factor = row % 2 == 0 ? 100 : 0.5;
    again.estimates[1].estimate = 1 + (fit.draws.rows[row][1] - 1) * factor;
    return again;
  };
  Fit const mended = recalibrated(fit, half, rows, simulated_here(1));
  for (auto const& row : mended.draws.rows) {
    CHECK(row[0] > 0);
    CHECK(row[0] < 1);
    CHECK(row[1] > 1);
  }
  CHECK(mended.estimates[0].estimate > fit.estimates[0].estimate);
  CHECK(mended.estimates[1].estimate ==
        Approx(1 + 2 * (fit.estimates[1].estimate - 1)).epsilon(0.02));
}

// Pilots can be killed in half of the exposure. One walltime ends in 10,000 s at A and none at B,
// where the counted pilots are those drawn. Without noise the least squares are exact.
TEST_CASE(
    "Pilots that end at their walltime are distinguished from kills by how both go with the rate") {
  Fit fit;
  for (char const* const site : {"A", "B"}) {
    add_posterior(fit,
                  {.name = std::string("pilot_kill_per_s.") + site, .unit = "1/s", .events = 3},
                  around_one(1));
  }
  auto const again = [&](std::uint32_t row) {
    double const rate = fit.draws.rows[row][0], exposure = 2e4 + row;
    return std::vector<SiteCount>{{(0.5 * rate + 1e-4) * exposure, exposure},
                                  {rate * exposure, exposure}};
  };
  auto const ends = walltime_ends(fit.draws, {"A", "B"}, again, simulated_here(1));
  REQUIRE(ends.size() == 2);
  CHECK(ends[0] == Approx(1e-4).epsilon(1e-3));
  CHECK(ends[1] == Approx(0).margin(1e-9));
}

TEST_CASE("Campaigns whose tables cannot be fitted are left out; too few say nothing") {
  Fit const fit = stated_fit();
  auto const never = [](std::uint32_t) -> Fit {
    throw InputError({{}, "nothing happened", "", ""});
  };
  Fit const same = recalibrated(fit, never, rows, simulated_here(1));
  CHECK(same.draws.rows == fit.draws.rows);
}

}  // namespace gridcast::calibration
