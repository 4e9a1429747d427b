// One draw of every parameter of one replica: the processes of a grid, one after the other. A
// calibration holds many joint draws of these, from any evidence (a table of jobs, event logs, ads,
// an owner's word); a replica takes one (input uncertainty). Parameters without evidence are drawn
// from a prior, or the process does not happen: each member's value here. Law, source and
// assumption of each process: docs/model.md; estimation: docs/calibration.md. Units are those of
// the types; probabilities are bare doubles in [0, 1], hazards 1/s.
#pragma once

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/random.hpp"
#include "sim/base/units.hpp"

namespace gridcast::scenario {

inline constexpr BytesPerSecond unlimited_rate(std::numeric_limits<double>::infinity());
/// A duration that is always zero.
inline constexpr Distribution no_time{Family::exponential, 1, 0, 0};

/// The shared cause that stops or slows transfers.
enum class OutageScope {
  origin,  // the origin or the whole federation: every job
  cache,   // a cache: every job that uses it
  path,    // the path between a slot and a cache: sticks to the slot
  node,    // a node's own link: all its slots, with any cache
  uplink,  // a site's: all its slots, with any cache
  none,    // nothing is out of order: transfers share links, and the rule in force ends them
};

enum class OutageKind {
  dead,  // no byte comes
  slow,  // bytes come, at a fraction of the rate
};

std::string_view name(OutageScope scope);

/// A two-state process (Markov-modulated) of the entity in the scope: quiet and bad periods,
/// exponential. A try that starts in a bad period is hit with probability `stall_when_bad`, one at
/// a cache otherwise with `stall_when_quiet`. With kind dead, a try that is hit never gets a byte;
/// with kind slow it is slow for as long as the period lasts.
struct OutageParameters {
  OutageScope scope = OutageScope::cache;
  OutageKind kind = OutageKind::dead;
  double bad_fraction = 0;    // share of time that an origin, cache, path, node or uplink is bad
  Seconds bad_duration = {};  // mean length of a bad period
  double stall_when_bad = 0;
  double stall_when_quiet = 0;
  double slow_fraction = 0.1;  // of the rate (kind slow)
  Seconds
      redraw_interval;  // a job's draw at a bad cache is the same for so long; zero: each try's own
  double next_cache_dependence = 0;  // 0: the next cache has its own draw; 1: that of the last
  double slow_before_stall = 0;      // share of dead tries that are slow before they stop ...
  Seconds slow_duration = {};        // ... for this long on average (exponential)
  double pause = 0;             // share of the other tries that stop for a while and then go on ...
  Seconds pause_duration = {};  // ... this long on average (exponential)
};

/// The rival explanations that an answer is given under: "overload" (origin, cache: dead),
/// "bad_path" (path, node, uplink: dead), "slow" and "congestion" (no outage).
enum class Hypothesis { overload, bad_path, slow, congestion };
/// Nothing if transfers never stall for a reason of their own, and are not congested.
std::optional<Hypothesis> hypothesis(OutageParameters const& outages);
std::string_view name(Hypothesis hypothesis);

/// The parameters of one site.
struct SiteParameters {
  // Supply. Slots that pilots offer to this campaign at a time, counted as GPUs or as jobs.
  std::optional<int> gpus = {};
  std::optional<int> slots = {};
  double pilot_kill_per_second = 0;  // the site ends a pilot before its walltime
  // If known, the hazard of all ends of pilots, walltimes included: no walltime is added.
  std::optional<double> pilot_death_per_second = {};

  // Transfer: of one URL, exp(sigma z) (latency + bytes / rate), z ~ N(0, 1) one a try; the rate is
  // the share of the site's and the node's link, at most the stream's own limit.
  Seconds latency = {};
  BytesPerSecond stream_limit = unlimited_rate;
  double rate_sigma = 0;
  // Shared equally by the site's transfers; without a calibrated value, the pool's uplink is.
  std::optional<BytesPerSecond> link_capacity = {};
  BytesPerSecond node_capacity = unlimited_rate;  // ... and by those of the slots of one node
  int slots_per_node = 0;                         // 0: a pilot's slots are a node
  double cold_share = 0;                          // of the tries at caches: these lack the file ...
  BytesPerSecond cold_limit = unlimited_rate;     // ... and the rate of a transfer alone then
  double cold_sigma = 0;                          // ... with this instead of rate_sigma
  double url_failure = 0;                         // the plugin gives up on a URL
  double url_hang = 0;                            // no byte of it ever comes, from any cache

  // Execution: see sim/training/execution.hpp.
  Seconds unpack = {};           // of the record's input, before the work, at each execution
  Distribution epoch = no_time;  // seconds for one epoch, one draw an execution
  double speed = 1;              // work done in a second, where ParameterDraw::work is known
  double gpu_speed = 1;          // of its GPU beside the record's (hardware.hpp)
  double crash = 0;              // an execution crashes, somewhere in the rest of the work
  // A limit of the slot (memory, disk) stops an execution: with this probability at a moment that
  // is much the same in each (median, and sd of its logarithm), or at any time (1/s).
  double stop = 0;
  Seconds stop_after = {};
  double stop_sigma = 0;
  double stop_per_second = 0;
  double stop_holds = 0;  // the job is then held; else idle again
  int gpus_of_speed = 0;  // of a job, that `speed` is for; 0: of any

