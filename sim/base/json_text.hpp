// The one reader of JSON that comes from outside. Code that handles a JSON value recurses once per
// level of nesting, so a file of 200 kB can exhaust the stack. This reader therefore refuses a text
// that is nested more than `deepest_json` levels before anything else sees it. It reports each
// problem with its place. nlohmann's library does the parsing.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "sim/base/error.hpp"

namespace gridcast::inline base {

/// Levels of lists and objects. The files that gridcast reads need fewer than ten.
inline constexpr int deepest_json = 200;

/// The remedy and the name of the source in the report of a problem in a JSON text.
struct JsonSource {
  std::string file;
  std::string expected = "";  // why the text has to be JSON; may be empty
  std::string remedy = "";
};

/// The place of a byte of a text, which begins in the first line of the file.
Location place_in(std::string_view text, std::size_t byte, std::string file);

/// The size of the list or object at the beginning of a text; npos if it does not end.
std::size_t size_of_json(std::string_view text);

bool is_deep_json(std::string_view text);
/// InputError if the text is nested too deeply. `within` is the whole text of the file, which
/// contains `text`.
void expect_shallow_json(std::string_view text, std::string_view within, JsonSource const& source);

/// The value of a whole text. NaN and Infinity count as null, here and below, because programs in
/// Python write them. InputError if the text is cut off, is not JSON, is nested too deeply, or
/// contains a number beyond the range of double. `Json` is nlohmann::json or
/// nlohmann::ordered_json.
template <class Json = nlohmann::json>
Json parse_json(std::string_view text, JsonSource const& source);

/// True if a text has NaN or Infinity where a number could be.
bool has_no_number(std::string_view text);

/// The object of a text; a reader skips the damaged parts of such files. Nothing if it is no JSON
/// object or is nested too deeply.
std::optional<nlohmann::json> json_object(std::string_view text);

struct JsonMember;

/// A JSON value whose parts know their place in the file, for problems in files of other programs.
struct JsonTree {
  using Members = std::vector<JsonMember>;  // in the file's order
  using Items = std::vector<JsonTree>;

  std::variant<std::nullptr_t, bool, double, std::string, Items, Members> value;
  int line = 0, column = 0;  // the last character of a number or a text, else the first

  /// Null if it is something else.
  std::string const* text() const;
  double const* number() const;
  Items const* items() const;
  Members const* members() const;
  /// The last member of that name; null if this is no object or has none.
  JsonTree const* find(std::string_view name) const;
};

struct JsonMember {
  std::string name;
  JsonTree tree;
};

inline std::string const* JsonTree::text() const { return std::get_if<std::string>(&value); }
inline double const* JsonTree::number() const { return std::get_if<double>(&value); }
inline JsonTree::Items const* JsonTree::items() const { return std::get_if<Items>(&value); }
inline JsonTree::Members const* JsonTree::members() const { return std::get_if<Members>(&value); }

/// The same problems as parse_json.
JsonTree parse_json_tree(std::string_view text, JsonSource const& source);

}  // namespace gridcast::inline base
