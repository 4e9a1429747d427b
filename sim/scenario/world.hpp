// World: every calibrated number that one replica lives with. A calibration file holds many joint
// draws of these; a replica takes one (input uncertainty). What each means in the real grid and how
// it was estimated: docs/model.md. Units are those of the types; probabilities are bare doubles in
// [0, 1].
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/distribution.hpp"
#include "sim/base/units.hpp"
#include "sim/scenario/dated_world.hpp"

namespace gridcast::scenario {

/// What makes attempts stall together, or one job stall on and on. Not in the table: both are kept.
enum class StallScope {
  origin,  // the origin or the whole federation is overloaded for hours: hits whoever comes
  cache,   // a site's cache is overloaded for hours: hits whoever comes there
  path,    // the path between a slot and its cache is bad and sticks to the slot
};

std::string_view name(StallScope scope);
/// "overload" for origin and cache, "bad_path" for path: the two rival explanations.
std::string_view explanation(StallScope scope);

/// A two-state process (Markov-modulated): quiet and bad periods, exponential. An attempt that
/// starts in a bad period stalls with probability `stall_when_bad`, otherwise with
/// `stall_when_quiet`.
struct StallWorld {
  StallScope scope = StallScope::cache;
  double bad_fraction = 0;  // share of time that an origin, cache or path is bad
  Seconds bad_duration;     // mean length of a bad period
  double stall_when_bad = 0;
  double stall_when_quiet = 0;
  double slow_before_stall = 0;  // share of stalling attempts that trickle before they stop ...
  Seconds slow_duration;         // ... for this long on average (exponential)
  double pause = 0;        // share of the other attempts that stop for a while and then go on ...
  Seconds pause_duration;  // ... this long on average (exponential)
};

/// What holds at one site.
struct SiteWorld {
  int gpus = 0;                      // GPUs that pilots hold at a time
  Seconds unpack;                    // before the first epoch
  Distribution epoch;                // seconds for one epoch, one draw a job execution
  BytesPerSecond stream_limit;       // what one transfer reaches alone
  BytesPerSecond link_capacity;      // shared equally by the site's transfers
  double pilot_kill_per_second = 0;  // hazard that the site kills a pilot, and with it what runs
};

/// Failures that come as one event and hit the next starts one after the other (the 404 shock:
/// fifteen consecutive transfer starts; a site without network: two consecutive executions).
struct ShockWorld {
  double per_start = 0;  // probability that a job's first start sets one off
  double mean_hits = 1;  // mean number of consecutive starts that it hits, the first included
};

struct World {
  std::map<std::string, SiteWorld> sites;  // by site name
  StallWorld stall;
  double rate_noise = 0;       // sd of ln(rate) of an attempt
  double hold_on_failure = 0;  // a failed transfer attempt holds the job (as in 2024)
  double spurious_404 = 0;     // a single 404 on an attempt
  ShockWorld not_found;        // namespace answers 404 (an event for all sites)
  ShockWorld network_down;     // a site's outbound network is down (events by site)
  double corrupt_input = 0;    // the archive does not unpack
  Seconds corrupt_execution;   // how long such a job runs
  double release_transfer_hold =
      0;  // people release a job held for a failed transfer (other than 404)
  double release_other_hold = 0;    // ... or for another reason
  Distribution release_delay;       // hold to release by people
  Distribution overhead;            // claimed but neither transferring nor executing, per execution
  double http_abort = 0;            // a direct download is aborted for lack of progress
  std::optional<DatedWorld> dated;  // set where the calibration is of dated histories
};

}  // namespace gridcast::scenario
