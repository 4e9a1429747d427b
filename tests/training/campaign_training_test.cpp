// How long a campaign's jobs train at each site: the same as gridcast profile says for that GPU.
#include "sim/base/error.hpp"
#include "sim/scenario/catalogue.hpp"
#include "sim/training/execution.hpp"
#include "tests/test.hpp"
#include "tests/training/catalogue.hpp"

namespace gridcast::test {

namespace {

struct Trained {
  scenario::Pool pool;
  scenario::Campaign campaign;
  scenario::Strategy strategy;

  explicit Trained(std::string const& profile) {
    campaign.submit = {{Seconds(0), 1}};
    campaign.work.catalogue = std::make_shared<scenario::CatalogueWork>(
        scenario::CatalogueWork{shipped_profile(profile), catalogue(), ""});
    campaign.work.epochs = 0;
    scenario::SiteSpec& site = pool.sites.emplace_back();
    site.name = "site";
    site.gpus = 16;
    site.gpus_per_node = 4;
    site.gpu = "A100-80GB";
  }
  scenario::SiteSpec& site() { return pool.sites[0]; }
  training::SiteTraining at_site() const {
    return *training::campaign_training(pool, campaign, strategy, nullptr).sites[0];
  }
  std::string refusal() const {
    scenario::Scenario scenario;
    scenario.pool = pool;
    scenario.campaign = campaign;
    scenario.strategies = {strategy};
    scenario.work_at = {"scenario.yaml", 3, 9};
    try {
      training::check_training(scenario);
    } catch (InputError const& error) {
      return error.what();
    }
    return "";
  }
};

double time_of(scenario::Profile const& profile, training::TrainingRequest const& request) {
  return training::estimate_training(training::training_setup(profile, catalogue(), request))
      .total.value();
}

}  // namespace

TEST_CASE("a site's GPUs set the time, as in gridcast profile") {
  for (int const gpus : {1, 4}) {
    for (std::string const gpu : {"A100-80GB", "V100-32GB", "H100"}) {
      Trained job("resnet50-imagenet-osg");
      job.site().gpu = gpu;
      job.campaign.request.gpus = gpus;
      job.campaign.work.epochs = 3;
      training::TrainingRequest request;
      request.gpu = gpu;
      request.gpus = gpus;
      request.epochs = 3;
      CHECK(job.at_site().work.execution(Seconds(0)).value() ==
            Approx(time_of(job.campaign.work.catalogue->profile, request)));
    }
  }
}

TEST_CASE("a site's GPU is found by its name's first word, and by its memory") {
  scenario::SiteSpec site;
  auto const found = [&site](std::string const& name, double gigabytes) -> std::string {
    site.gpu = name;
    site.gpu_memory = Bytes(gigabytes * 1e9);
    scenario::GpuModel const* const gpu = scenario::gpu_of_site(catalogue(), site);
    return gpu ? gpu->name : "none";
  };
  CHECK(found("A100", 80) == "A100-80GB");
  CHECK(found("V100", 32) == "V100-32GB");
  CHECK(found("V100", 16) == "V100-16GB");
  CHECK(found("H100", 80) == "H100");
  CHECK(found("A10", 24) == "none");  // another GPU, whose name an A100's begins with
  CHECK(found("", 24) == "none");
}

TEST_CASE("a job may have several nodes at a cluster, with that machine's links") {
  Trained job("resnet50-imagenet-kempner");
  job.site().cluster = true;
  job.site().machine = "kempner-a100";
  job.campaign.request.gpus = 8;
  job.campaign.request.nodes = 2;
  job.campaign.work.storage = "cluster-store";
  training::TrainingRequest request;
  request.gpus = 8;
  request.nodes = 2;
  CHECK(job.at_site().work.execution(Seconds(0)).value() ==
        Approx(time_of(shipped_profile("resnet50-imagenet-kempner"), request)));
}

TEST_CASE("every profile of the catalogue can be a campaign's work") {
  for (std::string const& name : scenario::profile_names(shipped_files().profiles)) {
    Trained job(name);
    job.site().disk = Bytes(1e15);
    for (scenario::DataAccess const data :
         {scenario::DataAccess::copy, scenario::DataAccess::stream}) {
      job.strategy.training.data = data;
      INFO(name);
      CHECK(job.refusal() == "");
      CHECK(job.at_site().work.execution(Seconds(0)) > Seconds(0));
    }
  }
}

TEST_CASE("streaming reads the data set once an epoch") {
  Trained job("resnet50-imagenet-osg-stream");
  job.strategy.training.data = scenario::DataAccess::stream;
  job.campaign.work.epochs = 7;
  training::SiteTraining const training = job.at_site();
  CHECK(training.streamed.value() == Approx(7 * 1281167 * 107.7e3).epsilon(1e-3));
}

TEST_CASE("a strategy decides when a job saves itself; a file that stays on its slot is not safe") {
  Trained job("resnet50-imagenet-osg");
  job.campaign.work.epochs = 10;
  CHECK(job.at_site().work.interval == Seconds(0));
  job.strategy.retry.policy.checkpoint_every_epochs = 2;
  training::TrainingWork const work = job.at_site().work;
  CHECK(work.interval.value() == Approx(work.work.value() / 5));
  CHECK(work.save.value() == Approx(1 + 204.4e6 / 20e6));  // the access point's share, and opening
  CHECK(job.at_site().saves);
  auto own = *job.campaign.work.catalogue;
  own.profile.checkpoint.destination = "slot-disk";
  job.campaign.work.catalogue = std::make_shared<scenario::CatalogueWork>(own);
  CHECK_FALSE(job.at_site().saves);
}

TEST_CASE("a misfit is reported at the work of the scenario") {
  Trained job("resnet50-imagenet-osg");
  CHECK(job.refusal() == "");
  job.campaign.work.batch = 2000000;
  CHECK_THAT(job.refusal(), has_text("scenario.yaml:3:9: campaign.work: a batch of 2000000"));
  job.campaign.work.batch = 0;
  job.campaign.request.disk = Bytes(100e9);
  job.site().disk = Bytes(500e9);
  CHECK_THAT(job.refusal(), has_text("138 GB of data do not fit on 'slot-disk'"));
  job.campaign.request = {};
  job.campaign.request.gpus = 0;
  CHECK_THAT(job.refusal(), has_text("0 GPUs"));
  Trained no_size("resnet18-cifar10-hpml");
  no_size.strategy.training.checkpoint_every = minutes(1);
  CHECK_THAT(no_size.refusal(), has_text("checkpoints without a size"));
}

}  // namespace gridcast::test
