// A comparison for programs: gridcast.comparison/1 (docs/formats.md).
#pragma once

#include <string>
#include <vector>

#include "sim/report/data/csv_text.hpp"
#include "sim/report/data/sample_json.hpp"
#include "sim/study/comparison.hpp"

namespace gridcast::report {

Json comparison_json(study::Comparison const& comparison);

/// metrics.csv, differences.csv, probability_best.csv and replicas.csv.
std::vector<NamedText> comparison_csv(study::Comparison const& comparison);

}  // namespace gridcast::report
