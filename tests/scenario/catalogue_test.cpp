#include "sim/scenario/catalogue.hpp"

#include "sim/base/error.hpp"
#include "sim/scenario/campaign.hpp"
#include "sim/scenario/scenario.hpp"
#include "tests/scenario/files.hpp"
#include "tests/test.hpp"

namespace gridcast::scenario {

using test::has_text;
using test::pool_name;
using test::scenario_name;
using test::ScenarioFiles;

namespace {

constexpr char small[] = R"(schema: gridcast.hardware/1
gpus:
  G: {memory: 16 GB, images_per_s: 100, sources: {memory: a data sheet, images_per_s: me}}
storage:
  S: {stream_bandwidth: 1 GB/s, write_bandwidth: 1 GB/s,
      sources: {"stream_bandwidth, write_bandwidth": me}}
machines:
  M: {nodes: 1, gpus_per_node: 1, gpu: G, memory: 1 GB, intra_bandwidth: 1 GB/s,
      inter_bandwidth: 1 GB/s,
      sources: {"nodes, gpus_per_node, gpu, memory, intra_bandwidth, inter_bandwidth": me}}
)";

std::vector<std::string> hardware_problems(ScenarioFiles const& files) {
  return files.problems([&files] { read_hardware(files / "hardware.yaml"); });
}

constexpr char calibrated[] = "work: {profile: resnet50-imagenet, epochs: 5}";

ScenarioFiles& with_work(ScenarioFiles& files, std::string const& work) {
  return files.edit(scenario_name, calibrated, "work: " + work);
}

std::string only_problem(ScenarioFiles const& files) {
  auto const found = files.problems();
  CAPTURE(found);
  REQUIRE(found.size() == 1);
  return found[0];
}

}  // namespace

TEST_CASE("Every value of a GPU, a store and a machine has its source") {
  ScenarioFiles files;
  files.write("hardware.yaml", small);
  CHECK(hardware_problems(files).empty());
  CHECK(find_gpu(read_hardware(files / "hardware.yaml"), "G").sources.at("memory") ==
        "a data sheet");
  files.edit("hardware.yaml", "{memory: a data sheet, ", "{");
  REQUIRE(hardware_problems(files).size() == 1);
  CHECK_THAT(hardware_problems(files)[0], has_text("hardware.yaml:3:15: gpus.G.memory: no source"));
  files.edit("hardware.yaml", "sources: {images_per_s",
             "sources: {memori: x, memory: y, images_per_s");
  REQUIRE(hardware_problems(files).size() == 1);
  CHECK_THAT(hardware_problems(files)[0], has_text("gpus.G.sources: there is no value 'memori'"));
}

TEST_CASE("A machine's GPU has to be in the same file") {
  ScenarioFiles files;
  files.write("hardware.yaml", small);
  files.edit("hardware.yaml", "gpu: G,", "gpu: H,");
  REQUIRE(hardware_problems(files).size() == 1);
  CHECK_THAT(hardware_problems(files)[0], has_text("machines.M.gpu: unknown GPU 'H'"));
}

TEST_CASE("A campaign's work may be any profile of the catalogue") {
  for (std::string const& name : catalogue_names()) {
    ScenarioFiles files;
    Scenario const scenario =
        read_scenario(with_work(files, "{profile: " + name + "}") / scenario_name);
    REQUIRE(scenario.campaign.work.catalogue);
    CHECK(scenario.campaign.work.catalogue->profile.name == name);
    CHECK(scenario.campaign.work.epochs == 0);
  }
}

TEST_CASE("A profile given by its file is looked for beside the scenario") {
  ScenarioFiles files;
  files.write("mine.yaml", R"(schema: gridcast.profile/1
title: Mine
machine: emulated
storage: fast-store
dataset: {samples: 100, sample_size: 1 MB, files: 100, format: npz}
train: {epochs: 2, batch: 4}
compute: {gpu: A100-80GB, step_time: 1 s}
sources: {machine: me, storage: me, dataset: me, train: me, compute: me}
)");
  with_work(files, "{profile: mine.yaml, epochs: 7}");
  Scenario const scenario = read_scenario(files / scenario_name);
  REQUIRE(scenario.campaign.work.catalogue);
  CHECK(scenario.campaign.work.catalogue->profile.title == "Mine");
  CHECK(scenario.campaign.work.epochs == 7);
  files.edit("mine.yaml", "machine: emulated\n", "machin: emulated\n");
  CHECK_THAT(files.problems().at(1), has_text("mine.yaml:3:1: unknown key 'machin'"));
}

TEST_CASE("A workload that is nowhere: the nearest name, calibrated or of the catalogue") {
  ScenarioFiles files;
  with_work(files, "{profile: dlio-unet3, epochs: 1}");
  CHECK_THAT(only_problem(files), has_text("Did you mean 'dlio-unet3d'?"));
  files.edit(scenario_name, "dlio-unet3", "resnet50-imagent");
  CHECK_THAT(only_problem(files), has_text("Did you mean 'resnet50-imagenet'?"));
}

TEST_CASE("A calibrated workload needs its epochs, and knows nothing of the catalogue's keys") {
  ScenarioFiles files;
  with_work(files, "{profile: resnet50-imagenet}");
  CHECK_THAT(only_problem(files), has_text("campaign.work: key 'epochs' is missing"));
  ScenarioFiles others;
  with_work(others, "{profile: resnet50-imagenet, epochs: 5, batch: 3}")
      .edit(scenario_name, "published: {}", "published: {training: {data: stream}}");
  auto const found = others.problems();
  REQUIRE(found.size() == 2);
  CHECK_THAT(found[0], has_text("campaign.work.batch: this would have no effect"));
  CHECK_THAT(found[1], has_text("strategies.published.training: this would have no effect"));
}

