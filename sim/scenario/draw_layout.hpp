// The columns of a calibration's draws, looked up once: which number of a row goes where in a
// ParameterDraw, and what it may be.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/scenario/column_table.hpp"
#include "sim/scenario/parameter_draw.hpp"

namespace gridcast::scenario {

/// A problem with one column: its position in the list, or of a value in that position.
struct ColumnProblem {
  std::size_t column = 0;
  Problem problem;  // without a place
};

class DrawLayout {
 public:
  explicit DrawLayout(std::vector<std::string> const& columns);

  /// Columns that are unknown or given twice.
  std::vector<ColumnProblem> const& column_problems() const { return column_problems_; }
  /// What is missing: parameters, of the world or of a site.
  std::vector<Problem> const& missing() const { return missing_; }
  bool complete() const { return column_problems_.empty() && missing_.empty(); }

  /// Of which set most columns are.
  ColumnSet set() const { return set_; }
  std::size_t columns() const { return places_.size(); }
  /// In the order in which the columns name them.
  std::vector<std::string> const& sites() const { return sites_; }

  /// The world of a row with as many numbers as there are columns. Values out of range go to
  /// `problems`.
  ParameterDraw draw(std::span<double const> row, std::vector<ColumnProblem>& problems) const;

 private:
  struct Place {
    DrawColumn const* draw = nullptr;
    SiteColumn const* site = nullptr;
    std::size_t site_index = 0;
  };

  Place place_of(std::size_t column, std::string const& name);
  std::size_t site_index(std::string_view site);
  void find_repeated(std::vector<std::string> const& columns);
  void find_missing();

  ColumnSet set_ = ColumnSet::job_table;
  std::vector<Place> places_;
  std::vector<std::string> names_;
  std::vector<std::string> sites_;
  std::vector<ColumnProblem> column_problems_;
  std::vector<Problem> missing_;
};

}  // namespace gridcast::scenario
