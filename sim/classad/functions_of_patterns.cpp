#include <algorithm>
#include <array>

#include "sim/classad/functions.hpp"
#include "sim/classad/pattern.hpp"

namespace gridcast::classad {
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
