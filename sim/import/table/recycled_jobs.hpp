// Batch systems count jobs anew after some years, or after an upgrade: one number in a table can
// then denote two jobs.
#pragma once

#include "sim/import/table/attempt_table.hpp"

namespace gridcast::import {

/// Gives a job of its own to each row that is no further attempt of the job before it: another
/// user's, or submitted after that one had succeeded. Notes them once. For rows without a number.
void split_recycled_jobs(AttemptTable& table);

}  // namespace gridcast::import
