#include "sim/history/event_log_writer.hpp"

#include <cmath>
#include <ostream>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/history/event_log_text.hpp"

namespace gridcast {
namespace {

// VacateReasonCode of an eviction; holds of running jobs have their hold code instead.
int vacate_code(Reason reason) {
  switch (reason) {
    case Reason::pilot_ended:
      return 1013;  // the startd shuts down
    case Reason::manual:
      return 1022;  // condor_vacate_job
    case Reason::policy:
      return 1000;  // periodic_vacate
    case Reason::none:
      return 1009;  // the claim was deactivated
    default:
      return 1007;  // an error of the starter
  }
}

class EventLogWriter {
 public:
  EventLogWriter(JobHistory const& history, std::ostream& out, EventLogOptions const& options)
      : log_(history, out, options), options_(options), runs_(history.jobs.size()) {}

  void add(JobEvent const& event) {
    now_ = EventLogText::stamp(event.at);
    Run& run = runs_[event.job.index()];
    if (event.site.valid()) run.point = {event.site, event.slot};
    write(event, run);
  }

  void finish() { log_.flush(); }

 private:
  // What the log has to remember of a job, in the log's own seconds.
  struct Run {
    ExecutionPoint point;
    std::int64_t matched = 0, transfer_began = 0, execution_began = 0;
    std::int64_t executed = 0, received = 0;          // of this run
    std::int64_t all_executed = 0, all_received = 0;  // of all runs
    bool claimed = false, executing = false, has_executed = false;
  };

  void write(JobEvent const& event, Run& run) {
    switch (event.kind) {
      case EventKind::submitted:
        return write_submission(event);
      case EventKind::matched:
        start_run(event, run);
        return write_transfer(event, "Entered queue to transfer input files");
      case EventKind::transfer_input_started:
        run.transfer_began = now_;
        return write_input_start(event, run);
      case EventKind::transfer_input_finished:
        run.received = std::llround(options_.input.value());
        run.all_received += run.received;
        return write_transfer(event, "Finished transferring input files");
      case EventKind::executing:
        run.executing = true;
        run.has_executed = true;
        run.execution_began = now_;
        return write_execution(event, run);
      case EventKind::transfer_output_started:
        stop_execution(run);
        return write_transfer(event, "Started transferring output files");
      case EventKind::transfer_output_finished:
        return write_transfer(event, "Finished transferring output files");
      default:
        return write_end(event, run);
    }
  }

  void write_end(JobEvent const& event, Run& run) {
    switch (event.kind) {
      case EventKind::terminated:
        stop_execution(run);
        write_termination(event, run);
        break;
      case EventKind::evicted:
        write_eviction(event, run, {vacate_code(event.reason), 0});
        break;
      case EventKind::shadow_exception:
        write_shadow_exception(event, run);
        break;
      case EventKind::held:
        if (run.claimed) write_eviction(event, run, hold_code(event.reason));
        write_hold(event, run);
        break;
      case EventKind::released:
        write_note(event, 13, "Job was released.", "condor_release", "PeriodicRelease");
        break;
      case EventKind::aborted:
        if (run.claimed) write_eviction(event, run, {1023, 0});
        write_note(event, 9, "Job was aborted.", "condor_rm", "PeriodicRemove");
        break;
      default:
        break;
    }
    run.claimed = false;
  }

  void start_run(JobEvent const& event, Run& run) {
    run.point = {event.site, event.slot};
    run.matched = now_;
    run.claimed = true;
    run.has_executed = false;
    run.executed = run.received = 0;
  }

  void stop_execution(Run& run) {
    if (!run.executing) return;
    run.executing = false;
    run.executed = now_ - run.execution_began;
    run.all_executed += run.executed;
  }

  void write_submission(JobEvent const& event) {
    log_.begin(0, event.job, now_);
    log_.add(
        "Job submitted from host: <10.255.0.1:9618?addrs=10.255.0.1-9618&noUDP&sock=schedd>\n");
    if (!options_.note.empty()) log_.add("    {}\n", options_.note);
    log_.end();
  }

  void write_transfer(JobEvent const& event, std::string_view what) {
    log_.begin(40, event.job, now_);
    log_.add("{}\n", what);
    log_.end();
  }

