#include "sim/training/source_csv.hpp"

#include <charconv>
#include <limits>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/history/csv.hpp"

namespace gridcast::training {

double NumberRow::number(std::string const& column) const {
  std::string const& cell = text(column);
  double value = std::numeric_limits<double>::quiet_NaN();
  std::from_chars(cell.data(), cell.data() + cell.size(), value);
  return value;
}

std::string const& NumberRow::text(std::string const& column) const {
  auto const found = cells.find(column);
  check(found != cells.end(), "a table of the sources has the column " + column);
  return found->second;
}

std::vector<NumberRow> read_number_rows(std::filesystem::path const& file) {
  std::vector<Problem> problems;
  auto const rows = history::parse_csv(read_text_file(file), file.string(), problems);
  std::vector<NumberRow> numbers;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (rows[i].size() != rows.front().size()) {
      problems.push_back(
          {{file.string(), rows[i].front().line, 1},
           fmt::format("{} cells instead of {}", rows[i].size(), rows.front().size()),
           "",
           ""});
      continue;
    }
    NumberRow& row = numbers.emplace_back();
    for (std::size_t k = 0; k < rows[i].size(); ++k) {
      row.cells[rows.front()[k].text] = rows[i][k].text;
    }
  }
  if (!problems.empty()) throw InputError(problems);
  return numbers;
}

}  // namespace gridcast::training
