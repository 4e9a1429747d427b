// When jobs are done: how many had succeeded by when, with bands over replicas, and the probability
// that the campaign has ended by a deadline.
#pragma once

#include <optional>
#include <vector>

#include "sim/report/data/result.hpp"
#include "sim/report/page/document.hpp"

namespace gridcast::report {

/// Share of the replicas whose last job had ended by then, read off the quantiles of makespan (to a
/// hundredth); NaN without them.
double ended_by(ResultFinish const& finish, Seconds deadline);

ReportPart finish_section(std::vector<Result> const& results, std::optional<Seconds> deadline);

}  // namespace gridcast::report