  void write_input_start(JobEvent const& event, Run const& run) {
    log_.begin(40, event.job, now_);
    log_.add("Started transferring input files\n\tTransferring to host: ");
    log_.add_address(run.point);
    log_.end();
  }

  void write_execution(JobEvent const& event, Run const& run) {
    log_.begin(1, event.job, now_);
    log_.add("Job executing on host: ");
    log_.add_address(run.point);
    log_.add_slot_attributes(run.point);
    log_.end();
  }

  void write_termination(JobEvent const& event, Run const& run) {
    int const status = event.useful ? 0 : 1;
    log_.begin(5, event.job, now_);
    log_.add("Job terminated.\n\t(1) Normal termination (return value {})\n", status);
    log_.add_usage(run.executed, "Run Remote");
    log_.add_usage(0, "Run Local");
    log_.add_usage(run.all_executed, "Total Remote");
    log_.add_usage(0, "Total Local");
    log_.add_bytes(run.received, "Run");
    log_.add_bytes(run.all_received, "Total");
    write_resources(run);
    log_.add("\n\tJob terminated of its own accord at ");
    log_.add_date(now_, 'T');
    log_.add("Z with exit-code {}.\n", status);
    log_.end();
  }

  void write_eviction(JobEvent const& event, Run& run, HoldCode code) {
    stop_execution(run);
    log_.begin(4, event.job, now_);
    log_.add("Job was evicted. Code {} Subcode {}\n\t(0) CPU times\n", code.code, code.subcode);
    log_.add_usage(run.executed, "Run Remote");
    log_.add_usage(0, "Run Local");
    log_.add_bytes(run.received, "Run");
    log_.add("\tReason: ");
    add_eviction_reason(event, run);
    write_resources(run);
    log_.end();
  }

  // A hold is told in the words of the 012 that follows.
  void add_eviction_reason(JobEvent const& event, Run const& run) {
    bool const decided = event.reason == Reason::manual || event.reason == Reason::policy;
    if (event.kind == EventKind::aborted) {
      log_.add_decision(event.reason, "condor_rm", "PeriodicRemove");
    } else if (event.kind == EventKind::evicted && decided) {
      log_.add_decision(event.reason, "condor_vacate_job", "PeriodicVacate");
    } else {
      log_.add_reason(event.reason, run.point, now_ - run.transfer_began);
    }
  }

  void write_resources(Run const& run) {
    log_.add_resources(run.point);
    if (!run.has_executed) return;
    log_.add_time_row("TimeExecute (s)", run.executed);
    log_.add_time_row("TimeSlotBusy (s)", now_ - run.matched);
  }

  void write_shadow_exception(JobEvent const& event, Run& run) {
    stop_execution(run);
    log_.begin(7, event.job, now_);
    log_.add("Shadow exception!\n\t");
    log_.add_reason(event.reason, run.point, now_ - run.transfer_began);
    log_.add_bytes(run.received, "Run");
    log_.end();
  }

  void write_hold(JobEvent const& event, Run const& run) {
    auto const code = hold_code(event.reason);
    log_.begin(12, event.job, now_);
    log_.add("Job was held.\n\t");
    log_.add_reason(event.reason, run.point, now_ - run.transfer_began);
    log_.add("\tCode {} Subcode {}\n", code.code, code.subcode);
    log_.end();
  }

  // A release or a removal.
  void write_note(JobEvent const& event, int number, std::string_view what,
                  std::string_view command, std::string_view expression) {
    log_.begin(number, event.job, now_);
    log_.add("{}\n\t", what);
    log_.add_decision(event.reason, command, expression);
    log_.end();
  }

  EventLogText log_;
  EventLogOptions const& options_;
  std::vector<Run> runs_;  // indexed by Id<Job>
  std::int64_t now_ = 0;
};

}  // namespace

void write_event_log(JobHistory const& history, std::ostream& out, EventLogOptions const& options) {
  if (!history.dated) {
    throw InputError({{}, "no event log can be written of this history", "it has no dates", ""});
  }
  EventLogWriter writer(history, out, options);
  for (auto const& event : history.events) writer.add(event);
  writer.finish();
}

}  // namespace gridcast
