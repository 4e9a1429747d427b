// Expressions of the ClassAd language, with its three-valued logic (undefined and error beside true
// and false), parsed once and evaluated as often as one likes.
// ClassAd Language Reference, HTCondor project, "Expressions" and "Functions".
//
// Strings are those of submit files and of condor_history -long: a backslash stands for itself,
// except before a quote. Left out: absolute and relative times as types, random(), and functions
// over users and environments.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/classad/value.hpp"

namespace gridcast::classad {

struct Node;  // of the syntax tree; known to the parser and the evaluator

class Expression {
 public:
  /// What was parsed, as written.
  std::string const& text() const { return text_; }
  Node const& root() const { return *root_; }
  /// Names of attributes that it refers to, without MY. and TARGET., in order, each once.
  std::vector<std::string> attributes() const;
  /// Names of functions that it calls, in order, each once.
  std::vector<std::string> functions() const;
  /// Those of them that there are none of: a call of one is an error.
  std::vector<std::string> unknown_functions() const;
  /// What it is if it is only a value, as 3 or "abc"; null otherwise.
  Value const* literal() const;

 private:
  friend Expression parse(std::string_view text, Location const& where);
  Expression(std::string text, std::shared_ptr<Node const> root)
      : text_(std::move(text)), root_(std::move(root)) {}

  std::string text_;
  std::shared_ptr<Node const> root_;
};

/// InputError at `where` (its column moved to the offence) for what is not an expression; nesting
/// deeper than 500 is one.
Expression parse(std::string_view text, Location const& where = {});

/// Those parts of a && b && c that stand in no parentheses; the whole if || or ? does, too.
std::vector<std::string> conjuncts(std::string const& expression);

/// Attributes, as a scope looks them up. Names are compared without regard to case.
class Scope {
 public:
  virtual ~Scope() = default;
  /// Undefined if there is none of that name.
  virtual Value lookup(std::string_view attribute) const = 0;
  /// The attribute if it is an expression, to be evaluated with this scope as MY; else null, and
  /// `lookup` is asked.
  virtual Expression const* expression(std::string_view) const { return nullptr; }
};

/// MY, TARGET (may be null) and time() of one evaluation. A name without either is looked for in
/// MY, then in TARGET, as HTCondor does for the sake of old ads.
struct Context {
  Scope const& my;
  Scope const* target = nullptr;
  std::int64_t now = 0;  // Unix seconds
};

/// Never throws: what cannot be evaluated is `error`, as in HTCondor.
Value evaluate(Expression const& expression, Context const& context);

/// True only if the value is true or a number other than zero (what HTCondor takes as "holds").
bool holds(Value const& value);

}  // namespace gridcast::classad
