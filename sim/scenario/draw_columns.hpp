// The columns of a calibration's draws: name, allowed values, and its place in a ParameterDraw. One
// set for any evidence: a calibration has the columns for which it has evidence or values of its
// author, and a missing column has the value of ParameterDraw's member.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/scenario/calibration.hpp"
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
/// A value that the owner states. Speeds are then those of one GPU, unless the draw says otherwise.
void set_stated(DrawColumn const& column, double value, ParameterDraw& draw);
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

// The processes of the model that can be switched off by name: for what-if questions, teaching, and
// to measure the contribution of each. A process that is off does not happen in any draw.

/// All differences between the next campaign and the record that it repeats.
inline constexpr std::string_view campaign_variation = "campaign-variation";

/// Jobs repeat the histories of a record (JobSource::record); without it processes make them.
inline constexpr std::string_view recorded_jobs = "recorded-jobs";

/// A process as a calibration's draws and the command line know it. calibration/processes defines
/// all of them, one file each: only the link goes up, as that folder includes this one.
struct Process {
  std::string_view name;
  std::string_view meaning;
  std::vector<DrawColumn> columns = {};
  std::vector<SiteColumn> site_columns = {};
  /// Columns that are zero where the process is switched off; none: it cannot be.
  std::vector<std::string_view> zero_is_off = {};
};

std::vector<Process> const& processes();

struct ProcessSwitch {
  std::string_view name;
  std::string_view meaning;
  std::vector<std::string_view> columns;  // of the draws; zero in each switches the process off
  enum class Of { draws, repeated_jobs } of = Of::draws;
};

/// The parts of repeated campaigns and the processes that can be switched off.
std::vector<ProcessSwitch> const& process_switches();

/// The names in a list with commas. Names that no process has are added to `unknown`.
std::vector<ProcessSwitch const*> processes_named(std::string_view list,
                                                  std::vector<std::string>& unknown);

/// True if the list names the process.
bool names_process(std::string_view list, std::string_view name);

/// Sets the columns of the processes to zero in all draws.
void switch_off(std::vector<ProcessSwitch const*> const& processes, Calibration& calibration);

// How columns of a calibration's draws put their numbers into a ParameterDraw.

/// The member at the end of a chain: at<&A::b, &B::c>(a) is a.b.c.
template <auto member, auto... more>
auto& at(auto& object) {
  if constexpr (sizeof...(more) == 0) {
    return object.*member;
  } else {
    return at<more...>(object.*member);
  }
}

/// A number into a field: a count, an index, a quantity.
template <class Field>
void put(Field& field, double value) {
  if constexpr (std::is_enum_v<Field> || std::is_same_v<Field, std::optional<int>>) {
    field = static_cast<Field>(static_cast<int>(value));
  } else {
    field = static_cast<Field>(value);
  }
}

template <auto... members>
void in_draw(ParameterDraw& draw, double value) {
  put(at<members...>(draw), value);
}
template <auto... members>
void at_site(SiteParameters& site, double value) {
  put(at<members...>(site), value);
}

/// A member of a distribution of times, which may be absent.
template <auto times, auto member>
void in_times(ParameterDraw& draw, double value) {
  if constexpr (requires { (draw.*times).has_value(); }) {
    if (!(draw.*times)) (draw.*times).emplace(no_time);
    put((*(draw.*times)).*member, value);
  } else {
    put((draw.*times).*member, value);
  }
}

/// The four columns of a distribution of times.
template <auto times>
void add_times(std::vector<DrawColumn>& columns, std::string const& name, std::string const& time) {
  using enum Allowed;
  columns.push_back({name + "_family", family, in_times<times, &Distribution::family>,
                     "Family of the time " + time + "; indices as of epoch_family"});
  columns.push_back(
      {name + "_shape", positive, in_times<times, &Distribution::shape>, "Its shape"});
  columns.push_back(
      {name + "_scale_s", not_negative, in_times<times, &Distribution::scale>, "Its scale, s"});
  columns.push_back({name + "_shift_s", not_negative, in_times<times, &Distribution::shift>,
                     "Constant added to it, s"});
}

}  // namespace gridcast::scenario
