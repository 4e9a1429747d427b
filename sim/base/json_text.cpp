#include "sim/base/json_text.hpp"

#include <algorithm>
#include <iterator>

#include <nlohmann/json.hpp>

#include "sim/base/text.hpp"

namespace gridcast::inline base {
namespace {

constexpr std::size_t nowhere = std::string_view::npos;
constexpr char const* too_large = "holds a number that is too large";

/// The first bracket outside of strings behind which the depth meets a condition; `nowhere` if no
/// bracket does.
template <class Condition>
std::size_t first_bracket(std::string_view text, Condition is_met) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    char const letter = text[at];
    if (quoted) {
      if (letter == '\\') ++at;
      if (letter == '"') quoted = false;
    } else if (letter == '"') {
      quoted = true;
    } else if (letter == '{' || letter == '[') {
      if (is_met(++depth)) return at;
    } else if (letter == '}' || letter == ']') {
      if (is_met(--depth)) return at;
    }
  }
  return nowhere;
}

std::size_t bracket_too_deep(std::string_view text) {
  return first_bracket(text, [](int depth) { return depth > deepest_json; });
}

constexpr std::string_view no_numbers[] = {"NaN", "-NaN", "Infinity", "-Infinity"};

/// Null in place of the words that Python and JavaScript programs write for numbers that JSON does
/// not have; nothing if the text has none. Columns behind NaN move by one.
std::optional<std::string> without_no_numbers(std::string_view text) {
  std::string mended;
  std::size_t copied = 0;
  bool quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '"') quoted = !quoted;
    if (quoted) {
      if (text[at] == '\\') ++at;
      continue;
    }
    auto const rest = text.substr(at);
    auto const* const word = std::find_if(std::begin(no_numbers), std::end(no_numbers),
                                          [&](auto each) { return rest.starts_with(each); });
    if (word == std::end(no_numbers)) continue;
    mended.append(text.substr(copied, at - copied)).append("null");
    if (word->size() > 4) mended.append(word->size() - 4, ' ');
    at += word->size() - 1;
    copied = at + 1;
  }
  if (copied == 0) return std::nullopt;
  return mended.append(text.substr(copied));
}

[[noreturn]] void fail(std::string_view text, std::size_t at, JsonSource const& source,
                       std::string what, std::string why) {
  throw InputError(
      Problem{place_in(text, at, source.file), std::move(what), std::move(why), source.remedy});
}

/// `byte`: nlohmann's position, which counts from 1 and is beyond the text at its end.
[[noreturn]] void fail_to_parse(std::string_view text, std::size_t byte, JsonSource const& source) {
  std::size_t const at = byte == 0 ? 0 : byte - 1;
  if (at >= text.size()) {
    fail(text, at, source, "the JSON ends here, before it is complete", "the file was cut off");
  }
  fail(text, at, source, "is not JSON", source.expected);
}

/// Characters of a text that record how far the parser has read.
class CountedInput {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = char const*;
  using reference = char const&;

  CountedInput(char const* at, char const** seen) : at_(at), seen_(seen) {}
  reference operator*() const { return *at_; }
  CountedInput& operator++() {
    ++at_;
    if (seen_ != nullptr) *seen_ = at_;
    return *this;
  }
  bool operator==(CountedInput const& other) const { return at_ == other.at_; }
  bool operator!=(CountedInput const& other) const { return at_ != other.at_; }

 private:
  char const* at_;
  char const** seen_;
};

