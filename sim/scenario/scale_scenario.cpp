#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/random.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/tables.hpp"

namespace gridcast::scenario {
namespace {

constexpr double input_bytes = 1e9;
constexpr double mean_work_s = 1e4;
// The work is lognormal with the standard deviation of U(0.5, 1.5), 1 / sqrt(12).
constexpr double work_sigma = 0.28;

using Value = std::pair<std::string_view, double>;

// Rates of failure of the order of those that were fitted to the published campaign, in a pool
// whose caches are bad for a fiftieth of the time (assumption A-SCALE).
constexpr std::array draw_values = {
    Value{"outage_scope", static_cast<double>(OutageScope::cache)},
    Value{"stall_bad_fraction", 0.02},
    Value{"stall_bad_duration_s", 4 * 3600.0},
    Value{"stall_when_bad", 0.5},
    Value{"stall_when_quiet", 0.002},
    Value{"slow_before_stall", 0.1},
    Value{"slow_duration_s", 600},
    Value{"rate_noise", 0.2},
    Value{"hold_on_failure", 0.1},
    Value{"spurious_404", 1e-3},
    Value{"not_found_per_start", 1e-5},
    Value{"not_found_mean_hits", 15},
    Value{"network_down_per_start", 1e-5},
    Value{"network_down_mean_hits", 2},
    Value{"corrupt_input", 1e-3},
    Value{"corrupt_execution_s", 30},
    Value{"release_transfer_hold", 0.9},
    Value{"release_other_hold", 0.5},
    Value{"release_delay_mean_s", 6 * 3600.0},
    Value{"overhead_shape", 2},
    Value{"overhead_scale_s", 30},
    Value{"http_abort", 0.1},
};
constexpr double pilot_kill_per_s = 1.0 / (5 * 86400);

// Without failures: probabilities and rates are zero, the rest stays.
bool is_failure(std::string_view name) {
  return name == "stall_bad_fraction" || name == "stall_when_bad" || name == "stall_when_quiet" ||
         name == "slow_before_stall" || name == "hold_on_failure" || name == "spurious_404" ||
         name == "not_found_per_start" || name == "network_down_per_start" ||
         name == "corrupt_input" || name == "http_abort";
}

std::string site_name(std::uint32_t site) { return fmt::format("SITE-{:04}", site + 1); }
std::string cache_name(std::uint32_t cache) { return fmt::format("cache-{:03}", cache + 1); }

/// Slots of a site: shared out evenly, the first sites one more.
std::uint32_t slots_of(ScaleParameters const& of, std::uint32_t site) {
  return of.slots / of.sites + (site < of.slots % of.sites ? 1 : 0);
}

double capacity_of(ScaleParameters const& of, std::uint32_t site) {
  return slots_of(of, site) / mean_work_s * input_bytes / of.load;
}

/// Of a file that the scenario names.
std::string part_name(ScaleParameters const& of, std::string_view part) {
  return of.name.empty() ? fmt::format("{}.yaml", part)
                         : fmt::format("parts/{}-{}.yaml", of.name, part);
}

std::string scenario_text(ScaleParameters const& of) {
  ScenarioEntries scenario;
  scenario.title = fmt::format("{} jobs on {} slots of {} sites, load {:g}", of.jobs, of.slots,
                               of.sites, of.load);
  scenario.question = "How long does it take, and how much is lost?";
  scenario.pool_file = part_name(of, "pool");
  scenario.calibration_file = part_name(of, "calibration");
  scenario.campaign.submit = {{Seconds(), static_cast<int>(of.jobs)}};
  scenario.campaign.request.disk = Bytes(10e9);
  scenario.campaign.input = {{"osdf:///gridcast/scale/input.tar", Bytes(input_bytes)}};
  scenario.campaign.work.profile = "scale";
  Strategy& usual = scenario.strategies.emplace_back();
  usual.name = scenario.baseline = "usual";
  usual.release.transfer_holds_after = minutes(20);
  scenario.study.replicas = 1;
  YamlLayout layout;
  layout.shape = [](std::string_view path) {
    return path == "campaign" || path == "strategies" ? YamlShape::lines : YamlShape::line;
  };
  layout.text = plain_name;
  layout.time = time_in_largest;
  layout.kept =
      among({"campaign.submit.at", "campaign.request.gpus", "campaign.work.epochs", "study.seed"});
  layout.as = {{"title", scenario.title}, {"question", scenario.question}};
  return fmt::format(
             "# How long does a campaign of {} jobs take on {} slots, and how fast is it "
             "simulated?\n"
             "# Look at makespan_s and badput_s, and at the time that the program itself takes.\n",
             of.jobs, of.slots) +
         scenario_table().text(scenario, layout);
}

std::string pool_text(ScaleParameters const& of) {
  PoolEntries pool;
  std::uint32_t const offered = std::min(of.caches, 3U);
  for (std::uint32_t number = 0; number < of.sites; ++number) {
    SiteEntry& site = pool.entries.emplace_back();
    site.name = site_name(number);
    site.gpus = static_cast<int>(slots_of(of, number));
    site.gpu = "V100";
    site.gpu_capability = 7;
    site.gpu_memory = Bytes(16e9);
    site.disk = Bytes(500e9);
    site.uplink = BytesPerSecond(1.25e9);
    for (std::uint32_t i = 0; i < offered; ++i) {
      site.cache_names.push_back(cache_name((number + i) % of.caches));
    }
  }
  for (std::uint32_t cache = 0; cache < of.caches; ++cache) {
    pool.caches.push_back({cache_name(cache), Bytes(50e12)});
  }
  pool.origin = {"origin", BytesPerSecond(12.5e9), BytesPerSecond(1.25e9)};
  YamlLayout layout;
  layout.shape = [](std::string_view path) {
    return path == "sites" || path == "caches" ? YamlShape::lines : YamlShape::line;
  };
  layout.text = plain_name;
  layout.as = {{"sites.gpu_capability", "7.0"}};  // as CUDA writes it
  return "# A pool of equal sites, each with the three next caches; made from parameters.\n" +
         pool_table().text(pool, layout);
}

std::string calibration_text(ScaleParameters const& of) {
  std::vector<std::pair<std::string, double>> parameters;
  double const scale = mean_work_s / std::exp(work_sigma * work_sigma / 2);
  for (std::uint32_t i = 0; i < of.sites; ++i) {
    auto const add = [&parameters, site = site_name(i)](std::string_view name, double value) {
      parameters.emplace_back(fmt::format("{}.{}", name, site), value);
    };
    add("gpus", slots_of(of, i));
    add("unpack_s", 0);
    add("epoch_family", static_cast<double>(Family::lognormal));
    add("epoch_shape", work_sigma);
    add("epoch_scale_s", scale);
    add("epoch_shift_s", 0);
    add("stream_limit_Bps", capacity_of(of, i));
    add("link_capacity_Bps", capacity_of(of, i));
    add("pilot_kill_per_s", of.failures ? pilot_kill_per_s : 0);
  }
  for (auto const& [name, value] : draw_values) {
    parameters.emplace_back(name, !of.failures && is_failure(name) ? 0 : value);
  }
  return "# Parameters that were made up, not fitted: one world for each seed.\n" +
         made_up_calibration("scale", parameters);
}

void check_parameters(ScaleParameters const& of) {
  std::vector<Problem> problems;
  auto const need = [&](bool holds, char const* what, char const* hint) {
    if (!holds) problems.push_back({{}, what, "", hint});
  };
  need(of.jobs > 0, "--jobs: there have to be jobs", "Give 1 or more.");
  need(of.sites > 0, "--sites: there have to be sites", "Give 1 or more.");
  need(of.caches > 0, "--caches: there have to be caches", "Give 1 or more.");
  need(of.slots >= of.sites, "--slots: every site needs a slot", "Give as many slots as sites.");
  need(of.load > 0 && std::isfinite(of.load), "--load: has to be above 0",
       "Give the offered load of the links, such as 0.5.");
  need(of.name.find_first_of("/\\\"#:{}[], ") == std::string::npos, "--name: is no name of a file",
       "Use letters, digits, dots and dashes.");
  if (!problems.empty()) throw InputError(std::move(problems));
}

}  // namespace

std::vector<std::pair<std::string, std::string>> scale_scenario(ScaleParameters const& parameters) {
  check_parameters(parameters);
  std::string const name = parameters.name.empty() ? "scenario" : parameters.name;
  return {{name + ".yaml", scenario_text(parameters)},
          {part_name(parameters, "pool"), pool_text(parameters)},
          {part_name(parameters, "calibration"), calibration_text(parameters)}};
}

}  // namespace gridcast::scenario
