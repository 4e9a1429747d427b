// Why retries work: of the attempts that a cause ended, how often the next attempt of the same job
// succeeded, by the number of the attempt that failed, and whether that hung on going elsewhere or
// on waiting.
//
// The attempts of a DAG node are in one row, even if DAGMan made several clusters of it (RETRY
// submits a new one when the one before has left without a success; jobs of one name that are in
// the queue together are several nodes); each other job has its own row. A failed attempt is one
// that ended in any other way than with a useful result, except that its owner removed it. The next
// attempt counts if it ended: not one that the record leaves running, nor one that its owner
// removed. Intervals are exact (Clopper & Pearson 1934), 95 %; Fisher's exact test decides whether
// two shares differ, two-sided: the sum of the probabilities of all tables with the same margins
// that are no likelier than the one seen.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "sim/base/statistics.hpp"
#include "sim/history/job_history.hpp"

namespace gridcast::ledger {

/// Next attempts, and how many of them succeeded.
struct Retried {
  std::size_t tried = 0, succeeded = 0;

  double share() const;  // NaN if none was tried
  Interval interval95() const { return proportion_interval(succeeded, tried); }
  void add(bool success) {
    ++tried;
    succeeded += success ? 1 : 0;
  }
};

/// Two-sided p of Fisher's exact test; 1 where one of them was not tried.
double p_of_difference(Retried const& a, Retried const& b);

/// From the end of the attempt that failed to the start of the next.
enum class RetryWait { minutes, hour, hours, longer };
inline constexpr std::size_t retry_wait_count = 4;
/// "up to 10 min", "10 min to 1 h", "1 h to 6 h", "over 6 h".
std::string_view words(RetryWait wait);
/// "minutes", "hour", "hours", "longer": its name in JSON.
std::string_view name(RetryWait wait);

inline constexpr std::size_t retry_numbers =
    5;  // failures of the first, second, ... fifth and later

struct RetryCause {
  history::Ending ending;
  std::size_t failures = 0;   // attempts that it ended
  std::size_t not_tried = 0;  // of them, those without a next attempt that ended
  std::size_t jobs = 0;       // that it struck at least once: so many of them ...
  std::size_t fixed = 0;      // ... succeeded in the end
  /// ... were removed by their owner in a slot, or are in the queue where the record ends
  std::size_t open = 0;
  Retried next{};
  std::array<Retried, retry_numbers> by_number{};
  Retried same_site{}, other_site{}, same_host{}, other_host{};  // of the next attempt
  std::array<Retried, retry_wait_count> by_wait{};

  std::size_t never_fixed() const { return jobs - fixed - open; }
};

struct Retries {
  std::vector<RetryCause> causes;  // the commonest first
  RetryCause all;                  // totals; its ending is unused
  history::BatchSystem batch_system = history::BatchSystem::htcondor;
};

Retries count_retries(history::JobHistory const& history);

}  // namespace gridcast::ledger
