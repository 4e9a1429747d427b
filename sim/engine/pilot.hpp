// Pilots (glideins): a batch job at a site that starts a startd there, which advertises slots, runs
// the jobs that the negotiator sends, and dies, which ends what runs. Two of them, by what the
// parameters were fitted to:
//
//   a job table   each pilot holds the GPUs of one job, on one node, for a while. It dies at the end
//                 of its walltime, or when the site kills it. Life cycle and times: glideinWMS
//                 condor_startup.sh, as the OSPool sets it (docs/model.md, "Pilots").
//   event logs    each holds some slots of a site. It dies with the site's hazard, and all its slots
//                 with it; the next one comes after an exponential time. Left out: walltimes, and
//                 pilots that come because jobs wait, as logs of one campaign show neither.
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

/// Pilots by parameters that were fitted to a job table.
class TablePilots {
 public:
  TablePilots(Clock& clock, AccessPoint& access_point, Negotiator& negotiator,
              TableAttempts& attempts, ReplicaInput const& in);

  /// Starts the pilots of so many slots at a site, each with the GPUs of one job.
  void start(Id<history::Site> site, int slots);

  SlotTime const& time() const { return time_; }

 private:
  struct Life {
    Seconds die, accept_until;
  };

  Process occupy_slot(Id<history::Site> site, std::uint32_t number);
  Life draw_life(SlotRef const& slot, Seconds start, RandomStream& stream) const;

  Clock& clock_;
  AccessPoint& access_point_;
  Negotiator& negotiator_;
  TableAttempts& attempts_;
  ReplicaInput in_;
  std::vector<scenario::SiteParameters const*> sites_;  // by site
  SlotTime time_;
};

/// Pilots by parameters that were fitted to event logs.
class EventLogPilots {
 public:
  EventLogPilots(Clock& clock, AccessPoint& access_point, Negotiator& negotiator,
                 EventLogAttempts& attempts, ReplicaInput const& in)
      : clock_(clock),
        access_point_(access_point),
        negotiator_(negotiator),
        attempts_(attempts),
        draw_(*in.draw.event_log),
        streams_(in.streams) {}

  /// Starts the pilots of `slots` slots at a site.
  void start(Id<history::Site> site, scenario::SiteSpec const& spec, int slots);
  /// The campaign is over: the pilots that are left do not die any more.
  void close();

  /// Until now, at the end of the campaign.
  SlotTime const& time() const { return time_; }

 private:
  struct Pilot {
    Id<history::Site> site;
    std::uint32_t entity = 0;  // of its random stream
    std::uint32_t number = 0;  // how many came before
    double death_per_second = 0;
    Timer* death = nullptr;
    Seconds next_at;  // of a dead one: when the next advertises
    bool dead = false;
    std::vector<Claim*> claims;  // of its slots; null: none
  };

  void live(Pilot& pilot);
  void die(Pilot& pilot);
  Process occupy_slot(Pilot& pilot, std::size_t place, std::uint32_t number);
  RandomStream stream(Pilot const& pilot) const;

  Clock& clock_;
  AccessPoint& access_point_;
  Negotiator& negotiator_;
  EventLogAttempts& attempts_;
  scenario::EventLogParameters const& draw_;
  RandomStreams const& streams_;
  std::deque<Pilot> pilots_;
  SlotTime time_;
};

}  // namespace gridcast::engine
