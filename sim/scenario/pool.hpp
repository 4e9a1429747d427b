// The pool: where jobs can run, the path to their data, and the software that moves the data. A
// description of hardware and policy; its behaviour (rates reached, failures, availability) belongs
// to the calibration.
//
// The rules of input transfers come with versions of HTCondor and Pelican: "upgrade" is a strategy
// to compare. A version sets the keys that the strategy leaves open:
//
//   HTCondor   before 23.8.1   stall timer off: a transfer runs until its own limits
//              23.8.1..25.2.0  stall timer over the whole transfer: it sees none of a plugin's
//                              bytes (HTCONDOR-1395; seen on an unchanged 23.9.6)
//              from 23.9.6     a claim is given back after two failures in a row, before after five
//                              (MAX_SHADOW_EXCEPTIONS, HTCONDOR-2300)
//              from 25.2.1     off again for plugins: one that runs counts as alive (HTCONDOR-3202)
//              from 25.6.1     a failed plugin cools the job down, 300 to 600 s, four times
//                              (FEATURE:PelicanRetryPolicy, param_info.in); before, it holds the
//                              job as often as in the calibration's record, at once if that is of a
//                              pool from 25.6.1 on
//   Pelican    from 7.10       a connection without a byte for 100 s is given up, and the next of
//                              three caches tried (Client.StoppedTransferTimeout, client/main.go)
//              after 7.10      a slow one is given up after 130 s, before after 60
//                              (Client.SlowTransferRampupTime of 100 s, before of 30, and 30 s of
//                              SlowTransferWindow; docs/parameters.yaml)
//              from 7.16       the next try resumes where the last one ended (HTTP Range)
#pragma once

#include <array>
#include <cmath>
#include <compare>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/units.hpp"

namespace gridcast::scenario {

struct Version {
  std::array<int, 3> parts = {};

  auto operator<=>(Version const&) const = default;
};

/// "23.9.6" or "7.10"; nothing where it is no such thing.
std::optional<Version> parse_version(std::string_view text);
std::string to_text(Version const& version);

struct Software {
  std::optional<Version> htcondor, pelican;

  bool operator==(Software const&) const = default;
};

/// The problem with a version whose rules are not known; empty if there is none. (HTCondor's are
/// known from its first version on.)
std::string older_than_known(Software const& software);

/// The versions of `own`, and those of `usual` where `own` has none.
Software software_of(Software const& own, Software const& usual);

struct Cache;     // tag of Id<Cache>: index into Pool::caches
struct PoolSite;  // tag of Id<PoolSite>: index into Pool::sites

/// Slots of a site, or its GPUs: each takes memory in every simulated campaign.
inline constexpr double most_slots = 1e7;

/// An OSDF cache: XRootD's file cache (pfc.diskusage), whole files, LRU.
struct CacheSpec {
  std::string name;
  Bytes disk;
  double high_watermark = 0.95;    // crossing it deletes least recently used files ...
  double low_watermark = 0.90;     // ... until this fill (90/95 % before Pelican 7.25.2)
  BytesPerSecond neighbours = {};  // fetched for others, each file used once
};

/// A site (GLIDEIN_ResourceName): GPUs or slots that pilots may hold, and the order in which the
/// director offers caches to its jobs.
struct SiteSpec {
  std::string name;
  int gpus = 0;               // most GPUs that pilots hold at once
  int slots = 0;              // the same of slots of any kind (event logs); 0: as many as GPUs
  int slots_per_pilot = 1;    // a pilot's slots share its fate
  std::string gpu;            // device name, e.g. "A100"
  double gpu_capability = 0;  // CUDA compute capability
  Bytes gpu_memory;
  Bytes disk;                     // scratch a slot offers
  Bytes memory = {};              // that a slot offers, for each GPU; zero: enough for any job
  BytesPerSecond uplink;          // the site's link, where the calibration has no capacity of it
  BytesPerSecond node_link = {};  // of each node, from a platform file; zero: unknown
  Seconds pilot_walltime;         // of this site's entry; zero: pilots.walltime
  std::vector<Id<Cache>> caches;
  int gpus_per_node = 1;      // a job's GPUs are on one node, all or nothing
  bool cluster = false;       // jobs may have several nodes (Slurm-like)
  bool of_platform = false;   // from a SimGrid platform file
  std::string like = {};      // a site whose parameters it has; "any": of any; empty: its own
  std::string machine = {};   // of hardware.yaml: the links between the GPUs; empty: pool-slot
  std::string resource = {};  // GLIDEIN_ResourceName, where a site has an entry for each of its GPU
                              // models; empty: the name
  int gpus_per_slot = 0;  // of each slot, if a job's request depends on the slot; 0: as it requests
};

/// The most memory that a slot of the site gives a job with so many of a node's GPUs; zero: enough.
inline Bytes memory_of_slot(SiteSpec const& site, int gpus) {
  return site.slots > 0 ? site.memory : site.memory * std::max(gpus, 1);
}

/// GLIDEIN_ResourceName.
inline std::string const& resource_name(SiteSpec const& site) {
  return site.resource.empty() ? site.name : site.resource;
}

struct OriginSpec {
  std::string name;
  BytesPerSecond bandwidth;     // egress, shared by cache fills and direct reads
  BytesPerSecond stream_limit;  // rate of one stream
};

/// OSPool's limits of an execution, by +JobDurationCategory: Medium (its default) and Long. At its
/// limit a job is held with code 47 (portal.osg-htc.org, "Job Duration Categories").
inline constexpr Seconds medium_execution = hours(20), long_execution = hours(40);

/// A job that has been in the queue for so long may be removed (OSPool, policy.md: three months);
/// here it is, at its next decision.
inline constexpr Seconds longest_in_queue = days(90);

struct AccessPointSpec {
  /// MAX_TRANSFER_INPUT_MB: larger input is held at submission, code 32. None: no limit.
  std::optional<Bytes> max_transfer_input = {};
  int transfer_slots = 100;  // MAX_CONCURRENT_UPLOADS, HTCondor's default
  BytesPerSecond bandwidth = BytesPerSecond(1.25e9);
  Seconds shadow_start_interval = Seconds(1);  // one shadow after the other (assumption A-AP)
  Seconds max_execution = medium_execution;
  Seconds policy_interval = Seconds(60);  // periodic expressions

