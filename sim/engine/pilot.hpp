// Pilots (glideins): a batch job at a site that starts a startd there, which advertises slots, runs
// the jobs that the negotiator sends, and ends; its jobs end with it. One follows the other, after
// an exponential time. Each holds some slots of its site (one, if they are counted in GPUs of
// jobs). It ends at its walltime, or when the site kills it; its startd reports both. If the hazard
// of all its ends is calibrated, it ends by that, without a report. Life cycle and times:
// glideinWMS condor_startup.sh, as the OSPool sets it (docs/model.md, "Pilots"). Left out: pilots
// that come because jobs wait.
#pragma once

#include <deque>
#include <vector>

#include "sim/engine/attempt.hpp"
#include "sim/engine/negotiator.hpp"

namespace gridcast::engine {

/// For how long slots were there, and of that with a job.
struct SlotTime {
  Seconds life, busy;
};

class Pilots {
 public:
  Pilots(Clock& clock, AccessPoint& access_point, Negotiator& negotiator, Attempts& attempts,
         ReplicaInput const& in);

  /// Starts the pilots of so many slots at a site.
  void start(Id<history::Site> site, std::uint32_t slots);

  /// Until now, at the end of the campaign.
  SlotTime const& time() const { return time_; }

 private:
  struct Pilot {
    Id<history::Site> site;
    std::uint32_t first = 0, slots = 0;  // of the site's
    std::uint32_t number = 0;            // how many came before
    Seconds accept_until;
    bool ended = false;
    std::vector<Claim*> claims;  // of its slots; null: none
  };
  struct Life {
    Seconds end, accept_until;
    Claim::End how = Claim::End::pilot_ended;
  };

  Process follow(Pilot& pilot);
  Process serve_slot(Pilot& pilot, std::uint32_t place, Countdown& leaving);
  void never_started(Id<history::Job> job, SlotRef const& slot, Claim const& claim);
  Life draw_life(Pilot const& pilot, RandomStream& stream) const;

  Clock& clock_;
  AccessPoint& access_point_;
  Negotiator& negotiator_;
  Attempts& attempts_;
  ReplicaInput in_;
  std::vector<scenario::SiteParameters const*> sites_;  // by site
  std::deque<Pilot> pilots_;
  SlotTime time_;
};

}  // namespace gridcast::engine
