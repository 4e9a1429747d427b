// JSON whose values know where they stand in their file, for messages about files of other
// programs. The parsing is nlohmann's; this keeps the places.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "sim/base/error.hpp"

namespace gridcast::import {

struct JsonTree {
  using Members = std::vector<std::pair<std::string, JsonTree>>;  // in the file's order
  using Items = std::vector<JsonTree>;

  std::variant<std::nullptr_t, bool, double, std::string, Items, Members> value;
  int line = 0, column = 0;  // of a number or a text its last character, else its first

  // Null if it is something else.
  std::string const* text() const;
  double const* number() const;
  Items const* items() const;
  Members const* members() const;
  /// The last member of that name; null if this is no object or has none.
  JsonTree const* find(std::string_view name) const;
};

/// InputError, with its place, for what is no JSON: cut off, a wrong character, nested deeper than
/// anybody writes.
JsonTree read_json_tree(std::filesystem::path const& file);
JsonTree parse_json_tree(std::string const& text, std::string const& file);

}  // namespace gridcast::import
