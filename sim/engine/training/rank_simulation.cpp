#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/engine/network/network.hpp"
#include "sim/engine/process.hpp"
#include "sim/engine/replica.hpp"
#include "sim/training/checkpoint.hpp"
#include "sim/training/step_simulation.hpp"
#include "sim/training/step_time.hpp"

namespace gridcast::engine {

namespace {

/// The tighter of two limits; zero means none.
BytesPerSecond tighter(BytesPerSecond a, BytesPerSecond b) {
  if (a == BytesPerSecond() || b == BytesPerSecond()) return std::max(a, b);
  return std::min(a, b);
}

bool can_fill(BytesPerSecond link, BytesPerSecond wanted) {
  return link > BytesPerSecond() && wanted > link;
}

/// The store that the ranks of a training job read from and save to, as links that they share: one
/// of the store (a parallel file system, a cache, a WAN), one of each node, or each node's own
/// disk. The limit of a single reader (latency, stripes, decoding; sim/training/input_pipeline)
/// limits its flow; the links limit all readers together. A link that all readers together cannot
/// fill is left out. If two are left on a reader's way, SimGrid's max-min flows share them, else
/// virtual clocks.
class RankStore {
 public:
  /// `reader`: the fastest that one reader is, of so many on a rank.
  RankStore(Clock& clock, training::TrainingSetup const& setup, BytesPerSecond reader, int readers);

  /// A rank of the node moves so many bytes, which take `alone` if nobody else is there.
  Step<void> move(int node, Bytes bytes, Seconds alone);

  bool shared() const { return network_ != nullptr; }

 private:
  Route route(int node) const;

  Clock& clock_;
  bool of_store_ = false, of_nodes_ = false;
  std::unique_ptr<Network> network_;  // null: nothing is shared
};

RankStore::RankStore(Clock& clock, training::TrainingSetup const& setup, BytesPerSecond reader,
                     int readers)
    : clock_(clock) {
  scenario::StorageSpec const& store = setup.storage;
  bool const local = store.node_local;
  BytesPerSecond const node =
      local ? tighter(store.bandwidth, store.node_bandwidth) : store.node_bandwidth;
  of_nodes_ = can_fill(node, reader * (readers * setup.gpus_per_node()));
  of_store_ = !local && can_fill(store.bandwidth, reader * (readers * setup.gpus));
  if (!of_nodes_ && !of_store_) return;

  NetworkPlan plan{.platform = {{.name = "store-zone", .names = {"store"}}}};
  if (of_store_) {
    plan.links.push_back({store.bandwidth, store.bandwidth, {0, PlatformPlace::uplink}});
  }
  for (int i = 0; i < setup.nodes; ++i) {
    plan.platform.push_back({.name = "node-" + std::to_string(i)});
    auto const zone = static_cast<std::uint32_t>(i + 1);
    if (of_nodes_) plan.links.push_back({node, node, {zone, PlatformPlace::uplink}});
  }
  plan.maxmin = of_nodes_ && of_store_;
  network_ = std::make_unique<Network>(clock, plan);
}

Route RankStore::route(int node) const {
  Route route{.from = {0, 0}, .to = {static_cast<std::uint32_t>(node + 1), 0}};
  if (of_store_) route.add(Id<Link>(0));
  if (of_nodes_) route.add(Id<Link>(static_cast<std::size_t>(node) + (of_store_ ? 1 : 0)));
  return route;
}

Step<void> RankStore::move(int node, Bytes bytes, Seconds alone) {
  Seconds const least = clock_.now() + alone;
  bool const flows = network_ && bytes > Bytes() && alone > Seconds();
  if (flows && network_->limits_flows()) {
    co_await network_->transfer(route(node), bytes, nullptr, bytes / alone);
  } else if (flows) {
    co_await network_->transfer(route(node), bytes);
  }
  // Alone, it takes the given time.
  if (clock_.now() < least) co_await clock_.sleep_until(least);
}

/// When batches may be begun, and when all ranks have them: batch i is open once training has taken
/// batch i - depth, or without prefetching once training requests it.
class BatchGates {
 public:
  BatchGates(int ranks, int steps, int depth)
      : ranks_(ranks), opened_(depth), waiting_(static_cast<std::size_t>(depth) + 1) {
    ready_.assign(static_cast<std::size_t>(steps), 0);
  }

  struct [[nodiscard]] Open {
    BatchGates& gates;
    int batch;
    bool await_ready() const { return batch < gates.opened_; }
    void await_suspend(std::coroutine_handle<> waiter) { gates.list(batch).push_back(waiter); }
    void await_resume() const {}
  };
  Open open(int batch) { return {*this, batch}; }

  struct [[nodiscard]] Ready {
    BatchGates& gates;
    int batch;
    bool await_ready() const { return gates.count(batch) == gates.ranks_; }
    void await_suspend(std::coroutine_handle<> waiter) { gates.trainer_ = waiter; }
    void await_resume() const {}
  };
  /// All ranks have the batch. Training waits for one at a time, in order.
  Ready ready(int batch) { return {*this, batch}; }

