#include "sim/scenario/yaml/override.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "sim/base/text.hpp"

namespace gridcast::scenario {
namespace {

/// Whether `path` begins with that name, as a whole.
bool begins_with(std::string_view path, std::string_view name) {
  return path.starts_with(name) &&
         (path.size() == name.size() || path[name.size()] == '.' || path[name.size()] == '[');
}

std::optional<std::size_t> number_of(std::string_view text) {
  std::size_t number = 0;
  auto const* const end = text.data() + text.size();
  auto const [stop, error] = std::from_chars(text.data(), end, number);
  if (text.empty() || stop != end || error != std::errc()) return std::nullopt;
  return number;
}

std::vector<std::string> names_in(YAML::Node const& node) {
  std::vector<std::string> names;
  if (node.IsMap()) {
    for (auto const& entry : node) {
      if (entry.first.IsScalar()) names.push_back(entry.first.Scalar());
    }
  }
  if (node.IsSequence()) {
    for (auto const& item : node) {
      bool const named = item.IsMap() && item["name"] && item["name"].IsScalar();
      names.push_back(named ? item["name"].Scalar() : "");
    }
  }
  return names;
}

/// The longest name that the path begins with; empty if there is none.
std::string longest_name(std::string_view path, std::vector<std::string> const& names) {
  std::string found;
  for (std::string const& name : names) {
    if (name.size() > found.size() && begins_with(path, name)) found = name;
  }
  return found;
}

/// Of a list's entry, by its name or its number.
std::optional<std::size_t> index_of(YAML::Node const& list, std::string const& name,
                                    std::string const& key) {
  auto const names = names_in(list);
  auto const found = std::find(names.begin(), names.end(), name);
  if (!name.empty()) return static_cast<std::size_t>(found - names.begin());
  auto const number = number_of(key);
  return number && *number < list.size() ? number : std::nullopt;
}

/// The way of one path down the document.
class Way {
 public:
  Way(Override const& set, YamlDocument& document, std::vector<std::string> const& closed)
      : set_(set), document_(document), closed_(closed), rest_(set.path) {}

  void go() {
    auto const value = document_.overlay(set_.option, set_.value);
    if (!value) return;
    YAML::Node node = document_.root();
    while (true) {
      auto next = step(node);
      if (!next) return;
      if (rest_.empty()) {
        *next = *value;
        return;
      }
      if (!next->IsMap() && !next->IsSequence()) {
        if (next->IsScalar()) {
          complain(fmt::format("{} is {}, and nothing is below it", walked_, shown(*next)), "");
          return;
        }
        *next = *document_.overlay(set_.option, "{}");
      }
      node.reset(*next);
    }
  }

 private:
  /// The child that the path goes on with, made if it is a key that is not there.
  std::optional<YAML::Node> step(YAML::Node& node) {
    return node.IsSequence() ? item(node) : child(node);
  }

  std::optional<YAML::Node> child(YAML::Node& node) {
    std::string key = longest_name(rest_, names_in(node));
    bool const is_there = !key.empty();
    if (!is_there) key = rest_.substr(0, rest_.find_first_of(".["));
    if (key.empty())
      return complain("a name is missing in the path",
                      "Write keys with points "
                      "between, as a.b.c.");
    bool const is_closed = std::find(closed_.begin(), closed_.end(), walked_) != closed_.end();
    if (!is_there && is_closed) {
      return complain(fmt::format("{}: there is no '{}'", walked_, key),
                      suggestion(key, names_in(node)));
    }
    walked_ += (walked_.empty() ? "" : ".") + key;
    advance(key.size());
    if (is_there) return node[key];
    return node[*document_.overlay(set_.option, YAML::Dump(YAML::Node(key)))];
  }

