// The whole page: what results and a history give, section by section.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/report/calibration_section.hpp"
#include "sim/report/data/result.hpp"
#include "sim/report/page/document.hpp"
#include "sim/report/page/one_campaign.hpp"
#include "sim/report/page/provenance.hpp"

namespace gridcast::report {

struct ReportRequest {
  std::vector<Result> results;  // at least one
  std::string created_by, command;
  std::vector<InputFileFact> inputs;
  std::optional<Seconds> deadline;
  std::vector<std::string> notices = {};
  std::optional<CalibrationPage> calibration = {};
  std::string kind = {};                // of the page; empty: as the first result says
  std::optional<OneCampaign> campaign;  // behind the first result: for what needs its events
};

ReportDocument report_page(ReportRequest const& request);

}  // namespace gridcast::report
