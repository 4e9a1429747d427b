// gridcast validate --truth DIR CALIBRATION: a calibration held against the parameters that a test
// pool was run with.
#include <iostream>
#include <utility>

#include <fmt/format.h>

#include "calibration/validation.hpp"
#include "sim/cli/pages.hpp"
#include "sim/cli/report_file.hpp"
#include "sim/cli/verbs.hpp"
#include "sim/report/page/calibration_page.hpp"
#include "sim/report/text/layout.hpp"

namespace gridcast::cli {
namespace {

struct ValidateOptions {
  std::filesystem::path calibration;
  std::filesystem::path truth;
  ReportArguments report = {};
  bool force = false;
};

std::vector<std::string> sites_of(std::vector<calibration::Estimate> const& fitted) {
  constexpr std::string_view prefix = "slots.";
  std::vector<std::string> sites;
  for (calibration::Estimate const& one : fitted) {
    if (one.name.starts_with(prefix)) sites.push_back(one.name.substr(prefix.size()));
  }
  return sites;
}

std::string percent(std::size_t part, std::size_t all) {
  if (all == 0) return "none";
  return fmt::format("{} of {} ({:.0f} %)", part, all,
                     100.0 * static_cast<double>(part) / static_cast<double>(all));
}

void write_validation_report(ValidateOptions const& options,
                             calibration::RecoveryTable const& table) {
  if (options.report.file.empty()) return;
  auto const common = report_request(options.report);
  report::ValidationRequest request;
  request.title = options.calibration.filename().string();
  request.created_by = common.created_by;
  request.command = common.command;
  for (calibration::Recovery const& row : table.rows) {
    report::ParameterLine line;
    line.name = row.fitted.name;
    line.estimate = row.fitted.estimate;
    line.interval90 = row.fitted.interval90;
    line.events = row.identified ? row.fitted.events : 0;
    request.parameters.push_back({std::move(line), row.truth, row.inside});
  }
  request.calibration = calibration_page(scenario::read_calibration(options.calibration));
  request.inputs = inputs_of("calibration", {options.calibration});
  for (auto const* name : {"sites.json", "campaign.json", "job.sub"}) {
    for (auto& input : inputs_of("truth", {options.truth / name})) request.inputs.push_back(input);
  }
  write_report(options.report, report::validation_page(request));
}

int run_validate(ValidateOptions const& options) {
  prepare_report(options.report, options.force);
  auto const fitted = calibration::read_parameters(options.calibration);
  calibration::RecoveryTable const table =
      calibration::recover(fitted, calibration::read_truth(options.truth, sites_of(fitted)));
  write_validation_report(options, table);
  report::TextTable text({{"parameter"},
                          {"truth", report::Align::right},
                          {"estimate", report::Align::right},
                          {"90 % interval", report::Align::right},
                          {"events", report::Align::right},
                          {"inside"}});
  for (calibration::Recovery const& row : table.rows) {
    text.add_row(
        {row.fitted.name, fmt::format("{:.4g}", row.truth),
         fmt::format("{:.4g}", row.fitted.estimate),
         fmt::format("{:.4g} to {:.4g}", row.fitted.interval90.low, row.fitted.interval90.high),
         std::to_string(row.fitted.events),
         !row.identified ? (row.inside ? "yes, no event" : "NO, no event")
                         : (row.inside ? "yes" : "NO")});
  }
  std::cout << text.str() << "\nTrue values inside their 90 % intervals: "
            << percent(table.identified_inside, table.identified)
            << " of the parameters that the log has events of, "
            << percent(table.inside, table.rows.size()) << " of all\n";
  return exit_code::done;
}

}  // namespace

void add_validate(Verb& program) {
  auto options = std::make_shared<ValidateOptions>();
  Verb verb = program.verb("validate", "Hold a calibration against the truth of a test pool");
  verb.positional("CALIBRATION", &options->calibration, "Calibration file").required();
  verb.option("--truth", &options->truth,
              "Folder with sites.json, campaign.json and job.sub of the pool", "DIR")
      .required();
  add_report_option(verb, options->report, false);
  verb.flag("--force", options->force, "Replace a page that is already there");
  verb.footer(
      "Examples:\n"
      "  gridcast validate --truth calibration/data/htcondor-pool/c1-sweep c1.yaml\n"
      "  gridcast validate --truth calibration/data/htcondor-pool/c4-retry c4.yaml");
  verb.runs([options] { return run_validate(*options); });
}

}  // namespace gridcast::cli
