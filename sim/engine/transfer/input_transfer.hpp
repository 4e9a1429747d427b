// One attempt to bring a job's input to its slot: what the starter and its transfer plugin do.
//
// OSDF: ask the director's caches in order, each once; an attempt stalls if its origin, cache or
// path is bad (BadPeriods), is noticed after the strategy's timeout, and then is given up or goes
// on with the next cache. HTTP: curl from the origin, aborted for "lack of progress" with the
// calibrated probability, at a uniform point of the transfer. HTCondor: through the access point,
// in one of its transfer slots. A stalled connection never comes back to life, and delivers no byte
// before it stalls (training that streams meets the same each time that it opens its data, once an
// epoch): the published campaign's stalls cost 3,600 s plus the check interval and next
// to nothing more (docs/model.md, "Stalls").
#pragma once

#include <deque>
#include <vector>

#include "sim/engine/network/network.hpp"
#include "sim/engine/process.hpp"
#include "sim/engine/recorder.hpp"
#include "sim/engine/replica.hpp"
#include "sim/engine/transfer/cache.hpp"
#include "sim/engine/transfer/outages.hpp"
#include "sim/history/job_history.hpp"

namespace gridcast::engine {

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

/// The access point's transfer slots (MAX_CONCURRENT_UPLOADS): so many sandboxes at a time, first
/// come, first served. Left out: its choice among users and the disk throttle.
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

enum class InputEnd { arrived, failed, interrupted };

struct InputResult {
  InputEnd end = InputEnd::arrived;
  history::Reason reason = history::Reason::none;  // of a failure
};

/// What a job wants: its whole input, or what its training needs next.
struct InputAsk {
  Bytes size;
  BytesPerSecond limit = {};  // no faster than this, though over several streams; 0: one stream
  bool opens = true;          // false: goes on with what was opened before
};

class InputTransfer {
 public:
  /// `size`: of all that a job wants.
  InputTransfer(Clock& clock, Network& network, Platform const& platform, ReplicaInput const& in,
                Bytes size, bool shocks);

  /// Attempt number `attempt` (from 0) of a job.
  Step<InputResult> fetch(Id<history::Job> job, std::uint32_t attempt, SlotRef const& slot,
                          Interrupt& interrupt);

  /// The same of a part of it, by a job that streams.
  Step<InputResult> fetch(Id<history::Job> job, std::uint32_t attempt, SlotRef const& slot,
                          InputAsk ask, Interrupt& interrupt);
  /// Keeps what caches and links did in `trace`, which must outlive it.
  void trace_to(ResourceTrace& trace);
  /// Adds what is only known at the end.
  void finish_trace() const;

  std::vector<OsdfCache> const& caches() const { return caches_; }
  /// From now on, each change of a cache's fill is added.
  void watch_caches(std::vector<history::CacheSample>& samples);
  Bytes delivered() const { return delivered_; }
  Bytes direct() const { return direct_; }

 private:
  /// A stalling attempt, which may be slow for a while before it stops.
  struct SlowTransfer {
    Seconds until_given_up;
    Bytes bytes;
  };

  Step<InputResult> fetch_osdf(Id<history::Job> job, std::uint32_t attempt, SlotRef const& slot,
                               InputAsk ask, Interrupt& interrupt);
  Step<InputResult> fetch_http(Id<history::Job> job, std::uint32_t attempt, SlotRef const& slot,
                               InputAsk ask, Interrupt& interrupt);
  Step<InputResult> fetch_htcondor(SlotRef const& slot, double noise, Interrupt& interrupt);
  Step<InputResult> download(Id<scenario::Cache> cache, InputAsk ask, SlotRef const& slot,
                             double noise, Interrupt& interrupt);
  bool goes_at_once(BytesPerSecond limit) const;
  Step<Bytes> send_in_pieces(Route route, Bytes work, BytesPerSecond limit, Interrupt& interrupt);
  void traced(std::string const& resource, SlotRef const& slot, Seconds start, Bytes bytes);
  std::string name_of_bad(std::uint32_t entity) const;
  bool missing(Id<history::Job> job, std::uint32_t attempt);
  bool stalls(Id<history::Job> job, std::uint32_t attempt, SlotRef const& slot,
              std::size_t try_number, Id<scenario::Cache> cache);
  SlowTransfer draw_slow_transfer(RandomStream& notice) const;
  struct Pause {
    double at = 0;  // share of the bytes before it
    Seconds time;   // zero: there is none
  };
  enum class AfterPause { goes_on, given_up, interrupted };
  Pause draw_pause(Id<history::Job> job, std::uint32_t draw) const;
  Step<AfterPause> pause(Pause const& pause, Bytes& left, SlotRef const& slot, double noise,
                         RandomStream& notice, Interrupt& interrupt);
  double noise(Id<history::Job> job, std::uint32_t attempt) const;

  Clock& clock_;
  Network& network_;
  Platform const& platform_;
  ReplicaInput in_;
  Bytes size_;
  bool shocks_;
  BadPeriods bad_periods_;
  Shock not_found_;
  TransferQueue transfer_slots_;
  std::vector<OsdfCache> caches_;
  Bytes delivered_, direct_;
  ResourceTrace* trace_ = nullptr;
};

}  // namespace gridcast::engine
