#include "sim/cli/run_report.hpp"

#include <fmt/format.h>

#include "gridcast_version.hpp"
#include "sim/cli/calibration_page.hpp"

namespace gridcast::cli {

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

}  // namespace gridcast::cli
