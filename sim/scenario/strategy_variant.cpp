#include "sim/scenario/strategy_variant.hpp"

#include "sim/base/files.hpp"
#include "sim/base/text.hpp"
#include "sim/scenario/tables.hpp"

namespace gridcast::scenario {
namespace {

/// Puts a value at "transfer.stall_timeout"; an empty value removes the key.
void put(YAML::Node node, std::string const& path, std::string const& value) {
  auto const dot = path.find('.');
  std::string const key = path.substr(0, dot);
  if (dot == std::string::npos) {
    if (value.empty()) {
      node.remove(key);
    } else {
      node[key] = value;
    }
    return;
  }
  if (!node[key].IsMap()) node[key] = YAML::Node(YAML::NodeType::Map);
  put(node[key], path.substr(dot + 1), value);
}

/// The file with the overrides that are its own.
YamlDocument overridden(std::filesystem::path const& file,
                        std::vector<std::string> const& overrides) {
  YamlDocument document(file, read_text_file(file));
  apply_overrides(by_file(parse_overrides(overrides)).scenario, document, {"strategies"});
  return document;
}

/// A copy, without the words about it.
YAML::Node keys_of(YAML::Node const& strategy) {
  YAML::Node keys = YAML::Clone(strategy);
  if (!keys.IsMap()) keys = YAML::Node(YAML::NodeType::Map);
  keys.remove("about");
  return keys;
}

}  // namespace

std::string with_variant(Scenario const& scenario, Strategy const& current, Strategy const& variant,
                         VariantFiles const& files) {
  YAML::Node root = YAML::Clone(overridden(scenario.file, scenario.overrides).root());
  root["pool"] = files.pool;
  root["calibration"] = files.calibration;
  YAML::Node own = keys_of(root["strategies"][current.name]);
  YAML::Node const tree = strategy_table().tree(variant);
  for (Difference const& each : strategy_table().differences(current, variant)) {
    put(own, each.path, value_at(tree, each.path));
  }
  if (!variant.description.about.empty()) own["about"] = variant.description.about;
  root["strategies"][variant.name] = own;
  YAML::Emitter out;
  out << root;
  return std::string(out.c_str()) + "\n";
}

std::vector<std::string> baseline_keys(std::filesystem::path const& file,
                                       std::vector<std::string> const& overrides) {
  YAML::Node const root = overridden(file, overrides).root();
  if (!root.IsMap()) return {};
  YAML::Node const strategies = root["strategies"], named = root["baseline"];
  if (!strategies || !strategies.IsMap() || strategies.size() == 0) return {};
  YAML::Node const baseline =
      named && named.IsScalar() ? strategies[named.Scalar()] : strategies.begin()->second;
  std::vector<std::string> keys;
  if (!baseline) return keys;
  YAML::Node const copy = keys_of(baseline);
  for (auto const& entry : copy) {
    YAML::Emitter out;
    out.SetMapFormat(YAML::Flow);
    out.SetSeqFormat(YAML::Flow);
    out << entry.second;
    keys.push_back(entry.first.Scalar() + "=" + out.c_str());
  }
  return keys;
}

}  // namespace gridcast::scenario
