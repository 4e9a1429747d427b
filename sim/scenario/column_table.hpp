// The tables of columns of a calibration's draws: name, what the number may be, and where it goes.
// There are two sets, one for each kind of source: a calibration has all of one and none of the
// other.
#pragma once

#include <span>
#include <string_view>

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
  std::string_view name;
  Allowed allowed;
  void (*set)(ParameterDraw&, double);
  bool optional = false;  // calibrations may leave it out: what is not given does not happen
};

/// One site of a world: the member that belongs to the set of columns.
struct SiteNumbers {
  SiteParameters* of_job_table = nullptr;
  EventLogSiteParameters* of_event_log = nullptr;
};

struct SiteColumn {
  std::string_view name;  // before the point and the site's name
  Allowed allowed;
  void (*set)(SiteNumbers const&, double);
};

std::span<DrawColumn const> draw_columns(ColumnSet set);
std::span<SiteColumn const> site_columns(ColumnSet set);

/// None of that name: null.
DrawColumn const* find_draw_column(ColumnSet set, std::string_view name);
SiteColumn const* find_site_column(ColumnSet set, std::string_view name);

}  // namespace gridcast::scenario
