#include "calibration/file_contents.hpp"

#include <yaml-cpp/yaml.h>

#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/scenario/calibration_reader.hpp"

namespace gridcast::calibration {
namespace {

std::string text(YAML::Node const& node) {
  return node && node.IsScalar() ? node.Scalar() : std::string();
}

template <class T>
T value(YAML::Node const& node) {
  return node && node.IsScalar() ? node.as<T>(T()) : T();
}

Interval interval(YAML::Node const& node) {
  if (!node || !node.IsSequence() || node.size() != 2) return {};
  return {value<double>(node[0]), value<double>(node[1])};
}

void add_parameters(YAML::Node const& parameters, CalibrationContents& contents) {
  for (auto const& each : parameters) {
    auto const& node = each.second;
    Estimate line;
    line.name = text(each.first);
    line.unit = text(node["unit"]);
    line.estimate = value<double>(node["estimate"]);
    line.standard_error = value<double>(node["se"]);
    line.interval90 = interval(node["interval90"]);
    line.events = value<std::size_t>(node["events"]);
    line.censored = value<std::size_t>(node["censored"]);
    line.method = text(node["method"]);
    line.fit = text(node["fit"]);
    contents.estimates.push_back(std::move(line));
  }
}

}  // namespace

CalibrationContents read_calibration_contents(std::filesystem::path const& file) {
  std::string const all = read_text_file(file);
  CalibrationContents contents;
  YAML::Node root;
  try {
    root = YAML::Load(scenario::split_rows(all).text_without);
  } catch (YAML::Exception const& error) {
    throw InputError(Problem{{file.string(), error.mark.line + 1, error.mark.column + 1},
                             "is not YAML: " + error.msg,
                             "",
                             ""});
  }
  contents.profile = text(root["profile"]);
  contents.epochs = std::max(1, value<int>(root["options"]["epochs"]));
  for (auto const& each : root["inputs"]) {
    contents.inputs.push_back(
        {text(each["file"]), text(each["sha256"]), value<std::size_t>(each["rows"])});
  }
  for (auto const& each : root["model_weights"]) {
    contents.model_weights.push_back(
        {text(each["name"]), value<double>(each["weight"]), interval(each["interval90"])});
  }
  for (auto const& each : root["tests"]) {
    contents.tests.push_back({text(each["hypothesis"]), text(each["statistic"]),
                              value<double>(each["observed"]), value<double>(each["expected"]),
                              value<double>(each["p_value"]), text(each["verdict"])});
  }
  for (auto const& each : root["not_identified"]) {
    contents.not_identified.push_back(
        {text(each["what"]), text(each["why"]), text(each["taken_from"])});
  }
  add_parameters(root["parameters"], contents);
  return contents;
}

}  // namespace gridcast::calibration
