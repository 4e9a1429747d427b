#include "sim/training/read_cost.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gridcast::training {
namespace {

constexpr double no_limit = std::numeric_limits<double>::infinity();

double limit(BytesPerSecond bandwidth) {
  return bandwidth > BytesPerSecond(0) ? bandwidth.value() : no_limit;
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

}  // namespace gridcast::training
