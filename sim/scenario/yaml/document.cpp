#include "sim/scenario/yaml/document.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "sim/scenario/yaml/parse.hpp"

namespace gridcast::scenario {
namespace {

/// "a.b[2].c" -> "a.b[2]" -> "a.b" -> "a" -> "".
std::string parent(std::string const& path) {
  auto const end = path.find_last_of(".[");
  return end == std::string::npos ? "" : path.substr(0, end);
}

}  // namespace

YamlDocument::YamlDocument(std::filesystem::path const& file, std::string const& text)
    : file_(file.string()),
      lines_(static_cast<int>(std::count(text.begin(), text.end(), '\n')) + 2) {
  try {
    ParsedYaml const parsed = parse_yaml(text);
    root_ = parsed.root;
    if (parsed.second_at) {
      add(at(*parsed.second_at), "a second YAML document begins", "only the first would be read",
          "Remove the line '---' or what follows it.");
    }
  } catch (YAML::Exception const& error) {
    is_yaml_ = false;
    root_ = YAML::Node();
    add(at(error.mark), "this is not YAML: " + error.msg, "",
        "Look for a bracket, a quote or an indentation that does not fit, here or above.");
  }
  remember("", root_.Mark());
}

// As if it stood behind the file's last line, so that marks tell where a node is from.
std::optional<YAML::Node> YamlDocument::overlay(std::string const& option,
                                                std::string const& text) {
  auto const first = static_cast<std::size_t>(lines_);
  overlaid_[lines_] = option;
  lines_ += static_cast<int>(std::count(text.begin(), text.end(), '\n')) + 2;
  try {
    return parse_yaml(std::string(first, '\n') + text).root;
  } catch (YAML::Exception const& error) {
    add(at(error.mark), "this is not YAML: " + error.msg, "",
        "Put quotes around what is meant as a text.");
    return std::nullopt;
  }
}

Location YamlDocument::at(YAML::Mark const& mark) const {
  if (mark.is_null()) return {file_, 1, 1};
  auto const behind = overlaid_.upper_bound(mark.line);
  if (behind != overlaid_.begin()) return {std::prev(behind)->second, 0, 0};
  return {file_, mark.line + 1, mark.column + 1};
}

Location YamlDocument::at(std::string path) const {
  auto found = marks_.find(path);
  while (found == marks_.end() && !path.empty()) {
    path = parent(path);
    found = marks_.find(path);
  }
  return found == marks_.end() ? Location{file_, 1, 1} : at(found->second);
}

void YamlDocument::add(Location where, std::string what, std::string why, std::string hint) {
  problems_.push_back({std::move(where), std::move(what), std::move(why), std::move(hint)});
}

std::vector<Problem> YamlDocument::problems() const {
  std::vector<Problem> sorted = problems_;
  std::stable_sort(sorted.begin(), sorted.end(), [](Problem const& a, Problem const& b) {
    return std::tie(a.where.line, a.where.column) < std::tie(b.where.line, b.where.column);
  });
  return sorted;
}

void YamlValue::complain(std::string const& what, std::string why, std::string hint) const {
  document.mark_bad(path);
  document.add(document.at(node.Mark()), path.empty() ? what : path + ": " + what, std::move(why),
               std::move(hint));
}

YamlValue YamlValue::child(std::string const& key, YAML::Node const& value) const {
  std::string const below = path.empty() ? key : path + "." + key;
  document.remember(below, value.Mark());
  return {document, value, below};
}

YamlValue YamlValue::item(std::size_t index) const {
  std::string const below = fmt::format("{}[{}]", path, index);
  document.remember(below, node[index].Mark());
  return {document, node[index], below};
}

std::string shown(YAML::Node const& node) {
  if (node.IsScalar()) return "'" + node.Scalar() + "'";
  if (node.IsSequence()) return "a list";
  if (node.IsMap()) return "a group of keys";
  return "nothing";
}

}  // namespace gridcast::scenario
