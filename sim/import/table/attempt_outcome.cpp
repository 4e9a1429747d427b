#include "sim/import/table/attempt_outcome.hpp"

#include <algorithm>
#include <array>

namespace gridcast::import {
namespace {

using history::EventKind;

// In the order of AttemptOutcome.
constexpr std::array<OutcomeWord, 11> outcome_words = {{
    {"succeeded", EventKind::terminated, "the program ended, with a result of use"},
    {"failed", EventKind::terminated, "the program ended without one, and the job is over"},
    {"requeued", EventKind::requeued, "the program failed, and the job went back to the queue"},
    {"evicted", EventKind::evicted, "the slot was taken away; the job went back to the queue"},
    {"error", EventKind::shadow_exception,
     "the attempt broke off by an error of the system, as a transfer that stalled"},
    {"lost", EventKind::reconnect_failed, "contact with the slot was lost for good"},
    {"held", EventKind::held, "held; the job waits for somebody to let it go on"},
    {"removed", EventKind::aborted, "the job was taken out of the queue"},
    {"dropped", EventKind::evicted,
     "the slot was taken away, and the job is over unless another row of it follows"},
    {"running", std::nullopt, "the record ends before the attempt does"},
    {"waiting", std::nullopt, "no attempt: the job is in the queue, or was until it was removed"},
}};

}  // namespace

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

}  // namespace gridcast::import
