#include "sim/cli/study_report.hpp"

#include <cmath>
#include <limits>

#include "sim/cli/calibration_page.hpp"
#include "sim/cli/run_report.hpp"
#include "sim/report/result_reader.hpp"

namespace gridcast {
namespace {

/// The replica whose badput is nearest to the median; of those alike, the first.
std::uint32_t usual_replica(StudySample const& sample) {
  auto const badput = column(sample, "badput_s");
  double const middle = summarise(sample, "badput_s").p50;
  double nearest = std::numeric_limits<double>::infinity();
  std::uint32_t usual = sample.replicas.front();
  for (std::size_t i = 0; i < badput.size(); ++i) {
    double const off = std::abs(badput[i] - middle);
    if (!(off < nearest)) continue;
    nearest = off;
    usual = sample.replicas[i];
  }
  return usual;
}

}  // namespace

void write_study_report(StudyArguments const& arguments, Scenario const& scenario,
                        std::string const& json, Strategy const& strategy,
                        StudySample const& sample) {
  if (arguments.report.file.empty()) return;
  ReportRequest request = report_request(arguments.report);
  request.results.push_back(read_result(json, scenario.file.string()));
  request.inputs = inputs_of(scenario);
  request.calibration = calibration_page(scenario.calibration);
  if (sample.size() > 0) {
    auto options = study_options(arguments, scenario.study);
    options.simulation.trace = true;
    PlayedCampaign const usual{scenario, strategy, options.seed, usual_replica(sample)};
    auto played =
        simulate_replica(scenario, strategy, usual.seed, usual.replica, options.simulation);
    request.campaign = one_campaign(words_for(usual) + " (its badput is nearest to the median)",
                                    std::move(played.history), std::move(played.audit.resources));
  }
  write_report(arguments.report, request);
}

}  // namespace gridcast
