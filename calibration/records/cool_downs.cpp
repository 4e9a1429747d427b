#include "calibration/records/cool_downs.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace gridcast::calibration {

bool cools_down(AttemptRecord const& attempt) {
  constexpr int transfer_input_error = 13;
  return input_failed(attempt) && attempt.end_kind == history::EventKind::evicted &&
         attempt.code == transfer_input_error;
}

// Ads alone count attempts that never executed and were not held, which are taken for failed
// transfers too: their jobs were queued again.
double held_on_failure(AttemptRecords const& records) {
  using enum history::EventKind;
  double holds = 0, queued_again = 0;
  for (AttemptRecord const& attempt : records.attempts) {
    if (!input_failed(attempt)) continue;
    holds += attempt.end_kind == held ? 1 : 0;
    if (attempt.reason == history::Reason::transfer_stalled) continue;
    queued_again += attempt.end_kind == evicted || attempt.end_kind == requeued ? 1 : 0;
  }
  return queued_again > 0 ? holds / (holds + queued_again) : 1;
}

std::optional<CoolDown> usual_cool_down(AttemptRecords const& records) {
  std::size_t holds = 0, cool_downs = 0;
  std::vector<Seconds> waits;
  for (std::size_t i = 0; i < records.attempts.size(); ++i) {
    AttemptRecord const& attempt = records.attempts[i];
    bool const held = input_failed(attempt) && attempt.end_kind == history::EventKind::held;
    holds += held ? 1 : 0;
    if (!cools_down(attempt)) continue;
    ++cool_downs;
    bool const matched_again =
        i + 1 < records.attempts.size() && records.attempts[i + 1].job == attempt.job;
    if (matched_again) waits.push_back(records.attempts[i + 1].start - attempt.end);
  }
  if (cool_downs <= holds) return std::nullopt;
  CoolDown usual{minutes(5), minutes(10)};
  if (waits.empty()) return usual;
  auto const [shortest, longest] = std::minmax_element(waits.begin(), waits.end());
  if (*shortest < usual.least) usual = {*shortest, std::min(*longest, usual.most)};
  return usual;
}

}  // namespace gridcast::calibration
