#include "sim/cli/run_report.hpp"

#include <fmt/format.h>

#include "gridcast_version.hpp"
#include "sim/cli/calibration_page.hpp"
#include "sim/report/data/ledger_json.hpp"
#include "sim/report/data/result_reader.hpp"
#include "sim/report/data/sample_json.hpp"

namespace gridcast::cli {

std::string run_json(PlayedCampaign const& campaign, ledger::Ledger const& ledger, bool with_jobs) {
  report::Json const of_ledger = report::ledger_object(ledger, with_jobs);
  report::Json json;
  json["schema"] = of_ledger.at("schema");
  json["gridcast"] = version_number;
  json["scenario"] = campaign.scenario.file.string();
  json["scenario_sha256"] = campaign.scenario.sha256;
  json["calibration_sha256"] = campaign.scenario.calibration.sha256;
  json["title"] = campaign.scenario.title;
  json["question"] = campaign.scenario.question;
  json["strategy"] = campaign.strategy.name;
  json["seed"] = campaign.seed;
  json["replica"] = campaign.replica;
  json.update(of_ledger);
  return report::json_text(json);
}

void write_run_report(ReportArguments const& arguments, PlayedCampaign const& campaign,
                      engine::Replica const& played) {
  if (arguments.file.empty()) return;
  report::ReportRequest request = report_request(arguments);
  auto const json = run_json(campaign, ledger::account(played.history), true);
  request.results.push_back(report::read_result(json, campaign.scenario.file.string()));
  request.inputs = inputs_of(campaign.scenario);
  request.calibration = calibration_page(campaign.scenario.calibration);
  request.campaign = one_campaign(words_for(campaign), played.history, played.audit.resources);
  write_report(arguments, request);
}

std::string words_for(PlayedCampaign const& campaign) {
  return fmt::format("replica {} of seed {}, strategy {}", campaign.replica, campaign.seed,
                     campaign.strategy.name);
}

}  // namespace gridcast::cli
