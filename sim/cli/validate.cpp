// gridcast validate --truth DIR CALIBRATION: a calibration held against the parameters that a test
// pool was run with; gridcast validate --recover N SCENARIO: against those of simulated campaigns.
#include <algorithm>
#include <iostream>
#include <utility>

#include <fmt/format.h>

#include "calibration/calibrate.hpp"
#include "calibration/recovery.hpp"
#include "calibration/validation.hpp"
#include "sim/cli/event_log_form.hpp"
#include "sim/cli/logged_again.hpp"
#include "sim/cli/pages.hpp"
#include "sim/cli/report_file.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/cli/validate_records.hpp"
#include "sim/cli/verbs.hpp"
#include "sim/condor/write/event_log_writer.hpp"
#include "sim/report/data/csv.hpp"
#include "sim/report/data/json.hpp"
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
  ReportArguments report = {};
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
  write_report(options.report, report::validation_page(request));
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

/// Ranks are tested for each parameter; of many tests some are small, so the least counts as often as
/// there are tests (Bonferroni).
std::string rank_test_text(calibration::RecoveryStudy const& found) {
  std::string worst;
  double least = 2;
  for (auto const& row : found.parameters) {
    double const p = calibration::uniform_ranks_p_value(row.ranks);
    if (p >= least) continue;
    least = p;
    worst = row.name;
  }
  if (worst.empty()) return "";
  auto const tests = static_cast<double>(found.parameters.size());
  double const corrected = std::min(1.0, least * tests);
  return fmt::format(
      "Ranks of the truths among the draws: least even of {}, p = {:.3f} counted {} times{}\n",
      worst, corrected, found.parameters.size(), corrected < 0.05 ? " (too uneven)" : "");
}

std::string recovery_text(calibration::RecoveryStudy const& found) {
  using report::Align;
  report::TextTable text({{"parameter"},
                          {"campaigns with events", Align::right},
                          {"inside 90 %", Align::right},
                          {"truth below", Align::right},
                          {"median rank", Align::right},
                          {"even ranks, p", Align::right}});
  std::size_t cases = 0, inside = 0;
  for (auto const& row : found.parameters) {
    text.add_row({row.name, std::to_string(row.cases), std::to_string(row.inside),
                  std::to_string(row.below), fmt::format("{:.2f}", median(row.ranks)),
                  fmt::format("{:.3f}", calibration::uniform_ranks_p_value(row.ranks))});
    cases += row.cases;
    inside += row.inside;
  }
  return text.str() + "\nTrue values inside their 90 % intervals: " + percent(inside, cases) +
         fmt::format(" of the parameters that the {} simulated campaigns have events of\n",
                     found.campaigns) +
         rank_test_text(found);
}

std::string recovery_json(calibration::RecoveryStudy const& found, ValidateOptions const& options) {
  report::Json json;
  json["schema"] = "gridcast.recovery/1";
  json["scenario"] = options.files.front().string();
  json["evidence"] = options.evidence;
  json["seed"] = options.scores.seed;
  json["campaigns"] = found.campaigns;
  json["failed"] = found.failed;
  json["parameters"] = report::Json::array();
  for (auto const& row : found.parameters) {
    json["parameters"].push_back(
        {{"name", row.name},
         {"cases", row.cases},
         {"inside_90", row.inside},
         {"truth_below", row.below},
         {"ranks", row.ranks},
         {"p_value", report::json_number(calibration::uniform_ranks_p_value(row.ranks))}});
  }
  return report::json_text(json);
}

std::string recovery_csv(calibration::RecoveryStudy const& found) {
  std::string text = report::csv_line({"parameter", "rank"});
  for (auto const& row : found.parameters) {
    for (double const rank : row.ranks) {
      text += report::csv_line({row.name, report::csv_number(rank)});
    }
  }
  return text;
}

int recover_log(ValidateOptions const& options) {
  VerbFiles files(if_there(options.scores.force));
  files.reads(options.files.front());
  files.writes(options.scores.csv, {"recovery.csv"});
  files.prepare();
  scenario::Scenario const scenario = scenario::read_scenario(options.files.front());
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
  study.seed = options.scores.seed;
  study.processes = options.scores.processes;
  auto const found = calibration::recover_simulated(scenario, fit, study);
  print_results(options.scores.json ? recovery_json(found, options) : recovery_text(found));
  if (!options.scores.csv.empty()) {
    write_output(options.scores.csv, {{"recovery.csv", recovery_csv(found)}});
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
  prepare_report(options.report, files);
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
                percent(table.identified_inside, table.identified) +
                " of the parameters that the log has events of, " +
                percent(table.inside, table.rows.size()) + " of all\n");
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
  if (options.recover > 0) return recover_log(options);
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
              "What is fitted of a simulated campaign: its log, or its log and its ads", "KIND")
      .one_of({"log", "ads"});
  add_score_options(verb, options->scores);
  add_report_option(verb, options->report);
  verb.flag("--force", options->scores.force, "Replace what is already there");
  verb.footer(
      "Examples:\n"
      "  gridcast validate c1.yaml --against calibration/data/htcondor-pool/c4-retry \\\n"
      "    --work-word 1\n"
      "  gridcast validate --truth calibration/data/htcondor-pool/c1-sweep c1.yaml\n"
      "  gridcast validate --truth calibration/data/htcondor-pool/c4-retry c4.yaml\n"
      "  gridcast validate --recover 40 my-scenario.yaml");
  verb.runs([options] { return run_validate(*options); });
}

}  // namespace gridcast::cli
