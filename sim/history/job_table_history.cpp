// History -> rows, and back. A row has sums and counts; on the way back the shortest walk that has
// them is chosen:
//
//   total - last              shared evenly by the failed attempts, to the second; evictions first
//                             (they explain a change of site), then stalls with the holds spread
//                             among them
//   last, execution           as the row has them
//   slot busy - last - execution   after the execution, as output transfer and teardown
//
// Two cells can be missing or at odds with others:
//   last missing but retried  the last attempt's claim held transfer and execution, so
//                             slot busy - execution is its upper bound and is taken for it
//   slot busy < last + execution   impossible; the transfer and the execution stand as reported,
//                             and the job ends with the execution
#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/history/job_history.hpp"
#include "sim/history/job_table.hpp"

namespace gridcast::history {
namespace {

// How an attempt failed, and how much evicted computing is known to lie within it.
struct Failure {
  EventKind kind;
  Reason reason;
  Seconds executed;
};

std::size_t to_count(int n) { return static_cast<std::size_t>(n); }

std::vector<Failure> failures(JobRow const& row) {
  std::vector<Failure> list(to_count(row.evictions),
                            {EventKind::evicted, Reason::pilot_ended, Seconds()});
  // Hold number h comes after its share of the stalls; the last share follows the last hold.
  std::size_t const stalls = to_count(row.stalls), holds = to_count(row.holds_released);
  std::size_t stalled = 0;
  for (std::size_t h = 0; h <= holds; ++h) {
    for (std::size_t const until = stalls * (h + 1) / (holds + 1); stalled < until; ++stalled) {
      list.push_back({EventKind::shadow_exception, Reason::transfer_stalled, Seconds()});
    }
    if (h < holds) list.push_back({EventKind::held, Reason::transfer_failed, Seconds()});
  }

  // Sites, executions or retried time that no count explains: attempts that failed somehow.
  std::size_t needed = std::max(row.sites.size(), row.execute.size());
  if (row.transfer_total && row.transfer_last && *row.transfer_total > *row.transfer_last) {
    needed = std::max<std::size_t>(needed, 2);
  }
  while (list.size() + 1 < needed) {
    list.push_back({EventKind::shadow_exception, Reason::transfer_failed, Seconds()});
  }
  for (std::size_t i = 0; i + 1 < row.execute.size(); ++i) list[i].executed = row.execute[i];
  return list;
}

// Which of the row's sites each attempt ran at: an eviction moves the job on; moves that evictions
// do not explain happen as late as possible.
std::vector<Id<Site>> site_of_attempt(JobRow const& row, std::size_t attempts,
                                      std::vector<Id<Site>> const& sites) {
  std::vector<Id<Site>> of_attempt(attempts, sites.front());
  std::size_t const moves = sites.size() - 1;
  std::size_t const early = std::min(moves, to_count(row.evictions));
  std::size_t place = 0;
  for (std::size_t a = 1; a < attempts; ++a) {
    bool const explained = a <= early;
    bool const late = attempts - a <= moves - early;
    place += explained || late ? 1 : 0;
    of_attempt[a] = sites[place];
  }
  return of_attempt;
}

Seconds last_transfer(JobRow const& row, std::size_t attempts) {
  Seconds const total = row.transfer_total.value_or(Seconds());
  if (row.transfer_last) return *row.transfer_last;
  if (attempts == 1) return total;
  if (row.execute.empty() || row.slot_busy.size() < row.execute.size()) {
    return total / static_cast<double>(attempts);
  }
  return std::clamp(row.slot_busy.back() - row.execute.back(), Seconds(), total);
}

/// Why jobs are held that end like this; any other reason is held_transfer.
struct Hold {
  Outcome outcome;
  Reason reason;
};
constexpr Hold holds[] = {{Outcome::held_404, Reason::not_found},
                          {Outcome::held_duration, Reason::execution_too_long},
                          {Outcome::held_size, Reason::input_too_large}};

Reason hold_reason(Outcome outcome) {
  for (Hold const& hold : holds) {
    if (hold.outcome == outcome) return hold.reason;
  }
  return Reason::transfer_failed;
}

Outcome held_outcome(Reason reason) {
  for (Hold const& hold : holds) {
    if (hold.reason == reason) return hold.outcome;
  }
  return Outcome::held_transfer;
}

class RowWriter {
 public:
  RowWriter(JobRow const& row, Id<Job> job, JobHistory& history, SiteNames& site_named)
      : row_(row), history_(history), failures_(failures(row)) {
    event_.job = job;
    std::vector<Id<Site>> sites;
    for (auto const& name : row.sites) sites.push_back(site_named(name));
    if (sites.empty()) sites.emplace_back();
    sites_ = site_of_attempt(row, failures_.size() + 1, sites);
  }

