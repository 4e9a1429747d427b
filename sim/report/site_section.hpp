// The sites beside each other: how long transfers and executions took there, stalls, holds and
// evictions.
#pragma once

#include <optional>
#include <vector>

#include "sim/report/data/result.hpp"
#include "sim/report/page/document.hpp"
#include "sim/report/page/one_campaign.hpp"

namespace gridcast::report {

/// `campaign` (may be null) gives the times; counts and sums are of the results.
ReportPart site_section(std::vector<Result> const& results, OneCampaign const* campaign);

}  // namespace gridcast::report
