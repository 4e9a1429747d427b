// Which program a job is of.
#pragma once

#include <cstddef>
#include <string>

#include "sim/history/job_history.hpp"

namespace gridcast::history {

/// The job's executable, else its DAG node without the number at its end; empty where the record
/// names neither.
///   "/home/ann/train.sh"; "train" of the node "train_03"
std::string program_of(JobHistory const& history, std::size_t job);

}  // namespace gridcast::history
