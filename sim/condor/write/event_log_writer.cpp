#include "sim/condor/write/event_log_writer.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <ostream>
#include <string_view>

#include "sim/base/error.hpp"
#include "sim/condor/write/event_log_text.hpp"
#include "sim/history/per_job.hpp"

namespace gridcast::condor {
namespace {

constexpr history::HoldCode should_requeue = {1005, 0}, removed = {1023, 0};

}  // namespace

// The log's memory of a job, in whole seconds of the log's clock.
struct LogRun {
  SiteSlot point;
  std::uint16_t gpus = 0;  // of this run, as JobEvent::gpus
  int attempts = 0;
  std::int64_t matched = 0, queued = 0, transfer_began = 0, execution_began = 0;
  std::int64_t last_process = 0;                                  // time of the last process
  std::int64_t executed = 0, received = 0, sent = 0;              // of this run
  std::int64_t all_executed = 0, all_received = 0, all_sent = 0;  // of all runs
  bool claimed = false, executing = false, has_executed = false, output_open = false;
  bool reconnected = false;

  void start(std::int64_t at) {
    ++attempts;
    matched = queued = transfer_began = at;
    claimed = true;
    gpus = 0;
    has_executed = output_open = reconnected = false;
    last_process = executed = received = sent = 0;
  }

  void start_process(std::int64_t at) {
    claimed = executing = has_executed = true;
    execution_began = at;
  }

  void stop_process(std::int64_t at) {
    if (!executing) return;
    executing = false;
    last_process = at - execution_began;
    executed += last_process;
    all_executed += last_process;
  }
};

// The text, the time of the event that is being written, and which events frame it.
struct EventLogFrame {
  EventLogText log;
  LogStamp now;

  // One event out of these parts.
  template <class... Parts>
  void write(int number, JobEvent const& event, Parts const&... parts) {
    log.begin(number, event.job, now);
    log.put(parts...);
    log.end();
  }
};

namespace {

// A release (013) or a removal (009): its words, and the person or rule behind it.
struct LoggedDecision {
  int number = 0;
  std::string_view what, command, expression;
};

void write_decision(EventLogFrame& frame, JobEvent const& event, LoggedDecision const& decision) {
  frame.write(decision.number, event, decision.what, "\n", [&] {
    if (!has_words(event.reason)) return;
    frame.log.put("\t");
    add_decision(frame.log, event.reason, decision.command, decision.expression);
    frame.log.put("\n");
  });
}

// How a process ended, as 004 and 005 report it.
int logged_exit(JobEvent const& event) {
  if (event.exit_code != 0) return event.exit_code;
  return event.useful && event.kind == EventKind::terminated ? 0 : 1;
}

// How the end of an attempt is logged: 004, 005, 007, 009, 012, and the earlier words of the
// starter (021) and the shadow (024).
class AttemptEnd {
 public:
  AttemptEnd(EventLogFrame& frame, JobEvent const& event, LogRun const& run)
      : frame_(frame), log_(frame.log), now_(frame.now.seconds), event_(event), run_(run) {}

  void write() {
    switch (event_.kind) {
      case EventKind::terminated:
        return write_termination();
      case EventKind::requeued:
        return write_requeue();
      case EventKind::evicted:
        if (reported_by_starter(event_)) write_starter_error();
        return write_eviction(vacate_code(event_));
      case EventKind::shadow_exception:
        return write_event(
            7, "Shadow exception!\n\t", [this] { put_words(); },
            BytesMoved{run_.sent, run_.received, "Run"});
      case EventKind::reconnect_failed:
        write_event(
            24, "Job reconnection failed\n    ", [this] { put_why_no_contact(); },
            "\n    Can not reconnect to ", SlotName{run_.point}, ", rescheduling job\n");
        return write_eviction(vacate_code(event_));
      case EventKind::held:
        if (run_.claimed && reported_by_starter(event_)) write_starter_error();
        if (run_.claimed) write_eviction(logged_hold_code(event_));
        return write_hold();
      default:
        if (run_.claimed) write_eviction(removed);
        return write_decision(frame_, event_,
                              {9, "Job was aborted.", "condor_rm", "PeriodicRemove"});
    }
  }

 private:
  template <class... Parts>
  void write_event(int number, Parts const&... parts) {
    frame_.write(number, event_, parts...);
  }

