#include "sim/history/csv.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sim/base/json_text.hpp"
#include "sim/base/text.hpp"

namespace gridcast::history {
namespace {

constexpr std::size_t none = std::string_view::npos;

/// Text that a spreadsheet would take for a formula and run (OWASP, CSV injection). A minus sign
/// alone is also that of a number.
bool looks_like_formula(std::string_view text) {
  if (text.empty()) return false;
  if (text.front() != '-') return std::string_view("=+@\t\r").find(text.front()) != text.npos;
  return !text_as<double>(text);
}

/// Apostrophes before text that looks like a formula: one of them is the guard's.
bool is_guarded(std::string_view text) {
  if (!text.starts_with('\'')) return false;
  auto const first = text.find_first_not_of('\'');
  return first != none && looks_like_formula(text.substr(first));
}

/// Behind the quote that closes a cell; npos if it is not there. Two quotes are one of the cell's.
std::size_t end_of_quotes(std::string_view text, std::size_t open) {
  std::size_t close = text.find('"', open + 1);
  while (close != none && close + 1 < text.size() && text[close + 1] == '"') {
    close = text.find('"', close + 2);
  }
  return close == none ? none : close + 1;
}

/// True if a cell in quotes can end here. If a cell spans lines and something else follows, its
/// quote is a stray one, and the quote that seems to close it opens another cell.
bool ends_cell(std::string_view behind, char separator) {
  auto const next = behind.find_first_not_of(" \t\r");
  return next == none || behind[next] == '\n' || behind.substr(0, next + 1).find(separator) != none;
}

/// The row's cells with their places, or its first problem.
/// Spreadsheets write semicolons where a comma is the decimal sign.
char separator_in(std::string_view header) {
  return header.find(',') == none && header.find(';') != none ? ';' : ',';
}

void add_row(std::string_view source, char separator, Location const& begin,
             std::vector<CsvRow>& rows, std::vector<Problem>& problems) {
  // From the cell before, not from the row's begin: a row may have a million cells.
  Location here{begin.file, begin.line, 1};
  std::size_t here_at = 0;
  auto const place = [&](std::size_t at) {
    Location where = place_in(source.substr(here_at), at - here_at, begin.file);
    if (where.line == 1) where.column += here.column - 1;
    where.line += here.line - 1;
    return where;
  };
  std::string text(source);
  CsvRow row;
  std::optional<Problem> problem;  // one for each row: the text behind a stray quote is noise
  cut_csv_row(text, separator, [&](CsvPiece const& piece) {
    here = place(piece.begin);
    here_at = piece.begin;
    row.push_back({std::string(piece.text), here.line, here.column});
    std::size_t const stray = piece.quoted ? none : piece.text.find('"');
    if (stray != none && !problem) {
      problem = {place(piece.begin + stray), "a quote within a cell",
                 "a cell with quotes is itself in quotes", ""};
    } else if (!piece.behind.empty() && !problem) {
      problem = {place(static_cast<std::size_t>(piece.behind.data() - text.data())),
                 "text after a closing quote", "a comma or the end of the line was expected", ""};
    }
  });
  if (problem) return problems.push_back(std::move(*problem));
  rows.push_back(std::move(row));
}

// Cell text as it can be shown in a message: not too long, nothing that moves the cursor.
std::string shown(std::string_view text) {
  constexpr std::size_t longest = 40;
  std::string safe = "'";
  for (char c : text.substr(0, longest)) safe += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
  return safe + (text.size() > longest ? "...'" : "'");
}

}  // namespace

CsvRowEnd end_of_csv_row(std::string_view text, char separator, bool whole) {
  bool cell_begins = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (cell_begins && text[i] == '"') {
      std::size_t const end = end_of_quotes(text, i);
      if (!whole && (end == none || end == text.size())) return {};
      bool const one_line = text.substr(i, std::min(end, text.size()) - i).find('\n') == none;
      if (end == none || (!one_line && !ends_cell(text.substr(end), separator))) {
        std::size_t const line_end = text.find('\n', i);
        return {line_end == none ? text.size() : line_end + 1, i};
      }
      i = end - 1;
      cell_begins = false;
      continue;
    }
    if (text[i] == '\n') return {i + 1};
    cell_begins = text[i] == separator;
  }
  return {whole ? text.size() : none};
}

