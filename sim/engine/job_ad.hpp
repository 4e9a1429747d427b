// What the queue remembers of a job: the attributes of its ad that decisions hang on.
// Names in comments are those of HTCondor's job ClassAd attributes.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/engine/claim.hpp"
#include "sim/engine/clock.hpp"
#include "sim/engine/recorder.hpp"
#include "sim/strategy/policy_expressions.hpp"

namespace gridcast::engine {

struct JobAd {
  strategy::JobStatus status = strategy::JobStatus::idle;  // JobStatus
  Seconds submitted;                                       // QDate
  Seconds entered_status;                                  // EnteredCurrentStatus
  std::uint32_t matches = 0;                               // NumJobMatches
  std::uint32_t shadow_starts = 0;                         // NumShadowStarts
  std::uint32_t input_attempts = 0;                        // NumInputTransferStarts
  std::uint32_t executions = 0;                            // NumJobStarts
  std::uint32_t holds = 0;                                 // NumHolds
  std::uint32_t system_holds = 0;  // NumSystemHolds: neither by a person nor by policy
  std::uint32_t vacates = 0;       // NumVacates
  int completions = 0;             // NumJobCompletions
  int cool_downs = 0;              // NumJobCoolDowns
  int policy_releases = 0;
  history::HoldCode hold_code;         // HoldReasonCode, HoldReasonSubCode of the last hold
  std::optional<int> exit_code;        // ExitCode
  std::optional<Seconds> first_start;  // JobStartDate
  std::optional<Seconds> last_start;   // JobCurrentStartDate
  std::optional<Seconds> started;      // of the attempt that is on, if one is
  std::optional<Seconds> executing;    // JobCurrentStartExecutingDate of that attempt, or its last
                                       // checkpoint
  SlotRef last_slot;                   // LastRemoteHost
  int epochs_stored = 0;               // by checkpoints
  bool claim_reusable = false;         // requeued at once: the schedd still has the claim on ...
  SlotRef claim;                       // ... this slot

  Claim* held_claim = nullptr;       // of the slot that is matched to it or runs it
  Timer* timer = nullptr;            // it waits for this: a person, a cool-down, its lease
  std::optional<Seconds> slot_gone;  // its pilot has died, which only the lease will tell
  std::optional<strategy::PolicyDecision> decision;  // why the access point ends its claim
};

}  // namespace gridcast::engine
