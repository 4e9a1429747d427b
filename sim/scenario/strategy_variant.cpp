#include "sim/scenario/strategy_variant.hpp"

#include <algorithm>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/scenario/tables.hpp"

namespace gridcast::scenario {
namespace {

/// Gives the node the value that `from` has at "transfer.stall_timeout"; without one there, the
/// node loses the key.
void put(YAML::Node node, std::string const& path, YAML::Node const& from) {
  auto const dot = path.find('.');
  std::string const key = path.substr(0, dot);
  YAML::Node const value = from && from.IsMap() ? from[key] : YAML::Node();
  if (dot != std::string::npos) {
    if (!node[key].IsMap()) node[key] = YAML::Node(YAML::NodeType::Map);
    return put(node[key], path.substr(dot + 1), value);
  }
  if (value && !value.IsNull()) {
    node[key] = value;
  } else {
    node.remove(key);
  }
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

void refuse_other_files(OverridesByFile const& overrides) {
  std::vector<Problem> problems;
  for (auto const* of_file : {&overrides.pool, &overrides.calibration}) {
    for (Override const& each : *of_file) {
      add_problem(problems, {each.option}, "it cannot be written into a scenario",
                  "pool and calibration are files of their own",
                  "Give it to forecast or compare, with the scenario.");
    }
  }
  if (!problems.empty()) throw InputError(std::move(problems));
}

/// The lines of comment at the beginning.
std::string comment_of(std::string const& text) {
  std::size_t end = 0;
  while (end < text.size() && text[end] == '#')
    end = std::min(text.size(), text.find('\n', end)) + 1;
  return text.substr(0, end);
}

}  // namespace

std::string with_values(std::filesystem::path const& file,
                        std::vector<std::string> const& overrides) {
  refuse_other_files(by_file(parse_overrides(overrides)));
  read_scenario(file, overrides);
  YAML::Emitter out;
  out << overridden(file, overrides).root();
  return comment_of(read_text_file(file)) + out.c_str() + "\n";
}

std::string with_variant(Scenario const& scenario, Strategy const& current, Strategy const& variant,
                         VariantFiles const& files) {
  YAML::Node root = YAML::Clone(overridden(scenario.file, scenario.overrides).root());
  root["pool"] = files.pool;
  root["calibration"] = files.calibration;
  YAML::Node own = keys_of(root["strategies"][current.name]);
  YAML::Node const tree = strategy_table().tree(variant);
  for (Difference const& each : strategy_table().differences(current, variant)) {
    put(own, each.path, tree);
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
