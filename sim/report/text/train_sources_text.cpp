#include "sim/report/text/train_sources_text.hpp"

#include <cmath>

#include <fmt/format.h>

#include "sim/report/text/table.hpp"

namespace gridcast::report {
namespace {

/// Five digits, as the sources have at most.
std::string value_text(double value) {
  if (std::isnan(value)) return "-";
  if (value != 0 && std::abs(value) < 0.001) return fmt::format("{:.2g}", value);
  return std::abs(value) >= 10000 ? fmt::format("{:.0f}", value) : fmt::format("{:.5g}", value);
}

std::string difference_text(training::SourceRow const& row) {
  if (std::isnan(row.source)) return "";
  double const difference = row.difference();
  if (!row.relative) return fmt::format("{:+.2f}", difference);
  if (!std::isfinite(difference)) return "";
  return fmt::format("{:+.2f} %", 100 * difference);
}

std::string wanted_text(training::SourceRow const& row) {
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

std::string quantity_text(training::SourceRow const& row) {
  return row.unit.empty() ? row.quantity : row.quantity + " (" + row.unit + ")";
}

}  // namespace

std::string sources_text(std::vector<training::SourceTable> const& tables) {
  std::string text;
  for (training::SourceTable const& table : tables) {
    text += table.title + "\n\n";
    TextTable rows({{"what"},
                    {"quantity"},
                    {table.source_title, Align::right},
                    {table.model_title, Align::right},
                    {"difference", Align::right},
                    {"wanted"}});
    for (training::SourceRow const& row : table.rows) {
      rows.add_row({row.what, quantity_text(row), value_text(row.source), value_text(row.model),
                    difference_text(row), wanted_text(row)});
    }
    text += rows.str(2) + "\n";
  }
  return text;
}

std::string sources_markdown(std::vector<training::SourceTable> const& tables) {
  std::string text =
      "# The sources' figures, and the model's\n\n"
      "Written by `gridcast train --sources --markdown`. Every row of every table on training and "
      "I/O in the source documents, beside what gridcast makes of it. Models: "
      "[model.md](model.md). Data: `calibration/data/`; profiles: `scenarios/profiles/`, each "
      "value with its source or marked as assumed.\n";
  for (training::SourceTable const& table : tables) {
    text += "\n## " + table.title + "\n\n" + table.before +
            fmt::format("\n\n| what | quantity | {} | {} | difference | wanted | note |\n",
                        table.source_title, table.model_title) +
            "|---|---|---|---|---|---|---|\n";
    for (training::SourceRow const& row : table.rows) {
      text +=
          fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", escaped(row.what),
                      escaped(quantity_text(row)), value_text(row.source), value_text(row.model),
                      difference_text(row), wanted_text(row), escaped(row.note));
    }
    if (!table.after.empty()) text += "\n" + table.after + "\n";
  }
  return text;
}

}  // namespace gridcast::report
