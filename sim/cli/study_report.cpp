#include "sim/cli/study_report.hpp"

#include "sim/report/result_reader.hpp"

namespace gridcast {

void write_study_report(StudyArguments const& arguments, Scenario const& scenario,
                        std::string const& json, Strategy const& /*strategy*/,
                        StudySample const& /*sample*/) {
  if (arguments.report.file.empty()) return;
  ReportRequest request = report_request(arguments.report);
  request.results.push_back(read_result(json, scenario.file.string()));
  request.inputs = inputs_of(scenario);
  write_report(arguments.report, request);
}

}  // namespace gridcast
