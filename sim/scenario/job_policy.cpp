#include "sim/scenario/job_policy.hpp"

#include <set>

#include "sim/base/text.hpp"
#include "sim/scenario/tables.hpp"

namespace gridcast::scenario {
namespace {

using Names = std::set<std::string, LessIgnoringCase>;

/// The words of a text.
Names names_in(std::string_view text) {
  auto const words = split(text, ' ');
  return {words.begin(), words.end()};
}

constexpr Bounds exit_code() { return between(0, 255); }

}  // namespace

bool is_job_attribute(std::string_view name) {
  static Names const names = names_in(
      "ClusterId ProcId JobStatus JobUniverse HoldReasonCode HoldReasonSubCode NumHolds "
      "NumSystemHolds NumShadowStarts JobRunCount NumJobStarts NumJobMatches "
      "NumInputTransferStarts NumJobCoolDowns NumVacates NumJobCompletions JobMaxRetries "
      "JobSuccessExitCode ExitCode ExitBySignal QDate EnteredCurrentStatus JobStartDate "
      "JobCurrentStartDate JobCurrentStartExecutingDate CurrentTime ServerTime "
      "RequestGPUs LastRemoteHost GLIDEIN_ResourceName MachineAttrGLIDEIN_ResourceName0 "
      "LastRemotePool");
  return names.contains(name);
}

bool is_slot_attribute(std::string_view name) {
  static Names const names = names_in(
      "GLIDEIN_ResourceName GLIDEIN_Site Arch OpSys HasFileTransfer HasSingularity GPUs "
      "TotalGPUs GPUs_DeviceName GPUs_Capability CUDACapability GPUs_GlobalMemoryMb Disk");
  return names.contains(name);
}

Table<JobPolicy> const& exit_policy_table() {
  static Table<JobPolicy> const table =
      Table<JobPolicy>("What an exit code means")
          .optional("max_retries", &JobPolicy::max_retries,
                    "A job that exits otherwise than with success_exit_code runs again, at most "
                    "so often; 2 where only retry_until is given, else without it never. Failed "
                    "transfers, evictions and lost contact are not counted, and go on without end")
          .optional("success_exit_code", &JobPolicy::success_exit_code, "The exit code of success",
                    exit_code())
          .optional("retry_until", &JobPolicy::retry_until,
                    "Never again when this holds, or with this exit code")
          .optional("on_exit_hold", &JobPolicy::on_exit_hold,
                    "At an exit: held if this holds (code 3)")
          .optional("on_exit_hold_subcode", &JobPolicy::on_exit_hold_subcode,
                    "HoldReasonSubCode then")
          .optional("on_exit_remove", &JobPolicy::on_exit_remove,
                    "At an exit: leaves the queue only if this holds")
          .optional("crash_holds", &JobPolicy::crash_holds,
                    "Held (code 12) after a crash, because output files that are asked for are "
                    "not there")
          .optional("outputs_unlisted", &JobPolicy::outputs_unlisted,
                    "No transfer_output_files: HTCondor waits between input and execution, so that "
                    "it can tell new files from old");
  return table;
}

Table<JobPolicy> const& periodic_policy_table() {
  static Table<JobPolicy> const table =
      Table<JobPolicy>("What is looked at again and again")
          .optional("periodic_hold", &JobPolicy::periodic_hold,
                    "A job that is not held is held when this holds (code 3)")
          .optional("periodic_hold_subcode", &JobPolicy::periodic_hold_subcode,
                    "HoldReasonSubCode then")
          .optional("periodic_release", &JobPolicy::periodic_release,
                    "A held job is released when this holds, unless a person held it")
          .optional("periodic_remove", &JobPolicy::periodic_remove,
                    "A job leaves the queue undone when this holds")
          .optional("periodic_vacate", &JobPolicy::periodic_vacate,
                    "A running job goes back to the queue when this holds");
  return table;
}

Table<JobPolicy> const& plugin_policy_table() {
  static Table<JobPolicy> const table =
      Table<JobPolicy>("Of transfer plugins")
          .optional("plugin_lifetime", &JobPolicy::plugin_lifetime,
                    "A transfer plugin is killed after this long "
                    "(MAX_FILE_TRANSFER_PLUGIN_LIFETIME); without it, after 20 h",
                    positive());
  return table;
}

Table<JobPolicy> const& match_policy_table() {
  static Table<JobPolicy> const table =
      Table<JobPolicy>("Which slots a job takes")
          .optional("requirements", &JobPolicy::requirements, "Only slots for which this holds")
          .optional("rank", &JobPolicy::rank, "Of several slots, that with the highest value");
  return table;
}

Table<JobPolicy> const& limits_policy_table() {
  static Table<JobPolicy> const table =
      Table<JobPolicy>("How long a job may take")
          .optional("allowed_execute_duration", &JobPolicy::allowed_execute_duration,
                    "Held (code 47) when its program has run so long, or so long since its last "
                    "checkpoint",
                    positive())
          .optional("allowed_job_duration", &JobPolicy::allowed_job_duration,
                    "Held (code 46) when an attempt with its transfers has taken so long",
                    positive())
          .optional("job_lease_duration", &JobPolicy::job_lease_duration,
                    "How long a job without contact is waited for; without it, 40 min "
                    "(JOB_DEFAULT_LEASE_DURATION)",
                    positive());
  return table;
}

Table<JobPolicy> const& checkpoint_policy_table() {
  static Table<JobPolicy> const table =
      Table<JobPolicy>("Jobs that checkpoint themselves")
          .optional("every_epochs", &JobPolicy::checkpoint_every_epochs,
                    "The program exits for a checkpoint after so many epochs; 0: never, or as the "
                    "catalogue's profile says")
          .optional("exit_code", &JobPolicy::checkpoint_exit_code,
                    "With this code (checkpoint_exit_code)", exit_code());
  return table;
}

}  // namespace gridcast::scenario
