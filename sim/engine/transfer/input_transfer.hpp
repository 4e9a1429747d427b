// One attempt to bring a job's input to its slot: the steps of the starter and its transfer plugin,
// URL after URL.
//
//   OSDF      tries the director's caches in order, each once. A try is hit by an outage if the
//             origin, cache, path, node or uplink is bad (BadPeriods): dead, it gets no byte; slow,
//             it gets them at a fraction of the rate for as long as the period lasts. The client
//             gives up stopped and slow transfers, for any cause, by its own rules
//             and tries the next cache, or waits for ever.
//   HTTP      curl from the origin, aborted for "lack of progress" with the calibrated probability,
//             at a uniform point of the transfer, or by an outage of the origin, path, node or
//             uplink.
//   HTCondor  through the access point, in one of its transfer slots; an outage of the path, node
//             or uplink stops it until the starter's timer acts.
//
// A URL alone takes exp(sigma z) (latency + bytes / stream limit); its bytes flow over the links
// that the slot shares (PoolNetwork). It fails with the site's probability after a share of its
// time, or hangs: no byte of it comes from any cache. Two deadlines hold for the whole of a
// plugin's run, healthy or not: the starter's stall timer if it counts the whole transfer, and the
// plugin's lifetime (MAX_FILE_TRANSFER_PLUGIN_LIFETIME). Laws and sources: docs/model.md,
// "Transfers".
#pragma once

#include <coroutine>
#include <deque>
#include <string>
#include <vector>

#include "sim/engine/claim.hpp"
#include "sim/engine/network/network.hpp"
#include "sim/engine/network/pool_network.hpp"
#include "sim/engine/process.hpp"
#include "sim/engine/recorded_events.hpp"
#include "sim/engine/replica.hpp"
#include "sim/engine/transfer/cache.hpp"
#include "sim/engine/transfer/outages.hpp"
#include "sim/history/job_history.hpp"
#include "sim/strategy/decisions.hpp"

namespace gridcast::engine {

// So many transfers at a time, first come, first served: the access point's transfer slots
// (MAX_CONCURRENT_UPLOADS), or a limit that a strategy sets at a site. Left out: the access point's
// choice among users and its disk throttle.

class TransferQueue;

/// `co_await queue.enter(...)`: done when it is this one's turn.
class [[nodiscard]] TransferTurn final : public Waiting {
 public:
  TransferTurn(TransferQueue& queue, Interrupt& interrupt) : queue_(queue), interrupt_(interrupt) {}

  bool await_ready();
  void await_suspend(std::coroutine_handle<> waiter);
  Waited await_resume() const { return ended(); }
  void cancel() override;

 private:
  friend class TransferQueue;
  TransferQueue& queue_;
  Interrupt& interrupt_;
};

class TransferQueue {
 public:
  explicit TransferQueue(int slots) : free_(slots) {}

  TransferTurn enter(Interrupt& interrupt) { return {*this, interrupt}; }
  void leave();

 private:
  friend class TransferTurn;
  int free_;
  std::deque<TransferTurn*> waiting_;
};

inline bool TransferTurn::await_ready() {
  interrupted_ = interrupt_.raised();
  if (interrupted_) return true;
  if (queue_.free_ == 0) return false;
  --queue_.free_;
  return true;
}

inline void TransferTurn::await_suspend(std::coroutine_handle<> waiter) {
  waiter_ = waiter;
  interrupt_.begin(*this);
  queue_.waiting_.push_back(this);
}

inline void TransferTurn::cancel() { std::erase(queue_.waiting_, this); }

inline void TransferQueue::leave() {
  if (waiting_.empty()) {
    ++free_;
    return;
  }
  TransferTurn* const next = waiting_.front();
  waiting_.pop_front();
  next->interrupt_.end();
  next->waiter_.resume();
}

enum class InputEnd { arrived, failed, interrupted };

struct InputResult {
  InputEnd end = InputEnd::arrived;
  history::Reason reason = history::Reason::none;  // of a failure
  bool gave_up = false;                            // the client, on the last of its caches

