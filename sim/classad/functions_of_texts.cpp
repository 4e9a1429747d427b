// Functions of strings, of strings that are lists ("a, b, c"), and of regular expressions.
#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "sim/base/text.hpp"
#include "sim/classad/expression.hpp"
#include "sim/classad/functions.hpp"

namespace gridcast::classad {
namespace {

Value concatenated(Call const& call) {
  std::string all;
  for (std::size_t i = 0; i < call.size(); ++i) all += call.text(i);
  return all;
}

/// The values from `first` on; undefined ones are left out.
Value joined(std::string const& separator, List const& values, std::size_t first) {
  std::string all;
  bool is_first = true;
  for (std::size_t i = first; i < values.size(); ++i) {
    if (values[i].is_error()) return Error();
    if (values[i].is_undefined()) continue;
    if (!is_first) all += separator;
    is_first = false;
    all += values[i].to_plain_text();
  }
  return all;
}

Value join(Call const& call) {
  if (call.size() == 1) return call[0].as_list() ? joined("", *call[0].as_list(), 0) : call[0];
  auto const* const separator = call[0].as<std::string>();
  if (!separator) return Error();
  bool const is_list = call.size() == 2 && call[1].as_list();
  return joined(*separator, is_list ? *call[1].as_list() : call.arguments, is_list ? 0 : 1);
}

Value substring(Call const& call) {
  auto const* const text = call[0].as<std::string>();
  auto const* const offset = call[1].as<std::int64_t>();
  auto const* const length = call.size() > 2 ? call[2].as<std::int64_t>() : nullptr;
  if (!text || !offset || (call.size() > 2 && !length)) return Error();
  auto const size = static_cast<std::int64_t>(text->size());
  auto const clamped = [size](std::int64_t n) { return std::clamp(n, -size, size); };
  std::int64_t const from = *offset < 0 ? size + clamped(*offset) : clamped(*offset);
  std::int64_t count = size - from;
  if (length) count = *length < 0 ? count + clamped(*length) : std::min(count, *length);
  if (count <= 0) return "";
  return text->substr(static_cast<std::size_t>(from), static_cast<std::size_t>(count));
}

Value size(Call const& call) {
  auto const as_value = [](std::size_t n) -> Value { return static_cast<std::int64_t>(n); };
  if (auto const* const text = call[0].as<std::string>()) return as_value(text->size());
  if (auto const* const list = call[0].as_list()) return as_value(list->size());
  if (auto const* const ad = call[0].as_ad()) return as_value(ad->size());
  return Error();
}

/// The items between any of the delimiters; an empty text between two is no item.
List items(std::string const& text, std::string const& delimiters) {
  List found;
  std::size_t at = 0;
  while ((at = text.find_first_not_of(delimiters, at)) != std::string::npos) {
    std::size_t const end = std::min(text.find_first_of(delimiters, at), text.size());
    found.push_back(text.substr(at, end - at));
    at = end;
  }
  return found;
}

Value split_text(Call const& call) {
  if (!call.all_texts()) return Error();
  return items(call.text(0), call.text(1, " \t\r\n,"));
}

Value list_size(Call const& call) {
  if (!call.all_texts()) return Error();
  return static_cast<std::int64_t>(items(call.text(0), call.text(1, ", ")).size());
}

enum class LetterCase { counts, ignored };

bool contains(List const& list, std::string const& wanted, LetterCase letter_case) {
  return std::any_of(list.begin(), list.end(), [&](Value const& item) {
    std::string const text = item.to_plain_text();
    return letter_case == LetterCase::ignored ? same_ignoring_case(text, wanted) : text == wanted;
  });
}

template <LetterCase letter_case>
Value list_member(Call const& call) {
  if (!call.all_texts()) return Error();
  return contains(items(call.text(1), call.text(2, ", ")), call.text(0), letter_case);
}

Value lists_intersect(Call const& call) {
  if (!call.all_texts()) return Error();
  List const first = items(call.text(0), call.text(2, ", "));
  List const second = items(call.text(1), call.text(2, ", "));
  return std::any_of(first.begin(), first.end(), [&second](Value const& item) {
    return contains(second, item.to_plain_text(), LetterCase::counts);
  });
}

template <LetterCase letter_case>
Value subset(Call const& call) {
  for (Value const& value : call.arguments) {
    if (!value.as<std::string>() && !value.is_undefined()) return Error();
  }
  if (call[0].is_undefined()) return call[1].is_undefined() ? Value() : Value(true);
  if (call[1].is_undefined()) return false;
  List const first = items(call.text(0), call.text(2, ", "));
  List const second = items(call.text(1), call.text(2, ", "));
  return std::all_of(first.begin(), first.end(), [&second](Value const& item) {
    return contains(second, item.to_plain_text(), letter_case);
  });
}

// Limits of a search from one place in the text, and of those from all places together.
constexpr std::size_t most_steps_of_search = 200'000, most_steps_of_searches = 100'000'000,
                      least_steps_of_search = 2'000;
constexpr std::size_t longest_pattern = 10'000;

std::uint32_t flags(std::string_view options) {
  std::uint32_t flags = 0;
  for (char const option : options) {
    for (auto const& [letter, flag] : {std::pair('i', PCRE2_CASELESS),
                                       {'m', PCRE2_MULTILINE},
                                       {'s', PCRE2_DOTALL},
                                       {'x', PCRE2_EXTENDED}}) {
      if (lower(option) == letter) flags |= flag;
    }
  }
  return flags;
}

struct Freer {
  void operator()(pcre2_match_data* data) const { pcre2_match_data_free(data); }
  void operator()(pcre2_match_context* context) const { pcre2_match_context_free(context); }
};

unsigned char const* bytes(std::string_view text) {
  return reinterpret_cast<unsigned char const*>(text.data());
}

constexpr std::size_t longest_result = 1'000'000;

bool has_option(std::string_view options, char option) {
  return lower(options).find(option) != std::string::npos;
}

Value regexp(Call const& call) {
  if (!call.all_texts()) return Error();
  auto const pattern = Pattern::compile(call.text(0), call.text(2));
  if (!pattern) return Error();
  return pattern->find(call.text(1)).has_value();
}

Value regexp_member(Call const& call) {
  List const* const list = call[1].as_list();
  bool const options_are_text = call.size() < 3 || call[2].as<std::string>();
  if (!list || !call[0].as<std::string>() || !options_are_text) return Error();
  auto const pattern = Pattern::compile(call.text(0), call.text(2));
  if (!pattern) return Error();
  Value without_match = false;
  for (Value const& item : *list) {
    auto const* const text = item.as<std::string>();
    if (item.is_undefined()) {
      without_match = Value();
    } else if (!text) {
      return Error();
    } else if (pattern->find(*text)) {
      return true;
    }
  }
  return without_match;
}

Value text_list_regexp_member(Call const& call) {
  if (!call.all_texts()) return Error();
  List const list = items(call.text(1), call.text(2, ", "));
  return regexp_member({List{call[0], Value(list), call.text(3)}, 0});
}

/// The substitute, with \0 to \9 replaced by the groups that matched.
std::string filled(std::string_view substitute, std::string_view text,
                   std::vector<Pattern::Span> const& groups) {
  std::string result;
  for (std::size_t i = 0; i < substitute.size(); ++i) {
    bool const is_group = substitute[i] == '\\' && i + 1 < substitute.size() &&
                          substitute[i + 1] >= '0' && substitute[i + 1] <= '9';
    if (!is_group) {
      result += substitute[i];
      continue;
    }
    auto const group = static_cast<std::size_t>(substitute[++i] - '0');
    if (group >= groups.size() || groups[group].begin > text.size()) continue;
    result += text.substr(groups[group].begin, groups[group].end - groups[group].begin);
  }
  return result;
}

/// Option f: with the text around the matches; g: each match, not only the first.
Value substituted(Call const& call, std::string const& options) {
  if (!call.all_texts()) return Error();
  auto const pattern = Pattern::compile(call.text(0), options);
  if (!pattern) return Error();
  std::string const text = call.text(1);
  std::string const substitute = call.text(2);
  bool const whole = has_option(options, 'f');
  std::string result;
  std::size_t from = 0;
  while (auto const match = pattern->find(text, from)) {
    auto const [begin, end] = match->front();
    if (whole) result += text.substr(from, begin - from);
    result += filled(substitute, text, *match);
    if (result.size() > longest_result) return Error();
    if (whole && begin == end) result += text.substr(end, 1);
    from = begin == end ? end + 1 : end;
    if (!has_option(options, 'g') || from > text.size()) break;
  }
  if (whole && from < text.size()) result += text.substr(from);
  return result;
}

}  // namespace

std::optional<Pattern> Pattern::compile(std::string const& pattern, std::string_view options) {
  if (pattern.size() > longest_pattern) return std::nullopt;
  int error = 0;
  std::size_t at = 0;
  pcre2_code* const code =
      pcre2_compile(bytes(pattern), pattern.size(), flags(options) | PCRE2_NEVER_BACKSLASH_C,
                    &error, &at, nullptr);
  if (!code) return std::nullopt;
  return Pattern(
      std::shared_ptr<void>(code, [](void* c) { pcre2_code_free(static_cast<pcre2_code*>(c)); }));
}

std::optional<std::vector<Pattern::Span>> Pattern::find(
    std::string_view text, std::size_t from, std::optional<std::uint32_t> most_steps) const {
  auto const* const code = static_cast<pcre2_code const*>(code_.get());
  std::unique_ptr<pcre2_match_data, Freer> const data(
      pcre2_match_data_create_from_pattern(code, nullptr));
  std::unique_ptr<pcre2_match_context, Freer> const context(pcre2_match_context_create(nullptr));
  auto const steps = most_steps.value_or(static_cast<std::uint32_t>(std::clamp(
      most_steps_of_searches / (text.size() + 1), least_steps_of_search, most_steps_of_search)));
  pcre2_set_match_limit(context.get(), steps);
  pcre2_set_depth_limit(context.get(), steps);
  int const groups =
      pcre2_match(code, bytes(text), text.size(), from, 0, data.get(), context.get());
  if (groups <= 0) return std::nullopt;
  std::size_t const* const offsets = pcre2_get_ovector_pointer(data.get());
  std::vector<Span> spans;
  for (int i = 0; i < groups; ++i) spans.push_back({offsets[2 * i], offsets[2 * i + 1]});
  // \K in a lookahead can put the begin behind the end.
  if (spans[0].begin > spans[0].end) return std::nullopt;
  return spans;
}

std::span<Function const> functions_of_texts() {
  using enum Strictness;
  constexpr auto counts = LetterCase::counts, ignored = LetterCase::ignored;
  static constexpr Function all[] = {
      {"strcat", 0, Function::any, strict, concatenated},
      {"join", 1, Function::any, lax, join},
      {"substr", 2, 3, strict, substring},
      {"strcmp", 2, 2, strict, [](Call const& c) -> Value { return c.text(0).compare(c.text(1)); }},
      {"stricmp", 2, 2, strict,
       [](Call const& c) -> Value { return compare_ignoring_case(c.text(0), c.text(1)); }},
      {"toLower", 1, 1, strict, [](Call const& c) -> Value { return lower(c.text(0)); }},
      {"toUpper", 1, 1, strict, [](Call const& c) -> Value { return upper(c.text(0)); }},
      {"size", 1, 1, strict, size},
      {"split", 1, 2, strict, split_text},
      {"stringListSize", 1, 2, strict, list_size},
      {"stringListMember", 2, 3, strict, list_member<counts>},
      {"stringListIMember", 2, 3, strict, list_member<ignored>},
      {"stringListsIntersect", 2, 3, strict, lists_intersect},
      {"stringListSubsetMatch", 2, 3, lax, subset<counts>},
      {"stringListISubsetMatch", 2, 3, lax, subset<ignored>},
      {"regexp", 2, 3, strict, regexp},
      {"regexpMember", 2, 3, strict, regexp_member},
      {"stringList_regexpMember", 2, 4, strict, text_list_regexp_member},
      {"regexps", 3, 4, strict, [](Call const& c) { return substituted(c, c.text(3)); }},
      {"replace", 3, 4, strict, [](Call const& c) { return substituted(c, c.text(3) + "f"); }},
      {"replaceAll", 3, 4, strict, [](Call const& c) { return substituted(c, c.text(3) + "fg"); }},
  };
  return all;
}

}  // namespace gridcast::classad
