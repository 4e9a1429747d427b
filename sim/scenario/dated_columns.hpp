// The columns of calibrations of dated histories: where each number goes in World::dated.
#pragma once

#include <span>

#include "sim/scenario/column_table.hpp"

namespace gridcast::scenario {

std::span<WorldColumn const> dated_columns_of_world();
std::span<SiteColumn const> dated_columns_of_sites();

}  // namespace gridcast::scenario
