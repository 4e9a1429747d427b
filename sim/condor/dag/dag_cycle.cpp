#include "sim/condor/dag/dag_cycle.hpp"

#include <algorithm>
#include <set>

namespace gridcast::condor {
namespace {

bool is_in_dag(std::string const& dag, std::string const& outer) {
  return outer.empty() || dag == outer || dag.starts_with(outer + "+");
}

}  // namespace

std::optional<std::size_t> in_a_cycle(std::vector<DagNode> const& nodes) {
  std::vector<std::vector<std::size_t>> children(nodes.size());
  std::vector<std::size_t> waits(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    waits[i] = nodes[i].parents.size();
    for (std::size_t const parent : nodes[i].parents) children[parent].push_back(i);
  }
  std::vector<std::size_t> free;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (waits[i] == 0) free.push_back(i);
  }
  for (std::size_t next = 0; next < free.size(); ++next) {
    for (std::size_t const child : children[free[next]]) {
      if (--waits[child] == 0) free.push_back(child);
    }
  }
  if (free.size() == nodes.size()) return std::nullopt;
  auto const left = std::find_if(waits.begin(), waits.end(), [](std::size_t w) { return w > 0; });
  return static_cast<std::size_t>(left - waits.begin());
}

std::vector<std::size_t> ends_of(std::vector<DagNode> const& all,
                                 std::vector<std::size_t> const& nodes, bool first) {
  std::set<std::size_t> const within(nodes.begin(), nodes.end());
  std::set<std::size_t> waiting, waited_for;
  for (std::size_t const node : nodes) {
    for (std::size_t const parent : all[node].parents) {
      if (!within.contains(parent)) continue;
      waiting.insert(node);
      waited_for.insert(parent);
    }
  }
  auto const& inner = first ? waiting : waited_for;
  std::vector<std::size_t> ends;
  for (std::size_t const node : nodes) {
    if (!inner.contains(node)) ends.push_back(node);
  }
  return ends;
}

void unite_edges(std::vector<DagNode>& nodes) {
  for (DagNode& node : nodes) {
    std::sort(node.parents.begin(), node.parents.end());
    node.parents.erase(std::unique(node.parents.begin(), node.parents.end()), node.parents.end());
  }
}

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
