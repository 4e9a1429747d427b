#include "sim/running/start_order.hpp"

#include <algorithm>
#include <tuple>

namespace gridcast::running {

bool StartOrder::Ready::operator>(Ready const& other) const {
  return std::tie(at, since, job) > std::tie(other.at, other.since, other.job);
}

StartOrder::StartOrder(RunningCampaign const& campaign)
    : campaign_(campaign), nodes_(campaign.nodes.size()) {
  if (!nodes_.empty()) node_of_.resize(campaign.jobs.size());
  std::vector<bool> comes_later(campaign.jobs.size(), false);
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    CampaignNode const& node = campaign.nodes[n];
    nodes_[n].parents_left = node.parents.size();
    nodes_[n].jobs_left = node.jobs.size();
    for (std::size_t const parent : node.parents) nodes_[parent].children.push_back(n);
    for (std::size_t const job : node.jobs) {
      node_of_[job] = n;
      comes_later[job] = !node.submitted;
    }
  }
  for (std::size_t job = 0; job < campaign.jobs.size(); ++job) {
    if (campaign.jobs[job].stand == Stand::fresh && !comes_later[job]) push(job, Seconds());
  }
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    if (nodes_[n].parents_left == 0) make_ready(n);
  }
}

void StartOrder::push(std::size_t job, Seconds at) {
  ready_.push({at, campaign_.jobs[job].since, job});
}

void StartOrder::make_ready(std::size_t node) {
  if (campaign_.nodes[node].submitted) return;
  for (std::size_t const job : campaign_.nodes[node].jobs) push(job, nodes_[node].ready);
}

void StartOrder::over(std::size_t job, Seconds at, bool succeeded) {
  if (node_of_.empty() || !node_of_[job]) return;
  Node& node = nodes_[*node_of_[job]];
  node.failed = node.failed || !succeeded;
  node.end = std::max(node.end, at);
  if (--node.jobs_left > 0 || node.failed) return;
  for (std::size_t const child : node.children) {
    nodes_[child].ready = std::max(nodes_[child].ready, node.end);
    if (--nodes_[child].parents_left == 0) make_ready(child);
  }
}

std::optional<StartOrder::Ready> StartOrder::next() {
  if (ready_.empty()) return std::nullopt;
  Ready const first = ready_.top();
  ready_.pop();
  return first;
}

}  // namespace gridcast::running
