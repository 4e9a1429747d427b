// The negotiator: a cycle each 60 s that gives idle jobs, in order of submission, the slots that
// pilots advertise.
//
// A cycle happens only when it can match something. A job whose claim the schedd still holds (it
// was requeued at once) goes back to that slot; otherwise any free slot that its requirements
// accept, the best by its rank if it has one, all alike. Shadows start one after the other.
// If the delay from a match until the shadow starts is calibrated, it stands for cycles, claiming
// and claim reuse: free slots and idle jobs are then matched at once.
// Jobs of several users are matched by their users' priorities (job_queue.hpp).
// A job of several slots takes them at one site as soon as so many are free there; others may
// overtake it meanwhile. The slots beside its own stay taken until its attempt ends. Limits of
// concurrency count all jobs that are matched (condor_negotiator, "Concurrency Limits").
// A job is matched only where a slot is large enough for its own request (site_slots.hpp).
// Left out: users of other campaigns (the calibration's slots are those left for this one).
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "sim/engine/access_point.hpp"
#include "sim/engine/claim.hpp"
#include "sim/engine/clock.hpp"
#include "sim/engine/site_slots.hpp"
#include "sim/scenario/pool.hpp"
#include "sim/scenario/request.hpp"

namespace gridcast::engine {

// Limits of concurrency: how many jobs of each request run at a time, by limits that the pool's
// negotiator sets and that the requests name. HTCondor's default of the others is two million.
class ConcurrencyLimits {
 public:
  ConcurrencyLimits(scenario::JobRequests const& requests, scenario::NegotiatorSpec const& spec);

  /// True if one more job of the request may run.
  bool allow(Id<scenario::JobClass> of) const;
  /// True if one more job of any request may run.
  bool allow_any() const { return limits_.empty() || allow_one(); }
  void taken(Id<scenario::JobClass> of) { ++running_[of.index()]; }
  void released(Id<scenario::JobClass> of) { --running_[of.index()]; }

 private:
  struct Limit {
    double limit;
    std::vector<double> use;  // of a job of each request
  };
  int most(Limit const& limit, Id<scenario::JobClass> of) const;
  bool allow_one() const;

  std::vector<Limit> limits_;  // that any request names
  std::vector<int> running_;   // by request
};

/// A match: the job, and when its shadow starts.
struct Match {
  Id<history::Job> job;
  Seconds shadow_start;
};

class Negotiator;

/// `co_await negotiator.advertise(...)`: the match, or none if the pilot has to go (it died, it
/// accepts no more jobs, or the campaign is over).
class [[nodiscard]] Advertisement final : public Waiting {
 public:
  Advertisement(Negotiator& negotiator, SlotRef slot, Seconds accept_until, Interrupt& interrupt)
      : negotiator_(negotiator), slot_(slot), accept_until_(accept_until), interrupt_(interrupt) {}

  bool await_ready() const;
  void await_suspend(std::coroutine_handle<> waiter);
  std::optional<Match> await_resume() const { return match_; }
  void cancel() override;

 private:
  friend class Negotiator;
  Negotiator& negotiator_;
  SlotRef slot_;
  Seconds accept_until_;
  Interrupt& interrupt_;
  std::size_t place_ = 0;                   // among the free slots of its site
  std::optional<Id<history::Job>> beside_;  // it belongs to that job, which runs on another slot
  std::optional<Match> match_;
};

class Negotiator {
 public:
  Negotiator(Clock& clock, AccessPoint& access_point, ReplicaInput const& in,
             SlotsOfRequests const& slots);

  Advertisement advertise(SlotRef slot, Seconds accept_until, Interrupt& interrupt) {
    return {*this, slot, accept_until, interrupt};
  }
  /// Something became idle or free: makes sure that a cycle will happen if it can match.
  void wake();
  /// The campaign is over: every pilot that waits goes.
  void close();
  bool closed() const { return closed_; }
  /// The attempt that began with a match is over.
  void released(Id<history::Job> job);
  /// Slots of the site that the job occupies; 0 where it never runs.
  int slots_of(Id<history::Job> job, std::size_t site) const;

 private:
  friend class Advertisement;
  void add(Advertisement& slot);
  void remove(Advertisement& slot);
  void cycle();
  /// No further job can be matched.
  bool full() const { return free_count_ == 0 || !limits_.allow_any(); }
  void match_in_order();
  void match_by_shares();
  bool match(Id<history::Job> job);
  void take_beside(Advertisement const& slot, Id<history::Job> job);
  Id<scenario::JobClass> class_of(Id<history::Job> job) const {
    return access_point_.requests().of(job.index());
  }
  void free_beside(Advertisement& slot);
  Advertisement* pick(Id<history::Job> job);
  std::vector<std::size_t> const& sites_for(Id<history::Job> job);
  Seconds next_shadow_start(Id<history::Job> job);
  void wake_later();
  Advertisement* reusable_claim(JobAd const& job) const;
  void dismiss_expired();

  Clock& clock_;
  AccessPoint& access_point_;
  scenario::NegotiatorSpec const& spec_;
  Seconds shadow_start_interval_;
  std::optional<Distribution> const& match_delay_;
  RandomStreams const& streams_;
  std::vector<std::vector<Advertisement*>> free_;  // by site
  SlotsOfRequests const& slots_;
  history::OccupiedSlots occupied_;
  std::map<std::uint32_t, std::vector<Advertisement*>> beside_;  // by job
  ConcurrencyLimits limits_;
  std::size_t free_count_ = 0;
  Seconds next_expiry_;                      // no free slot's last match is before
  std::vector<std::size_t> eligible_sites_;  // result of the last sites_for()
  std::vector<Advertisement*> matches_;      // of this cycle
  Seconds next_shadow_;
  bool cycle_set_ = false;
  Timer* later_ = nullptr;  // another look at the jobs left over
  bool closed_ = false;
};

}  // namespace gridcast::engine