TEST_CASE("Strategies may stream, save, and train another profile") {
  ScenarioFiles files;
  with_work(files, "{profile: resnet50-imagenet-osg, epochs: 5}")
      .edit(scenario_name, "published: {}",
            "published: {training: {data: stream, profile: resnet50-imagenet-osg-stream}, "
            "checkpoint: {every: 10 min}}");
  Scenario const scenario = read_scenario(files / scenario_name);
  TrainingStrategy const& training = scenario.strategy("published").training;
  CHECK(training.data == DataAccess::stream);
  CHECK(training.checkpoint_every == minutes(10));
  REQUIRE(training.catalogue.work);
  CHECK(training.catalogue.work->profile.name == "resnet50-imagenet-osg-stream");
  files.edit(scenario_name, "osg-stream", "osg-steam");
  CHECK_THAT(only_problem(files), has_text("Did you mean 'resnet50-imagenet-osg-stream'?"));
  files.edit(scenario_name, "osg-steam", "osg-stream")
      .edit(scenario_name, "every: 10 min", "every: 10 min, every_epochs: 1");
  CHECK_THAT(only_problem(files), has_text("more than one interval"));
  files.edit(scenario_name, ", every_epochs: 1", "")
      .edit(scenario_name, "checkpoint:", "transfer: {protocol: htcondor}, checkpoint:");
  CHECK_THAT(only_problem(files), has_text("HTCondor's own transfer cannot stream"));
}

TEST_CASE("A site's GPU has to be of the catalogue, by its name or with its memory") {
  ScenarioFiles files;
  with_work(files, "{profile: resnet50-imagenet-osg}");
  files.edit(pool_name, "gpu: V100", "gpu: V1000");
  CHECK_THAT(only_problem(files), has_text("sites[0].gpu: unknown GPU 'V1000'"));
  Hardware const& hardware = find_catalogue_work("dlio-unet3d", "").hardware;
  SiteSpec site;
  site.gpu = "V100";
  site.gpu_memory = Bytes(32e9);
  CHECK(gpu_of_site(hardware, site)->name == "V100-32GB");
  site.gpu_memory = Bytes(16e9);
  CHECK(gpu_of_site(hardware, site)->name == "V100-16GB");
}

TEST_CASE("a run's GPU may be named as the device names itself, with its memory in the name") {
  Hardware const& hardware = find_catalogue_work("dlio-unet3d", "").hardware;
  CHECK(gpu_of_name(hardware, "A40")->name == "A40");
  CHECK(gpu_of_name(hardware, "NVIDIA H200")->name == "H200");
  CHECK(gpu_of_name(hardware, "Tesla V100-SXM2-32GB")->name == "V100-32GB");
  CHECK(gpu_of_name(hardware, "Tesla V100-SXM2-16GB")->name == "V100-16GB");
  CHECK(gpu_of_name(hardware, "NVIDIA A100-SXM4-80GB")->name == "A100-80GB");
  CHECK(gpu_of_name(hardware, "NVIDIA A100-SXM4-40GB")->name == "A100-40GB");
  CHECK(gpu_of_name(hardware, "GB") == nullptr);
  CHECK(gpu_of_name(hardware, "A99") == nullptr);
}

TEST_CASE("GPUs of a job: one node, all or nothing; several nodes only at a cluster") {
  SiteSpec site;
  site.gpus = 10;
  site.gpus_per_node = 4;
  Request request;
  CHECK(slots_of_gpus(site, request, 10) == 10);
  request.gpus = 2;
  CHECK(slots_of_gpus(site, request, 10) == 5);
  request.gpus = 3;
  CHECK(slots_of_gpus(site, request, 10) == 2);  // one a node, and the two that are left are none
  CHECK(slots_of_gpus(site, request, 3) == 1);
  request.gpus = 4;
  CHECK(slots_of_gpus(site, request, 10) == 2);
  CHECK(why_no_match(site, request).empty());
  request.gpus = 5;
  CHECK_THAT(why_no_match(site, request), has_text("4 GPU a node of the 5 wanted"));
  request.gpus = 8;
  request.nodes = 2;
  CHECK_THAT(why_no_match(site, request), has_text("no cluster, a job gets one node of the 2"));
  site.cluster = true;
  CHECK(why_no_match(site, request).empty());
  CHECK(slots_of_gpus(site, request, 10) == 1);
  CHECK(slots_of_gpus(site, request, 16) == 2);
  request.gpus = 12;
  request.nodes = 3;
  CHECK_THAT(why_no_match(site, request), has_text("10 GPUs of the 12 wanted"));
}

TEST_CASE("Slots that have a number of GPUs of their own share out the site's by it") {
  SiteSpec site;
  site.gpus_per_slot = 2;
  Request request;
  for (int const asked : {0, 1, 4}) {
    request.gpus = asked;
    CHECK(slots_of_gpus(site, request, 8) == 4);
    CHECK(slots_of_gpus(site, request, 7) == 3);
    CHECK(slots_of_gpus(site, request, 1) == 0);
  }
  site.gpus_per_node = 3;  // one a node, and the two that are left
  CHECK(slots_of_gpus(site, request, 8) == 3);
  CHECK_THAT(why_no_match(site, request), has_text("2 GPU a node of the 4 wanted"));
  for (int const asked : {0, 1, 2}) {
    request.gpus = asked;
    CHECK(why_no_match(site, request).empty());
  }
}

}  // namespace gridcast::scenario
