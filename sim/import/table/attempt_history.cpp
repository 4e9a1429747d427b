#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "sim/base/text.hpp"
#include "sim/condor/log/log_note.hpp"
#include "sim/history/job_history.hpp"
#include "sim/import/table/attempt_table.hpp"
#include "sim/import/table/table_times.hpp"

namespace gridcast::import {
namespace {

using history::EventKind;
using history::JobEvent;
using history::JobHistory;
using history::Reason;

/// "12.3", "12_3" (an array of Slurm), "12+3" (a part of a heterogeneous job there) or "12".
std::optional<history::JobName> job_name(std::string_view text) {
  history::JobName job;
  auto const* const end = text.data() + text.size();
  auto const [at, error] = std::from_chars(text.data(), end, job.cluster);
  if (error != std::errc()) return std::nullopt;
  if (at == end) return job;
  if (*at != '.' && *at != '_' && *at != '+') return std::nullopt;
  auto const [last, wrong] = std::from_chars(at + 1, end, job.proc);
  if (wrong != std::errc() || last != end) return std::nullopt;
  return job;
}

/// The history's sites, and its places by slot and host of rows, 0 where a row has neither.
class SlotPlaces {
 public:
  SlotPlaces(AttemptTable const& table, JobHistory& history)
      : table_(table), sites_(history), slots_(history.slots) {}

  Id<history::Site> site(AttemptRow const& row) { return sites_(table_.names[row.site]); }

  std::uint32_t slot(AttemptRow const& row) {
    if (row.slot == 0 && row.host == 0) return 0;
    std::uint64_t const both = (std::uint64_t{row.slot} << 32U) | row.host;
    auto const [place, fresh] = of_row_.try_emplace(both);
    return fresh ? place->second = slots_(name(row)) : place->second;
  }

 private:
  /// In the form of JobHistory::slots.
  std::string name(AttemptRow const& row) const {
    std::string const& slot = table_.names[row.slot];
    bool const whole = row.host == 0 || slot.find('@') != std::string::npos;
    return whole ? slot : slot + "@" + table_.names[row.host];
  }

