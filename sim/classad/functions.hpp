// The functions of the ClassAd language, by name. HTCondor manual, "ClassAds: Predefined functions".
// time(), eval() and ifThenElse() are the evaluator's own, because they need more than values.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "sim/classad/value.hpp"

namespace gridcast::classad {

struct Call {
  List const& arguments;
  std::int64_t now;

  Value const& operator[](std::size_t i) const { return arguments[i]; }
  std::size_t size() const { return arguments.size(); }
  /// The argument's text, or what holds when it was left out.
  std::string text(std::size_t i, std::string_view otherwise = "") const {
    return i < size() ? arguments[i].to_plain_text() : std::string(otherwise);
  }
  /// Whether all arguments are strings.
  bool all_texts() const;
};

/// Whether a call with an undefined argument or an error among them is undefined or an error.
enum class Strictness { strict, lax };

struct Function {
  enum class Special { none, time, eval, if_then_else };
  static constexpr std::size_t any = 1000;

  std::string_view name;
  std::size_t least = 0, most = 0;  // arguments
  Strictness strictness = Strictness::strict;
  Value (*body)(Call const&) = nullptr;
  Special special = Special::none;
};

/// Null if there is none of that name.
Function const* find_function(std::string_view name);

/// Those of strings, of strings as lists, and of regular expressions; for find_function.
std::span<Function const> functions_of_texts();

}  // namespace gridcast::classad
