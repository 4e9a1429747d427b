#include "sim/ledger/metrics.hpp"
#include "sim/report/data/comparison_json.hpp"
#include "sim/report/data/sample_csv.hpp"
#include "sim/study/record.hpp"

namespace gridcast::report {
namespace {

std::string difference_lines(study::Comparison const& comparison, std::string const& explanation) {
  std::string text;
  for (std::size_t s = 0; s < comparison.strategies.size(); ++s) {
    for (auto const& name : ledger::metric_names(ledger::ToldOf::replica)) {
      auto const paired = study::difference(comparison, s, name);
      text += csv_line({comparison.strategies[s], explanation, name, std::to_string(paired.n),
                        csv_number(paired.mean), csv_number(paired.ci95.low),
                        csv_number(paired.ci95.high), csv_number(paired.variance_ratio)});
    }
  }
  return text;
}

std::string chance_lines(study::Comparison const& comparison, std::string const& explanation) {
  std::string text;
  for (auto const& figure : study::compared_figures()) {
    auto const shares = study::probability_best(comparison, figure);
    for (std::size_t s = 0; s < shares.size(); ++s) {
      text += csv_line(
          {comparison.strategies[s], explanation, std::string(figure.name), csv_number(shares[s])});
    }
  }
  return text;
}

std::vector<std::string> titles(std::vector<std::string> first,
                                std::vector<std::string> const& rest) {
  first.insert(first.end(), rest.begin(), rest.end());
  return first;
}

}  // namespace

std::vector<NamedText> comparison_csv(study::Comparison const& comparison) {
  std::string metrics = csv_line(titles({"strategy", "explanation", "metric"}, summary_titles()));
  std::string replicas =
      csv_line(titles({"strategy", "replica"}, comparison.samples.front().names));
  for (std::size_t s = 0; s < comparison.strategies.size(); ++s) {
    metrics += metrics_lines(comparison.samples[s], {comparison.strategies[s]});
    replicas += replica_lines(comparison.samples[s], {comparison.strategies[s]});
  }

  auto const paired = study::complete(comparison);
  std::string differences =
      csv_line({"strategy", "explanation", "metric", "pairs", "mean_difference", "ci95_low",
                "ci95_high", "variance_ratio"}) +
      difference_lines(paired, "all");
  std::string chances = csv_line({"strategy", "explanation", "metric", "probability_best"}) +
                        chance_lines(paired, "all");
  for (auto const& name : study::hypotheses(paired.samples[paired.baseline])) {
    auto const part = study::select_hypothesis(paired, name);
    differences += difference_lines(part, name);
    chances += chance_lines(part, name);
  }
  return {{"metrics.csv", metrics},
          {"differences.csv", differences},
          {"probability_best.csv", chances},
          {"replicas.csv", replicas}};
}

}  // namespace gridcast::report
