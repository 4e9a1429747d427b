// An ad: attributes by name. Old syntax (one "Name = value" a line, as condor_history -long prints)
// and new ("[ a = 1; b = 2 ]"). An attribute is a value or an expression; expressions are evaluated
// at each look, and what refers to itself is an error.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "sim/classad/expression.hpp"
#include "sim/classad/value.hpp"

namespace gridcast::classad {

class Ad final : public Scope {
 public:
  /// Replaces what has that name, whatever its case.
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
