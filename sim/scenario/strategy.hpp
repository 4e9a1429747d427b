// A strategy: the rules for transfers, retries, releases and matching, and the policy of a job in
// its submit file: expressions that hold, release, remove and vacate it, the meaning of its exit
// code, and its time limits (condor_submit, "Policy commands", HTCondor manual; empty: HTCondor's
// defaults). Plain values; the pure functions in sim/strategy/decisions.hpp decide. Each field is a
// key of a scenario, and a row of the tables in strategy.cpp.
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
  Rule request_memory, request_disk;              // in MB and KB, instead of the campaign's
  Rule retry_request_memory, retry_request_disk;  // after an attempt that needed more
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
  bool crash_holds = false;  // transfer_output_files names files that a crash does not leave
  /// No transfer_output_files: HTCondor transfers all new files. To recognise them, it waits for a
  /// second between input and execution (FileTransfer, upload_changed_files), except if it moves no
  /// files at all (should_transfer_files = NO).
  bool outputs_unlisted = false;

  bool operator==(JobPolicy const&) const = default;
};

// The attributes of simulated jobs and slots. The engine's ads contain exactly these, so an
// undefined name in an expression is known before the simulation. (HTCondor manual, "Job ClassAd
// attributes", "Machine ClassAd attributes".)
bool is_job_attribute(std::string_view name);
/// The attributes of an expression that simulated jobs do not have. If the expression is evaluated
/// beside a slot, the attributes of slots are known too.
std::vector<std::string> unknown_names(classad::Expression const& expression, bool with_slot);

enum class Protocol {
  osdf,      // Pelican: caches in the director's order
  http,      // HTCondor's curl plugin, straight from the origin
  htcondor,  // the access point sends the files itself (CEDAR)
};

enum class OnStall {
  requeue,     // the starter gives up, shadow exception, back to the queue
  next_cache,  // the Pelican client tries the next cache; requeue when none is left
};

/// The effect of the starter's timer (STARTER_FILE_XFER_STALL_TIMEOUT) on transfers by a plugin.
enum class StallTimer {
  silence,         // as documented: ends a transfer without a byte for so long
  whole_transfer,  // sees none of a plugin's bytes: ends every transfer that lasts longer
  never,
};

/// transfer: the way of the input, and the timers that end an attempt.
struct TransferStrategy {
  Protocol protocol = Protocol::osdf;
  StallTimer stall_timer = StallTimer::silence;
  Seconds stall_timeout = Seconds(3600);  // STARTER_FILE_XFER_STALL_TIMEOUT
  Seconds first_check = Seconds(20);      // the starter's first look, after the transfer's start
  Seconds check_interval = Seconds(300);  // from one look to the next
  OnStall on_stall = OnStall::requeue;
  Seconds client_timeout = {};    // Client.StoppedTransferTimeout; zero: stall_timeout
  Seconds slow_after = {};        // Pelican ends a slow transfer after so long; zero: 130 s
  bool resume = false;            // keep the bytes that arrived (Pelican >= 7.16)
  int max_shadow_exceptions = 2;  // MAX_SHADOW_EXCEPTIONS: then the claim is given back
  int most_at_a_time = 0;         // transfers of a site at a time; 0: no limit

  bool operator==(TransferStrategy const&) const = default;
};

enum class OnTransferFailure {
  requeue,    // idle at once
  cool_down,  // FEATURE:PelicanRetryPolicy (param_info.in): idle, unmatchable for a while
  hold,       // hold with code 13 at once
  recorded,   // as in the calibrated campaign: held with a probability, else requeue
};

/// retry: the action of the access point after a failed input transfer.
struct RetryStrategy {
  OnTransferFailure on_transfer_failure = OnTransferFailure::recorded;
  Seconds delay_min, delay_max;  // cool_down: one delay a job, drawn between these
  int times = 4;                 // cool_down: then held
  JobPolicy policy = {};

  bool operator==(RetryStrategy const&) const = default;
};

/// release: a periodic_release expression.
struct ReleaseStrategy {
  std::optional<Seconds>
      transfer_holds_after;  // release code 13 after this long; none: people only
  int times = 10;            // releases by policy a job

  bool operator==(ReleaseStrategy const&) const = default;
};

/// match: requirements that follow from the failures of the job.
struct MatchStrategy {
  std::optional<int> avoid_site_after_stalls;  // without either: never avoid
  Seconds avoid_site_for;
  std::optional<int> avoid_site_after_failures = {};
  std::vector<std::string> avoid_hosts = {};  // requirements = (Machine != "...") && ...

  bool avoids_sites() const { return avoid_site_after_stalls || avoid_site_after_failures; }

  bool operator==(MatchStrategy const&) const = default;
};

struct CatalogueWork;

/// The workload that a profile's name stands for, once it is looked up. Strategies compare by the
/// name: one scenario has one workload of a name.
struct NamedWork {
  std::shared_ptr<CatalogueWork const> work = {};

  bool operator==(NamedWork const&) const { return true; }
};

enum class DataAccess {
  copy,    // the input is fetched first, training reads the slot's disk
  stream,  // training reads its data over the network when it needs them
};

/// training: the data access and the checkpoints of a workload of the catalogue.
struct TrainingStrategy {
  DataAccess data = DataAccess::copy;
  std::string profile;  // of the catalogue, instead of the campaign's; empty: the campaign's
  int checkpoint_every_steps = 0;
  Seconds checkpoint_every = {};  // of training time
  NamedWork catalogue = {};       // of `profile`

  bool operator==(TrainingStrategy const&) const = default;
};

/// submit: changes of the campaign itself. An empty value is the campaign's own.
struct SubmitStrategy {
  std::optional<int> max_materialize = {};        // jobs in the queue; 0: no limit
  int jobs_at_a_time = 0;                         // staged submission; 0: as the campaign does
  Seconds every = {};                             // ... from one group of jobs to the next
  int gpus = 0;                                   // request_gpus; 0: the campaign's
  int jobs_in_one = 1;                            // jobs of the campaign that one job computes
  int input_parts = 1;                            // files that each input file is split into
  std::optional<Seconds> second_copy_after = {};  // of a job that has not ended by then

  bool operator==(SubmitStrategy const&) const = default;
};

/// The description of a strategy for people. It changes no simulation, so strategies compare
/// without it.
struct Description {
  std::string about = {};  // the change, and who must act
  Seconds work = {};       // of people, to make the change

  bool operator==(Description const&) const { return true; }
};

struct Strategy {
  std::string name = {};
  Software software = {};
  TransferStrategy transfer;
  RetryStrategy retry;
  ReleaseStrategy release;
  MatchStrategy match;
  TrainingStrategy training = {};
  SubmitStrategy submit = {};
  Description description = {};

  bool operator==(Strategy const&) const = default;
};

/// The default strategy of such software.
Strategy strategy_under(Software const& software);

}  // namespace gridcast::scenario
