// Which submissions of a campaign wait for which: the edges of a DAG by index, and the problems
// with them.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "sim/scenario/campaign.hpp"

namespace gridcast::scenario {

struct NodeOrder {
  std::vector<std::vector<std::size_t>> parents, children;  // by submission
};

/// True if any submission waits for another, is tried again, or is one of so many at a time.
bool has_nodes(Campaign const& campaign);

/// Names that no submission has are left out.
NodeOrder node_order(Campaign const& campaign);

struct NodeProblem {
  std::string path;  // "submit[3].after", in the campaign
  std::string what, why, hint;
};
std::vector<NodeProblem> problems_of_nodes(Campaign const& campaign);

/// Adds submissions to a campaign. A long list of names that several of them wait for becomes a
/// join: each name takes up hundreds of bytes in a scenario that is read.
class Joining {
 public:
  static constexpr std::size_t shortest = 100;  // such list

  explicit Joining(Campaign& campaign) : campaign_(campaign) {}
  void add(Submission submission);

 private:
  struct Known {
    std::size_t first = 0;  // submission with this list
    std::string join = {};  // empty: it alone has it
  };

  Campaign& campaign_;
  std::map<std::vector<std::string>, Known> lists_;
};

}  // namespace gridcast::scenario
