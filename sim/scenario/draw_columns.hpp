// The columns of a calibration's draws: name, what the number may be, and where it goes in a
// ParameterDraw. There are two sets, one for each kind of source: a calibration has all of one and
// none of the other.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/scenario/parameter_draw.hpp"

namespace gridcast::scenario {

/// What a calibration was fitted to.
enum class ColumnSet {
  job_table,  // sums a job: ParameterDraw's own fields
  event_log,  // event logs: ParameterDraw::event_log
};

/// What a number may be.
enum class Allowed {
  probability,   // 0 to 1
  positive,      // above 0
  not_negative,  // 0 or more
  at_least_one,  // a mean of counts that begin at 1
  count,         // a whole number, 0 or more
  scope,         // index of a StallScope
  family,        // index of a Family
};

bool holds(Allowed allowed, double value);
/// For messages: "it has to be ...".
std::string_view description(Allowed allowed);

struct DrawColumn {
  std::string name;
  Allowed allowed;
  void (*set)(ParameterDraw&, double);
  bool optional = false;  // calibrations may leave it out: what is not given does not happen
};

/// One site of a draw: the member that belongs to the set of columns.
struct SiteNumbers {
  SiteParameters* of_job_table = nullptr;
  EventLogSiteParameters* of_event_log = nullptr;
};

struct SiteColumn {
  std::string name;  // before the point and the site's name
  Allowed allowed;
  void (*set)(SiteNumbers const&, double);
};

/// In the order in which they are asked for.
std::span<DrawColumn const> draw_columns(ColumnSet set);
std::span<SiteColumn const> site_columns(ColumnSet set);

/// None of that name: null.
DrawColumn const* find_draw_column(ColumnSet set, std::string_view name);
SiteColumn const* find_site_column(ColumnSet set, std::string_view name);

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
  /// What is missing: parameters, of all sites or of one.
  std::vector<Problem> const& missing() const { return missing_; }
  bool complete() const { return column_problems_.empty() && missing_.empty(); }

  /// Of which set most columns are.
  ColumnSet set() const { return set_; }
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

  ColumnSet set_ = ColumnSet::job_table;
  std::vector<Place> places_;
  std::vector<std::string> names_;
  std::vector<std::string> sites_;
  std::vector<ColumnProblem> column_problems_;
  std::vector<Problem> missing_;
};

}  // namespace gridcast::scenario
