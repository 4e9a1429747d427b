#include "sim/condor/ads/code_names.hpp"

#include <utility>

namespace gridcast::condor {
namespace {

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

int code_named(std::string_view name) {
  for (auto const& [code, known] : names_of_codes) {
    if (known == name) return code;
  }
  return 0;
}

}  // namespace gridcast::condor
