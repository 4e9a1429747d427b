// Ads as a table, an ad a row: as `condor_history -af:h` and `-af:ht` print them, and as programs
// such as pandas write ads that they have read. The first row has the attributes' names.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/base/text.hpp"
#include "sim/condor/ads/ad_text.hpp"
#include "sim/history/csv.hpp"

namespace gridcast::condor {
namespace {

using classad::Value;
using Cells = std::vector<std::string>;

constexpr char no_separator = ' ';

/// Between the names of attributes, none of which has another sign than '_'.
char separator_of(std::string_view header) {
  for (char const each : {'\t', ',', ';', '|'}) {
    if (header.find(each) != std::string_view::npos) return each;
  }
  return no_separator;
}

std::string_view without_quotes(std::string_view cell) {
  bool const quoted = cell.size() > 1 && cell.front() == '"' && cell.back() == '"';
  return quoted ? cell.substr(1, cell.size() - 2) : cell;
}

/// Words with blanks between; an expression, which has blanks in it, is one.
Cells words_of(std::string_view row) {
  Cells words;
  while (!(row = trim(row)).empty()) {
    std::size_t end = row.find(no_separator);
    if (row.starts_with("/Expr("))
      end = row.find(no_separator, std::min(row.find(")/"), row.size()));
    if (row.starts_with('"')) end = row.find(no_separator, std::min(row.find('"', 1), row.size()));
    end = std::min(end, row.size());
    words.emplace_back(without_quotes(row.substr(0, end)));
    row.remove_prefix(end);
  }
  return words;
}

Cells cells_of(std::string row, char separator) {
  if (separator == no_separator) return words_of(row);
  Cells cells;
  history::cut_csv_row(row, separator, [&](history::CsvPiece const& piece) {
    cells.emplace_back(without_quotes(trim(piece.text)));
  });
  return cells;
}

bool is_text_of_people(std::string const& name) {
  std::string const small = lower(name);
  return small.ends_with("reason") || small == "args" || small == "arguments";
}

/// -autoformat does not quote: surplus cells are parts of the only text that can have separators.
bool fit_to(Cells const& names, char separator, Cells& cells) {
  if (cells.size() == names.size() + 1 && cells.back().empty()) cells.pop_back();
  auto const text = std::ranges::find_if(names, is_text_of_people);
  bool const surplus =
      cells.size() > names.size() && std::ranges::count_if(names, is_text_of_people) == 1;
  if (surplus) {
    auto const at = cells.begin() + (text - names.begin());
    while (cells.size() > names.size()) {
      *at += fmt::format("{}{}", separator, *(at + 1));
      cells.erase(at + 1);
    }
  }
  return cells.size() == names.size();
}

/// Undefined where there is no value, and of an expression, as in JSON.
Value value_of(std::string const& cell) {
  std::string const small = lower(cell);
  for (char const* const nothing : {"", "undefined", "error", "nan", "null", "none"}) {
    if (small == nothing) return {};
  }
  if (small.starts_with("/expr(")) return {};
  if (small == "true" || small == "false") return Value(small == "true");
  if (auto const whole = text_as<std::int64_t>(cell)) return Value(*whole);
  if (auto const real = text_as<double>(cell)) return Value(*real);
  return Value(cell);
}

bool has_attribute(Cells const& names, std::string_view name) {
  return std::ranges::any_of(names,
                             [&](auto const& each) { return same_ignoring_case(each, name); });
}

/// A table in which a program has written dates as words is one for a column map.
bool is_date_of_words(std::string const& name, std::string const& cell) {
  constexpr std::string_view dates[] = {"QDate", "JobStartDate", "JobCurrentStartDate",
                                        "CompletionDate", "EnteredCurrentStatus"};
  bool const is_date =
      std::ranges::any_of(dates, [&](auto date) { return same_ignoring_case(name, date); });
  return is_date && value_of(cell).as<std::string>() != nullptr;
}

/// The rows that are not empty, the first below comments.
class AdRows {
 public:
  explicit AdRows(std::string_view text) : text_(text) { read_names(); }

  Cells const& names() const { return names_; }
  std::size_t line() const { return line_; }

  /// False at the end.
  bool next(Cells& cells) {
    std::string const row(take_row());
    if (row.empty()) return false;
    cells = cells_of(row, separator_);
    is_whole_ = fit_to(names_, separator_, cells);
    return true;
  }
  bool is_whole() const { return is_whole_; }

 private:
  void read_names() {
    std::string_view row = take_row();
    while (row.starts_with('#')) row = take_row();
    separator_ = separator_of(row);
    names_ = cells_of(std::string(row), separator_);
  }

  std::string_view take_row() {
    constexpr std::size_t longest = std::size_t{1} << 20U;
    std::string_view row;
    while (row.empty() && !text_.empty()) {
      line_ = next_line_;
      std::size_t size = std::min(text_.find('\n'), text_.size() - 1) + 1;
      // Between blanks and in the first row, a quotation mark begins no line break.
      if (separator_ != no_separator) {
        size = history::end_of_csv_row(text_.substr(0, longest), separator_, true).size;
      }
      std::string_view const whole = text_.substr(0, size);
      next_line_ += static_cast<std::size_t>(std::ranges::count(whole, '\n'));
      text_.remove_prefix(whole.size());
      row = trim(whole);
    }
    return row;
  }

  std::string_view text_;
  std::size_t line_ = 1, next_line_ = 1;
  char separator_ = no_separator;
  Cells names_;
  bool is_whole_ = false;
};

}  // namespace

bool is_table_of_ads(std::string_view text) {
  AdRows rows(text);
  Cells const& names = rows.names();
  bool const of_jobs = has_attribute(names, "ClusterId") && has_attribute(names, "ProcId") &&
                       (has_attribute(names, "JobStatus") || has_attribute(names, "QDate"));
  Cells cells;
  if (!of_jobs || !rows.next(cells) || !rows.is_whole()) return of_jobs;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (is_date_of_words(names[i], cells[i])) return false;
  }
  return true;
}

void read_table_ads(std::string_view text, LogWarnings& warnings, AdSink const& sink) {
  AdRows rows(text);
  Cells cells;
  while (rows.next(cells)) {
    if (!rows.is_whole()) {
      warnings.not_understood("a row has not one value for each name in the first row",
                              rows.line());
      continue;
    }
    TextAd ad;
    ad.line = rows.line();
    for (std::size_t i = 0; i < cells.size(); ++i) {
      ad.attributes.emplace_back(rows.names()[i], value_of(cells[i]));
    }
    sink(std::move(ad));
  }
}

}  // namespace gridcast::condor
