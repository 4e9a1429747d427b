// Which nodes of a DAG wait for which: cycles, ends of a group, and PROVISIONERs, for which nodes
// wait that wait for no other (HTCondor manual, "Special Node Types").
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "sim/condor/dag/dag_file.hpp"

namespace gridcast::condor {

/// One node of a cycle; none where there is no cycle.
std::optional<std::size_t> in_a_cycle(std::vector<DagNode> const& nodes);

/// The nodes of a group that wait for no other of it (`first`), or that no other waits for.
std::vector<std::size_t> ends_of(std::vector<DagNode> const& all,
                                 std::vector<std::size_t> const& nodes, bool first);

/// Each edge is there once, in order.
void unite_edges(std::vector<DagNode>& nodes);

/// Adds the edges, and a note for each PROVISIONER.
void wait_for_provisioners(Dag& dag);

}  // namespace gridcast::condor
