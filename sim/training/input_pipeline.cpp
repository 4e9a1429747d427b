#include "sim/training/input_pipeline.hpp"

#include <algorithm>
#include <cmath>

namespace gridcast::training {
namespace {

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

}  // namespace

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
  Seconds const ready = plan.full % full.lanes == 0
                            ? full.load * (plan.full / full.lanes) + last.load_of(1)
                            : Seconds(0);
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
  Bytes const size = node_holding(setup);
  double rate =
      setup.source->stream_bandwidth.value() * setup.profile.reader.threads * setup.gpus_per_node();
  auto const cap = [&rate](BytesPerSecond limit, double sharing) {
    if (limit > BytesPerSecond(0)) rate = std::min(rate, limit.value() / sharing);
  };
  cap(setup.source->bandwidth, setup.source->node_local ? 1 : setup.nodes);
  cap(setup.source->node_bandwidth, 1);
  cap(setup.storage.write_bandwidth, 1);
  return size / BytesPerSecond(rate);
}

}  // namespace gridcast::training
