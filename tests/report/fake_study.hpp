// Studies with made-up numbers: only the figures that a test is about have values.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "sim/scenario/parameter_draw.hpp"
#include "sim/study/comparison.hpp"
#include "sim/study/record.hpp"

namespace gridcast::test {

using Figures = std::map<std::string, double>;

inline std::vector<std::string> fake_sites() { return {"CHTC", "PDX"}; }

/// One replica: what is not named is not available.
inline study::Record fake_record(Figures const& figures, scenario::Hypothesis hypothesis) {
  study::Record record;
  for (auto const& name : study::record_names(fake_sites())) {
    auto const found = figures.find(name);
    record.push_back(found == figures.end() ? std::numeric_limits<double>::quiet_NaN()
                                            : found->second);
  }
  record.back() = static_cast<double>(hypothesis);
  return record;
}

/// Even replicas are overloaded, odd ones live on a bad path.
inline study::StudySample fake_sample(std::vector<Figures> const& replicas) {
  study::StudySample sample{study::record_names(fake_sites()), {}, {}};
  for (std::uint32_t i = 0; i < replicas.size(); ++i) {
    sample.replicas.push_back(i);
    sample.records.push_back(fake_record(
        replicas[i], i % 2 == 0 ? scenario::Hypothesis::overload : scenario::Hypothesis::bad_path));
  }
  return sample;
}

inline study::Prediction fake_prediction(std::vector<Figures> const& replicas) {
  study::Prediction prediction;
  prediction.scenario = "s.yaml";
  prediction.title = "Two trainings";
  prediction.strategy = "published";
  prediction.jobs = 2;
  prediction.requested = replicas.size();
  prediction.seed = 7;
  prediction.sample = fake_sample(replicas);
  return prediction;
}

}  // namespace gridcast::test
