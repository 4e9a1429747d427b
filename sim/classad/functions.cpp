// Functions of types, numbers, versions, lists and time; of strings, of strings that are lists
// ("a, b, c"), and of regular expressions.
#include "sim/classad/functions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <functional>
#include <map>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "sim/base/text.hpp"
#include "sim/classad/expression.hpp"

namespace gridcast::classad {
namespace {

/// The number that a text is, and nothing but that number.
std::optional<double> real_in(std::string_view text) {
  text = trim(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  return text_as<double>(text);
}

Value whole(double real) {
  if (!(std::abs(real) < 9.2e18)) return Error();
  return static_cast<std::int64_t>(real);
}

Value to_int(Call const& call) {
  Value const& value = call[0];
  if (value.as<std::int64_t>()) return value;
  if (auto const* const boolean = value.as<bool>()) return static_cast<std::int64_t>(*boolean);
  if (auto const* const real = value.as<double>()) return whole(*real);
  if (auto const* const text = value.as<std::string>()) {
    if (auto const integer = text_as<std::int64_t>(trim(*text))) return *integer;
    if (auto const real = real_in(*text)) return whole(*real);
  }
  return Error();
}

Value to_real(Call const& call) {
  Value const& value = call[0];
  if (auto const* const boolean = value.as<bool>()) return *boolean ? 1.0 : 0.0;
  if (value.is_number()) return value.number();
  if (auto const* const text = value.as<std::string>()) {
    if (auto const real = real_in(*text)) return *real;
  }
  return Error();
}

Value to_bool(Call const& call) {
  if (auto const boolean = truth(call[0])) return *boolean;
  if (auto const* const text = call[0].as<std::string>()) {
    if (same_ignoring_case(*text, "true")) return true;
    if (same_ignoring_case(*text, "false")) return false;
  }
  return Error();
}

template <double (*how)(double)>
Value rounded(Call const& call) {
  if (call[0].as<std::int64_t>()) return call[0];
  Value const real = to_real(call);
  return real.is_error() ? real : whole(how(real.number()));
}

template <class Type>
Value is(Call const& call) {
  return call[0].as<Type>() != nullptr;
}

Value never(Call const&) { return false; }

/// Folds the numbers of a list, undefined ones left out. Undefined if all are, `empty` if it has
/// none, error if one is no number.
Value folded(Call const& call, Value const& empty, Value (*step)(Value const&, Value const&)) {
  if (call.size() == 0) return empty;
  List const* const list = call[0].as_list();
  if (!list) return Error();
  if (list->empty()) return empty;
  Value result;
  bool any_real = false;
  for (Value const& value : *list) {
    if (value.is_undefined()) continue;
    if (!value.is_number()) return Error();
    any_real = any_real || value.as<double>();
    result = result.is_undefined() ? value : step(result, value);
  }
  return any_real ? Value(result.number()) : result;
}

Value plus(Value const& a, Value const& b) { return apply(Operator::add, a, b); }
Value lesser(Value const& a, Value const& b) { return b.number() < a.number() ? b : a; }
Value greater(Value const& a, Value const& b) { return b.number() > a.number() ? b : a; }

Value sum(Call const& call) { return folded(call, 0, plus); }
Value least(Call const& call) { return folded(call, Value(), lesser); }
Value most(Call const& call) { return folded(call, Value(), greater); }

Value average(Call const& call) {
  Value const sum = folded(call, 0.0, plus);
  if (!sum.is_number() || call.size() == 0) return sum;
  auto const& list = *call[0].as_list();
  auto const n = std::ranges::count_if(list, [](auto const& v) { return v.is_number(); });
  return n == 0 ? Value(0.0) : Value(sum.number() / static_cast<double>(n));
}

Value power(Call const& call) {
  if (!call[0].is_number() || !call[1].is_number()) return Error();
  double const result = std::pow(call[0].number(), call[1].number());
  auto const* const exponent = call[1].as<std::int64_t>();
  bool const whole = call[0].as<std::int64_t>() && exponent && *exponent >= 0;
  if (!whole) return result;
  return std::abs(result) < 9.2e18 ? Value(static_cast<std::int64_t>(result)) : Value(Error());
}

/// The least multiple of `step` that is not below `value`.
Value multiple(Value const& value, Value const& step) {
  if (!value.is_number() || !step.is_number()) return Error();
  if (step.number() == 0) return value;
  double const count = std::ceil(value.number() / step.number());
  auto const* const whole = step.as<std::int64_t>();
  if (!whole) return count * step.number();
  if (!(std::abs(count * step.number()) < 9.2e18)) return Error();
  return static_cast<std::int64_t>(count) * *whole;
}

Value quantize(Call const& call) {
  List const* const steps = call[1].as_list();
  if (!steps) return multiple(call[0], call[1]);
  if (!call[0].is_number() || steps->empty()) return Error();
  for (Value const& step : *steps) {
    if (!step.is_number()) return Error();
    if (step.number() >= call[0].number()) return step;
  }
  return multiple(call[0], steps->back());
}

/// The digits from `at` on.
std::string_view number_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_digit(text[end])) ++end;
  return text.substr(at, end - at);
}

/// Zeros before the number itself; the last zero of none but zeros is the number.
std::size_t zeros(std::string_view digits) {
  return std::min(digits.find_first_not_of('0'), digits.size() - 1);
}

/// As strverscmp: by bytes, but a first difference within digits is decided by the number's value;
/// more leading zeros are less.
int compare_versions(std::string_view a, std::string_view b) {
  std::size_t at = 0;
  while (at < a.size() && at < b.size() && a[at] == b[at]) ++at;
  if (at == a.size() && at == b.size()) return 0;
  std::size_t from = at;
  while (from > 0 && is_digit(a[from - 1])) --from;
  auto const x = number_at(a, from);
  auto const y = number_at(b, from);
  int const by_bytes = a.substr(at).compare(b.substr(at));
  if (x.empty() || y.empty()) return by_bytes;
  if (zeros(x) != zeros(y)) return zeros(x) > zeros(y) ? -1 : 1;
  if (zeros(x) > 0) return by_bytes;
  if (x.size() != y.size()) return x.size() < y.size() ? -1 : 1;
  return by_bytes;
}

Value version_order(Call const& call) {
  if (!call.all_texts()) return Error();
  return compare_versions(call.text(0), call.text(1));
}

template <class Compare>
Value compared(Call const& call) {
  Value const order = version_order(call);
  return order.is_error() ? order : Value(Compare()(order.number(), 0));
}

Value in_range(Call const& call) {
  if (!call.all_texts()) return Error();
  return compare_versions(call.text(1), call.text(0)) <= 0 &&
         compare_versions(call.text(0), call.text(2)) <= 0;
}

bool is_scalar(Value const& value) { return !value.as_list() && !value.as_ad(); }

bool is_true(Value const& value) { return value.as<bool>() && *value.as<bool>(); }

template <Operator op>
Value member(Call const& call) {
  List const* const list = call[1].as_list();
  if (!list || !is_scalar(call[0])) return Error();
  return std::any_of(list->begin(), list->end(),
                     [&call](Value const& value) { return is_true(apply(op, call[0], value)); });
}

/// In UTC: the simulated access point knows no other zone.
Value format_time(Call const& call) {
  if (call.size() > 0 && !call[0].as<std::int64_t>()) return Error();
  std::time_t const time = call.size() > 0 ? *call[0].as<std::int64_t>() : call.now;
  std::tm parts{};
  if (!gmtime_r(&time, &parts)) return Error();
  std::string const format = call.text(1, "%c");
  if (format.empty()) return "";
  std::array<char, 512> buffer{};
  std::size_t const length = std::strftime(buffer.data(), buffer.size(), format.c_str(), &parts);
  return length > 0 ? Value(std::string_view(buffer.data(), length)) : Value(Error());
}

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

Value split_text(Call const& call) {
  if (!call.all_texts()) return Error();
  return items(call.text(0), call.text(1, " \t\r\n,"));
}

Value list_size(Call const& call) {
  if (!call.all_texts()) return Error();
  return static_cast<std::int64_t>(items(call.text(0), call.text(1, ", ")).size());
}

enum class LetterCase { counts, ignored };

bool has_member(List const& list, std::string const& wanted, LetterCase letter_case) {
  return std::ranges::any_of(list, [&](Value const& item) {
    std::string const text = item.to_plain_text();
    return letter_case == LetterCase::ignored ? same_ignoring_case(text, wanted) : text == wanted;
  });
}

template <LetterCase letter_case>
Value list_member(Call const& call) {
  if (!call.all_texts()) return Error();
  return has_member(items(call.text(1), call.text(2, ", ")), call.text(0), letter_case);
}

Value lists_intersect(Call const& call) {
  if (!call.all_texts()) return Error();
  List const first = items(call.text(0), call.text(2, ", "));
  List const second = items(call.text(1), call.text(2, ", "));
  return std::ranges::any_of(first, [&second](Value const& item) {
    return has_member(second, item.to_plain_text(), LetterCase::counts);
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
  return std::ranges::all_of(first, [&second](Value const& item) {
    return has_member(second, item.to_plain_text(), letter_case);
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

struct Library {
  using enum Strictness;
  static Function const functions[];  // of values, then of texts
};

constexpr Function Library::functions[] = {
    {"isUndefined", 1, 1, lax, [](Call const& c) -> Value { return c[0].is_undefined(); }},
    {"isError", 1, 1, lax, [](Call const& c) -> Value { return c[0].is_error(); }},
    {"isString", 1, 1, lax, is<std::string>},
    {"isInteger", 1, 1, lax, is<std::int64_t>},
    {"isReal", 1, 1, lax, is<double>},
    {"isBoolean", 1, 1, lax, is<bool>},
    {"isList", 1, 1, lax, [](Call const& c) -> Value { return c[0].as_list() != nullptr; }},
    {"isClassAd", 1, 1, lax, [](Call const& c) -> Value { return c[0].as_ad() != nullptr; }},
    {"isAbstime", 1, 1, lax, never},
    {"isReltime", 1, 1, lax, never},
    {"debug", 1, 1, lax, [](Call const& c) { return c[0]; }},
    {"int", 1, 1, strict, to_int},
    {"real", 1, 1, strict, to_real},
    {"bool", 1, 1, strict, to_bool},
    {"string", 1, 1, strict, [](Call const& c) -> Value { return c.text(0); }},
    {"floor", 1, 1, strict, rounded<std::floor>},
    {"ceiling", 1, 1, strict, rounded<std::ceil>},
    {"round", 1, 1, strict, rounded<std::nearbyint>},  // halves to the even neighbour
    {"sum", 0, 1, strict, sum},
    {"avg", 0, 1, strict, average},
    {"min", 0, 1, strict, least},
    {"max", 0, 1, strict, most},
    {"pow", 2, 2, strict, power},
    {"quantize", 2, 2, strict, quantize},
    {"versioncmp", 2, 2, strict, version_order},
    {"versionGT", 2, 2, strict, compared<std::greater<>>},
    {"versionGE", 2, 2, strict, compared<std::greater_equal<>>},
    {"versionLT", 2, 2, strict, compared<std::less<>>},
    {"versionLE", 2, 2, strict, compared<std::less_equal<>>},
    {"versionEQ", 2, 2, strict, compared<std::equal_to<>>},
    {"version_in_range", 3, 3, strict, in_range},
    {"versionInRange", 3, 3, strict, in_range},
    {"member", 2, 2, strict, member<Operator::equal>},
    {"identicalMember", 2, 2, lax, member<Operator::is>},
    {"time", 0, 0, strict, nullptr, Function::Special::time},
    {"eval", 1, 1, strict, nullptr, Function::Special::eval},
    {"ifThenElse", 3, 3, lax, nullptr, Function::Special::if_then_else},
    {"formatTime", 0, 2, strict, format_time},
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
    {"stringListMember", 2, 3, strict, list_member<LetterCase::counts>},
    {"stringListIMember", 2, 3, strict, list_member<LetterCase::ignored>},
    {"stringListsIntersect", 2, 3, strict, lists_intersect},
    {"stringListSubsetMatch", 2, 3, lax, subset<LetterCase::counts>},
    {"stringListISubsetMatch", 2, 3, lax, subset<LetterCase::ignored>},
    {"regexp", 2, 3, strict, regexp},
    {"regexpMember", 2, 3, strict, regexp_member},
    {"stringList_regexpMember", 2, 4, strict, text_list_regexp_member},
    {"regexps", 3, 4, strict, [](Call const& c) { return substituted(c, c.text(3)); }},
    {"replace", 3, 4, strict, [](Call const& c) { return substituted(c, c.text(3) + "f"); }},
    {"replaceAll", 3, 4, strict, [](Call const& c) { return substituted(c, c.text(3) + "fg"); }},
};

}  // namespace

bool Call::all_texts() const {
  return std::ranges::all_of(arguments,
                             [](Value const& value) { return value.as<std::string>() != nullptr; });
}

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

Function const* find_function(std::string_view name) {
  using Names = std::map<std::string_view, Function const*, LessIgnoringCase>;
  static Names const names = [] {
    Names all;
    for (Function const& function : Library::functions) all.emplace(function.name, &function);
    for (Function const& function : list_functions()) all.emplace(function.name, &function);
    return all;
  }();
  return value_or(names, name, nullptr);
}

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

}  // namespace gridcast::classad
