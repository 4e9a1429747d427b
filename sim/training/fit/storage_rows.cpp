#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/training/fit/measured_table.hpp"
#include "sim/training/fit/storage_fit.hpp"

namespace gridcast::training {
namespace {

constexpr char wanted[] =
    "Wanted are accelerators, hosts, threads, batch, step_s, record_bytes, and au (%) or "
    "samples_per_s.";

std::vector<std::string> const& storage_columns() {
  static std::vector<std::string> const columns = {
      "family",       "system",        "accelerators",     "hosts", "threads",
      "batch",        "step_s",        "record_bytes",     "cores", "au",
      "passed_above", "samples_per_s", "samples_per_file", "au_sd", "runs"};
  return columns;
}

void read_utilisation(MeasuredRow& row, StorageRow& run) {
  constexpr double per_cent = 100;
  auto const au = row.number("au");
  auto const rate = row.number("samples_per_s");
  if (row.bad()) return;
  run.told_au = au.has_value();
  if (au) {
    run.au = *au / per_cent;
  } else if (rate) {
    run.au = run.step.value() * *rate / (static_cast<double>(run.accelerators) * run.batch);
  } else {
    row.complain("au", "no utilisation", "nothing can be fitted to it",
                 "Add a column 'au' (%) or 'samples_per_s'.");
    return;
  }
  constexpr double most = 1.02;  // rates are rounded
  if (run.au > most) {
    row.complain(au ? "au" : "samples_per_s",
                 fmt::format("a utilisation of {:.1f} %", per_cent * run.au),
                 "accelerators cannot compute more than all the time", "Is step_s right?");
  }
  run.au = std::min(run.au, 1.);
  if (!row.bad() && run.au < run.passed_above) {
    row.complain(au ? "au" : "samples_per_s",
                 fmt::format("a utilisation of {:.1f} %", per_cent * run.au),
                 fmt::format("only runs above {:.1f} % are told of", per_cent * run.passed_above),
                 "Leave passed_above empty where all are.");
  }
}

/// Where no row is above 1 it is likely that a share was meant.
void check_per_cent(StorageTable const& table, MeasuredTable& measured) {
  constexpr double one_per_cent = 0.01;
  bool const small = std::all_of(table.rows.begin(), table.rows.end(), [](StorageRow const& row) {
    return row.told_au && row.au <= one_per_cent;
  });
  if (table.rows.empty() || !small) return;
  measured.problems().push_back({{table.file, table.rows.front().line, 1},
                                 "no utilisation above 1 %",
                                 "au is in per cent",
                                 "Write 97 for 97 %."});
}

std::optional<StorageRow> read_row(MeasuredRow row) {
  constexpr int most = 1 << 20;
  StorageRow run;
  run.line = row.line();
  run.family = row.text("family").empty() ? "all rows" : row.text("family");
  run.system = row.text("system").empty() ? run.family : row.text("system");
  auto const needed = [&row](char const* column, auto value, auto& to) {
    if (value) to = static_cast<std::decay_t<decltype(to)>>(*value);
    if (!value && !row.bad()) row.complain(column, fmt::format("no {}", column), "", wanted);
  };
  needed("accelerators", row.count("accelerators", most), run.accelerators);
  run.hosts = row.count("hosts", most).value_or(1);
  run.threads = row.count("threads", most).value_or(1);
  needed("batch", row.count("batch", most), run.batch);
  needed("step_s", row.number("step_s"), run.step);
  needed("record_bytes", row.number("record_bytes"), run.record);
  run.samples_per_file = row.number("samples_per_file").value_or(1);
  run.cores = row.count("cores", most).value_or(0);
  constexpr double per_cent = 100;
  run.au_sd = row.number("au_sd", MeasuredRow::Least::zero).value_or(0) / per_cent;
  run.runs = row.count("runs", most).value_or(1);
  run.passed_above = row.number("passed_above", MeasuredRow::Least::zero).value_or(0) / per_cent;
  if (!row.bad() && run.hosts > run.accelerators) {
    row.complain("hosts", fmt::format("{} hosts for {} accelerators", run.hosts, run.accelerators),
                 "a host without one reads nothing", "");
  }
  if (!row.bad()) read_utilisation(row, run);
  if (row.bad()) return std::nullopt;
  return run;
}

}  // namespace

StorageTable parse_storage_rows(std::string const& file, std::string const& text) {
  MeasuredTable measured(file, text, "accelerators", wanted);
  StorageTable table{file, {}, {}};
  for (MeasuredRow const& row : measured.rows()) {
    if (auto run = read_row(row)) table.rows.push_back(*std::move(run));
  }
  check_per_cent(table, measured);
  measured.raise(table.rows.size());
  std::string const note = measured.note_on_others(storage_columns());
  if (!note.empty()) table.notes.push_back(note);
  return table;
}

StorageTable read_storage_rows(std::filesystem::path const& file) {
  return parse_storage_rows(file.string(), read_text_file(file));
}

bool is_storage_table(std::string const& text) {
  auto const names = column_names(text);
  return std::find(names.begin(), names.end(), "accelerators") != names.end();
}

}  // namespace gridcast::training
