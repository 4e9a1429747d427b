#include "sim/training/work_plan.hpp"

#include <cmath>

#include "tests/test.hpp"

namespace gridcast::training {

namespace {

using End = Stretch::End;

struct Case {
  scenario::Work work{.profile = "p", .epochs = 10};
  scenario::EventLogParameters draw;
  scenario::EventLogSiteParameters site;
  int every = 0, stored = 0;

  Case() { draw.work = Seconds(1000); }
  std::vector<Stretch> plan(Luck const& luck = {}) const {
    return plan_execution({.work = work,
                           .draw = draw,
                           .site = site,
                           .crash_odds = work.crash_odds.least,
                           .checkpoint_every = every,
                           .epochs_stored = stored},
                          luck);
  }
};

double total(std::vector<Stretch> const& plan) {
  double sum = 0;
  for (Stretch const& stretch : plan) sum += stretch.time.value();
  return sum;
}

}  // namespace

TEST_CASE("Odds are scaled, not probabilities") {
  CHECK(scale_odds(0.5, 3) == Approx(0.75));
  CHECK(scale_odds(0, 3) == 0);
  CHECK(scale_odds(1, 3) == 1);
  CHECK(scale_odds(0.2, 0) == 0);
}

TEST_CASE("Work without checkpoints is one stretch") {
  Case c;
  c.draw.job_sigma = 0.3;
  c.draw.execution_sigma = 0.1;
  c.site.speed = 2;
  c.work.scale = 4;
  auto const plan = c.plan({.job = 1, .execution = -2, .crash = 0.5, .crash_at = 0.5});
  REQUIRE(plan.size() == 1);
  CHECK(plan[0].end == End::done);
  CHECK(plan[0].time.value() == Approx(2000 * std::exp(0.3 - 0.2)));
  CHECK(plan[0].epochs == 10);
}

TEST_CASE("Checkpoints divide the work, and what is stored is not done again") {
  Case c;
  c.every = 3;
  auto plan = c.plan();
  REQUIRE(plan.size() == 4);
  CHECK(plan[0].end == End::checkpoint);
  CHECK(plan[2].epochs == 9);
  CHECK(plan[3].end == End::done);
  CHECK(plan[3].time.value() == Approx(100));
  CHECK(total(plan) == Approx(1000));
  c.stored = 6;
  plan = c.plan();
  REQUIRE(plan.size() == 2);
  CHECK(plan[0].epochs == 9);
  CHECK(total(plan) == Approx(400));
  c.stored = 0;
  c.every = 5;
  CHECK(c.plan().size() == 2);  // none after the last epoch
}

TEST_CASE("A crash is somewhere in what remains, and keeps the checkpoints before it") {
  Case c;
  c.site.crash = 0.3;
  c.every = 1;
  c.stored = 2;
  auto const plan = c.plan({.job = 0, .execution = 0, .crash = 0.29, .crash_at = 0.5});
  REQUIRE(plan.size() == 5);
  CHECK(plan.back().end == End::crash);
  CHECK(plan[3].epochs == 6);
  CHECK(total(plan) == Approx(400));
  CHECK(c.plan({.job = 0, .execution = 0, .crash = 0.31, .crash_at = 0.5}).back().end == End::done);
}

}  // namespace gridcast::training
