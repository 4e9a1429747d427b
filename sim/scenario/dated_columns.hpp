// The columns of calibrations of dated histories: where each number goes in ParameterDraw::event_log.
#pragma once

#include <span>

#include "sim/scenario/column_table.hpp"

namespace gridcast::scenario {

std::span<DrawColumn const> event_log_columns_of_draw();
std::span<SiteColumn const> event_log_columns_of_sites();

}  // namespace gridcast::scenario
