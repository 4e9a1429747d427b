// One slot that is advertised, matched or claimed, and all that can end that from outside: the
// death of its pilot, the access point, which wants its job back, a limit of the execution's
// time, and events of the site. The process that serves the slot waits with the claim's
// interrupt and reads the reason when a wait was cut short. The recorder receives the job's
// events, the only way out of the engine: the job events of the replica, in the order of
// simulated time.
#pragma once

#include <utility>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/engine/clock.hpp"
#include "sim/engine/process.hpp"
#include "sim/history/job_history.hpp"
#include "sim/scenario/parameter_draw.hpp"

namespace gridcast::engine {

/// A GPU slot that a pilot advertises.
struct SlotRef {
  Id<history::Site> site;    // in the history's (and the pool's) order
  std::uint32_t number = 0;  // GPU at the site
  std::uint32_t pilot = 0;   // how many pilots have held that GPU before
};

class Recorder {
 public:
  Recorder(Clock const& clock, history::HistorySink& sink) : clock_(clock), sink_(sink) {}

  void record(Id<history::Job> job, history::EventKind kind,
              history::Reason reason = history::Reason::none) {
    sink_.add({.at = clock_.now(), .job = job, .kind = kind, .reason = reason});
  }
  void record(Id<history::Job> job, history::EventKind kind, SlotRef const& slot,
              history::Reason reason = history::Reason::none, bool useful = true,
              Seconds executed = {}) {
    sink_.add({.at = clock_.now(),
               .job = job,
               .kind = kind,
               .reason = reason,
               .site = slot.site,
               .slot = slot.number,
               .useful = useful,
               .executed = executed});
  }
  /// An event with further details: its time is added.
  void record(history::JobEvent event) {
    event.at = clock_.now();
    sink_.add(event);
  }
  void record(history::UrlTransfer const& transfer) { sink_.add_transfer(transfer); }
  void settled(Id<history::Job> job) { sink_.settled(job); }

 private:
  Clock const& clock_;
  history::HistorySink& sink_;
};

class Claim {
 public:
  enum class End {
    none,
    pilot_ended,  // at its walltime, or ended by the site: its startd reports it
    pilot_lost,   // without a word
    by_access_point,
    too_long,
    stopped,        // by a limit of the slot
    over_request,   // its job needs more memory or disk than it requests
    vacated,        // by the site or its owner
    lease_expired,  // out of contact for longer than the job's lease
    as_recorded,    // of a replay: as the record ends the attempt
  };

  Claim() = default;
  Claim(Claim const&) = delete;

  Interrupt& interrupt() { return interrupt_; }
  End why() const { return why_; }
  bool ended() const { return why_ != End::none; }

  /// The first end counts.
  void end(End why) {
    if (ended()) return;
    why_ = why;
    interrupt_.raise();
  }

 private:
  Interrupt interrupt_;
  End why_ = End::none;
};

/// The job and the attempt whose random streams are used.
struct Attempt {
  Id<history::Job> job;
  std::uint32_t number = 0;  // from 0
  SlotRef slot;
};

/// Events that interrupt a claimed slot while its job works: competing exponential hazards of the
/// site, from the shadow's start.
///   vacated       the attempt is lost
///   suspended     the job's computing stands still for an exponential time; transfers, which are
///                 the starter's, go on
///   disconnected  work goes on, but without contact. Found again after a while, or else the
///                 job's lease runs out and the attempt is lost
/// One thing at a time: while a job is suspended it is not disconnected, and the site's events on a
/// disconnected one take effect when contact is back. The pilot's end and the access point end the
/// claim itself, at any time.
class Interference {
 public:
  /// Stands still while the job is suspended. A wait and not a coroutine over waits: each attempt
  /// has several, and they would have a frame each.
  class [[nodiscard]] Computing final : public Waiting, private Timer {
   public:
    Computing(Interference& site, Seconds time) : site_(site), left_(time) {}

    bool await_ready();
    void await_suspend(std::coroutine_handle<> waiter);
    Waited await_resume();
    void cancel() override {
      if (std::exchange(set_, false)) remove();
    }
    void interrupt() override;

   private:
    void fire() override;
    void go_on();

    Interference& site_;
    Seconds left_;
    Seconds since_;
    bool set_ = false;  // its timer
  };

  Interference(Clock& clock, Recorder& recorder, scenario::ParameterDraw const& draw,
               scenario::SiteParameters const& site, Seconds lease, RandomStreams const& streams,
               Attempt const& attempt, Claim& claim);

  /// Lets the job compute for `time`, with all events in between.
  Computing compute(Seconds time) { return {*this, time}; }
  /// Until the access point hears of the job again (now, unless disconnected).
  Step<Waited> contact();

  bool disconnected() const { return state_ == State::disconnected; }
  bool found_again() const { return found_again_; }
  /// When the job's lease runs out, counted from the disconnection.
  Seconds lease_end() const { return disconnected_at_ + lease_; }

 private:
  enum class State { running, suspended, disconnected };

  bool quiet() const;
  Seconds next_event() const;
  void set_alarm();
  void happen();
  void happen_while_running(Seconds now);
  void disconnect(Seconds now);
  void become(State state);
  static Seconds after(Seconds now, double hazard, RandomStream& stream);

  Clock& clock_;
  Recorder& recorder_;
  scenario::ParameterDraw const& draw_;
  scenario::SiteParameters const& site_;
  Seconds lease_;
  Attempt attempt_;
  Claim& claim_;
  RandomStream contact_, suspension_;
  Alarm alarm_;
  State state_ = State::running;
  bool awaited_ = false;  // somebody waits for a change of the state
  bool found_again_ = false;
  Seconds vacated_at_, suspended_at_, resumed_at_, disconnected_at_, reconnected_at_;
};

}  // namespace gridcast::engine
