// Tables of measurements as people bring them: CSV with named columns, in any order, each row read
// in its required form; all problems are reported at once, with their places. Most of them are of
// runs that somebody measured, one a row, as `gridcast profile --fit` reads them (CSV):
//   gpus      GPUs of the run                          nodes   that they were on (default 1)
//   batch     samples a step of one GPU                        (or global_batch, of all)
//   epoch_s   seconds an epoch                                 (or samples_per_s, or step_s; where
//             several are there and agree, the first of these)
//   samples   of an epoch: from the profile, a column, or not needed
//   gpu       the model, by the catalogue's name or the maker's (A100-SXM4-80GB)
//   family    rows of one machine and software, whose scaling is one thing (default: by gpu)
//   validation_s  part of epoch_s that is no training (default 0)
// Other columns are reported and not read.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/units.hpp"
#include "sim/history/csv.hpp"

namespace gridcast::training {

/// Cells of one row by column.
class MeasuredRow {
 public:
  MeasuredRow(std::string const& file, history::CsvRow const& cells,
              std::map<std::string, std::size_t> const& columns, std::vector<Problem>& problems)
      : file_(file), cells_(cells), columns_(columns), problems_(problems) {}

  /// Empty where there is no such column, or nothing in it.
  std::string text(std::string const& column) const;
  /// Above zero, or not below where `or_zero`; none where the cell is empty or bad, which is
  /// complained of.
  enum class Least { above_zero, zero };
  std::optional<double> number(std::string const& column, Least least = Least::above_zero);
  std::optional<int> count(std::string const& column, int most);
  /// At the column's cell, or at the row's first where there is none.
  void complain(std::string const& column, std::string what, std::string why, std::string hint);

  bool bad() const { return bad_; }
  int line() const { return cells_.front().line; }

 private:
  std::string const& file_;
  history::CsvRow const& cells_;
  std::map<std::string, std::size_t> const& columns_;
  std::vector<Problem>& problems_;
  bool bad_ = false;
};

/// The rows of a table below its line of names.
class MeasuredTable {
 public:
  /// InputError if there is no table, or `wanted` is not one of its columns. `hint` lists the
  /// wanted columns.
  MeasuredTable(std::string file, std::string const& text, std::string const& wanted,
                std::string const& hint);

  std::vector<MeasuredRow> rows();
  std::vector<Problem>& problems() { return problems_; }
  /// InputError with all problems, if there are any, or if no row was good.
  void raise(std::size_t good) const;
  /// The note on columns that are not among these; empty: none.
  std::string note_on_others(std::vector<std::string> const& known) const;

 private:
  void check_width(history::CsvRow const& row);

  std::string file_;
  std::vector<Problem> problems_;
  std::vector<history::CsvRow> cells_;
  std::map<std::string, std::size_t> columns_;
};

/// The columns of a table's first line.
std::vector<std::string> column_names(std::string const& text);

struct RunRow {
  std::string family;
  std::string gpu;
  int gpus = 1;
  int nodes = 1;
  int batch = 1;            // of one GPU
  double samples = 0;       // of an epoch
  Seconds epoch;            // without validation
  int line = 0;             // in its file
  bool nodes_given = true;  // rather than taken to be one
};

template <class Row>
struct RowTable {
  std::string file;
  std::vector<Row> rows;
  std::vector<std::string> notes;  // columns that are not read, cells that contradict each other
};
using RunTable = RowTable<RunRow>;

/// `samples`: of an epoch, if the rows do not contain it; 0: not known. `gpu`: the same of the
/// model. InputError with all rows that cannot be used.
RunTable read_runs(std::filesystem::path const& file, double samples, std::string const& gpu);
RunTable parse_runs(std::string const& file, std::string const& text, double samples,
                    std::string const& gpu);

/// Rows of one family on another GPU model become a family of their own, with a note. A GPU that is
/// known by several names has one by then.
void separate_gpus(RunTable& table);

/// "8 GPUs on 2 nodes, 102 samples each".
std::string to_text(RunRow const& row);

}  // namespace gridcast::training
