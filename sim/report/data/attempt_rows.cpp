#include "sim/report/data/attempt_rows.hpp"

#include <iterator>

#include <fmt/format.h>

#include "sim/report/data/csv.hpp"

namespace gridcast::report {
namespace {

std::string_view end_text(history::Attempt const& attempt) {
  if (!attempt.ended) return "";
  switch (attempt.end) {
    case history::EventKind::terminated:
      return attempt.useful ? "success" : "wrong_output";
    case history::EventKind::evicted:
      return "evicted";
    case history::EventKind::shadow_exception:
      return "requeued";
    case history::EventKind::held:
      return "held";
    default:
      return "removed";
  }
}

std::string_view reason_text(history::Reason reason) {
  return reason == history::Reason::none ? std::string_view() : history::name(reason);
}

void add(std::string& text, Seconds time) {
  fmt::format_to(std::back_inserter(text), "{}", time.value());
}

/// The cell and the comma behind it.
void add_cell(std::string& text, std::optional<Seconds> time) {
  if (time) add(text, *time);
  text += ',';
}

}  // namespace

AttemptRows::AttemptRows(history::JobHistory const& names) : names_(names) {
  for (auto const& site : names.sites) sites_.push_back(csv_cell(site));
}

/// job, attempt, site, slot.
void AttemptRows::add_place(std::string& text, history::Attempt const& attempt) const {
  history::JobName const job = names_.jobs[attempt.job.index()];
  std::string_view const site =
      attempt.site.valid() ? sites_[attempt.site.index()] : std::string_view();
  fmt::format_to(std::back_inserter(text), "{}.{},{},{},{},", job.cluster, job.proc, attempt.number,
                 site, attempt.slot);
}

void AttemptRows::add_attempt(std::string& text, history::Attempt const& attempt) const {
  add_place(text, attempt);
  add_cell(text, attempt.matched);
  add_cell(text, attempt.transfer_started);
  add_cell(text, attempt.transfer_ended);
  add_cell(text, attempt.execute_started);
  add_cell(text, attempt.execute_ended);
  add_cell(text, attempt.ended);
  text += end_text(attempt);
  text += ',';
  text += reason_text(attempt.reason);
  text += '\n';
}

void AttemptRows::add_transfer(std::string& text, history::Attempt const& attempt,
                               bool input) const {
  auto const started = input ? attempt.transfer_started : attempt.output_started;
  auto const ended = input ? attempt.transfer_ended : attempt.output_ended;
  if (!started) return;
  // It came to its end if what follows it began, or the attempt was not ended by it.
  bool const arrived = input ? attempt.execute_started.has_value()
                             : attempt.ended && attempt.end == history::EventKind::terminated;
  add_place(text, attempt);
  text += input ? "input," : "output,";
  add_cell(text, started);
  add_cell(text, ended);
  if (ended) add(text, *ended - *started);
  text += !ended ? ",," : arrived ? ",finished," : ",failed,";
  if (!arrived) text += reason_text(attempt.reason);
  text += '\n';
}

void AttemptRows::add_transfers(std::string& text, history::Attempt const& attempt) const {
  add_transfer(text, attempt, true);
  add_transfer(text, attempt, false);
}

}  // namespace gridcast::report
