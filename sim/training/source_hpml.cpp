#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "sim/scenario/profile_reader.hpp"
#include "sim/training/estimate.hpp"
#include "sim/training/source_csv.hpp"
#include "sim/training/source_table.hpp"

namespace gridcast::training {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// Epoch times of the profile.
class Epochs {
 public:
  explicit Epochs(SourceFiles const& files)
      : hardware_(scenario::read_hardware(files.profiles / "hardware.yaml")),
        profile_(scenario::find_profile(files.profiles, "resnet18-cifar10-hpml")) {}

  double of(int gpus, int batch, bool weak = false) const {
    TrainingRequest request;
    request.gpus = gpus;
    request.batch = batch;
    request.weak = weak;
    return estimate_training(training_setup(profile_, hardware_, request)).epoch.value();
  }

 private:
  scenario::Hardware hardware_;
  scenario::Profile profile_;
};

void add_weak_scaling(SourceTable& table, Epochs const& epochs) {
  struct Case {
    int gpus, batch;
    double published;
  };
  for (Case const& c : {Case{2, 512, 0.88}, Case{4, 8192, 0.91}}) {
    double const one = epochs.of(1, c.batch), many = epochs.of(c.gpus, c.batch);
    table.rows.push_back(
        {fmt::format("{} x {} a GPU", c.gpus, c.batch), "the source's \"weak\" speedup", "",
         c.published, one / (c.gpus * many), 0.01, false,
         fmt::format("T(1) / ({} T({})): the strong-scaling efficiency", c.gpus, c.gpus)});
    double const weak = epochs.of(c.gpus, c.batch, true);
    table.rows.push_back({fmt::format("{} x {} a GPU", c.gpus, c.batch), "weak-scaling efficiency",
                          "", unknown, one / weak, 0, false,
                          fmt::format("predicted, {} x the data: {:.2f} s an epoch, {:.2f} times "
                                      "the work of one GPU in a time",
                                      c.gpus, weak, c.gpus * one / weak)});
  }
}

}  // namespace

SourceTable hpml_table(SourceFiles const& files) {
  SourceTable table{
      "HPML: ResNet-18 on V100s",
      "Profile resnet18-cifar10-hpml. Three numbers are fitted to the four times: the time of an "
      "image, of loading one, and the link's bandwidth. That the same link also gives 5.02 s on "
      "four GPUs is the one thing that the fit could have missed.",
      {},
      "Why the source's argument is not weak scaling: it multiplies the time of a fixed data set "
      "by "
      "the number of GPUs. n T(n) against T(1) is the efficiency of strong scaling, 1.77/2 = 0.88, "
      "and below 1 by construction; calling it a speedup compares n GPUs' work with one GPU's. In "
      "weak scaling each GPU keeps its 50,000 images: what an epoch costs once (here the first "
      "batch, "
      "0.5 s of 8,192 images) is not multiplied by n, and n times the data are trained in nearly "
      "the "
      "same time: a scaled speedup (Gustafson 1988) near n, not below 1."};
  Epochs const epochs(files);
  double base = 0;
  for (NumberRow const& row :
       read_number_rows(files.data / "training" / "hpml-resnet18-v100.csv")) {
    int const gpus = static_cast<int>(row.number("gpus"));
    int const batch = static_cast<int>(row.number("batch_per_gpu"));
    std::string const what = fmt::format("{} x {} a GPU", gpus, batch);
    double const time = epochs.of(gpus, batch);
    if (gpus == 1) base = time;
    table.rows.push_back(
        {what, "epoch", "s", row.number("train_s_per_epoch"), time, 0.01, true, ""});
    table.rows.push_back({what, "speedup", "", row.number("speedup_published"), base / time, 0.01,
                          false, std::isnan(row.number("speedup_published")) ? "predicted" : ""});
  }
  add_weak_scaling(table, epochs);
  return table;
}

SourceTable hpml_batches_table(SourceFiles const& files) {
  SourceTable table{
      "HPML: batch sizes that the source shows only in an image",
      "Predictions. Small batches rest on the assumed 2 ms a step; the exchange after each step is "
      "what makes them slow on several GPUs, as nothing of it is taken to be hidden.",
      {},
      ""};
  Epochs const epochs(files);
  for (int const gpus : {1, 2, 4}) {
    for (int batch = 32; batch <= 8192; batch *= 4) {
      table.rows.push_back(
          {fmt::format("{} x {} a GPU", gpus, batch), "epoch", "s", unknown, epochs.of(gpus, batch),
           0, true, fmt::format("speedup {:.2f}", epochs.of(1, batch) / epochs.of(gpus, batch))});
    }
  }
  return table;
}

}  // namespace gridcast::training
