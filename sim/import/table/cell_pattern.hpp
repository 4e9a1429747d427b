// Regular expressions that take a part out of a cell: "gres/gpu=(\d+)". PCRE2, with a limit on the work
// of a search, as maps are shared and cells are anything.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace gridcast::import {

class CellPattern {
 public:
  /// None if it is no regular expression.
  static std::optional<CellPattern> compile(std::string const& pattern);

  /// The first group of the first match; the whole match where there is no group; none without a
  /// match.
  std::optional<std::string_view> part_of(std::string_view cell) const;

 private:
  explicit CellPattern(std::shared_ptr<void> code) : code_(std::move(code)) {}
  std::shared_ptr<void> code_;
};

}  // namespace gridcast::import
