#include "sim/engine/dag_queue.hpp"

#include <algorithm>
#include <iterator>

namespace gridcast::engine {

DagQueue::DagQueue(scenario::Campaign const& campaign)
    : campaign_(campaign), used_(scenario::has_nodes(campaign)) {
  if (!used_) return;
  order_ = scenario::node_order(campaign);
  std::size_t first = 0;
  for (std::size_t i = 0; i < campaign.submit.size(); ++i) {
    int const jobs = campaign.submit[i].jobs;
    nodes_.push_back({first, order_.parents[i].size(), jobs, false, State::waits});
    if (order_.parents[i].empty()) make_ready(i);
    first += static_cast<std::size_t>(jobs);
  }
  retries_.resize(first);
  for (scenario::NodeCategory const& each : campaign.categories) most_[each.name] = each.max_jobs;
}

std::size_t DagQueue::node_of(Id<history::Job> job) const {
  auto const after =
      std::upper_bound(nodes_.begin(), nodes_.end(), job.index(),
                       [](std::size_t index, NodeState const& node) { return index < node.first; });
  return static_cast<std::size_t>(std::distance(nodes_.begin(), after)) - 1;
}

void DagQueue::make_ready(std::size_t node) {
  nodes_[node].state = State::ready;
  ready_[campaign_.submit[node].category].insert(node);
}

bool DagQueue::has_room(std::string const& category) const {
  auto const most = most_.find(category);
  auto const now = in_category_.find(category);
  return most == most_.end() || now == in_category_.end() || now->second < most->second;
}

/// The first node of any category that has room, in the order of the campaign.
std::optional<std::size_t> DagQueue::next_ready() const {
  if (campaign_.max_nodes > 0 && in_queue_ >= campaign_.max_nodes) return std::nullopt;
  std::optional<std::size_t> first;
  for (auto const& [category, nodes] : ready_) {
    if (nodes.empty() || !has_room(category)) continue;
    if (!first || *nodes.begin() < *first) first = *nodes.begin();
  }
  return first;
}

void DagQueue::count(std::size_t node, int change) {
  in_queue_ += change;
  in_category_[campaign_.submit[node].category] += change;
}

std::vector<DagQueue::Node> DagQueue::take_ready() {
  std::vector<Node> taken;
  while (auto const node = next_ready()) {
    scenario::Submission const& submission = campaign_.submit[*node];
    nodes_[*node].state = State::submitted;
    ready_[submission.category].erase(*node);
    count(*node, 1);
    taken.push_back({*node, nodes_[*node].first, submission.jobs, submission.at, submission.delay});
  }
  return taken;
}

void DagQueue::never(std::size_t node, std::vector<Id<history::Job>>& jobs) {
  std::vector<std::size_t> all = {node};
  for (std::size_t next = 0; next < all.size(); ++next) {
    NodeState& state = nodes_[all[next]];
    if (state.state != State::waits && state.state != State::ready) continue;
    if (state.state == State::ready) ready_[campaign_.submit[all[next]].category].erase(all[next]);
    state.state = State::never;
    for (int i = 0; i < campaign_.submit[all[next]].jobs; ++i) {
      jobs.emplace_back(state.first + static_cast<std::size_t>(i));
    }
    auto const& children = order_.children[all[next]];
    all.insert(all.end(), children.begin(), children.end());
  }
}

std::vector<Id<history::Job>> DagQueue::settled(Id<history::Job> job, Result result) {
  std::size_t const number = node_of(job);
  NodeState& node = nodes_[number];
  node.failed = node.failed || result == Result::failed;
  std::vector<Id<history::Job>> lost;
  if (--node.left > 0) return lost;
  count(number, -1);
  node.state = node.failed ? State::never : State::succeeded;
  for (std::size_t const child : order_.children[number]) {
    if (node.failed) {
      never(child, lost);
    } else if (--nodes_[child].waits_for == 0 && nodes_[child].state == State::waits) {
      make_ready(child);
    }
  }
  return lost;
}

std::vector<Id<history::Job>> DagQueue::give_up() {
  std::vector<Id<history::Job>> lost;
  for (std::size_t i = 0; i < nodes_.size(); ++i) never(i, lost);
  return lost;
}

bool DagQueue::retry(Id<history::Job> job, int exit_code) {
  if (!used_) return false;
  scenario::Submission const& submission = campaign_.submit[node_of(job)];
  bool const wanted = !submission.unless_exit || *submission.unless_exit != exit_code;
  std::uint32_t& retries = retries_[job.index()];
  if (!wanted || retries >= static_cast<std::uint32_t>(submission.retries)) return false;
  ++retries;
  return true;
}

}  // namespace gridcast::engine
