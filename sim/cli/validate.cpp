// gridcast validate --truth DIR CALIBRATION: a calibration held against the parameters that a test
// pool was run with; gridcast validate --recover N SCENARIO: against those of simulated campaigns.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <utility>

#include <fmt/format.h>

#include "calibration/calibrate.hpp"
#include "calibration/recovery.hpp"
#include "calibration/validation.hpp"
#include "sim/cli/event_log_form.hpp"
#include "sim/cli/logged_again.hpp"
#include "sim/cli/pages.hpp"
#include "sim/cli/recovery_output.hpp"
#include "sim/cli/report_file.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/cli/validate_records.hpp"
#include "sim/cli/verbs.hpp"
#include "sim/condor/write/event_log_writer.hpp"
#include "sim/report/page/calibration_page.hpp"
#include "sim/report/text/layout.hpp"

namespace gridcast::cli {
namespace {

struct ValidateOptions {
  std::vector<std::filesystem::path> files;
  std::filesystem::path truth;
  std::uint32_t recover = 0;
  std::string evidence = "log";
  ScoreArguments scores = {};  // with the seed and the processes of all
};

std::vector<std::string> sites_of(std::vector<calibration::Estimate> const& fitted) {
  constexpr std::string_view prefix = "slots.";
  std::vector<std::string> sites;
  for (calibration::Estimate const& one : fitted) {
    if (one.name.starts_with(prefix)) sites.push_back(one.name.substr(prefix.size()));
  }
  return sites;
}

void write_validation_report(ValidateOptions const& options,
                             calibration::RecoveryTable const& table) {
  if (options.scores.report.file.empty()) return;
  auto const common = report_request(options.scores.report);
  report::ValidationRequest request;
  request.title = options.files.front().filename().string();
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
  request.calibration = calibration_page(scenario::read_calibration(options.files.front()));
  request.inputs = inputs_of("calibration", {options.files.front()});
  for (auto const* name : {"sites.json", "campaign.json", "job.sub"}) {
    for (auto& input : inputs_of("truth", {options.truth / name})) request.inputs.push_back(input);
  }
  write_report(options.scores.report, report::validation_page(request));
}

/// The campaign as its event log tells it, with its ads or without.
history::JobHistory as_logged(history::JobHistory const& simulated,
                              condor::EventLogOptions const& options, bool with_ads) {
  history::JobHistory logged = logged_again(simulated, options);
  if (with_ads) {
    logged.urls = simulated.urls;
    logged.transfers = simulated.transfers;
  }
  return logged;
}

calibration::FitOfCampaign fit_of_log(scenario::Scenario const& scenario,
                                      std::string const& evidence) {
  auto form = event_log_options(scenario, scenario.strategy(scenario.baseline));
  form.silent_after_reconnect = true;
  calibration::LogCalibrationOptions fitting;
  fitting.draws = 200;
  for (auto const& input : scenario.campaign.input) fitting.url_sizes.push_back(input.size);
  fitting.between_campaigns = 0;
  return [form, fitting, evidence](history::JobHistory const& simulated) {
    auto const logged = as_logged(simulated, form, evidence == "ads");
    return calibration::calibrate_from_logs(logged, fitting).fit;
  };
}

/// As somebody writes a table from logs, whose times are whole seconds.
history::JobTable in_whole_seconds(history::JobTable table) {
  auto const round = [](auto& times) {
    for (Seconds& time : times) time = Seconds(std::round(time.value()));
  };
  for (history::JobRow& row : table.rows) {
    round(row.execute);
    round(row.slot_busy);
    for (auto* const time : {&row.transfer_total, &row.transfer_last}) {
      if (*time) *time = Seconds(std::round((*time)->value()));
    }
  }
  return table;
}

/// A tenth of the simulations of `calibrate`: fits that are wider, and as often right.
calibration::FitOfCampaign fit_of_table(scenario::Scenario const& scenario) {
  calibration::TableCalibrationRequest request;
  request.epochs = scenario.campaign.work.epochs;
  request.input_size = scenario.campaign.input_size();
  request.simulated.stalls.simulations = 4000;
  request.simulated.stalls.keep = 100;
  request.simulated.stalls.processes = 1;
  return [request, &pool = scenario.pool](history::JobHistory const& simulated) {
    return calibration::fit_table(in_whole_seconds(history::to_table(simulated)), pool, request);
  };
}

int recover_parameters(ValidateOptions const& options) {
  VerbFiles files(if_there(options.scores.force));
  files.reads(options.files.front());
  files.writes(options.scores.csv, {"recovery.csv"});
  prepare_report(options.scores.report, files);
  files.prepare();
  scenario::Scenario const scenario = scenario::read_scenario(options.files.front());
  auto const fit =
      options.evidence == "table" ? fit_of_table(scenario) : fit_of_log(scenario, options.evidence);
  calibration::RecoveryOptions study;
  study.campaigns = options.recover;
  study.seed = options.scores.seed;
  study.processes = options.scores.processes;
  auto const found = calibration::recover_simulated(scenario, fit, study);
  RecoveryFacts const facts{options.files.front().string(), options.evidence, options.scores.seed};
  print_results(options.scores.json ? recovery_json(found, facts) : recovery_text(found));
  if (!options.scores.csv.empty()) {
    write_output(options.scores.csv, {{"recovery.csv", recovery_csv(found)}});
  }
  if (!options.scores.report.file.empty()) {
    auto document = recovery_page(found, facts);
    auto const common = report_request(options.scores.report);
    document.created_by = common.created_by;
    document.command = common.command;
    document.sections.push_back(report::provenance({}, common.created_by, common.command,
                                                   inputs_of("scenario", {options.files.front()})));
    write_report(options.scores.report, document);
  }
  if (found.failed > 0) {
    std::cerr << "gridcast: " << found.failed << " of the campaigns could not be fitted\n";
  }
  return found.failed > 0 ? exit_code::incomplete : exit_code::done;
}

int hold_against_truth(ValidateOptions const& options) {
  VerbFiles files(if_there(options.scores.force));
  files.reads({options.files.front(), options.truth / "sites.json", options.truth / "campaign.json",
               options.truth / "job.sub"});
  prepare_report(options.scores.report, files);
  files.prepare();
  auto const fitted = calibration::read_parameters(options.files.front());
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
                count_and_percent(table.identified_inside, table.identified) +
                " of the parameters that the log has events of, " +
                count_and_percent(table.inside, table.rows.size()) + " of all\n");
  write_validation_report(options, table);
  return exit_code::done;
}

int run_validate(ValidateOptions const& options) {
  if (!options.scores.leave_one.empty()) return score_left_out(options.files, options.scores);
  if (options.files.size() > 1) {
    throw InputError({{},
                      "more than one FILE",
                      "several records are for --leave-one or behind --against",
                      "Name one calibration, or one scenario."});
  }
  if (options.recover > 0) return recover_parameters(options);
  if (!options.scores.against.empty()) return score_against(options.files.front(), options.scores);
  if (!options.truth.empty()) return hold_against_truth(options);
  throw InputError({{},
                    "none of --against, --leave-one, --truth and --recover",
                    "a calibration is held against something",
                    "Give --against RECORD..., --leave-one campaign with records, --truth DIR, or "
                    "--recover N with a scenario."});
}

}  // namespace

