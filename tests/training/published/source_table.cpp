#include "tests/training/published/source_table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/history/csv.hpp"
#include "sim/scenario/profile.hpp"

namespace gridcast::training::published {
namespace {

/// Five digits, as the sources have at most.
std::string value_text(double value) {
  if (std::isnan(value)) return "-";
  if (value != 0 && std::abs(value) < 0.001) return fmt::format("{:.2g}", value);
  return std::abs(value) >= 10000 ? fmt::format("{:.0f}", value) : fmt::format("{:.5g}", value);
}

std::string difference_text(SourceRow const& row) {
  if (std::isnan(row.source)) return "";
  double const difference = row.difference();
  if (!row.relative) return fmt::format("{:+.2f}", difference);
  if (!std::isfinite(difference)) return "";
  return fmt::format("{:+.2f} %", 100 * difference);
}

std::string wanted_text(SourceRow const& row) {
  if (std::isnan(row.source)) return "not in the source";
  if (row.tolerance == 0) return "";
  std::string const tolerance = row.relative ? fmt::format("{:.3g} %", 100 * row.tolerance)
                                             : fmt::format("{:.3g}", row.tolerance);
  return fmt::format("{} {}", row.agrees() ? "within" : "NOT within", tolerance);
}

std::string escaped(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) {
    text.replace(at, 1, "\\|");
  }
  return text;
}

std::string quantity_text(SourceRow const& row) {
  return row.unit.empty() ? row.quantity : row.quantity + " (" + row.unit + ")";
}

}  // namespace

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
          systems_left_out_table(files),
          sizes_left_out_table(files),
          storage_hold_out_table(files)};
}

std::string sources_summary(std::vector<SourceTable> const& tables) {
  std::string text =
      "| table | rows | with a source | nearest to its limit | difference | wanted |\n"
      "|---|---|---|---|---|---|\n";
  for (SourceTable const& table : tables) {
    auto const strain = [](SourceRow const& row) {
      bool const counts = row.tolerance > 0 && !std::isnan(row.source);
      return counts ? std::abs(row.difference()) / row.tolerance : -1;
    };
    auto const in_source = std::count_if(table.rows.begin(), table.rows.end(),
                                         [](auto const& row) { return !std::isnan(row.source); });
    auto const nearest =
        std::max_element(table.rows.begin(), table.rows.end(),
                         [&](auto const& a, auto const& b) { return strain(a) < strain(b); });
    bool const judged = nearest != table.rows.end() && strain(*nearest) > 0.001;
    text += fmt::format(
        "| {} | {} | {} | {} | {} | {} |\n", escaped(table.title), table.rows.size(), in_source,
        judged ? escaped(nearest->what + ", " + quantity_text(*nearest)) : "",
        judged ? difference_text(*nearest) : "", judged ? wanted_text(*nearest) : "");
  }
  return text;
}

std::string sources_tables(std::vector<SourceTable> const& tables) {
  std::string text;
  for (SourceTable const& table : tables) {
    text += "\n## " + table.title + "\n\n" + table.before +
            fmt::format("\n\n| what | quantity | {} | {} | difference | wanted | note |\n",
                        table.source_title, table.model_title) +
            "|---|---|---|---|---|---|---|\n";
    for (SourceRow const& row : table.rows) {
      text +=
          fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", escaped(row.what),
                      escaped(quantity_text(row)), value_text(row.source), value_text(row.model),
                      difference_text(row), wanted_text(row), escaped(row.note));
    }
    if (!table.after.empty()) text += "\n" + table.after + "\n";
  }
  return text;
}

}  // namespace gridcast::training::published
