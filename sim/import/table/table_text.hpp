// A table of any origin as rows of cells: comma, tab, semicolon or bar between (RFC 4180 quotes, as
// spreadsheets write them; an open quote ends with its line), columns below a line of dashes, or a
// list of JSON objects (one array,
// one object a line, or one object that has such a list). Plain or compressed; read a window at a
// time: ten million rows need no more memory than one.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gridcast::import {

struct TableRow {
  std::vector<std::string_view> cells;  // as many as the header has; valid until the next row
  std::size_t line = 0;                 // where it begins, from 1
};

/// The separator between the cells of this line: the most frequent one.
char separator_of(std::string_view header_line);

/// The size of the lines above a table that begin with '#', and of empty lines between. A line with
/// as many cells as the next row is the header ("#job,site").
std::size_t comments_above(std::string_view text);

/// The columns by these names where they differ in the case of letters alone.
std::vector<std::string> in_spelling_of(std::set<std::string> const& names,
                                        std::vector<std::string> header);

class TableText {
 public:
  virtual ~TableText() = default;

  virtual std::vector<std::string> const& header() const = 0;
  virtual bool next(TableRow& row) = 0;
  /// True if its rows are JSON objects, and its header their members.
  virtual bool is_json() const { return false; }
  /// After the end: unread parts and their place; empty if nothing.
  struct Trouble {
    std::size_t line = 0, column = 0;  // 0: none
    std::string what;
    std::size_t rows =
        1;  // that are left out with it; rows missing from a cut file are not among them
    bool doubt = false;  // nothing is known to be missing
  };
  virtual std::vector<Trouble> const& troubles() const = 0;
};

/// How rows are separated into cells.
struct TableForm {
  std::optional<char> separator = {};    // none: as the first line shows
  std::vector<std::string> header = {};  // of a table whose first row is not its columns' names
};

/// InputError for a file that cannot be opened, and for an empty table. If a JSON document has
/// several lists, the one counts whose objects have most of the expected names.
std::unique_ptr<TableText> open_table(std::filesystem::path const& file, TableForm const& form,
                                      std::set<std::string> const& meant);

/// The same of a JSON document.
std::unique_ptr<TableText> json_table(std::filesystem::path const& file,
                                      std::set<std::string> const& meant);

// Two ways in which the text of sacct is no table with separators: a listing for people, in which a
// line of dashes below the names shows how wide each column is, and rows of --parsable with bars in
// a job's name or the command of its submission, which have no quotes.

/// Where a column's cells are in each line.
struct ListedColumn {
  std::size_t begin = 0, size = 0;
};

/// The columns of a listing; none if the second line is not of dashes.
std::vector<ListedColumn> columns_below(std::string_view text);

}  // namespace gridcast::import
