// The submit description of a DAG's node: its file or what stands in the DAG, with the node's VARS
// before it, as condor_submit_dag gives them (DAGMAN_DEFAULT_APPEND_VARS is false), and a queue
// statement where there is none.
#pragma once

#include <string>
#include <vector>

#include "sim/condor/dag/dag_file.hpp"
#include "sim/condor/submit/submit_file.hpp"

namespace gridcast::condor {

/// As read_submit_file(); places are those of the file, or of the DAG that the description stands in.
SubmitFile read_node_submit(DagNode const& node, std::vector<std::string> const& deciding);

}  // namespace gridcast::condor
