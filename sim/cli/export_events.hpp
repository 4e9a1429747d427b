// gridcast export events: a simulated campaign, or what logs and ads tell of a real one, as a job
// event log of HTCondor, or as the ads of its history.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "sim/cli/arguments.hpp"
#include "sim/cli/event_log_form.hpp"

namespace gridcast {

struct ExportEventsOptions {
  std::vector<std::filesystem::path> sources;  // one scenario, or logs, ads, and folders of `run`
  std::filesystem::path out;                   // "-": standard output
  std::string ads;                             // "long", "json"; empty: the event log
  EventLogForm form;
  std::string strategy;               // empty: the baseline
  std::optional<std::uint64_t> seed;  // none: the scenario's
  std::uint32_t replica = 0;
  std::string network = "auto";
  std::optional<int> year;
  std::string time_zone;
};

int run_export_events(ExportEventsOptions const& options);

/// The verb `export`, and below it `events`.
void add_export(CLI::App& app, Select select);

}  // namespace gridcast
