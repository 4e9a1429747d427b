#include "sim/history/csv.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "sim/base/text.hpp"

namespace gridcast::history {
namespace {

/// What a spreadsheet would take for a formula and run (OWASP, CSV injection). A minus sign alone
/// is also that of a number.
bool looks_like_formula(std::string_view text) {
  if (text.empty()) return false;
  if (text.front() != '-') return std::string_view("=+@\t\r").find(text.front()) != text.npos;
  double number = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error != std::errc() || end != text.data() + text.size();
}

/// Apostrophes first, and behind them what looks like a formula: one of them is the guard's.
bool is_guarded(std::string_view text) {
  auto const first = text.find_first_not_of('\'');
  return first != text.npos && first > 0 && looks_like_formula(text.substr(first));
}

class CsvParser {
 public:
  CsvParser(std::string_view text, std::string const& file, std::vector<Problem>& problems)
      : text_(text), file_(file), problems_(problems) {}

  std::vector<CsvRow> parse() {
    std::vector<CsvRow> rows;
    while (!done()) {
      if (at_line_end()) {
        skip_line_end();
        continue;
      }
      CsvRow row = parse_row();
      if (!std::exchange(row_is_broken_, false)) rows.push_back(std::move(row));
    }
    return rows;
  }

 private:
  bool done() const { return next_ >= text_.size(); }
  char peek() const { return text_[next_]; }
  bool at_line_end() const { return done() || peek() == '\n' || peek() == '\r'; }

  char take() {
    char const c = text_[next_++];
    ++column_;
    if (c == '\n') {
      ++line_;
      column_ = 1;
    }
    return c;
  }

  void skip_line_end() {
    if (!done() && peek() == '\r') take();
    if (!done() && peek() == '\n') take();
  }

  CsvRow parse_row() {
    CsvRow row;
    while (true) {
      row.push_back(!done() && peek() == '"' ? parse_quoted() : parse_plain());
      if (is_guarded(row.back().text)) row.back().text.erase(0, 1);
      if (done() || peek() != ',') break;
      take();
    }
    skip_line_end();
    return row;
  }

  CsvCell parse_plain() {
    CsvCell cell{"", line_, column_};
    while (!at_line_end() && peek() != ',') {
      if (peek() == '"') report("a quote within a cell", "a cell with quotes is itself in quotes");
      cell.text += take();
    }
    return cell;
  }

  CsvCell parse_quoted() {
    CsvCell cell{"", line_, column_};
    take();
    while (!done()) {
      char const c = take();
      if (c != '"') {
        cell.text += c;
      } else if (!done() && peek() == '"') {
        cell.text += take();
      } else {
        skip_after_quotes();
        return cell;
      }
    }
    report_at(cell.line, cell.column, "a quote that is never closed", "");
    return cell;
  }

  void skip_after_quotes() {
    if (at_line_end() || peek() == ',') return;
    report("text after a closing quote", "a comma or the end of the line was expected");
    while (!at_line_end() && peek() != ',') take();
  }

  void report(std::string const& what, std::string const& why) {
    report_at(line_, column_, what, why);
  }

  // One problem a row: what follows a stray quote is noise.
  void report_at(int line, int column, std::string const& what, std::string const& why) {
    if (std::exchange(row_is_broken_, true)) return;
    problems_.push_back({{file_, line, column}, what, why, ""});
  }

  std::string_view text_;
  std::string const& file_;
  std::vector<Problem>& problems_;
  std::size_t next_ = 0;
  int line_ = 1;
  int column_ = 1;
  bool row_is_broken_ = false;
};

// Cell text as it can be shown in a message: not too long, nothing that moves the cursor.
std::string shown(std::string_view text) {
  constexpr std::size_t longest = 40;
  std::string safe = "'";
  for (char c : text.substr(0, longest)) safe += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
  return safe + (text.size() > longest ? "...'" : "'");
}

// The whole text as a number; none if it is anything else.
template <class Number>
std::optional<Number> parse(std::string_view text) {
  Number value{};
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::vector<CsvRow> parse_csv(std::string_view text, std::string const& file,
                              std::vector<Problem>& problems) {
  return CsvParser(text, file, problems).parse();
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
  problems_.push_back(
      {{file_, cell.line, cell.column}, std::move(what), std::move(why), std::move(hint)});
}

std::int64_t CellReader::count(CsvCell const& cell, std::string_view column, std::int64_t most) {
  auto const value = parse<std::int64_t>(trim(cell.text));
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
  auto const value = parse<double>(text);
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

std::vector<std::string> CellReader::names(CsvCell const& cell, std::string_view column) {
  std::vector<std::string> list;
  if (trim(cell.text).empty()) return list;
  for (auto const& part : split(cell.text, '|')) {
    list.emplace_back(trim(part));
    if (list.back().empty()) report(cell, fmt::format("{}: a name is missing beside '|'", column));
  }
  return list;
}

std::optional<std::size_t> CellReader::one_of(CsvCell const& cell, std::string_view what,
                                              std::span<std::string_view const> known) {
  std::string_view const text = trim(cell.text);
  auto const found = std::find(known.begin(), known.end(), text);
  if (found == known.end()) {
    report(cell, fmt::format("unknown {} {}", what, shown(cell.text)), "",
           suggestion(text, {known.begin(), known.end()}));
    return std::nullopt;
  }
  return static_cast<std::size_t>(found - known.begin());
}

}  // namespace gridcast::history
