// JSON whose values know where they stand in their file, for messages about files of other
// programs, and its members by kind, with a problem at its place for each that is missing or of
// another kind. The parsing is nlohmann's; this keeps the places.
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

class JsonChecks {
 public:
  explicit JsonChecks(std::string file) : file_(std::move(file)) {}

  Location place(JsonTree const& node) const { return {file_, node.line, node.column}; }
  void complain(JsonTree const& node, std::string what, std::string why = "",
                std::string hint = "") {
    problems_.push_back({place(node), std::move(what), std::move(why), std::move(hint)});
  }
  std::vector<Problem> const& problems() const { return problems_; }

  /// Null, with a problem, if the object has it not or as another kind. `path` says where `in` is.
  JsonTree const* object(JsonTree const& in, std::string const& path, std::string_view name,
                         bool required = true);
  JsonTree::Items const* list(JsonTree const& in, std::string const& path, std::string_view name,
                              bool required = true);
  /// Not empty.
  std::string const* text(JsonTree const& in, std::string const& path, std::string_view name,
                          bool required = true);
  double const* number(JsonTree const& in, std::string const& path, std::string_view name,
                       bool required = true);
  /// The items of a list of texts, with their places; empty if it is not there.
  std::vector<JsonTree const*> texts(JsonTree const& in, std::string const& path,
                                     std::string_view name, bool required);

 private:
  JsonTree const* member(JsonTree const& in, std::string const& path, std::string_view name,
                         bool required);
  void complain_of_kind(JsonTree const& node, std::string const& path, std::string_view name,
                        std::string_view kind);

  std::string file_;
  std::vector<Problem> problems_;
};

}  // namespace gridcast::import
