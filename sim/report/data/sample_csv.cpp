#include "sim/report/data/sample_csv.hpp"

#include "sim/ledger/metrics.hpp"
#include "sim/report/data/csv_text.hpp"
#include "sim/study/record.hpp"

namespace gridcast::report {
namespace {

std::string one_part(study::StudySample const& part, std::vector<std::string> const& first,
                     std::string const& explanation) {
  std::string text;
  for (auto const& name : ledger::metric_names(ledger::ToldOf::replica)) {
    auto cells = first;
    cells.push_back(explanation);
    cells.push_back(name);
    for (auto& cell : summary_cells(study::summarise(part, name))) cells.push_back(std::move(cell));
    text += csv_line(cells);
  }
  return text;
}

}  // namespace

std::vector<std::string> summary_titles() {
  return {"n", "mean", "sd", "p05", "p25", "p50", "p75", "p95", "mean_low", "mean_high"};
}

std::vector<std::string> summary_cells(study::Summary const& summary) {
  std::vector<std::string> cells = {std::to_string(summary.n)};
  for (double const value :
       {summary.mean, summary.sd, summary.p05, summary.p25, summary.p50, summary.p75, summary.p95,
        summary.mean_ci95.low, summary.mean_ci95.high}) {
    cells.push_back(csv_number(value));
  }
  return cells;
}

std::string metrics_lines(study::StudySample const& sample, std::vector<std::string> const& first) {
  std::string text = one_part(sample, first, "all");
  for (auto const& name : study::hypotheses(sample))
    text += one_part(study::select_hypothesis(sample, name), first, name);
  return text;
}

std::string replica_lines(study::StudySample const& sample, std::vector<std::string> const& first) {
  std::string text;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    auto cells = first;
    cells.push_back(std::to_string(sample.replicas[i]));
    for (double const value : sample.records[i]) cells.push_back(csv_number(value));
    text += csv_line(cells);
  }
  return text;
}

}  // namespace gridcast::report
