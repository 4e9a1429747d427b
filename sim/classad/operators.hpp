// What the operators of the ClassAd language do with values. Arithmetic, comparisons and bits are
// strict: error beats undefined, undefined beats all else. The logical ones are not: false && x is
// false and true || x is true whatever x is, from the right too if the left is undefined; an error
// on the left stays one. =?= and =!= always answer true or false.
// HTCondor manual, "ClassAd evaluation semantics"; src/classad/operators.cpp.
#pragma once

#include <optional>

#include "sim/classad/node.hpp"
#include "sim/classad/value.hpp"

namespace gridcast::classad {

/// Of two operands; not for `conditional` and `otherwise`, which choose what to evaluate.
Value apply(Operator op, Value const& left, Value const& right);
/// Of one operand.
Value apply(Operator op, Value const& operand);

/// A boolean, or a number as one; nothing for all else.
std::optional<bool> truth(Value const& value);

/// Same type and same value; strings with regard to case.
bool identical(Value const& a, Value const& b);

}  // namespace gridcast::classad
