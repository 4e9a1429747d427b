// Nodes of a DAG that wait for each other.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "sim/condor/dag/dag_file.hpp"

namespace gridcast::condor {

/// One node of a cycle; none where there is no cycle.
std::optional<std::size_t> in_a_cycle(std::vector<DagNode> const& nodes);

}  // namespace gridcast::condor
