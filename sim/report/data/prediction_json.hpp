// A prediction for programs: gridcast.prediction/1 (docs/formats.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/report/data/csv_text.hpp"
#include "sim/report/data/sample_json.hpp"
#include "sim/study/against.hpp"
#include "sim/study/prediction.hpp"

namespace gridcast::report {

Json prediction_json(study::Prediction const& prediction,
                     std::optional<study::Against> const& against);
Json against_json(study::Against const& against);

/// metrics.csv, replicas.csv and, with something observed, against.csv and executions.csv.
std::vector<NamedText> prediction_csv(study::Prediction const& prediction,
                                      std::optional<study::Against> const& against);

}  // namespace gridcast::report
