#include "sim/training/setup.hpp"

#include "sim/base/error.hpp"
#include "tests/test.hpp"
#include "tests/training/catalogue.hpp"

namespace gridcast::test {

namespace {

std::string refused(std::string const& profile, training::TrainingRequest const& request) {
  try {
    training::training_setup(shipped_profile(profile), catalogue(), request);
  } catch (InputError const& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("as few nodes as it takes, unless stated otherwise") {
  scenario::Profile const profile = shipped_profile("resnet50-imagenet-kempner");
  training::TrainingRequest request;
  CHECK(training::training_setup(profile, catalogue(), request).gpus == 1);
  request.gpus = 9;
  CHECK(training::training_setup(profile, catalogue(), request).nodes == 3);
  request.nodes = 9;
  CHECK(training::training_setup(profile, catalogue(), request).gpus_per_node() == 1);
}

TEST_CASE("epochs in steps: a short last batch is kept or dropped") {
  training::TrainingSetup setup = plain_setup();
  setup.samples = 105;
  CHECK(epoch_plan(setup).steps() == 11);
  CHECK(epoch_plan(setup).rest == 5);
  setup.profile.train.drop_last = true;
  CHECK(epoch_plan(setup).steps() == 10);
  setup.gpus = 4;  // 27 samples each, some twice, as a distributed sampler pads them
  setup.profile.train.drop_last = false;
  CHECK(epoch_plan(setup).full == 2);
  CHECK(epoch_plan(setup).rest == 7);
  setup.profile.train.steps = 7;
  CHECK(epoch_plan(setup).steps() == 7);
}

TEST_CASE("weak scaling: the data grow with the GPUs") {
  training::TrainingRequest request;
  request.gpus = 8;
  request.weak = true;
  auto const setup =
      training::training_setup(shipped_profile("resnet50-imagenet-kempner"), catalogue(), request);
  CHECK(setup.samples == 8 * 1281167.);
  CHECK(epoch_plan(setup).steps() == epoch_plan(training::on_one_gpu(setup)).steps());
}

TEST_CASE("the speed of another GPU comes from runs of one network on both") {
  training::TrainingRequest request;
  request.gpu = "V100-32GB";
  auto const setup =
      training::training_setup(shipped_profile("resnet50-imagenet-kempner"), catalogue(), request);
  CHECK(setup.gpu_factor == Approx(938. / 356));
}

TEST_CASE("values that do not fit are refused all at once") {
  training::TrainingRequest request;
  request.gpus = 0;
  CHECK_THAT(refused("resnet50-imagenet-kempner", request), has_text("0 GPUs (at least 1"));
  request = {};
  request.gpu = "V100-16";
  request.storage = "nvm";
  CHECK_THAT(refused("resnet50-imagenet-kempner", request), has_text("'V100-16GB'?"));
  CHECK_THAT(refused("resnet50-imagenet-kempner", request), has_text("Did you mean 'nvme'?"));
  request = {};
  request.gpus = 16;
  request.nodes = 1;
  CHECK_THAT(refused("resnet50-imagenet-kempner", request),
             has_text("a node has 4, and none in the catalogue more than 8"));
  request = {};
  request.gpus = 8;
  CHECK_THAT(refused("resnet50-imagenet-osg", request), has_text("no cluster"));
  request = {};
  request.batch = 60000;
  CHECK_THAT(refused("resnet18-cifar10-hpml", request), has_text("larger than the data set"));
  request = {};
  request.stage = "memory";
  CHECK_THAT(refused("resnet50-imagenet-kempner", request), has_text("do not fit on 'memory'"));
  scenario::Profile endless = shipped_profile("resnet50-imagenet-kempner");
  endless.dataset.samples = 1e15;
  CHECK_THROWS_WITH(training::training_setup(endless, catalogue(), {}),
                    has_text("more than a billion"));
}

TEST_CASE("a GPU is found by the beginning of its name") {
  training::TrainingRequest request;
  request.gpu = "A100";
  CHECK_THAT(refused("resnet50-imagenet-kempner", request), has_text("'A100-80GB'?"));
}

TEST_CASE("a batch that the GPU's memory cannot hold is refused, with the most that fits") {
  training::TrainingRequest request;
  request.gpu = "V100-16GB";
  std::string const reported = refused("resnet50-imagenet-osg", request);
  CHECK_THAT(reported, has_text("a batch of 256 needs 26 GB of a GPU's memory"));
  CHECK_THAT(reported, has_text("At most 155 samples fit."));  // (16 - 0.41) / 0.1
  request.batch = 155;
  CHECK_NOTHROW(
      training::training_setup(shipped_profile("resnet50-imagenet-osg"), catalogue(), request));
}

}  // namespace gridcast::test
