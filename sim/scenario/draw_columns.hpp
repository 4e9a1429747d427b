// The columns of a calibration's draws: name, allowed values, and its place in a ParameterDraw. One
// set for any evidence: a calibration has the columns for which it has evidence or values of its
// author, and a missing column has the value of ParameterDraw's member.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/scenario/parameter_draw.hpp"
#include "sim/scenario/yaml/values.hpp"

namespace gridcast::scenario {

/// The allowed values of a number.
enum class Allowed {
  probability,   // 0 to 1
  positive,      // above 0
  capacity,      // the same, or infinite: no limit
  not_negative,  // 0 or more
  at_least_one,  // a mean of counts that begin at 1
  count,         // a whole number from 0 to 10^7
  scope,         // index of an OutageScope
  kind,          // index of an OutageKind
  family,        // index of a Family
};

bool holds(Allowed allowed, double value);
Bounds bounds(Allowed allowed);
/// For messages: "it has to be ...".
std::string_view description(Allowed allowed);

template <class Parameters>
struct Column {
  std::string name;  // of a site's: before the point and the site's name
  Allowed allowed;
  void (*set)(Parameters&, double);
  std::string help;  // a line, with the unit
};
using DrawColumn = Column<ParameterDraw>;
using SiteColumn = Column<SiteParameters>;

/// By the processes that they belong to.
std::span<DrawColumn const> draw_columns();
std::span<SiteColumn const> site_columns();

/// None of that name: null.
DrawColumn const* find_draw_column(std::string_view name);
SiteColumn const* find_site_column(std::string_view name);

/// A problem with one column: its position in the list, or of a value in that position.
struct ColumnProblem {
  std::size_t column = 0;
  Problem problem;  // without a place
};

/// The columns of one calibration, looked up once.
class DrawLayout {
 public:
  explicit DrawLayout(std::vector<std::string> const& columns);

  /// Columns that are unknown or given twice.
  std::vector<ColumnProblem> const& column_problems() const { return column_problems_; }
  /// The missing parameters, of all sites or of one.
  std::vector<Problem> const& missing() const { return missing_; }
  bool complete() const { return column_problems_.empty() && missing_.empty(); }

  std::size_t columns() const { return places_.size(); }
  /// In the order in which the columns name them.
  std::vector<std::string> const& sites() const { return sites_; }

  /// The draw of a row with as many numbers as there are columns. Values out of range go to
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

  std::vector<Place> places_;
  std::vector<std::string> names_;
  std::vector<std::string> sites_;
  std::unordered_map<std::string, std::size_t> index_of_site_;
  std::vector<ColumnProblem> column_problems_;
  std::vector<Problem> missing_;
};

}  // namespace gridcast::scenario
