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

}  // namespace

std::string with_variant(Scenario const& scenario, Strategy const& current, Strategy const& variant,
                         VariantFiles const& files) {
  YamlDocument document(scenario.file, read_text_file(scenario.file));
  apply_overrides(by_file(parse_overrides(scenario.overrides)).scenario, document, {"strategies"});
  YAML::Node root = YAML::Clone(document.root());
  root["pool"] = files.pool;
  root["calibration"] = files.calibration;
  YAML::Node own = YAML::Clone(root["strategies"][current.name]);
  if (!own.IsMap()) own = YAML::Node(YAML::NodeType::Map);
  YAML::Node const tree = strategy_table().tree(variant);
  for (Difference const& each : strategy_table().differences(current, variant)) {
    put(own, each.path, value_at(tree, each.path));
  }
  own.remove("about");
  if (!variant.description.about.empty()) own["about"] = variant.description.about;
  root["strategies"][variant.name] = own;
  YAML::Emitter out;
  out << root;
  return std::string(out.c_str()) + "\n";
}

}  // namespace gridcast::scenario
