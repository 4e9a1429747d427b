#include "sim/study/sample.hpp"

#include <array>
#include <cmath>
#include <limits>

#include "sim/base/error.hpp"
#include "sim/scenario/parameter_draw.hpp"
#include "tests/test.hpp"

namespace gridcast::study {
namespace {

TEST_CASE("a summary leaves out unavailable values", "[sample]") {
  auto const summary = summarise({4, nan, 1, 3, 2, nan, 5});
  CHECK(summary.n == 5);
  CHECK(summary.mean == Approx(3));
  CHECK(summary.sd == Approx(std::sqrt(2.5)));
  CHECK(summary.p05 == Approx(1.2));
  CHECK(summary.p50 == Approx(3));
  CHECK(summary.p95 == Approx(4.8));
  // t quantile for 4 degrees of freedom: 2.7764
  CHECK(summary.mean_ci95.high - 3 == Approx(2.7764 * std::sqrt(2.5 / 5)).epsilon(1e-4));
}

TEST_CASE("replicas that are all alike imply no error of their mean", "[sample]") {
  CHECK(summarise({7, 7, 7}).mean == 7);
  CHECK(std::isnan(summarise({7, 7, 7}).mean_ci95.low));
  CHECK(std::isnan(summarise({7}).mean_ci95.high));
}

TEST_CASE("a summary of nothing is nothing, not zero", "[sample]") {
  auto const summary = summarise({nan, nan});
  CHECK(summary.n == 0);
  CHECK(std::isnan(summary.mean));
  CHECK(std::isnan(summary.sd));
  CHECK(std::isnan(summary.p50));
  CHECK(std::isnan(summary.mean_ci95.low));
}

TEST_CASE("quantiles of times are times of the sample, which may be infinite", "[sample]") {
  constexpr std::array p = {0.05, 0.5, 0.75, 0.95};
  CHECK(order_statistics({infinity, 2, nan, 1, infinity}, p) ==
        std::vector<double>{1, 2, infinity, infinity});
  CHECK(std::isnan(order_statistics({nan}, p).front()));
  auto const some_never = summarise_times({4, 2, infinity, 1, 3});
  CHECK(some_never.n == 5);
  CHECK(std::isnan(some_never.mean));
  CHECK(std::isnan(some_never.mean_ci95.low));
  CHECK(some_never.p50 == 3);
  CHECK(std::isinf(some_never.p95));
  CHECK(summarise_times({1, 2, 4, 5}).mean == Approx(3));
  CHECK(summarise_times({1, 2, 4, 5}).p50 == 2);  // no mean of two times
}

TEST_CASE("replicas are separated by the explanation that holds in them", "[sample]") {
  auto const of = [](scenario::Hypothesis which) { return static_cast<double>(which); };
  auto const sample =
      make_sample({"badput_s", "hypothesis"}, {{0, {1, of(scenario::Hypothesis::overload)}},
                                               {1, {2, of(scenario::Hypothesis::bad_path)}},
                                               {2, {3, of(scenario::Hypothesis::overload)}},
                                               {4, {4, of(scenario::Hypothesis::overload)}}});
  CHECK(column(sample, "badput_s") == std::vector<double>{1, 2, 3, 4});
  auto const overload = select_hypothesis(sample, "overload");
  CHECK(overload.replicas == std::vector<std::uint32_t>{0, 2, 4});
  CHECK(column(overload, "badput_s") == std::vector<double>{1, 3, 4});
  CHECK(column(select_hypothesis(sample, "bad_path"), "badput_s") == std::vector<double>{2});
  CHECK(posterior_probability(sample, "overload") == Approx(0.75));
  CHECK(posterior_probability(sample, "bad_path") == Approx(0.25));
  CHECK(std::isnan(posterior_probability(StudySample{sample.names, {}, {}}, "overload")));
}

TEST_CASE("a sample refuses a record of another length and a column it does not have", "[sample]") {
  CHECK_THROWS_AS(make_sample({"a", "b"}, {{0, {1}}}), InternalError);
  CHECK_THROWS_AS(column(StudySample{{"a"}, {}, {}}, "b"), InternalError);
}

/// Replicas with these values of badput, makespan and successes.
StudySample figures(std::vector<Record> const& rows) {
  std::vector<std::pair<std::uint32_t, Record>> records;
  for (auto const& row : rows) records.emplace_back(records.size(), row);
  return make_sample({"badput_s", "makespan_s", "succeeded"}, std::move(records));
}

TEST_CASE("the medoid is in the middle of all three figures", "[sample]") {
  // The third has the median of badput, but the fewest successes and the longest makespan.
  CHECK(medoid_replica(figures(
            {{100, 1000, 2}, {500, 1100, 2}, {300, 9000, 0}, {310, 1200, 1}, {200, 1300, 1}})) ==
        3);
}

TEST_CASE("the first of equal medoids counts, and unknown figures do not", "[sample]") {
  CHECK(medoid_replica(figures({{5, 7, 1}, {5, 7, 1}})) == 0);
  CHECK(medoid_replica(figures({{9, nan, 1}, {1, nan, 1}, {5, nan, 1}})) == 2);
}

}  // namespace
}  // namespace gridcast::study
