// A prediction for programs: gridcast.prediction/1 (docs/formats.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/report/data/csv_text.hpp"
#include "sim/report/data/sample_json.hpp"
#include "sim/study/prediction.hpp"
#include "sim/study/record_comparison.hpp"

namespace gridcast::report {

Json prediction_json(study::Prediction const& prediction,
                     std::optional<study::RecordComparison> const& against);
Json against_json(study::RecordComparison const& against);

/// metrics.csv, replicas.csv and, with something observed, against.csv and executions.csv.
std::vector<NamedText> prediction_csv(study::Prediction const& prediction,
                                      std::optional<study::RecordComparison> const& against);

}  // namespace gridcast::report