  void put_exit(int exit) {
    if (exit >= 0) return log_.put("\t(1) Normal termination (return value ", exit, ")\n");
    log_.put("\t(0) Abnormal termination (signal ", -exit, ")\n\t(0) No core file\n");
  }

  void write_termination() {
    int const exit = logged_exit(event_);
    write_event(
        5, "Job terminated.\n", [&] { put_exit(exit); }, Usage{run_.executed, "Run Remote"},
        Usage{0, "Run Local"}, Usage{run_.all_executed, "Total Remote"}, Usage{0, "Total Local"},
        BytesMoved{run_.sent, run_.received, "Run"},
        BytesMoved{run_.all_sent, run_.all_received, "Total"},
        [&] {
          put_resources();
          if (log_.options().version != CondorVersion::v23_9) return;
          log_.put("\n\tJob terminated of its own accord at ", IsoSecond{now_}, "Z with ",
                   exit >= 0 ? "exit-code " : "signal ", std::abs(exit), ".\n");
        });
  }

  // "004 (...) Job was evicted." down to the bytes, then more. `how`: the text in place of the CPU
  // times.
  template <class... Parts>
  void write_eviction(history::HoldCode code, std::string_view how, Parts const&... parts) {
    auto const put_code = [&] {
      log_.put("Job was evicted.");
      if (with_codes()) log_.put(" Code ", code.code, " Subcode ", code.subcode);
    };
    write_event(4, put_code, "\n\t(0) ", how, "\n", Usage{run_.executed, "Run Remote"},
                Usage{0, "Run Local"}, BytesMoved{run_.sent, run_.received, "Run"}, parts...);
  }

  void write_eviction(history::HoldCode code) {
    auto const put_reason = [this] {
      if (!has_words(event_.reason) && !with_codes()) return;
      log_.put(with_codes() ? "\tReason: " : "\t");
      put_eviction_reason();
      log_.put("\n");
    };
    write_eviction(code, "CPU times", put_reason, [this] { put_resources(); });
  }

  void put_why_no_contact() {
    bool const gone = event_.reason == Reason::system;
    if (gone) return log_.put("Job not found at execution machine");
    add_reason(log_, Reason::lost_contact, {});
  }

  bool with_codes() const { return log_.options().version == CondorVersion::v25; }

  // A hold is described in the words of the 012 that follows.
  void put_eviction_reason() {
    if (event_.kind == EventKind::reconnect_failed) return put_why_no_contact();
    if (!has_words(event_.reason)) return log_.put("Unspecified job interruption");
    bool const evicted = event_.kind == EventKind::evicted;
    if (event_.kind == EventKind::aborted) {
      add_decision(log_, event_.reason, "condor_rm", "PeriodicRemove");
    } else if (evicted && event_.reason == Reason::policy) {
      add_decision(log_, event_.reason, "condor_vacate_job", "PeriodicVacate");
    } else if (evicted && event_.reason == Reason::output_failed) {
      log_.put("Error from ", SlotName{run_.point}, ": ", output_given_up);
    } else if (evicted && event_.reason == Reason::manual) {
      add_reason(log_, Reason::vacated, context());
    } else {
      add_reason(log_, event_.reason, context());
    }
  }

  // max_retries is an OnExitRemove; a job that it keeps has no table of resources.
  void write_requeue() {
    write_eviction(
        event_.code != 0 ? vacate_code(event_) : should_requeue, "Job terminated and was requeued",
        [this] { put_exit(logged_exit(event_)); },
        "\tThe job attribute OnExitRemove expression evaluated to FALSE\n");
  }

  void put_code(history::HoldCode code) {
    log_.put("\tCode ", code.code, " Subcode ", code.subcode, "\n");
  }

  void write_starter_error() {
    bool const held = event_.kind == EventKind::held;
    auto const code = held ? starter_code(logged_hold_code(event_)) : history::HoldCode{};
    auto const put_error = [&] {
      bool const given_up = !held && event_.reason == Reason::output_failed;
      if (given_up) return log_.put(output_given_up);
      add_reason(log_, event_.reason, context());
    };
    write_event(21, "Error from starter on ", SlotName{run_.point}, ":\n\t", put_error, "\n", [&] {
      if (code.code != 0) put_code(code);
    });
  }

  void write_hold() {
    write_event(
        12, "Job was held.\n\t", [this] { put_words(); },
        [this] { put_code(logged_hold_code(event_)); });
  }

