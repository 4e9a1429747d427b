// A value of the ClassAd language: undefined, error, boolean, integer, real, string, list, ad; and
// the operators on values.
// ClassAd Language Reference, HTCondor project, "Values".
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace gridcast::classad {

class Ad;
class Value;
using List = std::vector<Value>;

struct Undefined {
  bool operator==(Undefined const&) const = default;
};
struct Error {
  bool operator==(Error const&) const = default;
};

class Value {
 public:
  Value() = default;  // undefined
  Value(Error error) : data_(error) {}
  Value(bool value) : data_(value) {}
  Value(std::int64_t value) : data_(value) {}
  Value(int value) : data_(static_cast<std::int64_t>(value)) {}
  Value(double value) : data_(value) {}
  Value(std::string value) : data_(std::move(value)) {}
  Value(std::string_view value) : data_(std::string(value)) {}
  Value(char const* value) : data_(std::string(value)) {}
  Value(List list);
  Value(Ad ad);

  bool is_undefined() const { return std::holds_alternative<Undefined>(data_); }
  bool is_error() const { return std::holds_alternative<Error>(data_); }
  bool is_number() const { return as<std::int64_t>() || as<double>(); }
  /// The value if it is of that type, else null. Types: bool, std::int64_t, double, std::string.
  template <class Type>
  Type const* as() const {
    return std::get_if<Type>(&data_);
  }
  List const* as_list() const;
  Ad const* as_ad() const;
  /// Integer or real as a real; `otherwise` for all else.
  double number(double otherwise = 0) const;

  /// Text as the language writes it: strings in quotes, reals that read back the same.
  std::string to_text() const;
  /// Text as the string functions take it: a string without its quotes, all else as to_text().
  std::string to_plain_text() const;

 private:
  std::variant<Undefined, Error, bool, std::int64_t, double, std::string,
               std::shared_ptr<List const>, std::shared_ptr<Ad const>>
      data_;
};

// The operators on values. Arithmetic, comparisons and bits are strict: error beats undefined,
// undefined beats all else. The logical ones are not: false && x is false and true || x is true for
// any x, from the right too if the left is undefined; an error on the left stays one. =?= and =!=
// always answer true or false.
// HTCondor manual, "ClassAd evaluation semantics"; src/classad/operators.cpp.

enum class Operator {
  conditional,  // a ? b : c
  otherwise,    // a ?: b, which is b where a is undefined
  logical_or,
  logical_and,
  bit_or,
  bit_xor,
  bit_and,
  equal,
  not_equal,
  is,
  is_not,
  less,
  less_equal,
  greater,
  greater_equal,
  shift_left,
  shift_right,
  shift_right_unsigned,
  add,
  subtract,
  multiply,
  divide,
  remainder,
  plus,
  minus,
  logical_not,
  bit_not,
};

/// Binary operators, except `conditional` and `otherwise`, which do not evaluate all operands.
Value apply(Operator op, Value const& left, Value const& right);
/// Unary operators.
Value apply(Operator op, Value const& operand);

/// A boolean, or a number as one; nothing for all else.
std::optional<bool> truth(Value const& value);

/// Same type and same value; strings with regard to case.
bool identical(Value const& a, Value const& b);

}  // namespace gridcast::classad
