#include "sim/cli/study_report.hpp"

#include "sim/cli/calibration_page.hpp"
#include "sim/cli/run_report.hpp"
#include "sim/study/sample.hpp"

namespace gridcast::cli {

void write_study_report(StudyArguments const& arguments, scenario::Scenario const& scenario,
                        report::Result result, scenario::Strategy const& strategy) {
  if (arguments.report.file.empty()) return;
  report::ReportRequest request = report_request(arguments.report);
  result.source = scenario.file.string();
  request.inputs = inputs_of(scenario);
  request.calibration = calibration_page(scenario.calibration);
  auto const& sample = baseline(result)->sample;
  if (sample.size() > 0) {
    auto options = study_options(arguments, scenario.study);
    options.simulation.trace = true;
    PlayedCampaign const usual{scenario, strategy, options.seed, study::medoid_replica(sample)};
    auto played =
        study::simulate_replica(scenario, strategy, usual.seed, usual.replica, options.simulation);
    auto accounts = ledger::account(played.history);
    request.campaign =
        report::one_campaign(words_for(usual) + " (the typical replica)", std::move(played.history),
                             std::move(accounts), std::move(played.audit.resources));
  }
  request.results.push_back(std::move(result));
  write_report(arguments.report, request);
}

}  // namespace gridcast::cli
