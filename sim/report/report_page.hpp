// The whole page: what results and a history give, section by section.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/report/document.hpp"
#include "sim/report/provenance.hpp"
#include "sim/report/result.hpp"

namespace gridcast {

struct ReportRequest {
  std::vector<Result> results;  // at least one
  std::string created_by, command;
  std::vector<InputFileFact> inputs;
  std::optional<Seconds> deadline;
};

ReportDocument report_page(ReportRequest const& request);

}  // namespace gridcast
