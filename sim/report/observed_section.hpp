// What was observed beside what was predicted: each figure of the record in its predicted interval.
#pragma once

#include <vector>

#include "sim/report/data/result.hpp"
#include "sim/report/page/document.hpp"

namespace gridcast::report {

/// Empty (with nothing to say) if no result was held against a record.
ReportPart observed_section(std::vector<Result> const& results);

}  // namespace gridcast::report
