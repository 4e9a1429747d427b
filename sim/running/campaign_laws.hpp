// The evidence of a running campaign about its rest: its attempts as laws of steps, and as odds of
// repetition. An earlier campaign adds pseudo-counts to the odds, and lengths where there are none.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/running/ending_odds.hpp"
#include "sim/running/running_campaign.hpp"
#include "sim/running/share_of_repeats.hpp"
#include "sim/running/slot_use.hpp"
#include "sim/running/start_law.hpp"
#include "sim/running/step_law.hpp"

namespace gridcast::running {

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
