// The tables of columns of a calibration's draws: name, what the number may be, and where it goes.
#pragma once

#include <span>
#include <string_view>

#include "sim/scenario/world.hpp"

namespace gridcast {

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

struct WorldColumn {
  std::string_view name;
  Allowed allowed;
  void (*set)(World&, double);
};

struct SiteColumn {
  std::string_view name;  // before the point and the site's name
  Allowed allowed;
  void (*set)(SiteWorld&, double);
};

std::span<WorldColumn const> world_columns();
std::span<SiteColumn const> site_columns();

/// None of that name: null.
WorldColumn const* find_world_column(std::string_view name);
SiteColumn const* find_site_column(std::string_view name);

}  // namespace gridcast
