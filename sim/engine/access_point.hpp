// The access point (schedd): the job queue and what happens to a job between its attempts.
//
// A job is idle, cooling down, running, held, or settled (completed, removed, or held for good).
// Submit-time checks, failed transfers, holds, periodic release each 60 s, and people who look at
// held jobs live here; what to do is asked of sim/strategy, what befalls a job of its own random
// streams. Left out: condor_hold by users, the job lease (disconnects end a pilot, or nothing).
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/engine/clock.hpp"
#include "sim/engine/recorder.hpp"
#include "sim/scenario/campaign.hpp"
#include "sim/scenario/pool.hpp"
#include "sim/scenario/strategy.hpp"
#include "sim/scenario/world.hpp"

namespace gridcast {

/// What the queue remembers of a job (the simulator's job ad).
struct JobAd {
  Seconds submitted;
  std::uint32_t matches = 0;         // NumJobMatches
  std::uint32_t input_attempts = 0;  // NumInputTransferStarts
  std::uint32_t executions = 0;      // NumJobStarts
  std::uint32_t holds = 0;           // NumHolds
  int cool_downs = 0;                // NumJobCoolDowns
  int policy_releases = 0;
  bool claim_reusable = false;       // requeued at once: the schedd still has the claim on ...
  SlotRef claim;                     // ... this slot
  std::vector<int> stalls_at;        // by site; only if the strategy avoids sites
  std::vector<Seconds> avoid_until;  // by site; same
};

class AccessPoint {
 public:
  AccessPoint(Clock& clock, Recorder& recorder, AccessPointSpec const& spec,
              Campaign const& campaign, Strategy const& strategy, World const& world,
              RandomStreams const& streams, std::size_t sites);

  /// Sets the submissions' timers. `on_idle` is called when a job becomes idle, `on_settled` when
  /// the last one is settled.
  void open(std::function<void()> on_idle, std::function<void()> on_settled);

  std::set<std::uint32_t>& idle() { return idle_; }  // in order of submission
  JobAd& ad(Id<Job> job) { return ads_[job.index()]; }
  bool settled() const { return unsettled_ == 0; }
  /// Whether the job may run at the site now.
  bool accepts(Id<Job> job, std::size_t site) const;
  /// True if some idle job waits for nothing but the end of an avoided site's time.
  bool avoidance() const { return strategy_.match.avoid_site_after_stalls > 0; }

  // What a slot tells of the job it ran.
  void transfer_failed(Id<Job> job, SlotRef const& slot, Reason reason);
  void evicted(Id<Job> job, SlotRef const& slot);
  void not_started(Id<Job> job);  // the pilot died before the shadow started
  void terminated(Id<Job> job, SlotRef const& slot, Reason reason);  // none: useful result
  void held_while_running(Id<Job> job, SlotRef const& slot, Reason reason);

 private:
  void submit(std::size_t first, int count);
  void make_idle(Id<Job> job);
  void idle_after(Id<Job> job, Seconds time);
  void hold(Id<Job> job, Reason reason, SlotRef const* slot = nullptr);
  void release(Id<Job> job, Reason by);
  void settle();
  bool too_old(Id<Job> job);
  void note_stall(Id<Job> job, SlotRef const& slot);

  Clock& clock_;
  Recorder& recorder_;
  AccessPointSpec const& spec_;
  Campaign const& campaign_;
  Strategy const& strategy_;
  World const& world_;
  RandomStreams const& streams_;
  std::size_t sites_;
  std::vector<JobAd> ads_;
  std::set<std::uint32_t> idle_;
  std::size_t unsettled_;
  std::function<void()> on_idle_, on_settled_;
};

}  // namespace gridcast
