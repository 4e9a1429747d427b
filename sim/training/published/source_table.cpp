#include "sim/training/published/source_table.hpp"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/history/csv.hpp"
#include "sim/scenario/profile.hpp"

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

bool SourceRow::agrees() const {
  if (tolerance == 0 || std::isnan(source)) return true;
  return std::abs(difference()) <= tolerance;
}

std::vector<NumberRow> SourceFiles::rows(std::string const& name) const {
  return read_number_rows(data / "training" / (name + ".csv"));
}

scenario::Hardware SourceFiles::hardware() const {
  return scenario::read_hardware(profiles / "hardware.yaml");
}

scenario::Profile SourceFiles::profile(std::string const& name) const {
  return scenario::find_profile(profiles, name);
}

std::vector<SourceTable> source_tables(SourceFiles const& files) {
  return {kempner_table(files),
          kempner_outlook_table(files),
          hpml_table(files),
          hpml_batches_table(files),
          darshan_table(files),
          what_if_table(files),
          dlio_table(files),
          osg_table(files),
          osg_executions_table(files),
          streaming_table(files),
          training_hold_out_table(files),
          within_four_nodes_table(files),
          storage_hold_out_table(files),
          straggler_table(files)};
}

}  // namespace gridcast::training