  AttemptTable const& table_;
  history::SiteNames sites_;
  Names slots_;
  std::unordered_map<std::uint64_t, std::uint32_t> of_row_;
};

Seconds begin_of(AttemptRow const& row) {
  for (auto const& at : {row.matched, row.queued, row.transfer_started, row.started, row.ended,
                         row.removed, row.submitted}) {
    if (at) return *at;
  }
  return Seconds();
}

/// In whole milliseconds, as the times of tables are.
Seconds since(std::int64_t zero, Seconds at) {
  std::int64_t const ms = std::llround(at.value() * 1000) - zero * 1000;
  return Seconds(static_cast<double>(ms) / 1000);
}

/// Events that began within one stamp before `least` began then.
void begin_not_before(AttemptRow& row, Seconds least) {
  for (auto const& [column, at] : times_of_row) {
    bool const may_move = column != AttemptColumn::submitted && row.*at;
    if (may_move) row.*at = std::max(*(row.*at), least);
  }
}

/// True if one of these later rows of the job is an attempt after this one, which is then not the
/// job's end.
bool goes_on(AttemptRow const& row, AttemptRow const* later, AttemptRow const* end) {
  return row.ended && std::any_of(later, end, [&row](AttemptRow const& next) {
           return next.has_slot() && begin_of(next) >= *row.ended - one_stamp;
         });
}

constexpr std::uint32_t most_epochs = std::numeric_limits<std::uint16_t>::max();

std::int16_t narrow(std::int32_t code) {
  constexpr int most = std::numeric_limits<std::int16_t>::max();
  return static_cast<std::int16_t>(std::clamp(code, -most, most));
}

/// HTCondor's reason of an end that has none of its own: its codes, where they are its, name
/// one.
Reason reason_of(AttemptRow const& row, history::BatchSystem system) {
  if (row.reason != Reason::none) return row.reason;
  bool const coded = system == history::BatchSystem::htcondor && row.code != 0;
  switch (row.outcome) {
    case AttemptOutcome::failed:
    case AttemptOutcome::requeued:
      if (row.exit_code < 0) return Reason::killed_by_signal;
      return row.exit_code > 0 ? Reason::exit_code : Reason::none;
    case AttemptOutcome::evicted:
    case AttemptOutcome::dropped:
    case AttemptOutcome::error:
      return coded ? condor::vacate_reason(row.code, row.subcode, "") : Reason::unknown;
    case AttemptOutcome::held:
      return coded ? condor::hold_reason(row.code, row.subcode, "") : Reason::unknown;
    case AttemptOutcome::lost:
      return Reason::lost_contact;
    case AttemptOutcome::removed:
      return Reason::manual;
    default:
      return Reason::none;
  }
}

/// The job ended in the very moment in which its slot was taken away: no person decided it.
Reason removal_reason(AttemptRow const& row) {
  return row.outcome == AttemptOutcome::evicted && row.removed == row.ended ? Reason::policy
                                                                            : Reason::manual;
}

/// True if the execution of a row that ends while it runs goes on with the next row of its job.
bool is_resized(AttemptRow const& row, AttemptRow const& next) {
  if (row.outcome != AttemptOutcome::running || !row.started || !row.ended) return false;
  bool const fetches = next.queued || next.transfer_started;
  Seconds const begin = begin_of(next);
  return next.started && !fetches && begin >= *row.ended - one_stamp &&
         begin <= *row.ended + one_stamp;
}

template <class Value>
void append(std::vector<Value>& to, std::vector<Value> const& from) {
  to.insert(to.end(), from.begin(), from.end());
}

/// Joins two rows of one execution: the end is the last row's. Bytes are counted once.
void join(AttemptRow& row, AttemptRow& next) {
  row.ended = next.ended;
  row.outcome = next.outcome;
  row.reason = next.reason;
  row.release_reason = next.release_reason;
  row.code = next.code;
  row.subcode = next.subcode;
  row.exit_code = next.exit_code;
  row.output_started = next.output_started;
  row.output_ended = next.output_ended;
  row.released = next.released;
  row.removed = next.removed;
  row.epochs += next.epochs;
  append(row.checkpoints, next.checkpoints);
  append(row.suspended, next.suspended);
  append(row.disconnected, next.disconnected);
  for (auto const bytes : {&AttemptRow::bytes_in, &AttemptRow::bytes_out}) {
    if (next.*bytes) row.*bytes = (row.*bytes).value_or(Bytes()) + *(next.*bytes);
    (next.*bytes).reset();
  }
}

/// The events of one job, from its rows in order.
class JobWriter {
 public:
  JobWriter(AttemptTable const& table, Id<history::Job> job, JobHistory& history, SlotPlaces& slots)
      : table_(table), history_(history), slots_(slots) {
    event_.job = job;
  }

  using Rows = std::pair<AttemptRow const*, AttemptRow const*>;

  void submit(Seconds at) { add(EventKind::submitted, at); }

  /// `resized`: the rows that are joined to it, whose GPUs the execution goes on with.
  void write(AttemptRow const& row, Rows resized) {
    resized_ = resized;
    if (held_ && !released_) {
      leave_slot();
      add(EventKind::released, begin_of(row), Reason::unknown);
    }
    held_ = released_ = false;
    if (row.has_slot()) write_attempt(row);
    if (auto const ends = word_of(row.outcome).ends; ends && row.ended) write_end(row, *ends);
    leave_slot();
    if (row.released) {
      add(EventKind::released, *row.released, row.release_reason);
      released_ = true;
    }
    if (row.removed && row.outcome != AttemptOutcome::removed) {
      add(EventKind::aborted, *row.removed, removal_reason(row));
    }
  }

  /// The end of the last attempt so far.
  Seconds ended() const { return ended_; }

 private:
  void add(EventKind kind, Seconds at, Reason reason = Reason::none) {
    event_.kind = kind;
    event_.at = at;
    event_.reason = reason;
    history_.events.push_back(event_);
    ended_ = at;
    event_.gpus = event_.epochs = 0;
  }

