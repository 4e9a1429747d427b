// The evidence of a running campaign about its rest: its attempts as laws of steps, and as odds of
// repetition. An earlier campaign adds pseudo-counts to the odds, and lengths where there are none.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/running/ending_odds.hpp"
#include "sim/running/running_campaign.hpp"
#include "sim/running/start_law.hpp"
#include "sim/running/step_law.hpp"

namespace gridcast::running {

// How much the pace of a campaign changes, by how much it did so far.
//
// The executions that ended, in the order of their ends, make four blocks of equal numbers. The
// logarithms of the blocks' mean lengths have the variance s^2, with three degrees of freedom. An
// expectation of 0.9 counts as one more:
//
//   sd^2 = (0.9^2 + 3 s^2) / 4
//
// is the variance of the logarithm of the factor by which all that is to come takes longer; sd
// is at most 1.5. With fewer than two executions a block, the expectation stands alone.
struct EndedExecution {
  Seconds end, length;
};

/// The sd of the logarithm of the factor.
double pace_change(std::vector<EndedExecution> executions);

/// An attempt of the record, or of the earlier campaign, whose jobs are numbered after its own.
struct AttemptRef {
  std::uint32_t job = 0, attempt = 0;
};

/// The evidence of a record.
struct CampaignLaws {
  StepLaw before_execution;  // from the match to the execution, or to the end of the attempt
  StepLaw last, repeated;    // executions, with the teardown, over the scale of their jobs
  ShareOfRepeats repeats;    // by such lengths
  StepLaw wait;              // in the queue between two attempts
  StepLaw hold;              // until the release or the removal
  EndingOddsPosterior ending;
  StartLaw starts;
  SlotUse slots;
  double pace_change;                // sd of ln of the factor of all that is to come
  std::vector<AttemptRef> attempts;  // SeenStep::of
};

/// `without`: attempts on these hosts are no evidence.
CampaignLaws campaign_laws(RunningCampaign const& campaign,
                           std::vector<std::string> const& without = {});

}  // namespace gridcast::running
