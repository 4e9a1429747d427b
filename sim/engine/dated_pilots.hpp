// Pilots of a world of dated logs: each holds some slots of a site, which offer themselves, run a
// job and offer themselves again. A pilot dies with the site's hazard, and all its slots with it;
// the next one comes after an exponential time. Left out: pilots' walltimes, and pilots that come
// because jobs wait: logs of one campaign show neither.
#pragma once

#include <deque>
#include <vector>

#include "sim/engine/dated_attempt.hpp"
#include "sim/engine/negotiator.hpp"

namespace gridcast::engine {

class DatedPilots {
 public:
  DatedPilots(Clock& clock, AccessPoint& access_point, Negotiator& negotiator,
              DatedAttempts& attempts, scenario::EventLogParameters const& draw,
              RandomStreams const& streams)
      : clock_(clock),
        access_point_(access_point),
        negotiator_(negotiator),
        attempts_(attempts),
        draw_(draw),
        streams_(streams) {}

  /// Starts the pilots of `slots` slots at a site.
  void start(Id<history::Site> site, scenario::SiteSpec const& spec, int slots);
  /// The campaign is over: the pilots that are left do not die any more.
  void close();

  /// Until now, at the end of the campaign.
  Seconds life() const { return life_; }
  Seconds busy() const { return busy_; }

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
  Process hold_slot(Pilot& pilot, std::size_t place, std::uint32_t number);
  Step<bool> serve(SlotRef slot, Claim& claim);
  RandomStream stream(Pilot const& pilot) const;

  Clock& clock_;
  AccessPoint& access_point_;
  Negotiator& negotiator_;
  DatedAttempts& attempts_;
  scenario::EventLogParameters const& draw_;
  RandomStreams const& streams_;
  std::deque<Pilot> pilots_;
  Seconds life_, busy_;
};

}  // namespace gridcast::engine
