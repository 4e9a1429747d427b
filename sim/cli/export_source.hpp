// What is exported: one replica of a scenario, or what logs and ads tell of a real campaign.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "sim/history/job_history.hpp"
#include "sim/scenario/scenario.hpp"

namespace gridcast::cli {

struct ExportSource {
  std::vector<std::filesystem::path> sources;  // one scenario, or logs, ads, and folders of `run`
  std::string strategy;                        // empty: the baseline
  std::optional<std::uint64_t> seed;           // none: the scenario's
  std::uint32_t replica = 0;
  std::string network = "auto";
  std::optional<int> year;
  std::string time_zone;
};

struct ExportedCampaign {
  history::JobHistory history;
  std::string title;
  std::optional<scenario::Scenario> scenario = {};  // where it was simulated
  std::string strategy = {};
  std::vector<history::CacheSample> cache_samples = {};
};

/// SOURCE and the options that go with it.
void add_export_source(CLI::App& verb, ExportSource& source);

/// Simulates or reads. InputError for tables, which have no dates; `what` is what cannot be written
/// of them ("event log"); and for sources without a job.
ExportedCampaign read_export_source(ExportSource const& source, std::string const& what);

/// -o FILE and --force of the formats that are one file.
struct ExportOutput {
  std::filesystem::path out = "-";  // "-": standard output
  bool force = false;
};
void add_export_output(CLI::App& verb, ExportOutput& output);
/// Before any work: InputError for a file that is there, unless --force.
void check_export_output(ExportOutput const& output);
void write_export(ExportOutput const& output, std::function<void(std::ostream&)> const& write);

}  // namespace gridcast::cli
