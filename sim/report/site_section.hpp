// The sites beside each other: how long transfers and executions took there, stalls, holds and
// evictions.
#pragma once

#include <optional>
#include <vector>

#include "sim/report/document.hpp"
#include "sim/report/one_campaign.hpp"
#include "sim/report/result.hpp"

namespace gridcast::report {

/// `campaign` (may be null) gives the times; counts and sums are of the results.
ReportPart site_section(std::vector<Result> const& results, OneCampaign const* campaign);

}  // namespace gridcast::report