  void leave_slot() {
    event_.site = Id<history::Site>();
    event_.slot = 0;
    event_.code = event_.exit_code = 0;
    event_.subcode = 0;
    event_.useful = true;
  }

  void take_slot(AttemptRow const& row) {
    if (row.site != 0) event_.site = slots_.site(row);
    if (auto const slot = slots_.slot(row); slot != 0) event_.slot = slot;
  }

  void write_attempt(AttemptRow const& row) {
    take_slot(row);
    add(EventKind::matched, begin_of(row));
    if (row.queued) add(EventKind::transfer_input_queued, *row.queued);
    if (row.transfer_started) add(EventKind::transfer_input_started, *row.transfer_started);
    auto const there = row.transfer_ended ? row.transfer_ended : row.started;
    if (row.transfer_started && there) add(EventKind::transfer_input_finished, *there);
    if (row.started) {
      event_.gpus = gpus_of(row);
      event_.epochs = static_cast<std::uint16_t>(std::min(row.epochs, most_epochs));
      add(EventKind::executing, *row.started);
    }
    write_interruptions(row);
    if (row.output_started) add(EventKind::transfer_output_started, *row.output_started);
    if (row.output_ended) add(EventKind::transfer_output_finished, *row.output_ended);
  }

  // Events while the program ran, in the order of time.
  void write_interruptions(AttemptRow const& row) {
    struct Event {
      Seconds at;
      EventKind kind;
      std::uint16_t gpus = 0;
    };
    std::vector<Event> events;
    for (auto const& [begin, end] : row.checkpoints) {
      if (begin < end) events.push_back({begin, EventKind::transfer_output_started});
      events.push_back({end, EventKind::checkpointed});
    }
    // The job continues, with its resources from now on.
    for (AttemptRow const* next = resized_.first; next != resized_.second; ++next) {
      if (next->gpus) events.push_back({*next->started, EventKind::unsuspended, gpus_of(*next)});
    }
    // A suspension or lost contact that lasts to the attempt's end has no end of its own.
    auto const lasts = [&](Seconds end) { return end >= row.ended.value_or(no_end); };
    for (auto const& [begin, end] : row.suspended) {
      events.push_back({begin, EventKind::suspended});
      if (!lasts(end)) events.push_back({end, EventKind::unsuspended});
    }
    for (auto const& [begin, end] : row.disconnected) {
      events.push_back({begin, EventKind::disconnected});
      if (!lasts(end)) events.push_back({end, EventKind::reconnected});
    }
    std::ranges::stable_sort(events, {}, &Event::at);
    for (Event const& event : events) {
      bool const within = event.at >= begin_of(row) && (!row.ended || event.at <= *row.ended);
      if (!within) continue;
      event_.gpus = event.gpus;
      add(event.kind, event.at);
    }
  }

  void write_end(AttemptRow const& row, EventKind kind) {
    event_.code = narrow(row.code);
    event_.subcode = row.subcode;
    event_.exit_code = narrow(row.exit_code);
    event_.useful = row.outcome != AttemptOutcome::failed;
    held_ = kind == EventKind::held;
    if (!row.has_slot()) leave_slot_of_queue(row);
    if (!row.started) event_.gpus = gpus_of(row);
    add(kind, *row.ended, reason_of(row, history_.batch_system));
  }

  void leave_slot_of_queue(AttemptRow const& row) {
    leave_slot();
    event_.code = narrow(row.code);
    event_.subcode = row.subcode;
  }

  std::uint16_t gpus_of(AttemptRow const& row) {
    if (!row.gpus) return 0;
    if (*row.gpus == 0) return history_.gpus_like({.count = 0});
    return history_.gpus_like({table_.names[row.gpu_model], static_cast<int>(*row.gpus),
                               row.gpu_memory, row.gpu_capability});
  }