  std::optional<YAML::Node> item(YAML::Node& node) {
    auto const names = names_in(node);
    std::string const name = longest_name(rest_, names);
    if (!name.empty()) {
      auto const found = std::find(names.begin(), names.end(), name);
      walked_ += "." + name;
      advance(name.size());
      return node[static_cast<std::size_t>(found - names.begin())];
    }
    bool const bracket = rest_.starts_with('[');
    std::string const text =
        bracket ? rest_.substr(1, rest_.find(']') - 1) : rest_.substr(0, rest_.find_first_of(".["));
    auto const number = number_of(text);
    if (number && *number < node.size()) {
      walked_ += fmt::format("[{}]", *number);
      advance(text.size() + (bracket ? 2 : 0));
      return node[*number];
    }
    if (number) {
      return complain(fmt::format("{}: there is no entry {}", walked_, *number),
                      fmt::format("It has {}, numbered from 0.", node.size()));
    }
    std::vector<std::string> known = names;
    std::erase(known, "");
    return complain(fmt::format("{}: no entry is called '{}'", walked_, text),
                    known.empty() ? "Its entries have numbers, from 0." : suggestion(text, known));
  }

  void advance(std::size_t length) {
    rest_.erase(0, std::min(length, rest_.size()));
    if (rest_.starts_with('.')) rest_.erase(0, 1);
  }

  std::nullopt_t complain(std::string what, std::string hint) {
    document_.add({set_.option}, std::move(what), "", std::move(hint));
    return std::nullopt;
  }

  Override const& set_;
  YamlDocument& document_;
  std::vector<std::string> const& closed_;
  std::string rest_;    // of the path
  std::string walked_;  // up to here
};

}  // namespace

std::string value_at(YAML::Node const& root, std::string path) {
  std::replace(path.begin(), path.end(), '[', '.');
  std::erase(path, ']');
  YAML::Node node = root;
  while (!path.empty()) {
    std::string const name = longest_name(path, names_in(node));
    std::string const key = name.empty() ? path.substr(0, path.find('.')) : name;
    auto const number = node.IsSequence() ? index_of(node, name, key) : std::nullopt;
    if (node.IsMap() ? name.empty() : !number) return "";
    YAML::Node const next = number ? node[*number] : node[key];
    node.reset(next);
    path.erase(0, std::min(path.size(), key.size() + 1));
  }
  return node.IsScalar() ? node.Scalar() : "";
}

std::vector<Override> parse_overrides(std::vector<std::string> const& texts) {
  std::vector<Override> overrides;
  std::vector<Problem> problems;
  for (std::string const& text : texts) {
    auto const equals = text.find('=');
    std::string const path(trim(text.substr(0, equals)));
    std::string const value(equals == std::string::npos ? "" : trim(text.substr(equals + 1)));
    if (path.empty() || value.empty()) {
      problems.push_back({{"--set " + text},
                          equals == std::string::npos ? "there is no '='"
                          : path.empty()              ? "there is no path before the '='"
                                                      : "there is no value behind the '='",
                          "",
                          "Write --set PATH=VALUE, such as --set campaign.work.epochs=10."});
      continue;
    }
    overrides.push_back({path, value, "--set " + text});
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  return overrides;
}

OverridesByFile by_file(std::vector<Override> const& overrides) {
  OverridesByFile sorted;
  for (Override set : overrides) {
    auto const point = set.path.find('.');
    std::string const file = point == std::string::npos ? "" : set.path.substr(0, point);
    if (file == "pool" || file == "calibration") set.path.erase(0, point + 1);
    auto& of_file = file == "pool"          ? sorted.pool
                    : file == "calibration" ? sorted.calibration
                                            : sorted.scenario;
    of_file.push_back(std::move(set));
  }
  return sorted;
}

void apply_overrides(std::vector<Override> const& overrides, YamlDocument& document,
                     std::vector<std::string> const& closed) {
  if (!document.is_yaml() || !document.root().IsMap()) return;
  for (Override const& set : overrides) Way(set, document, closed).go();
}

}  // namespace gridcast::scenario
