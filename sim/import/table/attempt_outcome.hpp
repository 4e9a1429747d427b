// How an attempt of a table ended, in the words of gridcast.attempts/1.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/history/job_history.hpp"

namespace gridcast::import {

enum class AttemptOutcome : std::uint8_t {
  succeeded,
  failed,
  requeued,
  evicted,
  error,
  lost,
  held,
  removed,
  dropped,
  running,
  waiting,
};

struct OutcomeWord {
  std::string_view name;
  std::optional<history::EventKind> ends;  // the event that ends the attempt
  std::string_view meaning;
};

OutcomeWord const& word_of(AttemptOutcome outcome);
std::optional<AttemptOutcome> outcome_named(std::string_view name);
/// Of an event that ends an attempt.
AttemptOutcome outcome_of(history::JobEvent const& event);
std::vector<std::string> outcome_names();

}  // namespace gridcast::import
