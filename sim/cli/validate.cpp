// gridcast validate --truth DIR CALIBRATION: a calibration held against the parameters that a test
// pool was run with; gridcast validate --recover N SCENARIO: against those of simulated campaigns.
#include <algorithm>
#include <iostream>
#include <utility>

#include <fmt/format.h>

#include "calibration/validation.hpp"
#include "sim/cli/pages.hpp"
#include "sim/cli/recovery_study.hpp"
#include "sim/cli/report_file.hpp"
#include "sim/cli/score_plan.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/cli/validate_records.hpp"
#include "sim/cli/verbs.hpp"
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
  OnArguments on = {};
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

/// What --recover shares with the verbs that play studies.
StudyArguments study_arguments(ValidateOptions const& options) {
  auto arguments = study_arguments(options.scores);
  arguments.replicas = options.recover;
  return arguments;
}

int compare_with_truth(ValidateOptions const& options) {
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
  bool const plays =
      options.recover > 0 || !options.scores.leave_one.empty() || !options.scores.against.empty();
  if (!options.on.system.empty() && !plays) {
    throw InputError({{},
                      "--on without --recover, --against or --leave-one",
                      "there is nothing to play",
                      "Leave out --on, or say what is forecast."});
  }
  if (!options.scores.leave_one.empty()) {
    return score_left_out(options.on, options.files, options.scores);
  }
  if (options.files.size() > 1) {
    throw InputError({{},
                      "more than one FILE",
                      "several records are for --leave-one or behind --against",
                      "Name one calibration, or one scenario."});
  }
  if (options.recover > 0) {
    auto const scenario = scenario::read_scenario(options.files.front());
    return recover_parameters(options.on, study_arguments(options), scenario, options.evidence);
  }
  if (!options.scores.against.empty()) {
    return score_against(options.on, options.files.front(), options.scores);
  }
  if (!options.truth.empty()) return compare_with_truth(options);
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
  add_on_options(verb, options->on);
  verb.flag("--force", options->scores.force, "Replace what is already there");
  verb.footer(
      "Examples:\n"
      "  gridcast validate c1.yaml --against calibration/data/htcondor-pool/c4-retry \\\n"
      "    --work-word 1\n"
      "  gridcast validate --truth calibration/data/htcondor-pool/c1-sweep c1.yaml\n"
      "  gridcast validate --recover 40 --evidence table --on slurm scenarios/osg-imagenet.yaml");
  verb.runs([options] { return run_validate(*options); });
}

}  // namespace gridcast::cli
