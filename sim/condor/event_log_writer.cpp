#include "sim/condor/event_log_writer.hpp"

#include <cmath>
#include <ostream>

#include "sim/base/error.hpp"
#include "sim/condor/event_log_ends.hpp"
#include "sim/condor/event_log_frame.hpp"
#include "sim/history/per_job.hpp"

namespace gridcast::condor {

class EventLogWriter::Writing {
 public:
  Writing(history::JobHistory const& names, std::ostream& out, EventLogOptions const& options)
      : options_(options), frame_{EventLogText(names, out, options_), options_, {}} {
    runs_.reserve(names.jobs.size());
  }

  void add(history::JobEvent const& event) {
    frame_.now = EventLogText::stamp(event.at);
    if (event.kind == history::EventKind::submitted) return write_submission(event);
    LogRun& run = runs_[event.job];
    if (event.site.valid()) run.point = {event.site, event.slot};
    if (history::ends_attempt(event.kind)) return write_attempt_end(frame_, event, run);
    write_step(event, run);
  }

  void forget(Id<history::Job> job) { runs_.forget(job); }
  void finish() { frame_.log.flush(); }

 private:
  std::int64_t now() const { return frame_.now.seconds; }

  void write_step(history::JobEvent const& event, LogRun& run) {
    switch (event.kind) {
      case history::EventKind::released:
        return write_decision(frame_, event, run,
                              {13, "Job was released.", "condor_release", "PeriodicRelease"});
      case history::EventKind::matched:
        run.start(now());
        run.point = {event.site, event.slot};
        return write_transfer(event, run, "Entered queue to transfer input files");
      case history::EventKind::transfer_input_queued:
        run.queued = now();
        return write_transfer(event, run, "Entered queue to transfer input files");
      case history::EventKind::transfer_input_started:
        run.transfer_began = now();
        return write_input_start(event, run);
      case history::EventKind::transfer_input_finished:
        run.received = std::llround(frame_.options.input.value());
        run.all_received += run.received;
        return write_transfer(event, run, "Finished transferring input files");
      case history::EventKind::executing:
        run.start_process(now());
        return write_execution(event, run);
      default:
        return write_step_of_execution(event, run);
    }
  }

  void write_step_of_execution(history::JobEvent const& event, LogRun& run) {
    switch (event.kind) {
      case history::EventKind::transfer_output_queued:
        run.stop_process(now());
        return write_transfer(event, run, "Entered queue to transfer output files");
      case history::EventKind::transfer_output_started:
        run.stop_process(now());
        run.output_open = true;
        return write_transfer(event, run, "Started transferring output files");
      case history::EventKind::transfer_output_finished:
        run.output_open = false;
        return write_transfer(event, run, "Finished transferring output files");
      case history::EventKind::checkpointed:
        return write_checkpoint(event, run);
      case history::EventKind::suspended:
        return frame_.write(10, event, run,
                            "Job was suspended.\n\tNumber of processes actually suspended: 1\n");
      case history::EventKind::unsuspended:
        return frame_.write(11, event, run, "Job was unsuspended.\n");
      case history::EventKind::disconnected:
        return write_disconnection(event, run);
      case history::EventKind::reconnected:
        return write_reconnection(event, run);
      default:
        return;
    }
  }

  void write_submission(history::JobEvent const& event) {
    LogRun const* const run = runs_.find(event.job);
    frame_.begin(0, event);
    frame_.log.add_text("Job submitted from host: ");
    frame_.log.add_schedd();
    frame_.log.add_text("\n");
    if (!frame_.options.note.empty()) frame_.log.add("    {}\n", frame_.options.note);
    frame_.end(event, run ? *run : LogRun{});
  }

  void write_transfer(history::JobEvent const& event, LogRun const& run, std::string_view what) {
    frame_.begin(40, event);
    frame_.log.add_text(what);
    frame_.log.add_text("\n");
    frame_.end(event, run);
  }

  void write_input_start(history::JobEvent const& event, LogRun const& run) {
    frame_.begin(40, event);
    frame_.log.add_text("Started transferring input files\n");
    if (now() > run.queued) {
      frame_.log.add("\tSeconds spent in queue: {}\n", now() - run.queued);
    }
    frame_.log.add_text("\tTransferring to host: ");
    frame_.log.add_starter(run.point, run.attempts);
    frame_.log.add_text("\n");
    frame_.end(event, run);
  }

  void write_execution(history::JobEvent const& event, LogRun const& run) {
    frame_.begin(1, event);
    frame_.log.add_text("Job executing on host: ");
    frame_.log.add_startd(run.point);
    frame_.log.add_text("\n");
    frame_.log.add_slot_attributes(run.point);
    frame_.end(event, run);
  }

  // A job that checkpoints itself exits with a code that stands for it, its files are fetched, and
  // it runs again in its slot; HTCondor has no event for it. Other checkpoints have 003.
  void write_checkpoint(history::JobEvent const& event, LogRun& run) {
    if (run.output_open) {
      run.output_open = false;
      run.start_process(now());
      return write_transfer(event, run, "Finished transferring output files");
    }
    frame_.begin(3, event);
    frame_.log.add_text("Job was checkpointed.\n");
    auto const running = run.executing ? now() - run.execution_began : 0;
    frame_.log.add_usage(run.executed + running, "Run Remote");
    frame_.log.add_usage(0, "Run Local");
    frame_.log.add_text("\t0  -  Run Bytes Sent By Job For Checkpoint\n");
    frame_.end(event, run);
  }

  void write_disconnection(history::JobEvent const& event, LogRun const& run) {
    frame_.begin(22, event);
    frame_.log.add(
        "Job disconnected, attempting to reconnect\n"
        "    Socket between submit and execute hosts closed unexpectedly\n"
        "    Trying to reconnect to ");
    frame_.log.add_slot(run.point);
    frame_.log.add_text(" ");
    frame_.log.add_startd(run.point);
    frame_.log.add_text("\n");
    frame_.end(event, run);
  }

  void write_reconnection(history::JobEvent const& event, LogRun const& run) {
    frame_.begin(23, event);
    frame_.log.add_text("Job reconnected to ");
    frame_.log.add_slot(run.point);
    frame_.log.add_text("\n    startd address: ");
    frame_.log.add_startd(run.point);
    frame_.log.add_text("\n    starter address: ");
    frame_.log.add_starter(run.point, run.attempts);
    frame_.log.add_text("\n");
    frame_.end(event, run);
  }

  EventLogOptions options_;
  EventLogFrame frame_;
  history::PerJob<LogRun> runs_;  // of the jobs that are under way
};

EventLogWriter::EventLogWriter(history::JobHistory const& names, std::ostream& out,
                               EventLogOptions const& options) {
  if (!names.dated) {
    throw InputError({{}, "no event log can be written of this history", "it has no dates", ""});
  }
  writing_ = std::make_unique<Writing>(names, out, options);
}

EventLogWriter::~EventLogWriter() = default;

void EventLogWriter::add(history::JobEvent const& event) { writing_->add(event); }
void EventLogWriter::forget(Id<history::Job> job) { writing_->forget(job); }
void EventLogWriter::finish() { writing_->finish(); }

void write_event_log(history::JobHistory const& history, std::ostream& out,
                     EventLogOptions const& options) {
  EventLogWriter writer(history, out, options);
  for (auto const& event : history.events) writer.add(event);
  writer.finish();
}

}  // namespace gridcast::condor
