#include "sim/scenario/node_order.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

#include <fmt/format.h>

#include "sim/base/closest.hpp"

namespace gridcast::scenario {
namespace {

using NodeIndex = std::unordered_map<std::string, std::size_t>;

NodeIndex index_of(Campaign const& campaign) {
  NodeIndex index;
  for (std::size_t i = 0; i < campaign.submit.size(); ++i) {
    if (!campaign.submit[i].name.empty()) index.emplace(campaign.submit[i].name, i);
  }
  return index;
}

/// Submissions that can never be made, as they wait for each other.
std::vector<std::size_t> in_cycles(NodeOrder const& order) {
  std::vector<std::size_t> waits, free, left;
  for (auto const& parents : order.parents) waits.push_back(parents.size());
  for (std::size_t i = 0; i < waits.size(); ++i) {
    if (waits[i] == 0) free.push_back(i);
  }
  for (std::size_t next = 0; next < free.size(); ++next) {
    for (std::size_t const child : order.children[free[next]]) {
      if (--waits[child] == 0) free.push_back(child);
    }
  }
  for (std::size_t i = 0; i < waits.size(); ++i) {
    if (waits[i] > 0) left.push_back(i);
  }
  return left;
}

std::vector<std::string> names_of(Campaign const& campaign) {
  constexpr std::size_t most = 1000;
  std::vector<std::string> names;
  for (Submission const& each : campaign.submit) {
    if (!each.name.empty() && names.size() < most) names.push_back(each.name);
  }
  return names;
}

}  // namespace

bool has_nodes(Campaign const& campaign) {
  return campaign.max_nodes > 0 ||
         std::any_of(campaign.submit.begin(), campaign.submit.end(), [](Submission const& each) {
           return !each.after.empty() || each.retries > 0 || !each.category.empty() ||
                  each.delay > Seconds();
         });
}

NodeOrder node_order(Campaign const& campaign) {
  NodeIndex const index = index_of(campaign);
  NodeOrder order;
  order.parents.resize(campaign.submit.size());
  order.children.resize(campaign.submit.size());
  for (std::size_t i = 0; i < campaign.submit.size(); ++i) {
    for (std::string const& name : campaign.submit[i].after) {
      auto const parent = index.find(name);
      if (parent == index.end()) continue;
      order.parents[i].push_back(parent->second);
      order.children[parent->second].push_back(i);
    }
  }
  return order;
}

std::vector<NodeProblem> problems_of_nodes(Campaign const& campaign) {
  std::vector<NodeProblem> problems;
  NodeIndex const index = index_of(campaign);
  std::map<std::string, int> categories;
  for (NodeCategory const& category : campaign.categories) categories[category.name];
  for (std::size_t i = 0; i < campaign.submit.size(); ++i) {
    Submission const& each = campaign.submit[i];
    if (!each.name.empty() && index.at(each.name) != i) {
      problems.push_back({i, "name", fmt::format("'{}' is there twice", each.name),
                          "others wait for it by this name", ""});
    }
    for (std::string const& name : each.after) {
      if (index.contains(name)) continue;
      problems.push_back({i, "after", fmt::format("no submission is called '{}'", name), "",
                          suggestion(name, names_of(campaign))});
    }
    if (!each.category.empty() && !categories.contains(each.category)) {
      problems.push_back({i, "category", fmt::format("unknown category '{}'", each.category), "",
                          "Add it to `categories`."});
    }
  }
  auto const cycles = in_cycles(node_order(campaign));
  if (!cycles.empty()) {
    problems.push_back({cycles.front(), "after", "it waits for itself", "through others", ""});
  }
  return problems;
}

}  // namespace gridcast::scenario
