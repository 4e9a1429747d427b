// A prediction for the terminal.
#pragma once

#include <optional>
#include <string>

#include "sim/report/text/figure_words.hpp"
#include "sim/report/text/screen.hpp"
#include "sim/study/prediction.hpp"
#include "sim/study/record_comparison.hpp"

namespace gridcast::report {

/// Every figure's distribution, the main ones under each explanation of the stalls, and, where
/// there is something to hold against it, the observed figures in their places.
std::string prediction_text(study::Prediction const& prediction,
                            std::optional<study::RecordComparison> const& against,
                            Screen const& screen = endless_screen());

/// The lines about an observed campaign alone.
std::string against_text(study::RecordComparison const& against, int predicted_jobs,
                         TimeScale scale, Screen const& screen = endless_screen());

/// "PARTIAL: interrupted after 412 of 1000 replicas" and the number of those that failed; empty for
/// a study that is whole.
std::string incomplete_text(bool interrupted, std::size_t done, std::size_t requested,
                            std::size_t failed);

}  // namespace gridcast::report
