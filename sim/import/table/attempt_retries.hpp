// Tables in which a retry is a job of its own that says which job it retries (`retry_of` of a
// column map): its row becomes another attempt of that job.
//
// What a row says is not enough: PanDA's split of a failed job into several names it in each of
// them, and names of jobs that only look like it are anything. A row is joined with the attempt
// before it if that one has ended without success before this one begins, and has the lower number
// where both tell one; of several with the one that ended last. An attempt that another one follows
// did not end its job: a failed one went back to the queue, one that was taken out of a slot lost
// it.
#pragma once

#include "sim/import/table/attempt_table.hpp"

namespace gridcast::import {

/// Says in the report how many rows were joined, and how many name a job that they cannot have
/// retried. Attempts of joined jobs are numbered anew, from 1.
void join_retries(AttemptTable& table);

}  // namespace gridcast::import
