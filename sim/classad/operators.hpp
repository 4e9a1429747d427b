// The syntax tree of an expression.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/classad/value.hpp"

namespace gridcast::classad {

struct Function;

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

struct Node {
  enum class Kind {
    literal,
    reference,  // name
    my,         // MY.name
    target,     // TARGET.name
    operation,  // of two operands and more: ((a op b) op c) ...
    call,       // name(children)
    list,       // {children}
    ad,         // [names = children]
    select,     // children[0].name
    subscript,  // children[0][children[1]]
  };

  Kind kind = Kind::literal;
  Operator op = Operator::plus;
  Value value;
  std::string name;
  Function const* function = nullptr;  // of a call; null: there is none of that name
  std::vector<std::unique_ptr<Node const>> children;
  std::vector<std::string> names;
  int height = 1;  // of the tree below it
};

// What the operators do with values. Arithmetic, comparisons and bits are strict: error beats undefined,
// undefined beats all else. The logical ones are not: false && x is false and true || x is true whatever x
// is, from the right too if the left is undefined; an error on the left stays one. =?= and =!= always
// answer true or false.
// HTCondor manual, "ClassAd evaluation semantics"; src/classad/operators.cpp.

/// Of two operands; not for `conditional` and `otherwise`, which choose what to evaluate.
Value apply(Operator op, Value const& left, Value const& right);
/// Of one operand.
Value apply(Operator op, Value const& operand);

/// A boolean, or a number as one; nothing for all else.
std::optional<bool> truth(Value const& value);

/// Same type and same value; strings with regard to case.
bool identical(Value const& a, Value const& b);

}  // namespace gridcast::classad