  /// A stall is ended by who waits for bytes: the starter's timer, the client, or curl.
  strategy::InputFailure failure() const {
    bool const stalled = gave_up || history::is_one_of(reason, {history::Reason::transfer_stalled,
                                                                history::Reason::no_progress});
    return stalled ? strategy::InputFailure::stalled : strategy::InputFailure::other;
  }
};

/// The next request of a job that streams.
struct InputAsk {
  Bytes size;
  BytesPerSecond limit = {};  // no faster than this, though over several streams
  bool opens = true;          // false: goes on with the data that were opened before
};

/// The cache of a try: one of the pool, or the unnamed one that the site asks at this place.
struct AskedCache {
  Id<scenario::Cache> cache;  // invalid: unnamed
  std::uint32_t number = 0;   // caches that were asked before
};

/// The entity on which a slot's try at a cache depends. A site without named caches has unnamed
/// ones of its own, after those of the pool.
OutageEntity outage_entity(scenario::OutageScope scope, PoolNetwork const& pool_network,
                           std::size_t caches, SlotRef const& slot, AskedCache const& asked);

class InputTransfer {
 public:
  /// `dataset`: the data that streaming jobs read.
  InputTransfer(Clock& clock, Recorder& recorder, Network& network, PoolNetwork const& pool_network,
                ReplicaInput const& in, Bytes dataset, bool shocks);

  /// All of a job's input; `number` of the job's attempts at it, from 0. A plugin requests its
  /// first URL after `plugin_start`.
  Step<InputResult> fetch(Attempt const& attempt, std::uint32_t number, Claim& claim,
                          Seconds plugin_start);
  /// A part of the dataset.
  Step<InputResult> read(Attempt const& attempt, std::uint32_t number, InputAsk ask, Claim& claim);

  /// A job without input meets neither a 404 nor a damaged archive.
  bool has_input(Id<history::Job> job) const { return !inputs_.of(job.index()).empty(); }
  Bytes size_of(Id<history::Job> job) const { return inputs_.size_of(job.index()); }

  std::vector<OsdfCache> const& caches() const { return caches_; }
  /// From now on, each change of a cache's fill is added.
  void watch_caches(std::vector<history::CacheSample>& samples);
  Bytes delivered() const { return delivered_; }
  Bytes direct() const { return direct_; }

 private:
  /// A plugin's run for one attempt.
  struct Run {
    Run(Clock& clock, Attempt const& of, std::uint32_t which, Claim& of_claim)
        : attempt(of),
          number(which),
          claim(of_claim),
          start(clock.now()),
          last_sign(start),
          deadline(clock) {}

    Attempt attempt;
    std::uint32_t number;
    Claim& claim;
    Seconds start;
    Seconds last_sign;  // of life: this URL's start, or its last byte
    InputAsk ask;       // of a job that streams
    Seconds plugin_start;
    Alarm deadline;  // sets `expired`
    history::Reason expired = history::Reason::none;
    bool last_try_hit = false;
    std::uint32_t cache_try = 0;  // caches that were asked for this URL before

    bool over() const { return claim.ended() || expired != history::Reason::none; }
    InputResult end() const {
      if (claim.ended()) return {InputEnd::interrupted};
      return {InputEnd::failed, expired};
    }
  };
  /// A URL of a job.
  struct Wanted {
    std::uint32_t place = 0;  // among the job's
    FileId id = 0;
    Bytes size;
    double share = 1;  // of the whole file
  };
  /// ... and its random numbers.
  struct File {
    Wanted wanted;
    Bytes size;  // that is still to come
    RandomStream random;
    bool fails = false, hangs = false;
    BytesPerSecond cold = {};  // rate of a cache that lacks it, at most; zero: it is there
    double sigma = 0;          // of ln(time)
  };
  struct TryDraws;
  static TryDraws try_draws(File const& file, std::uint32_t number);
  /// The effect of an outage on a try.
  struct Hit {
    bool hit = false;
    bool slow = false;  // bytes come, at slow_fraction of the rate
    Seconds until;      // kind slow

