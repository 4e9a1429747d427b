// The CSV lines that predictions and comparisons have in common.
#pragma once

#include <string>
#include <vector>

#include "sim/study/sample.hpp"

namespace gridcast::report {

/// Titles of the cells that summary_cells gives: n, mean, sd, p05, ..., mean_low, mean_high.
std::vector<std::string> summary_titles();
std::vector<std::string> summary_cells(study::Summary const& summary);

/// One line a figure and explanation ("all" for all replicas), each beginning with `first`.
std::string metrics_lines(study::StudySample const& sample, std::vector<std::string> const& first);
/// One line a replica with all its columns, each beginning with `first`.
std::string replica_lines(study::StudySample const& sample, std::vector<std::string> const& first);

}  // namespace gridcast::report
