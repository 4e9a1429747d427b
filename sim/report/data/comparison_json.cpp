#include "sim/report/data/comparison_json.hpp"

#include "gridcast_version.hpp"
#include "sim/ledger/metrics.hpp"
#include "sim/study/record.hpp"

namespace gridcast::report {
namespace {

Json differences_json(study::Comparison const& comparison, std::size_t strategy) {
  Json json = Json::object();
  for (auto const& name : ledger::metric_names(ledger::ToldOf::replica)) {
    auto const paired = study::difference(comparison, strategy, name);
    json[name]["mean_difference"] = paired.mean;
    json[name]["ci95"] = interval_json(paired.ci95);
    json[name]["variance_ratio"] = paired.variance_ratio;
  }
  return json;
}

/// {NAME: {"metrics", "versus_baseline", "probability_best"}}. Metrics are of `all`, the rest of
/// the replicas that all strategies finished.
Json strategies_json(study::Comparison const& all, study::Comparison const& paired) {
  Json json = Json::object();
  for (std::size_t s = 0; s < all.strategies.size(); ++s) {
    auto& each = json[all.strategies[s]];
    each["replicas"] = all.samples[s].size();
    each["metrics"] = metrics_json(all.samples[s]);
    each["versus_baseline"] = differences_json(paired, s);
    each["probability_best"] = Json::object();
  }
  for (auto const& figure : study::compared_figures()) {
    auto const shares = study::probability_best(paired, figure);
    for (std::size_t s = 0; s < all.strategies.size(); ++s) {
      json[all.strategies[s]]["probability_best"][std::string(figure.name)] = shares[s];
    }
  }
  return json;
}

Json explanations_json(study::Comparison const& all, study::Comparison const& paired) {
  Json json = Json::object();
  auto const& baseline = paired.samples[paired.baseline];
  for (auto const& name : study::hypotheses(baseline)) {
    auto const part = study::select_hypothesis(paired, name);
    json[name]["weight"] = study::posterior_probability(baseline, name);
    json[name]["replicas"] = part.samples[part.baseline].size();
    json[name]["strategies"] = strategies_json(study::select_hypothesis(all, name), part);
  }
  return json;
}

Json failed_json(study::Comparison const& comparison) {
  Json json = Json::array();
  for (auto const& [strategy, failed] : comparison.failed) {
    Json each;
    each["strategy"] = strategy;
    each["replica"] = failed.replica;
    each["seed"] = comparison.seed;
    each["why"] = failed.why;
    each["command"] =
        replica_command(comparison.scenario, strategy, comparison.seed, failed.replica);
    json.push_back(std::move(each));
  }
  return json;
}

}  // namespace

Json comparison_json(study::Comparison const& comparison) {
  auto const paired = study::complete(comparison);
  Json json;
  json["schema"] = "gridcast.comparison/1";
  json["gridcast"] = version_number;
  json["scenario"] = comparison.scenario;
  json["scenario_sha256"] = comparison.scenario_sha256;
  json["title"] = comparison.title;
  json["question"] = comparison.question;
  json["calibration_sha256"] = comparison.calibration;
  json["baseline"] = comparison.strategies[comparison.baseline];
  json["replicas"] = paired.samples[paired.baseline].size();
  json["requested"] = comparison.requested;
  json["seed"] = comparison.seed;
  json["partial"] = comparison.interrupted;
  json["failed"] = failed_json(comparison);
  json["strategies"] = strategies_json(comparison, paired);
  json["explanations"] = explanations_json(comparison, paired);
  auto const times = study::finish_times(study::finish_end(comparison.samples));
  for (std::size_t s = 0; s < comparison.strategies.size(); ++s) {
    auto& each = json["strategies"][comparison.strategies[s]];
    each["sites"] = sites_json(comparison.samples[s]);
    each["finish"] = finish_json(comparison.samples[s], times);
  }
  return json;
}

}  // namespace gridcast::report
