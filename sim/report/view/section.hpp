// A result as a list of sections. Each section states facts in lines and tables, in the order in
// which they are read. The terminal and the report page are writers of the same list.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sim/report/text/layout.hpp"

namespace gridcast::report {

/// Prose of prose, each ended by a newline.
struct Prose {
  std::string text;
  Fit fit = {};
};

/// A table, with blanks before each of its lines on a terminal.
struct IndentedTable {
  TextTable table;
  std::size_t indent = 0;
};

/// A picture made of characters. A page has a figure instead.
using Drawing = std::function<std::string(Screen const&)>;

using Statement = std::variant<Prose, IndentedTable, Drawing>;

struct Section {
  std::string id = {}, title = {};
  std::vector<Statement> statements = {};

  /// Adds a line; nothing for an empty one.
  Section& say(std::string line, Fit fit = {});
  /// Adds an empty line.
  Section& gap();
  Section& show(TextTable table, std::size_t indent = 0);
  Section& draw(Drawing drawing);
  Section& append(Section other);
};

/// The section as lines for a terminal.
std::string terminal_text(Section const& section, Screen const& screen);
/// The sections that state anything, with an empty line between them.
std::string terminal_text(std::vector<Section> const& sections, Screen const& screen);

}  // namespace gridcast::report
