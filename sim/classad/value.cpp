#include "sim/classad/value.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "sim/base/text.hpp"
#include "sim/classad/expression.hpp"

namespace gridcast::classad {
namespace {

std::string real_text(double real) {
  if (std::isnan(real)) return "real(\"NaN\")";
  if (std::isinf(real)) return real > 0 ? "real(\"INF\")" : "real(\"-INF\")";
  std::array<char, 40> digits{};
  auto const end = std::to_chars(digits.data(), digits.data() + digits.size(), real).ptr;
  std::string text(digits.data(), end);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string quoted(std::string const& text) {
  std::string result = "\"";
  for (char const c : text) {
    if (c == '"') result += '\\';
    result += c;
  }
  return result + '"';
}

std::string list_text(List const& list) {
  std::string text = "{";
  for (Value const& value : list) text += (text.size() > 1 ? "," : "") + value.to_text();
  return text + "}";
}

std::string ad_text(Ad const& ad) {
  std::string text = "[";
  for (auto const& [name, content] : ad.attributes()) {
    auto const* const value = std::get_if<Value>(&content);
    text += " " + name + " = " + (value ? value->to_text() : std::get<Expression>(content).text());
    text += ";";
  }
  return text + " ]";
}

using Integer = std::int64_t;

/// Booleans count as 0 and 1 among numbers.
Value as_number(Value const& value) {
  if (auto const* const boolean = value.as<bool>()) return static_cast<Integer>(*boolean);
  return value.is_number() ? value : Value(Error());
}

/// The result of a strict operator for undefined and error.
std::optional<Value> strict(Value const& left, Value const& right) {
  if (left.is_error() || right.is_error()) return Value(Error());
  if (left.is_undefined() || right.is_undefined()) return Value();
  return std::nullopt;
}

bool is_comparison(Operator op) {
  return op == Operator::equal || op == Operator::not_equal || op == Operator::less ||
         op == Operator::less_equal || op == Operator::greater || op == Operator::greater_equal;
}

/// The result of a comparison that gave less than, equal to or greater than zero.
bool decided(Operator op, int order) {
  if (op == Operator::equal) return order == 0;
  if (op == Operator::not_equal) return order != 0;
  if (op == Operator::less) return order < 0;
  if (op == Operator::less_equal) return order <= 0;
  return op == Operator::greater ? order > 0 : order >= 0;
}

template <class Number>
int order_of(Number a, Number b) {
  return a < b ? -1 : (a > b ? 1 : 0);
}

Value compare(Operator op, Value const& left, Value const& right) {
  auto const* const text = left.as<std::string>();
  auto const* const other_text = right.as<std::string>();
  if (text && other_text) return decided(op, compare_ignoring_case(*text, *other_text));
  Value const a = as_number(left);
  Value const b = as_number(right);
  if (a.is_error() || b.is_error()) return Error();
  if (a.as<Integer>() && b.as<Integer>()) {
    return decided(op, order_of(*a.as<Integer>(), *b.as<Integer>()));
  }
  if (std::isnan(a.number()) || std::isnan(b.number())) return op == Operator::not_equal;
  return decided(op, order_of(a.number(), b.number()));
}

/// Two's complement, as the processor does it.
Value whole_arithmetic(Operator op, Integer a, Integer b) {
  auto const x = static_cast<std::uint64_t>(a);
  auto const y = static_cast<std::uint64_t>(b);
  bool const overflows = b == -1 && a == std::numeric_limits<Integer>::min();
  if (op == Operator::add) return static_cast<Integer>(x + y);
  if (op == Operator::subtract) return static_cast<Integer>(x - y);
  if (op == Operator::multiply) return static_cast<Integer>(x * y);
  if (b == 0 || overflows) return Error();
  return op == Operator::divide ? a / b : a % b;
}

Value arithmetic(Operator op, Value const& left, Value const& right) {
  Value const a = as_number(left);
  Value const b = as_number(right);
  if (a.is_error() || b.is_error()) return Error();
  if (a.as<Integer>() && b.as<Integer>()) {
    return whole_arithmetic(op, *a.as<Integer>(), *b.as<Integer>());
  }
  if (op == Operator::add) return a.number() + b.number();
  if (op == Operator::subtract) return a.number() - b.number();
  if (op == Operator::multiply) return a.number() * b.number();
  // There is no remainder of reals.
  if (op != Operator::divide || b.number() == 0) return Error();
  return a.number() / b.number();
}

Value shift(Operator op, Integer value, Integer by) {
  if (by < 0 || by > 63) return Error();
  auto const bits = static_cast<std::uint64_t>(value);
  if (op == Operator::shift_left) return static_cast<Integer>(bits << by);
  if (op == Operator::shift_right_unsigned) return static_cast<Integer>(bits >> by);
  return value >> by;
}

Value bitwise(Operator op, Value const& left, Value const& right) {
  bool const booleans = left.as<bool>() && right.as<bool>();
  Value const a = as_number(left);
  Value const b = as_number(right);
  if (!a.as<Integer>() || !b.as<Integer>()) return Error();
  Integer const x = *a.as<Integer>();
  Integer const y = *b.as<Integer>();
  bool const is_shift = op == Operator::shift_left || op == Operator::shift_right ||
                        op == Operator::shift_right_unsigned;
  if (is_shift) return shift(op, x, y);
  Integer const result = op == Operator::bit_or ? x | y : op == Operator::bit_xor ? x ^ y : x & y;
  return booleans ? Value(result != 0) : Value(result);
}

/// For && with `absorbing` false, for || with true.
Value logical(bool absorbing, Value const& left, Value const& right) {
  auto const a = truth(left);
  auto const b = truth(right);
  if (a == absorbing) return absorbing;
  if (!a && !left.is_undefined()) return Error();
  if (b == absorbing) return absorbing;
  if (!b && !right.is_undefined()) return Error();
  return a && b ? Value(!absorbing) : Value();
}

bool identical_lists(List const& a, List const& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), identical);
}

bool identical_ads(Ad const& a, Ad const& b) {
  return a.size() == b.size() && std::ranges::all_of(a.attributes(), [&b](auto const& attribute) {
           if (auto const* const expression = std::get_if<Expression>(&attribute.content)) {
             auto const* const other = b.expression(attribute.name);
             return other && other->text() == expression->text();
           }
           auto const* const other = b.find(attribute.name);
           return other && identical(*other, std::get<Value>(attribute.content));
         });
}

}  // namespace

