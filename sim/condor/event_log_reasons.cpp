#include "sim/condor/event_log_reasons.hpp"

#include <cmath>

namespace gridcast::condor {
namespace {

constexpr int download_failed = 12, upload_failed = 13;  // as the starter counts
constexpr int input_hold = 13, output_hold = 12;         // as the schedd does

void add_starter_error(EventLogText& log, ExecutionPoint const& point) {
  log.add("Error from ");
  log.add_slot(point);
  log.add(": ");
}

// "Transfer input files failure at execution point SLOT using protocol osdf. Details: "
void add_input_failure(EventLogText& log, ExecutionPoint const& point, std::string_view protocol) {
  log.add("Transfer input files failure at execution point ");
  log.add_slot(point);
  log.add(" using protocol {}. Details: ", protocol);
}

void add_output_failure(EventLogText& log, ExecutionPoint const& point) {
  log.add("Transfer output files failure at execution point ");
  log.add_slot(point);
  log.add(" while sending files to access point 10.255.0.1. Details: ");
}

// The plugin is called by the URL's scheme.
std::string_view protocol_of(EventLogOptions const& options) {
  std::string_view const url = options.url;
  return url.empty() ? "osdf" : url.substr(0, url.find(':'));
}

void add_plugin_error(EventLogText& log, EventLogOptions const& options,
                      ExecutionPoint const& point, std::string_view what) {
  add_input_failure(log, point, protocol_of(options));
  log.add("Pelican Client Error: {}", what);
  if (!options.url.empty()) log.add(" ( URL file = {} )", options.url);
  log.add("|");
}

// The words of the transfer plugins and of the starter, which fetches and unpacks the input.
void add_transfer_reason(EventLogText& log, EventLogOptions const& options, history::Reason reason,
                         ReasonContext const& context) {
  switch (reason) {
    case history::Reason::transfer_stalled:
      add_starter_error(log, context.point);
      return log.add("Input File transfer stalled for {} seconds", context.elapsed);
    case history::Reason::transfer_failed:
      return add_plugin_error(log, options, context.point, "failed download");
    case history::Reason::not_found:
      return add_plugin_error(log, options, context.point, "404 page not found");
    case history::Reason::transfer_timeout:
      add_input_failure(log, context.point, protocol_of(options));
      return log.add("File transfer plugin killed after {} seconds", context.elapsed);
    case history::Reason::no_progress:
      add_input_failure(log, context.point, "https");
      return log.add("Aborted due to lack of progress");
    case history::Reason::output_missing:
      add_output_failure(log, context.point);
      return log.add("reading from file result: (errno 2) No such file or directory");
    case history::Reason::output_failed:
      add_output_failure(log, context.point);
      return log.add("sending file result: connection reset by peer");
    default:
      return;
  }
}

// The words of the starter about the job itself.
void add_starter_reason(EventLogText& log, EventLogOptions const& options, history::Reason reason,
                        ExecutionPoint const& point) {
  add_starter_error(log, point);
  switch (reason) {
    case history::Reason::site_network_down:
      return log.add("Network is unreachable");
    case history::Reason::corrupt_input:
      return log.add("This does not look like a tar archive");
    case history::Reason::checkpoint_failed:
      return log.add("Starter failed to upload checkpoint");
    case history::Reason::out_of_resources:
      if (options.memory_mb == 0) return log.add("Job has gone over cgroup memory limit");
      return log.add("Job has gone over cgroup memory limit of {} megabytes", options.memory_mb);
    default:
      return;
  }
}

// The words of the schedd, the shadow and the startd.
void add_daemon_reason(EventLogText& log, EventLogOptions const& options, history::Reason reason) {
  switch (reason) {
    case history::Reason::input_too_large:
      return log.add(
          "TransferInputSizeMB ({}) is greater than MAX_TRANSFER_INPUT_MB ({}) at submit time",
          std::llround(std::ceil(options.input.value() / (1024 * 1024))),
          options.max_transfer_input_mb);
    case history::Reason::execution_too_long:
      log.add("The job exceeded allowed execute duration of ");
      return log.add_duration(options.allowed_execute);
    case history::Reason::job_too_long:
      log.add("The job exceeded allowed job duration of ");
      return log.add_duration(options.allowed_job);
    case history::Reason::pilot_ended:
      return log.add("The startd is shutting down");
    case history::Reason::manual:
      return log.add("via condor_hold (by user gridcast)");
    case history::Reason::policy:
      return log.add("The job attribute PeriodicHold expression evaluated to TRUE");
    case history::Reason::exit_code:
    case history::Reason::killed_by_signal:
      return log.add("The job attribute OnExitHold expression evaluated to TRUE");
    case history::Reason::vacated:
      return log.add("User requested the job to vacate");
    case history::Reason::lost_contact:
      return log.add("Job disconnected too long: JobLeaseDuration ({} seconds) expired",
                     EventLogText::stamp(options.job_lease).seconds);
    case history::Reason::system:
      return log.add("The access point's system policy");
    default:
      return;
  }
}

}  // namespace

history::HoldCode vacate_code(history::JobEvent const& event) {
  if (event.code != 0) return {event.code, event.subcode};
  switch (event.reason) {
    case history::Reason::policy:
      return {1000, 0};  // periodic_vacate
    case history::Reason::manual:
    case history::Reason::vacated:
      return {1004, 0};  // condor_vacate_job
    case history::Reason::lost_contact:
      return {1008, 0};
    case history::Reason::pilot_ended:
      return {1013, 0};  // the startd shuts down
    case history::Reason::none:
    case history::Reason::unknown:
      return {1009, 0};  // the claim was deactivated
    default:
      return {1007, 0};  // an error of the starter
  }
}

history::HoldCode logged_hold_code(history::JobEvent const& event) {
  return event.code != 0 ? history::HoldCode{event.code, event.subcode}
                         : history::hold_code(event.reason);
}

history::HoldCode starter_code(history::HoldCode hold) {
  if (hold.code == input_hold) return {download_failed, hold.subcode};
  if (hold.code == output_hold) return {upload_failed, hold.subcode};
  return {};
}

bool told_by_starter(history::JobEvent const& event) {
  if (event.kind == history::EventKind::held)
    return starter_code(logged_hold_code(event)).code != 0;
  return event.kind == history::EventKind::evicted &&
         event.reason == history::Reason::transfer_stalled;
}

bool has_words(history::Reason reason) {
  return reason != history::Reason::none && reason != history::Reason::unknown;
}

void add_reason(EventLogText& log, EventLogOptions const& options, history::Reason reason,
                ReasonContext const& context) {
  switch (reason) {
    case history::Reason::transfer_stalled:
    case history::Reason::transfer_failed:
    case history::Reason::not_found:
    case history::Reason::transfer_timeout:
    case history::Reason::no_progress:
    case history::Reason::output_missing:
    case history::Reason::output_failed:
      return add_transfer_reason(log, options, reason, context);
    case history::Reason::site_network_down:
    case history::Reason::corrupt_input:
    case history::Reason::checkpoint_failed:
    case history::Reason::out_of_resources:
      return add_starter_reason(log, options, reason, context.point);
    default:
      return add_daemon_reason(log, options, reason);
  }
}

void add_decision(EventLogText& log, history::Reason reason, std::string_view command,
                  std::string_view expression) {
  if (reason == history::Reason::policy) {
    log.add("The job attribute {} expression evaluated to TRUE", expression);
  } else if (has_words(reason)) {
    log.add("via {} (by user gridcast)", command);
  }
}

}  // namespace gridcast::condor
