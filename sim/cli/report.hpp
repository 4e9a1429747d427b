// gridcast report RESULT.json... -o FILE.html: the page of results that verbs printed with --json.
#pragma once

#include <filesystem>
#include <vector>

#include "sim/cli/arguments.hpp"
#include "sim/cli/report_file.hpp"

namespace gridcast::cli {

struct ReportOptions {
  std::vector<std::filesystem::path> results;
  ReportArguments report;
  bool force = false;
};

int run_report(ReportOptions const& options);
void add_report(CLI::App& app, Select select);

}  // namespace gridcast::cli
