// A recorded job as a script for its replay: what a row of a job table says of its attempts, one
// after the other.
#pragma once

#include <vector>

#include "sim/base/random.hpp"
#include "sim/history/job_table.hpp"

namespace gridcast::engine {

struct ScriptedAttempt {
  history::EventKind failed_by =
      history::EventKind::shadow_exception;  // evicted, shadow_exception or held
  history::Reason reason = history::Reason::none;
  Id<history::Site> site;
  Seconds cost;      // its share of the retried time
  Seconds executed;  // of an eviction: computing that the row proves
};

/// The attempt that got through: the last of the row.
struct ScriptedEnd {
  Id<history::Site> site;
  bool transferred = false;
  Seconds transfer;
  bool executed = false;
  Seconds execution;
  Seconds teardown;
  history::EventKind kind =
      history::EventKind::terminated;  // submitted: nothing more is known of the job
  history::Reason reason = history::Reason::none;
  bool useful = true;
};

struct Script {
  std::vector<ScriptedAttempt> failures;
  ScriptedEnd end;
  bool started = false;  // the row shows at least one attempt
};

/// The scripts of all jobs, in the table's order, and the history that names jobs and sites.
struct Scripts {
  history::JobHistory names;  // jobs and sites, no events
  std::vector<Script> jobs;

  /// The end of some successful job, at another site than `not_at` if there is any, else anywhere;
  /// null if no job succeeded. Drawn with equal probability.
  ScriptedEnd const* success_elsewhere(Id<history::Site> not_at, RandomStream& stream) const;
};

Scripts make_scripts(history::JobTable const& table);

}  // namespace gridcast::engine
