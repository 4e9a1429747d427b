#include "tests/scenario/files.hpp"

#include <cstdlib>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/scenario/scenario.hpp"
#include "tests/test.hpp"

namespace gridcast::test {
namespace {

namespace fs = std::filesystem;

constexpr char scenario_text[] = R"(schema: gridcast.scenario/1
title: A campaign
question: What of it?
pool: pool.yaml
calibration: calibration.yaml
campaign:
  submit: [{at: 0 s, jobs: 3}, {at: 1 h, jobs: 2}]
  request: {gpus: 1, disk: 350 GB, site: A}
  input: [{url: osdf:///a, size: 137 GB}, {url: osdf:///b, size: 1 GB}]
  work: {profile: resnet50-imagenet, epochs: 5}
strategies:
  published: {}
  cool: {retry: {on_transfer_failure: cool_down, delay: 5 min..10 min, times: 4}}
  next: {transfer: {stall_timeout: 100 s, on_stall: next_cache, resume: true}}
  avoid: {match: {avoid_site: {after_stalls: 2, for: 2 h}}, release: {transfer_holds_after: 20 min}}
baseline: published
study: {replicas: 10, seed: 7}
)";

constexpr char pool_text[] = R"(schema: gridcast.pool/1
sites:
  - {name: A, gpus: 4, gpu: V100, gpu_capability: 7.0, gpu_memory: 16 GB, disk: 500 GB,
     uplink: 10 Gbps, pilot_walltime: 360 h, caches: [one, two]}
  - {name: B, gpus: 2, gpu: A100, gpu_capability: 8.0, gpu_memory: 40 GB, disk: 200 GB,
     uplink: 10 Gbps, caches: [two]}
caches:
  - {name: one, disk: 50 TB}
  - {name: two, disk: 50 TB, high_watermark: 0.9, low_watermark: 0.8}
origin: {name: sdsc, bandwidth: 25 Gbps, stream_limit: 400 MB/s}
access_point: {transfer_slots: 50}
pilots: {walltime: 24 h, min_remaining: 10 h, replacement: 1 h}
)";

struct Column {
  char const* name;
  double value;
};

constexpr Column of_world[] = {{"outage_scope", 1},
                               {"stall_bad_fraction", 0.1},
                               {"stall_bad_duration_s", 7200},
                               {"stall_when_bad", 0.9},
                               {"stall_when_quiet", 0.01},
                               {"slow_before_stall", 0.3},
                               {"slow_duration_s", 600},
                               {"rate_noise", 0.2},
                               {"hold_on_failure", 0.05},
                               {"spurious_404", 0.001},
                               {"not_found_per_start", 0.002},
                               {"not_found_mean_hits", 15},
                               {"network_down_per_start", 0.003},
                               {"network_down_mean_hits", 2},
                               {"corrupt_input", 0.01},
                               {"corrupt_execution_s", 33},
                               {"release_transfer_hold", 0.8},
                               {"release_other_hold", 0.5},
                               {"release_delay_mean_s", 5400},
                               {"overhead_shape", 2},
                               {"overhead_scale_s", 5},
                               {"http_abort", 0.95}};

constexpr Column of_site[] = {{"gpus", 20},
                              {"unpack_s", 516},
                              {"epoch_family", 2},
                              {"epoch_shape", 3.5},
                              {"epoch_scale_s", 100},
                              {"epoch_shift_s", 2000},
                              {"stream_limit_Bps", 3.2e8},
                              {"link_capacity_Bps", 1e9},
                              {"pilot_kill_per_s", 1e-6}};

std::string calibration_text(std::vector<std::string> const& columns,
                             std::vector<double> const& numbers) {
  std::string text =
      "schema: gridcast.calibration/1\n"
      "profile: resnet50-imagenet\n"
      "parameters:\n"
      "  rate_noise: {estimate: 0.2}\n"
      "draws:\n"
      "  columns:\n";
  for (std::string const& column : columns) text += "    - " + column + "\n";
  text += "  rows:\n";
  for (int row = 0; row < 2; ++row) {
    text += fmt::format("    - [{:.6g}]\n", fmt::join(numbers, ", "));
  }
  return text;
}

}  // namespace

std::vector<std::string> draw_columns() {
  std::vector<std::string> columns;
  for (Column const& column : of_world) columns.emplace_back(column.name);
  for (char const* site : {"A", "B"}) {
    for (Column const& column : of_site) columns.push_back(fmt::format("{}.{}", column.name, site));
  }
  return columns;
}

std::vector<double> draw_row() {
  std::vector<double> row;
  for (Column const& column : of_world) row.push_back(column.value);
  for (int site = 0; site < 2; ++site) {
    for (Column const& column : of_site) row.push_back(column.value);
  }
  return row;
}

ScenarioFiles::ScenarioFiles() {
  std::string name = (fs::temp_directory_path() / "gridcast-test-XXXXXX").string();
  folder_ = ::mkdtemp(name.data());
  write(scenario_name, scenario_text);
  write(pool_name, pool_text);
  write(calibration_name, calibration_text(draw_columns(), draw_row()));
}

ScenarioFiles::~ScenarioFiles() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

void ScenarioFiles::write(std::string const& name, std::string const& text) const {
  write_file(folder_ / name, text);
}

std::string ScenarioFiles::text(std::string const& name) const {
  return read_text_file(folder_ / name);
}

ScenarioFiles& ScenarioFiles::edit(std::string const& name, std::string const& from,
                                   std::string const& to) {
  std::string changed = text(name);
  auto const at = changed.find(from);
  REQUIRE(at != std::string::npos);
  REQUIRE(changed.find(from, at + 1) == std::string::npos);
  changed.replace(at, from.size(), to);
  write(name, changed);
  return *this;
}

ScenarioFiles& ScenarioFiles::remove(std::string const& name) {
  fs::remove(folder_ / name);
  return *this;
}

std::vector<std::string> ScenarioFiles::problems() const {
  return problems([this] { scenario::read_scenario(folder_ / scenario_name); });
}

std::vector<std::string> ScenarioFiles::problems(std::function<void()> const& read) const {
  std::vector<std::string> texts;
  try {
    read();
  } catch (InputError const& error) {
    std::string const folder = folder_.string() + "/";
    for (Problem const& problem : error.problems()) {
      std::string text = problem.to_text();
      for (auto at = text.find(folder); at != std::string::npos; at = text.find(folder)) {
        text.erase(at, folder.size());
      }
      texts.push_back(std::move(text));
    }
  }
  return texts;
}

}  // namespace gridcast::test
