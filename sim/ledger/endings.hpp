// Why jobs lost their slots or were held: one row for each kind of ending and reason, with how
// often it happened, to how many jobs, and what it cost.
//
// Cost of an ending: the slot time of its attempt that was in vain, which is all since the claim
// began or since the last checkpoint; and for a hold, how long jobs stayed held. (Idle time until
// the next match is not charged: who else wanted the slots decides that.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/history/job_event.hpp"

namespace gridcast::ledger {

struct EndingAccount {
  history::Ending ending;
  std::size_t times = 0, jobs = 0;
  Seconds slot_time_lost, held;
};

class EndingTable {
 public:
  using Row = std::uint16_t;

  /// Counts one; the row it is in, for held time to come.
  Row add(history::JobEvent const& event, Seconds slot_time_lost);
  void add_held(Row row, Seconds time) { rows_[row].held += time; }

  /// Dearest first: by slot time lost and held together, then by times.
  std::vector<EndingAccount> accounts() const;

 private:
  Row row_of(history::Ending const& ending);

  std::vector<EndingAccount> rows_;
  std::vector<std::vector<bool>> met_;  // a row: which jobs, by Id<Job>
};

}  // namespace gridcast::ledger
