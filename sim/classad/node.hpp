// The syntax tree of an expression.
#pragma once

#include <memory>
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

}  // namespace gridcast::classad
