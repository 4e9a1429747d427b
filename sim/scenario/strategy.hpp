// A strategy: what is decided about transfers, retries, releases and matching. Plain values; the
// decisions themselves are the pure functions in sim/strategy/decisions.hpp.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/scenario/job_policy.hpp"

namespace gridcast::scenario {

enum class Protocol {
  osdf,      // Pelican: caches in the director's order
  http,      // HTCondor's curl plugin, straight from the origin
  htcondor,  // the access point sends the files itself (CEDAR)
};

enum class OnStall {
  requeue,     // the starter gives up, shadow exception, back to the queue
  next_cache,  // the Pelican client asks the next cache; requeue when none is left
};

/// transfer: how input is fetched and when an attempt counts as stalled.
struct TransferStrategy {
  Protocol protocol = Protocol::osdf;
  Seconds stall_timeout = Seconds(3600);  // STARTER_FILE_XFER_STALL_TIMEOUT
  Seconds check_interval = Seconds(300);  // how often the starter looks
  OnStall on_stall = OnStall::requeue;
  bool resume = false;  // keep the bytes that arrived (Pelican >= 7.16)
};

enum class OnTransferFailure {
  requeue,    // idle at once; as in 2024 sometimes held (a job table's hold probability)
  cool_down,  // FEATURE:PelicanRetryPolicy (param_info.in): idle, unmatchable for a while
  hold,       // hold with code 13 at once
  recorded,   // as the calibration has it: of a job table requeue, of event logs hold
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
  int avoid_site_after_stalls = 0;  // 0: never avoid
  Seconds avoid_site_for;
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
  std::string name;
  TransferStrategy transfer;
  RetryStrategy retry;
  ReleaseStrategy release;
  MatchStrategy match;
  TrainingStrategy training = {};
};

}  // namespace gridcast::scenario