  void loaded(int batch) {
    ++count(batch);
    if (count(batch) == ranks_ && batch == asked_ && trainer_) {
      std::exchange(trainer_, nullptr).resume();
    }
  }
  void ask(int batch) { asked_ = batch; }
  void open_next() {
    auto const ready_to_go = std::exchange(list(opened_), {});
    ++opened_;
    for (auto const waiter : ready_to_go) waiter.resume();
  }

 private:
  std::vector<std::coroutine_handle<>>& list(int batch) {
    return waiting_[static_cast<std::size_t>(batch) % waiting_.size()];
  }
  int& count(int batch) { return ready_[static_cast<std::size_t>(batch)]; }

  int ranks_;
  int opened_;
  int asked_ = -1;
  std::vector<int> ready_;
  std::vector<std::vector<std::coroutine_handle<>>> waiting_;
  std::coroutine_handle<> trainer_;
};

class RankSimulation {
 public:
  RankSimulation(training::TrainingSetup const& setup, RandomStream stream)
      : setup_(setup),
        profile_(setup.profile),
        costs_(setup, stream),
        plan_(training::epoch_plan(setup)),
        fresh_(training::make_loader(setup, profile_.train.batch, 0)),
        store_(clock_, setup, fastest_reader(), std::max(1, readers())) {}

  training::SimulatedTraining run() {
    train();
    clock_.run();
    return std::move(result_);
  }

 private:
  int readers() const {
    bool const steps = profile_.reader.when == scenario::ReadWhen::each_step;
    return steps ? fresh_.lanes : 1;
  }
  Bytes of_batch(training::Loader const& loader, double samples, double cached) const {
    return loader.sample.bytes * (samples * (1 - cached));
  }
  BytesPerSecond fastest_reader() const {
    double const batch = profile_.train.batch;
    Seconds const alone = profile_.reader.when == scenario::ReadWhen::each_step
                              ? fresh_.alone
                              : fresh_.sample.total() * (batch / profile_.reader.threads);
    return alone > Seconds() ? of_batch(fresh_, batch, 0) / alone : BytesPerSecond();
  }
  bool reads(scenario::ReadWhen when) const { return profile_.reader.when == when; }

  Process train() {
    scenario::ReaderSpec const& reader = profile_.reader;
    scenario::TrainSpec const& spec = profile_.train;
    Seconds before = profile_.compute.start + training::staging_time(setup_);
    for (int i = 0; i < spec.warm_up_steps; ++i) {
      before += costs_.step(spec.batch) * spec.warm_up_slowdown;
    }
    before +=
        training::read_time(setup_.storage, reader, reader.start_read_size) * reader.start_reads;
    co_await clock_.sleep(before);
    if (reads(scenario::ReadWhen::job_start)) co_await read_in_bulk(0);
    last_save_ = clock_.now();
    for (int epoch = 1; epoch <= spec.epochs; ++epoch) {
      double const cached = training::cached_share(setup_, epoch);
      if (reads(scenario::ReadWhen::epoch_start)) co_await read_in_bulk(cached);
      co_await run_steps(cached);
      co_await clock_.sleep(profile_.compute.epoch_overhead + training::validation_time(setup_) +
                            (setup_.gpus > 1 ? profile_.compute.group_overhead : Seconds()));
      if (due_by_epoch(epoch)) co_await save();
    }
    co_await finish();
    result_.total = clock_.now();
  }

  /// All ranks read their samples before any goes on.
  Step<void> read_in_bulk(double cached) {
    Countdown all(setup_.gpus);
    training::ReadCost const cost = training::sample_cost(setup_, setup_.storage, cached);
    double const samples = setup_.bulk_samples();
    Seconds const alone = cost.total() * (samples / profile_.reader.threads);
    for (int rank = 0; rank < setup_.gpus; ++rank) {
      move(rank, cost.bytes * (samples * (1 - cached)), alone, all);
    }
    co_await all.zero();
  }

  Process move(int rank, Bytes bytes, Seconds alone, Countdown& all) {
    co_await store_.move(rank / setup_.gpus_per_node(), bytes, alone);
    all.done();
  }

  /// One reader of a rank: every so many-th batch.
  Process read(int rank, int first, double cached, BatchGates& gates) {
    training::Loader const full = training::make_loader(setup_, profile_.train.batch, cached);
    training::Loader const last = training::make_loader(setup_, plan_.rest, cached);
    for (int batch = first; batch < plan_.steps(); batch += std::max(1, full.lanes)) {
      co_await gates.open(batch);
      bool const whole = batch < plan_.full;
      training::Loader const& loader = whole ? full : last;
      double const samples = whole ? profile_.train.batch : plan_.rest;
      double const before = epoch_samples_ + static_cast<double>(batch) * profile_.train.batch;
      Seconds const alone = loader.alone + costs_.opening(loader, before, samples, cached);
      co_await store_.move(rank / setup_.gpus_per_node(), of_batch(loader, samples, cached), alone);
      gates.loaded(batch);
    }
  }

