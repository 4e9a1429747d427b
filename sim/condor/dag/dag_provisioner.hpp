// The nodes of a DAG that wait for no other of it wait for its PROVISIONER (HTCondor manual, "Special
// Node Types").
#pragma once

#include "sim/condor/dag/dag_file.hpp"

namespace gridcast::condor {

/// Adds the edges, and a note for each PROVISIONER.
void wait_for_provisioners(Dag& dag);

}  // namespace gridcast::condor
