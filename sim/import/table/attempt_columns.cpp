#include "sim/import/table/attempt_columns.hpp"

#include <algorithm>
#include <array>

namespace gridcast::import {
namespace {

using enum CellForm;

// In the order of AttemptColumn.
constexpr std::array<AttemptColumnRow, attempt_column_count> column_rows = {{
    {"job", text, true, "", "the job: cluster.proc, a number, or a name of its own"},
    {"attempt", count, false, "1",
     "which attempt of the job, from 1; without it in the order of their times"},
    {"user", text, false, "", "whose job it is"},
    {"name", text, false, "", "what its owner calls the job; of a DAG, its node"},
    {"batch", text, false, "", "the batch of jobs that it belongs to (JobBatchName)"},
    {"program", text, false, "", "what the job runs: tells programs apart"},
    {"arguments", text, false, "", "of the program"},
    {"submitted", time, false, "time", "when the job came into the queue"},
    {"matched", time, false, "time",
     "when the slot was the job's; without it, when its transfer or program began"},
    {"queued", time, false, "time", "when its input began to wait for its turn to be transferred"},
    {"transfer_started", time, false, "time", "when the input began to come"},
    {"transfer_ended", time, false, "time", "when the input was there"},
    {"started", time, true, "time", "when the program began; empty: it never did"},
    {"output_started", time, false, "time",
     "when the program had ended and its output began to go"},
    {"output_ended", time, false, "time", "when the output had arrived"},
    {"ended", time, true, "time", "when the slot was left; empty: the record ends first"},
    {"outcome", text, true, "", "how the attempt ended: one of the words below"},
    {"reason", text, false, "", "why, by gridcast's name of the reason (docs/formats.md)"},
    {"hold_code", code, false, "1", "HTCondor's hold code, or its code of a vacate"},
    {"hold_subcode", code, false, "1", "the same, its subcode"},
    {"exit_code", code, false, "1", "of the program; minus the signal's number if it was killed"},
    {"released", time, false, "time", "after a hold: when the job was let go on"},
    {"release_reason", text, false, "", "who let it go on: manual, policy, unknown"},
    {"removed", time, false, "time", "when the job, idle or held, was taken out of the queue"},
    {"site", text, false, "", "where"},
    {"host", text, false, "", "which machine there"},
    {"slot", text, false, "", "which part of the machine"},
    {"gpus", count, false, "1", "GPUs that the attempt had"},
    {"gpu_model", text, false, "", "of these GPUs, as the device calls itself"},
    {"gpu_memory", size, false, "B", "of each GPU"},
    {"gpu_capability", number, false, "1", "CUDA compute capability"},
    {"bytes_in", size, false, "B", "that came with the input"},
    {"bytes_out", size, false, "B", "that went with the output"},
    {"epochs", count, false, "1", "pieces of work that were done in the attempt"},
    {"checkpoints", moments, false, "time",
     "when a checkpoint was safe, '|' between; BEGIN/END where it was transferred"},
    {"suspended", spans, false, "time", "BEGIN/END of each suspension, '|' between"},
    {"disconnected", spans, false, "time", "BEGIN/END of each lost contact, '|' between"},
}};

using history::EventKind;

// In the order of AttemptOutcome.
constexpr std::array<OutcomeWord, 10> outcome_words = {{
    {"succeeded", EventKind::terminated, "the program ended, with a result of use"},
    {"failed", EventKind::terminated, "the program ended without one, and the job is over"},
    {"requeued", EventKind::requeued, "the program failed, and the job went back to the queue"},
    {"evicted", EventKind::evicted, "the slot was taken away; the job went back to the queue"},
    {"error", EventKind::shadow_exception,
     "the attempt broke off by an error of the system, as a transfer that stalled"},
    {"lost", EventKind::reconnect_failed, "contact with the slot was lost for good"},
    {"held", EventKind::held, "held; the job waits for somebody to let it go on"},
    {"removed", EventKind::aborted, "the job was taken out of the queue"},
    {"running", std::nullopt, "the record ends before the attempt does"},
    {"waiting", std::nullopt, "no attempt: the job is in the queue, or was until it was removed"},
}};

}  // namespace

AttemptColumnRow const& row_of(AttemptColumn column) {
  return column_rows[static_cast<std::size_t>(column)];
}

std::optional<AttemptColumn> attempt_column_named(std::string_view name) {
  for (std::size_t i = 0; i < column_rows.size(); ++i) {
    if (column_rows[i].name == name) return static_cast<AttemptColumn>(i);
  }
  return std::nullopt;
}

std::vector<std::string> attempt_column_names() {
  std::vector<std::string> names;
  for (AttemptColumnRow const& row : column_rows) names.emplace_back(row.name);
  return names;
}

OutcomeWord const& word_of(AttemptOutcome outcome) {
  return outcome_words[static_cast<std::size_t>(outcome)];
}

std::optional<AttemptOutcome> outcome_named(std::string_view name) {
  for (std::size_t i = 0; i < outcome_words.size(); ++i) {
    if (outcome_words[i].name == name) return static_cast<AttemptOutcome>(i);
  }
  return std::nullopt;
}

AttemptOutcome outcome_of(history::JobEvent const& event) {
  if (event.kind == EventKind::terminated && !event.useful) return AttemptOutcome::failed;
  auto const found = std::find_if(outcome_words.begin(), outcome_words.end(),
                                  [&](OutcomeWord const& word) { return word.ends == event.kind; });
  return static_cast<AttemptOutcome>(found - outcome_words.begin());
}

std::vector<std::string> outcome_names() {
  std::vector<std::string> names;
  for (OutcomeWord const& word : outcome_words) names.emplace_back(word.name);
  return names;
}

std::optional<history::Reason> reason_named(std::string_view name) {
  for (std::size_t i = 0; i < history::reason_count; ++i) {
    auto const reason = static_cast<history::Reason>(i);
    if (history::name(reason) == name) return reason;
  }
  return std::nullopt;
}

std::vector<std::string> reason_names() {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < history::reason_count; ++i) {
    names.emplace_back(history::name(static_cast<history::Reason>(i)));
  }
  return names;
}

}  // namespace gridcast::import
