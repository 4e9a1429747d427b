#include "sim/training/input_pipeline.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/training/step_time.hpp"

namespace gridcast::training {
namespace {

constexpr double no_limit = std::numeric_limits<double>::infinity();

double limit(BytesPerSecond bandwidth) {
  return bandwidth > BytesPerSecond(0) ? bandwidth.value() : no_limit;
}

/// Bytes of a sample that the store has to deliver.
Bytes from_store(ReadCost const& cost, double cached) { return cost.bytes * (1 - cached); }

/// Steps of whole batches, with lanes that read ahead.
Seconds full_steps_time(int steps, Loader const& loader, Seconds step) {
  if (steps == 0) return Seconds(0);
  int const rounds = (steps - 1) / loader.lanes;  // that come before the last one
  int const rest = steps - rounds * loader.lanes;
  Seconds const compute_bound = loader.load_of(std::min(steps, loader.lanes)) + step * steps;
  Seconds const before_last = loader.load * rounds;
  Seconds const reader_bound = before_last + loader.load_of(rest) + step * rest;
  Seconds const behind =
      rounds > 0 ? before_last + step * (rest + loader.lanes) : Seconds(0);  // of the round before
  return std::max({compute_bound, reader_bound, behind});
}

/// Slowdown of ranks that start each step together against each alone, if samples differ in size:
/// the slowest has had the largest samples. A rank may be ahead by `depth` batches: only
/// differences that do not average out over so many make the others wait.
double slowest_share(TrainingSetup const& setup, Loader const& loader, double samples) {
  scenario::DatasetSpec const& dataset = setup.profile.dataset;
  if (dataset.sample_spread <= Bytes(0) || dataset.sample_size <= Bytes(0)) return 1;
  double const relative = dataset.sample_spread / dataset.sample_size;
  double const averaged = std::max(1., samples * std::max(1, loader.depth));
  return 1 + relative / std::sqrt(averaged) * expected_max_normal(setup.gpus);
}

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

Seconds read_time(scenario::StorageSpec const& storage, scenario::ReaderSpec const& reader,
                  Bytes size) {
  double lanes = 1;
  if (storage.stripe_size > Bytes(0)) {
    lanes = std::clamp(size / storage.stripe_size, 1., static_cast<double>(storage.stripes));
  }
  Seconds const device =
      storage.read_latency + size / BytesPerSecond(storage.stream_bandwidth.value() * lanes);
  double const ahead = reader.sequential ? reader.read_ahead : 0;
  return reader.read_overhead + device / (1 + ahead);
}

ReadCost sample_cost(TrainingSetup const& setup, scenario::StorageSpec const& storage,
                     double cached) {
  scenario::ReaderSpec const& reader = setup.profile.reader;
  scenario::DatasetSpec const& dataset = setup.profile.dataset;
  Bytes const mean_size =
      reader.transfer_size * (1 - reader.other_share) + reader.other_size * reader.other_share;
  ReadCost cost;
  cost.reads = dataset.sample_size / mean_size;
  if (!reader.sequential) cost.reads = std::ceil(cost.reads);
  if (cost.reads > 0) {
    cost.size = dataset.sample_size / cost.reads;
    cost.reads *= 1 + reader.read_twice;
    cost.bytes = cost.size * cost.reads;
  }
  if (!reader.shared_file) cost.opens = dataset.files / dataset.samples;
  Seconds const from_store = cost.reads * read_time(storage, reader, cost.size) +
                             cost.opens * (storage.open_latency + reader.open_overhead);
  Seconds const from_cache = cost.reads * reader.read_overhead + cost.bytes / memory_copy;
  cost.io = (1 - cached) * from_store + cached * from_cache;
  cost.decode = reader.decode;
  return cost;
}

Seconds unhidden(TrainingSetup const& setup) {
  scenario::ReaderSpec const& reader = setup.profile.reader;
  if (reader.when != scenario::ReadWhen::each_step) return Seconds(0);
  return reader.unhidden +
         reader.unhidden_shared * (std::pow(setup.gpus_per_node(), reader.unhidden_ranks) *
                                   std::pow(setup.nodes, reader.unhidden_hosts));
}

BytesPerSecond rank_share(TrainingSetup const& setup, scenario::StorageSpec const& storage) {
  double const on_node = setup.gpus_per_node();
  double const sharing = storage.node_local ? on_node : setup.gpus;
  return BytesPerSecond(
      std::min(limit(storage.bandwidth) / sharing, limit(storage.node_bandwidth) / on_node));
}

double cached_share(TrainingSetup const& setup, int epoch) {
  scenario::ReaderSpec const& reader = setup.profile.reader;
  if (!reader.page_cache || epoch <= 1) return 0;
  Bytes const cache = setup.machine.memory * setup.machine.cache_share;
  Bytes const all = setup.profile.dataset.sample_size * setup.samples;
  Bytes const share = node_share(setup);
  if (share == Bytes(0)) return 0;
  switch (reader.shuffle) {
    case scenario::Shuffle::off:
      return share <= cache ? 1 : 0;
    case scenario::Shuffle::shard:
      return std::min(1., cache / share);
    case scenario::Shuffle::all: {
      double const read_so_far = 1 - std::pow(1 - share / all, epoch - 1);
      return std::min(cache / all, read_so_far);
    }
  }
  return 0;
}

Seconds Loader::load_of(int batches) const { return std::max(alone, shared * batches); }

Loader make_loader(TrainingSetup const& setup, double samples, double cached) {
  scenario::ReaderSpec const& reader = setup.profile.reader;
  Loader loader;
  loader.sample = sample_cost(setup, setup.storage, cached);
  bool const by_batch = reader.by == scenario::ReadBy::batch;
  // Without prefetching PyTorch has no workers: the training process reads by itself.
  int const sharing = by_batch ? 1 : reader.threads;
  loader.alone = loader.sample.total() * (samples / sharing);
  loader.depth = by_batch ? reader.prefetch * reader.threads : reader.prefetch;
  loader.lanes = by_batch ? std::min(reader.threads, loader.depth) : std::min(1, loader.depth);
  loader.shared = (from_store(loader.sample, cached) * samples) / rank_share(setup, setup.storage);
  loader.alone = loader.alone * slowest_share(setup, loader, samples);
  // The cores of a node decode for all its ranks.
  if (setup.machine.cores > 0) {
    Seconds const of_cores =
        reader.decode * (samples * setup.gpus_per_node() / setup.machine.cores);
    loader.shared = std::max(loader.shared, of_cores);
  }
  loader.load = loader.load_of(std::max(1, loader.lanes));
  return loader;
}

StepsTime steps_time(EpochPlan const& plan, Loader const& full, Loader const& last, Seconds step,
                     Seconds last_step) {
  StepsTime time;
  if (plan.steps() == 0) return time;
  bool const has_rest = plan.rest > 0;
  time.computing = step * plan.full + (has_rest ? last_step : Seconds(0));
  int const at_first = std::clamp(plan.steps(), 1, std::max(1, full.lanes));
  time.first_step = plan.full > 0 ? full.load_of(at_first) + step : last.load_of(1) + last_step;
  if (full.lanes == 0) {
    time.total = time.computing + full.load * plan.full + (has_rest ? last.load : Seconds(0));
    return time;
  }
  time.total = full_steps_time(plan.full, full, step);
  if (!has_rest) return time;
  // It begins a block of its own, or is ready with the others of the block that it ends.
  int const blocks = plan.full / full.lanes;
  Seconds const ready =
      plan.full % full.lanes == 0 ? full.load * blocks + last.load_of(1) : Seconds(0);
  time.total = std::max(time.total, ready) + last_step;
  return time;
}

Seconds bulk_read_time(TrainingSetup const& setup, scenario::StorageSpec const& storage,
                       double samples, double cached) {
  ReadCost const cost = sample_cost(setup, storage, cached);
  Seconds const by_threads = cost.total() * (samples / setup.profile.reader.threads);
  Seconds const by_bandwidth = (from_store(cost, cached) * samples) / rank_share(setup, storage);
  return std::max(by_threads, by_bandwidth);
}

Seconds staging_time(TrainingSetup const& setup) {
  if (!setup.source) return Seconds(0);
  auto const& source = *setup.source;
  double const rate = std::min(
      {source.stream_bandwidth.value() * setup.profile.reader.threads * setup.gpus_per_node(),
       limit(source.bandwidth) / (source.node_local ? 1 : setup.nodes),
       limit(source.node_bandwidth), limit(setup.storage.write_bandwidth)});
  return node_holding(setup) / BytesPerSecond(rate);
}

BatchQueue::BatchQueue(int lanes, int depth, Seconds now)
    : lane_free_(static_cast<std::size_t>(std::max(1, lanes)), now),
      taken_(static_cast<std::size_t>(std::max(1, depth)), now),
      waits_for_training_(lanes == 0) {}

Seconds BatchQueue::ready(Seconds load, Seconds request) {
  Seconds& lane = lane_free_[next_ % lane_free_.size()];
  Seconds begin = std::max(lane, taken_[next_ % taken_.size()]);
  if (waits_for_training_) begin = request;
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
