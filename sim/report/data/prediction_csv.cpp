#include "sim/report/data/prediction_json.hpp"
#include "sim/report/data/sample_csv.hpp"

namespace gridcast::report {
namespace {

std::vector<std::string> joined(std::vector<std::string> titles,
                                std::vector<std::string> const& more) {
  titles.insert(titles.end(), more.begin(), more.end());
  return titles;
}

std::string against_csv(study::RecordComparison const& against) {
  std::string text =
      csv_line(joined({"metric", "observed", "position", "inside_90"}, summary_titles()));
  for (auto const& placed : against.figures) {
    text += csv_line(joined({placed.name, csv_number(placed.observed),
                             csv_number(placed.percentile_rank), placed.inside ? "1" : "0"},
                            summary_cells(placed.predicted)));
  }
  return text;
}

std::string executions_csv(study::RecordComparison const& against) {
  std::string text =
      csv_line({"job", "site", "observed_s", "predicted_median_s", "within_5_percent"});
  for (auto const& placed : against.executions) {
    text += csv_line({placed.job, placed.site, csv_number(placed.observed_s),
                      csv_number(placed.predicted_s), placed.within ? "1" : "0"});
  }
  return text;
}

}  // namespace

std::vector<NamedText> prediction_csv(study::Prediction const& prediction,
                                      std::optional<study::RecordComparison> const& against) {
  study::StudySample const& sample = prediction.sample;
  std::vector<NamedText> files = {
      {"metrics.csv",
       csv_line(joined({"explanation", "metric"}, summary_titles())) + metrics_lines(sample, {})},
      {"replicas.csv", csv_line(joined({"replica"}, sample.names)) + replica_lines(sample, {})}};
  if (against) {
    files.push_back({"against.csv", against_csv(*against)});
    files.push_back({"executions.csv", executions_csv(*against)});
  }
  return files;
}

}  // namespace gridcast::report
