// Perl regular expressions (PCRE2, as HTCondor uses), with a limit on the work of one match.
#define PCRE2_CODE_UNIT_WIDTH 8
#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <pcre2.h>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/letter_case.hpp"
#include "sim/classad/ad.hpp"
#include "sim/classad/functions.hpp"

namespace gridcast::classad {

namespace {

Value concatenated(Call const& call) {
  std::string all;
  for (std::size_t i = 0; i < call.size(); ++i) all += call.text(i);
  return all;
}

/// Of the values from `first`; undefined ones are left out.
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

/// {before, after} the first @; without one, the whole is the second or the first.
Value split_at_sign(Call const& call, bool whole_is_second) {
  auto const* const name = call[0].as<std::string>();
  if (!name) return Error();
  auto const at = name->find('@');
  if (at != std::string::npos) return List{name->substr(0, at), name->substr(at + 1)};
  return whole_is_second ? List{"", *name} : List{*name, ""};
}

}  // namespace

std::span<Function const> functions_of_texts() {
  static std::array const all = {
      Function{"strcat", 0, Function::any, true, concatenated},
      Function{"join", 1, Function::any, false, join},
      Function{"substr", 2, 3, true, substring},
      Function{"strcmp", 2, 2, true,
               [](Call const& c) -> Value { return c.text(0).compare(c.text(1)); }},
      Function{"stricmp", 2, 2, true,
               [](Call const& c) -> Value { return compare_ignoring_case(c.text(0), c.text(1)); }},
      Function{"toLower", 1, 1, true, [](Call const& c) -> Value { return lower(c.text(0)); }},
      Function{"toUpper", 1, 1, true, [](Call const& c) -> Value { return upper(c.text(0)); }},
      Function{"size", 1, 1, true, size},
      Function{"splitSlotName", 1, 1, true, [](Call const& c) { return split_at_sign(c, true); }},
      Function{"splitUserName", 1, 1, true, [](Call const& c) { return split_at_sign(c, false); }},
  };
  return all;
}

namespace {

/// What stands between any of the delimiters; nothing between two is no item.
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

bool all_texts(Call const& call) {
  return std::all_of(call.arguments.begin(), call.arguments.end(),
                     [](Value const& value) { return value.as<std::string>() != nullptr; });
}

Value split_text(Call const& call) {
  if (!all_texts(call)) return Error();
  return items(call.text(0), call.text(1, " \t\r\n,"));
}

Value list_size(Call const& call) {
  if (!all_texts(call)) return Error();
  return static_cast<std::int64_t>(items(call.text(0), call.text(1, ", ")).size());
}

bool same(std::string const& a, std::string const& b, bool any_case) {
  return any_case ? same_ignoring_case(a, b) : a == b;
}

bool contains(List const& list, std::string const& wanted, bool any_case) {
  return std::any_of(list.begin(), list.end(), [&wanted, any_case](Value const& item) {
    return same(item.to_plain_text(), wanted, any_case);
  });
}

Value list_member(Call const& call, bool any_case) {
  if (!all_texts(call)) return Error();
  return contains(items(call.text(1), call.text(2, ", ")), call.text(0), any_case);
}

Value lists_intersect(Call const& call) {
  if (!all_texts(call)) return Error();
  List const first = items(call.text(0), call.text(2, ", "));
  List const second = items(call.text(1), call.text(2, ", "));
  return std::any_of(first.begin(), first.end(), [&second](Value const& item) {
    return contains(second, item.to_plain_text(), false);
  });
}

Value subset(Call const& call, bool any_case) {
  for (Value const& value : call.arguments) {
    if (!value.as<std::string>() && !value.is_undefined()) return Error();
  }
  if (call[0].is_undefined()) return call[1].is_undefined() ? Value() : Value(true);
  if (call[1].is_undefined()) return false;
  List const first = items(call.text(0), call.text(2, ", "));
  List const second = items(call.text(1), call.text(2, ", "));
  return std::all_of(first.begin(), first.end(), [&second, any_case](Value const& item) {
    return contains(second, item.to_plain_text(), any_case);
  });
}

/// The numbers of a text list as a list, for the function of lists that `name` is.
Value of_numbers(Call const& call, std::string_view name) {
  if (!all_texts(call)) return Error();
  List numbers;
  for (Value const& item : items(call.text(0), call.text(1, ", "))) {
    Value number = find_function("int")->body({List{item}, 0});
    Value const real = find_function("real")->body({List{item}, 0});
    if (real.is_error()) return Error();
    bool const whole = item.to_plain_text().find_first_of(".eE") == std::string::npos;
    numbers.push_back(whole ? number : real);
  }
  return find_function(name)->body({List{Value(numbers)}, 0});
}

}  // namespace

std::span<Function const> functions_of_text_lists() {
  static std::array const all = {
      Function{"split", 1, 2, true, split_text},
      Function{"stringListSize", 1, 2, true, list_size},
      Function{"stringListMember", 2, 3, true, [](Call const& c) { return list_member(c, false); }},
      Function{"stringListIMember", 2, 3, true, [](Call const& c) { return list_member(c, true); }},
      Function{"stringListsIntersect", 2, 3, true, lists_intersect},
      Function{"stringListSubsetMatch", 2, 3, false,
               [](Call const& c) { return subset(c, false); }},
      Function{"stringListISubsetMatch", 2, 3, false,
               [](Call const& c) { return subset(c, true); }},
      Function{"stringListSum", 1, 2, true, [](Call const& c) { return of_numbers(c, "sum"); }},
      Function{"stringListAvg", 1, 2, true, [](Call const& c) { return of_numbers(c, "avg"); }},
      Function{"stringListMin", 1, 2, true, [](Call const& c) { return of_numbers(c, "min"); }},
      Function{"stringListMax", 1, 2, true, [](Call const& c) { return of_numbers(c, "max"); }},
  };
  return all;
}

class Pattern {
 public:
  /// Options: i letter case is ignored, m ^ and $ at each line, s a dot is a line end too, x blanks
  /// and comments in the pattern; others mean nothing. Nothing if it is no regular expression.
  static std::optional<Pattern> compile(std::string const& pattern, std::string_view options);