  void put_words() {
    if (!has_words(event_.reason)) return log_.put("Reason unspecified\n");
    add_reason(log_, event_.reason, context());
    log_.put("\n");
  }

  void put_resources() {
    log_.put(ResourceTable{run_.point, run_.gpus});
    if (!run_.has_executed) return;
    log_.put(TimeRow{"TimeExecute (s)", run_.last_process},
             TimeRow{"TimeSlotBusy (s)", now_ - run_.matched});
  }

  ReasonContext context() const { return {run_.point, now_ - run_.transfer_began}; }

  EventLogFrame& frame_;
  EventLogText& log_;
  std::int64_t now_;
  JobEvent const& event_;
  LogRun const& run_;
};

}  // namespace

class EventLogWriter::Formatter {
 public:
  Formatter(JobHistory const& names, std::ostream& out, EventLogOptions const& options)
      : options_(options), frame_{EventLogText(names, out, options_), {}} {
    runs_.reserve(names.jobs.size());
    for (LoggedRun const& run : options_.runs) logged_runs_.emplace(run.job, run);
  }

  void add(JobEvent const& event) {
    frame_.now = EventLogText::stamp(event.at);
    if (event.kind == EventKind::submitted) return write_submission(event);
    LogRun& run = runs_[event.job];
    if (event.site.valid()) run.point = {event.site, event.slot, run.point.pilot};
    if (event.kind == EventKind::matched) run.start(now());
    if (event.gpus > 0) run.gpus = event.gpus;
    if (!ends_attempt(event.kind)) return write_step(event, run);
    run.stop_process(now());
    take_bytes(event, run);
    AttemptEnd(frame_, event, run).write();
    run.claimed = false;
  }

  void forget(Id<history::Job> job) { runs_.forget(job); }
  void finish() { frame_.log.flush(); }

 private:
  std::int64_t now() const { return frame_.now.seconds; }

  // An attempt's end and the event that sums up its bytes may be stamps of two processes.
  void take_bytes(JobEvent const& event, LogRun& run) {
    constexpr Seconds stamps_apart(2);
    auto const [first, last] =
        logged_runs_.equal_range(frame_.log.history().jobs[event.job.index()]);
    auto const logged = std::find_if(first, last, [&](auto const& each) {
      Seconds const at = each.second.at;
      return at >= event.at - stamps_apart && at <= event.at + stamps_apart;
    });
    if (logged == last) return;
    run.sent = std::llround(logged->second.sent.value_or(Bytes()).value());
    run.received = std::llround(logged->second.received.value_or(Bytes()).value());
    run.all_sent += run.sent;
    run.all_received += run.received;
  }

  void write_step(JobEvent const& event, LogRun& run) {
    switch (event.kind) {
      case EventKind::released:
        return write_decision(frame_, event,
                              {13, "Job was released.", "condor_release", "PeriodicRelease"});
      case EventKind::matched:
        run.point = {event.site, event.slot, event.pilot};
        return frame_.write(40, event, "Entered queue to transfer input files\n");
      case EventKind::transfer_input_queued:
        run.queued = now();
        return frame_.write(40, event, "Entered queue to transfer input files\n");
      case EventKind::transfer_input_started:
        run.transfer_began = now();
        return write_input_start(event, run);
      case EventKind::transfer_input_finished:
        run.received = std::llround(options_.input.value());
        run.all_received += run.received;
        return frame_.write(40, event, "Finished transferring input files\n");
      case EventKind::executing:
        run.start_process(now());
        return frame_.write(1, event, "Job executing on host: ", StartdAddress{run.point}, "\n",
                            SlotAttributes{run.point, run.gpus});
      default:
        return write_step_of_execution(event, run);
    }
  }

  /// True if HTCondor's log would not have it.
  bool is_silent(JobEvent const& event, LogRun const& run) const {
    using enum EventKind;
    bool const of_output = event.kind == transfer_output_queued ||
                           event.kind == transfer_output_started ||
                           event.kind == transfer_output_finished || event.kind == checkpointed;
    return options_.silent_after_reconnect && run.reconnected && of_output;
  }

