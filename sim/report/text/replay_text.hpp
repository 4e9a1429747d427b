// A replay beside the record that it re-enacts.
#pragma once

#include <string>

#include "sim/report/data/sample_json.hpp"
#include "sim/report/text/screen.hpp"
#include "sim/study/prediction.hpp"
#include "sim/study/record_comparison.hpp"

namespace gridcast::report {

/// Each figure of the rows, of the replay, and by how much they differ; under a strategy for which
/// the replay has to draw, with intervals and under each explanation of the stalls.
std::string replay_text(study::Prediction const& replay, study::RecordComparison const& rows,
                        Screen const& screen = endless_screen());

/// gridcast.replay/1 (docs/formats.md).
Json replay_json(study::Prediction const& replay, study::RecordComparison const& rows);

}  // namespace gridcast::report
