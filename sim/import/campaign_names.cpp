// Names in a recorded campaign: those that ads add, and those that a terminal could not show.
#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/base/text.hpp"
#include "sim/import/recorded_campaign.hpp"

namespace gridcast::import {
namespace {

/// Spelled-out names and their number.
class Spelling {
 public:
  void operator()(std::string& name) {
    std::string spelled = printable(name);
    if (spelled == name) return;
    if (first_.empty()) first_ = spelled;
    ++changed_;
    name = std::move(spelled);
  }

  void operator()(std::vector<std::string>& names) {
    for (std::string& name : names) (*this)(name);
  }

  std::string note() const {
    if (changed_ == 0) return "";
    return fmt::format(
        "{} {} no UTF-8, or {} characters that a terminal obeys; these bytes are spelled out: "
        "'{}'\n",
        changed_, changed_ == 1 ? "name is" : "names are", changed_ == 1 ? "has" : "have", first_);
  }

 private:
  std::size_t changed_ = 0;
  std::string first_;
};

history::BytesBySite spelled(history::BytesBySite const& bytes) {
  history::BytesBySite result;
  for (auto const& [site, moved] : bytes) result[printable(site)] += moved;
  return result;
}

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

std::string spell_out_names(RecordedCampaign& campaign) {
  Spelling spell;
  history::JobHistory& history = campaign.history;
  spell(history.sites);
  spell(history.slots);
  spell(history.urls);
  spell(history.caches);
  spell(history.users);
  spell(history.own_names);
  for (history::GpuShare& gpu : history.gpus) spell(gpu.model);
  for (history::JobLabel& label : history.labels) {
    for (std::string* const name : {&label.node, &label.batch, &label.executable, &label.arguments})
      spell(*name);
  }
  for (history::JobRow& row : campaign.table.rows) {
    spell(row.sites);
    spell(row.user);
  }
  for (auto& [name, ads] : campaign.ads.jobs) {
    condor::JobAdFacts& facts = ads.facts;
    for (std::string* const text : {&facts.cmd, &facts.arguments, &facts.batch_name,
                                    &facts.dag_node, &facts.transfer_input}) {
      *text = printable(*text);
    }
    for (condor::UrlTransferAd& transfer : ads.transfers) transfer.url = printable(transfer.url);
  }
  campaign.bytes = spelled(campaign.bytes);
  return spell.note();
}

}  // namespace gridcast::import