  void write() {
    add(EventKind::submitted);
    bool const matched = row_.transfer_total || !row_.execute.empty() || !row_.slot_busy.empty() ||
                         !row_.sites.empty() || !failures_.empty();
    if (matched) {
      fail_until_last();
      write_last_attempt();
    }
    write_end();
  }

 private:
  void add(EventKind kind, Reason reason = Reason::none) {
    event_.kind = kind;
    event_.reason = reason;
    history_.events.push_back(event_);
    event_.executed = Seconds();
  }

  bool terminates() const {
    return row_.outcome == Outcome::success || row_.outcome == Outcome::wrong_output;
  }

  void start_attempt(std::size_t attempt) {
    event_.site = sites_[attempt];
    add(EventKind::matched);
  }

  void fail_until_last() {
    last_ = last_transfer(row_, sites_.size());
    Seconds const retried = row_.transfer_total.value_or(Seconds()) - last_;
    double const attempts = static_cast<double>(failures_.size());
    for (std::size_t i = 0; i < failures_.size(); ++i) {
      start_attempt(i);
      add(EventKind::transfer_input_started);
      bool const all = i + 1 == failures_.size();
      event_.at =
          all ? retried
              : Seconds(std::floor(retried.value() * static_cast<double>(i + 1) / attempts));
      event_.executed = failures_[i].executed;
      add(failures_[i].kind, failures_[i].reason);
      if (failures_[i].kind == EventKind::held) {
        event_.site = Id<Site>();
        add(EventKind::released, Reason::manual);
      }
    }
  }

  void write_last_attempt() {
    start_attempt(sites_.size() - 1);
    Seconds const match = event_.at;
    if (row_.transfer_total) {
      add(EventKind::transfer_input_started);
      event_.at += last_;
      if (row_.execute.empty() && !terminates()) return;
      add(EventKind::transfer_input_finished);
    }
    if (row_.execute.empty()) return;
    add(EventKind::executing);
    event_.at += row_.execute.back();
    if (row_.slot_busy.size() < row_.execute.size()) return;
    Seconds const end = match + row_.slot_busy.back();
    if (end <= event_.at) return;
    add(EventKind::transfer_output_started);
    event_.at = end;
  }

  void write_end() {
    event_.useful = row_.outcome == Outcome::success;
    if (terminates()) {
      add(EventKind::terminated);
    } else if (is_held(row_.outcome)) {
      add(EventKind::held, hold_reason(row_.outcome));
    } else if (row_.outcome == Outcome::removed_stuck) {
      add(EventKind::aborted, Reason::manual);
    } else if (event_.at > Seconds()) {
      add(EventKind::shadow_exception);  // closes the claim; the job stays in the queue
    }
  }