  void write_step_of_execution(JobEvent const& event, LogRun& run) {
    if (is_silent(event, run)) return;
    switch (event.kind) {
      case EventKind::transfer_output_queued:
        run.stop_process(now());
        return frame_.write(40, event, "Entered queue to transfer output files\n");
      case EventKind::transfer_output_started:
        run.stop_process(now());
        run.output_open = true;
        return frame_.write(40, event, "Started transferring output files\n");
      case EventKind::transfer_output_finished:
        run.output_open = false;
        return frame_.write(40, event, "Finished transferring output files\n");
      case EventKind::checkpointed:
        return write_checkpoint(event, run);
      case EventKind::suspended:
        return frame_.write(10, event,
                            "Job was suspended.\n\tNumber of processes actually suspended: 1\n");
      case EventKind::unsuspended:
        return frame_.write(11, event, "Job was unsuspended.\n");
      case EventKind::disconnected:
        return frame_.write(22, event,
                            "Job disconnected, attempting to reconnect\n"
                            "    Socket between submit and execute hosts closed unexpectedly\n"
                            "    Trying to reconnect to ",
                            SlotName{run.point}, " ", StartdAddress{run.point}, "\n");
      case EventKind::reconnected:
        run.reconnected = true;
        return frame_.write(23, event, "Job reconnected to ", SlotName{run.point},
                            "\n    startd address: ", StartdAddress{run.point},
                            "\n    starter address: ", StarterAddress{run.point, run.attempts},
                            "\n");
      default:
        return;
    }
  }

  void write_submission(JobEvent const& event) {
    if (runs_.find(event.job)) {
      runs_.forget(event.job);
      frame_.log.submitted_again(event.job);
    }
    frame_.write(0, event, "Job submitted from host: ", ScheddAddress{}, "\n", [&] {
      auto const& labels = frame_.log.history().labels;
      std::size_t const job = event.job.index();
      if (job < labels.size() && !labels[job].node.empty()) {
        frame_.log.put("    DAG Node: ", OneLine{labels[job].node}, "\n");
      }
      if (!options_.note.empty()) frame_.log.put("    ", options_.note, "\n");
    });
  }

  void write_input_start(JobEvent const& event, LogRun const& run) {
    auto const put_wait = [&] {
      std::int64_t const waited = now() - run.queued;
      if (waited > 0) frame_.log.put("\tSeconds spent in queue: ", waited, "\n");
    };
    frame_.write(40, event, "Started transferring input files\n", put_wait,
                 "\tTransferring to host: ", StarterAddress{run.point, run.attempts}, "\n");
  }

  // A job that checkpoints itself exits with a code that stands for it, its files are fetched, and
  // it runs again in its slot; HTCondor has no event for it. Other checkpoints have 003.
  void write_checkpoint(JobEvent const& event, LogRun& run) {
    if (run.output_open) {
      run.output_open = false;
      run.start_process(now());
      return frame_.write(40, event, "Finished transferring output files\n");
    }
    auto const running = run.executing ? now() - run.execution_began : 0;
    frame_.write(3, event, "Job was checkpointed.\n", Usage{run.executed + running, "Run Remote"},
                 Usage{0, "Run Local"}, "\t0  -  Run Bytes Sent By Job For Checkpoint\n");
  }

  EventLogOptions options_;
  EventLogFrame frame_;
  history::PerJob<LogRun> runs_;  // of the jobs that are under way
  std::multimap<JobName, LoggedRun> logged_runs_;
};

EventLogOptions options_of_unknown_jobs() {
  EventLogOptions options;
  options.note.clear();
  options.url.clear();
  options.input = {};
  options.gpus = 0;
  options.memory_mb = 0;
  options.disk = {};
  return options;
}

EventLogWriter::EventLogWriter(JobHistory const& names, std::ostream& out,
                               EventLogOptions const& options) {
  if (!names.dated) {
    refuse({}, "no event log can be written of this history", "it has no dates", "");
  }
  formatter_ = std::make_unique<Formatter>(names, out, options);
}

EventLogWriter::~EventLogWriter() = default;

void EventLogWriter::add(JobEvent const& event) { formatter_->add(event); }
void EventLogWriter::forget(Id<history::Job> job) { formatter_->forget(job); }
void EventLogWriter::finish() { formatter_->finish(); }

void write_event_log(JobHistory const& history, std::ostream& out, EventLogOptions const& options) {
  EventLogWriter writer(history, out, options);
  for (auto const& event : history.events) writer.add(event);
  writer.finish();
}

}  // namespace gridcast::condor
