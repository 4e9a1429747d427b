#include "sim/training/checkpoint.hpp"

#include <algorithm>
#include <cmath>

namespace gridcast::training {
namespace {

Seconds cost_of(scenario::SaveMode mode, SavePlan const& plan, Seconds save) {
  if (plan.count == 0) return Seconds(0);
  if (mode == scenario::SaveMode::wait) return save * plan.count;
  Seconds const each = std::max(Seconds(0), save - plan.interval);
  return each * (plan.count - 1) + std::max(Seconds(0), save - plan.after_last);
}

/// Those at each `interval` of a training of `total`.
void at_intervals(SavePlan& plan, double interval, double total, Seconds unit) {
  plan.count = static_cast<int>(std::floor(total / interval + 1e-9));
  plan.steps = interval;
  plan.interval = unit * interval;
  plan.after_last = unit * (total - interval * plan.count);
}

void at_epochs(SavePlan& plan, scenario::CheckpointSpec const& checkpoint, int epochs,
               Seconds epoch) {
  int const first = checkpoint.first_epoch > 0 ? checkpoint.first_epoch : checkpoint.every_epochs;
  if (epochs >= first) plan.count = 1 + (epochs - first) / checkpoint.every_epochs;
  plan.interval = epoch * checkpoint.every_epochs;
  int const last = first + (plan.count - 1) * checkpoint.every_epochs;
  plan.after_last = epoch * (epochs - last);
}

}  // namespace

int writers(TrainingSetup const& setup) {
  return setup.profile.checkpoint.all_ranks ? setup.gpus : 1;
}

Seconds save_time(TrainingSetup const& setup) {
  scenario::CheckpointSpec const& checkpoint = setup.profile.checkpoint;
  scenario::StorageSpec const& to = setup.save_to;
  Seconds const alone = checkpoint.size / to.write_bandwidth;
  Seconds together;
  if (to.bandwidth > BytesPerSecond(0)) {
    int const sharing =
        to.node_local ? std::min(writers(setup), setup.gpus_per_node()) : writers(setup);
    together = (checkpoint.size * sharing) / to.bandwidth;
  }
  return to.open_latency * checkpoint.files + std::max(alone, together);
}

SavePlan save_plan(TrainingSetup const& setup, int steps_per_epoch, Seconds step, Seconds epoch,
                   double interval_steps) {
  scenario::CheckpointSpec const& checkpoint = setup.profile.checkpoint;
  int const epochs = setup.profile.train.epochs;
  double const steps = static_cast<double>(steps_per_epoch) * epochs;
  SavePlan plan;
  if (checkpoint.size == Bytes(0)) return plan;
  if (checkpoint.every_steps > 0) {
    at_intervals(plan, checkpoint.every_steps, steps, epoch / std::max(1, steps_per_epoch));
  } else if (checkpoint.every_epochs > 0) {
    at_epochs(plan, checkpoint, epochs, epoch);
  } else if (checkpoint.every > Seconds(0) && step > Seconds(0)) {
    Seconds const with_overhead = epoch / std::max(1, steps_per_epoch);
    double const by_mean = std::max(1., std::ceil(checkpoint.every / with_overhead - 1e-9));
    double const interval = interval_steps > 0 ? interval_steps : by_mean;
    at_intervals(plan, interval, steps, with_overhead);
  }
  Seconds const save = save_time(setup);
  plan.cost = cost_of(checkpoint.mode, plan, save);
  if (checkpoint.at_end && (plan.count == 0 || plan.after_last > Seconds(0))) {
    plan.cost += save;
    ++plan.count;
  }
  plan.written = checkpoint.size * (static_cast<double>(plan.count) * writers(setup));
  return plan;
}

}  // namespace gridcast::training
