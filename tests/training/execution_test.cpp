#include "sim/training/execution.hpp"

#include <cmath>
#include <utility>
#include <vector>

#include "sim/base/statistics.hpp"
#include "tests/test.hpp"
#include "tests/training/catalogue.hpp"

namespace gridcast::training {

using namespace gridcast::test;

namespace {

scenario::SiteParameters site(Distribution const& epoch) {
  scenario::SiteParameters draw;
  draw.unpack = Seconds(977);
  draw.epoch = epoch;
  return draw;
}

RandomStream stream(std::uint32_t job) {
  return RandomStreams(1, 0).stream(Purpose::execution, job);
}

/// 10 s before work, 100 s of it, 2 s for a checkpoint at each 30 s of work.
training::TrainingWork const plain{Seconds(10), Seconds(100), Seconds(30), Seconds(30),
                                   Seconds(2),  Seconds(0),   Seconds(2)};

using End = Stretch::End;

struct Case {
  scenario::Work work{.profile = "p", .epochs = 10};
  scenario::ParameterDraw draw;
  scenario::SiteParameters site;
  int every = 0, stored = 0;

  Case() { draw.work = Seconds(1000); }
  /// Where the time of an epoch is known instead.
  explicit Case(scenario::SiteParameters parameters) : site(std::move(parameters)) {}
  std::vector<Stretch> plan(Uniforms const& uniforms = {}) const {
    return plan_execution({.work = work,
                           .draw = draw,
                           .site = site,
                           .crash_odds = work.crash_odds.least,
                           .checkpoint_every = every,
                           .epochs_stored = stored},
                          uniforms);
  }
};

double total(std::vector<Stretch> const& plan) {
  double sum = 0;
  for (Stretch const& stretch : plan) sum += stretch.time.value();
  return sum;
}

}  // namespace

TEST_CASE("unpacking, then each epoch at the pace of the execution") {
  Distribution const epoch{Family::lognormal, 0.3, 2000, 100};
  Case c(site(epoch));
  for (double const u : {0.01, 0.3, 0.5, 0.99}) {
    Uniforms uniforms;
    uniforms.execution = u;
    for (int const epochs : {1, 5, 20}) {
      c.work.epochs = epochs;
      CHECK(total(c.plan(uniforms)) == Approx(977 + epochs * epoch.quantile(u)));
    }
  }
}

// Within three standard errors: missed for 0.27 % of the seeds; this one is fixed.
TEST_CASE("the mean is unpack + epochs x mean epoch") {
  Distribution const epoch{Family::gamma, 3, 700, 200};
  Case c(site(epoch));
  c.work.epochs = 20;
  std::vector<double> seconds;
  for (std::uint32_t job = 0; job < 4000; ++job) {
    Uniforms uniforms;
    uniforms.execution = stream(job).uniform();
    seconds.push_back(total(c.plan(uniforms)));
  }
  double const error = standard_deviation(seconds) / std::sqrt(4000.0);
  CHECK(std::abs(mean(seconds) - (977 + 20 * epoch.mean())) <= 3 * error);
}

TEST_CASE("an execution pays the start, the work that is left, and the checkpoints to come") {
  CHECK(plain.execution(Seconds(0)).value() == Approx(10 + 100 + 3 * 2));
  CHECK(plain.execution(Seconds(30)).value() == Approx(10 + 70 + 2 * 2));
  CHECK(plain.execution(Seconds(90)).value() == Approx(10 + 10));
}

TEST_CASE("uninterrupted, it is the estimate, for every shipped profile") {
  for (auto const& name : scenario::profile_names(shipped_files().profiles)) {
    training::TrainingSetup const setup =
        training::training_setup(shipped_profile(name), catalogue(), {});
    INFO(name);
    CHECK(training_work(setup).execution(Seconds(0)).value() ==
          Approx(training::estimate_training(setup).total.value()));
  }
}

TEST_CASE("checkpoints by epoch come after each epoch of work") {
  scenario::Profile profile = shipped_profile("resnet50-imagenet-osg");
  profile.checkpoint.size = Bytes(200e6);
  profile.checkpoint.every_epochs = 1;
  training::TrainingRequest request;
  request.epochs = 20;
  training::TrainingWork const work =
      training_work(training::training_setup(profile, catalogue(), request));
  CHECK(work.interval.value() == Approx(work.work.value() / 20));
}

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
  // One standard deviation above the median, and two below.
  auto const plan =
      c.plan({.job = 0.8413447461, .execution = 0.0227501319, .crash = 0.5, .crash_at = 0.5});
  REQUIRE(plan.size() == 1);
  CHECK(plan[0].end == End::done);
  CHECK(plan[0].time.value() == Approx(2000 * std::exp(0.3 - 0.2)));
  CHECK(plan[0].epochs == 10);
}

TEST_CASE("Checkpoints divide the work, and stored work is not done again") {
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

TEST_CASE("A crash comes somewhere in the rest of the work, and keeps the checkpoints before it") {
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
  c.draw.crash_of_job = 0.1;
  CHECK(c.plan({.crash = 0.31, .crash_at = 0.5, .bad_job = 0.09}).back().end == End::crash);
  CHECK(c.plan({.crash = 0.31, .crash_at = 0.5, .bad_job = 0.11}).back().end == End::done);
  // Odds of 1/9 and 3/7, nine times as large: 1/2 and 27/34.
  c.work.crash_odds = {9, 9};
  CHECK(c.plan({.crash = 0.8, .crash_at = 0.5, .bad_job = 0.49}).back().end == End::crash);
  CHECK(c.plan({.crash = 0.8, .crash_at = 0.5, .bad_job = 0.51}).back().end == End::done);
}

// Four jobs of 1000 s that crash with 0.3 each: one of them does with 1 - 0.7^4 = 0.7599.
TEST_CASE("A job with the work of several crashes where the first of them would") {
  Case c;
  c.site.crash = 0.3;
  c.work.epochs = 40;
  c.work.jobs_in_one = 4;
  CHECK(c.plan({.crash = 0.77, .crash_at = 0.5}).back().end == End::done);
  auto const any = [](double below) { return below / (1 - std::pow(0.7, 4)); };
  auto const first = c.plan({.crash = 0.75, .crash_at = any(0.15)});
  CHECK(first.back().end == End::crash);
  CHECK(total(first) == Approx(500));
  CHECK(total(c.plan({.crash = 0.75, .crash_at = any(0.3 + 0.7 * 0.15)})) == Approx(1500));
}

TEST_CASE("Unpacking and the speed of several GPUs beside the record's") {
  Case c(site({Family::lognormal, 0.3, 2000, 100}));
  double const work = total(c.plan()) - 977;
  c.site.gpus_of_speed = 1;
  c.draw.gpu_scaling = 0.5;
  auto const plan = [&c](int gpus, double unpack) {
    return total(plan_execution(
        {.work = c.work, .draw = c.draw, .site = c.site, .gpus = gpus, .unpack_share = unpack},
        {}));
  };
  CHECK(plan(1, 0) == Approx(work));
  CHECK(plan(4, 0.25) == Approx(977 / 4.0 + work / 2));
}

}  // namespace gridcast::training