  void start_readers(double cached, BatchGates& gates) {
    int const lanes =
        std::max(1, training::make_loader(setup_, profile_.train.batch, cached).lanes);
    for (int lane = 0; lane < lanes; ++lane) {
      for (int rank = 0; rank < setup_.gpus; ++rank) read(rank, lane, cached, gates);
    }
  }

  Step<void> run_steps(double cached) {
    training::Loader const loader = training::make_loader(setup_, profile_.train.batch, cached);
    bool const loads = reads(scenario::ReadWhen::each_step);
    bool const prefetches = loader.lanes > 0;
    BatchGates gates(setup_.gpus, plan_.steps(), prefetches ? loader.depth : 0);
    Seconds const begin = clock_.now();
    if (loads) start_readers(cached, gates);
    Seconds computing, first, first_compute, saving;
    for (int i = 0; i < plan_.steps(); ++i) {
      gates.ask(i);
      if (loads && !prefetches) gates.open_next();
      if (loads) co_await gates.ready(i);
      if (loads && prefetches) gates.open_next();
      if (loads) co_await clock_.sleep(training::unhidden(setup_));
      Seconds const computed = costs_.step(i < plan_.full ? profile_.train.batch : plan_.rest);
      co_await clock_.sleep(computed);
      computing += computed;
      if (i == 0) first = clock_.now() - begin;
      if (i == 0) first_compute = computed;
      ++result_.steps;
      Seconds const before = clock_.now();
      if (due_by_step()) co_await save();
      saving += clock_.now() - before;
    }
    epoch_samples_ += plan_.samples(profile_.train.batch);
    Seconds const total = clock_.now() - begin - saving;
    result_.add_epoch(
        {total, total - computing,
         training::utilisation(total, computing, first, first_compute, plan_.steps())},
        profile_.train.epochs);
  }

  bool due_by_step() const {
    scenario::CheckpointSpec const& checkpoint = profile_.checkpoint;
    if (checkpoint.size == Bytes()) return false;
    bool const by_count =
        checkpoint.every_steps > 0 && std::fmod(result_.steps, checkpoint.every_steps) == 0;
    bool const by_time =
        checkpoint.every > Seconds() && clock_.now() - last_save_ >= checkpoint.every;
    return by_count || by_time;
  }

  bool due_by_epoch(int epoch) const {
    scenario::CheckpointSpec const& checkpoint = profile_.checkpoint;
    if (checkpoint.size == Bytes() || checkpoint.every_epochs == 0) return false;
    int const first = checkpoint.first_epoch > 0 ? checkpoint.first_epoch : checkpoint.every_epochs;
    return epoch >= first && (epoch - first) % checkpoint.every_epochs == 0;
  }

  /// Waits for the one before; and for this one, if training does.
  Step<void> save() {
    co_await written_->zero();
    written_.emplace(1);
    write();
    if (profile_.checkpoint.mode == scenario::SaveMode::wait) co_await written_->zero();
    last_save_ = clock_.now();
    ++result_.saves;
  }

  /// To the store that is read, it shares the way with the readers.
  Process write() {
    scenario::CheckpointSpec const& checkpoint = profile_.checkpoint;
    bool const same_store = setup_.save_to.name == setup_.storage.name && store_.shared();
    if (!same_store) {
      co_await clock_.sleep(training::save_time(setup_));
    } else {
      co_await clock_.sleep(setup_.save_to.open_latency * checkpoint.files);
      Countdown all(training::writers(setup_));
      Seconds const alone = checkpoint.size / setup_.save_to.write_bandwidth;
      for (int rank = 0; rank < training::writers(setup_); ++rank)
        move(rank, checkpoint.size, alone, all);
      co_await all.zero();
    }
    written_->done();
  }

  /// A job is not over before its last checkpoint is written.
  Step<void> finish() {
    scenario::CheckpointSpec const& checkpoint = profile_.checkpoint;
    bool const saved_at_end = result_.saves > 0 && last_save_ == clock_.now();
    if (checkpoint.size > Bytes() && checkpoint.at_end && !saved_at_end) co_await save();
    co_await written_->zero();
  }

  training::TrainingSetup const& setup_;
  scenario::Profile const& profile_;
  training::StepCosts costs_;
  training::EpochPlan plan_;
  Clock clock_;
  training::Loader fresh_;
  RankStore store_;
  Seconds last_save_;
  double epoch_samples_ = 0;  // of a rank, in the epochs before
  std::optional<Countdown> written_{std::in_place, 0};
  training::SimulatedTraining result_;
};

}  // namespace

training::SimulatedTraining simulate_ranks(training::TrainingSetup const& setup,
                                           RandomStream stream) {
  return RankSimulation(setup, stream).run();
}

}  // namespace gridcast::engine
