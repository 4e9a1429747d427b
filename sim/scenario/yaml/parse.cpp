#include "sim/scenario/yaml/parse.hpp"

#include <map>
#include <sstream>
#include <vector>

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

}  // namespace gridcast::scenario
