#include "sim/condor/event_log_ends.hpp"

#include <cstdlib>

#include "sim/condor/event_log_reasons.hpp"

namespace gridcast::condor {
namespace {

constexpr history::HoldCode should_requeue = {1005, 0}, removed = {1023, 0};

// How a process ended, as 004 and 005 tell it.
int logged_exit(history::JobEvent const& event) {
  if (event.exit_code != 0) return event.exit_code;
  return event.useful && event.kind == history::EventKind::terminated ? 0 : 1;
}

// One end of one attempt.
class AttemptEnd {
 public:
  AttemptEnd(EventLogFrame& frame, history::JobEvent const& event, LogRun const& run)
      : frame_(frame),
        log_(frame.log),
        options_(frame.options),
        now_(frame.now.seconds),
        event_(event),
        run_(run) {}

  void write() {
    switch (event_.kind) {
      case history::EventKind::terminated:
        write_termination();
        break;
      case history::EventKind::requeued:
        write_requeue();
        break;
      case history::EventKind::evicted:
        if (told_by_starter(event_)) write_starter_error();
        write_eviction(vacate_code(event_));
        break;
      case history::EventKind::shadow_exception:
        write_shadow_exception();
        break;
      case history::EventKind::reconnect_failed:
        write_failed_reconnection();
        write_eviction(vacate_code(event_));
        break;
      case history::EventKind::held:
        if (run_.claimed && told_by_starter(event_)) write_starter_error();
        if (run_.claimed) write_eviction(logged_hold_code(event_));
        write_hold();
        break;
      default:
        if (run_.claimed) write_eviction(removed);
        write_decision(frame_, event_, run_,
                       {9, "Job was aborted.", "condor_rm", "PeriodicRemove"});
        break;
    }
  }

 private:
  void write_failed_reconnection() {
    frame_.begin(24, event_);
    log_.add("Job reconnection failed\n    ");
    add_reason(log_, options_, history::Reason::lost_contact, {});
    log_.add("\n    Can not reconnect to ");
    log_.add_slot(run_.point);
    log_.add(", rescheduling job\n");
    frame_.end(event_, run_);
  }

  void write_exit(int exit) {
    if (exit >= 0) return log_.add("\t(1) Normal termination (return value {})\n", exit);
    log_.add("\t(0) Abnormal termination (signal {})\n\t(0) No core file\n", -exit);
  }

  void write_termination() {
    int const exit = logged_exit(event_);
    frame_.begin(5, event_);
    log_.add("Job terminated.\n");
    write_exit(exit);
    log_.add_usage(run_.executed, "Run Remote");
    log_.add_usage(0, "Run Local");
    log_.add_usage(run_.all_executed, "Total Remote");
    log_.add_usage(0, "Total Local");
    log_.add_bytes(run_.received, "Run");
    log_.add_bytes(run_.all_received, "Total");
    write_resources();
    if (options_.version == CondorVersion::v23_9) {
      log_.add("\n\tJob terminated of its own accord at ");
      log_.add_date(now_, 'T');
      log_.add("Z with {} {}.\n", exit >= 0 ? "exit-code" : "signal", std::abs(exit));
    }
    frame_.end(event_, run_);
  }

  // "004 (...) Job was evicted." down to the bytes. `how`: what stands in place of the CPU times.
  void begin_eviction(history::HoldCode code, std::string_view how) {
    frame_.begin(4, event_);
    log_.add("Job was evicted.");
    if (options_.version == CondorVersion::v25) {
      log_.add(" Code {} Subcode {}", code.code, code.subcode);
    }
    log_.add("\n\t(0) {}\n", how);
    log_.add_usage(run_.executed, "Run Remote");
    log_.add_usage(0, "Run Local");
    log_.add_bytes(run_.received, "Run");
  }

