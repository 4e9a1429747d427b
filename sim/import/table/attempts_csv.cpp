// Job history -> gridcast.attempts/1.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "sim/history/attempt_stream.hpp"
#include "sim/history/csv.hpp"
#include "sim/import/table/attempt_table.hpp"
#include "sim/import/table/table_times.hpp"

namespace gridcast::import {
namespace {

using history::AttemptStep;
using history::EventKind;
using history::JobEvent;
using history::JobHistory;

/// One line of the table, as it fills.
class Line {
 public:
  explicit Line(JobHistory const& history) : history_(&history) {}

  std::string& operator[](AttemptColumn column) { return cells_[static_cast<std::size_t>(column)]; }
  void set(AttemptColumn column, Seconds at) { (*this)[column] = time(at); }

  std::string time(Seconds at) const {
    if (!history_->start_unix) return fmt::format("{}", at.value());
    return iso_time(*history_->start_unix * 1000 + std::llround(at.value() * 1000));
  }

  void add_span(AttemptColumn column, std::optional<Seconds> begin, Seconds end) {
    std::string& cell = (*this)[column];
    if (!cell.empty()) cell += '|';
    if (begin) cell += time(*begin) + "/";
    cell += time(end);
  }

  void write(std::string& text) const {
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      if (i > 0) text += ',';
      text += history::csv_cell(cells_[i]);
    }
    text += '\n';
  }

 private:
  JobHistory const* history_;
  std::array<std::string, attempt_column_count> cells_;
};

using Runs = std::vector<condor::LoggedRun>;

/// The lines of one job.
class JobLines {
 public:
  JobLines(JobHistory const& history, Id<history::Job> job, Runs const& runs, std::string& text)
      : history_(history), job_(job), runs_(runs), text_(text), line_(history) {}

  void add(AttemptStep const& step) {
    JobEvent const& event = step.event;
    if (event.kind == EventKind::submitted && !submitted_) submitted_ = event.at;
    if (step.begins != history::Sign::none) begin(step);
    if (step.in_attempt()) follow(step);
    if (step.in_attempt() && step.ends) return end(event);
    if (step.in_attempt()) return;
    if (event.kind == EventKind::held) hold_in_queue(event);
    if (event.kind == EventKind::released && open_) {
      line_.set(AttemptColumn::released, event.at);
      line_[AttemptColumn::release_reason] = history::name(event.reason);
    }
    if (event.kind == EventKind::aborted) remove(event.at);
  }

  void finish() {
    if (!open_ && !written_) {
      start_line();
      line_[AttemptColumn::outcome] = word_of(AttemptOutcome::waiting).name;
    } else if (open_ && in_slot_) {
      line_[AttemptColumn::outcome] = word_of(AttemptOutcome::running).name;
      count_epochs(false);
    }
    flush();
  }

 private:
  void start_line() {
    flush();
    line_ = Line(history_);
    open_ = true;
    line_[AttemptColumn::job] = name_of_job(history_, job_);
    if (!history_.users.empty()) line_[AttemptColumn::user] = history_.users[job_.index()];
    if (!history_.labels.empty()) {
      history::JobLabel const& label = history_.labels[job_.index()];
      line_[AttemptColumn::name] = label.node;
      line_[AttemptColumn::batch] = label.batch;
      line_[AttemptColumn::program] = label.executable;
      line_[AttemptColumn::arguments] = label.arguments;
    }
    if (submitted_) line_.set(AttemptColumn::submitted, *submitted_);
  }

  void flush() {
    if (!open_) return;
    line_.write(text_);
    open_ = in_slot_ = false;
    written_ = true;
    output_.reset();
    suspended_.reset();
    disconnected_.reset();
    checkpoints_ = 0;
  }

  void begin(AttemptStep const& step) {
    start_line();
    in_slot_ = true;
    line_[AttemptColumn::attempt] = fmt::format("{}", step.attempt);
    if (step.begins == history::Sign::match) line_.set(AttemptColumn::matched, step.event.at);
  }

  void place(JobEvent const& event) {
    if (event.site.valid()) line_[AttemptColumn::site] = history_.sites[event.site.index()];
    bool const known = history_.slots.empty() ? event.site.valid() : event.slot > 0;
    if (!known) return;
    std::string const slot = history::slot_name(history_, event.slot);
    std::string const host = history::host_name(history_, event.slot);
    bool const beside = slot.find('@') != std::string::npos, alone = names_host_alone(event.slot);
    if (!alone) line_[AttemptColumn::slot] = slot;
    if (beside || alone) line_[AttemptColumn::host] = host;
  }

  bool names_host_alone(std::uint32_t slot) const {
    return slot < history_.slots.size() && history_.slots[slot].starts_with('@');
  }

  void follow(AttemptStep const& step) {
    JobEvent const& event = step.event;
    place(event);
    bool const back = disconnected_ && event.kind != EventKind::disconnected;
    if (back) line_.add_span(AttemptColumn::disconnected, disconnected_, event.at);
    if (back) disconnected_.reset();
    if (step.begins_output()) output_ = event.at;
    switch (event.kind) {
      case EventKind::transfer_input_queued:
        return line_.set(AttemptColumn::queued, event.at);
      case EventKind::transfer_input_started:
        return line_.set(AttemptColumn::transfer_started, event.at);
      case EventKind::transfer_input_finished:
        return line_.set(AttemptColumn::transfer_ended, event.at);
      case EventKind::executing:
        line_.set(AttemptColumn::started, event.at);
        if (event.epochs > 0) line_[AttemptColumn::epochs] = fmt::format("{}", event.epochs);
        return put_gpus(event);
      case EventKind::transfer_output_finished:
        output_ended_ = event.at;
        return;
      case EventKind::checkpointed:
        return put_checkpoint(step);
      case EventKind::suspended:
        suspended_ = event.at;
        return;
      case EventKind::unsuspended:
        if (suspended_) line_.add_span(AttemptColumn::suspended, suspended_, event.at);
        suspended_.reset();
        return;
      case EventKind::disconnected:
        disconnected_ = event.at;
        return;
      default:
        return;
    }
  }

