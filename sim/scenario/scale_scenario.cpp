#include "sim/scenario/scale_scenario.hpp"

#include <array>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "sim/base/distribution.hpp"
#include "sim/base/error.hpp"
#include "sim/scenario/parameter_draw.hpp"

namespace gridcast::scenario {
namespace {

constexpr double input_bytes = 1e9;
constexpr double mean_work_s = 1e4;
// The work is lognormal with the standard deviation of U(0.5, 1.5), 1 / sqrt(12).
constexpr double work_sigma = 0.28;

struct Value {
  std::string_view name;
  double value;
};

// Rates of failure of the order of those that were fitted to the published campaign, in a pool
// whose caches are bad for a fiftieth of the time (assumption A-SCALE).
constexpr std::array draw_values = {
    Value{"stall_scope", static_cast<double>(StallScope::cache)},
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
  return fmt::format(
      "# How long does a campaign of {0} jobs take on {1} slots, and how fast is it simulated?\n"
      "# Look at makespan_s and badput_s, and at the time that the program itself takes.\n"
      "schema: gridcast.scenario/1\n"
      "title: {0} jobs on {1} slots of {2} sites, load {3:g}\n"
      "question: How long does it take, and how much is lost?\n"
      "pool: {4}\n"
      "calibration: {5}\n"
      "campaign:\n"
      "  submit: [{{at: 0 s, jobs: {0}}}]\n"
      "  request: {{gpus: 1, disk: 10 GB}}\n"
      "  input: [{{url: \"osdf:///gridcast/scale/input.tar\", size: 1 GB}}]\n"
      "  work: {{profile: scale, epochs: 1}}\n"
      "strategies:\n"
      "  usual: {{release: {{transfer_holds_after: 20 min}}}}\n"
      "baseline: usual\n"
      "study: {{replicas: 1, seed: 1}}\n",
      of.jobs, of.slots, of.sites, of.load, part_name(of, "pool"), part_name(of, "calibration"));
}

std::string pool_text(ScaleParameters const& of) {
  std::string text =
      "# A pool of equal sites, each with the three next caches; made from parameters.\n"
      "schema: gridcast.pool/1\nsites:\n";
  std::uint32_t const offered = of.caches < 3 ? of.caches : 3;
  for (std::uint32_t site = 0; site < of.sites; ++site) {
    std::string caches;
    for (std::uint32_t i = 0; i < offered; ++i) {
      caches += (i ? ", " : "") + cache_name((site + i) % of.caches);
    }
    text += fmt::format(
        "  - {{name: {}, gpus: {}, gpu: V100, gpu_capability: 7.0, gpu_memory: 16 GB, "
        "disk: 500 GB, uplink: 10 Gbps, caches: [{}]}}\n",
        site_name(site), slots_of(of, site), caches);
  }
  text += "caches:\n";
  for (std::uint32_t cache = 0; cache < of.caches; ++cache) {
    text += fmt::format("  - {{name: {}, disk: 50 TB}}\n", cache_name(cache));
  }
  return text + "origin: {name: origin, bandwidth: 100 Gbps, stream_limit: 10 Gbps}\n";
}

struct Columns {
  std::string names, row;
  void add(std::string const& name, double value) {
    names += fmt::format("    - {}\n", name);
    row += fmt::format("{}{}", row.empty() ? "" : ", ", value);
  }
};

std::string calibration_text(ScaleParameters const& of) {
  Columns columns;
  double const scale = mean_work_s / std::exp(work_sigma * work_sigma / 2);
  for (std::uint32_t i = 0; i < of.sites; ++i) {
    std::string const site = "." + site_name(i);
    columns.add("gpus" + site, slots_of(of, i));
    columns.add("unpack_s" + site, 0);
    columns.add("epoch_family" + site, static_cast<double>(Family::lognormal));
    columns.add("epoch_shape" + site, work_sigma);
    columns.add("epoch_scale_s" + site, scale);
    columns.add("epoch_shift_s" + site, 0);
    columns.add("stream_limit_Bps" + site, capacity_of(of, i));
    columns.add("link_capacity_Bps" + site, capacity_of(of, i));
    columns.add("pilot_kill_per_s" + site, of.failures ? pilot_kill_per_s : 0);
  }
  for (Value const& value : draw_values) {
    bool const off = !of.failures && is_failure(value.name);
    columns.add(std::string(value.name), off ? 0 : value.value);
  }
  return "# Parameters that were made up, not fitted: one world for each seed.\n"
         "schema: gridcast.calibration/1\nprofile: scale\nparameters: {}\ndraws:\n  columns:\n" +
         columns.names + "  rows:\n    - [" + columns.row + "]\n";
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