  Bytes input_limit() const { return max_transfer_input.value_or(Bytes(HUGE_VAL)); }
};

/// NAME_LIMIT of the negotiator's configuration.
struct ConcurrencyLimit {
  std::string name;
  double limit = 1;  // of the sum over all running jobs
};

struct NegotiatorSpec {
  Seconds interval = Seconds(60);       // NEGOTIATOR_INTERVAL, osg-flock 95_negotiator
  Seconds priority_halflife = days(1);  // PRIORITY_HALFLIFE, HTCondor's default
  std::vector<ConcurrencyLimit> concurrency_limits = {};
};

/// Pilots (glideins): glideinWMS condor_startup.sh and the OSPool's frontend (osg-flock).
struct PilotSpec {
  Seconds walltime = hours(47.5);     // GLIDEIN_Max_Walltime of the entry (median of the factory)
  Seconds min_remaining = hours(10);  // START: jobs need this much life left
  Seconds replacement = hours(1);     // mean wait for the next pilot (assumption A-PILOT)
};

/// Pilots have to live longer than the time that they want to have left, by enough to start at all.
inline constexpr Seconds shortest_acceptance = minutes(10);

struct Pool {
  std::vector<SiteSpec> sites;
  std::vector<CacheSpec> caches;
  OriginSpec origin;
  AccessPointSpec access_point;
  NegotiatorSpec negotiator;
  PilotSpec pilots;
  Software software = {};     // of its execution points, unless a strategy sets others
  std::string platform = {};  // a SimGrid platform file that sites and links are from; empty: none
};

/// A pool file by itself. InputError with all problems.
Pool read_pool(std::filesystem::path const& file);

// The parts of a SimGrid platform file that a pool uses (`platform: grid.xml`).
//
// Each zone that directly contains hosts is a site, or one for each kind of hosts; a host's slots
// are its property `slots`, else its cores. Hosts with the property `role` (origin, access-point,
// cache) are not nodes of a site. On the routes from the origin, the links that all hosts of the
// site share are its uplink; the others are node links; links that all sites share belong to the
// origin. Without an origin, routes from a few hosts of other sites count, and within a site if
// there is no other. If there are several links in a row, the slowest counts. Fat pipes of the
// origin limit streams. Latencies, speeds and profiles have no effect.
struct PlatformSite {
  std::string name;
  int slots = 0;
  int slots_per_node = 1;
  int gpus_per_slot = 1;
  std::string gpu = {};  // device name
  BytesPerSecond uplink = {};
  BytesPerSecond node_link = {};  // zero: nothing is known
};

struct PlatformCache {
  std::string name;
  Bytes disk;
};

struct PlatformFile {
  std::vector<PlatformSite> sites;
  std::vector<PlatformCache> caches = {};
  std::string origin = {};  // empty: none
  BytesPerSecond egress = {};
  BytesPerSecond egress_stream_limit = {};
  BytesPerSecond access_point = {};  // zero: none
  std::vector<std::string> notes = {};
};

/// Lets SimGrid load the file. InputError if it cannot, or finds no site. The engine, the only
/// layer that knows SimGrid, defines it.
PlatformFile load_platform(std::filesystem::path const& file);

}  // namespace gridcast::scenario
