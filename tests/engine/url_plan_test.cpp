#include <cmath>

#include "sim/engine/attempt.hpp"
#include "tests/test.hpp"

namespace gridcast::engine {

namespace {

struct Case {
  scenario::EventLogParameters draw;
  scenario::EventLogSiteParameters site;
  std::vector<scenario::InputFile> input = {{"a", Bytes(1e6)}, {"b", Bytes(4e6)}};
  Seconds lifetime = Seconds(1e9);

  Case() {
    draw.url_reference = Bytes(1e6);
    site.url_median = Seconds(10);
  }
  std::vector<UrlPlan> plan(std::uint32_t job = 0) const {
    return plan_urls(input, draw, site, lifetime, RandomStreams(1, 0).stream(Purpose::url, job));
  }
};

}  // namespace

TEST_CASE("A URL's time grows with its bytes as the exponent says") {
  Case c;
  CHECK(c.plan()[1].time == Seconds(10));
  c.draw.url_exponent = 0.5;
  CHECK(c.plan()[0].time == Seconds(10));
  CHECK(c.plan()[1].time.value() == Approx(20));
}

TEST_CASE("A URL that fails ends the transfer after a share of its time") {
  Case c;
  c.site.url_failure = 1;
  c.draw.url_failed_after = 0.3;
  REQUIRE(c.plan().size() == 1);
  CHECK(c.plan()[0].end == UrlEnd::failed);
  CHECK(c.plan()[0].time.value() == Approx(3));
}

TEST_CASE("The plugin's lifetime is for all URLs together") {
  Case c;
  c.lifetime = Seconds(14);
  auto const plan = c.plan();
  REQUIRE(plan.size() == 2);
  CHECK(plan[0].end == UrlEnd::arrived);
  CHECK(plan[1].end == UrlEnd::timed_out);
  CHECK(plan[1].time == Seconds(4));
}

TEST_CASE("Failures and hangs have their probabilities, times their median and spread") {
  Case c;
  c.site.url_sigma = 0.5;
  c.site.url_failure = 0.2;
  c.site.url_hang = 0.1;
  constexpr int n = 20000;
  int failed = 0, hung = 0, below = 0, arrived = 0;
  for (std::uint32_t job = 0; job < n; ++job) {
    UrlPlan const first = c.plan(job)[0];
    failed += first.end == UrlEnd::failed;
    hung += first.end == UrlEnd::timed_out;
    if (first.end != UrlEnd::arrived) continue;
    ++arrived;
    below += first.time.value() < 10 * std::exp(0.5);
  }
  // Five standard deviations each: false twice in 10^6.
  CHECK(std::abs(failed - 0.2 * n) < 5 * std::sqrt(n * 0.16));
  CHECK(std::abs(hung - 0.1 * n) < 5 * std::sqrt(n * 0.09));
  CHECK(std::abs(below - 0.841345 * arrived) < 5 * std::sqrt(arrived * 0.1335));
}

}  // namespace gridcast::engine
