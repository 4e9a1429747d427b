// One draw of every calibrated parameter that one replica lives with. A calibration file holds many
// joint draws of these; a replica takes one (input uncertainty). What each means in the real grid
// and how it was estimated: docs/model.md, docs/calibration.md. Units are those of the types;
// probabilities are bare doubles in [0, 1].
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/distribution.hpp"
#include "sim/base/units.hpp"

namespace gridcast::scenario {

// What only event logs tell of a grid: how long each URL, start and gap took, what ended each
// attempt, what people did with held jobs. A draw that was calibrated from logs carries these, and
// the engine then plays attempts by them instead of by the processes of a job table.
//
//   a URL's transfer at site s    lognormal(url_median_s * (bytes / reference)^exponent, sigma_s)
//   an execution at site s        work * exp(job noise) * exp(execution noise) / speed_s
//   ends of an attempt            competing exponential hazards, by site
// Estimators, censoring and sources: docs/calibration.md.

struct EventLogSiteParameters {
  int slots = 0;           // slots that pilots offer to this campaign at a time
  Seconds url_median;      // one URL of the reference size
  double url_sigma = 0;    // sd of ln(time)
  double url_failure = 0;  // the plugin gives up on a URL, after `url_failed_after` of its time
  double url_hang = 0;     // no byte ever comes: ends at the plugin's lifetime, if it has one
  double speed = 1;        // work done in a second
  double crash = 0;        // an attempt crashes, anywhere in what remains of the work
  double evict_per_second = 0;       // while claimed: vacated by the site or its owner
  double disconnect_per_second = 0;  // while claimed: the access point loses contact
  double reconnect = 1;              // a disconnected job is found again (else its lease runs out)
  double suspend_per_second = 0;
  double pilot_death_per_second = 0;  // of a slot's pilot: its jobs are lost without a word
};

struct EventLogParameters {
  std::map<std::string, EventLogSiteParameters> sites;  // by site name
  Bytes url_reference;                                  // size that the medians are for
  double url_exponent = 0;                              // of bytes
  double url_failed_after = 0.5;  // share of its time after which a URL that fails does so
  Seconds work;                   // of the median job at speed 1, all epochs
  double job_sigma = 0;           // sd of ln(work) between jobs; the same at every attempt
  double execution_sigma = 0;     // sd of ln(work) between executions of a job
  Distribution match_delay;       // a free slot and an idle job -> the shadow starts
  Distribution setup;             // shadow start -> executing, less the time of the URLs
  Distribution teardown;          // exit -> the slot is free (output transfer included)
  Distribution checkpoint;        // to store one checkpoint
  Distribution requeue_delay;     // lost attempt -> idle again
  Distribution release_delay;     // held -> released by a person
  double release = 1;             // a person releases a held job, at each hold ...
  int most_holds = 1000000;       // ... up to so many; then it is removed
  Distribution reconnect_delay;   // disconnected -> found again
  Seconds suspension;             // mean
  Seconds pilot_replacement;      // pilot's death -> the next one advertises, mean
};

/// What makes attempts stall together, or one job stall on and on. Not in the table: both are kept.
enum class StallScope {
  origin,  // the origin or the whole federation is overloaded for hours: hits whoever comes
  cache,   // a site's cache is overloaded for hours: hits whoever comes there
  path,    // the path between a slot and its cache is bad and sticks to the slot
};

std::string_view name(StallScope scope);
/// "overload" for origin and cache, "bad_path" for path: the two rival hypotheses.
std::string_view hypothesis(StallScope scope);

/// A two-state process (Markov-modulated): quiet and bad periods, exponential. An attempt that
/// starts in a bad period stalls with probability `stall_when_bad`, otherwise with
/// `stall_when_quiet`.
struct StallParameters {
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
struct SiteParameters {
  int gpus = 0;                      // GPUs that pilots hold at a time
  Seconds unpack;                    // before the first epoch
  Distribution epoch;                // seconds for one epoch, one draw a job execution
  BytesPerSecond stream_limit;       // what one transfer reaches alone
  BytesPerSecond link_capacity;      // shared equally by the site's transfers
  double pilot_kill_per_second = 0;  // hazard that the site kills a pilot, and with it what runs
};

/// Failures that come as one event and hit the next starts one after the other (the 404 shock:
/// fifteen consecutive transfer starts; a site without network: two consecutive executions).
struct ShockParameters {
  double per_start = 0;  // probability that a job's first start sets one off
  double mean_hits = 1;  // mean number of consecutive starts that it hits, the first included
};

struct ParameterDraw {
  std::map<std::string, SiteParameters> sites;  // by site name
  StallParameters stall;
  double rate_noise = 0;         // sd of ln(rate) of an attempt
  double hold_on_failure = 0;    // a failed transfer attempt holds the job (as in 2024)
  double spurious_404 = 0;       // a single 404 on an attempt
  ShockParameters not_found;     // namespace answers 404 (an event for all sites)
  ShockParameters network_down;  // a site's outbound network is down (events by site)
  double corrupt_input = 0;      // the archive does not unpack
  Seconds corrupt_execution;     // how long such a job runs
  double release_transfer_hold =
      0;  // people release a job held for a failed transfer (other than 404)
  double release_other_hold = 0;  // ... or for another reason
  Distribution release_delay;     // hold to release by people
  Distribution overhead;          // claimed but neither transferring nor executing, per execution
  double http_abort = 0;          // a direct download is aborted for lack of progress
  std::optional<EventLogParameters> event_log;  // set where the calibration is of event logs
};

}  // namespace gridcast::scenario
