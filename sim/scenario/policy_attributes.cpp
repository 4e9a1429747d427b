#include "sim/scenario/policy_attributes.hpp"

#include <set>

#include "sim/base/text.hpp"

namespace gridcast::scenario {
namespace {

using Names = std::set<std::string_view, LessIgnoringCase>;

}  // namespace

bool is_job_attribute(std::string_view name) {
  static Names const names = {"ClusterId",
                              "ProcId",
                              "JobStatus",
                              "JobUniverse",
                              "HoldReasonCode",
                              "HoldReasonSubCode",
                              "NumHolds",
                              "NumSystemHolds",
                              "NumShadowStarts",
                              "JobRunCount",
                              "NumJobStarts",
                              "NumJobMatches",
                              "NumInputTransferStarts",
                              "NumJobCoolDowns",
                              "NumVacates",
                              "NumJobCompletions",
                              "JobMaxRetries",
                              "JobSuccessExitCode",
                              "ExitCode",
                              "ExitBySignal",
                              "QDate",
                              "EnteredCurrentStatus",
                              "JobStartDate",
                              "JobCurrentStartDate",
                              "JobCurrentStartExecutingDate",
                              "CurrentTime",
                              "ServerTime",
                              "RequestGPUs",
                              "LastRemoteHost",
                              "GLIDEIN_ResourceName",
                              "MachineAttrGLIDEIN_ResourceName0",
                              "LastRemotePool"};
  return names.contains(name);
}

bool is_slot_attribute(std::string_view name) {
  static Names const names = {"GLIDEIN_ResourceName",
                              "GLIDEIN_Site",
                              "Arch",
                              "OpSys",
                              "HasFileTransfer",
                              "HasSingularity",
                              "GPUs",
                              "TotalGPUs",
                              "GPUs_DeviceName",
                              "GPUs_Capability",
                              "CUDACapability",
                              "GPUs_GlobalMemoryMb",
                              "Disk"};
  return names.contains(name);
}

}  // namespace gridcast::scenario
