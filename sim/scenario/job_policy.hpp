// What a submit file says of a job's own policy: expressions that hold, release, remove and vacate
// it, what its exit code means, and how long it may take. Empty: HTCondor's defaults.
// condor_submit, "Policy commands" (HTCondor manual).
#pragma once

#include <optional>
#include <string_view>

#include "sim/base/units.hpp"
#include "sim/classad/expression.hpp"

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
  /// No transfer_output_files: what is new comes home, and so that it can tell what is, HTCondor waits for a
  /// second between input and execution (FileTransfer, upload_changed_files).
  bool outputs_unlisted = false;
};

// The attributes that simulated jobs and slots have, for whoever has to say before the simulation
// what an expression will find undefined. The engine's ads hold exactly these. (HTCondor manual,
// "Job ClassAd attributes", "Machine ClassAd attributes".)
bool is_job_attribute(std::string_view name);
bool is_slot_attribute(std::string_view name);

}  // namespace gridcast::scenario
