// The same rows in another order are the same table: its jobs, names and rows are put into an order
// of their own, so that nothing that is counted, drawn or fitted depends on how somebody sorted
// them.
#pragma once

#include "sim/import/table/attempt_table.hpp"

namespace gridcast::import {

/// Jobs by name, numbers within names by value ("9.0" before "10.0", as event logs have their
/// jobs), names by letter, rows by job, file, attempt, times and whatever else they tell.
void settle_order(AttemptTable& table);

}  // namespace gridcast::import