  AttemptTable const& table_;
  JobHistory& history_;
  SlotPlaces& slots_;
  JobEvent event_;
  Rows resized_ = {};
  Seconds ended_;
  bool held_ = false, released_ = false;
};

/// The table's rows as one history.
class TableHistory {
 public:
  explicit TableHistory(AttemptTable& table)
      : table_(table), slots_(table, history_), record_of_file_(table.files.size()) {
    std::iota(record_of_file_.begin(), record_of_file_.end(), 0U);
  }

  JobHistory history() {
    history_.batch_system = batch_system();
    sort_rows();
    settle_implied_gpus();
    history_.slots.emplace_back("unknown");
    name_jobs();
    for (std::size_t i = 0; i < table_.rows.size();) i = write_job(i);
    fill_lists();
    std::ranges::stable_sort(history_.events, {}, &JobEvent::at);
    sort_sites();
    if (table_.zero_unix) set_zero();
    for (auto const& [file, end] : seen_until_of_file_) {
      history_.seen_until = std::max(history_.seen_until.value_or(end), end);
    }
    if (table_.files.size() > 1) set_ends();
    return std::move(history_);
  }

 private:
  // The default without a map: holds and evictions have codes only under HTCondor. A removal may
  // have one that a map gave to the meaning of another system's word.
  history::BatchSystem batch_system() const {
    bool const codes = std::ranges::any_of(table_.rows, [](AttemptRow const& row) {
      return row.code != 0 && row.outcome != AttemptOutcome::removed;
    });
    bool const htcondor =
        table_.batch_system.empty() ? codes : same_ignoring_case(table_.batch_system, "HTCondor");
    return htcondor ? history::BatchSystem::htcondor : history::BatchSystem::other;
  }

  // By job, then in the order of its attempts: by number where all have one, else by time.
  void sort_rows() {
    std::vector<char> numbered(table_.jobs.size(), 1);
    for (AttemptRow const& row : table_.rows) {
      if (row.attempt == 0) numbered[row.job] = 0;
    }
    std::ranges::stable_sort(table_.rows, [&](AttemptRow const& a, AttemptRow const& b) {
      if (a.job != b.job) return a.job < b.job;
      if (numbered[a.job] != 0) return a.attempt < b.attempt;
      return begin_of(a) < begin_of(b);
    });
  }

  // A column without GPUs of a row shows none only where it lists those of another.
  void settle_implied_gpus() {
    bool const listed = std::ranges::any_of(
        table_.rows, [](AttemptRow const& row) { return row.gpus.value_or(0) > 0; });
    for (AttemptRow& row : table_.rows) {
      if (row.gpus_implied && !listed) row.gpus.reset();
    }
  }

  // Those that numbers name keep them; the others get clusters that are free. "12" and "12.0" are
  // two jobs of the table; the second gets another name.
  void name_jobs() {
    std::set<history::JobName> taken;
    for (std::string const& job : table_.jobs) {
      auto name = job_name(job);
      if (name && !taken.insert(*name).second) name.reset();
      if (name) clusters_.insert(name->cluster);
      names_.push_back(name);
    }
  }

  void add_job(std::uint32_t job) {
    while (!names_[job] && clusters_.contains(next_cluster_)) ++next_cluster_;
    history_.jobs.push_back(names_[job] ? *names_[job] : history::JobName{next_cluster_++, 0});
    if (!names_[job]) set_of_last(history_.own_names, table_.jobs[job]);
  }

  /// A value of the job that came last; lists of such values are shorter where later jobs have
  /// none.
  template <class Value>
  void set_of_last(std::vector<Value>& values, Value value) {
    values.resize(history_.jobs.size());
    values.back() = std::move(value);
  }

