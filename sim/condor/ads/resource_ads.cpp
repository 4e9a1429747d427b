// The resources of a job's last execution in its ad. HTCondor manual, "Job ClassAd
// Attributes":
//   memory  MemoryUsage (MiB), else ResidentSetSize (KiB), of which it mostly is an expression;
//           RequestMemory, MemoryProvisioned (MiB)
//   disk    DiskUsage, RequestDisk, DiskProvisioned (KiB)
//   CPUs    CpusUsage (mean); RequestCpus, CpusProvisioned
//   GPUs    GPUsAverageUsage, GPUsUsage (mean); RequestGPUs, GPUsProvisioned
//   time    AllowedExecuteDuration, else MaxWallTimeMins, is its limit; use is in the history
// RemoteUserCpu and RemoteSysCpu are the CPU time of the last execution.
#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "sim/condor/ads/ad_text.hpp"
#include "sim/condor/ads/ad_values.hpp"
#include "sim/condor/ads/job_ads.hpp"

namespace gridcast::condor {
namespace {

using history::Resource;

constexpr double kibibyte = 1024, mebibyte = 1048576;
constexpr int resources_code = 34;

/// The first of these attributes that is a number that an amount can be.
std::optional<double> amount(TextAd const& ad, std::initializer_list<std::string_view> names,
                             double unit) {
  for (std::string_view const name : names) {
    classad::Value const* const found = find(ad, name);
    std::optional<Bytes> value;
    if (found != nullptr && take(value, *found, unit)) return value->value();
  }
  return std::nullopt;
}

Seconds last_date(TextAd const& ad) {
  UnixDate last;
  for (std::string_view const name :
       {"EpochWriteDate", "CompletionDate", "EnteredCurrentStatus", "JobCurrentStartDate"}) {
    UnixDate date;
    if (take_from(ad, name, date) && date) last = std::max(last.value_or(0), *date);
  }
  return Seconds(static_cast<double>(last.value_or(0)));
}

/// A hold for memory or disk: the job needs more than was seen of it.
void note_hold(TextAd const& ad, history::ResourceAmounts& amounts) {
  std::optional<int> code;
  std::string reason;
  take_from(ad, "HoldReasonCode", code);
  if (!take_from(ad, "HoldReason", reason)) return;
  reason = lower(reason);
  bool const by_rule = reason.find("exceeded request_") != std::string::npos;
  if (code != resources_code && !by_rule) return;
  for (auto const& [word, resource] :
       {std::pair("disk", Resource::disk), std::pair("memory", Resource::memory)}) {
    if (reason.find(word) == std::string::npos) continue;
    history::ResourceAmount& amount = amounts[resource];
    amount.exceeded = true;
    if (amount.requested) amount.used = std::max(amount.used.value_or(0), *amount.requested);
    return;
  }
}

}  // namespace

history::ResourceUse resource_use_in(TextAd const& ad) {
  history::ResourceUse use;
  use.at = last_date(ad);
  auto& of = use.amounts;
  of[Resource::memory] = {amount(ad, {"MemoryUsage"}, mebibyte),
                          amount(ad, {"RequestMemory"}, mebibyte),
                          amount(ad, {"MemoryProvisioned"}, mebibyte)};
  if (auto& used = of[Resource::memory].used; !used) {
    used = amount(ad, {"ResidentSetSize_RAW", "ResidentSetSize"}, kibibyte);
  }
  of[Resource::disk] = {amount(ad, {"DiskUsage_RAW", "DiskUsage"}, kibibyte),
                        amount(ad, {"RequestDisk"}, kibibyte),
                        amount(ad, {"DiskProvisioned"}, kibibyte)};
  of[Resource::cpus] = {amount(ad, {"CpusUsage"}, 1), amount(ad, {"RequestCpus"}, 1),
                        amount(ad, {"CpusProvisioned"}, 1)};
  of[Resource::gpus] = {amount(ad, {"GPUsAverageUsage", "GPUsUsage"}, 1),
                        amount(ad, {"RequestGPUs"}, 1), amount(ad, {"GPUsProvisioned"}, 1)};
  of[Resource::time].requested = amount(ad, {"AllowedExecuteDuration"}, 1);
  if (auto& limit = of[Resource::time].requested; !limit) {
    limit = amount(ad, {"MaxWallTimeMins"}, 60);
  }
  note_hold(ad, of);
  auto const user = amount(ad, {"RemoteUserCpu"}, 1), system = amount(ad, {"RemoteSysCpu"}, 1);
  if (user || system) use.cpu_time = Seconds(user.value_or(0) + system.value_or(0));
  return use;
}

}  // namespace gridcast::condor
