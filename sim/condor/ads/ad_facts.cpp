// Facts of one ad beyond single attributes: resources, GPUs, transfers, the place of an attempt.
//
// The resources of a job's last execution. HTCondor manual, "Job ClassAd
// Attributes":
//   memory  MemoryUsage (MiB), else ResidentSetSize (KiB), of which it mostly is an expression;
//           RequestMemory, MemoryProvisioned (MiB)
//   disk    DiskUsage, RequestDisk, DiskProvisioned (KiB)
//   CPUs    CpusUsage (mean); RequestCpus, CpusProvisioned
//   GPUs    GPUsAverageUsage, GPUsUsage (mean); RequestGPUs, GPUsProvisioned
//   time    AllowedExecuteDuration, else MaxWallTimeMins, is its limit; use is in the history
// RemoteUserCpu and RemoteSysCpu are the CPU time of the last execution.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/text.hpp"
#include "sim/condor/ads/ad_history.hpp"
#include "sim/condor/ads/ad_text.hpp"
#include "sim/condor/ads/job_ads.hpp"
#include "sim/condor/log/event_reader.hpp"
#include "sim/condor/log/log_note.hpp"
#include "sim/condor/log/resource_rows.hpp"

namespace gridcast::condor {
namespace {

// More is a mistake: a petabyte.
constexpr double largest_B = 1e15;

std::optional<double> number(classad::Ad const& ad, std::string const& name, double most) {
  double const value = ad.lookup(name).number(-1);
  if (!(value >= 0 && value <= most)) return std::nullopt;
  return value;
}

std::string text(classad::Ad const& ad, std::string const& name) {
  classad::Value const value = ad.lookup(name);
  auto const* words = value.as<std::string>();
  return words != nullptr ? *words : std::string();
}

std::vector<CacheTryAd> tries_of(classad::Ad const& ad) {
  constexpr double most_tries = 1000;
  std::vector<CacheTryAd> tries;
  classad::Value const value = ad.lookup("DeveloperData");
  if (value.as_ad() == nullptr) return tries;
  classad::Ad const& data = *value.as_ad();
  auto const count = static_cast<std::size_t>(number(data, "Attempts", most_tries).value_or(0));
  for (std::size_t i = 0; i < count; ++i) {
    std::string const n = std::to_string(i);
    auto const waited = number(data, "TimeToFirstByte" + n, longest_s);
    tries.push_back({text(data, "Endpoint" + n), text(data, "TransferError" + n),
                     Seconds(number(data, "TransferTime" + n, longest_s).value_or(0)),
                     Bytes(number(data, "TransferFileBytes" + n, largest_B).value_or(0)),
                     waited ? std::optional(Seconds(*waited)) : std::nullopt});
  }
  return tries;
}

// The GPUs of an attempt, as its ad or its job's gives them. Number: GPUsProvisioned, else the
// names in AssignedGPUs, else RequestGPUs; none where these are 0, or where CpusProvisioned stands
// alone. Kind: the properties that a slot publishes, at the top of the ad (GPUs_DeviceName;
// CUDADeviceName of HTCondor 9), in an ad of each GPU (GPUs_GPU_1234abcd, AvailableGPUs), or kept
// by job_machine_attrs (MachineAttrGPUs_DeviceName0). HTCondor manual, "Job ClassAd Attributes",
// "Machine ClassAd Attributes".

constexpr double gpu_memory_unit_B = 1048576;  // GlobalMemoryMb

// The first value of a property counts.
void take_gpu_property(history::GpuShare& gpus, std::string_view name,
                       classad::Value const& value) {
  if (name == "devicename" && gpus.model.empty()) take(gpus.model, value);
  if (name == "capability" && gpus.capability <= 0) gpus.capability = std::max(0.0, value.number());
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
  return 1 + static_cast<int>(std::ranges::count(names, ','));
}

using history::Resource;

constexpr double kibibyte = 1024, mebibyte = 1048576;

/// The amounts in an ad.
class Amounts {
 public:
  Amounts(TextAd const& ad, std::vector<std::size_t>& useless) : ad_(ad), useless_(useless) {}

  /// The first of these attributes that is a number that an amount can be.
  std::optional<double> operator()(std::initializer_list<std::string_view> names, double unit) {
    for (std::string_view const name : names) {
      auto const found = std::ranges::find_if(ad_.attributes, [name](auto const& attribute) {
        return same_ignoring_case(attribute.first, name);
      });
      if (found == ad_.attributes.end()) continue;
      classad::Value const& value = found->second;
      std::optional<Bytes> amount;
      if (take(amount, value, unit)) return amount->value();
      if (value.is_undefined() || value.is_error()) continue;
      useless_.push_back(static_cast<std::size_t>(found - ad_.attributes.begin()));
    }
    return std::nullopt;
  }