  JobRow const& row_;
  JobHistory& history_;
  std::vector<Failure> failures_;
  std::vector<Id<Site>> sites_;  // one an attempt; the last attempt is the one that did not fail
  Seconds last_;
  JobEvent event_;
};

}  // namespace

JobHistory to_history(JobTable const& table) {
  JobHistory history;
  history.dated = false;
  history.retries_opaque = true;
  SiteNames site_named(history);
  bool const users =
      std::ranges::any_of(table.rows, [](JobRow const& row) { return !row.user.empty(); });
  for (auto const& row : table.rows) {
    if (users) history.users.push_back(row.user);
    Id<Job> const job(history.jobs.size());
    history.jobs.push_back(row.name);
    RowWriter(row, job, history, site_named).write();
  }
  return history;
}

void add_to_history(JobRow const& row, Id<Job> job, JobHistory& history, SiteNames& site_named) {
  RowWriter(row, job, history, site_named).write();
}

void JobRowReader::add(AttemptStep const& step, std::vector<std::string> const& sites) {
  JobEvent const& event = step.event;
  using enum EventKind;
  if (event.kind == matched) begin_attempt(event, sites);
  if (event.kind == transfer_input_started) begin_transfer(event.at);
  if (event.kind == transfer_input_finished) end_transfer(event.at);
  if (event.kind == executing) executing_since_ = event.at;
  if (event.kind == transfer_output_started) end_execution(event.at);
  // An attempt whose match is not on record has no known slot time.
  if (step.ends && step.begun_by == Sign::match) end_attempt(event);
  note(event);
}

JobRow JobRowReader::finish() {
  if (first_transfer_ && transfer_ended_) {
    row_.transfer_total = *transfer_ended_ - *first_transfer_;
    row_.transfer_last = *transfer_ended_ - *last_transfer_;
  }
  // The last value of these columns is the final execution's; without one they stay empty.
  if (!executed_in_last_attempt_) {
    row_.execute.clear();
    row_.slot_busy.clear();
  }
  return std::move(row_);
}

// Counts, and how the job stands.
void JobRowReader::note(JobEvent const& event) {
  using enum EventKind;
  EventKind const kind = event.kind;
  if (kind == evicted) ++row_.evictions;
  if (kind == shadow_exception && event.reason == Reason::transfer_stalled) ++row_.stalls;
  if (kind == released) ++row_.holds_released;
  if (kind == released) row_.outcome = Outcome::unfinished;
  if (kind == held) row_.outcome = held_outcome(event.reason);
  if (kind == terminated) row_.outcome = event.useful ? Outcome::success : Outcome::wrong_output;
  if (kind == aborted) row_.outcome = Outcome::removed_stuck;
}

void JobRowReader::begin_attempt(JobEvent const& event, std::vector<std::string> const& sites) {
  matched_ = event.at;
  executed_in_last_attempt_ = false;
  if (!event.site.valid()) return;
  std::string const& site = sites[event.site.index()];
  if (row_.sites.empty() || row_.sites.back() != site) row_.sites.push_back(site);
}

void JobRowReader::begin_transfer(Seconds at) {
  if (!first_transfer_) first_transfer_ = at;
  last_transfer_ = at;
  transfer_ended_.reset();
}

void JobRowReader::end_transfer(Seconds at) {
  if (last_transfer_ && !transfer_ended_) transfer_ended_ = at;
}

void JobRowReader::end_execution(Seconds at) {
  if (!executing_since_) return;
  row_.execute.push_back(at - *executing_since_);
  executing_since_.reset();
  executed_in_last_attempt_ = true;
}

void JobRowReader::end_attempt(JobEvent const& event) {
  end_transfer(event.at);
  end_execution(event.at);
  if (event.executed > Seconds()) {
    row_.execute.push_back(event.executed);
    executed_in_last_attempt_ = true;
  }
  if (executed_in_last_attempt_) row_.slot_busy.push_back(event.at - matched_);
}

JobRow JobRows::take(Id<Job> job) {
  JobRow row = readers_[job].finish();
  row.name = names_.jobs[job.index()];
  if (!names_.users.empty()) row.user = names_.users[job.index()];
  readers_.forget(job);
  return row;
}

JobTable to_table(JobHistory const& history) {
  JobRows rows(history);
  each_step(history.events, [&rows](AttemptStep const& step) { rows.add(step); });
  JobTable table;
  table.rows.reserve(history.jobs.size());
  for (std::size_t j = 0; j < history.jobs.size(); ++j) table.rows.push_back(rows.take(Id<Job>(j)));
  return table;
}

JobTable in_whole_seconds(JobTable table) {
  auto const round = [](auto& times) {
    for (Seconds& time : times) time = Seconds(std::round(time.value()));
  };
  for (JobRow& row : table.rows) {
    round(row.execute);
    round(row.slot_busy);
    for (auto* const time : {&row.transfer_total, &row.transfer_last}) {
      if (*time) *time = Seconds(std::round((*time)->value()));
    }
  }
  return table;
}

}  // namespace gridcast::history
