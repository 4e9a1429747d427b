// The functions of the ClassAd language, by name. HTCondor manual, "ClassAds: Predefined
// functions". time(), eval() and ifThenElse() are the evaluator's own, because they need more than
// values. And regular expressions, which other rooms read as the language does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/classad/value.hpp"

namespace gridcast::classad {

struct Call {
  List const& arguments;
  std::int64_t now;

  Value const& operator[](std::size_t i) const { return arguments[i]; }
  std::size_t size() const { return arguments.size(); }
  /// The argument's text, or `otherwise` when it was left out.
  std::string text(std::size_t i, std::string_view otherwise = "") const {
    return i < size() ? arguments[i].to_plain_text() : std::string(otherwise);
  }
  /// True if all arguments are strings.
  bool all_texts() const;
};

/// True if a call with an undefined argument or an error among them is undefined or an error.
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

/// Those of list_functions.cpp.
std::span<Function const> list_functions();

/// The items between any of the delimiters; an empty text between two is no item.
List items(std::string const& text, std::string const& delimiters);

/// Null if there is none of that name.
Function const* find_function(std::string_view name);

/// A Perl regular expression (PCRE2, as HTCondor uses), with a limit on the work of one match.
class Pattern {
 public:
  /// Options: i letter case is ignored, m ^ and $ at each line, s a dot is a line end too, x blanks
  /// and comments in the pattern; others mean nothing. Nothing if it is no regular expression.
  static std::optional<Pattern> compile(std::string const& pattern, std::string_view options = "");

  /// The first match from an offset on: begin and end of the whole, then of each group (npos: took
  /// no part). Nothing if none, or if the search took too much work: `most_steps`, fewer in a
  /// longer text, because the search starts at many places.
  struct Span {
    std::size_t begin, end;
  };
  std::optional<std::vector<Span>> find(std::string_view text, std::size_t from = 0,
                                        std::optional<std::uint32_t> most_steps = {}) const;

 private:
  explicit Pattern(std::shared_ptr<void> code) : code_(std::move(code)) {}
  std::shared_ptr<void> code_;
};

}  // namespace gridcast::classad