  void put_checkpoint(AttemptStep const& step) {
    line_.add_span(AttemptColumn::checkpoints, step.saves_output() ? output_ : std::nullopt,
                   step.event.at);
    output_.reset();
    output_ended_.reset();
    ++checkpoints_;
    checkpointed_ = true;
  }

  void put_gpus(JobEvent const& event) {
    history::GpuShare const* const share = history_.gpus_of(event);
    if (!share) return;
    if (share->count) line_[AttemptColumn::gpus] = fmt::format("{}", *share->count);
    line_[AttemptColumn::gpu_model] = share->model;
    if (share->memory > Bytes()) {
      line_[AttemptColumn::gpu_memory] = fmt::format("{:.0f}", share->memory.value());
    }
    if (share->capability > 0) {
      line_[AttemptColumn::gpu_capability] = fmt::format("{}", share->capability);
    }
  }

  void end(JobEvent const& event) {
    if (output_) line_.set(AttemptColumn::output_started, *output_);
    if (output_ && output_ended_) line_.set(AttemptColumn::output_ended, *output_ended_);
    if (suspended_) line_.add_span(AttemptColumn::suspended, suspended_, event.at);
    put_end(event);
    put_gpus(event);
    count_epochs(event.kind == EventKind::terminated && event.useful);
    in_slot_ = false;
    output_ended_.reset();
  }

  // A checkpoint is a piece of work, and so is the rest after the last one.
  void count_epochs(bool succeeded) {
    std::string& cell = line_[AttemptColumn::epochs];
    if (checkpointed_ && cell.empty()) cell = fmt::format("{}", checkpoints_ + (succeeded ? 1 : 0));
  }

  void put_end(JobEvent const& event) {
    line_.set(AttemptColumn::ended, event.at);
    line_[AttemptColumn::outcome] = word_of(outcome_of(event)).name;
    if (event.reason != history::Reason::none) {
      line_[AttemptColumn::reason] = history::name(event.reason);
    }
    bool const codes = event.code != 0 || event.subcode != 0;
    if (codes) line_[AttemptColumn::hold_code] = fmt::format("{}", event.code);
    if (codes) line_[AttemptColumn::hold_subcode] = fmt::format("{}", event.subcode);
    bool const program_ended =
        event.kind == EventKind::terminated || event.kind == EventKind::requeued;
    if (program_ended) line_[AttemptColumn::exit_code] = fmt::format("{}", event.exit_code);
    put_bytes(event.at);
  }

  // An attempt's end and the event that sums up its bytes may be stamps of two processes.
  void put_bytes(Seconds ended) {
    constexpr Seconds stamps_apart(2);
    auto const logged = std::ranges::find_if(runs_, [&](condor::LoggedRun const& run) {
      return run.at >= ended - stamps_apart && run.at <= ended + stamps_apart;
    });
    if (logged == runs_.end()) return;
    auto const put = [&](AttemptColumn column, std::optional<Bytes> const& bytes) {
      if (bytes) line_[column] = fmt::format("{:.0f}", bytes->value());
    };
    put(AttemptColumn::bytes_in, logged->received);
    put(AttemptColumn::bytes_out, logged->sent);
  }

  void hold_in_queue(JobEvent const& event) {
    start_line();
    put_end(event);
  }

  void remove(Seconds at) {
    if (!open_) {
      start_line();
      line_[AttemptColumn::outcome] = word_of(AttemptOutcome::waiting).name;
    }
    line_.set(AttemptColumn::removed, at);
  }

  JobHistory const& history_;
  Id<history::Job> job_;
  Runs const& runs_;  // of the job
  std::string& text_;
  Line line_;
  std::optional<Seconds> submitted_, output_, output_ended_, suspended_, disconnected_;
  int checkpoints_ = 0;        // of the attempt
  bool checkpointed_ = false;  // the job
  bool open_ = false, in_slot_ = false, written_ = false;
};

}  // namespace

std::string attempts_csv(JobHistory const& history, Runs const& runs) {
  std::map<history::JobName, Runs> runs_of_job;
  for (condor::LoggedRun const& run : runs) runs_of_job[run.job].push_back(run);
  Runs const none;
  std::string text = fmt::format("{}\n", fmt::join(attempt_column_names(), ","));
  auto const events = events_by_job(history);
  for (std::size_t j = 0; j < events.size(); ++j) {
    auto const found = runs_of_job.find(history.jobs[j]);
    JobLines lines(history, Id<history::Job>(j), found == runs_of_job.end() ? none : found->second,
                   text);
    history::AttemptStream stream;
    for (std::uint32_t const i : events[j]) {
      JobEvent event = history.events[i];
      event.job = Id<history::Job>(0);  // a stream of one job
      lines.add(stream.next(event));
    }
    lines.finish();
  }
  return text;
}

}  // namespace gridcast::import
