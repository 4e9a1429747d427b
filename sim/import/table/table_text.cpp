#include "sim/import/table/table_text.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/log_input.hpp"
#include "sim/base/text.hpp"
#include "sim/history/csv.hpp"

namespace gridcast::import {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t none = std::string_view::npos;

/// The cells of a line; none at all if one is not below its column's name.
std::vector<std::string_view> cells_below(std::vector<ListedColumn> const& columns,
                                          std::string_view line) {
  std::vector<std::string_view> cells;
  for (ListedColumn const& column : columns) {
    std::size_t const begin = std::min(column.begin, line.size());
    if (begin > 0 && begin < line.size() && line[begin - 1] != ' ') return {};
    cells.push_back(trim(line.substr(begin, column.size)));
  }
  return cells;
}

constexpr std::size_t nowhere = std::string_view::npos;

bool holds_only(std::string_view cell, std::string_view letters) {
  return cell.find_first_not_of(letters) == nowhere;
}

/// Columns that users fill.
bool is_free_text(std::string_view name) {
  constexpr std::string_view names[] = {"JobName",       "SubmitLine", "Comment", "AdminComment",
                                        "SystemComment", "WorkDir",    "Reason",  "Extra"};
  return std::ranges::any_of(names, [name](auto each) { return same_ignoring_case(each, name); });
}

/// A row of sacct has its states, codes and dates in their columns.
bool is_row_of_sacct(std::vector<std::string> const& header,
                     std::vector<std::string_view> const& cells) {
  bool has_state = false;
  for (std::size_t i = 0; i < header.size(); ++i) {
    std::string const name = lower(header[i]);
    std::string_view const cell = cells[i];
    bool const dated = name == "submit" || name == "start" || name == "end" || name == "eligible";
    bool const date = holds_only(cell, "0123456789-:T") || cell == "Unknown" || cell == "None";
    if (dated && !date) return false;
    if (name == "exitcode" && !holds_only(cell, "0123456789:")) return false;
    if (name != "state") continue;
    auto const word = cell.substr(0, cell.find_first_of(" +"));
    has_state = !word.empty() && holds_only(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
  }
  return has_state;
}

/// Puts the cell together again that has separators in it, if one place makes a row of sacct's. The
/// cells are parts of `row`, in order, and more than the header's.
void rejoin(std::vector<std::string> const& header, std::string_view row,
            std::vector<std::string_view>& cells) {
  std::size_t const more = cells.size() - header.size();
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (!is_free_text(header[i])) continue;
    std::string_view const last = cells[i + more];
    auto const begin = static_cast<std::size_t>(cells[i].data() - row.data());
    auto const end = static_cast<std::size_t>(last.data() - row.data()) + last.size();
    if (begin > end || end > row.size()) continue;  // a cell with quotes is a copy
    auto joined = cells;
    auto const at = joined.begin() + static_cast<std::ptrdiff_t>(i);
    *at = row.substr(begin, end - begin);
    joined.erase(at + 1, at + 1 + static_cast<std::ptrdiff_t>(more));
    if (!is_row_of_sacct(header, joined)) continue;
    cells = std::move(joined);
    return;
  }
}

class SeparatedTable final : public TableText {
 public:
  SeparatedTable(fs::path const& file, TableForm const& form, std::set<std::string> const& meant)
      : input_(file), window_(input_) {
    window_.more();
    skip_comments();
    TableRow row;
    listed_ = columns_below(window_.text());
    constexpr char no_separator = '\x1f';
    separator_ = listed_.empty() ? form.separator.value_or(',') : no_separator;
    if (!form.separator && listed_.empty()) {
      separator_ = separator_of(window_.text().substr(0, window_.text().find('\n')));
    }
    header_ = form.header;
    if (!header_.empty()) return;
    bool const taken = take_row(row);
    if (!troubles_.empty()) {
      Trouble const& first = troubles_.front();
      throw InputError(
          Problem{{file.string(), static_cast<int>(first.line), static_cast<int>(first.column)},
                  first.what,
                  "the first row has to name the columns",
                  ""});
    }
    if (!taken) {
      refuse({file.string(), 1}, "the table is empty", "it has no header", "");
    }
    for (std::string_view const cell : row.cells) header_.emplace_back(trim(cell));
    // `sacct --parsable` has a separator behind the last column as well.
    if (header_.size() > 1 && header_.back().empty()) header_.pop_back();
    header_ = in_spelling_of(meant, std::move(header_));
    if (!listed_.empty()) take_row(row);  // the dashes
  }

