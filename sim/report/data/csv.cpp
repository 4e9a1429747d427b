#include "sim/report/data/csv.hpp"

#include <cmath>

#include <fmt/format.h>

#include "sim/ledger/metrics.hpp"
#include "sim/report/data/result.hpp"

namespace gridcast::report {

std::string csv_number(double value) {
  return std::isnan(value) ? std::string() : fmt::format("{}", value);
}

std::string csv_line(std::vector<std::string> const& cells) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) line += ',';
    line += csv_cell(cells[i]);
  }
  return line + '\n';
}

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
                     std::string const& hypothesis, bool with_never) {
  std::string text;
  for (auto const& name : ledger::metric_names(ledger::MetricScope::replica)) {
    bool const times = with_never && name == "makespan_s";
    auto const summary = times ? study::summarise_times(column(part, name)) : summarise(part, name);
    text += csv_line(joined(joined(first, {hypothesis, name}), summary_cells(summary)));
  }
  return text;
}

/// One line per figure and hypothesis ("all" for all replicas), each beginning with `first`.
/// `with_never`: makespans are infinite where the wanted jobs never succeeded.
std::string metrics_lines(study::StudySample const& sample, Cells const& first, bool with_never) {
  std::string text = one_part(sample, first, "all", with_never);
  for (auto const& name : hypotheses(sample))
    text += one_part(select_hypothesis(sample, name), first, name, with_never);
  return text;
}

/// One line per replica with all its columns, each beginning with `first`.
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
    for (auto const& name : ledger::metric_names(ledger::MetricScope::replica)) {
      auto const& paired = strategy.versus_baseline.at(name);
      text +=
          csv_line({strategy.name, hypothesis, name, std::to_string(paired.n),
                    csv_number(paired.mean), csv_number(paired.ci95.low),
                    csv_number(paired.ci95.high), csv_number(paired.variance_ratio),
                    csv_number(paired.p05), csv_number(paired.p95), csv_number(paired.better.share),
                    csv_number(paired.better.ci95.low), csv_number(paired.better.ci95.high)});
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
      text +=
          csv_line({strategy.name, hypothesis, name, csv_number(strategy.probability_best.at(name)),
                    csv_number(strategy.probability_best_ci95.at(name).low),
                    csv_number(strategy.probability_best_ci95.at(name).high)});
    }
  }
  return text;
}

std::string explanations_csv(Result const& result) {
  std::string text = csv_line({"explanation", "prior", "log_bayes_factor", "posterior", "replicas",
                               "strategy", ledger::deciding_metric, "rank", "best"});
  for (std::size_t h = 0; h < result.hypotheses.size(); ++h) {
    auto const& explanation = result.hypotheses[h];
    for (std::size_t s = 0; s < result.strategies.size(); ++s) {
      auto const& strategy = explanation.strategies[s];
      auto const ratio = strategy.pooled.find(ledger::deciding_metric);
      text += csv_line({explanation.name, csv_number(explanation.prior),
                        csv_number(explanation.log_bayes_factor), csv_number(explanation.posterior),
                        std::to_string(explanation.replicas), strategy.name,
                        ratio == strategy.pooled.end() ? "" : csv_number(ratio->second.ratio),
                        std::string(study::rank_names[static_cast<std::size_t>(strategy.rank)]),
                        is_best_under(result, s, h) ? "1" : "0"});
    }
  }
  return text;
}

std::string standings_csv(Result const& result) {
  std::string text =
      csv_line({"strategy", "rank", "why", "enough_succeed", "enough_low", "enough_high",
                "never_ran", "never_ran_high", "never_ran_why", "best_in_draws", "expected_loss"});
  for (std::size_t s = 0; s < result.strategies.size(); ++s) {
    auto const& strategy = result.strategies[s];
    auto const& rated = result.choice->strategies[s];
    auto const& [share, interval, n] = strategy.enough_succeed;
    text += csv_line({strategy.name,
                      std::string(study::rank_names[static_cast<std::size_t>(strategy.rank)]),
                      strategy.why_not_ranked, csv_number(share), csv_number(interval.low),
                      csv_number(interval.high), csv_number(strategy.never_ran.share),
                      csv_number(strategy.never_ran.ci95.high), strategy.why_never_ran,
                      csv_number(rated.best_in_draws), csv_number(rated.loss)});
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
                      csv_number(placed.predicted_s),
                      std::isnan(placed.predicted_s) ? ""
                      : placed.within                ? "1"
                                                     : "0"});
  }
  return text;
}

/// The files of a comparison.
void add_strategies_csv(Result const& result, std::vector<NamedText>& files) {
  std::string differences = csv_line({"strategy", "explanation", "metric", "pairs",
                                      "mean_difference", "ci95_low", "ci95_high", "variance_ratio",
                                      "p05", "p95", "better", "better_low", "better_high"}) +
                            difference_lines(result.strategies, "all");
  std::string chances =
      csv_line({"strategy", "explanation", "metric", "probability_best", "low", "high"}) +
      chance_lines(result.strategies, "all");
  for (auto const& hypothesis : result.hypotheses) {
    differences += difference_lines(hypothesis.strategies, hypothesis.name);
    chances += chance_lines(hypothesis.strategies, hypothesis.name);
  }
  files.push_back({"differences.csv", std::move(differences)});
  files.push_back({"probability_best.csv", std::move(chances)});
  if (result.choice) {
    files.push_back({"explanations.csv", explanations_csv(result)});
    files.push_back({"standings.csv", standings_csv(result)});
  }
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
    auto const sample = several && strategy.finish
                            ? with_makespans(strategy.sample, strategy.finish->wanted)
                            : strategy.sample;
    metrics += metrics_lines(sample, first, several);
    replicas += replica_lines(sample, first);
  }
  std::vector<NamedText> files = {{"metrics.csv", std::move(metrics)}};
  if (several) add_strategies_csv(result, files);
  files.push_back({"replicas.csv", std::move(replicas)});
  if (result.against) {
    files.push_back({"against.csv", against_csv(*result.against)});
    files.push_back({"executions.csv", executions_csv(*result.against)});
  }
  return files;
}

}  // namespace gridcast::report