    bool dead() const { return hit && !slow; }
  };
  /// Bytes after a latency. `share`: the part of that time that passes.
  struct Part {
    File& file;
    Bytes bytes;
    double share = 1;
    bool fills = false;  // the cache brings the file from the origin if it lacks it
  };
  enum class TryEnd { arrived, next_cache, over };

  Step<InputResult> fetch_as_recorded(Run& run, history::RecordedAttempt const& recorded);
  Step<Waited> pass(Run& run, history::RecordedAttempt const& recorded);
  static InputResult end_as_recorded(Run& run, history::RecordedAttempt const& recorded);
  void set_deadline(Run& run);
  File file(Run const& run, Wanted const& wanted) const;
  // Every byte of a campaign passes through a few coroutines, with plain functions between them
  // that choose one: a coroutine that waits is a frame somewhere in memory, cold when resumed.
  Step<InputResult> fetch_url(Run& run, File& file);
  Step<InputResult> fetch_osdf(Run& run, File& file);
  Step<InputResult> fetch_http(Run& run, File& file);
  Step<InputResult> fetch_htcondor(Run& run);
  Step<TryEnd> try_cache(Run& run, File& file, Id<scenario::Cache> cache, std::uint32_t number);
  Step<TryEnd> dead_try(Run& run, File& file, TryDraws draws);
  Step<void> stand_still(Run& run, File& file, TryDraws const& draws);
  Step<void> wait_in_silence(Run& run, Seconds before, Seconds time);
  Step<TryEnd> pause(Run& run, File& file, Id<scenario::Cache> cache, TryDraws draws);
  Step<TryEnd> download(Run& run, File& file, Id<scenario::Cache> cache, double work_a_byte,
                        Hit const& slow);
  Step<TryEnd> bring(Run& run, Part part, double work_a_byte, Hit slow, Id<scenario::Cache> cache);
  OsdfCache* ask(Part const& part, Id<scenario::Cache> cache);
  Seconds latency_of(Run const& run, Part const& part, double work_a_byte) const;
  std::optional<strategy::RateWatch> watch_of(Run const& run, Route const& route,
                                              BytesPerSecond limit, double work_a_byte,
                                              Hit const& slow) const;
  /// Over a route on which nothing is shared.
  Step<Bytes> carry_freely(Run& run, Bytes work, BytesPerSecond limit);
  Step<InputResult> whole_input(Run& run);
  Step<InputResult> all_files(Run& run);
  Hit hit(Run& run, Id<scenario::Cache> cache, TryDraws const& draws);
  Hit outage(Run& run, Id<scenario::Cache> cache, TryDraws const& draws);
  Hit recorded_hit(Run& run, TryDraws const& draws);
  double noise(Run const& run, File const& file, double u) const;
  void meet_cache(Run const& run, File& file, std::uint32_t number) const;
  bool missing(Run const& run);
  void record(Run const& run, File const& file, Seconds start, InputEnd end);
  void deliver(Bytes bytes);
  scenario::SiteParameters const& site(Run const& run) const {
    return *sites_[run.attempt.slot.site.index()];
  }

  Clock& clock_;
  Recorder& recorder_;
  Network& network_;
  PoolNetwork const& pool_network_;
  ReplicaInput in_;
  Bytes dataset_;
  bool shocks_;
  Seconds by_timer_, lifetime_;  // how long a plugin runs at most
  scenario::JobInputs inputs_;
  std::vector<scenario::SiteParameters const*> sites_;  // by site
  BadPeriods bad_periods_;
  Shock not_found_;
  TransferQueue transfer_slots_;
  std::deque<TransferQueue> turns_;  // by site, where the strategy limits them
  std::vector<OsdfCache> caches_;
  Bytes delivered_, direct_;
};

}  // namespace gridcast::engine
