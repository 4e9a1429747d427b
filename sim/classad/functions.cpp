// Functions of types, numbers, versions, lists and time.
#include "sim/classad/functions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "sim/base/statistics.hpp"
#include "sim/base/text.hpp"
#include "sim/classad/value.hpp"

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
  auto const n =
      std::count_if(list.begin(), list.end(), [](auto const& v) { return v.is_number(); });
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

std::span<Function const> functions_of_values() {
  using enum Strictness;
  static constexpr Function all[] = {
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
  };
  return all;
}

}  // namespace

bool Call::all_texts() const {
  return std::all_of(arguments.begin(), arguments.end(),
                     [](Value const& value) { return value.as<std::string>() != nullptr; });
}

Function const* find_function(std::string_view name) {
  using Names = std::map<std::string_view, Function const*, LessIgnoringCase>;
  static Names const names = [] {
    Names all;
    for (auto const& subject : {functions_of_values(), functions_of_texts()}) {
      for (Function const& function : subject) all.emplace(function.name, &function);
    }
    return all;
  }();
  auto const found = names.find(name);
  return found == names.end() ? nullptr : found->second;
}

}  // namespace gridcast::classad
