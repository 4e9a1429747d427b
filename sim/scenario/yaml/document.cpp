#include "sim/scenario/yaml/document.hpp"

#include <algorithm>
#include <iterator>
#include <sstream>
#include <string_view>
#include <tuple>

#include <fmt/format.h>
#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>

#include "sim/base/text.hpp"

namespace gridcast::scenario {

namespace {

/// yaml-cpp takes a quote that is still open at the end of the last line for closed. A comment
/// without a line end after it makes that an error.
std::string with_firm_end(std::string text) {
  if (!text.empty() && text.back() != '\n') text += '\n';
  return text + "#";
}

/// Counts the values of a document before any of them takes up memory.
class ValueCount final : public YAML::EventHandler {
 public:
  void OnDocumentStart(YAML::Mark const& mark) override { begins_at = mark; }
  void OnDocumentEnd() override {}
  void OnNull(YAML::Mark const& mark, YAML::anchor_t anchor) override { add(mark, anchor); }
  void OnScalar(YAML::Mark const& mark, std::string const&, YAML::anchor_t anchor,
                std::string const&) override {
    add(mark, anchor);
  }
  void OnAlias(YAML::Mark const& mark, YAML::anchor_t anchor) override {
    auto const known = sizes_.find(anchor);
    if (known == sizes_.end()) throw TooMuchYaml(mark, "an alias is within its own value");
    by_alias_ += known->second;
    count(mark, known->second);
  }
  void OnSequenceStart(YAML::Mark const& mark, std::string const&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(YAML::Mark const& mark, std::string const&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, anchor);
  }
  void OnMapEnd() override { close(); }

  YAML::Mark begins_at = YAML::Mark::null_mark();

 private:
  struct Open {
    YAML::anchor_t anchor = YAML::NullAnchor;
    std::size_t before = 0;
  };

  void count(YAML::Mark const& mark, std::size_t values) {
    all_ += values;
    if (all_ <= most_yaml_values) return;
    bool const by_aliases = all_ - by_alias_ <= most_yaml_values;
    throw TooMuchYaml(mark, fmt::format("more than {} values{}", most_yaml_values,
                                        by_aliases ? ", with all that its aliases stand for" : ""));
  }
  void add(YAML::Mark const& mark, YAML::anchor_t anchor) {
    count(mark, 1);
    if (anchor != YAML::NullAnchor) sizes_[anchor] = 1;
  }
  void open(YAML::Mark const& mark, YAML::anchor_t anchor) {
    open_.push_back({anchor, all_});
    count(mark, 1);
  }
  void close() {
    if (open_.back().anchor != YAML::NullAnchor) {
      sizes_[open_.back().anchor] = all_ - open_.back().before;
    }
    open_.pop_back();
  }

  std::size_t all_ = 0, by_alias_ = 0;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, std::size_t> sizes_;
};

/// The rest of a text after the end of a document, if no other document begins there.
void refuse_leftover(std::string const& text, YAML::Mark const& at) {
  auto const from = static_cast<std::size_t>(at.pos);
  if (from >= text.size() || std::string_view(",]}:?").find(text[from]) == std::string::npos)
    return;
  throw YAML::ParserException(at, fmt::format("'{}' where nothing is open", text[from]));
}

/// "a.b[2].c" -> "a.b[2]" -> "a.b" -> "a" -> "".
std::string parent(std::string const& path) {
  auto const end = path.find_last_of(".[");
  return end == std::string::npos ? "" : path.substr(0, end);
}

/// True if `path` begins with that name, as a whole.
bool begins_with(std::string_view path, std::string_view name) {
  return path.starts_with(name) &&
         (path.size() == name.size() || path[name.size()] == '.' || path[name.size()] == '[');
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

/// The index of a list's entry, by its name or its number.
std::optional<std::size_t> index_of(YAML::Node const& list, std::string const& name,
                                    std::string const& key) {
  auto const names = names_in(list);
  auto const found = std::ranges::find(names, name);
  if (!name.empty()) return static_cast<std::size_t>(found - names.begin());
  auto const number = text_as<std::size_t>(key);
  return number && *number < list.size() ? number : std::nullopt;
}

/// The value that adds a name to a closed group.
constexpr char new_group[] = "{}";

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
    bool const is_closed = contains(closed_, walked_);
    bool const is_new_group = rest_ == key && set_.value == new_group;
    if (!is_there && is_closed && !is_new_group) {
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
      auto const found = std::ranges::find(names, name);
      walked_ += "." + name;
      advance(name.size());
      return node[static_cast<std::size_t>(found - names.begin())];
    }
    bool const bracket = rest_.starts_with('[');
    std::string const text =
        bracket ? rest_.substr(1, rest_.find(']') - 1) : rest_.substr(0, rest_.find_first_of(".["));
    auto const number = text_as<std::size_t>(text);
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

ParsedYaml parse_yaml(std::string const& text) try {
  if (text.size() > most_yaml_bytes) {
    throw TooMuchYaml(YAML::Mark(), fmt::format("more than {} bytes", most_yaml_bytes));
  }
  std::string const whole = with_firm_end(text);
  std::istringstream in(whole);
  YAML::Parser parser(in);
  ValueCount first, second;
  ParsedYaml parsed;
  bool const is_empty = !parser.HandleNextDocument(first);
  // One more document is requested, not all: yaml-cpp returns an unreadable one again and again.
  if (!is_empty && parser.HandleNextDocument(second)) {
    refuse_leftover(whole, second.begins_at);
    parsed.second_at = second.begins_at;
  }
  parsed.root = YAML::Load(whole);
  return parsed;
} catch (YAML::DeepRecursion const& error) {
  throw TooMuchYaml(error.mark, "lists and groups are nested too deeply");
}

YamlDocument::YamlDocument(std::filesystem::path const& file, std::string const& text)
    : file_(file.string()), lines_(static_cast<int>(std::ranges::count(text, '\n')) + 2) {
  try {
    ParsedYaml const parsed = parse_yaml(text);
    root_ = parsed.root;
    if (parsed.second_at) {
      add(at(*parsed.second_at), "a second YAML document begins", "only the first would be read",
          "Remove the line '---' or the lines after it.");
    }
  } catch (TooMuchYaml const& error) {
    is_yaml_ = false;
    add(at(error.mark), error.msg, "", "");
  } catch (YAML::Exception const& error) {
    is_yaml_ = false;
    add(at(error.mark), "this is not YAML: " + error.msg, "",
        "Look for a bracket, a quote or an indentation that does not fit, here or above.");
  }
  remember("", root_.Mark());
}

// Parsed as if it stood behind the file's last line: marks show a node's source.
std::optional<YAML::Node> YamlDocument::overlay(std::string const& option,
                                                std::string const& text) {
  auto const first = static_cast<std::size_t>(lines_);
  overlaid_[lines_] = option;
  lines_ += static_cast<int>(std::ranges::count(text, '\n')) + 2;
  try {
    return parse_yaml(std::string(first, '\n') + text).root;
  } catch (TooMuchYaml const& error) {
    add(at(error.mark), error.msg, "", "");
    return std::nullopt;
  } catch (YAML::Exception const& error) {
    add(at(error.mark), "this is not YAML: " + error.msg, "",
        "Put quotes around a value that is meant as text.");
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
  std::ranges::stable_sort(sorted, [](Problem const& a, Problem const& b) {
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
      add_problem(problems, {"--set " + text},
                  equals == std::string::npos ? "there is no '='"
                  : path.empty()              ? "there is no path before the '='"
                                              : "there is no value behind the '='",
                  "", "Write --set PATH=VALUE, such as --set campaign.work.epochs=10.");
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
