// HTCondor's fair share: who gets how many slots in a negotiation cycle.
//
//   RUP' = beta RUP + (1 - beta) slots, beta = 0.5^(dt / PRIORITY_HALFLIFE); never below 0.5
//   EUP = RUP x priority factor; the lower, the better
//   slice_i = slots (1 / EUP_i) / sum_j (1 / EUP_j) - slots that i holds
// The pie is spun as often as something is matched: submitters in ascending order of EUP take what
// their slice allows (a first slot also where the slice is a part of one), those who want no more
// or find no slot drop out, and the rest is sliced again among the others. (HTCondor manual,
// "User Priorities and Negotiation"; condor_negotiator, Matchmaker::SubmitterLimitPermits and
// calculateSubmitterLimit.) Left out: accounting groups, slot weights, preemption, time limits.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "sim/base/units.hpp"

namespace gridcast::strategy {

inline constexpr double least_real_priority = 0.5;

/// A user's real priority after holding so many slots for a while.
double real_priority_after(double before, int slots, Seconds elapsed, Seconds half_life);

struct Submitter {
  double effective_priority = least_real_priority;
  int running = 0;  // slots held
  int idle = 0;     // jobs that want one
};

/// Slices of a pie of so many slots, held or free; 0 for those who want none or have more already.
std::vector<double> slices(std::vector<Submitter> const& submitters, int slots);

enum class MatchResult { matched, no_slot };

/// One cycle. `match` matches the next job of a submitter, if any slot suits it.
void spin_pie(std::vector<Submitter> submitters, int slots,
              std::function<MatchResult(std::size_t)> const& match);

}  // namespace gridcast::strategy
