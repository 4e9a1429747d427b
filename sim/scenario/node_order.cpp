#include "sim/scenario/node_order.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "sim/base/text.hpp"

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

/// Those that contain it stand before it.
bool is_inner_dag(Campaign const& campaign, std::string const& name) {
  for (std::size_t i = 0; i < campaign.dags.size(); ++i) {
    if (campaign.dags[i].name != name) continue;
    auto const& outer = campaign.dags[i].in;
    auto const end = campaign.dags.begin() + static_cast<std::ptrdiff_t>(i);
    return outer.empty() || std::any_of(campaign.dags.begin(), end,
                                        [&](InnerDag const& each) { return each.name == outer; });
  }
  return false;
}

std::vector<std::string> names_of(Campaign const& campaign) {
  constexpr std::size_t most = 1000;
  std::vector<std::string> names;
  for (Submission const& each : campaign.submit) {
    if (!each.name.empty() && names.size() < most) names.push_back(each.name);
  }
  return names;
}

/// Of the submissions with these names.
std::vector<std::size_t> numbers(NodeIndex const& index, std::vector<std::string> const& names) {
  std::vector<std::size_t> found;
  for (std::string const& name : names) {
    auto const each = index.find(name);
    if (each != index.end()) found.push_back(each->second);
  }
  return found;
}

using Names = std::set<std::string, std::less<>>;

void add_unknown(Campaign const& campaign, NodeIndex const& index, Names const& joins,
                 std::vector<std::string> const& names, std::string const& path,
                 std::vector<NodeProblem>& problems) {
  for (std::string const& name : names) {
    if (index.contains(name) || joins.contains(name)) continue;
    problems.push_back({path, fmt::format("no submission is called '{}'", name), "",
                        suggestion(name, names_of(campaign))});
  }
}

/// The problems with one submission.
void add_problems(Campaign const& campaign, NodeIndex const& index, Names const& joins,
                  std::size_t number, std::vector<NodeProblem>& problems) {
  Submission const& each = campaign.submit[number];
  std::string const path = fmt::format("submit[{}].", number);
  if (!each.name.empty() && index.at(each.name) != number) {
    problems.push_back({path + "name", fmt::format("'{}' is there twice", each.name),
                        "others wait for it by this name", ""});
  }
  add_unknown(campaign, index, joins, each.after, path + "after", problems);
  bool const known_category =
      std::any_of(campaign.categories.begin(), campaign.categories.end(),
                  [&](NodeCategory const& category) { return category.name == each.category; });
  if (!each.category.empty() && !known_category) {
    problems.push_back({path + "category", fmt::format("unknown category '{}'", each.category), "",
                        "Add it to `categories`."});
  }
  bool const known_request =
      std::any_of(campaign.requests.begin(), campaign.requests.end(),
                  [&](NamedRequest const& request) { return request.name == each.request; });
  if (!each.request.empty() && !known_request) {
    problems.push_back({path + "request", fmt::format("unknown request '{}'", each.request), "",
                        "Add it to `requests`."});
  }
  if (!each.dag.empty() && !is_inner_dag(campaign, each.dag)) {
    problems.push_back({path + "dag", fmt::format("there is no inner DAG '{}'", each.dag), "",
                        "Add it to `dags`, after the one that contains it."});
  }
}

}  // namespace

bool has_nodes(Campaign const& campaign) {
  return campaign.max_nodes > 0 ||
         std::any_of(campaign.submit.begin(), campaign.submit.end(), [](Submission const& each) {
           bool const fails_whole = !each.name.empty() && each.jobs > 1;
           return !each.after.empty() || each.retries > 0 || !each.category.empty() ||
                  each.delay > Seconds() || fails_whole || !each.dag.empty() || each.abort_on;
         });
}

NodeOrder node_order(Campaign const& campaign) {
  NodeIndex const index = index_of(campaign);
  std::map<std::string, std::vector<std::size_t>, std::less<>> of_join;
  for (Join const& join : campaign.joins) of_join[join.name] = numbers(index, join.of);
  NodeOrder order;
  order.parents.resize(campaign.submit.size());
  order.children.resize(campaign.submit.size());
  for (std::size_t i = 0; i < campaign.submit.size(); ++i) {
    auto& parents = order.parents[i];
    for (std::string const& name : campaign.submit[i].after) {
      auto const join = of_join.find(name);
      auto const some = join == of_join.end() ? numbers(index, {name}) : join->second;
      parents.insert(parents.end(), some.begin(), some.end());
    }
    for (std::size_t const parent : parents) order.children[parent].push_back(i);
  }
  return order;
}

std::vector<NodeProblem> problems_of_nodes(Campaign const& campaign) {
  NodeIndex const index = index_of(campaign);
  std::vector<NodeProblem> problems;
  Names joins;
  for (std::size_t i = 0; i < campaign.joins.size(); ++i) {
    std::string const path = fmt::format("joins[{}]", i);
    Join const& join = campaign.joins[i];
    if (index.contains(join.name) || !joins.insert(join.name).second) {
      problems.push_back({path + ".name", fmt::format("'{}' is there twice", join.name),
                          "submissions wait for it by this name", ""});
    }
    add_unknown(campaign, index, {}, join.of, path + ".of", problems);
  }
  for (std::size_t i = 0; i < campaign.submit.size(); ++i) {
    add_problems(campaign, index, joins, i, problems);
  }
  auto const cycles = in_cycles(node_order(campaign));
  if (!cycles.empty()) {
    problems.push_back({fmt::format("submit[{}].after", cycles.front()), "it waits for itself",
                        "through others", ""});
  }
  return problems;
}

void Joining::add(Submission submission) {
  auto& all = campaign_.submit;
  auto& after = all.emplace_back(std::move(submission)).after;
  if (after.size() < shortest) return;
  auto const [list, is_new] = lists_.try_emplace(after, Known{all.size() - 1});
  if (is_new) return;
  std::string& join = list->second.join;
  if (join.empty()) {
    auto& first = all[list->second.first];
    join = "before " + first.name;
    campaign_.joins.push_back({join, std::move(first.after)});
    first.after = {join};
  }
  after = {join};
}

}  // namespace gridcast::scenario
