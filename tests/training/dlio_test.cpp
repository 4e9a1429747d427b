#include "sim/training/dlio.hpp"

#include <algorithm>

#include "sim/base/error.hpp"
#include "sim/scenario/profile.hpp"
#include "sim/training/estimate.hpp"
#include "tests/test.hpp"
#include "tests/training/catalogue.hpp"
#include "tests/training/step_by_step.hpp"

namespace gridcast::test {

namespace {

training::DlioImport import_named(std::string const& name) {
  return training::import_dlio(test::source_dir() / "tests/training/data" / name);
}

training::DlioImport import_text(std::string const& text) {
  return training::import_dlio_text("w.yaml", text);
}

std::string refused(std::string const& text) {
  try {
    import_text(text);
  } catch (InputError const& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("unet3d as DLIO ships it") {
  training::DlioImport const import = import_named("unet3d_a100.yaml");
  scenario::Profile const& profile = import.profile;
  CHECK(profile.dataset.samples == 168);
  CHECK(profile.dataset.sample_size == Bytes(146600628));
  CHECK(profile.dataset.sample_spread == Bytes(68341808));
  CHECK(profile.train.batch == 7);
  CHECK(profile.train.epochs == 5);
  CHECK(profile.compute.step_time == Seconds(0.636));
  CHECK(profile.compute.gpu == "A100-80GB");
  CHECK(profile.reader.threads == 4);
  CHECK(profile.reader.by == scenario::ReadBy::batch);
  CHECK(profile.reader.shuffle == scenario::Shuffle::all);
  CHECK(profile.checkpoint.size == Bytes(499153191));
  CHECK(profile.checkpoint.first_epoch == 5);
  CHECK(profile.au_threshold == 0.9);
  std::vector<std::string> keys;
  for (auto const& ignored : import.ignored) keys.push_back(ignored.key);
  CHECK(keys == std::vector<std::string>{"workflow.generate_data", "dataset.data_folder",
                                         "dataset.record_length_bytes_resize",
                                         "checkpoint.checkpoint_folder"});
}

TEST_CASE("the import of DLIO's files gives the shipped profiles") {
  for (std::string const name : {"resnet50_a100", "unet3d_a100", "cosmoflow_h100", "bert_v100"}) {
    scenario::Profile imported = import_named(name + ".yaml").profile;
    scenario::Profile const shipped = shipped_profile("dlio-" + name.substr(0, name.find('_')));
    imported.name = shipped.name;
    CHECK(scenario::profile_yaml(imported, "") == scenario::profile_yaml(shipped, ""));
  }
}

TEST_CASE("the same workload below Hydra's root") {
  std::string const flat =
      "dataset: {num_files_train: 10, num_samples_per_file: 5, record_length: 4096}\n"
      "reader: {batch_size: 5, data_loader: pytorch}\n"
      "train: {computation_time: 0.5}\n";
  std::string nested = "hydra: {run: {dir: out}}\nworkload:\n";
  for (std::size_t at = 0; at < flat.size();) {
    std::size_t const end = flat.find('\n', at) + 1;
    nested += "  " + flat.substr(at, end - at);
    at = end;
  }
  scenario::Profile const one = import_text(flat).profile, other = import_text(nested).profile;
  CHECK(scenario::profile_yaml(one, "") == scenario::profile_yaml(other, ""));
  CHECK(one.dataset.samples == 50);
  CHECK(import_text(nested).ignored.size() == 1);
}

TEST_CASE("numbers as Python's YAML has them") {
  scenario::Profile const profile =
      import_text(
          "dataset: {num_files_train: \"16\", num_samples_per_file: 1e2, record_length: 1_000}\n"
          "reader: {prefetch_size: 0, read_threads: 0}\n")
          .profile;
  CHECK(profile.dataset.samples == 1600);
  CHECK(profile.dataset.sample_size == Bytes(1000));
  CHECK(profile.reader.prefetch == 2);  // as DLIO makes of none
  CHECK_THAT(refused("dataset:\n  record_length: -1_000\n"),
             has_text("w.yaml:2:18: dataset.record_length: -1000 is out of range"));
  CHECK_THAT(refused("dataset: {record_length: 1_k}\n"), has_text("'1_k' is not a number"));
}

TEST_CASE("times that are distributions count with their mean, and spread the steps") {
  std::string const head = "dataset: {num_files_train: 10}\ntrain: {computation_time: ";
  CHECK(import_text(head + "{mean: 2, stdev: 0.5, type: normal}}").profile.compute.spread == 0.25);
  CHECK(import_text(head + "{type: uniform, min: 1, max: 3}}").profile.compute.step_time ==
        Seconds(2));
  CHECK(import_text(head + "{type: gamma, shape: 4, scale: 0.5}}").profile.compute.spread == 0.5);
  CHECK(import_text(head + "{type: exponential, scale: 3}}").profile.compute.step_time ==
        Seconds(3));
}

TEST_CASE("files without training are times between checkpoints") {
  scenario::Profile const profile =
      import_text(
          "model: {num_layers: 32, model_datatype: fp16, optimizer_datatype: fp32,\n"
          "  transformer: {vocab_size: 128256, hidden_size: 4096, ffn_hidden_size: 14336,\n"
          "    num_attention_heads: 32, num_kv_heads: 8}}\n"
          "workflow: {train: False, checkpoint: True}\n"
          "checkpoint: {time_between_checkpoints: 5, num_checkpoints_write: 10}\n")
          .profile;
  CHECK(profile.checkpoint.size.value() == Approx(8.03e9 * 14).epsilon(0.001));
  CHECK(estimate_training(training::training_setup(profile, catalogue(), {})).saves == 10);
}

// DLIO e1919d7, utils/config.py and checkpointing/base_checkpointing.py.
TEST_CASE("checkpoints are as large as DLIO makes them") {
  auto const size = [](std::string const& keys) {
    return import_text("train: {epochs: 1}\nworkflow: {checkpoint: True}\n" + keys)
        .profile.checkpoint.size;
  };
  CHECK(size("") == Bytes(10240));
  CHECK(size("checkpoint: {model_size: 499153191}\n") == Bytes(499153191));
  CHECK(size("model: {model_size: 499153191}\n") == Bytes(499153191));
  CHECK(size("model: {model_size_bytes: 7}\ncheckpoint: {model_size: 499153191}\n") == Bytes(7));
  CHECK(size("model: {model_size: 100, num_layers: 2, layer_parameters: [10, 20],\n"
             "  optimization_groups: [1000, 500]}\n") == Bytes(100 + 2 * 30 + 3 * 1500));
}

TEST_CASE("a file that DLIO would refuse is refused, with the place") {
  std::string const bad = refused(
      "dataset: {record_length_bytes: -5, format: tfrecrd}\n"
      "reader: {data_loader: tensorflw, batch_size: 0}\n");
  CHECK_THAT(bad, has_text("w.yaml:1:32: dataset.record_length_bytes: -5 is out of range"));
  CHECK_THAT(bad, has_text("unknown 'tfrecrd'. Did you mean 'tfrecord'?"));
  CHECK_THAT(bad, has_text("w.yaml:2:23: reader.data_loader: unknown 'tensorflw'"));
  CHECK_THAT(bad, has_text("reader.batch_size: 0"));
  CHECK_THAT(refused("dataset: {num_files_train: 4}\nreader: {batch_size: 5}\n"),
             has_text("more than the data set has"));
  CHECK_THAT(refused("workload: unet3d\n"), has_text("names a workload"));
  CHECK_THAT(refused("hydra: {run: {dir: out}}\n"), has_text("no workload in it"));
  CHECK_THAT(refused("dataset: {num_vectors: 1000, dimension: 1536}\n"),
             has_text("none of its keys is one of DLIO's"));
  CHECK_THAT(refused("workflow: {train: False}\ntrain: {epochs: 1}\n"),
             has_text("neither training nor checkpoints"));
  CHECK_THAT(refused("- a\n- b\n"), has_text("no workload in it"));
  CHECK_THAT(refused("dataset: &a {x: *a}\n"), has_text("is within its own value"));
  CHECK_THAT(refused("train: {epochs: 3, epochs: 4}\n"), has_text("'epochs' is given twice"));
  CHECK_THAT(refused("dataset: 5\ntrain: {epochs: 1}\n"),
             has_text("w.yaml:1:10: dataset: '5' where keys are wanted"));
}

// DLIO's statscounter.py sums a rank's compute times from the second step on, and divides by the
// block's time less the first step's: of 10 steps, the first of 11 s and the others of 10 s, each
// with 1 s of computing, 9 s / (101 s - 11 s).
TEST_CASE("utilisation and step composition by DLIO's definition") {
  training::TrainingSetup const setup = plain_setup();  // a batch every 10 s, 1 s of computing
  double const by_hand = 9. / (101 - 11);
  CHECK(estimate_training(setup).au == Approx(by_hand).epsilon(0.02));
  CHECK(estimate_training(setup).step_mean.value() == Approx(10.1));
}

TEST_CASE(
    "shipped workloads: closed form and definition agree within 2 %, and MLPerf's thresholds") {
  for (std::string const name : {"dlio-resnet50", "dlio-unet3d", "dlio-cosmoflow", "dlio-bert"}) {
    scenario::Profile profile = shipped_profile(name);
    for (char const* storage : {"fast-store", "slow-store"}) {
      training::TrainingRequest request;
      request.storage = storage;
      request.epochs = 1;
      training::TrainingSetup setup = training::training_setup(profile, catalogue(), request);
      if (training::epoch_plan(setup).steps() > 2000) setup.profile.train.steps = 2000;
      double const au = estimate_training(setup).au;
      auto const steps =
          training::simulate_steps(setup, RandomStreams(1, 0).stream(Purpose::test, 0));
      INFO(name << " on " << storage);
      CHECK(au == Approx(steps.au).epsilon(0.02));
      if (profile.au_threshold == 0) continue;
      CHECK((au >= profile.au_threshold) == (std::string(storage) == "fast-store"));
    }
  }
}

// The time of a step with the files' own numbers on a store of 50 MB/s: it computes as long as the
// file says, or lasts as long as its batch is on its way. AU leaves out the first step.
TEST_CASE("step composition and utilisation of the shipped workloads on a slow store, by hand") {
  struct ByHand {
    std::string name;
    double computing, batch_bytes;
  };
  for (auto const& [name, computing, bytes] :
       {ByHand{"dlio-resnet50", 0.435, 400 * 114660.07}, ByHand{"dlio-cosmoflow", 0.0035, 2828486},
        ByHand{"dlio-bert", 0.968, 48 * 2500.}}) {
    training::TrainingRequest request;
    request.storage = "slow-store";
    request.epochs = 1;
    training::TrainingSetup setup =
        training::training_setup(shipped_profile(name), catalogue(), request);
    setup.profile.train.steps = 1000;
    training::TrainingEstimate const estimate = estimate_training(setup);
    double const step = std::max(computing, bytes / 50e6);
    INFO(name);
    CHECK(estimate.step.total().value() == Approx(computing));
    CHECK(estimate.step_mean.value() == Approx(step).epsilon(0.02));
    CHECK(estimate.au == Approx(computing / step).epsilon(0.02));
    CHECK(estimate.parts.waiting.value() / 1000 ==
          Approx(step - computing).epsilon(0.02).margin(0.02 * step));
  }
}

// Reader-bound, 4 workers of PyTorch: each batch of 7 x 146.6 MB is read in 20.5 s at 50 MB/s.
TEST_CASE("unet3d on a slow store, by hand") {
  training::TrainingRequest request;
  request.storage = "slow-store";
  double const batch = 7 * 146600628. / 50e6;
  double const au = estimate_training(training::training_setup(shipped_profile("dlio-unet3d"),
                                                               catalogue(), request))
                        .au;
  CHECK(au == Approx(23 * 0.636 / (24 * batch + 3 * 0.636 - 4 * batch)).epsilon(0.02));
}

}  // namespace gridcast::test
