#include "sim/study/comparison.hpp"

#include <cmath>
#include <csignal>
#include <limits>
#include <stdexcept>

#include "sim/base/random.hpp"
#include "sim/scenario/parameter_draw.hpp"
#include "tests/test.hpp"

namespace gridcast::study {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST_CASE("paired differences leave out pairs with a gap", "[comparison]") {
  auto const difference = paired_difference({3, 5, nan, 9, 1}, {1, 2, 3, 4, nan});
  CHECK(difference.n == 3);
  CHECK(difference.mean == Approx((2 + 3 + 5) / 3.));
  // differences 2, 3, 5: sd 1.5275; t quantile for 2 degrees of freedom: 4.3027
  CHECK(difference.ci95.high - difference.mean ==
        Approx(4.3027 * 1.5275 / std::sqrt(3)).epsilon(1e-4));
}

TEST_CASE("common luck shows as a variance ratio, none as a ratio of about one", "[comparison]") {
  std::vector<double> base, same_luck, other_luck;
  for (std::uint32_t i = 0; i < 2000; ++i) {
    auto stream = RandomStreams(1, i).stream(Purpose::test, 0);
    double const luck = stream.uniform();
    base.push_back(luck);
    same_luck.push_back(2 + luck + 0.1 * stream.uniform());
    other_luck.push_back(stream.uniform());
  }
  CHECK(paired_difference(same_luck, base).variance_ratio > 100);
  CHECK(paired_difference(other_luck, base).variance_ratio == Approx(1).margin(0.1));
  CHECK(std::isnan(paired_difference(base, base).variance_ratio));
}

TEST_CASE("ties are shared equally and NaN never wins", "[comparison]") {
  // Replica by replica: strategy 0 wins; 0 and 1 tie; 2 wins (others not available); nobody.
  std::vector<std::vector<double>> const values = {
      {1, 2, nan, nan}, {2, 2, nan, nan}, {3, 3, 7, nan}};
  auto const least = share_best(values, false);
  CHECK(least[0] == Approx(1.5 / 3));
  CHECK(least[1] == Approx(0.5 / 3));
  CHECK(least[2] == Approx(1. / 3));
  auto const most = share_best(values, true);
  CHECK(most[0] == 0);
  CHECK(most[2] == Approx(1));
  CHECK(std::isnan(share_best({{nan}, {nan}}, true)[0]));
  CHECK(std::isnan(share_best({{}, {}}, true)[1]));
}

Comparison two_strategies() {
  Comparison comparison;
  comparison.strategies = {"published", "patient"};
  return comparison;
}

std::vector<std::string> const two_columns = {"badput_s", "hypothesis"};

/// Replica k has badput 10 k, under the second strategy 3 less; odd replicas live on a bad path.
Record fake_record(std::size_t strategy, std::uint32_t replica) {
  auto const which =
      replica % 2 == 0 ? scenario::Hypothesis::overload : scenario::Hypothesis::bad_path;
  return {10. * replica - 3. * static_cast<double>(strategy), static_cast<double>(which)};
}

StudyOptions study_of(std::size_t replicas) {
  StudyOptions options;
  options.replicas = replicas;
  options.processes = 2;
  return options;
}

TEST_CASE("strategies meet in the replicas that all of them finished", "[comparison]") {
  auto comparison = two_strategies();
  run_strategies(comparison, two_columns, study_of(6), [](std::size_t s, std::uint32_t r) {
    if (s == 1 && r == 2) throw std::runtime_error("lost");
    return fake_record(s, r);
  });
  CHECK(comparison.samples[0].size() == 6);
  CHECK(comparison.samples[1].size() == 5);
  REQUIRE(comparison.failed.size() == 1);
  CHECK(comparison.failed[0].strategy == "patient");
  CHECK(comparison.failed[0].replica.replica == 2);
  CHECK(comparison.failed[0].replica.why == "lost");

  auto const paired = complete(comparison);
  CHECK(paired.samples[0].replicas == std::vector<std::uint32_t>{0, 1, 3, 4, 5});
  CHECK(paired.samples[1].replicas == paired.samples[0].replicas);
  CHECK(difference(paired, 1, "badput_s").mean == Approx(-3));
  CHECK(difference(paired, 0, "badput_s").mean == 0);
  CHECK(probability_best(paired, {"badput_s", false})[1] == Approx(1));

  auto const bad_path = select_hypothesis(paired, "bad_path");
  CHECK(bad_path.samples[0].replicas == std::vector<std::uint32_t>{1, 3, 5});
  CHECK(difference(bad_path, 1, "badput_s").n == 3);
}

TEST_CASE("holding every job does not win the least badput", "[comparison]") {
  StudySample worker{{"succeeded", "badput_s"}, {0, 1}, {Record{80, 500}, Record{90, 400}}};
  StudySample idler{{"succeeded", "badput_s"}, {0, 1}, {Record{0, 0}, Record{81, 100}}};
  Comparison comparison;
  comparison.strategies = {"worker", "idler"};
  comparison.samples = {worker, idler};
  CHECK(probability_best(comparison, {"badput_s", false})[1] == Approx(1));
  CHECK(probability_best(comparison, {"badput_s", false, true})[1] == Approx(0.5));
}

TEST_CASE("an interrupted comparison has about as many replicas of each strategy", "[comparison]") {
  auto comparison = two_strategies();
  auto options = study_of(1000);
  options.progress = [](std::size_t done, std::size_t, std::size_t) {
    if (done == 41) raise(SIGINT);
  };
  run_strategies(comparison, two_columns, options, fake_record);
  CHECK(comparison.interrupted);
  auto const first = static_cast<int>(comparison.samples[0].size());
  auto const second = static_cast<int>(comparison.samples[1].size());
  CHECK(first + second >= 41);
  CHECK(std::abs(first - second) <= 2);
}

TEST_CASE("a comparison does not depend on the number of processes", "[comparison]") {
  auto one = two_strategies();
  auto two = two_strategies();
  auto options = study_of(30);
  run_strategies(two, two_columns, options, fake_record);
  options.processes = 1;
  run_strategies(one, two_columns, options, fake_record);
  for (std::size_t s = 0; s < 2; ++s) CHECK(one.samples[s].records == two.samples[s].records);
}

}  // namespace
}  // namespace gridcast::study
