#include "sim/cli/job_hours.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/statistics.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/verb_files.hpp"
#include "sim/scenario/calibration.hpp"
#include "sim/scenario/catalogue.hpp"
#include "sim/scenario/gpu_speeds.hpp"
#include "sim/scenario/hardware.hpp"
#include "sim/scenario/pool.hpp"
#include "sim/training/execution.hpp"

namespace gridcast::cli {
namespace {

scenario::GpuModel const& gpu_named(scenario::Hardware const& hardware, std::string const& name) {
  if (auto const* const gpu = scenario::gpu_of_name(hardware, name)) return *gpu;
  std::vector<std::string> names;
  for (auto const& each : hardware.gpus) names.push_back(each.name);
  refuse({}, fmt::format("--on-gpu: unknown GPU '{}'", name),
         "its speed beside the pool's GPUs is needed", suggestion(name, names));
}

/// A site of the pool on which jobs of the campaign may run.
struct SiteOfJobs {
  std::string name;                        // or that of the site that it is like
  scenario::GpuModel const* asked_or_own;  // the stated GPU, else the site's; null: unknown
  double slower = 1;                       // than the stated GPU
};

std::vector<SiteOfJobs> sites_of_jobs(scenario::Pool const& pool,
                                      scenario::Campaign const& campaign,
                                      scenario::Hardware const& hardware,
                                      scenario::GpuModel const* asked) {
  std::vector<SiteOfJobs> all, of_model;
  for (auto const id : scenario::matching_sites(pool, campaign.request)) {
    auto const& site = pool.sites[id.index()];
    auto const* const own = scenario::gpu_of_site(hardware, site);
    bool const known = asked != nullptr && own != nullptr && own->images_per_s > 0;
    all.push_back({site.like.empty() ? site.name : site.like, asked ? asked : own,
                   known ? asked->images_per_s / own->images_per_s : 1});
    if (asked != nullptr && own == asked) of_model.push_back(all.back());
  }
  return of_model.empty() ? all : of_model;
}

/// Time of an execution without crash on the GPU, as the median job of this draw takes it; at a
/// site that is like any, the mean over the calibrated sites.
Seconds computing(scenario::Campaign const& campaign, scenario::ParameterDraw const& draw,
                  std::map<std::string, double> const& recorded, SiteOfJobs const& job) {
  Seconds sum;
  double sites = 0;
  for (auto const& [name, at] : draw.sites) {
    if (name != job.name && draw.sites.contains(job.name)) continue;
    training::WorkView const view{
        .work = campaign.work, .draw = draw, .site = at, .gpus = campaign.request.gpus};
    auto const speed = recorded.find(name);
    bool const known = speed != recorded.end() && job.asked_or_own != nullptr && view.gpus > 0 &&
                       job.asked_or_own->images_per_s > 0;
    sum += (training::plan_execution(view, {}).front().time - at.unpack) *
           (known ? speed->second / job.asked_or_own->images_per_s : 1);
    ++sites;
  }
  return sum / sites;
}

/// Hours that a calibrated job would compute on the stated GPU: the median over draws of the mean
/// over sites.
double calibrated_hours(scenario::Campaign const& campaign,
                        scenario::Calibration const& calibration,
                        std::map<std::string, double> const& recorded,
                        std::vector<SiteOfJobs> const& sites) {
  std::vector<double> by_draw;
  for (auto const& draw : calibration.draws) {
    double sum = 0;
    for (auto const& site : sites) {
      sum += computing(campaign, draw, recorded, site) / hours(1);
    }
    by_draw.push_back(sum / static_cast<double>(sites.size()));
  }
  return median(std::move(by_draw));
}

/// The longest time that a job computes at a site.
Seconds longest_at(scenario::Pool const& pool, scenario::Campaign const& campaign,
                   scenario::Hardware const& hardware, scenario::GpuModel const* asked,
                   Seconds time) {
  double slowest = 1;
  for (auto const id : scenario::matching_sites(pool, campaign.request)) {
    auto const* const own = scenario::gpu_of_site(hardware, pool.sites[id.index()]);
    bool const known = asked != nullptr && own != nullptr && own->images_per_s > 0;
    if (known) slowest = std::max(slowest, asked->images_per_s / own->images_per_s);
  }
  return time * slowest;
}

}  // namespace

bool has_gpu(scenario::Pool const& pool, std::string const& gpu) {
  auto const hardware = scenario::read_hardware(shipped_hardware());
  auto const& model = gpu_named(hardware, gpu);
  return std::ranges::any_of(pool.sites, [&](auto const& site) {
    bool const has_name = lower(site.gpu).find(lower(gpu)) != std::string::npos;
    return has_name || scenario::gpu_of_site(hardware, site) == &model;
  });
}

HoursAsWork work_of_hours(JobHours const& job, scenario::Campaign const& campaign,
                          std::filesystem::path const& calibration,
                          std::filesystem::path const& pool) {
  auto const fitted = scenario::read_calibration(calibration);
  if (campaign.work.profile != fitted.profile) {
    refuse({}, "--job-hours with a workload of the catalogue",
           "the catalogue knows how long it takes", "Leave out --job-hours or --profile.");
  }
  auto const places = scenario::read_pool(pool);
  auto const hardware = scenario::read_hardware(shipped_hardware());
  auto const* const gpu = job.gpu.empty() ? nullptr : &gpu_named(hardware, job.gpu);
  auto const sites = sites_of_jobs(places, campaign, hardware, gpu);
  if (sites.empty()) return {};  // the scenario's reader gives the reason
  auto const recorded = scenario::gpu_speeds(places, fitted).recorded;
  double const calibrated = calibrated_hours(campaign, fitted, recorded, sites);
  HoursAsWork work{job.hours / calibrated, "",
                   longest_at(places, campaign, hardware, gpu, hours(job.hours))};
  work.words = fmt::format(
      "--job-hours {:g}{}: {:.2g} times the work of the calibrated jobs, which "
      "compute for {:.1f} h there{}",
      job.hours, gpu ? " on " + gpu->name : "", work.scale, calibrated,
      gpu && sites.front().slower != 1 ? fmt::format("; the pool's GPUs take {:.2g} times as long "
                                                     "(ResNet-50 speeds of the catalogue)",
                                                     sites.front().slower)
                                       : "");
  return work;
}

}  // namespace gridcast::cli
