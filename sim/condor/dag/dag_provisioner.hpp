// The PROVISIONER of a DAG: nodes that wait for no other node wait for it (HTCondor manual,
// "Special Node Types").
#pragma once

#include "sim/condor/dag/dag_file.hpp"

namespace gridcast::condor {

/// Adds the edges, and a note for each PROVISIONER.
void wait_for_provisioners(Dag& dag);

}  // namespace gridcast::condor
