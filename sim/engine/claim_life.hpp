// What befalls a claimed slot of a dated world while its job goes about its business: competing
// exponential hazards of the site, from the shadow's start.
//
//   vacated       the attempt is lost
//   suspended     the job's work stands still for an exponential time
//   disconnected  work goes on, but nothing is heard of it. Found again after a while, or else the
//                 job's lease runs out and the attempt is lost
// One thing at a time: while a job is suspended it is not disconnected, and what the site does to
// a disconnected one takes effect when contact is back. The pilot's death and the access point end
// the claim itself, at any time.
#pragma once

#include "sim/base/random.hpp"
#include "sim/engine/claim.hpp"
#include "sim/engine/clock.hpp"
#include "sim/engine/recorder.hpp"
#include "sim/scenario/parameter_draw.hpp"

namespace gridcast::engine {

/// Whose luck it is.
struct Attempt {
  Id<history::Job> job;
  std::uint32_t number = 0;  // from 0
  SlotRef slot;
};

class ClaimLife {
 public:
  /// How it ended; `claim`: ask the claim why.
  enum class End { none, vacated, lease_expired, claim };

  ClaimLife(Clock& clock, Recorder& recorder, scenario::EventLogParameters const& draw,
            scenario::EventLogSiteParameters const& site, Seconds lease,
            RandomStreams const& streams, Attempt const& attempt, Claim& claim);

  /// Lets the job work for `time`, with whatever comes between; false if the claim ended.
  Step<bool> work(Seconds time);
  /// Until the access point hears of the job again (now, unless disconnected); false if the claim
  /// ended.
  Step<bool> contact();

  End end() const { return end_; }
  bool disconnected() const { return state_ == State::disconnected; }
  /// When the job's lease runs out, counted from the disconnection.
  Seconds lease_end() const { return disconnected_at_ + lease_; }

 private:
  enum class State { running, suspended, disconnected };

  Seconds next_event() const;
  bool happen();
  bool happen_while_running(Seconds now);
  void disconnect(Seconds now);
  Step<bool> sleep_until(Seconds time);
  static Seconds after(Seconds now, double hazard, RandomStream& stream);

  Clock& clock_;
  Recorder& recorder_;
  scenario::EventLogParameters const& draw_;
  scenario::EventLogSiteParameters const& site_;
  Seconds lease_;
  Attempt attempt_;
  Claim& claim_;
  RandomStream contact_, suspension_;
  State state_ = State::running;
  End end_ = End::none;
  Seconds vacated_at_, suspended_at_, resumed_at_, disconnected_at_, reconnected_at_;
};

}  // namespace gridcast::engine