  std::vector<std::string> const& header() const override { return header_; }
  std::vector<Trouble> const& troubles() const override { return troubles_; }

  bool next(TableRow& row) override {
    while (take_row(row)) {
      if (row.cells.size() < header_.size()) join_lines(row);
      std::size_t const cells = row.cells.size();
      bool const closing = cells == header_.size() + 1 && row.cells.back().empty();
      if (closing) row.cells.pop_back();
      if (row.cells.size() > header_.size()) rejoin(header_, row_, row.cells);
      bool const cut = last_ && !ended_with_line_;
      if (row.cells.size() == header_.size()) {
        if (cut && !closing && !last_is_quoted_ && input_.trouble().empty()) {
          doubt_last_cell(row.line);
        }
        return true;
      }
      constexpr std::size_t most_troubles = 100'000;
      if (troubles_.size() == most_troubles) {
        ++troubles_.back().rows;
        continue;
      }
      troubles_.push_back(
          {row.line, 0,
           cut ? fmt::format("the last row has {} cells instead of {}; is the file cut off?", cells,
                             header_.size())
               : fmt::format("the row has {} cells instead of {}", cells, header_.size())});
    }
    if (!input_.trouble().empty() && !trouble_reported_) {
      trouble_reported_ = true;
      troubles_.push_back({line_, 0, input_.trouble(), 0});
    }
    return false;
  }

 private:
  void skip_comments() {
    std::size_t const size = comments_above(window_.text());
    auto const text = window_.text().substr(0, size);
    line_ += static_cast<std::size_t>(std::ranges::count(text, '\n'));
    window_.take(size);
  }

  /// sacct -P quotes nothing: a comment or a command of several lines goes on in the next lines.
  /// Lines are joined if they have as many cells as the header together, and none is a row itself.
  void join_lines(TableRow& row) {
    constexpr std::string_view quoting = ",;\t";  // tables with these quote such cells
    constexpr std::size_t most_lines = 1000;
    if (quoting.find(separator_) != none || !listed_.empty()) return;
    auto const separators = [this](std::string_view text) {
      return static_cast<std::size_t>(std::ranges::count(text, separator_));
    };
    std::size_t const wanted = header_.size() - 1;
    std::size_t found = separators(row_), size = 0;
    for (std::size_t lines = 0; found < wanted && lines < most_lines; ++lines) {
      std::size_t end = window_.text().find('\n', size);
      while (end == none && window_.more()) end = window_.text().find('\n', size);
      end = end == none ? window_.text().size() : end + 1;
      std::size_t const more = separators(window_.text().substr(size, end - size));
      if (end == size || more >= wanted) return;
      size = end;
      found += more;
    }
    bool const closing = found == wanted + 1;  // as `sacct --parsable` closes its rows
    if (found != wanted && !closing) return;
    take_lines(size);
    cut_up(row);
  }

  /// Appends so much of the window to the row.
  void take_lines(std::size_t size) {
    auto const text = window_.text().substr(0, size);
    line_ += static_cast<std::size_t>(std::ranges::count(text, '\n'));
    row_ += '\n';
    row_ += text;
    window_.take(size);
    end_row();
  }

  void end_row() {
    ended_with_line_ = row_.back() == '\n';
    last_ = window_.text().empty() && !window_.more();
    while (!row_.empty() && (row_.back() == '\n' || row_.back() == '\r')) row_.pop_back();
  }

  // The next row that is not empty, with as many cells as it has.
  bool take_row(TableRow& row) {
    while (true) {
      history::CsvRowEnd end =
          history::end_of_csv_row(window_.text(), separator_, window_.at_end());
      while (end.size == none && window_.more()) {
        end = history::end_of_csv_row(window_.text(), separator_, window_.at_end());
      }
      if (end.size == none) {
        end = history::end_of_csv_row(window_.text(), separator_, true);
        bool const cut = end.size == window_.text().size() && !window_.at_end();
        if (cut) return skip_overlong();
      }
      if (end.size == 0) return false;
      row_.assign(window_.text().substr(0, end.size));
      window_.take(end.size);
      row.line = line_;
      if (end.open != none) report_open_quote(end.open);
      line_ += static_cast<std::size_t>(std::ranges::count(row_, '\n'));
      end_row();
      if (row_.empty() || end.open != none) continue;
      cut_up(row);
      return true;
    }
  }

  /// Many editors write no last line end, and a cut within the last cell leaves none.
  void doubt_last_cell(std::size_t line) {
    troubles_.push_back({line, 0,
                         "the last row has no end of line; if the table was cut, its last cell may "
                         "be short",
                         0, true});
  }

