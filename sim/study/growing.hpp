// A prediction that is told while it grows, for whoever watches: what there is after a moment, then
// more and more of it. Replicas are the same whoever asks and in whatever parts, so the last one is
// predict()'s own.
#pragma once

#include <chrono>
#include <functional>

#include "sim/study/prediction.hpp"

namespace gridcast::study {

/// predict() in parts that take about `part` each or add half of what there is, the first a few
/// replicas only; `seen` is told each but the last, which is returned. What was played is kept in the
/// journal of `options.resume`, which has to be given.
Prediction predict_growing(scenario::Scenario const& scenario, scenario::Strategy const& strategy,
                           StudyOptions options, std::chrono::milliseconds part,
                           std::function<void(Prediction const&)> const& seen);

}  // namespace gridcast::study
