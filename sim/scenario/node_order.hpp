// Which submissions of a campaign wait for which: the edges of a DAG by index, and what is wrong with
// them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/scenario/campaign.hpp"

namespace gridcast::scenario {

struct NodeOrder {
  std::vector<std::vector<std::size_t>> parents, children;  // by submission
};

/// Whether any submission waits for another, is tried again, or is one of so many at a time.
bool has_nodes(Campaign const& campaign);

/// Names that no submission has are left out.
NodeOrder node_order(Campaign const& campaign);

/// What is wrong with submission `index`; empty where nothing is.
struct NodeProblem {
  std::size_t submission = 0;
  std::string key;  // "after"
  std::string what, why, hint;
};
std::vector<NodeProblem> problems_of_nodes(Campaign const& campaign);

}  // namespace gridcast::scenario
