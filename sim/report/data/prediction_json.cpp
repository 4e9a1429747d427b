#include "sim/report/data/prediction_json.hpp"

#include "gridcast_version.hpp"
#include "sim/study/record.hpp"

namespace gridcast::report {
namespace {

Json explanations_json(study::StudySample const& sample) {
  Json json = Json::object();
  for (auto const& name : study::hypotheses(sample)) {
    study::StudySample const part = study::select_hypothesis(sample, name);
    json[name]["weight"] = study::posterior_probability(sample, name);
    json[name]["replicas"] = part.size();
    json[name]["metrics"] = metrics_json(part);
  }
  return json;
}

Json failed_json(study::Prediction const& prediction) {
  Json json = Json::array();
  for (auto const& failed : prediction.failed) {
    Json each;
    each["replica"] = failed.replica;
    each["seed"] = prediction.seed;
    each["why"] = failed.why;
    each["command"] =
        replica_command(prediction.scenario, prediction.strategy, prediction.seed, failed.replica);
    json.push_back(std::move(each));
  }
  return json;
}

}  // namespace

Json against_json(study::RecordComparison const& against) {
  Json json;
  json["jobs"] = against.jobs;
  json["metrics"] = Json::object();
  for (auto const& placed : against.figures) {
    auto& each = json["metrics"][placed.name];
    each["observed"] = placed.observed;
    each["predicted"] = summary_json(placed.predicted);
    each["position"] = placed.percentile_rank;
    each["inside_90"] = placed.inside;
  }
  json["executions"] = Json::array();
  for (auto const& placed : against.executions) {
    Json each;
    each["job"] = placed.job;
    each["site"] = placed.site;
    each["observed_s"] = placed.observed_s;
    each["predicted_median_s"] = placed.predicted_s;
    each["within_5_percent"] = placed.within;
    json["executions"].push_back(std::move(each));
  }
  json["sites"] = Json::object();
  for (auto const& [site, figures] : against.sites) {
    for (auto const& [name, value] : figures) json["sites"][site][name] = value;
  }
  return json;
}

Json prediction_json(study::Prediction const& prediction,
                     std::optional<study::RecordComparison> const& against) {
  Json json;
  json["schema"] = "gridcast.prediction/1";
  json["gridcast"] = version_number;
  json["scenario"] = prediction.scenario;
  json["scenario_sha256"] = prediction.scenario_sha256;
  json["title"] = prediction.title;
  json["question"] = prediction.question;
  json["calibration_sha256"] = prediction.calibration;
  json["strategy"] = prediction.strategy;
  json["replicas"] = prediction.sample.size();
  json["requested"] = prediction.requested;
  json["seed"] = prediction.seed;
  json["partial"] = prediction.interrupted;
  json["failed"] = failed_json(prediction);
  json["metrics"] = metrics_json(prediction.sample);
  json["explanations"] = explanations_json(prediction.sample);
  json["sites"] = sites_json(prediction.sample);
  json["finish"] =
      finish_json(prediction.sample, study::finish_times(study::finish_end({prediction.sample})));
  if (against) json["against"] = against_json(*against);
  return json;
}

}  // namespace gridcast::report
