#include "sim/training/batch_queue.hpp"

#include <algorithm>
#include <cmath>

#include "sim/training/checkpoint.hpp"

namespace gridcast::training {

BatchQueue::BatchQueue(int lanes, int depth, Seconds now)
    : lane_free_(static_cast<std::size_t>(std::max(1, lanes)), now),
      taken_(static_cast<std::size_t>(std::max(1, depth)), now),
      waits_for_training_(lanes == 0) {}

Seconds BatchQueue::ready(Seconds load, Seconds asked) {
  Seconds& lane = lane_free_[next_ % lane_free_.size()];
  Seconds begin = std::max(lane, taken_[next_ % taken_.size()]);
  if (waits_for_training_) begin = asked;
  lane = begin + load;
  return lane;
}

Seconds load_of_batch(Loader const& loader, EpochPlan const& plan, int batch) {
  int const lanes = std::max(1, loader.lanes);
  int const left = plan.steps() - batch / lanes * lanes;
  return loader.load_of(std::min(lanes, left));
}

Seconds lost_to_checkpoint(TrainingSetup const& setup, Loader const& loader) {
  scenario::StorageSpec const& store = setup.storage;
  double const wanted =
      std::min(1., loader.alone > Seconds() ? loader.lanes * (loader.shared / loader.alone) : 1.);
  if (setup.save_to.name != store.name || wanted <= 0) return Seconds();
  int const on_node = setup.gpus_per_node();
  int const on_store = store.node_local ? on_node : setup.gpus;
  bool const store_binds =
      store.bandwidth > BytesPerSecond() &&
      (store.node_bandwidth == BytesPerSecond() ||
       store.bandwidth.value() / on_store <= store.node_bandwidth.value() / on_node);
  BytesPerSecond const link = store_binds ? store.bandwidth : store.node_bandwidth;
  int const writing = std::min(writers(setup), store_binds ? on_store : on_node);
  Seconds const save = save_time(setup);
  double const taken = (setup.profile.checkpoint.size * writing) / link / save;
  return save * std::clamp((wanted + taken - 1) / wanted, 0., 1.);
}

StalledSteps stalled_steps(EpochPlan const& plan, Loader const& full, Loader const& last,
                           Seconds step, Seconds last_step, Stall const& stall) {
  BatchQueue queue(full.lanes, full.depth, Seconds());
  StalledSteps steps;
  Seconds now;                            // on the readers' clock
  Seconds last_stall = -1 * stall.since;  // so are these
  bool const by_time = stall.after > Seconds();
  double due = by_time ? 0 : stall.every - std::fmod(stall.before, stall.every);
  for (int i = 0; i < plan.steps(); ++i) {
    bool const whole = i < plan.full;
    Seconds const load = load_of_batch(whole ? full : last, plan, i);
    Seconds const taken = std::max(now, queue.ready(load, now));
    queue.take(taken);
    steps.waiting += taken - now;
    now = taken + (whole ? step : last_step);
    if (by_time ? now - last_stall < stall.after : i + 1 < due) continue;
    now += stall.time - stall.lost;
    last_stall = now;
    due += stall.every;
    ++steps.stalls;
    steps.last = i + 1;
  }
  steps.since = now - last_stall;
  return steps;
}

}  // namespace gridcast::training