class TreeBuilder : public nlohmann::json_sax<nlohmann::json> {
 public:
  TreeBuilder(std::string_view text, JsonSource const& source) : text_(text), source_(source) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\n') lines_.push_back(i + 1);
    }
  }

  JsonTree build() {
    nlohmann::json::sax_parse(CountedInput(text_.data(), &seen_),
                              CountedInput(text_.data() + text_.size(), nullptr), this);
    return std::move(root_);
  }

  bool null() override { return put(nullptr); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(number_integer_t value) override { return put_number(value); }
  bool number_unsigned(number_unsigned_t value) override { return put_number(value); }
  bool number_float(number_float_t value, string_t const&) override { return put_number(value); }
  bool string(string_t& value) override { return put(std::move(value)); }
  bool binary(binary_t&) override { return true; }

  bool start_object(std::size_t) override { return open(JsonTree::Members()); }
  bool key(string_t& value) override {
    key_ = std::move(value);
    return true;
  }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(JsonTree::Items()); }
  bool end_array() override { return close(); }

  bool parse_error(std::size_t byte, std::string const&,
                   nlohmann::detail::exception const& error) override {
    if (dynamic_cast<nlohmann::json::out_of_range const*>(&error) != nullptr) {
      fail(text_, byte == 0 ? 0 : byte - 1, source_, too_large, source_.expected);
    }
    fail_to_parse(text_, byte, source_);
  }

 private:
  /// `ahead`: characters that the parser has read beyond the value.
  JsonTree here(std::size_t ahead) const {
    auto const read = static_cast<std::size_t>(seen_ - text_.data());
    std::size_t const at = read - std::min(read, ahead + 1);
    auto const next = std::upper_bound(lines_.begin(), lines_.end(), at);
    std::size_t const begin = next == lines_.begin() ? 0 : *std::prev(next);
    JsonTree place;
    place.line = static_cast<int>(next - lines_.begin()) + 1;
    place.column = static_cast<int>(at - begin) + 1;
    return place;
  }

  template <class Value>
  bool put(Value value, std::size_t ahead = 0) {
    JsonTree node = here(ahead);
    node.value = std::move(value);
    place(std::move(node));
    return true;
  }

  /// The parser sees the end of a number at the character behind it.
  template <class Number>
  bool put_number(Number value) {
    return put(static_cast<double>(value), 1);
  }

  template <class Value>
  bool open(Value value) {
    JsonTree node = here(0);
    node.value = std::move(value);
    open_.push_back(std::move(node));
    keys_.push_back(std::move(key_));
    return true;
  }

  bool close() {
    JsonTree node = std::move(open_.back());
    open_.pop_back();
    key_ = std::move(keys_.back());
    keys_.pop_back();
    place(std::move(node));
    return true;
  }

  void place(JsonTree node) {
    if (open_.empty()) {
      root_ = std::move(node);
    } else if (auto* items = std::get_if<JsonTree::Items>(&open_.back().value)) {
      items->push_back(std::move(node));
    } else {
      std::get<JsonTree::Members>(open_.back().value).push_back({std::move(key_), std::move(node)});
    }
  }

  std::string_view text_;
  JsonSource const& source_;
  std::vector<std::size_t> lines_;  // the beginning of each line but the first
  char const* seen_ = text_.data();
  JsonTree root_;
  std::vector<JsonTree> open_;     // objects and lists that have not ended
  std::vector<std::string> keys_;  // the key of each of them
  std::string key_;
};

}  // namespace

std::size_t size_of_json(std::string_view text) {
  std::size_t const last = first_bracket(text, [](int depth) { return depth == 0; });
  return last == nowhere ? nowhere : last + 1;
}

bool is_deep_json(std::string_view text) { return bracket_too_deep(text) != nowhere; }

Location place_in(std::string_view text, std::size_t byte, std::string file) {
  std::string_view const before = text.substr(0, byte);
  std::size_t const line_end = before.rfind('\n');
  std::size_t const begin = line_end == std::string_view::npos ? 0 : line_end + 1;
  return {std::move(file), 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n')),
          static_cast<int>(before.size() - begin) + 1};
}

void expect_shallow_json(std::string_view text, std::string_view within, JsonSource const& source) {
  std::size_t const at = bracket_too_deep(text);
  if (at == nowhere) return;
  fail(within, static_cast<std::size_t>(text.data() - within.data()) + at, source,
       "lists and objects are nested too deeply",
       "more than " + std::to_string(deepest_json) + " levels");
}

template <class Json>
Json parse_json(std::string_view text, JsonSource const& source) {
  expect_shallow_json(text, text, source);
  try {
    return Json::parse(text);
  } catch (nlohmann::json::parse_error const& error) {
    if (auto const mended = without_no_numbers(text)) return parse_json<Json>(*mended, source);
    fail_to_parse(text, error.byte, source);
  } catch (nlohmann::json::out_of_range const&) {
    refuse({source.file}, too_large, source.expected, source.remedy);
  }
}
template nlohmann::json parse_json(std::string_view, JsonSource const&);
template nlohmann::ordered_json parse_json(std::string_view, JsonSource const&);

bool has_no_number(std::string_view text) { return without_no_numbers(text).has_value(); }

std::optional<nlohmann::json> json_object(std::string_view text) {
  if (is_deep_json(text)) return std::nullopt;
  auto value = nlohmann::json::parse(text, nullptr, false);
  if (value.is_discarded()) {
    auto const mended = without_no_numbers(text);
    if (mended) value = nlohmann::json::parse(*mended, nullptr, false);
  }
  return value.is_object() ? std::optional(std::move(value)) : std::nullopt;
}

JsonTree const* JsonTree::find(std::string_view name) const {
  JsonTree const* found = nullptr;
  if (auto const* own = members()) {
    for (auto const& [key, node] : *own) {
      if (key == name) found = &node;
    }
  }
  return found;
}

JsonTree parse_json_tree(std::string_view text, JsonSource const& source) {
  expect_shallow_json(text, text, source);
  auto const mended = without_no_numbers(text);
  return TreeBuilder(mended ? *mended : text, source).build();
}

}  // namespace gridcast::inline base
