// The keys of a strategy that are commands of a submit file, by their groups.
#include "sim/scenario/tables.hpp"

namespace gridcast::scenario {
namespace {

constexpr char recorded_slots[] = "jobs run in the recorded slots in a replay";

constexpr Bounds exit_code() { return between(0, 255); }

}  // namespace

Table<JobPolicy> const& exit_policy_table() {
  static Table<JobPolicy> const table =
      Table<JobPolicy>("The meaning of an exit code")
          .optional("max_retries", &JobPolicy::max_retries,
                    "A job that exits otherwise than with success_exit_code runs again, at most "
                    "so often; 2 where only retry_until is given, else without it never. Failed "
                    "transfers, evictions and lost contact are not counted, and go on without end")
          .labelled("Runs again after a bad exit code")
          .remedies("compute_retried_s compute_wrong_output_s transfer_wrong_output_s")
          .optional("success_exit_code", &JobPolicy::success_exit_code, "The exit code of success",
                    exit_code())
          .labelled("Exit code of success")
          .optional("retry_until", &JobPolicy::retry_until,
                    "Never again when this holds, or with this exit code")
          .labelled("No more runs when")
          .optional("on_exit_hold", &JobPolicy::on_exit_hold,
                    "At an exit: held if this holds (code 3)")
          .labelled("Hold at an exit when")
          .optional("on_exit_hold_subcode", &JobPolicy::on_exit_hold_subcode,
                    "HoldReasonSubCode then")
          .labelled("Subcode of a hold at an exit")
          .idle([](Strategy const& each) { return !each.retry.policy.on_exit_hold; },
                "there is no on_exit_hold")
          .optional("on_exit_remove", &JobPolicy::on_exit_remove,
                    "At an exit: leaves the queue only if this holds")
          .labelled("Leave the queue at an exit when")
          .optional("crash_holds", &JobPolicy::crash_holds,
                    "Held (code 12) after a crash, because listed output files are "
                    "not there")
          .labelled("Hold a job after a crash")
          .not_replayed(recorded_executions)
          .optional("outputs_unlisted", &JobPolicy::outputs_unlisted,
                    "No transfer_output_files: HTCondor waits between input and execution, so that "
                    "it can separate new files from old")
          .labelled("The submit file lists no output files")
          .not_replayed(recorded_executions);
  return table;
}

Table<JobPolicy> const& periodic_policy_table() {
  static Table<JobPolicy> const table =
      Table<JobPolicy>("Rules that are checked periodically")
          .optional("periodic_hold", &JobPolicy::periodic_hold,
                    "A job that is not held is held when this holds (code 3)")
          .labelled("Hold a job when")
          .optional("periodic_hold_subcode", &JobPolicy::periodic_hold_subcode,
                    "HoldReasonSubCode then")
          .labelled("Subcode of such a hold")
          .idle([](Strategy const& each) { return !each.retry.policy.periodic_hold; },
                "there is no periodic_hold")
          .optional("periodic_release", &JobPolicy::periodic_release,
                    "A held job is released when this holds, unless a person held it")
          .labelled("Release a held job when")
          .remedies("transfer_held_s compute_held_s")
          .optional("periodic_remove", &JobPolicy::periodic_remove,
                    "A job leaves the queue undone when this holds")
          .labelled("Remove a job when")
          .optional("periodic_vacate", &JobPolicy::periodic_vacate,
                    "A running job goes back to the queue when this holds")
          .labelled("Evict a running job when");
  return table;
}

Table<JobPolicy> const& request_policy_table() {
  static Table<JobPolicy> const table =
      Table<JobPolicy>("Requests that depend on the job's attempts")
          .optional("request_memory", &JobPolicy::request_memory,
                    "RequestMemory in MB, instead of the campaign's request")
          .labelled("Memory request after failures (MB)")
          .not_replayed(recorded_executions)
          .optional("request_disk", &JobPolicy::request_disk,
                    "RequestDisk in KB, instead of the campaign's request")
          .labelled("Disk request after failures (KB)")
          .not_replayed(recorded_executions)
          .optional("retry_request_memory", &JobPolicy::retry_request_memory,
                    "A job that needs more memory than it requests is evicted and requests this "
                    "many MB from then on; of a list the next. It is held (code 34) if that is no "
                    "more than before")
          .labelled("Memory request after too little memory (MB)")
          .not_replayed(recorded_executions)
          .optional("retry_request_disk", &JobPolicy::retry_request_disk,
                    "The same for disk, in KB")
          .labelled("Disk request after too little disk (KB)")
          .not_replayed(recorded_executions);
  return table;
}

Table<JobPolicy> const& plugin_policy_table() {
  static Table<JobPolicy> const table =
      Table<JobPolicy>("Settings of transfer plugins")
          .optional("plugin_lifetime", &JobPolicy::plugin_lifetime,
                    "A transfer plugin is killed after this long "
                    "(MAX_FILE_TRANSFER_PLUGIN_LIFETIME); without it, after 20 h",
                    positive())
          .labelled("Longest time of a transfer");
  return table;
}

Table<JobPolicy> const& match_policy_table() {
  static Table<JobPolicy> const table =
      Table<JobPolicy>("Which slots a job takes")
          .optional("requirements", &JobPolicy::requirements, "Only slots for which this holds")
          .labelled("Only slots where")
          .remedies("suspended_s")
          .not_replayed(recorded_slots)
          .optional("rank", &JobPolicy::rank, "Among several slots, the highest value wins")
          .labelled("Preferred slots")
          .not_replayed(recorded_slots);
  return table;
}

Table<JobPolicy> const& limits_policy_table() {
  static Table<JobPolicy> const table =
      Table<JobPolicy>("How long a job may take")
          .optional("allowed_execute_duration", &JobPolicy::allowed_execute_duration,
                    "Held (code 47) when its program has run so long, or so long since its last "
                    "checkpoint",
                    positive())
          .labelled("Longest execution before a hold")
          .optional("allowed_job_duration", &JobPolicy::allowed_job_duration,
                    "Held (code 46) when an attempt with its transfers has taken so long",
                    positive())
          .labelled("Longest attempt before a hold")
          .optional("job_lease_duration", &JobPolicy::job_lease_duration,
                    "How long a job without contact is waited for; without it, 40 min "
                    "(JOB_DEFAULT_LEASE_DURATION)",
                    positive())
          .labelled("Wait for a job without contact")
          .remedies("contact_lost_s")
          .not_replayed("contact is lost in a replay as in the record");
  return table;
}

Table<JobPolicy> const& checkpoint_policy_table() {
  static Table<JobPolicy> const table =
      Table<JobPolicy>("Jobs that checkpoint themselves")
          .optional("every_epochs", &JobPolicy::checkpoint_every_epochs,
                    "The program exits for a checkpoint after so many epochs, but not after the "
                    "last; 0: never, or as in the catalogue's profile")
          .labelled("Epochs between checkpoints")
          .remedies("compute_evicted_s checkpoint_s")
          .not_replayed(recorded_executions)
          .optional("exit_code", &JobPolicy::checkpoint_exit_code,
                    "The exit code of such an exit (checkpoint_exit_code)", exit_code())
          .labelled("Exit code at a checkpoint")
          .idle([](Strategy const& each) { return each.retry.policy.checkpoint_every_epochs == 0; },
                "the program makes no checkpoints (every_epochs)")
          .not_replayed(recorded_executions);
  return table;
}

}  // namespace gridcast::scenario
