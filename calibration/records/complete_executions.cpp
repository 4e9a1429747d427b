#include "calibration/records/complete_executions.hpp"

#include <algorithm>
#include <vector>

#include "sim/base/error.hpp"

namespace gridcast::calibration {
namespace {

bool is_done(AttemptRecord const& attempt) { return attempt.exit || !attempt.epochs.empty(); }

}  // namespace

std::optional<NotIdentified> complete_executions(AttemptRecords& records) {
  std::vector<AttemptRecord*> executions;
  for (AttemptRecord& attempt : records.attempts) {
    if (attempt.executing && attempt.site.valid()) executions.push_back(&attempt);
  }
  if (executions.empty()) {
    throw InputError({{},
                      "no job of the logs began to execute at a site",
                      "speeds and work cannot be fitted",
                      "Give logs in which jobs run."});
  }
  bool const any = std::any_of(executions.begin(), executions.end(),
                               [](auto const* attempt) { return is_done(*attempt); });
  if (any) return std::nullopt;
  for (AttemptRecord* const attempt : executions) attempt->exit = attempt->end;
  return NotIdentified{"work_s", "no execution of the record ended by itself",
                       "executions that something else ended count as whole ones"};
}

}  // namespace gridcast::calibration
