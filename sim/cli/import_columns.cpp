// gridcast import columns TABLE: a column map for a table of another program, to be looked over.
#include <algorithm>
#include <iostream>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "sim/base/files.hpp"
#include "sim/base/tell.hpp"
#include "sim/cli/import_verbs.hpp"
#include "sim/cli/verb_files.hpp"
#include "sim/import/spooled_input.hpp"
#include "sim/import/table/column_map.hpp"
#include "sim/import/table/table_text.hpp"

namespace gridcast::cli {
namespace {

struct ImportColumnsOptions {
  std::filesystem::path file, out;
  bool force = false;
};

/// The words of the column that is taken for the outcome, in alphabetical order.
std::vector<std::string> outcome_words(import::TableText& table, import::ColumnMap const& map) {
  auto const& sources = map.of(import::AttemptColumn::outcome);
  if (sources.empty()) return {};
  auto const& header = table.header();
  auto const at = std::find(header.begin(), header.end(), sources.front().column);
  auto const column = static_cast<std::size_t>(at - header.begin());
  constexpr std::size_t most_words = 50;
  std::set<std::string> words;
  import::TableRow row;
  while (words.size() < most_words && table.next(row)) words.emplace(row.cells[column]);
  return {words.begin(), words.end()};
}

std::string columns_text(std::vector<import::AttemptColumn> const& columns) {
  std::string text;
  for (import::AttemptColumn const column : columns) {
    text += (text.empty() ? "" : ", ") + std::string(import::name(column));
  }
  return text;
}

int run_import_columns(ImportColumnsOptions const& options) {
  VerbFiles files(if_there(options.force));
  files.reads(options.file);
  files.writes(options.out);
  files.prepare();
  std::optional<import::SpooledInput> spooled;
  if (import::is_read_once(options.file)) spooled.emplace(options.file);
  auto const table = import::open_table(spooled ? spooled->path() : options.file, std::nullopt, {});
  import::ColumnMap const map = import::proposed_map(table->header());
  import::ColumnFit const fit = import::fit_columns(map, table->header());
  std::string const text =
      import::column_map_yaml(map, table->header(), outcome_words(*table, map));
  if (options.out.empty() || options.out == "-") {
    std::cout << text;
  } else {
    write_file(options.out, text);
  }
  tell(fmt::format("{} columns recognised: {}\n", fit.found.size(), columns_text(fit.found)));
  if (!fit.missing.empty()) tell(fmt::format("Missing: {}\n", columns_text(fit.missing)));
  return exit_code::done;
}

}  // namespace

void add_import_columns(Verb& group) {
  auto options = std::make_shared<ImportColumnsOptions>();
  Verb verb = group.verb("columns",
                         "A column map for another program's table of jobs or attempts, proposed");
  verb.positional("TABLE", &options->file, "The table (CSV, bars or tabs between, or JSON)")
      .required();
  verb.option("-o,--out", &options->out, "Map to write; without it, to standard output", "FILE");
  verb.flag("--force", options->force, "Replace what is there");
  verb.footer(
      "Example:\n"
      "  gridcast import columns my-jobs.csv -o my-map.yaml     # then look it over\n"
      "  gridcast ledger my-jobs.csv --columns my-map.yaml");
  verb.runs([options] { return run_import_columns(*options); });
}

}  // namespace gridcast::cli
