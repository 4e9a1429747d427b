// One attempt of a job in a world of dated logs, from the shadow's start to the slot's release:
//   matched, transfer_input_started -> URLs -> setup -> executing {-> checkpoint} -> exit
//   -> teardown (output) -> out of the queue, requeued, or held
// while ClaimLife lets the site interfere. Where an attempt fails or is lost, the access point is
// told, which decides. What the access point does not hear of while the job is disconnected is
// recorded when it is found again.
#pragma once

#include "sim/engine/access_point.hpp"
#include "sim/engine/claim_life.hpp"
#include "sim/engine/url_plan.hpp"
#include "sim/training/execution.hpp"

namespace gridcast::engine {

class DatedAttempts {
 public:
  DatedAttempts(Clock& clock, Recorder& recorder, AccessPoint& access_point,
                scenario::Pool const& pool, scenario::Campaign const& campaign,
                scenario::Strategy const& strategy, scenario::ParameterDraw const& draw,
                RandomStreams const& streams);

  /// Runs the matched job on the slot; returns when the slot is free, or gone with its pilot.
  Step<bool> run(Id<history::Job> job, SlotRef slot, Claim& claim);

  Bytes delivered() const { return delivered_; }

 private:
  struct Overheads {
    Seconds setup, teardown, requeue;
  };

  Step<bool> fetch(Attempt const& attempt, ClaimLife& life);
  Step<bool> execute(Attempt const& attempt, ClaimLife& life, Overheads const& overheads);
  Step<bool> store_checkpoint(Attempt const& attempt, ClaimLife& life, int epochs,
                              RandomStream& stream);
  Step<bool> finish(Attempt const& attempt, ClaimLife& life, Overheads const& overheads,
                    bool crashed);
  void lost(Attempt const& attempt, ClaimLife const& life, Claim const& claim,
            Seconds requeue_delay);
  Overheads overheads(Attempt const& attempt) const;
  std::vector<training::Stretch> plan(Attempt const& attempt, std::uint32_t execution);
  scenario::EventLogSiteParameters const& site(SlotRef const& slot) const {
    return *sites_[slot.site.index()];
  }

  Clock& clock_;
  Recorder& recorder_;
  AccessPoint& access_point_;
  scenario::Campaign const& campaign_;
  scenario::Work work_;            // with its number of epochs
  std::vector<Seconds> training_;  // of a catalogue's workload, by site; empty: calibrated
  scenario::EventLogParameters const& draw_;
  RandomStreams const& streams_;
  double crash_odds_;                                           // of this replica's program
  std::vector<double> scales_;                                  // of the work, by job
  std::vector<scenario::EventLogSiteParameters const*> sites_;  // by site
  Bytes delivered_;
};

}  // namespace gridcast::engine
