// Perl regular expressions (PCRE2, as HTCondor uses), with a limit on the work of one match.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gridcast::classad {

class Pattern {
 public:
  /// Options: i letter case is ignored, m ^ and $ at each line, s a dot is a line end too, x blanks
  /// and comments in the pattern; others mean nothing. Nothing if it is no regular expression.
  static std::optional<Pattern> compile(std::string const& pattern, std::string_view options);

  /// The first match from an offset on: begin and end of the whole, then of each group (npos: took
  /// no part). Nothing if none, or if the search took too much work.
  struct Span {
    std::size_t begin, end;
  };
  std::optional<std::vector<Span>> find(std::string_view text, std::size_t from = 0) const;

 private:
  explicit Pattern(std::shared_ptr<void> code) : code_(std::move(code)) {}
  std::shared_ptr<void> code_;
};

}  // namespace gridcast::classad