  std::size_t write_job(std::size_t first) {
    std::uint32_t const job = table_.rows[first].job;
    Id<history::Job> const id(history_.jobs.size());
    add_job(job);
    label(table_.rows[first]);
    record_of_job_.push_back(table_.rows[first].file);
    JobWriter writer(table_, id, history_, slots_);
    std::size_t end = first;
    std::optional<Seconds> submitted;
    for (; end < table_.rows.size() && table_.rows[end].job == job; ++end) {
      join_records(table_.rows[first].file, table_.rows[end].file);
      auto const at = table_.rows[end].submitted;
      if (at && (!submitted || *at < *submitted)) submitted = at;
    }
    Seconds const begin = begin_of(table_.rows[first]);
    writer.submit(std::min(submitted.value_or(begin), begin));
    for (std::size_t i = first; i < end; ++i) {
      AttemptRow& row = table_.rows[i];
      if (i > first && begin_of(row) < writer.ended() - one_stamp) {
        leave_out(row, writer.ended());
        continue;
      }
      if (i > first) begin_not_before(row, writer.ended());
      AttemptRow const* const joined = &row + 1;
      for (; i + 1 < end && is_resized(row, table_.rows[i + 1]); ++i) join(row, table_.rows[i + 1]);
      AttemptRow const* const later = table_.rows.data() + i + 1;
      bool const follows = goes_on(row, later, table_.rows.data() + end);
      if (row.outcome == AttemptOutcome::failed && !row.has_slot()) settle_in_queue(row, follows);
      if (follows) settle_end(row);
      if (row.outcome == AttemptOutcome::dropped) settle_drop(row, i + 1 == end);
      if (i + 1 < end) settle_stop(row);
      see(row);
      writer.write(row, {joined, later});
    }
    return end;
  }

  /// The table goes as far as the time at which it shows a job to run.
  void see(AttemptRow const& row) {
    if (row.outcome != AttemptOutcome::running || !row.seen_until) return;
    Seconds& end = seen_until_of_file_[row.file];
    end = std::max(end, *row.seen_until);
  }

  // An attempt that failed before any slot was the job's was given up by the batch system; if
  // another attempt follows, the job waited for that.
  static void settle_in_queue(AttemptRow& row, bool follows) {
    row.outcome = follows ? AttemptOutcome::waiting : AttemptOutcome::removed;
    if (row.reason == Reason::none) row.reason = Reason::system;
  }

  // If another attempt follows, this one's failure was not the job's, and an end while the program
  // ran lost nothing.
  void settle_end(AttemptRow& row) {
    if (row.outcome == AttemptOutcome::failed) row.outcome = AttemptOutcome::requeued;
    if (row.outcome != AttemptOutcome::running) return;
    row.outcome = AttemptOutcome::evicted;
    row.reason = Reason::vacated;
    if (row.started) row.checkpoints.emplace_back(*row.ended, *row.ended);
  }

  // A job that is put back into the queue has a row for it, even if it only waits there.
  static void settle_drop(AttemptRow& row, bool last) {
    row.outcome = AttemptOutcome::evicted;
    if (last) row.removed = row.ended;
  }

  // A job that a limit stopped is in the queue again where a later row is its, be it that it waits
  // there.
  static void settle_stop(AttemptRow& row) {
    bool const by_limit =
        history::is_one_of(row.reason, {Reason::out_of_resources, Reason::execution_too_long});
    if (!by_limit || row.outcome != AttemptOutcome::removed) return;
    row.outcome = AttemptOutcome::evicted;
    row.code = row.subcode = 0;  // of an eviction it would be HTCondor's
  }

  void leave_out(AttemptRow& row, Seconds ended) {
    row.bytes_in.reset();
    row.bytes_out.reset();
    ++table_.report.rows_left_out;
    table_.report.note(
        {{table_.files[row.file], static_cast<int>(row.line), 0},
         fmt::format("the attempt of job {} begins {} before the one before it ended",
                     table_.jobs[row.job], to_text(ended - begin_of(row))),
         "the row is left out",
         ""});
  }

  void label(AttemptRow const& row) {
    history::JobLabel label;
    label.node = table_.names[row.name];
    if (!names_[row.job] && label.node.empty()) label.node = table_.jobs[row.job];
    label.batch = table_.names[row.batch];
    label.executable = table_.names[row.program];
    label.arguments = table_.names[row.arguments];
    if (label != history::JobLabel()) set_of_last(history_.labels, std::move(label));
    if (row.user != 0) set_of_last(history_.users, table_.names[row.user]);
  }

