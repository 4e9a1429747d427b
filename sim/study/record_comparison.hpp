// An observed campaign beside its prediction: where each observed figure stands in the predictive
// distribution, and how well each job's execution was foreseen.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/history/job_history.hpp"
#include "sim/study/sample.hpp"

namespace gridcast::study {

/// One figure. `predicted` is of the same figure, as a job table would give it if the observed
/// campaign is one.
struct PlacedFigure {
  std::string name;
  double observed = 0;
  Summary predicted;
  double percentile_rank =
      0;                // share of the replicas below, half of the ties; NaN without a prediction
  bool inside = false;  // the central 90 %
};

/// One successful job's execution beside the predicted median of its site.
struct PlacedExecution {
  std::string job;
  std::string site;
  double observed_s = 0;
  double predicted_s = 0;  // median over replicas of the site's median; NaN if none is predicted
  bool within = false;     // observed within 5 % of predicted
};

struct RecordComparison {
  bool through_table = false;               // the observed campaign is a job table
  std::size_t jobs = 0;                     // observed
  std::vector<PlacedFigure> figures;        // those that the source gives
  std::vector<PlacedExecution> executions;  // of the successful jobs whose site is known
  /// What the ledger says of each observed site; only figures that the source gives.
  std::map<std::string, std::map<std::string, double>> sites = {};
};

RecordComparison compare_with_record(StudySample const& sample,
                                     history::JobHistory const& observed);

}  // namespace gridcast::study