  void report_open_quote(std::size_t at) {
    std::string_view const before = std::string_view(row_).substr(0, at);
    auto const lines = static_cast<std::size_t>(std::ranges::count(before, '\n'));
    std::size_t const line_begin = lines == 0 ? 0 : before.rfind('\n') + 1;
    troubles_.push_back({line_ + lines, at - line_begin + 1,
                         "nothing closes the quotation mark with which this cell begins"});
  }

  bool skip_overlong() {
    troubles_.push_back(
        {line_, 0, "a row is longer than 8 MB, and so is no row; the rest is left out"});
    while (!window_.text().empty()) {
      window_.take(window_.text().size());
      window_.more();
    }
    return false;
  }

  void cut_up(TableRow& row) {
    row.cells.clear();
    if (!listed_.empty()) {
      row.cells = cells_below(listed_, row_);
      return;
    }
    history::cut_csv_row(row_, separator_, [&](history::CsvPiece const& piece) {
      row.cells.push_back(piece.text);
      last_is_quoted_ = piece.quoted;
    });
  }

  LogInput input_;
  LogWindow window_;
  char separator_ = ',';
  std::vector<ListedColumn> listed_;  // of a listing; empty: cells have separators between
  std::vector<std::string> header_;
  std::string row_;
  std::size_t line_ = 1;
  bool ended_with_line_ = true, last_ = false, trouble_reported_ = false, last_is_quoted_ = false;
  std::vector<Trouble> troubles_;
};

}  // namespace

char separator_of(std::string_view header_line) {
  constexpr std::string_view usual = ",|\t;", unusual = "^~#@!%&";  // sacct --delimiter
  bool const is_usual = header_line.find_first_of(usual) != std::string_view::npos;
  // A list of nodes has commas in it; texts between commas have no bars and tabs.
  constexpr std::ptrdiff_t several = 3;
  for (char const each : {'|', '\t'}) {
    if (std::ranges::count(header_line, each) >= several) return each;
  }
  char most = ',';
  std::ptrdiff_t count = 0;
  for (char const each : is_usual ? usual : unusual) {
    auto const here = std::ranges::count(header_line, each);
    if (here > count) {
      most = each;
      count = here;
    }
  }
  return most;
}

std::size_t comments_above(std::string_view text) {
  auto const line_at = [text](std::size_t at) { return text.substr(at, text.find('\n', at) - at); };
  std::size_t begin = 0;
  while (begin < text.size() && (text[begin] == '#' || trim(line_at(begin)).empty())) {
    begin += line_at(begin).size() + 1;
  }
  if (begin >= text.size()) return 0;
  auto const header = line_at(begin);
  char const separator = separator_of(header);
  auto const separators = std::ranges::count(header, separator);
  for (std::size_t at = 0; at < begin && separators > 0; at += line_at(at).size() + 1) {
    auto const line = line_at(at);
    if (std::ranges::count(line, separator) == separators) return at;
  }
  return begin;
}

std::vector<std::string> in_spelling_of(std::set<std::string> const& names,
                                        std::vector<std::string> header) {
  for (std::string& column : header) {
    if (names.contains(column)) continue;
    auto const found = std::ranges::find_if(names, [&](std::string const& name) {
      return same_ignoring_case(name, column) && !contains(header, name);
    });
    if (found != names.end()) column = *found;
  }
  return header;
}

std::unique_ptr<TableText> open_table(fs::path const& file, TableForm const& form,
                                      std::set<std::string> const& meant) {
  char first = '\0';
  {
    LogInput input(file);
    std::string beginning(256, '\0');
    beginning.resize(input.read(beginning.data(), beginning.size()));
    std::string_view const text = trim(beginning);
    if (!text.empty()) first = text.front();
  }
  if (first == '{' || first == '[') return json_table(file, meant);
  return std::make_unique<SeparatedTable>(file, form, meant);
}

std::vector<ListedColumn> columns_below(std::string_view text) {
  std::vector<ListedColumn> columns;
  std::size_t const first = text.find('\n');
  if (first == nowhere) return columns;
  std::string_view line = text.substr(first + 1);
  line = line.substr(0, line.find_first_of("\r\n"));
  if (!holds_only(line, "- ")) return columns;
  for (std::size_t at = line.find('-'); at != nowhere;) {
    std::size_t const end = std::min(line.find(' ', at), line.size());
    columns.push_back({at, end - at});
    at = line.find('-', end);
  }
  if (columns.size() < 2) columns.clear();
  return columns;
}

}  // namespace gridcast::import
