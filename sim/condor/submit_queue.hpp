// A queue statement: how many jobs, and for which items.
//   queue [count]
//   queue [count] [names] in [slice] (items)
//   queue [count] [name] matching [files | dirs | any] [slice] (patterns)
//   queue [count] [names] from [slice] FILE | (lines)
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"

namespace gridcast::condor {

struct SubmitQueue {
  enum class Source { none, in, from_lines, from_file, from_command, matching };
  std::string count;  // an expression; empty: 1
  std::vector<std::string> names;
  Source source = Source::none;
  std::string matching;  // files, dirs, any, or nothing
  std::string slice;     // "[1:3]", or nothing
  std::string content;   // items, lines, patterns, a file's name
  bool is_open = false;  // a parenthesis was opened and not closed: lines follow
};

/// Of what follows the word queue. InputError if it is of no such form.
SubmitQueue parse_queue(std::string_view text, Location const& where);

/// Items of a list, between blanks and commas.
std::vector<std::string> list_items(std::string_view text);
/// Those of a slice as Python cuts it; InputError if it is none.
std::vector<std::string> sliced(std::vector<std::string> const& items, std::string const& slice,
                                Location const& where);
/// An item's parts for so many names: the last takes all that is left.
std::vector<std::string> item_parts(std::string const& item, std::size_t names);

}  // namespace gridcast::condor
