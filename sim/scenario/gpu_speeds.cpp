#include "sim/scenario/gpu_speeds.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/scenario/calibration_file.hpp"
#include "sim/scenario/catalogue.hpp"

namespace gridcast::scenario {
namespace {

namespace fs = std::filesystem;

std::optional<Hardware> shipped_hardware() {
  auto const file = shipped_file("scenarios/profiles/hardware.yaml");
  return file ? std::optional(read_hardware(*file)) : std::nullopt;
}

/// Nothing for a pool that is not there or cannot be read: it only describes the record.
std::optional<Pool> readable_pool(fs::path const& file) {
  std::error_code error;
  if (file.empty() || !fs::exists(file, error)) return std::nullopt;
  try {
    return read_pool(file);
  } catch (InputError const&) {
    return std::nullopt;
  }
}

/// True if all sites are recorded ones, on the same GPUs. The catalogue then changes nothing.
bool has_recorded_gpus(Pool const& pool, Pool const& recorded) {
  return std::all_of(pool.sites.begin(), pool.sites.end(), [&](SiteSpec const& site) {
    return std::any_of(recorded.sites.begin(), recorded.sites.end(), [&](SiteSpec const& other) {
      return other.name == site.name && other.gpu == site.gpu;
    });
  });
}

std::map<std::string, double> speeds_of(Pool const& pool, Hardware const& hardware) {
  std::map<std::string, double> speeds;
  for (SiteSpec const& site : pool.sites) {
    GpuModel const* const gpu = gpu_of_site(hardware, site);
    if (gpu && gpu->images_per_s > 0) speeds[site.name] = gpu->images_per_s;
  }
  return speeds;
}

std::optional<Pool> recorded_pool_of(Calibration const& calibration) {
  return readable_pool(pool_of(calibration.file, calibration.record.pool));
}

GpuSpeeds speeds_in(Pool const& pool, Pool const& recorded) {
  auto const hardware = shipped_hardware();
  if (!hardware) return {};
  return {speeds_of(recorded, *hardware), speeds_of(pool, *hardware)};
}

}  // namespace

double GpuSpeeds::ratio(std::string const& site, std::string const& recorded_site) const {
  auto const own = pool.find(site);
  auto const other = recorded.find(recorded_site);
  return own == pool.end() || other == recorded.end() ? 1 : own->second / other->second;
}

GpuSpeeds gpu_speeds(Pool const& pool, Calibration const& calibration) {
  auto const recorded = recorded_pool_of(calibration);
  return recorded ? speeds_in(pool, *recorded) : GpuSpeeds();
}

GpuSpeeds changed_gpu_speeds(Pool const& pool, Calibration const& calibration) {
  auto const recorded = recorded_pool_of(calibration);
  if (!recorded || has_recorded_gpus(pool, *recorded)) return {};
  return speeds_in(pool, *recorded);
}

std::string other_gpus(Pool const& pool, Request const& request, fs::path const& recorded_pool) {
  auto const recorded = readable_pool(recorded_pool);
  if (!recorded || request.gpus == 0) return "";
  auto const hardware = shipped_hardware();
  if (!hardware) return "";
  std::set<std::string> known;
  GpuModel const* first = nullptr;
  for (SiteSpec const& site : recorded->sites) {
    known.insert(site.gpu);
    GpuModel const* const gpu = gpu_of_site(*hardware, site);
    if (gpu) known.insert(gpu->name);
    if (!first) first = gpu;
  }
  std::vector<std::string> others;
  std::vector<double> faster;
  for (Id<PoolSite> const id : matching_sites(pool, request)) {
    SiteSpec const& site = pool.sites[id.index()];
    GpuModel const* const gpu = gpu_of_site(*hardware, site);
    if (site.gpu.empty() || (gpu && known.contains(gpu->name))) continue;
    if (!known.insert(gpu ? gpu->name : site.gpu).second) continue;
    others.push_back(site.gpu);
    bool const scaled = gpu && first && gpu->images_per_s > 0 && first->images_per_s > 0;
    if (scaled) faster.push_back(gpu->images_per_s / first->images_per_s);
  }
  if (others.empty()) return "";
  std::string const models =
      others.size() == 1 ? others.front() : fmt::format("{} other GPU models", others.size());
  if (faster.size() < others.size()) return models + " (speed not known)";
  auto const [least, most] = std::minmax_element(faster.begin(), faster.end());
  return fmt::format("{} ({}{:.2g} times as fast as the record's {} by the catalogue)", models,
                     others.size() == 1 ? "" : fmt::format("{:.2g} to ", *least), *most,
                     first->name);
}

}  // namespace gridcast::scenario
