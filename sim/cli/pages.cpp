#include "sim/cli/pages.hpp"

#include <fmt/format.h>

#include "calibration/validation.hpp"
#include "gridcast_version.hpp"
#include "sim/base/error.hpp"
#include "sim/cli/report.hpp"
#include "sim/import/recorded_campaign.hpp"
#include "sim/report/page/report_page.hpp"
#include "sim/study/critical_path.hpp"
#include "sim/study/sample.hpp"

namespace gridcast::cli {
namespace {

namespace fs = std::filesystem;

std::vector<calibration::FittedProcess> processes_of(std::vector<fs::path> const& files,
                                                     scenario::Calibration const& calibration,
                                                     int epochs) {
  import::CampaignFiles const record = import::sort_by_kind(files);
  bool const of_tables = !record.tables.empty();
  bool const of_logs = calibration.draws.front().work > Seconds();
  if (of_tables == of_logs) return {};
  auto const campaign = import::open_campaign(record);
  return of_logs ? calibration::log_processes(campaign.history, calibration)
                 : calibration::table_processes(campaign.table, calibration, epochs);
}

void add_processes(report::CalibrationPage& page, calibration::CalibrationDocument const& contents,
                   scenario::Calibration const& calibration) {
  std::vector<fs::path> files;
  for (auto const& input : contents.inputs) {
    auto file = find_input(input, calibration.file);
    if (file.empty()) {
      page.no_data = fmt::format(
          "The record {} is not here with the SHA-256 that the calibration names, so the fits are "
          "not shown beside their data.",
          input.file);
      return;
    }
    files.push_back(std::move(file));
  }
  if (files.empty()) {
    page.no_data = "The calibration names no record, so fits are not shown beside their data.";
    return;
  }
  try {
    for (auto& process : processes_of(files, calibration, contents.epochs)) {
      page.processes.push_back({std::move(process.name), std::move(process.data), process.censored,
                                std::move(process.draws)});
    }
  } catch (InputError const& error) {
    page.no_data = std::string("The calibration's record cannot be read: ") + error.what();
  }
}

}  // namespace

fs::path find_input(calibration::CalibrationInput const& input, fs::path const& calibration) {
  std::vector<fs::path> places = {input.file};
  std::error_code ignored;
  for (auto folder = fs::absolute(calibration, ignored).parent_path();;
       folder = folder.parent_path()) {
    places.push_back(folder / input.file);
    places.push_back(folder / fs::path(input.file).filename());
    if (!folder.has_relative_path()) break;
  }
  for (auto const& place : places) {
    auto const found = inputs_of("", {place});
    if (!found.empty() && found.front().sha256 == input.sha256) return place;
  }
  return {};
}

report::CalibrationPage calibration_page(scenario::Calibration const& calibration) {
  auto const contents = calibration::read_calibration_document(calibration.file);
  report::CalibrationPage page;
  page.file = calibration.file;
  for (auto const& line : contents.fit.estimates) {
    page.parameters.push_back({line.name, line.unit, line.method, line.fit, line.estimate,
                               line.interval90, line.events, line.censored});
  }
  for (auto const& test : contents.fit.tests) {
    page.tests.push_back({test.hypothesis, test.statistic, test.verdict, test.observed,
                          test.expected, test.p_value});
  }
  for (auto const& line : contents.fit.not_identified) {
    page.not_identified.push_back({line.what, line.why, line.taken_from});
  }
  add_processes(page, contents, calibration);
  return page;
}

report::Result result_of(PlayedCampaign const& campaign, ledger::Ledger const& ledger,
                         bool with_jobs) {
  report::Result result = report::result_of(ledger, with_jobs);
  result.source = result.scenario = campaign.scenario.file.string();
  result.version = version_number;
  result.scenario_sha256 = campaign.scenario.sha256;
  result.calibration_sha256 = campaign.scenario.calibration.sha256;
  result.title = campaign.scenario.title;
  result.question = campaign.scenario.question;
  result.strategy = campaign.strategy.name;
  result.seed = campaign.seed;
  result.replica = campaign.replica;
  return result;
}

void write_run_report(ReportArguments const& arguments, PlayedCampaign const& campaign,
                      engine::Replica const& played) {
  if (arguments.file.empty()) return;
  report::ReportRequest request = report_request(arguments);
  auto accounts = ledger::account(played.history);
  report::Result result = result_of(campaign, accounts, true);
  result.critical_path = study::critical_path(campaign.scenario.campaign, played.history);
  request.inputs = inputs_of(campaign.scenario);
  request.calibration = calibration_page(campaign.scenario.calibration);
  request.campaign = report::one_campaign(words_for(campaign), played.history, std::move(accounts),
                                          played.audit.resources);
  request.results.push_back(std::move(result));
  write_report(arguments, request);
}

std::string words_for(PlayedCampaign const& campaign) {
  return fmt::format("replica {} of seed {}, strategy {}", campaign.replica, campaign.seed,
                     campaign.strategy.name);
}

namespace {

/// Of larger campaigns a page has the baseline's alone: it is to be small enough to be passed on.
constexpr std::size_t most_events_for_all = 20'000;

report::OneCampaign played_campaign(PlayedCampaign const& usual, std::string const& what,
                                    engine::ReplicaOptions const& options) {
  auto played =
      study::simulate_replica(usual.scenario, usual.strategy, usual.seed, usual.replica, options);
  auto accounts = ledger::account(played.history);
  return report::one_campaign(what, std::move(played.history), std::move(accounts),
                              std::move(played.audit.resources));
}

/// The typical replica under the strategy asked about, and in the same luck under the others that are
/// drawn.
void add_campaigns(report::ReportRequest& request, PlayedCampaign const& usual,
                   engine::ReplicaOptions const& options) {
  auto const strategies = report::drawn_strategies(request.results);
  request.campaign = played_campaign(usual, words_for(usual) + " (the typical replica)", options);
  if (strategies.size() < 2 || request.campaign->history.events.size() > most_events_for_all) {
    return;
  }
  std::string const luck = fmt::format("replica {} of seed {} (typical of {})", usual.replica,
                                       usual.seed, usual.strategy.name);
  request.campaign->what = luck;
  request.campaign->strategy = usual.strategy.name;
  for (auto const& each : strategies) {
    if (each.strategy->name == usual.strategy.name) continue;
    auto const& strategy = usual.scenario.strategy(each.strategy->name);
    auto other =
        played_campaign({usual.scenario, strategy, usual.seed, usual.replica}, luck, options);
    if (other.history.events.size() > most_events_for_all) continue;
    other.strategy = strategy.name;
    request.others.push_back(std::move(other));
  }
}

}  // namespace

void write_study_report(StudyArguments const& arguments, scenario::Scenario const& scenario,
                        report::Result result, scenario::Strategy const& strategy) {
  if (arguments.report.file.empty()) return;
  report::ReportRequest request = report_request(arguments.report);
  result.source = scenario.file.string();
  request.inputs = inputs_of(scenario);
  request.calibration = calibration_page(scenario.calibration);
  request.results.push_back(std::move(result));
  auto const& sample = baseline(request.results.front())->sample;
  if (sample.size() > 0) {
    auto options = study_options(arguments, scenario.study);
    options.simulation.trace = true;
    add_campaigns(request, {scenario, strategy, options.seed, study::medoid_replica(sample)},
                  options.simulation);
  }
  write_report(arguments.report, request);
}

}  // namespace gridcast::cli