CsvPiece csv_piece(std::string& row, char separator, std::size_t begin, std::size_t& end) {
  CsvPiece piece{{}, begin, begin < row.size() && row[begin] == '"', {}};
  std::string_view const all = row;
  if (piece.quoted) {
    std::size_t to = begin + 1, from = begin + 1;
    while (from < row.size()) {
      if (row[from] == '"') {
        if (from + 1 >= row.size() || row[from + 1] != '"') break;
        ++from;
      }
      row[to++] = row[from++];
    }
    std::size_t const closed = std::min(from + 1, row.size());
    end = std::min(row.find(separator, closed), row.size());
    piece.text = all.substr(begin + 1, to - begin - 1);
    piece.behind = all.substr(closed, end - closed);
  } else {
    end = std::min(row.find(separator, begin), row.size());
    piece.text = all.substr(begin, end - begin);
  }
  if (is_guarded(piece.text)) piece.text.remove_prefix(1);
  return piece;
}

std::vector<CsvRow> parse_csv(std::string_view text, std::string const& file,
                              std::vector<Problem>& problems) {
  std::vector<CsvRow> rows;
  char const separator = separator_in(text.substr(0, text.find('\n')));
  for (Location begin{file, 1}; !text.empty();) {
    CsvRowEnd const end = end_of_csv_row(text, separator, true);
    std::string_view const row = text.substr(0, end.size);
    std::string_view const source = row.substr(0, row.find_last_not_of("\r\n") + 1);
    if (end.open != none) {
      Location where = place_in(row, end.open, file);
      where.line += begin.line - 1;
      problems.push_back({std::move(where), "a quote that is never closed", "", ""});
    } else if (!source.empty()) {
      add_row(source, separator, begin, rows, problems);
    }
    begin.line += static_cast<int>(std::ranges::count(row, '\n'));
    text.remove_prefix(end.size);
  }
  return rows;
}

std::string csv_cell(std::string const& plain) {
  bool const guard = looks_like_formula(plain) || is_guarded(plain);
  std::string const text = guard ? "'" + plain : plain;
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (char const c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

void CellReader::report(CsvCell const& cell, std::string what, std::string why, std::string hint) {
  add_problem(problems_, {file_, cell.line, cell.column}, std::move(what), std::move(why),
              std::move(hint));
}

std::int64_t CellReader::count(CsvCell const& cell, std::string_view column, std::int64_t most) {
  auto const value = text_as<std::int64_t>(trim(cell.text));
  if (!value) {
    report(cell, fmt::format("{}: {} is not a whole number", column, shown(cell.text)));
    return 0;
  }
  if (*value < 0) report(cell, fmt::format("{}: {} is negative", column, *value));
  if (*value > most) report(cell, fmt::format("{}: {} is more than {}", column, *value, most));
  return std::clamp<std::int64_t>(*value, 0, most);
}

std::optional<Seconds> CellReader::parse_time(CsvCell const& cell, std::string_view text,
                                              std::string_view column) {
  auto const value = text_as<double>(text);
  if (!value || !std::isfinite(*value)) {
    report(cell, fmt::format("{}: {} is not a number of seconds", column, shown(text)));
    return std::nullopt;
  }
  if (*value < 0) {
    report(cell, fmt::format("{}: {} s is negative", column, *value));
    return std::nullopt;
  }
  return Seconds(*value);
}

std::optional<Seconds> CellReader::time(CsvCell const& cell, std::string_view column) {
  std::string_view const text = trim(cell.text);
  return text.empty() ? std::nullopt : parse_time(cell, text, column);
}

std::vector<Seconds> CellReader::times(CsvCell const& cell, std::string_view column) {
  std::vector<Seconds> list;
  if (trim(cell.text).empty()) return list;
  for (auto const& part : split(cell.text, '|')) {
    if (auto const value = parse_time(cell, trim(part), column)) list.push_back(*value);
  }
  return list;
}

std::string joined_names(std::vector<std::string> const& names) {
  std::string text;
  for (std::string const& name : names) {
    if (&name != &names.front()) text += '|';
    for (char const c : name) text += c == '|' ? "\\|" : std::string(1, c);
  }
  return text;
}

std::vector<std::string> CellReader::names(CsvCell const& cell, std::string_view column) {
  std::vector<std::string> list;
  if (trim(cell.text).empty()) return list;
  for (auto const& part : split(cell.text, '|')) {
    bool const goes_on = !list.empty() && list.back().ends_with('\\');
    if (goes_on) list.back().back() = '|';
    goes_on ? list.back().append(trim(part)) : list.emplace_back(trim(part));
    if (list.back().empty()) report(cell, fmt::format("{}: a name is missing beside '|'", column));
  }
  return list;
}

std::optional<std::size_t> CellReader::one_of(CsvCell const& cell, std::string_view what,
                                              std::span<std::string_view const> known) {
  std::string_view const text = trim(cell.text);
  auto const found = std::ranges::find(known, text);
  if (found == known.end()) {
    report(cell, fmt::format("unknown {} {}", what, shown(cell.text)), "",
           suggestion(text, {known.begin(), known.end()}));
    return std::nullopt;
  }
  return static_cast<std::size_t>(found - known.begin());
}

}  // namespace gridcast::history
