#include "sim/condor/dag/dag_provisioner.hpp"

#include <algorithm>

namespace gridcast::condor {
namespace {

bool is_in_dag(std::string const& dag, std::string const& outer) {
  return outer.empty() || dag == outer || dag.starts_with(outer + "+");
}

}  // namespace

void wait_for_provisioners(Dag& dag) {
  for (std::size_t provisioner = 0; provisioner < dag.nodes.size(); ++provisioner) {
    if (!dag.nodes[provisioner].provisions) continue;
    std::string const& of = dag.nodes[provisioner].dag;
    for (std::size_t i = 0; i < dag.nodes.size(); ++i) {
      DagNode& node = dag.nodes[i];
      if (i == provisioner || !is_in_dag(node.dag, of)) continue;
      bool const waits =
          std::any_of(node.parents.begin(), node.parents.end(),
                      [&](std::size_t parent) { return is_in_dag(dag.nodes[parent].dag, of); });
      if (!waits) node.parents.push_back(provisioner);
    }
    dag.notes.push_back({dag.nodes[provisioner].where,
                         "a PROVISIONER is taken to be ready when its program starts; ready_after "
                         "of its submission sets a time"});
  }
}

}  // namespace gridcast::condor
