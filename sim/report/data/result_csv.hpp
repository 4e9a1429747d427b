// A study's result as tables (docs/formats.md).
#pragma once

#include <vector>

#include "sim/report/data/csv.hpp"
#include "sim/report/data/result.hpp"

namespace gridcast::report {

/// metrics.csv and replicas.csv; of a comparison also differences.csv and probability_best.csv; of
/// what was held to a record also against.csv and executions.csv. From the replicas themselves, so
/// not of a result that was read from JSON.
std::vector<NamedText> result_csv(Result const& result);

}  // namespace gridcast::report
