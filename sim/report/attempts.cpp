#include "sim/report/attempts.hpp"

#include "sim/report/csv_text.hpp"

namespace gridcast {
namespace {

std::optional<Seconds> between(std::optional<Seconds> from, std::optional<Seconds> to) {
  if (!from || !to) return std::nullopt;
  return *to - *from;
}

/// What an attempt's end cuts short ends with it.
void close(Attempt& attempt, JobEvent const& event) {
  attempt.ended = event.at;
  attempt.end = event.kind;
  attempt.reason = event.reason;
  attempt.useful = event.useful;
  if (attempt.transfer_started && !attempt.transfer_ended) attempt.transfer_ended = event.at;
  if (attempt.execute_started && !attempt.execute_ended) attempt.execute_ended = event.at;
  if (attempt.output_started && !attempt.output_ended) attempt.output_ended = event.at;
}

void follow(Attempt& attempt, JobEvent const& event) {
  switch (event.kind) {
    case EventKind::transfer_input_started:
      attempt.transfer_started = event.at;
      break;
    case EventKind::transfer_input_finished:
      attempt.transfer_ended = event.at;
      break;
    case EventKind::executing:
      attempt.execute_started = event.at;
      break;
    case EventKind::transfer_output_started:
      attempt.execute_ended = event.at;
      attempt.output_started = event.at;
      break;
    case EventKind::transfer_output_finished:
      attempt.output_ended = event.at;
      break;
    default:
      if (ends_attempt(event.kind)) close(attempt, event);
      break;
  }
}

std::string_view end_text(Attempt const& attempt) {
  if (!attempt.ended) return "";
  switch (attempt.end) {
    case EventKind::terminated:
      return attempt.useful ? "success" : "wrong_output";
    case EventKind::evicted:
      return "evicted";
    case EventKind::shadow_exception:
      return "requeued";
    case EventKind::held:
      return "held";
    default:
      return "removed";
  }
}

std::string time_text(std::optional<Seconds> time) {
  return time ? csv_number(time->value()) : std::string();
}

std::string reason_text(Reason reason) {
  return reason == Reason::none ? std::string() : std::string(name(reason));
}

/// job, attempt, site, slot.
std::vector<std::string> place_cells(JobHistory const& history, Attempt const& attempt) {
  return {to_text(history.jobs[attempt.job.index()]), std::to_string(attempt.number),
          attempt.site.valid() ? history.sites[attempt.site.index()] : std::string(),
          std::to_string(attempt.slot)};
}

std::string transfer_line(JobHistory const& history, Attempt const& attempt, bool input) {
  auto const started = input ? attempt.transfer_started : attempt.output_started;
  auto const ended = input ? attempt.transfer_ended : attempt.output_ended;
  if (!started) return "";
  // It came to its end if what follows it began, or the attempt was not ended by it.
  bool const arrived = input ? attempt.execute_started.has_value()
                             : attempt.ended && attempt.end == EventKind::terminated;
  auto cells = place_cells(history, attempt);
  cells.emplace_back(input ? "input" : "output");
  cells.push_back(time_text(started));
  cells.push_back(time_text(ended));
  cells.push_back(time_text(between(started, ended)));
  cells.emplace_back(!ended ? "" : arrived ? "finished" : "failed");
  cells.push_back(arrived ? std::string() : reason_text(attempt.reason));
  return csv_line(cells);
}

}  // namespace

std::optional<Seconds> Attempt::transfer() const {
  return between(transfer_started, transfer_ended);
}

std::optional<Seconds> Attempt::execution() const {
  return between(execute_started, execute_ended);
}

std::vector<Attempt> attempts_of(JobHistory const& history) {
  constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::vector<Attempt> attempts;
  std::vector<std::size_t> open(history.jobs.size(), none);
  std::vector<int> number(history.jobs.size(), 0);
  for (auto const& event : history.events) {
    std::size_t const job = event.job.index();
    if (event.kind == EventKind::matched) {
      open[job] = attempts.size();
      Attempt attempt;
      attempt.job = event.job;
      attempt.number = ++number[job];
      attempt.site = event.site;
      attempt.slot = event.slot;
      attempt.matched = event.at;
      attempts.push_back(attempt);
    } else if (open[job] != none) {
      follow(attempts[open[job]], event);
      if (attempts[open[job]].ended) open[job] = none;
    }
  }
  return attempts;
}

std::string attempts_csv(JobHistory const& history) {
  std::string text = csv_line({"job", "attempt", "site", "slot", "matched_s", "transfer_started_s",
                               "transfer_ended_s", "execute_started_s", "execute_ended_s",
                               "ended_s", "end", "reason"});
  for (auto const& attempt : attempts_of(history)) {
    auto cells = place_cells(history, attempt);
    for (auto const& time :
         {std::optional(attempt.matched), attempt.transfer_started, attempt.transfer_ended,
          attempt.execute_started, attempt.execute_ended, attempt.ended}) {
      cells.push_back(time_text(time));
    }
    cells.emplace_back(end_text(attempt));
    cells.push_back(reason_text(attempt.reason));
    text += csv_line(cells);
  }
  return text;
}

std::string transfers_csv(JobHistory const& history) {
  std::string text = csv_line({"job", "attempt", "site", "slot", "direction", "started_s",
                               "ended_s", "duration_s", "result", "reason"});
  for (auto const& attempt : attempts_of(history)) {
    text += transfer_line(history, attempt, true) + transfer_line(history, attempt, false);
  }
  return text;
}

}  // namespace gridcast