Value::Value(List list) : data_(std::make_shared<List const>(std::move(list))) {}
Value::Value(Ad ad) : data_(std::make_shared<Ad const>(std::move(ad))) {}

List const* Value::as_list() const {
  auto const* const list = std::get_if<std::shared_ptr<List const>>(&data_);
  return list ? list->get() : nullptr;
}

Ad const* Value::as_ad() const {
  auto const* const ad = std::get_if<std::shared_ptr<Ad const>>(&data_);
  return ad ? ad->get() : nullptr;
}

double Value::number(double otherwise) const {
  if (auto const* const integer = as<std::int64_t>()) return static_cast<double>(*integer);
  if (auto const* const real = as<double>()) return *real;
  return otherwise;
}

std::string Value::to_text() const {
  if (is_undefined()) return "undefined";
  if (is_error()) return "error";
  if (auto const* const boolean = as<bool>()) return *boolean ? "true" : "false";
  if (auto const* const integer = as<std::int64_t>()) return std::to_string(*integer);
  if (auto const* const real = as<double>()) return real_text(*real);
  if (auto const* const text = as<std::string>()) return quoted(*text);
  if (auto const* const list = as_list()) return list_text(*list);
  return ad_text(*as_ad());
}

std::string Value::to_plain_text() const {
  auto const* const text = as<std::string>();
  return text ? *text : to_text();
}

std::optional<bool> truth(Value const& value) {
  if (auto const* const boolean = value.as<bool>()) return *boolean;
  if (value.is_number()) return value.number() != 0;
  return std::nullopt;
}

bool identical(Value const& a, Value const& b) {
  if (a.is_undefined() || b.is_undefined()) return a.is_undefined() && b.is_undefined();
  if (a.is_error() || b.is_error()) return a.is_error() && b.is_error();
  auto const same = [&a, &b]<class Type>(Type const*) {
    return a.as<Type>() && b.as<Type>() && *a.as<Type>() == *b.as<Type>();
  };
  if (a.as_list() && b.as_list()) return identical_lists(*a.as_list(), *b.as_list());
  if (a.as_ad() && b.as_ad()) return identical_ads(*a.as_ad(), *b.as_ad());
  return same(static_cast<bool const*>(nullptr)) || same(static_cast<Integer const*>(nullptr)) ||
         same(static_cast<double const*>(nullptr)) ||
         same(static_cast<std::string const*>(nullptr));
}

Value apply(Operator op, Value const& left, Value const& right) {
  if (op == Operator::is) return identical(left, right);
  if (op == Operator::is_not) return !identical(left, right);
  if (op == Operator::logical_and) return logical(false, left, right);
  if (op == Operator::logical_or) return logical(true, left, right);
  if (auto const exceptional = strict(left, right)) return *exceptional;
  if (is_comparison(op)) return compare(op, left, right);
  bool const is_arithmetic = op == Operator::add || op == Operator::subtract ||
                             op == Operator::multiply || op == Operator::divide ||
                             op == Operator::remainder;
  return is_arithmetic ? arithmetic(op, left, right) : bitwise(op, left, right);
}

Value apply(Operator op, Value const& operand) {
  if (operand.is_undefined() || operand.is_error()) return operand;
  if (op == Operator::logical_not) {
    auto const boolean = truth(operand);
    return boolean ? Value(!*boolean) : Value(Error());
  }
  auto const* const integer = operand.as<Integer>();
  if (op == Operator::bit_not) return integer ? Value(~*integer) : Value(Error());
  if (!operand.is_number()) return Error();
  if (op == Operator::plus) return operand;
  return integer ? whole_arithmetic(Operator::subtract, 0, *integer) : Value(-operand.number());
}

}  // namespace gridcast::classad
