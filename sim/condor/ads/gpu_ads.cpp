// The GPUs of an attempt, as its ad or its job's gives them. Number: GPUsProvisioned, else the
// names in AssignedGPUs, else RequestGPUs; none where these are 0, or where CpusProvisioned stands
// alone. Kind: the properties that a slot publishes, at the top of the ad (GPUs_DeviceName;
// CUDADeviceName of HTCondor 9), in an ad of each GPU (GPUs_GPU_1234abcd, AvailableGPUs), or kept
// by job_machine_attrs (MachineAttrGPUs_DeviceName0). HTCondor manual, "Job ClassAd Attributes",
// "Machine ClassAd Attributes".
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/text.hpp"
#include "sim/condor/ads/ad_text.hpp"
#include "sim/condor/ads/ad_values.hpp"
#include "sim/condor/ads/job_ads.hpp"

namespace gridcast::condor {
namespace {

constexpr double gpu_memory_unit_B = 1048576;  // GlobalMemoryMb

// The first value of a property counts.
void take_gpu_property(history::GpuShare& gpus, std::string_view name,
                       classad::Value const& value) {
  if (name == "devicename" && gpus.model.empty()) take(gpus.model, value);
  if (name == "capability" && gpus.capability <= 0) {
    gpus.capability = std::max(0.0, value.number());
  }
  std::optional<Bytes> memory;
  if (name == "globalmemorymb" && gpus.memory <= Bytes() &&
      take(memory, value, gpu_memory_unit_B)) {
    gpus.memory = *memory;
  }
}

void take_gpu_properties(history::GpuShare& gpus, classad::Value const& value) {
  if (value.as_list() != nullptr) {
    for (classad::Value const& one : *value.as_list()) {
      if (one.as_ad() != nullptr) take_gpu_properties(gpus, one);
    }
  }
  if (value.as_ad() == nullptr) return;
  for (std::string_view const name : {"DeviceName", "Capability", "GlobalMemoryMb"}) {
    take_gpu_property(gpus, lower(std::string(name)), value.as_ad()->lookup(name));
  }
}

void take_gpu_attribute(history::GpuShare& gpus, std::string_view name,
                        classad::Value const& value) {
  constexpr std::string_view kept = "machineattr";
  if (name.starts_with(kept) && name.ends_with('0')) {
    name.remove_prefix(kept.size());
    name.remove_suffix(1);
  }
  bool const of_each = name == "availablegpus";
  if (!of_each && !name.starts_with("gpus_") && !name.starts_with("cuda")) return;
  if (of_each || value.as_ad() != nullptr) return take_gpu_properties(gpus, value);
  take_gpu_property(gpus, name.substr(name.starts_with("cuda") ? 4 : 5), value);
}

int named_gpus(TextAd const& ad) {
  std::string names;
  if (!take_from(ad, "AssignedGPUs", names) || trim(names).empty()) return 0;
  return 1 + static_cast<int>(std::count(names.begin(), names.end(), ','));
}

}  // namespace

history::GpuShare gpus_in(TextAd const& ad) {
  history::GpuShare gpus;
  std::optional<std::uint16_t> provisioned;
  take_from(ad, "GPUsProvisioned", provisioned);
  std::optional<std::uint16_t> cpus;
  take_from(ad, "CpusProvisioned", cpus);
  int const count = provisioned.value_or(0) > 0 ? *provisioned : named_gpus(ad);
  if (count > 0 || provisioned || cpus) gpus.count = count;
  for (auto const& [name, value] : ad.attributes) take_gpu_attribute(gpus, lower(name), value);
  return gpus;
}

history::GpuShare gpus_of(JobAdFacts const& job, AttemptAdFacts const& attempt) {
  history::GpuShare gpus = attempt.gpus;
  if (gpus.count > 0) return gpus;
  if (job.request_gpus > 0 || (!gpus.count && job.request_gpus == 0)) gpus.count = job.request_gpus;
  if (gpus.is_none()) return {.count = 0};
  return gpus.count ? gpus : history::GpuShare();
}

}  // namespace gridcast::condor