  // Interference, while claimed: vacated by the site or its owner, out of contact, suspended.
  double evict_per_second = 0;
  double disconnect_per_second = 0;
  double reconnect = 1;  // a disconnected job is found again (else its lease runs out)
  double suspend_per_second = 0;
};

/// Failures that come as one event and hit the next starts one after the other (the 404 shock:
/// fifteen consecutive transfer starts; a site without network: two consecutive executions).
struct ShockParameters {
  double per_start = 0;  // probability that a job's first start sets one off
  double mean_hits = 1;  // mean number of consecutive starts that it hits, the first included ...
  Seconds lasts = {};    // ... or, above zero, for how long it hits all starts, mean
};

/// Which jobs are held, and what people do with them.
struct HoldParameters {
  double hold_on_failure = 0;        // a failed attempt of the plugin holds the job
  double hold_on_stall = 0;          // ... and one that the starter's timer ended
  double release_transfer_hold = 0;  // release a job held for a failed transfer (other than 404)
  double release_other_hold = 0;     // ... or for another reason, at each hold ...
  std::optional<double> release_limit_hold = {};     // ... a limit of time; none: as another
  std::optional<double> release_resource_hold = {};  // ... memory or disk; none: as another
  double remove_transfer_hold = 0;                   // remove such a job which they do not release
  double remove_other_hold = 0;
  std::optional<double> remove_limit_hold = {};
  std::optional<double> remove_resource_hold = {};
  // People leave at most this share of the campaign's jobs on hold after a 404, and release those
  // beyond it.
  double most_left_held = 1;
  int most_holds = 1000000;              // held so often it is removed in any case
  Distribution release_delay = no_time;  // hold to release, or to removal
};

struct ParameterDraw : HoldParameters {
  std::map<std::string, SiteParameters> sites = {};  // by site name

  // Supply and matching.
  std::optional<Seconds> pilot_replacement =
      {};  // a pilot's end -> the next one, mean; else the pool's
  // A free slot and an idle job -> the shadow starts. If known it stands for negotiation cycles,
  // claiming and claim reuse; else these are simulated.
  std::optional<Distribution> match_delay = {};

  // Transfer.
  OutageParameters outages = {};
  double url_failed_after = 0.5;   // share of its time after which a URL that fails does so
  double spurious_404 = 0;         // a single 404 on an attempt
  ShockParameters not_found = {};  // namespace answers 404 (an event for all sites)
  Bytes record_input = {};         // of a job of the record; zero: unknown
  double http_abort = 0;           // a direct download of that size is aborted
  // The share of plugins' failures whose error stays; unknown: none, and no failure shows its
  // kind.
  std::optional<double> permanent_failure = {};

  // From the shadow's start to the exit, besides the URLs.
  Distribution plugin_start = no_time;  // from the input transfer's start to its first URL
  Distribution setup = no_time;         // before the execution
  Seconds unlisted_wait;                // ... of jobs that list no output files, beyond that
  Distribution teardown = no_time;      // exit -> the slot is free (output transfer included)
  Distribution checkpoint = no_time;
  Seconds work = {};           // of the median job at speed 1, all epochs; zero: site.epoch instead
  double job_sigma = 0;        // sd of ln(work) between jobs; the same at every attempt
  double execution_sigma = 0;  // sd of ln(work) between executions of a job
  double gpu_scaling = 1;      // speed grows as the number of a job's GPUs to this power
  double crash_of_job = 0;     // a job crashes at each of its executions, wherever they are
  ShockParameters network_down = {};  // a site's outbound network is down (events by site)
  double corrupt_input = 0;           // the archive does not unpack
  Seconds corrupt_execution = {};     // how long such a job runs

  // Interference.
  Distribution reconnect_delay = no_time;  // disconnected -> found again
  double evicted_for_good = 0;             // a job whose slot the site takes away is over
  double lost_for_good = 0;                // ... whose node or pilot is lost
  double stop_of_job = 0;             // a limit stops a job whenever it runs that long, at any site
  double stopped_for_good = 0;        // a job that a limit stops is over
  double files_lost = 0;              // a job that its own shadow found brings no file home
  Distribution output_try = no_time;  // ... each time it tries to
  Seconds suspension = {};            // mean
  Distribution requeue_delay = no_time;  // lost attempt -> idle again

  // The owner steps in while jobs are in the queue, and removes each of them with
  // a probability that is Beta(a, b), drawn each time; of a longer queue as many as of one of that
  // length.
  double removal_per_second = 0;
  double removal_share_a = 1;
  double removal_share_b = 1;
  int removal_queue = 1000000;
};

/// A job's work as a multiple of the median job's, from its uniform `u` in (0, 1).
double job_factor(ParameterDraw const& draw, double u);

/// The probability that a direct download of this size is aborted: each byte has the same risk.
/// Example: 0.9 of 137 GB are 0.017 of 1 GB.
double abort_of_download(ParameterDraw const& draw, Bytes size);

}  // namespace gridcast::scenario
