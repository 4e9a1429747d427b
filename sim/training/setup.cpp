#include "sim/training/setup.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "sim/base/error.hpp"

namespace gridcast::training {
namespace {

/// All of them are reported at once.
using Problems = std::vector<Problem>;

void add(Problems& problems, std::string what, std::string why, std::string hint) {
  add_problem(problems, {}, std::move(what), std::move(why), std::move(hint));
}

/// The part of that name; complains if there is none.
template <class Part>
Part look_up(Problems& problems, Part const& (*find)(scenario::Hardware const&, std::string const&),
             scenario::Hardware const& hardware, std::string const& name) {
  Part part;
  collect(problems, [&] { part = find(hardware, name); });
  return part;
}

void raise(Problems const& problems) {
  if (!problems.empty()) throw InputError(problems);
}

std::string const& first_of(std::string const& asked, std::string const& own) {
  return asked.empty() ? own : asked;
}

void check_counts(TrainingRequest const& request, Problems& problems) {
  auto const check_one = [&problems](std::optional<int> const& asked, std::string_view what) {
    if (asked && *asked < 1) {
      add(problems, fmt::format("{} {}", *asked, what), "at least 1 is needed", "");
    }
  };
  check_one(request.gpus, "GPUs");
  check_one(request.nodes, "nodes");
  check_one(request.batch, "samples a batch");
  check_one(request.epochs, "epochs");
}

/// GPUs and nodes; as few nodes as possible if only the GPUs are given.
void place(TrainingSetup& setup, TrainingRequest const& request, scenario::Profile const& profile) {
  int const own = setup.machine.gpus_per_node;
  setup.gpus = request.gpus.value_or(profile.gpus);
  if (request.nodes) {
    setup.nodes = *request.nodes;
    if (!request.gpus && setup.nodes > setup.gpus) setup.gpus = setup.nodes;
  } else {
    setup.nodes =
        request.gpus || !request.machine.empty() ? (setup.gpus + own - 1) / own : profile.nodes;
  }
}

void check_place(TrainingSetup const& setup, scenario::Hardware const& hardware,
                 Problems& problems) {
  scenario::MachineSpec const& machine = setup.machine;
  if (setup.nodes > setup.gpus) {
    add(problems, fmt::format("{} nodes for {} GPUs", setup.nodes, setup.gpus),
        "a node without a GPU has nothing to do", "");
  }
  if (setup.nodes > machine.nodes) {
    bool const cluster = machine.nodes > 1;
    add(problems, fmt::format("{} GPUs on {} nodes of '{}'", setup.gpus, setup.nodes, machine.name),
        cluster ? fmt::format("it has {} nodes of {} GPUs", machine.nodes, machine.gpus_per_node)
                : fmt::format("it is no cluster: a job gets one node, with at most {} GPUs",
                              machine.gpus_per_node),
        cluster ? fmt::format("Take at most {} GPUs on {} nodes, or another machine (--machine).",
                              machine.nodes * machine.gpus_per_node, machine.nodes)
                : "Take a machine that is a cluster (--machine).");
  } else if (setup.gpus_per_node() > machine.gpus_per_node) {
    int most = 0;
    for (auto const& other : hardware.machines) most = std::max(most, other.gpus_per_node);
    add(problems, fmt::format("{} GPUs on a node of '{}'", setup.gpus_per_node(), machine.name),
        fmt::format("a node has {}, and none in the catalogue more than {}", machine.gpus_per_node,
                    most),
        machine.nodes > 1 ? "Take more nodes (--nodes)." : "");
  }
}

void check_batch(TrainingSetup const& setup, Problems& problems) {
  double const global = static_cast<double>(setup.profile.train.batch) * setup.gpus;
  if (setup.profile.train.steps > 0 || global <= setup.samples) return;
  std::string const where = setup.gpus > 1 ? fmt::format(" on each of {} GPUs", setup.gpus) : "";
  add(problems,
      fmt::format("a batch of {}{} is larger than the data set, {:.0f}", setup.profile.train.batch,
                  where, setup.samples),
      "there would not be one step an epoch", "Take a smaller --batch or fewer GPUs.");
}

/// Known only if the profile has the memory of a sample.
void check_memory(TrainingSetup const& setup, scenario::GpuModel const& gpu, Problems& problems) {
  scenario::ComputeSpec const& compute = setup.profile.compute;
  if (compute.sample_memory == Bytes(0)) return;
  int const batch = setup.profile.train.batch;
  Bytes const needed = compute.model_memory + compute.sample_memory * batch;
  if (needed <= gpu.memory) return;
  double const most = std::floor((gpu.memory - compute.model_memory) / compute.sample_memory);
  add(problems, fmt::format("a batch of {} needs {} of a GPU's memory", batch, to_text(needed)),
      fmt::format("'{}' has {}", gpu.name, to_text(gpu.memory)),
      most >= 1 ? fmt::format("At most {:.0f} samples fit.", most)
                : "The model itself does not fit.");
}

/// So many that nobody waits for them, and that an int could not count.
void check_steps(TrainingSetup const& setup, Problems& problems) {
  constexpr double most = 1e9;
  double const steps = setup.samples / setup.gpus / setup.profile.train.batch;
  if (setup.profile.train.steps > 0 || steps <= most) return;
  add(problems, fmt::format("{:.3g} steps an epoch", steps), "more than a billion", "");
}

void check_disk(TrainingSetup const& setup, Problems& problems) {
  scenario::StorageSpec const& disk = setup.storage;
  if (!disk.node_local || disk.capacity == Bytes(0)) return;
  Bytes const needed = node_holding(setup);
  if (needed <= disk.capacity) return;
  add(problems, fmt::format("{} of data do not fit on '{}'", to_text(needed), disk.name),
      fmt::format("a node has {} there", to_text(disk.capacity)),
      "Take another --storage, or read without copying first.");
}

/// The copies and the reads, with their stores.
void choose_stores(TrainingSetup& setup, scenario::Profile const& profile,
                   scenario::Hardware const& hardware, TrainingRequest const& request,
                   Problems& problems) {
  scenario::StorageSpec const source = look_up(problems, scenario::find_storage, hardware,
                                               first_of(request.storage, profile.storage));
  std::string const stage = first_of(request.stage, profile.stage);
  setup.storage = source;
  if (!stage.empty() && stage != "none") {
    setup.source = source;
    setup.storage = look_up(problems, scenario::find_storage, hardware, stage);
  }
  std::string const& saves = profile.checkpoint.destination;
  setup.save_to =
      saves.empty() ? source : look_up(problems, scenario::find_storage, hardware, saves);
}

/// A measurement with this workload comes before the yardstick.
void set_gpu_factor(TrainingSetup& setup, scenario::GpuModel const& own,
                    scenario::GpuModel const& gpu) {
  if (own.name == gpu.name) return;
  setup.gpu_factor = own.images_per_s / gpu.images_per_s;
  setup.gpu_variation = std::hypot(own.variation, gpu.variation);
  for (scenario::GpuFactor const& measured : setup.profile.gpu_factors) {
    if (measured.name != gpu.name) continue;
    setup.gpu_factor = measured.factor;
    setup.gpu_variation = measured.variation;
  }
}

}  // namespace

TrainingSetup training_setup(scenario::Profile const& profile, scenario::Hardware const& catalogue,
                             TrainingRequest const& request) {
  scenario::Hardware const hardware = scenario::merged(catalogue, profile.hardware);
  Problems problems;
  check_counts(request, problems);
  TrainingSetup setup;
  setup.profile = profile;
  setup.weak = request.weak;
  setup.measured_batch = profile.train.batch;
  setup.measured_epochs = profile.train.epochs;
  setup.profile.train.batch = request.batch.value_or(profile.train.batch);
  setup.profile.train.epochs = request.epochs.value_or(profile.train.epochs);
  setup.machine = look_up(problems, scenario::find_machine, hardware,
                          first_of(request.machine, profile.machine));
  choose_stores(setup, profile, hardware, request, problems);
  scenario::GpuModel const own =
      look_up(problems, scenario::find_gpu, hardware, profile.compute.gpu);
  setup.gpu = !request.gpu.empty()                                   ? request.gpu
              : setup.machine.gpu.empty() || request.machine.empty() ? profile.compute.gpu
                                                                     : setup.machine.gpu;
  scenario::GpuModel const gpu = look_up(problems, scenario::find_gpu, hardware, setup.gpu);
  raise(problems);

  set_gpu_factor(setup, own, gpu);
  place(setup, request, profile);
  setup.samples = profile.dataset.samples * (request.weak ? setup.gpus : 1);
  check_place(setup, hardware, problems);
  check_batch(setup, problems);
  check_steps(setup, problems);
  check_memory(setup, gpu, problems);
  check_disk(setup, problems);
  raise(problems);
  return setup;
}

TrainingSetup on_one_gpu(TrainingSetup setup) {
  if (setup.weak) setup.samples /= setup.gpus;
  setup.gpus = setup.nodes = 1;
  return setup;
}

EpochPlan epoch_plan(TrainingSetup const& setup) {
  scenario::TrainSpec const& train = setup.profile.train;
  if (train.steps > 0) return {train.steps, 0};
  double const batch = train.batch;
  double const share = train.drop_last ? std::floor(setup.samples / setup.gpus)
                                       : std::ceil(setup.samples / setup.gpus);
  double const full = std::floor(share / batch);
  return {static_cast<int>(full), train.drop_last ? 0 : share - full * batch};
}

Bytes node_share(TrainingSetup const& setup) {
  scenario::ReaderSpec const& reader = setup.profile.reader;
  Bytes const all = setup.profile.dataset.sample_size * setup.samples;
  if (reader.all_read_all) return all;
  return all / setup.nodes;
}

Bytes node_holding(TrainingSetup const& setup) {
  scenario::ReaderSpec const& reader = setup.profile.reader;
  Bytes const all = setup.profile.dataset.sample_size * setup.samples;
  return reader.shuffle == scenario::Shuffle::all ? all : node_share(setup);
}

}  // namespace gridcast::training
