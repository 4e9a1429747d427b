#include "sim/cli/recovery_study.hpp"

#include <iostream>
#include <utility>

#include <fmt/format.h>

#include "calibration/calibrate.hpp"
#include "sim/cli/event_log_form.hpp"
#include "sim/cli/logged_again.hpp"
#include "sim/cli/pages.hpp"
#include "sim/cli/recovery_output.hpp"
#include "sim/cli/report_file.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/condor/write/event_log_writer.hpp"

namespace gridcast::cli {
namespace {

namespace fs = std::filesystem;

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

/// A tenth of the simulations of `calibrate`: fits that are wider, and as often right.
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

calibration::FitOfCampaign fit_of(scenario::Scenario const& scenario, std::string const& evidence) {
  return evidence == "table" ? fit_of_table(scenario) : fit_of_log(scenario, evidence);
}

void prepare_recovery(StudyArguments const& arguments, std::vector<fs::path> const& inputs) {
  prepare_study(arguments, inputs, {"recovery.csv"});
}

int answer(StudyArguments const& arguments, calibration::RecoveryStudy const& found,
           RecoveryFacts const& facts, fs::path const& scenario) {
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
    std::cerr << "gridcast: " << found.failed << " of the campaigns could not be fitted\n";
  }
  if (found.interrupted) {
    std::cerr << fmt::format("gridcast: {} of {} campaigns were played\n", found.campaigns,
                             facts.requested);
    return exit_code::interrupted;
  }
  return found.failed > 0 ? exit_code::incomplete : exit_code::done;
}

}  // namespace

int recover_parameters(OnArguments const& on, StudyArguments const& arguments,
                       scenario::Scenario const& scenario, std::string const& evidence) {
  prepare_recovery(arguments, files_of(scenario));
  if (!on.system.empty()) {
    AskedStudy asked{study::StudyKind::recovery, scenario, scenario.baseline};
    asked.evidence = evidence;
    return begin_study(on, arguments, asked);
  }
  calibration::RecoveryOptions options;
  options.campaigns = *arguments.replicas;
  options.seed = *arguments.seed;
  options.processes = arguments.processes;
  auto const found = calibration::recover_simulated(scenario, fit_of(scenario, evidence), options);
  return answer(arguments, found,
                {scenario.file.string(), evidence, options.seed, options.campaigns}, scenario.file);
}

study::ShardPlayer recovery_player(scenario::Scenario const& scenario, std::string const& evidence,
                                   std::uint64_t seed) {
  auto const task = [&scenario, fit = fit_of(scenario, evidence), seed](std::uint32_t campaign) {
    return calibration::recover_campaign(scenario, fit, seed, campaign);
  };
  return [task](study::Shard const& shard, study::StudyOptions const& options) {
    return study::play(shard, task, options);
  };
}

int gather_recovery(study::StudyFolder const& folder, study::FrozenScenario const& frozen,
                    study::FoundShards const& found, StudyArguments const& arguments) {
  prepare_recovery(arguments, files_of(frozen.scenario));
  auto const& question = folder.study().question;
  auto const recovered =
      calibration::recovery_of(frozen.scenario.calibration, study::gathered_records(found));
  int const code = answer(arguments, recovered,
                          {question.scenario, question.evidence, question.seed, question.replicas},
                          frozen.scenario.file);
  return code == exit_code::interrupted ? exit_code::incomplete : code;
}

}  // namespace gridcast::cli
