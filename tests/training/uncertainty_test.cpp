#include <cmath>
#include <optional>
#include <set>

#include "sim/training/estimate.hpp"
#include "sim/training/fit/fitted_profile.hpp"
#include "tests/test.hpp"
#include "tests/training/catalogue.hpp"

namespace gridcast::test {
namespace {

std::vector<training::RunRow> runs() {
  return {{"a", "A100-80GB", 4, 1, 256, 1281167, Seconds(360), 2},
          {"a", "A100-80GB", 8, 2, 256, 1281167, Seconds(188), 3},
          {"h", "H100", 4, 1, 256, 1281167, Seconds(185), 4}};
}

training::TrainingFit fit_of(std::size_t draws) {
  scenario::Profile base;
  base.storage = "memory";
  base.reader.when = scenario::ReadWhen::never;
  base.exchange.gradient = Bytes(100e6);
  base.sources = {
      {"storage", "x"}, {"dataset", "x"}, {"train", "x"}, {"reader", "x"}, {"exchange", "x"}};
  return training::fit_training(runs(), base, {1, draws});
}

scenario::Profile fitted() { return training::fitted_profile(fit_of(200), 0, "runs.csv"); }

}  // namespace

TEST_CASE("a fitted profile predicts its own runs, with an interval around them") {
  training::TrainingRequest request;
  request.gpus = 8;
  auto const setup = training::training_setup(fitted(), catalogue(), request);
  double const epoch = training::estimate_training(setup).epoch.value();
  CHECK(epoch == Approx(188).epsilon(0.06));
  auto const interval = training::training_interval(setup);
  REQUIRE(interval);
  CHECK(interval->epoch.contains(188));
  CHECK(interval->epoch.low < epoch);
  CHECK(interval->epoch.high > epoch);
}

// The file has a hundred draws of many, and a run far from the measured ones follows from none of
// them alone.
TEST_CASE("the median of a profile agrees with its fit, within the draws") {
  auto const fit = fit_of(1600);
  auto const profile = training::fitted_profile(fit, 0, "runs.csv");
  training::TrainingRequest request;
  for (auto const& [gpus, batch] : {std::pair{8, 256}, {64, 256}, {64, 32}, {1024, 16}}) {
    INFO(gpus << " GPUs, " << batch);
    request.gpus = gpus;
    request.batch = batch;
    auto const setup = training::training_setup(profile, catalogue(), request);
    auto const typical = training::typical_training(setup);
    double const epoch = typical.estimate.epoch.value();
    CHECK(training::estimate_training(typical.setup).epoch == typical.estimate.epoch);
    training::RunRow run = runs().front();
    run.gpus = gpus;
    run.nodes = gpus / 4;
    run.batch = batch;
    auto const reported = training::forecast(fit.families.front(), fit.base, run);
    CHECK(epoch == Approx(reported.median.value()).epsilon(0.03));
    auto const interval = training::training_interval(typical.setup)->epoch;
    CHECK(interval.low == training::training_interval(setup)->epoch.low);
    CHECK(std::log(interval.low / reported.interval.low) == Approx(0).margin(0.1));
    CHECK(std::log(interval.high / reported.interval.high) == Approx(0).margin(0.25));
  }
}

TEST_CASE("a fitted profile's efficiency falls with the GPUs, and agrees with its own epochs") {
  auto const profile = training::fitted_profile(fit_of(1600), 0, "runs.csv");
  training::TrainingRequest request;
  request.batch = 16;
  std::optional<double> of_one;  // GPU seconds an epoch
  double before = 1.0001;
  for (int const gpus : {1, 4, 8, 64, 512}) {
    INFO(gpus);
    request.gpus = gpus;
    auto const now =
        training::typical_training(training::training_setup(profile, catalogue(), request));
    double const gpu_seconds = gpus * now.estimate.epoch.value();
    if (!of_one) of_one = gpu_seconds;
    CHECK(now.estimate.efficiency <= before);
    CHECK(now.estimate.efficiency == Approx(*of_one / gpu_seconds).epsilon(0.03));
    before = now.estimate.efficiency;
  }
}

TEST_CASE("a profile that nobody fitted is as it says") {
  auto const setup =
      training::training_setup(shipped_profile("resnet50-imagenet-kempner"), catalogue(), {});
  CHECK(training::typical_training(setup).estimate.total ==
        training::estimate_training(setup).total);
}

TEST_CASE("beyond the measurements the interval is wider") {
  auto const profile = fitted();
  auto const width = [&profile](int gpus) {
    training::TrainingRequest request;
    request.gpus = gpus;
    auto const of =
        training::training_interval(training::training_setup(profile, catalogue(), request));
    return std::log(of->epoch.high / of->epoch.low);
  };
  CHECK(width(64) > width(8));
}

TEST_CASE("the most GPUs are those of the last fit, not of an earlier one") {
  auto fit = fit_of(200);
  fit.base.fitted_gpus = 64;
  CHECK(training::fitted_profile(fit, 0, "runs.csv").fitted_gpus == 8);
}

TEST_CASE("another GPU that was measured comes with its measured factor") {
  auto const profile = fitted();
  REQUIRE(profile.gpu_factors.size() == 1);
  CHECK(profile.gpu_factors.front().name == "H100");
  CHECK(profile.gpu_factors.front().factor == Approx(185 / 360.).epsilon(0.08));
  training::TrainingRequest request;
  request.gpus = 4;
  request.gpu = "H100";
  auto const setup = training::training_setup(profile, catalogue(), request);
  CHECK(setup.gpu_factor == profile.gpu_factors.front().factor);
  CHECK(training::training_interval(setup)->epoch.contains(185));
}

TEST_CASE("noise grows with each doubling of GPUs and each halving of the batch beyond the runs") {
  CHECK(training::doublings_beyond(0.5, 0.5) == 0);
  CHECK(training::doublings_beyond(8, 1) == Approx(3));
  CHECK(training::doublings_beyond(4, 2) == Approx(3));
  auto profile = fitted();
  auto const width = [&profile](int batch) {
    training::TrainingRequest request;
    request.batch = batch;
    auto const setup = training::training_setup(profile, catalogue(), request);
    auto const epoch = training::training_interval(setup)->epoch;
    return epoch.high / epoch.low;
  };
  double const within = width(profile.fitted_batch / 4);
  profile.fitted_batch /= 4;
  CHECK(within > width(profile.fitted_batch));
}

// Noise is a configuration's own, so its variance adds up; a form that is wrong goes on being
// wrong, so its error does.
TEST_CASE("the form of the models is less sure with each doubling, however small the noise") {
  CHECK(training::forecast_sd(0.01, 0) == Approx(0.01));
  CHECK(training::forecast_sd(0.01, 3) == Approx(std::hypot(0.02, 0.06)));
  CHECK(training::forecast_sd(1e-6, 4) == Approx(2 * training::forecast_sd(1e-6, 2)));
}

TEST_CASE("a factor of the catalogue has an uncertainty that is carried on") {
  training::TrainingRequest request;
  request.gpus = 4;
  auto const kempner = shipped_profile("resnet50-imagenet-kempner");
  CHECK_FALSE(training::training_interval(training::training_setup(kempner, catalogue(), request)));
  request.gpu = "H100";
  auto const setup = training::training_setup(kempner, catalogue(), request);
  CHECK(setup.gpu_variation == Approx(std::hypot(0.02, 0.03)));
  auto const interval = training::training_interval(setup);
  REQUIRE(interval);
  double const epoch = training::estimate_training(setup).epoch.value();
  CHECK(interval->epoch.low / epoch == Approx(0.945).margin(0.02));
  CHECK(interval->epoch.high / epoch == Approx(1.055).margin(0.02));
}

TEST_CASE("a fitted profile is a file that is read back as it was written") {
  auto const profile = fitted();
  auto const again =
      scenario::read_profile_text("mine.yaml", scenario::profile_yaml(profile, "Fitted."));
  CHECK(again.fitted.size() == profile.fitted.size());
  CHECK(again.fitted_gpus == 8);
  CHECK(again.fitted_batch == profile.fitted_batch);
  CHECK(again.fitted_batch > 0);
  CHECK(again.exchange.unhidden.value() == Approx(profile.exchange.unhidden.value()).margin(1e-9));
  CHECK(again.gpu_factors.front().factor == Approx(profile.gpu_factors.front().factor));
  REQUIRE(again.hardware.machines.size() == 1);
  training::TrainingRequest request;
  request.gpus = 16;
  auto const epoch = [&request](scenario::Profile const& of) {
    auto const setup = training::training_setup(of, catalogue(), request);
    return training::training_interval(setup)->epoch;
  };
  CHECK(epoch(again).low == Approx(epoch(profile).low).epsilon(1e-6));
  CHECK(epoch(again).high == Approx(epoch(profile).high).epsilon(1e-6));
}

TEST_CASE("replicas live in different worlds of a fitted profile") {
  training::TrainingRequest request;
  request.gpus = 8;
  auto const setup = training::training_setup(fitted(), catalogue(), request);
  std::set<double> times;
  for (double const u : {0.05, 0.35, 0.65, 0.95}) {
    auto const world = training::possible_setup(setup, u);
    times.insert(training::estimate_training(world.setup).epoch.value() * world.slower);
  }
  CHECK(times.size() == 4);
  CHECK(*times.begin() > 150);
  CHECK(*times.rbegin() < 240);
}

}  // namespace gridcast::test
