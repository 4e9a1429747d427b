// A strategy: what is decided about transfers, retries, releases and matching, and what a submit
// file says of a job's own policy: expressions that hold, release, remove and vacate it, what its
// exit code means, and how long it may take (condor_submit, "Policy commands", HTCondor manual;
// empty: HTCondor's defaults). Plain values; the decisions themselves are the pure functions in
// sim/strategy/decisions.hpp.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/classad/expression.hpp"
#include "sim/scenario/pool.hpp"

namespace gridcast::scenario {

struct JobPolicy {
  using Rule = std::optional<classad::Expression>;

  Rule periodic_hold, periodic_release, periodic_remove, periodic_vacate;
  Rule on_exit_hold, on_exit_remove;
  Rule requirements, rank;
  int periodic_hold_subcode = 0;
  int on_exit_hold_subcode = 0;

  std::optional<int> max_retries;
  Rule retry_until;
  int success_exit_code = 0;

  std::optional<Seconds> allowed_execute_duration;  // hold code 47
  std::optional<Seconds> allowed_job_duration;      // hold code 46
  std::optional<Seconds> job_lease_duration;        // JOB_DEFAULT_LEASE_DURATION without it
  std::optional<Seconds> plugin_lifetime;           // MAX_FILE_TRANSFER_PLUGIN_LIFETIME

  int checkpoint_every_epochs = 0;  // exit with checkpoint_exit_code after so many; 0: never
  int checkpoint_exit_code = 85;
  bool crash_holds = false;  // transfer_output_files names what a crash does not leave
  /// No transfer_output_files: what is new comes home, and so that it can tell what is, HTCondor
  /// waits for a second between input and execution (FileTransfer, upload_changed_files). Not where
  /// it moves no files at all (should_transfer_files = NO).
  bool outputs_unlisted = false;
};

// The attributes that simulated jobs and slots have, for whoever has to say before the simulation
// what an expression will find undefined. The engine's ads hold exactly these. (HTCondor manual,
// "Job ClassAd attributes", "Machine ClassAd attributes".)
bool is_job_attribute(std::string_view name);
/// Attributes of an expression that simulated jobs do not have, nor slots if it is looked at beside
/// one.
std::vector<std::string> unknown_names(classad::Expression const& expression, bool with_slot);

enum class Protocol {
  osdf,      // Pelican: caches in the director's order
  http,      // HTCondor's curl plugin, straight from the origin
  htcondor,  // the access point sends the files itself (CEDAR)
};

enum class OnStall {
  requeue,     // the starter gives up, shadow exception, back to the queue
  next_cache,  // the Pelican client asks the next cache; requeue when none is left
};

/// What the starter's timer (STARTER_FILE_XFER_STALL_TIMEOUT) does to transfers by a plugin.
enum class StallTimer {
  silence,         // as documented: ends one that has brought no byte for so long
  whole_transfer,  // sees none of a plugin's bytes: ends every one that lasts longer, healthy or not
  never,
};

/// transfer: how input is fetched and what ends an attempt.
struct TransferStrategy {
  Protocol protocol = Protocol::osdf;
  StallTimer stall_timer = StallTimer::silence;
  Seconds stall_timeout = Seconds(3600);  // STARTER_FILE_XFER_STALL_TIMEOUT
  Seconds first_check = Seconds(20);      // the starter's first look, after the transfer's start
  Seconds check_interval = Seconds(300);  // from one look to the next
  OnStall on_stall = OnStall::requeue;
  Seconds client_timeout = {};    // Client.StoppedTransferTimeout; zero: stall_timeout
  Seconds slow_after = {};        // how long Pelican lets a slow transfer go on; zero: 130 s
  bool resume = false;            // keep the bytes that arrived (Pelican >= 7.16)
  int max_shadow_exceptions = 2;  // MAX_SHADOW_EXCEPTIONS: then the claim is given back
  int most_at_a_time = 0;         // transfers of a site at a time; 0: no limit
};

enum class OnTransferFailure {
  requeue,    // idle at once
  cool_down,  // FEATURE:PelicanRetryPolicy (param_info.in): idle, unmatchable for a while
  hold,       // hold with code 13 at once
  recorded,   // as the calibrated campaign's were: held with a probability, else requeue
};

/// retry: what the access point does after a failed input transfer.
struct RetryStrategy {
  OnTransferFailure on_transfer_failure = OnTransferFailure::recorded;
  Seconds delay_min, delay_max;  // cool_down: one delay a job, drawn between these
  int times = 4;                 // cool_down: then held
  JobPolicy policy = {};
};

/// release: a periodic_release expression.
struct ReleaseStrategy {
  std::optional<Seconds>
      transfer_holds_after;  // release code 13 after this long; none: people only
  int times = 10;            // releases by policy a job
};

/// match: requirements that follow from what happened to the job.
struct MatchStrategy {
  std::optional<int> avoid_site_after_stalls;  // without either: never avoid
  Seconds avoid_site_for;
  std::optional<int> avoid_site_after_failures = {};

  bool avoids_sites() const { return avoid_site_after_stalls || avoid_site_after_failures; }
};

struct CatalogueWork;

enum class DataAccess {
  copy,    // the input is fetched first, training reads the slot's disk
  stream,  // training reads what it needs when it needs it, over the network
};

/// training: how a workload of the catalogue gets its data, and when it saves itself.
struct TrainingStrategy {
  DataAccess data = DataAccess::copy;
  std::string profile;  // of the catalogue, instead of the campaign's; empty: the campaign's
  int checkpoint_every_steps = 0;
  Seconds checkpoint_every = {};                        // of training time
  std::shared_ptr<CatalogueWork const> catalogue = {};  // of `profile`
};

struct Strategy {
  std::string name = {};
  Software software = {};
  TransferStrategy transfer;
  RetryStrategy retry;
  ReleaseStrategy release;
  MatchStrategy match;
  TrainingStrategy training = {};
};

/// What such software does where nobody sets anything.
Strategy strategy_under(Software const& software);

}  // namespace gridcast::scenario
