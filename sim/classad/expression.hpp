// Expressions of the ClassAd language, with its three-valued logic (undefined and error beside true
// and false), parsed once and evaluated any number of times; and ads, which are attributes by name,
// each a value or an expression that is evaluated at each look (a circular reference is an error).
// ClassAd Language Reference, HTCondor project, "Expressions" and "Functions".
//
// Ads are read in the old syntax (one "Name = value" a line, as condor_history -long prints) and in
// the new ("[ a = 1; b = 2 ]"). Strings are those of submit files and of condor_history -long: a
// backslash stands for itself, except before a quote. Left out: absolute and relative times as
// types, random(), and functions over users and environments.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/classad/value.hpp"

namespace gridcast::classad {

struct Function;

/// A node of the syntax tree.
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
  int height = 1;         // of the tree below it
  bool constant = false;  // a call with a constant result, which is `value`
};

/// Gives the call its value if that is the same at all times and in all scopes. So a call whose
/// arguments are constants, as formatTime(0, "%Y"), is evaluated when it is parsed, and not in each
/// negotiation cycle for each job.
void settle_if_constant(Node& call);

class Expression {
 public:
  /// The parsed text, as written.
  std::string const& text() const { return text_; }
  Node const& root() const { return *root_; }
  /// Names of attributes that it refers to, without MY. and TARGET., in order, each once.
  std::vector<std::string> attributes() const;
  /// Names of functions that it calls, in order, each once.
  std::vector<std::string> functions() const;
  /// True if a call needs the time of its evaluation: time(), formatTime(), eval("...").
  bool reads_clock() const;
  /// Those of them that do not exist: a call of one is an error.
  std::vector<std::string> unknown_functions() const;
  /// Its value if it is only a value, as 3 or "abc"; null otherwise.
  Value const* literal() const;

  bool operator==(Expression const& other) const { return text_ == other.text_; }

 private:
  friend Expression parse(std::string_view text, Location const& where);
  Expression(std::string text, std::shared_ptr<Node const> root)
      : text_(std::move(text)), root_(std::move(root)) {}

  std::string text_;
  std::shared_ptr<Node const> root_;
};

/// InputError at `where` (its column moved to the offence) for a text that is not an expression;
/// nesting deeper than 500 is an error.
Expression parse(std::string_view text, Location const& where = {});

/// Those parts of a && b && c that stand in no parentheses; the whole if || or ? does, too.
std::vector<std::string> conjuncts(std::string const& expression);

/// The expression with its references written anew by `written`, of their scope (MY, TARGET or
/// empty) and their name.
std::string with_references(
    std::string const& expression,
    std::function<std::string(std::string_view scope, std::string_view name)> const& written);

/// Attributes, as a scope looks them up. Names are compared without regard to case.
class Scope {
 public:
  virtual ~Scope() = default;
  /// Undefined if there is none of that name.
  virtual Value lookup(std::string_view attribute) const = 0;
  /// The attribute if it is an expression, to be evaluated with this scope as MY; else null, and
  /// `lookup` is called.
  virtual Expression const* expression(std::string_view) const { return nullptr; }
};

/// MY, TARGET (may be null) and time() of one evaluation. A name without either is looked for in
/// MY, then in TARGET, as HTCondor does for the sake of old ads.
struct Context {
  Scope const& my;
  Scope const* target = nullptr;
  std::int64_t now = 0;  // Unix seconds
};

/// Never throws: failed evaluation gives `error`, as in HTCondor.
Value evaluate(Expression const& expression, Context const& context);

/// True only if the value is true or a number other than zero (HTCondor's "holds").
bool holds(Value const& value);

class Ad final : public Scope {
 public:
  /// Replaces the attribute of that name, ignoring case.
  void set(std::string name, std::variant<Value, Expression> content);
  /// Null if there is none of that name, and if it is an expression.
  Value const* find(std::string_view name) const;
  /// The value, for an expression that in this ad alone at time 0.
  Value lookup(std::string_view attribute) const override;
  Expression const* expression(std::string_view attribute) const override;

  struct Attribute {
    std::string name;
    std::variant<Value, Expression> content;
  };
  std::vector<Attribute> const& attributes() const { return attributes_; }
  std::size_t size() const { return attributes_.size(); }
  bool empty() const { return attributes_.empty(); }

 private:
  Attribute const* attribute(std::string_view name) const;
  std::vector<Attribute> attributes_;  // in the order of the source
};

/// One "Name = value" of the old syntax. False if the line is not of that form.
bool parse_attribute(std::string_view line, Ad& into);

}  // namespace gridcast::classad
