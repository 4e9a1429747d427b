#include "sim/import/recorded_campaign.hpp"

namespace gridcast::import {
namespace {

/// User is Owner and a domain.
std::string owner_in(condor::JobAdFacts const& facts) {
  return facts.owner.empty() ? facts.user.substr(0, facts.user.find('@')) : facts.owner;
}

void add_label(history::JobLabel& label, condor::JobAdFacts const& facts) {
  label.executable = facts.cmd;
  label.arguments = facts.arguments;
  label.batch = facts.batch_name;
  if (label.node.empty()) label.node = facts.dag_node;
}

}  // namespace

void add_names(history::JobHistory& history, condor::JobAds const& ads) {
  for (std::size_t job = 0; job < history.jobs.size(); ++job) {
    auto const found = ads.jobs.find(history.jobs[job]);
    if (found == ads.jobs.end()) continue;
    condor::JobAdFacts const& facts = found->second.facts;
    if (std::string const owner = owner_in(facts); !owner.empty()) {
      history.users.resize(history.jobs.size());
      history.users[job] = owner;
    }
    if (facts.cmd.empty() && facts.batch_name.empty() && facts.dag_node.empty()) continue;
    history.labels.resize(history.jobs.size());
    add_label(history.labels[job], facts);
  }
}

}  // namespace gridcast::import