  // Lists by job are as long as there are jobs, or empty.
  void fill_lists() {
    std::size_t const jobs = history_.jobs.size();
    if (!history_.own_names.empty()) history_.own_names.resize(jobs);
    if (!history_.labels.empty()) history_.labels.resize(jobs);
    if (!history_.users.empty()) history_.users.resize(jobs);
  }

  // In the order of event logs.
  void sort_sites() {
    std::vector<std::string> const found = history_.sites;
    std::ranges::sort(history_.sites);
    std::vector<Id<history::Site>> sorted;
    for (std::string const& site : found) {
      auto const at = std::lower_bound(history_.sites.begin(), history_.sites.end(), site);
      sorted.emplace_back(static_cast<std::size_t>(at - history_.sites.begin()));
    }
    for (JobEvent& event : history_.events) {
      if (event.site.valid()) event.site = sorted[event.site.index()];
    }
  }

  // The clock of a campaign begins with its first event, at a whole second.
  void set_zero() {
    double const first = history_.events.empty() ? 0 : history_.events.front().at.value();
    auto const shift = static_cast<std::int64_t>(std::floor(first));
    history_.start_unix = *table_.zero_unix + shift;
    for (JobEvent& event : history_.events) event.at = since(shift, event.at);
    for (auto& [file, end] : seen_until_of_file_) end = since(shift, end);
  }

  /// Files with a job in common are one record.
  void join_records(std::uint32_t one, std::uint32_t other) {
    std::uint32_t const into = record_of_file_[one], from = record_of_file_[other];
    if (into != from) std::replace(record_of_file_.begin(), record_of_file_.end(), from, into);
  }

  /// A table covers its jobs until its own last time, whatever is read with it.
  void set_ends() {
    std::vector<Seconds> end_of_record(table_.files.size());
    auto const record = [&](auto job) { return record_of_file_[record_of_job_[job]]; };
    for (auto const& [file, end] : seen_until_of_file_) {
      Seconds& latest = end_of_record[record_of_file_[file]];
      latest = std::max(latest, end);
    }
    for (JobEvent const& event : history_.events) {
      Seconds& end = end_of_record[record(event.job.index())];
      end = std::max(end, event.at);
    }
    for (std::size_t job = 0; job < history_.jobs.size(); ++job) {
      history_.ends.push_back(end_of_record[record(job)]);
    }
  }

  AttemptTable& table_;
  JobHistory history_;
  SlotPlaces slots_;
  std::vector<std::uint32_t> record_of_file_, record_of_job_;
  std::map<std::uint32_t, Seconds> seen_until_of_file_;
  std::vector<std::optional<history::JobName>>
      names_;                         // by the table's jobs, of those that have one
  std::set<std::uint32_t> clusters_;  // of these
  std::uint32_t next_cluster_ = 1;
};

}  // namespace

JobHistory history_of(AttemptTable& table) { return TableHistory(table).history(); }

std::vector<condor::LoggedRun> runs_of(AttemptTable const& table, JobHistory const& history) {
  bool const dated = table.zero_unix && history.start_unix;
  std::int64_t const zero = dated ? *history.start_unix - *table.zero_unix : 0;
  std::vector<condor::LoggedRun> runs;
  std::size_t job = 0;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    AttemptRow const& row = table.rows[i];
    if (i > 0 && row.job != table.rows[i - 1].job) ++job;
    if (!row.ended || !(row.bytes_in || row.bytes_out)) continue;
    Seconds const ended = dated ? since(zero, *row.ended) : *row.ended;
    runs.push_back({history.jobs[job], ended, row.bytes_out, row.bytes_in});
  }
  return runs;
}

history::BytesBySite bytes_of(AttemptTable const& table) {
  history::BytesBySite bytes;
  for (AttemptRow const& row : table.rows) {
    history::MovedBytes const moved{row.bytes_in.value_or(Bytes()),
                                    row.bytes_out.value_or(Bytes())};
    if (moved.received > Bytes() || moved.sent > Bytes()) bytes[table.names[row.site]] += moved;
  }
  return bytes;
}

}  // namespace gridcast::import
