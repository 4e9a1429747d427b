// How the attempts before a job's last one ended, as far as its own ad counts it:
// NumJobCompletions, NumHolds and NumHoldsByReason, NumVacatesByReason, and the last hold's code,
// subcode and words. No ad shows which of the attempts it was. The likeliest attempt is taken:
// failures before a program starts (hold code 13 and its like) ended attempts that never executed,
// all others those that did, the later ones first; holds of a code are alike. A completion that is
// not the last attempt's was queued again, except those that may be of holds by on_exit_hold, whose
// code 3 periodic_hold has too. A vacate of a code below 1000 is the hold of that code, and one
// that only shows a failure (1002, 1007 and their like) shows no more than nothing. HTCondor
// manual, "Job ClassAd Attributes", "Hold Reason Codes", "Vacate Reason Codes".
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/condor/ads/ad_history.hpp"
#include "sim/condor/ads/job_ads.hpp"

namespace gridcast::condor {
namespace {

// Broken ads do not fill the memory.
constexpr std::uint32_t most_holds = 10000;

bool comes_before_execution(int code) {
  constexpr int codes[] = {6, 7, 8, 11, 13, 14, 18, 19, 32, 35, 45, 48};
  return contains(codes, code);
}

// Codes of all holds, 0 where none is known, the last one at the end.
std::vector<int> hold_codes(JobAdFacts const& job) {
  std::uint32_t const all = std::min(job.num_holds.value_or(0), most_holds);
  std::vector<int> codes;
  for (auto const& [name, count] : job.num_holds_by_reason) {
    codes.insert(codes.end(), std::min(count, most_holds), code_named(name));
  }
  int const last = job.hold_reason_code.value_or(job.last_hold_reason_code.value_or(0));
  if (codes.empty()) codes.assign(all, last);
  codes.resize(std::clamp<std::size_t>(codes.size(), all, most_holds), 0);
  auto const latest = std::ranges::find(codes, last);
  if (latest != codes.end()) std::rotate(latest, latest + 1, codes.end());
  return codes;
}

class EarlierEnds {
 public:
  EarlierEnds(JobAdFacts const& job, std::vector<AttemptAdFacts>& attempts)
      : job_(job), attempts_(attempts), explained_(attempts.size(), false) {}

  std::vector<AttemptAdFacts> explain() {
    std::vector<int> codes = hold_codes(job_);
    // The last hold of one that is held, or was when it was removed, ended its last attempt.
    bool const of_last = job_.has_status(JobStatus::held) || job_.removed_from_hold();
    if (of_last && !codes.empty()) codes.pop_back();
    put_requeues(codes);
    std::vector<AttemptAdFacts> in_queue;
    for (auto code = codes.rbegin(); code != codes.rend(); ++code) {
      AttemptAdFacts hold;
      AttemptAdFacts* const attempt = unexplained(!comes_before_execution(*code));
      put_hold(attempt != nullptr ? *attempt : hold, *code);
      if (attempt == nullptr) in_queue.push_back(std::move(hold));
    }
    for (auto const& [name, count] : job_.num_vacates_by_reason) {
      int const code = code_named(name);
      for (std::uint32_t i = 0; code >= first_vacate_code && i < count; ++i) {
        AttemptAdFacts* const attempt = unexplained(true);
        if (attempt == nullptr) break;
        attempt->vacate_code = code;
      }
    }
    for (std::size_t i = 0; i < attempts_.size(); ++i) attempts_[i].end_unknown = !explained_[i];
    return in_queue;
  }

 private:
  // The latest that did or did not execute, else the latest of the others; null if all are known.
  AttemptAdFacts* unexplained(bool executed) {
    for (bool const wanted : {executed, !executed}) {
      for (std::size_t i = attempts_.size(); i-- > 0;) {
        if (explained_[i] || attempts_[i].executing.has_value() != wanted) continue;
        explained_[i] = true;
        return &attempts_[i];
      }
    }
    return nullptr;
  }

  void put_requeues(std::vector<int> const& holds) {
    constexpr int job_policy = 3;
    AttemptAdFacts const& last = job_.last;
    bool const last_completed =
        job_.has_status(JobStatus::completed) || last.exit_code || last.exit_signal;
    auto const other = std::ranges::count(holds, job_policy) + (last_completed ? 1 : 0);
    auto requeues = std::int64_t{job_.num_job_completions.value_or(0)} - other;
    for (std::size_t i = attempts_.size(); requeues > 0 && i-- > 0;) {
      if (!attempts_[i].executing) continue;
      attempts_[i].requeued = explained_[i] = true;
      --requeues;
    }
  }

  void put_hold(AttemptAdFacts& attempt, int code) const {
    attempt.held = true;
    attempt.vacate_code = code;
    if (code == job_.last_hold_reason_code) {
      attempt.vacate_subcode = job_.last_hold_reason_subcode;
      attempt.vacate_reason = job_.last_hold_reason;
    }
  }

  JobAdFacts const& job_;
  std::vector<AttemptAdFacts>& attempts_;
  std::vector<bool> explained_;
};

constexpr std::pair<int, std::string_view> names_of_codes[] = {
    {1, "UserRequest"},
    {3, "JobPolicy"},
    {4, "CorruptedCredential"},
    {5, "JobPolicyUndefined"},
    {6, "FailedToCreateProcess"},
    {7, "UnableToOpenOutput"},
    {8, "UnableToOpenInput"},
    {9, "UnableToOpenOutputStream"},
    {10, "UnableToOpenInputStream"},
    {11, "InvalidTransferAck"},
    {12, "TransferOutputError"},
    {13, "TransferInputError"},
    {14, "IwdError"},
    {15, "SubmittedOnHold"},
    {16, "SpoolingInput"},
    {18, "InvalidTransferGoAhead"},
    {19, "HookPrepareJobFailure"},
    {20, "MissedDeferredExecutionTime"},
    {21, "StartdHeldJob"},
    {22, "UnableToInitUserLog"},
    {26, "SystemPolicy"},
    {27, "SystemPolicyUndefined"},
    {32, "MaxTransferInputSizeExceeded"},
    {33, "MaxTransferOutputSizeExceeded"},
    {34, "JobOutOfResources"},
    {35, "InvalidDockerImage"},
    {36, "FailedToCheckpoint"},
    {45, "SingularityTestFailed"},
    {46, "JobDurationExceeded"},
    {47, "JobExecuteExceeded"},
    {48, "HookShadowPrepareJobFailure"},
    {1000, "JobPolicyVacate"},
    {1001, "SystemPolicyVacate"},
    {1004, "UserVacateJob"},
    {1008, "ReconnectFailed"},
    {1010, "StartdVacateCommand"},
    {1011, "StartdPreemptExpression"},
    {1012, "StartdException"},
    {1013, "StartdShutdown"},
    {1014, "StartdDraining"},
    {1015, "StartdCoalesce"},
    {1016, "StartdHibernate"},
    {1017, "StartdReleaseCommand"},
    {1018, "StartdPreemptingClaimRank"},
    {1019, "StartdPreemptingClaimUserPrio"}};

}  // namespace

std::vector<AttemptAdFacts> set_earlier_ends(JobAdFacts const& job,
                                             std::vector<AttemptAdFacts>& attempts) {
  return EarlierEnds(job, attempts).explain();
}

int code_named(std::string_view name) {
  for (auto const& [code, known] : names_of_codes) {
    if (known == name) return code;
  }
  return 0;
}

}  // namespace gridcast::condor
