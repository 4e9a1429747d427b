// The page of one training job: the use of its time, and its first steps worker by worker, with
// their events. A GPU's waiting for the slowest rank, for data and for gradients is lost; the rest
// is computing. The slowest rank is drawn as the last one, the others as alike.
#pragma once

#include <string>
#include <vector>

#include "sim/report/page/document.hpp"
#include "sim/training/estimate.hpp"

namespace gridcast::report {

struct TrainingPageRequest {
  std::string kind, title, question, created_by, command;
  std::string outcome;  // a sentence on the requested figure; may be empty
  std::vector<InputFileFact> inputs;
};

ReportDocument training_page(training::TrainingSetup const& setup,
                             training::TrainingEstimate const& estimate,
                             TrainingPageRequest const& request);

/// The first steps as a chart: a row a GPU.
Gantt training_steps(training::TrainingSetup const& setup,
                     training::TrainingEstimate const& estimate);

}  // namespace gridcast::report
