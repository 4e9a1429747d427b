// gridcast calibrate TABLE... LOG...: a job table and event logs of one pool, each fitted by
// itself, in one calibration (calibration/both/both_records.hpp). What refuses the records comes
// before the table's simulations, which take minutes.
#include <algorithm>
#include <iostream>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "calibration/both/both_records.hpp"
#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/cli/calibrate.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/history/job_table.hpp"
#include "sim/report/text/layout.hpp"
#include "sim/study/replica_pool.hpp"

namespace gridcast::cli {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> sites_of(history::JobTable const& table) {
  std::set<std::string> sites;
  for (history::JobRow const& row : table.rows) sites.insert(row.sites.begin(), row.sites.end());
  return {sites.begin(), sites.end()};
}

std::vector<std::string> sites_of(calibration::LogCalibration const& log) {
  std::vector<std::string> sites;
  for (calibration::SiteFacts const& site : log.sites) sites.push_back(site.count.site);
  return sites;
}

void require_two_programs(CalibrateOptions const& options, std::string const& of_table) {
  if (options.profile != of_table) return;
  throw InputError({{},
                    "--profile: '" + of_table + "' is the name of the table's program",
                    "the log's is another one, with its own work",
                    "Give the log's another name."});
}

calibration::CalibrationDocument together(CalibrateOptions const& options,
                                          CalibratedLogs const& logs,
                                          calibration::CalibrationDocument const& table,
                                          std::vector<std::string> const& table_sites) {
  auto document = logs.document;
  document.command = command_for_logs(options, table_options_text(options));
  document.epochs = table.epochs;
  document.input_size = table.input_size;
  std::size_t rows = 0;
  for (auto const& input : table.inputs) rows += input.rows;
  document.table = calibration::TableFacts{table.profile, rows};
  // Tables are told as tables: with their own rows.
  for (auto& input : document.inputs) {
    auto const same = std::find_if(table.inputs.begin(), table.inputs.end(),
                                   [&](auto const& each) { return each.file == input.file; });
    if (same != table.inputs.end()) input = *same;
  }
  calibration::BothRecords const both{table.fit,
                                      logs.document.fit,
                                      table_sites,
                                      logs.calibrated.recorded,
                                      static_cast<double>(std::max<std::size_t>(1, logs.campaigns)),
                                      options.between_campaigns};
  document.fit = calibration::fit_of_both(both, RandomStreams(options.seed, 0));
  return document;
}

std::string told_by_text(calibration::Fit const& fit) {
  auto const count = [&](char const* record) {
    return std::count_if(fit.estimates.begin(), fit.estimates.end(),
                         [&](auto const& line) { return line.record == record; });
  };
  std::string text = fmt::format(
      "\nTold by both records: {} parameters; by the log alone {}, by the table alone {} (`record` "
      "in the file).\n",
      count("both"), count("log"), count("table"));
  return report::fitted(text, screen());
}

std::string programs_of_both_text(calibration::CalibrationDocument const& document) {
  return report::fitted(
      fmt::format(
          "Programs: '{}' is the log's, '{}' the table's, {} epochs of {}: a scenario names one "
          "of them as campaign.work.profile.\n",
          document.profile, document.table->profile, document.epochs, to_text(document.input_size)),
      screen());
}

}  // namespace

int calibrate_both(CalibrateOptions const& options, import::CampaignFiles const& files) {
  auto request = table_request(options);
  request.tables = files.tables;
  require_two_programs(options, request.profile);
  auto const table_sites =
      sites_of(fit_of(files.tables, [&] { return history::read_job_tables(files.tables); }));
  import::CampaignFiles others = files;
  others.tables.clear();
  CalibratedLogs const logs = calibrate_logs(options, read_record(options, others));
  calibration::require_common_site(table_sites, sites_of(logs.calibrated));
  calibration::require_transfers_of_log(logs.document.fit);
  auto const table = fitted_tables(request, options);
  if (!table) return exit_code::interrupted;
  auto const document = together(options, logs, *table, table_sites);
  print_results(summary_of_logs(document.fit) + told_by_text(document.fit) +
                programs_of_both_text(document));
  tell(programs_text(logs.calibrated.programs));
  if (auto const rejected = rejected_text(document.fit); !rejected.empty()) {
    tell("Fits that a test rejects (p < 0.05):\n" + rejected);
  }
  write_file(options.out, calibration::calibration_yaml(document));
  std::cout << "\nWritten to " << printable(options.out.string()) << "\n";
  return exit_code::done;
}

}  // namespace gridcast::cli
