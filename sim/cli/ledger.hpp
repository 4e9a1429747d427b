// gridcast ledger FILE...: where every hour of a recorded campaign went.
#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include <CLI/CLI.hpp>

#include "sim/cli/report_file.hpp"
#include "sim/condor/read_log.hpp"

namespace gridcast::cli {

struct LedgerOptions {
  std::vector<std::filesystem::path> files;
  condor::ReadLogOptions log;  // --year, --tz
  bool json = false, jobs = false, verbose = false, quiet = false, force = false;
  std::string colour;
  ReportArguments report = {};
};

/// Prints the ledger on stdout; the exit code.
int run_ledger(LedgerOptions const& options);

/// Adds the verb; `select` takes what to run when it was chosen.
void add_ledger(CLI::App& app, std::function<void(std::function<int()>)> select);

}  // namespace gridcast::cli
