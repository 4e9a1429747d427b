#include "sim/import/submit_commands.hpp"

#include <algorithm>
#include <array>

#include "sim/base/text.hpp"

namespace gridcast::import {
namespace {

constexpr std::array harmless = {"universe",
                                 "log",
                                 "output",
                                 "error",
                                 "input",
                                 "stream_output",
                                 "stream_error",
                                 "stream_input",
                                 "notification",
                                 "notify_user",
                                 "batch_name",
                                 "jobbatchname",
                                 "environment",
                                 "env",
                                 "getenv",
                                 "should_transfer_files",
                                 "transfer_output_remaps",
                                 "transfer_output",
                                 "transfer_error",
                                 "transfer_executable",
                                 "transfer_checkpoint_files",
                                 "ulog_execute_attrs",
                                 "log_xml",
                                 "output_destination",
                                 "email_attributes",
                                 "description",
                                 "copy_to_spool",
                                 "allow_startup_script",
                                 "encrypt_input_files",
                                 "encrypt_output_files",
                                 "preserve_relative_paths",
                                 "x509userproxy",
                                 "use_x509userproxy",
                                 "use_oauth_services",
                                 "container_target_dir",
                                 "container_service_names",
                                 "transfer_container",
                                 "want_graceful_removal",
                                 "kill_sig",
                                 "remove_kill_sig",
                                 "kill_sig_timeout",
                                 "job_ad_information_attrs",
                                 "job_machine_attrs",
                                 "job_machine_attrs_history_length",
                                 "periodic_hold_reason",
                                 "on_exit_hold_reason",
                                 "arguments",
                                 "executable",
                                 "docker_image",
                                 "+SingularityImage",
                                 "+ProjectName",
                                 "+UserLogUseXML",
                                 "+SubmitterLeaveJobInQueue",
                                 "leave_in_queue",
                                 "submit_event_notes",
                                 "dagman_log",
                                 "docker_pull_policy",
                                 "cron_window"};

constexpr std::array without_simulation = {"request_cpus",
                                           "request_memory",
                                           "require_gpus",
                                           "gpus_maximum_capability",
                                           "gpus_minimum_runtime",
                                           "gpus_maximum_memory",
                                           "priority",
                                           "nice_user",
                                           "accounting_group",
                                           "accounting_group_user",
                                           "concurrency_limits",
                                           "deferral_time",
                                           "deferral_window",
                                           "next_job_start_delay",
                                           "hold",
                                           "noop_job",
                                           "keep_claim_idle",
                                           "max_transfer_input_mb",
                                           "max_transfer_output_mb",
                                           "stack_size",
                                           "image_size",
                                           "coresize",
                                           "job_machine_attrs_filter",
                                           "checkpoint_destination",
                                           "success_checkpoint",
                                           "vm_memory",
                                           "machine_count",
                                           "ready_cron",
                                           "retry_request_memory",
                                           "retry_request_memory_increase",
                                           "retry_request_memory_max",
                                           "dont_encrypt_input_files",
                                           "job_max_vacate_time",
                                           "allowed_job_slots",
                                           "rank_preferences",
                                           "undesired_sites",
                                           "+UNDESIRED_Sites",
                                           "+DESIRED_Sites",
                                           "periodic_remove_reason"};

constexpr std::array deciding = {"request_gpus",
                                 "request_disk",
                                 "gpus_minimum_memory",
                                 "gpus_minimum_capability",
                                 "transfer_input_files",
                                 "container_image",
                                 "transfer_output_files",
                                 "when_to_transfer_output",
                                 "initialdir",
                                 "max_retries",
                                 "retry_until",
                                 "success_exit_code",
                                 "on_exit_hold",
                                 "on_exit_hold_subcode",
                                 "on_exit_remove",
                                 "periodic_hold",
                                 "periodic_hold_subcode",
                                 "periodic_release",
                                 "periodic_remove",
                                 "periodic_vacate",
                                 "allowed_execute_duration",
                                 "allowed_job_duration",
                                 "job_lease_duration",
                                 "checkpoint_exit_code",
                                 "requirements",
                                 "rank",
                                 "max_idle",
                                 "max_materialize"};

template <class Names>
bool has(Names const& names, std::string_view command) {
  return std::any_of(names.begin(), names.end(),
                     [command](auto const& name) { return same_ignoring_case(name, command); });
}

}  // namespace

std::string attribute_of(std::string_view command) {
  std::string attribute = "+";
  for (char const c : command) {
    if (c != '_') attribute += c;
  }
  return attribute;
}

std::vector<std::string> const& deciding_submit_commands() {
  static std::vector<std::string> const names = [] {
    std::vector<std::string> all(deciding.begin(), deciding.end());
    for (char const* name : deciding) all.push_back(attribute_of(name));
    all.emplace_back("+JobDurationCategory");
    return all;
  }();
  return names;
}

SubmitEffect submit_effect(std::string_view command) {
  if (has(deciding_submit_commands(), command)) return SubmitEffect::decides;
  if (has(harmless, command)) return SubmitEffect::none;
  if (has(without_simulation, command)) return SubmitEffect::not_simulated;
  return SubmitEffect::unknown;
}

}  // namespace gridcast::import
