// gridcast validate: how good a calibration is. --against RECORD... and --leave-one WHAT score
// forecasts of campaigns that took place from earlier records. --truth DIR compares the calibration
// with the parameters of a test pool, --recover N SCENARIO with those of simulated campaigns.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "calibration/calibrate.hpp"
#include "calibration/validation.hpp"
#include "sim/base/error.hpp"
#include "sim/base/statistics.hpp"
#include "sim/cli/report.hpp"
#include "sim/cli/study_arguments.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/cli/validation_scores.hpp"
#include "sim/cli/verb_files.hpp"
#include "sim/cli/verbs.hpp"
#include "sim/condor/write/event_log_writer.hpp"
#include "sim/report/data/csv.hpp"
#include "sim/report/data/json.hpp"
#include "sim/report/page/calibration_page.hpp"
#include "sim/report/page/document.hpp"
#include "sim/report/text/layout.hpp"

namespace gridcast::cli {
namespace {

namespace fs = std::filesystem;

std::string count_and_percent(std::size_t part, std::size_t all) {
  if (all == 0) return "none";
  return fmt::format("{} of {} ({:.0f} %)", part, all,
                     100.0 * static_cast<double>(part) / static_cast<double>(all));
}

struct RecoveryFacts {
  std::string scenario, evidence;
  std::uint64_t seed = 1;
  std::size_t requested = 0;  // campaigns
};

/// A test of the ranks for each parameter. Of many p-values some are small, so the least one is
/// multiplied by the number of tests (Bonferroni).
std::string rank_test_sentence(calibration::RecoveryStudy const& found) {
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
      "Ranks of the truths among the draws: least even of {}, p = {:.3f} counted {} times{}", worst,
      corrected, found.parameters.size(), corrected < 0.05 ? " (too uneven)" : "");
}

std::vector<std::string> sentences(calibration::RecoveryStudy const& found) {
  std::size_t cases = 0, inside = 0;
  for (auto const& row : found.parameters) {
    cases += row.cases;
    inside += row.inside;
  }
  std::vector<std::string> text = {
      fmt::format("True values inside their 90 % intervals: {} of the parameters that the {} "
                  "simulated campaigns have events of",
                  count_and_percent(inside, cases), found.campaigns)};
  if (!found.parameters.empty()) text.push_back(rank_test_sentence(found));
  return text;
}

std::string recovery_text(calibration::RecoveryStudy const& found) {
  using report::Align;
  report::TextTable text({{"parameter"},
                          {"campaigns with events", Align::right},
                          {"inside 90 %", Align::right},
                          {"truth below", Align::right},
                          {"median rank", Align::right},
                          {"even ranks, p", Align::right}});
  for (auto const& row : found.parameters) {
    text.add_row({row.name, std::to_string(row.cases), std::to_string(row.inside),
                  std::to_string(row.below), fmt::format("{:.2f}", median(row.ranks)),
                  fmt::format("{:.3f}", calibration::uniform_ranks_p_value(row.ranks))});
  }
  std::string words;
  for (auto const& sentence : sentences(found)) words += sentence + "\n";
  return text.str() + "\n" + words;
}

std::string recovery_json(calibration::RecoveryStudy const& found, RecoveryFacts const& facts) {
  report::Json json;
  json["schema"] = "gridcast.recovery/1";
  json["scenario"] = facts.scenario;
  json["evidence"] = facts.evidence;
  json["seed"] = facts.seed;
  json["campaigns"] = found.campaigns;
  json["requested"] = facts.requested;
  json["partial"] = found.interrupted;
  json["failed"] = found.failed;
  if (found.failed > 0) json["why_failed"] = found.why_failed;
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

/// A row for each rank.
std::string recovery_csv(calibration::RecoveryStudy const& found) {
  std::string text = report::csv_line({"parameter", "rank"});
  for (auto const& row : found.parameters) {
    for (double const rank : row.ranks) {
      text += report::csv_line({row.name, report::csv_number(rank)});
    }
  }
  return text;
}

/// Without the program, the command and the provenance.
report::ReportDocument recovery_page(calibration::RecoveryStudy const& found,
                                     RecoveryFacts const& facts) {
  using report::columns, report::number_column, report::text_column;
  report::ReportDocument document;
  document.kind = "validation";
  document.title = facts.scenario;
  document.subtitle = "Calibrations held against simulated campaigns whose parameters are known";
  document.question = "Do the fits find the parameters of simulated campaigns?";
  for (auto const& sentence : sentences(found)) document.answer.push_back(sentence + ".");
  document.assumptions = {
      "The campaigns are simulated by the model that is fitted: a fault of the model itself does "
      "not "
      "show."};
  report::ReportTable table{
      "recovery",
      "Parameters",
      {columns(text_column("parameter"), number_column("cases", "campaigns with events"),
               number_column("inside", "inside 90 %"), number_column("below", "truth below"),
               number_column("rank", "median rank"), number_column("p", "even ranks, p"))}};
  for (auto const& row : found.parameters) {
    table.data.rows.push_back({row.name, static_cast<double>(row.cases),
                               static_cast<double>(row.inside), static_cast<double>(row.below),
                               median(row.ranks), calibration::uniform_ranks_p_value(row.ranks)});
  }
  report::ReportSection section{"recovery", "True values and fitted intervals"};
  section.table = std::move(table);
  document.sections.push_back(std::move(section));
  return document;
}

/// The campaign as its event log shows it, with its ads or without.
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
  form.resources.clear();  // fitted and true parameters need the same names
  calibration::LogCalibrationOptions fitting;
  fitting.draws = 200;
  scenario::JobInputs const inputs(scenario.campaign);
  for (std::uint32_t const entry : inputs.of(0)) {
    fitting.url_sizes.push_back(scenario.campaign.input[entry].size);
  }
  fitting.between_campaigns = 0;
  return [form, fitting, evidence](history::JobHistory const& simulated) {
    auto const logged = as_logged(simulated, form, evidence == "ads");
    return calibration::calibrate_from_logs(logged, fitting).fit;
  };
}

/// A tenth of the simulations of `calibrate`: the fits are wider, and as often right.
calibration::FitOfCampaign fit_of_table(scenario::Scenario const& scenario) {
  calibration::TableCalibrationRequest request;
  request.epochs = scenario.campaign.work.epochs;
  request.input_size = scenario.campaign.input_size();
  request.simulated.simulations = 4000;
  request.simulated.keep = 100;
  request.simulated.links.evaluations = 60;
  return [request, &pool = scenario.pool](history::JobHistory const& simulated) {
    return calibration::fit_table(history::in_whole_seconds(history::to_table(simulated)), pool,
                                  request, calibration::played_here(1));
  };
}

calibration::FitOfCampaign refit_of(scenario::Scenario const& scenario,
                                    std::string const& evidence) {
  return evidence == "table" ? fit_of_table(scenario) : fit_of_log(scenario, evidence);
}

int answer(StudyArguments const& arguments, calibration::RecoveryStudy const& found,
           RecoveryFacts const& facts, std::filesystem::path const& scenario) {
  print_results(arguments.json ? recovery_json(found, facts) : recovery_text(found));
  if (!arguments.csv.empty()) {
    write_output(arguments.csv, {{"recovery.csv", recovery_csv(found)}});
  }
  if (!arguments.report.file.empty()) {
    auto document = recovery_page(found, facts);
    auto const common = report_request(arguments.report);
    document.created_by = common.created_by;
    document.command = common.command;
    document.sections.push_back(report::provenance({}, common.created_by, common.command,
                                                   inputs_of("scenario", {scenario})));
    write_report(arguments.report, document);
  }
  if (found.failed > 0) {
    tell(fmt::format("gridcast: {} of the campaigns could not be fitted{}: {}\n", found.failed,
                     found.failed > 1 ? "; the first" : "", found.why_failed));
  }
  if (found.interrupted) {
    std::cerr << fmt::format("gridcast: {} of {} campaigns were played\n", found.campaigns,
                             facts.requested);
    return exit_code::interrupted;
  }
  return found.failed > 0 ? exit_code::incomplete : exit_code::done;
}

int recover_parameters(StudyArguments const& arguments, scenario::Scenario const& scenario,
                       std::string const& evidence) {
  prepare_study(arguments, files_of(scenario), {"recovery.csv"});
  calibration::RecoveryOptions options;
  options.campaigns = *arguments.replicas;
  options.seed = *arguments.seed;
  options.processes = arguments.processes;
  auto const found =
      calibration::recover_simulated(scenario, refit_of(scenario, evidence), options);
  return answer(arguments, found,
                {scenario.file.string(), evidence, options.seed, options.campaigns}, scenario.file);
}

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

/// The arguments that --recover shares with predict and compare.
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

/// Each holds a calibration against something else: one is asked at a time.
void require_one_question(ValidateOptions const& options) {
  std::vector<std::string> asked;
  if (!options.scores.against.empty()) asked.emplace_back("--against");
  if (!options.scores.leave_one.empty()) asked.emplace_back("--leave-one");
  if (!options.truth.empty()) asked.emplace_back("--truth");
  if (options.recover > 0) asked.emplace_back("--recover");
  if (asked.size() < 2) return;
  throw InputError(Problem{{},
                           fmt::format("{} cannot be given together", fmt::join(asked, " and ")),
                           "each is a question of its own",
                           "Leave all but one out."});
}

int run_validate(ValidateOptions const& options) {
  require_one_question(options);
  if (!options.scores.leave_one.empty()) {
    return score_left_out(options.files, options.scores);
  }
  if (options.files.size() > 1) {
    throw InputError({{},
                      "more than one FILE",
                      "several records are for --leave-one or behind --against",
                      "Name one calibration, or one scenario."});
  }
  if (options.recover > 0) {
    auto const scenario = scenario::read_scenario(options.files.front());
    return recover_parameters(study_arguments(options), scenario, options.evidence);
  }
  if (!options.scores.against.empty()) {
    return score_against(options.files.front(), options.scores);
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
          "Simulate N campaigns of the scenario, each in a row of its calibration, and fit each",
          "N")
      .whole_number(1, 1'000'000);
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
      "  gridcast validate --recover 40 --evidence table scenarios/osg-imagenet.yaml");
  verb.runs([options] { return run_validate(*options); });
}

}  // namespace gridcast::cli
