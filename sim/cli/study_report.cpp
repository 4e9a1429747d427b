#include "sim/cli/study_report.hpp"

#include "sim/cli/calibration_page.hpp"
#include "sim/cli/run_report.hpp"
#include "sim/report/data/result_reader.hpp"
#include "sim/study/sample.hpp"

namespace gridcast::cli {

void write_study_report(StudyArguments const& arguments, scenario::Scenario const& scenario,
                        std::string const& json, scenario::Strategy const& strategy,
                        study::StudySample const& sample) {
  if (arguments.report.file.empty()) return;
  report::ReportRequest request = report_request(arguments.report);
  request.results.push_back(report::read_result(json, scenario.file.string()));
  request.inputs = inputs_of(scenario);
  request.calibration = calibration_page(scenario.calibration);
  if (sample.size() > 0) {
    auto options = study_options(arguments, scenario.study);
    options.simulation.trace = true;
    PlayedCampaign const usual{scenario, strategy, options.seed, study::medoid_replica(sample)};
    auto played =
        study::simulate_replica(scenario, strategy, usual.seed, usual.replica, options.simulation);
    request.campaign = one_campaign(words_for(usual) + " (the one most like the others)",
                                    std::move(played.history), std::move(played.audit.resources));
  }
  write_report(arguments.report, request);
}

}  // namespace gridcast::cli
