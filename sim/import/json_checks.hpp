// The members of a JSON document by kind, with a problem at its place for each that is missing or
// of another kind.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/import/json_tree.hpp"

namespace gridcast::import {

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
