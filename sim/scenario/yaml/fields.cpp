#include "sim/scenario/yaml/fields.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "sim/base/text.hpp"

namespace gridcast::scenario {
namespace {

std::vector<std::string> names(Section const& section) { return each_of(section.keys, &Key::name); }

/// "campaign: " or, at the top, nothing.
std::string prefix(YamlValue const& value) { return value.path.empty() ? "" : value.path + ": "; }

/// The entries of a group of keys with a name each, without the repeated ones.
std::vector<std::pair<YAML::Node, YAML::Node>> entries(YamlValue const& value) {
  std::vector<std::pair<YAML::Node, YAML::Node>> found;
  std::map<std::string, int> lines;
  for (auto const& entry : value.node) {
    YamlDocument& document = value.document;
    Location const where = document.at(entry.first.Mark());
    if (!entry.first.IsScalar()) {
      document.add(where, prefix(value) + "a key has to be one word", "", "");
      continue;
    }
    auto const [first, is_new] = lines.emplace(entry.first.Scalar(), where.line);
    if (is_new) {
      found.emplace_back(entry.first, entry.second);
    } else {
      document.add(where, fmt::format("{}key '{}' is given twice", prefix(value), first->first),
                   fmt::format("first in line {}", first->second), "Remove one.");
    }
  }
  return found;
}

/// The problem of an empty section: a key with nothing behind it is an empty one.
bool is_group(YamlValue const& value) {
  if (value.node.IsMap() || value.node.IsNull()) return true;
  value.complain(shown(value.node) + " where keys are wanted", "", "Write {key: value, ...}.");
  return false;
}

bool has(Section const& section, std::set<std::size_t> const& seen, std::string const& name) {
  return std::ranges::any_of(seen, [&](std::size_t key) { return section.keys[key].name == name; });
}

}  // namespace

std::vector<FoundKey> find_keys(YamlValue const& value, Section const& section) {
  std::vector<FoundKey> found;
  if (!is_group(value)) return found;
  std::set<std::size_t> seen;
  for (auto const& [key, node] : entries(value)) {
    auto const& name = key.Scalar();
    auto const known = std::ranges::find(section.keys, name, &Key::name);
    if (known == section.keys.end()) {
      value.document.add(value.document.at(key.Mark()),
                         fmt::format("{}unknown key '{}'", prefix(value), name), "",
                         suggestion(name, names(section)));
      continue;
    }
    auto const index = static_cast<std::size_t>(known - section.keys.begin());
    seen.insert(index);
    found.push_back({index, value.child(name, node)});
  }
  for (std::size_t i = 0; i < section.keys.size(); ++i) {
    Key const& key = section.keys[i];
    bool const needed = key.required || (!key.unless.empty() && !has(section, seen, key.unless));
    if (!needed || seen.contains(i)) continue;
    value.complain(fmt::format("key '{}' is missing", key.name), key.help, "");
  }
  return found;
}

std::vector<YamlValue> find_items(YamlValue const& value) {
  std::vector<YamlValue> items;
  if (!value.node.IsSequence() || value.node.size() == 0) {
    value.complain(
        value.node.IsSequence() ? "an empty list" : shown(value.node) + " where a list is wanted",
        "at least one entry is needed", "Write [{key: value, ...}, ...].");
    return items;
  }
  for (std::size_t i = 0; i < value.node.size(); ++i) items.push_back(value.item(i));
  return items;
}

std::vector<std::pair<std::string, YamlValue>> find_named(YamlValue const& value) {
  std::vector<std::pair<std::string, YamlValue>> named;
  if (!value.node.IsMap() || value.node.size() == 0) {
    value.complain((value.node.IsMap() ? "nothing" : shown(value.node)) +
                       " where names with keys below are wanted",
                   "at least one entry is needed", "Write {NAME: {key: value, ...}, ...}.");
    return named;
  }
  for (auto const& [key, node] : entries(value)) {
    named.emplace_back(key.Scalar(), value.child(key.Scalar(), node));
  }
  return named;
}

std::vector<Difference> differences(Section const& section, YAML::Node const& one,
                                    YAML::Node const& other, std::string const& path) {
  std::vector<Difference> found;
  auto const below = [](YAML::Node const& tree, std::string const& key) {
    YAML::Node const value = tree.IsMap() ? tree[key] : YAML::Node();
    return value.IsDefined() ? value : YAML::Node();
  };
  for (Key const& key : section.keys) {
    if (key.for_people) continue;
    YAML::Node const before = below(one, key.name), after = below(other, key.name);
    std::string const own = path + key.name;
    if (key.form == Form::section) {
      auto const inner = differences(*key.section, before, after, own + ".");
      found.insert(found.end(), inner.begin(), inner.end());
    } else if (YAML::Dump(before) != YAML::Dump(after)) {
      found.push_back({own, &key});
    }
  }
  return found;
}

void each_key(Section const& section,
              std::function<void(std::string const&, Key const&)> const& use,
              std::string const& path) {
  for (Key const& key : section.keys) {
    bool const is_group = key.form == Form::section;
    is_group ? each_key(*key.section, use, path + key.name + ".") : use(path + key.name, key);
  }
}

Key const* key_at(Section const& section, std::string_view path) {
  auto const point = path.find('.');
  std::string_view const name = path.substr(0, point);
  auto const key =
      std::ranges::find_if(section.keys, [&](Key const& each) { return each.name == name; });
  if (key == section.keys.end()) return nullptr;
  if (point == path.npos) return &*key;
  return key->section ? key_at(*key->section, path.substr(point + 1)) : nullptr;
}

YamlLayout whole_tree() {
  YamlLayout layout;
  layout.kept = [](std::string_view) { return true; };
  layout.time = time_in_largest;
  return layout;
}

bool check_schema(YamlDocument& document, std::string const& wanted) {
  if (!document.is_yaml()) return false;
  YAML::Node const& root = document.root();
  std::string const kind = wanted.substr(0, wanted.find('/'));
  if (!root.IsMap()) {
    document.add(document.at(root.Mark()), shown(root) + " where keys are wanted", "",
                 fmt::format("Begin with 'schema: {}'.", wanted));
    return false;
  }
  YAML::Node const schema = root["schema"];
  if (!schema) return true;
  if (schema.IsScalar() && schema.Scalar() == wanted) return true;
  bool const other_version = schema.IsScalar() && schema.Scalar().starts_with(kind + "/");
  document.add(
      document.at(schema.Mark()),
      fmt::format("schema: {} where '{}' is wanted", shown(schema), wanted),
      other_version ? "this gridcast reads one version of it only" : "this is another kind of file",
      "");
  return false;
}

}  // namespace gridcast::scenario