  /// The first match from an offset on: begin and end of the whole, then of each group (npos: took
  /// no part). Nothing if none, or if the search took too much work.
  struct Span {
    std::size_t begin, end;
  };
  std::optional<std::vector<Span>> find(std::string_view text, std::size_t from = 0) const;

 private:
  explicit Pattern(std::shared_ptr<void> code) : code_(std::move(code)) {}
  std::shared_ptr<void> code_;
};

namespace {

constexpr std::uint32_t most_steps = 200'000;
constexpr std::size_t longest_pattern = 10'000;

std::uint32_t flags(std::string_view options) {
  std::uint32_t flags = 0;
  for (char const option : options) {
    switch (option) {
      case 'i':
      case 'I':
        flags |= PCRE2_CASELESS;
        break;
      case 'm':
      case 'M':
        flags |= PCRE2_MULTILINE;
        break;
      case 's':
      case 'S':
        flags |= PCRE2_DOTALL;
        break;
      case 'x':
      case 'X':
        flags |= PCRE2_EXTENDED;
        break;
      default:
        break;
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

std::optional<std::vector<Pattern::Span>> Pattern::find(std::string_view text,
                                                        std::size_t from) const {
  auto const* const code = static_cast<pcre2_code const*>(code_.get());
  std::unique_ptr<pcre2_match_data, Freer> const data(
      pcre2_match_data_create_from_pattern(code, nullptr));
  std::unique_ptr<pcre2_match_context, Freer> const context(pcre2_match_context_create(nullptr));
  pcre2_set_match_limit(context.get(), most_steps);
  pcre2_set_depth_limit(context.get(), most_steps);
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

namespace {

constexpr std::size_t longest_result = 1'000'000;

bool has_option(std::string_view options, char lower_case, char upper_case) {
  return options.find(lower_case) != std::string_view::npos ||
         options.find(upper_case) != std::string_view::npos;
}

bool are_texts(Call const& call, std::size_t first, std::size_t last) {
  for (std::size_t i = first; i < std::min(last, call.size()); ++i) {
    if (!call[i].as<std::string>()) return false;
  }
  return true;
}

Value regexp(Call const& call) {
  if (!are_texts(call, 0, 3)) return Error();
  auto const pattern = Pattern::compile(call.text(0), call.text(2));
  if (!pattern) return Error();
  return pattern->find(call.text(1)).has_value();
}

Value regexp_member(Call const& call) {
  List const* const list = call[1].as_list();
  if (!list || !call[0].as<std::string>() || !are_texts(call, 2, 3)) return Error();
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
  if (!are_texts(call, 0, 4)) return Error();
  Value const list = find_function("split")->body({List{call[1], call.text(2, ", ")}, 0});
  return regexp_member({List{call[0], list, call.text(3)}, 0});
}

/// The substitute with \0 to \9 replaced by what they matched.
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

/// Option f: with what stands around the matches; g: each match, not the first alone.
Value substituted(Call const& call, std::string const& options) {
  if (!are_texts(call, 0, 4)) return Error();
  auto const pattern = Pattern::compile(call.text(0), options);
  if (!pattern) return Error();
  std::string const text = call.text(1);
  std::string const substitute = call.text(2);
  bool const whole = has_option(options, 'f', 'F');
  std::string result;
  std::size_t from = 0;
  while (auto const match = pattern->find(text, from)) {
    auto const [begin, end] = match->front();
    if (whole) result += text.substr(from, begin - from);
    result += filled(substitute, text, *match);
    if (result.size() > longest_result) return Error();
    if (whole && begin == end) result += text.substr(end, 1);
    from = begin == end ? end + 1 : end;
    if (!has_option(options, 'g', 'G') || from > text.size()) break;
  }
  if (whole && from < text.size()) result += text.substr(from);
  return result;
}

}  // namespace

std::span<Function const> functions_of_patterns() {
  static std::array const all = {
      Function{"regexp", 2, 3, true, regexp},
      Function{"regexpMember", 2, 3, true, regexp_member},
      Function{"stringList_regexpMember", 2, 4, true, text_list_regexp_member},
      Function{"regexps", 3, 4, true, [](Call const& c) { return substituted(c, c.text(3)); }},
      Function{"replace", 3, 4, true,
               [](Call const& c) { return substituted(c, c.text(3) + "f"); }},
      Function{"replaceAll", 3, 4, true,
               [](Call const& c) { return substituted(c, c.text(3) + "fg"); }},
  };
  return all;
}

}  // namespace gridcast::classad