void add_validate(Verb& program) {
  auto options = std::make_shared<ValidateOptions>();
  Verb verb = program.verb(
      "validate",
      "How good a calibration's forecasts are: on campaigns not seen, against the truth of a test "
      "pool, or of simulated campaigns");
  verb.positional("FILE", &options->files,
                  "Calibration file; with --recover, scenario; with --leave-one, records")
      .required();
  verb.option("--truth", &options->truth,
              "Folder with sites.json, campaign.json and job.sub of the pool", "DIR");
  verb.option(
      "--recover", &options->recover,
      "Simulate N campaigns of the scenario, each in a row of its calibration, and fit each", "N");
  verb.option("--evidence", &options->evidence,
              "What is fitted of a simulated campaign: its log, its log and its ads, or a table of "
              "its jobs",
              "KIND")
      .one_of({"log", "ads", "table"});
  add_score_options(verb, options->scores);
  add_report_option(verb, options->scores.report);
  verb.flag("--force", options->scores.force, "Replace what is already there");
  verb.footer(
      "Examples:\n"
      "  gridcast validate c1.yaml --against calibration/data/htcondor-pool/c4-retry \\\n"
      "    --work-word 1\n"
      "  gridcast validate --truth calibration/data/htcondor-pool/c1-sweep c1.yaml\n"
      "  gridcast validate --truth calibration/data/htcondor-pool/c4-retry c4.yaml\n"
      "  gridcast validate --recover 40 --evidence table scenarios/osg-imagenet.yaml");
  verb.runs([options] { return run_validate(*options); });
}

}  // namespace gridcast::cli
