// The comparison of a study with an observed campaign: the place of each observed figure in the
// predictive distribution, and the predicted execution of each job.
#pragma once

#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "sim/history/job_history.hpp"
#include "sim/study/sample.hpp"

namespace gridcast::study {

/// An observed figure and its prediction. If the observed campaign is a job table, so is the
/// predicted one.
struct PlacedFigure {
  std::string name;
  double observed = 0;
  Summary predicted;
  double percentile_rank = 0;  // share of replicas below, plus half of the ties; NaN: no prediction
  bool inside = false;         // in the central 90 %

  static void fields(auto& row, auto& figure) {
    row("observed", figure.observed);
    row("predicted", figure.predicted);
    row("position", figure.percentile_rank);
    row("inside_90", figure.inside);
  }
};

/// One successful job's execution beside the predicted median of its site.
struct PlacedExecution {
  std::string job;
  std::string site;
  double observed_s = 0;
  double predicted_s = 0;  // median over replicas of the site's median; NaN if none is predicted
  bool within = false;     // observed within 5 % of predicted

  static void fields(auto& row, auto& execution) {
    row("job", execution.job);
    row("site", execution.site);
    row("observed_s", execution.observed_s);
    row("predicted_median_s", execution.predicted_s);
    row("within_5_percent", execution.within, !std::isnan(execution.predicted_s));
  }
};

struct RecordComparison {
  bool through_table = false;               // the observed campaign is a job table
  std::size_t jobs = 0;                     // observed
  std::vector<PlacedFigure> figures;        // those that the source gives
  std::vector<PlacedExecution> executions;  // of the successful jobs whose site is known
  /// Figures of each observed site, as far as the source has them.
  std::map<std::string, std::map<std::string, double>> sites = {};
};

RecordComparison compare_with_record(StudySample const& sample,
                                     history::JobHistory const& observed);
/// The same for replicas that replay the record: a log by attempts, a table by rows. It leaves out
/// dates and single tries at caches, which a replay does not have.
RecordComparison compare_with_replayed(StudySample const& sample,
                                       history::JobHistory const& observed);

}  // namespace gridcast::study
