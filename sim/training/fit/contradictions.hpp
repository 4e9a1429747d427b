// Rows of one family that cannot both be true of one machine and its software:
//   the same run twice   with times that differ by more than a quarter
//   too fast a run       on no fewer GPUs and nodes than another row's, a step takes no less than one of a
//                        batch that is no larger, and a sample no less than one of a batch that is no
//                        smaller: with b samples a step of s seconds, s >= s' min(1, b/b')
// More GPUs can be a little faster each, as where their memory holds the data and that of fewer does not;
// beyond a quarter it is a contradiction. Such rows are told of and kept, and what they differ by is
// the noise of their family.
#pragma once

#include <string>
#include <vector>

#include "sim/training/fit/run_rows.hpp"
#include "sim/training/fit/storage_fit.hpp"

namespace gridcast::training {

/// Times, by the logarithm of their ratio, that cannot both be true.
bool far_apart(double logarithm);

/// What to tell of rows that contradict another one: a line for each.
std::vector<std::string> contradictions(std::string const& file, std::vector<RunRow> const& rows);
/// The same of a store: more accelerators are not served better by the same readers.
std::vector<std::string> contradictions(std::string const& file,
                                        std::vector<StorageRow> const& rows);

/// By how much rows of one family that contradict each other differ: sd of ln(time), of ln(waiting);
/// 0: none do.
double contradiction(std::vector<RunRow> const& rows);
double contradiction(std::vector<StorageRow> const& rows);

}  // namespace gridcast::training