  void write_eviction(history::HoldCode code) {
    begin_eviction(code, "CPU times");
    bool const coded = options_.version == CondorVersion::v25;
    if (has_words(event_.reason) || coded) {
      log_.add("{}", coded ? "\tReason: " : "\t");
      add_eviction_reason();
      log_.add("\n");
    }
    write_resources();
    frame_.end(event_, run_);
  }

  // A hold is told in the words of the 012 that follows.
  void add_eviction_reason() {
    if (!has_words(event_.reason)) return log_.add("Unspecified job interruption");
    bool const evicted = event_.kind == history::EventKind::evicted;
    if (event_.kind == history::EventKind::aborted) {
      add_decision(log_, event_.reason, "condor_rm", "PeriodicRemove");
    } else if (evicted && event_.reason == history::Reason::policy) {
      add_decision(log_, event_.reason, "condor_vacate_job", "PeriodicVacate");
    } else if (evicted && event_.reason == history::Reason::manual) {
      add_reason(log_, options_, history::Reason::vacated, context());
    } else {
      add_reason(log_, options_, event_.reason, context());
    }
  }

  // max_retries is an OnExitRemove; a job that it keeps has no table of resources.
  void write_requeue() {
    begin_eviction(event_.code != 0 ? vacate_code(event_) : should_requeue,
                   "Job terminated and was requeued");
    write_exit(logged_exit(event_));
    log_.add("\tThe job attribute OnExitRemove expression evaluated to FALSE\n");
    frame_.end(event_, run_);
  }

  void write_resources() {
    log_.add_resources(run_.point);
    if (!run_.has_executed) return;
    log_.add_time_row("TimeExecute (s)", run_.last_process);
    log_.add_time_row("TimeSlotBusy (s)", now_ - run_.matched);
  }

  void write_starter_error() {
    frame_.begin(21, event_);
    log_.add("Error from starter on ");
    log_.add_slot(run_.point);
    log_.add(":\n\t");
    add_reason(log_, options_, event_.reason, context());
    log_.add("\n");
    auto const code = event_.kind == history::EventKind::held
                          ? starter_code(logged_hold_code(event_))
                          : history::HoldCode{};
    if (code.code != 0) log_.add("\tCode {} Subcode {}\n", code.code, code.subcode);
    frame_.end(event_, run_);
  }

  void write_shadow_exception() {
    frame_.begin(7, event_);
    log_.add("Shadow exception!\n\t");
    add_words();
    log_.add_bytes(run_.received, "Run");
    frame_.end(event_, run_);
  }

  void write_hold() {
    auto const code = logged_hold_code(event_);
    frame_.begin(12, event_);
    log_.add("Job was held.\n\t");
    add_words();
    log_.add("\tCode {} Subcode {}\n", code.code, code.subcode);
    frame_.end(event_, run_);
  }

  void add_words() {
    if (!has_words(event_.reason)) return log_.add("Reason unspecified\n");
    add_reason(log_, options_, event_.reason, context());
    log_.add("\n");
  }

  ReasonContext context() const { return {run_.point, now_ - run_.transfer_began}; }

  EventLogFrame& frame_;
  EventLogText& log_;
  EventLogOptions const& options_;
  std::int64_t now_;
  history::JobEvent const& event_;
  LogRun const& run_;
};

}  // namespace

void write_attempt_end(EventLogFrame& frame, history::JobEvent const& event, LogRun& run) {
  run.stop_process(frame.now.seconds);
  AttemptEnd(frame, event, run).write();
  run.claimed = false;
}

void write_decision(EventLogFrame& frame, history::JobEvent const& event, LogRun const& run,
                    LoggedDecision const& decision) {
  frame.begin(decision.number, event);
  frame.log.add("{}\n", decision.what);
  if (has_words(event.reason)) {
    frame.log.add_text("\t");
    add_decision(frame.log, event.reason, decision.command, decision.expression);
    frame.log.add_text("\n");
  }
  frame.end(event, run);
}

}  // namespace gridcast::condor
