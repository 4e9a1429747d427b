#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "sim/classad/functions.hpp"
#include "sim/classad/operators.hpp"

namespace gridcast::classad {
namespace {

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

Value sum_step(Value const& a, Value const& b) { return apply(Operator::add, a, b); }
Value min_step(Value const& a, Value const& b) { return b.number() < a.number() ? b : a; }
Value max_step(Value const& a, Value const& b) { return b.number() > a.number() ? b : a; }

Value average(Call const& call) {
  Value const sum = folded(call, 0.0, sum_step);
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

}  // namespace

std::span<Function const> functions_of_numbers() {
  static std::array const all = {
      Function{"sum", 0, 1, true, [](Call const& c) { return folded(c, 0, sum_step); }},
      Function{"avg", 0, 1, true, average},
      Function{"min", 0, 1, true, [](Call const& c) { return folded(c, Value(), min_step); }},
      Function{"max", 0, 1, true, [](Call const& c) { return folded(c, Value(), max_step); }},
      Function{"pow", 2, 2, true, power},
      Function{"quantize", 2, 2, true, quantize},
  };
  return all;
}

}  // namespace gridcast::classad
