#include "gridcast_version.hpp"
#include "sim/report/data/prediction_json.hpp"
#include "sim/report/text/replay_text.hpp"
#include "sim/study/prediction.hpp"
#include "sim/study/record.hpp"

namespace gridcast::report {

Json replay_json(study::Prediction const& replay, study::RecordComparison const& rows) {
  Json json;
  json["schema"] = "gridcast.replay/1";
  json["gridcast"] = version_number;
  json["scenario"] = replay.scenario;
  json["scenario_sha256"] = replay.scenario_sha256;
  json["title"] = replay.title;
  json["calibration_sha256"] = replay.calibration;
  json["strategy"] = replay.strategy;
  json["replicas"] = replay.sample.size();
  json["requested"] = replay.requested;
  json["seed"] = replay.seed;
  json["partial"] = replay.interrupted;
  json["deterministic"] = study::deterministic(replay.sample);
  json["failed"] = Json::array();
  for (auto const& failed : replay.failed) {
    json["failed"].push_back(
        Json{{"replica", failed.replica}, {"seed", replay.seed}, {"why", failed.why}});
  }
  for (auto const& row : rows.figures) {
    auto& each = json["metrics"][row.name];
    each["rows"] = row.observed;
    each["replay"] = summary_json(row.predicted);
    each["position"] = row.percentile_rank;
    each["mean_difference"] = row.predicted.mean - row.observed;
    each["relative_difference"] = row.predicted.mean / row.observed - 1;
  }
  json["sites"] = sites_json(replay.sample);
  json["finish"] =
      finish_json(replay.sample, study::finish_times(study::finish_end({replay.sample})));
  for (auto const& name : study::hypotheses(replay.sample)) {
    auto& each = json["explanations"][name];
    study::StudySample const part = study::select_hypothesis(replay.sample, name);
    each["weight"] = study::posterior_probability(replay.sample, name);
    each["replicas"] = part.size();
    for (auto const& row : rows.figures) {
      each["metrics"][row.name] =
          summary_json(study::summarise(part, std::string(study::through_table) + row.name));
    }
  }
  return json;
}

}  // namespace gridcast::report
