// gridcast export events: a simulated campaign, or what logs and ads tell of a real one, as a job
// event log of HTCondor, or as the ads of its history.
#pragma once

#include <filesystem>
#include <string>

#include <CLI/CLI.hpp>

#include "sim/cli/arguments.hpp"
#include "sim/cli/event_log_form.hpp"
#include "sim/cli/export_source.hpp"

namespace gridcast::cli {

struct ExportEventsOptions {
  ExportSource source;
  std::filesystem::path out;  // "-": standard output
  std::string ads;            // "long", "json"; empty: the event log
  EventLogForm form;
};

int run_export_events(ExportEventsOptions const& options);

void add_export_events(CLI::App& group, Select select);

}  // namespace gridcast::cli