 private:
  TextAd const& ad_;
  std::vector<std::size_t>& useless_;
};

Seconds last_date(TextAd const& ad) {
  UnixDate last;
  for (std::string_view const name :
       {"EpochWriteDate", "CompletionDate", "EnteredCurrentStatus", "JobCurrentStartDate"}) {
    UnixDate date;
    if (take_from(ad, name, date) && date) last = std::max(last.value_or(0), *date);
  }
  return Seconds(static_cast<double>(last.value_or(0)));
}

/// A hold for memory, disk or CPUs: the job needs more than was seen of it.
void note_hold(TextAd const& ad, history::ResourceAmounts& amounts) {
  std::optional<int> code;
  std::string reason;
  take_from(ad, "HoldReasonCode", code);
  if (!take_from(ad, "HoldReason", reason)) return;
  if (auto const exceeded = exceeded_request(code, reason)) mark_exceeded(amounts, *exceeded);
}

}  // namespace

history::TryEnd try_end(std::string const& error) {
  auto const has = [&error](char const* words) { return error.find(words) != std::string::npos; };
  if (error.empty()) return history::TryEnd::arrived;
  if (has("no progress") || has("stalled")) return history::TryEnd::stalled;
  return has("too slow") ? history::TryEnd::slow : history::TryEnd::failed;
}

bool read_transfer(classad::Ad const& ad, UrlTransferAd& into) {
  auto const start = number(ad, "TransferStartTime", latest_date);
  auto const end = number(ad, "TransferEndTime", latest_date);
  into.url = text(ad, "TransferUrl");
  if (into.url.empty() || !start || !end || *start <= 0 || *end < *start) return false;
  into.start = static_cast<std::int64_t>(*start);
  into.end = static_cast<std::int64_t>(*end);
  into.error = text(ad, "TransferError");
  classad::Value const success = ad.lookup("TransferSuccess");
  into.succeeded = success.as<bool>() != nullptr && *success.as<bool>();
  auto size = number(ad, "TransferFileBytes", largest_B);
  if (!size) size = number(ad, "TransferTotalBytes", largest_B);
  into.size = Bytes(size.value_or(0));
  // The finer of the two, unless it is no time that the whole seconds allow.
  auto const duration = number(ad, "ConnectionTimeSeconds", longest_s);
  if (duration && std::abs(*duration - (*end - *start)) <= 2) into.duration = Seconds(*duration);
  std::string const direction = text(ad, "TransferType");
  if (!direction.empty()) into.upload = same_ignoring_case(direction, "upload");
  into.tries = tries_of(ad);
  return true;
}

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

history::ResourceUse resource_use_in(TextAd const& ad, std::vector<std::size_t>& useless) {
  Amounts amount(ad, useless);
  history::ResourceUse use;
  use.at = last_date(ad);
  auto& of = use.amounts;
  of[Resource::memory] = {amount({"MemoryUsage"}, mebibyte), amount({"RequestMemory"}, mebibyte),
                          amount({"MemoryProvisioned"}, mebibyte)};
  if (auto& used = of[Resource::memory].used; !used) {
    used = amount({"ResidentSetSize_RAW", "ResidentSetSize"}, kibibyte);
  }
  of[Resource::disk] = {amount({"DiskUsage_RAW", "DiskUsage"}, kibibyte),
                        amount({"RequestDisk"}, kibibyte), amount({"DiskProvisioned"}, kibibyte)};
  of[Resource::cpus] = {amount({"CpusUsage"}, 1), amount({"RequestCpus"}, 1),
                        amount({"CpusProvisioned"}, 1)};
  of[Resource::gpus] = {amount({"GPUsAverageUsage", "GPUsUsage"}, 1), amount({"RequestGPUs"}, 1),
                        amount({"GPUsProvisioned"}, 1)};
  of[Resource::time].requested = amount({"AllowedExecuteDuration"}, 1);
  if (auto& limit = of[Resource::time].requested; !limit) {
    limit = amount({"MaxWallTimeMins"}, 60);
  }
  note_hold(ad, of);
  auto const user = amount({"RemoteUserCpu"}, 1), system = amount({"RemoteSysCpu"}, 1);
  if (user || system) use.cpu_time = Seconds(user.value_or(0) + system.value_or(0));
  return use;
}

std::size_t drop_values_of_others(AttemptAdFacts& facts) {
  std::size_t dropped = 0;
  auto drop_unless = [&dropped](bool own, auto& fact) {
    if (!fact || own) return;
    fact.reset();
    ++dropped;
  };
  auto within = [](UnixDate const& date, UnixDate const& from, UnixDate const& to) {
    return date && (!from || *date >= *from) && (!to || *date <= *to + 1);
  };
  drop_unless(!facts.start || !facts.end || *facts.start <= *facts.end, facts.start);
  for (UnixDate AttemptAdFacts::*date :
       {&AttemptAdFacts::input_queued, &AttemptAdFacts::input_started,
        &AttemptAdFacts::input_finished, &AttemptAdFacts::executing,
        &AttemptAdFacts::output_started, &AttemptAdFacts::output_finished,
        &AttemptAdFacts::disconnected}) {
    drop_unless(within(facts.*date, facts.start, facts.end), facts.*date);
  }
  drop_unless(!facts.input_started || within(facts.input_finished, facts.input_started, {}),
              facts.input_finished);
  drop_unless(!facts.executing || within(facts.output_started, facts.executing, {}),
              facts.output_started);
  drop_unless(within(facts.output_finished, facts.output_started, {}) && facts.output_started,
              facts.output_finished);
  if (!facts.start || !facts.end) return dropped;
  Seconds const life(static_cast<double>(*facts.end - *facts.start + 1));
  for (std::optional<Seconds> AttemptAdFacts::*time :
       {&AttemptAdFacts::activation, &AttemptAdFacts::setup, &AttemptAdFacts::execution,
        &AttemptAdFacts::teardown}) {
    drop_unless(facts.*time && *(facts.*time) <= life, facts.*time);
  }
  return dropped;
}

std::size_t drop_values_of_others(JobAdFacts& facts) {
  AttemptAdFacts& last = facts.last;
  bool const runs = facts.has_status(JobStatus::running);
  bool const completed = facts.has_status(JobStatus::completed);
  auto const own = std::make_pair(last.start, last.end);
  last.start = facts.job_current_start_date;
  if (!runs) last.end = completed ? facts.completion_date : facts.entered_current_status;
  std::size_t const dropped = drop_values_of_others(last);
  std::tie(last.start, last.end) = own;
  return dropped;
}

// The site, host and slot of an attempt, by its ad and by other ads of the same startd.

std::vector<std::string> machine_attributes(TextAd const& ad, std::string_view prefix) {
  constexpr std::size_t most = 1000;
  std::vector<std::string> values;
  for (auto const& [name, value] : ad.attributes) {
    if (name.size() <= prefix.size() ||
        !same_ignoring_case(std::string_view(name).substr(0, prefix.size()), prefix)) {
      continue;
    }
    std::size_t index = most;
    char const* end = name.data() + name.size();
    auto const parsed = std::from_chars(name.data() + prefix.size(), end, index);
    auto const* text = value.as<std::string>();
    if (parsed.ptr != end || index >= most || text == nullptr) continue;
    if (values.size() <= index) values.resize(index + 1);
    values[index] = *text;
  }
  return values;
}

std::string host_in(TextAd const& ad) {
  std::string host;
  for (char const* const name :
       {"StartdName", "MachineAttrName0", "MachineAttrMachine0", "StartdIpAddr", "StarterIpAddr"}) {
    if (take_from(ad, name, host) && !host.empty()) break;
  }
  return host;
}

std::string site_in(TextAd const& ad) {
  std::string best;
  for (int rank = 0; auto const& [name, value] : ad.attributes) {
    auto const* site = value.as<std::string>();
    if (name.starts_with("MachineAttr") || site == nullptr || !is_site_name(*site)) continue;
    if (site_rank(name) <= rank) continue;
    best = *site;
    rank = site_rank(name);
  }
  // The documents of CMS have a time of their own, and the site by this name.
  bool const of_cms = best.empty() && find(ad, "RecordTime") != nullptr;
  if (of_cms && take_from(ad, "Site", best) && !is_site_name(best)) best.clear();
  return best;
}

std::string slot_of(std::string_view remote_host) {
  std::string_view host = remote_host.substr(0, remote_host.find(','));  // the first of several
  if (host.starts_with('<')) {
    std::string_view const alias = host_of_address(host);
    host.remove_prefix(1);
    host = alias.empty() ? host.substr(0, host.find_first_of(":?>")) : alias;
  }
  if (host.empty() || host.find('@') != std::string_view::npos) return std::string(host);
  return "@" + std::string(host);
}

std::string startd_of(std::string_view remote_host) {
  auto const first = remote_host.find('@');
  if (first == std::string_view::npos) return {};
  std::string_view const rest = remote_host.substr(first + 1);
  return std::string(rest.substr(0, rest.find('@')));
}

AdSites::AdSites(JobAds const& ads) {
  for (auto const& [name, job] : ads.jobs) {
    for (AttemptAdFacts const& attempt : job.attempts) add(attempt.site, attempt.host);
    add(job.facts.last.site, job.facts.last_remote_host);
    names_.insert(job.facts.sites.begin(), job.facts.sites.end());
  }
}

void AdSites::add(std::string const& site, std::string const& host) {
  if (site.empty()) return;
  names_.insert(site);
  std::string const startd = startd_of(host);
  if (!startd.empty()) by_startd_.try_emplace(startd, site);
}

std::string AdSites::of(AttemptAdFacts const& attempt) const {
  if (!attempt.site.empty()) return attempt.site;
  return value_or(by_startd_, startd_of(attempt.host), std::string());
}

std::uint32_t AdSlots::operator()(std::string const& remote_host) {
  std::string const slot = slot_of(remote_host);
  if (slot.empty()) return 0;
  if (slots_.empty()) slots_.emplace_back("unknown");
  return names_(slot);
}

}  // namespace gridcast::condor
