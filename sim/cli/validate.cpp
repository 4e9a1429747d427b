// gridcast validate --truth DIR CALIBRATION: a calibration held against the parameters that a test
// pool was run with; gridcast validate --recover N SCENARIO: against those of simulated campaigns.
#include <fstream>
#include <iostream>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "calibration/calibrate.hpp"
#include "calibration/recovery.hpp"
#include "calibration/validation.hpp"
#include "sim/cli/event_log_form.hpp"
#include "sim/cli/pages.hpp"
#include "sim/cli/report_file.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/cli/verbs.hpp"
#include "sim/condor/log/read_log.hpp"
#include "sim/condor/write/event_log_writer.hpp"
#include "sim/report/page/calibration_page.hpp"
#include "sim/report/text/layout.hpp"

namespace gridcast::cli {
namespace {

struct ValidateOptions {
  std::filesystem::path file;
  std::filesystem::path truth;
  std::uint32_t recover = 0;
  std::string evidence = "log";
  std::uint64_t seed = 1;
  unsigned processes = 1;
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
  request.title = options.file.filename().string();
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
  request.calibration = calibration_page(scenario::read_calibration(options.file));
  request.inputs = inputs_of("calibration", {options.file});
  for (auto const* name : {"sites.json", "campaign.json", "job.sub"}) {
    for (auto& input : inputs_of("truth", {options.truth / name})) request.inputs.push_back(input);
  }
  write_report(options.report, report::validation_page(request));
}

/// A file that is gone with its scope.
class ScratchFile {
 public:
  ScratchFile()
      : path_(std::filesystem::temp_directory_path() /
              fmt::format("gridcast-recovery-{}.log", getpid())) {}
  ScratchFile(ScratchFile const&) = delete;
  ~ScratchFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  std::filesystem::path const& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// The campaign as its event log tells it, to the second; with the ads, also of each URL.
history::JobHistory as_logged(history::JobHistory const& simulated,
                              condor::EventLogOptions const& options, bool with_ads) {
  ScratchFile const file;
  {
    std::ofstream out(file.path());
    condor::write_event_log(simulated, out, options);
  }
  history::JobHistory logged = condor::read_logs({file.path()}).history;
  if (with_ads) {
    logged.urls = simulated.urls;
    logged.transfers = simulated.transfers;
  }
  return logged;
}

int recover_log(ValidateOptions const& options) {
  scenario::Scenario const scenario = scenario::read_scenario(options.file);
  auto const form = event_log_options(scenario, scenario.strategy(scenario.baseline));
  calibration::LogCalibrationOptions fitting;
  fitting.draws = 200;
  for (auto const& input : scenario.campaign.input) fitting.url_sizes.push_back(input.size);
  fitting.between_campaigns = 0;
  auto const fit = [&](history::JobHistory const& simulated) {
    auto const logged = as_logged(simulated, form, options.evidence == "ads");
    return calibration::calibrate_from_logs(logged, fitting).fit;
  };
  calibration::RecoveryOptions study;
  study.campaigns = options.recover;
  study.seed = options.seed;
  study.processes = options.processes;
  auto const found = calibration::recover_simulated(scenario, fit, study);
  report::TextTable text({{"parameter"},
                          {"campaigns with events", report::Align::right},
                          {"inside 90 %", report::Align::right},
                          {"truth below", report::Align::right}});
  std::size_t cases = 0, inside = 0;
  for (auto const& row : found.parameters) {
    text.add_row({row.name, std::to_string(row.cases), std::to_string(row.inside),
                  std::to_string(row.below)});
    cases += row.cases;
    inside += row.inside;
  }
  print_results(text.str() +
                "\nTrue values inside their 90 % intervals: " + percent(inside, cases) +
                fmt::format(" of the parameters that the {} simulated campaigns have events of\n",
                            found.campaigns));
  if (found.failed > 0) {
    std::cerr << "gridcast: " << found.failed << " of the campaigns could not be fitted\n";
  }
  return found.failed > 0 ? exit_code::incomplete : exit_code::done;
}

int run_validate(ValidateOptions const& options) {
  if (options.recover > 0) return recover_log(options);
  if (options.truth.empty()) {
    throw InputError({{},
                      "neither --truth nor --recover",
                      "a calibration is held against something",
                      "Give --truth DIR, or --recover N with a scenario."});
  }
  VerbFiles files(if_there(options.force));
  files.reads({options.file, options.truth / "sites.json", options.truth / "campaign.json",
               options.truth / "job.sub"});
  prepare_report(options.report, files);
  files.prepare();
  auto const fitted = calibration::read_parameters(options.file);
  calibration::RecoveryTable const table =
      calibration::recover(fitted, calibration::read_truth(options.truth, sites_of(fitted)));
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
  print_results(text.str() + "\nTrue values inside their 90 % intervals: " +
                percent(table.identified_inside, table.identified) +
                " of the parameters that the log has events of, " +
                percent(table.inside, table.rows.size()) + " of all\n");
  write_validation_report(options, table);
  return exit_code::done;
}

}  // namespace

void add_validate(Verb& program) {
  auto options = std::make_shared<ValidateOptions>();
  Verb verb = program.verb(
      "validate", "Hold a calibration against the truth of a test pool, or of simulated campaigns");
  verb.positional("FILE", &options->file, "Calibration file; with --recover, scenario").required();
  verb.option("--truth", &options->truth,
              "Folder with sites.json, campaign.json and job.sub of the pool", "DIR");
  verb.option(
      "--recover", &options->recover,
      "Simulate N campaigns of the scenario, each in a row of its calibration, and fit each", "N");
  verb.option("--evidence", &options->evidence,
              "What is fitted of a simulated campaign: its log, or its log and its ads", "KIND")
      .one_of({"log", "ads"});
  verb.option("--seed", &options->seed, "Of all luck", "N");
  verb.option("-j", &options->processes, "Processes at a time", "N");
  add_report_option(verb, options->report);
  verb.flag("--force", options->force, "Replace a page that is already there");
  verb.footer(
      "Examples:\n"
      "  gridcast validate --truth calibration/data/htcondor-pool/c1-sweep c1.yaml\n"
      "  gridcast validate --truth calibration/data/htcondor-pool/c4-retry c4.yaml\n"
      "  gridcast validate --recover 40 my-scenario.yaml");
  verb.runs([options] { return run_validate(*options); });
}

}  // namespace gridcast::cli
