#include "sim/history/job_rows.hpp"

#include <utility>

namespace gridcast::history {
namespace {

Outcome held_outcome(Reason reason) {
  switch (reason) {
    case Reason::not_found:
      return Outcome::held_404;
    case Reason::execution_too_long:
      return Outcome::held_duration;
    case Reason::input_too_large:
      return Outcome::held_size;
    default:
      return Outcome::held_transfer;
  }
}

}  // namespace

void JobRowReader::add(JobEvent const& event, std::vector<std::string> const& sites) {
  switch (event.kind) {
    case EventKind::submitted:
    case EventKind::released:
    case EventKind::transfer_output_finished:
    case EventKind::checkpointed:
    case EventKind::suspended:
    case EventKind::unsuspended:
    case EventKind::disconnected:
    case EventKind::reconnected:
    case EventKind::transfer_input_queued:
    case EventKind::transfer_output_queued:
      break;
    case EventKind::matched:
      begin_attempt(event, sites);
      break;
    case EventKind::transfer_input_started:
      begin_transfer(event.at);
      break;
    case EventKind::transfer_input_finished:
      end_transfer(event.at);
      break;
    case EventKind::executing:
      executing_since_ = event.at;
      break;
    case EventKind::transfer_output_started:
      end_execution(event.at);
      break;
    case EventKind::terminated:
    case EventKind::evicted:
    case EventKind::shadow_exception:
    case EventKind::held:
    case EventKind::aborted:
    case EventKind::requeued:
    case EventKind::reconnect_failed:
      end_attempt(event);
      break;
  }
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
  switch (event.kind) {
    case EventKind::evicted:
      ++row_.evictions;
      break;
    case EventKind::shadow_exception:
      row_.stalls += event.reason == Reason::transfer_stalled ? 1 : 0;
      break;
    case EventKind::released:
      ++row_.holds_released;
      row_.outcome = Outcome::unfinished;
      break;
    case EventKind::held:
      row_.outcome = held_outcome(event.reason);
      break;
    case EventKind::terminated:
      row_.outcome = event.useful ? Outcome::success : Outcome::wrong_output;
      break;
    case EventKind::aborted:
      row_.outcome = Outcome::removed_stuck;
      break;
    default:
      break;
  }
}

void JobRowReader::begin_attempt(JobEvent const& event, std::vector<std::string> const& sites) {
  matched_ = event.at;
  executed_in_last_attempt_ = false;
  if (!event.site.valid()) return;
  std::string const& site = sites[event.site.index()];
  if (row_.last_site() != site) row_.sites.push_back(site);
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
  if (!matched_) return;
  end_transfer(event.at);
  end_execution(event.at);
  if (event.executed > Seconds()) {
    row_.execute.push_back(event.executed);
    executed_in_last_attempt_ = true;
  }
  if (executed_in_last_attempt_) row_.slot_busy.push_back(event.at - *matched_);
  matched_.reset();
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
  for (auto const& event : history.events) rows.add(event);
  JobTable table;
  table.rows.reserve(history.jobs.size());
  for (std::size_t j = 0; j < history.jobs.size(); ++j) table.rows.push_back(rows.take(Id<Job>(j)));
  return table;
}

}  // namespace gridcast::history
