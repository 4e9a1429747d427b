#include "sim/report/data/result_csv.hpp"

#include "sim/ledger/metrics.hpp"

namespace gridcast::report {
namespace {

using Cells = std::vector<std::string>;

Cells joined(Cells first, Cells const& rest) {
  first.insert(first.end(), rest.begin(), rest.end());
  return first;
}

Cells summary_titles() {
  return {"n", "mean", "sd", "p05", "p25", "p50", "p75", "p95", "mean_low", "mean_high"};
}

Cells summary_cells(study::Summary const& summary) {
  Cells cells = {std::to_string(summary.n)};
  for (double const value :
       {summary.mean, summary.sd, summary.p05, summary.p25, summary.p50, summary.p75, summary.p95,
        summary.mean_ci95.low, summary.mean_ci95.high}) {
    cells.push_back(csv_number(value));
  }
  return cells;
}

std::string one_part(study::StudySample const& part, Cells const& first,
                     std::string const& hypothesis) {
  std::string text;
  for (auto const& name : ledger::metric_names(ledger::ToldOf::replica)) {
    text += csv_line(
        joined(joined(first, {hypothesis, name}), summary_cells(study::summarise(part, name))));
  }
  return text;
}

/// One line a figure and hypothesis ("all" for all replicas), each beginning with `first`.
std::string metrics_lines(study::StudySample const& sample, Cells const& first) {
  std::string text = one_part(sample, first, "all");
  for (auto const& name : hypotheses(sample))
    text += one_part(select_hypothesis(sample, name), first, name);
  return text;
}

/// One line a replica with all its columns, each beginning with `first`.
std::string replica_lines(study::StudySample const& sample, Cells const& first) {
  std::string text;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    Cells cells = first;
    cells.push_back(std::to_string(sample.replicas[i]));
    for (double const value : sample.records[i]) cells.push_back(csv_number(value));
    text += csv_line(cells);
  }
  return text;
}

std::string difference_lines(std::vector<ResultStrategy> const& strategies,
                             std::string const& hypothesis) {
  std::string text;
  for (auto const& strategy : strategies) {
    for (auto const& name : ledger::metric_names(ledger::ToldOf::replica)) {
      auto const& paired = strategy.versus_baseline.at(name);
      text += csv_line({strategy.name, hypothesis, name, std::to_string(paired.n),
                        csv_number(paired.mean), csv_number(paired.ci95.low),
                        csv_number(paired.ci95.high), csv_number(paired.variance_ratio)});
    }
  }
  return text;
}

std::string chance_lines(std::vector<ResultStrategy> const& strategies,
                         std::string const& hypothesis) {
  std::string text;
  for (auto const& figure : study::compared_figures()) {
    std::string const name(figure.name);
    for (auto const& strategy : strategies) {
      text += csv_line(
          {strategy.name, hypothesis, name, csv_number(strategy.probability_best.at(name))});
    }
  }
  return text;
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

std::vector<NamedText> result_csv(Result const& result) {
  bool const several = result.kind == ResultKind::comparison;
  Cells const lead = several ? Cells{"strategy"} : Cells();
  auto const& columns = result.strategies.front().sample.names;
  std::string metrics = csv_line(joined(joined(lead, {"explanation", "metric"}), summary_titles()));
  std::string replicas = csv_line(joined(joined(lead, {"replica"}), columns));
  for (auto const& strategy : result.strategies) {
    Cells const first = several ? Cells{strategy.name} : Cells();
    metrics += metrics_lines(strategy.sample, first);
    replicas += replica_lines(strategy.sample, first);
  }
  std::vector<NamedText> files = {{"metrics.csv", std::move(metrics)}};
  if (several) {
    std::string differences =
        csv_line({"strategy", "explanation", "metric", "pairs", "mean_difference", "ci95_low",
                  "ci95_high", "variance_ratio"}) +
        difference_lines(result.strategies, "all");
    std::string chances = csv_line({"strategy", "explanation", "metric", "probability_best"}) +
                          chance_lines(result.strategies, "all");
    for (auto const& hypothesis : result.hypotheses) {
      differences += difference_lines(hypothesis.strategies, hypothesis.name);
      chances += chance_lines(hypothesis.strategies, hypothesis.name);
    }
    files.push_back({"differences.csv", std::move(differences)});
    files.push_back({"probability_best.csv", std::move(chances)});
  }
  files.push_back({"replicas.csv", std::move(replicas)});
  if (result.against) {
    files.push_back({"against.csv", against_csv(*result.against)});
    files.push_back({"executions.csv", executions_csv(*result.against)});
  }
  return files;
}

}  // namespace gridcast::report
