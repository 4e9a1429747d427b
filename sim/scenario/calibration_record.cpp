#include "sim/scenario/calibration_record.hpp"

#include <charconv>
#include <cmath>
#include <string>

#include "sim/scenario/yaml/document.hpp"

namespace gridcast::scenario {
namespace {

/// 0 for what is no number.
double number_or_0(std::string const& text) {
  double number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

double number_in(YAML::Node const& node) {
  return node && node.IsScalar() ? number_or_0(node.Scalar()) : 0;
}

/// Explanations by their own names count as they stand; where there are none, kinds and scopes are
/// summed up. What is no number is not told: weights are shown and decide nothing.
std::vector<HypothesisWeight> weights_of(YAML::Node const& lines) {
  constexpr Hypothesis all[] = {Hypothesis::overload, Hypothesis::bad_path, Hypothesis::slow,
                                Hypothesis::congestion};
  std::vector<HypothesisWeight> weights;
  if (!lines || !lines.IsSequence()) return weights;
  auto const log_odds = [](double p) { return std::log(p / (1 - p)); };
  for (Hypothesis const hypothesis : all) {
    HypothesisWeight sum{hypothesis, 0, 0, 0};
    bool found = false, named = false;
    for (YAML::Node const& line : lines) {
      if (!line.IsMap() || !line["name"] || !line["name"].IsScalar() || named) continue;
      auto const text = line["name"].Scalar();
      if (hypothesis_of_weight(text) != hypothesis) continue;
      named = text == name(hypothesis);
      if (named) sum = {hypothesis, 0, 0, 0};
      found = true;
      sum.prior += number_in(line["prior"]);
      sum.posterior += number_in(line["weight"]);
      sum.log_bayes_factor = number_in(line["log_bayes_factor"]);
    }
    if (!found) continue;
    if (!named) sum.log_bayes_factor = log_odds(sum.posterior) - log_odds(sum.prior);
    weights.push_back(sum);
  }
  return weights;
}

}  // namespace

std::optional<Hypothesis> hypothesis_of_weight(std::string_view text) {
  for (Hypothesis const each :
       {Hypothesis::overload, Hypothesis::bad_path, Hypothesis::slow, Hypothesis::congestion}) {
    if (text == name(each)) return each;
  }
  if (text.starts_with("none")) return Hypothesis::congestion;
  auto const comma = text.find(", ");
  if (comma == std::string_view::npos) return std::nullopt;
  auto const kind = text.substr(0, comma), scope = text.substr(comma + 2);
  if (kind == "slow") return Hypothesis::slow;
  if (kind != "dead") return std::nullopt;
  return scope == "origin" || scope == "cache" ? Hypothesis::overload : Hypothesis::bad_path;
}

CalibrationRecord record_in(YamlDocument const& file) {
  YAML::Node const& root = file.root();
  double jobs = 0;
  if (YAML::Node const campaign = root["campaign"]; campaign && campaign.IsMap()) {
    jobs = number_in(campaign["jobs"]);
  }
  YAML::Node const inputs = root["inputs"];
  if (jobs == 0 && inputs && inputs.IsSequence()) {
    for (YAML::Node const& input : inputs) {
      if (input.IsMap()) jobs += number_in(input["rows"]);
    }
  }
  CalibrationRecord record{weights_of(root["model_weights"]), {}};
  if (jobs >= 1) record.jobs = static_cast<std::size_t>(jobs);
  return record;
}

}  // namespace gridcast::scenario
