#include "sim/scenario/yaml/document.hpp"

#include <algorithm>
#include <iterator>
#include <sstream>
#include <tuple>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>

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
    // Within itself: its size is not known, and has no end.
    count(mark, known == sizes_.end() ? most_yaml_values : known->second);
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
    throw YAML::ParserException(mark, fmt::format("more than {} values", most_yaml_values));
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

  std::size_t all_ = 0;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, std::size_t> sizes_;
};

/// What is left of a text in which a document has come to its end, where another does not begin.
void refuse_leftover(std::string const& text, YAML::Mark const& at) {
  auto const from = static_cast<std::size_t>(at.pos);
  if (from >= text.size() || std::string_view(",]}:?").find(text[from]) == std::string::npos)
    return;
  throw YAML::ParserException(at, fmt::format("'{}' where nothing is open", text[from]));
}

}  // namespace

ParsedYaml parse_yaml(std::string const& text) {
  if (text.size() > most_yaml_bytes) {
    throw YAML::ParserException(YAML::Mark(), fmt::format("more than {} bytes", most_yaml_bytes));
  }
  std::string const whole = with_firm_end(text);
  std::istringstream in(whole);
  YAML::Parser parser(in);
  ValueCount first, second;
  ParsedYaml parsed;
  bool const is_empty = !parser.HandleNextDocument(first);
  // Asked for one more, not for all: what it cannot read it gives again and again.
  if (!is_empty && parser.HandleNextDocument(second)) {
    refuse_leftover(whole, second.begins_at);
    parsed.second_at = second.begins_at;
  }
  parsed.root = YAML::Load(whole);
  return parsed;
}

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
