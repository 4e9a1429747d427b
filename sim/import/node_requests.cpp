#include "sim/import/node_requests.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/text.hpp"
#include "sim/import/campaign_requests.hpp"
#include "sim/import/submit_commands.hpp"

namespace gridcast::import {
namespace {

Asks asks_of(condor::SubmitFile const& file) {
  Asks asks;
  if (file.groups.empty()) return asks;
  auto const& largest =
      *std::max_element(file.groups.begin(), file.groups.end(),
                        [](auto const& a, auto const& b) { return a.jobs < b.jobs; });
  for (auto const& [name, value] : largest.commands) {
    asks[name] = value.text;
    // Its name makes no difference.
    if (name == "transfer_output_files" && !unquoted(value.text).empty()) asks[name] = "some";
  }
  for (std::string const& name : input_commands()) asks.erase(name);
  return asks;
}

void leave_out_input(condor::SubmitFile& file) {
  for (std::string const& command : input_commands()) {
    file.commands.erase(command);
    for (condor::SubmitGroup& group : file.groups) group.commands.erase(command);
  }
}

std::vector<Descriptions::value_type const*> in_order_of_nodes(Descriptions const& all) {
  std::vector<Descriptions::value_type const*> order;
  for (auto const& each : all) order.push_back(&each);
  std::sort(order.begin(), order.end(),
            [](auto const* a, auto const* b) { return a->second.first < b->second.first; });
  return order;
}

/// The names of commands in which they differ.
void add_differences(Asks const& a, Asks const& b, std::set<std::string>& names) {
  auto const look = [&names](Asks const& from, Asks const& in) {
    for (auto const& [name, text] : from) {
      auto const other = in.find(name);
      if (other == in.end() || other->second != text) names.insert(name);
    }
  };
  look(a, b);
  look(b, a);
}

bool is_one(std::string const& command, std::vector<std::string> const& commands) {
  return std::any_of(commands.begin(), commands.end(), [&](std::string const& each) {
    return same_ignoring_case(attribute_of(each), attribute_of(command));
  });
}

/// Commands that change few answers.
bool is_minor(std::string const& command) {
  static std::vector<std::string> const commands = {"should_transfer_files",
                                                    "transfer_output_files",
                                                    "when_to_transfer_output",
                                                    "job_lease_duration",
                                                    "max_idle",
                                                    "max_materialize"};
  return is_one(command, commands);
}

}  // namespace

std::vector<std::string> const& input_commands() {
  static std::vector<std::string> const names = [] {
    std::vector<std::string> all = {"transfer_input_files", "container_image", "initialdir"};
    for (std::size_t i = 0; i < 3; ++i) all.push_back(attribute_of(all[i]));
    return all;
  }();
  return names;
}

Descriptions::value_type& describe(Descriptions& all, std::string const& file,
                                   condor::SubmitFile const& submit, std::size_t node) {
  auto const [found, is_new] = all.try_emplace({file, asks_of(submit)}, Description{node});
  if (!is_new || submit.groups.empty()) return *found;
  condor::SubmitFile without_input = submit;
  leave_out_input(without_input);
  SubmitImport const own =
      import_submit(without_input, {}, InputOf::largest_group, RequestOf::largest_group);
  scenario::JobPolicy const& policy = own.strategy.retry.policy;
  static_cast<scenario::Request&>(found->second.request) = own.campaign.request;
  found->second.request.requirements = policy.requirements;
  found->second.by_ad = policy.request_memory || policy.request_disk;
  return *found;
}

/// The description of most jobs; of several the one that comes first.
Descriptions::value_type const& usual(Descriptions const& all) {
  return *std::max_element(all.begin(), all.end(), [](auto const& a, auto const& b) {
    return std::pair(a.second.jobs, b.second.first) < std::pair(b.second.jobs, a.second.first);
  });
}

std::map<Descriptions::value_type const*, std::string> name_requests(
    Descriptions const& all, Descriptions::value_type const& taken, condor::Dag const& dag,
    scenario::Campaign& campaign) {
  std::map<Descriptions::value_type const*, std::string> names;
  scenario::NamedRequest const& most = taken.second.request;
  for (auto const* const each : in_order_of_nodes(all)) {
    condor::DagNode const& node = dag.nodes[each->second.first];
    names[each] = name_request(campaign, most, each->second.request,
                               node.submit.empty() ? node.name : node.submit.stem().string());
  }
  return names;
}

void note_other_rules(Descriptions const& all, Descriptions::value_type const& taken,
                      condor::Dag const& dag, DagImport& import) {
  std::size_t others = 0, important = 0;
  std::set<std::string> names, important_names;
  Location where;
  bool const by_ad = taken.second.by_ad;
  for (auto const* const each : in_order_of_nodes(all)) {
    std::set<std::string> different;
    add_differences(each->first.second, taken.first.second, different);
    std::erase_if(different, [&](std::string const& name) {
      return is_of_request(name) &&
             !((by_ad || each->second.by_ad) && name.starts_with("request_"));
    });
    if (different.empty()) continue;
    if (others == 0) where = dag.nodes[each->second.first].where;
    others += each->second.nodes;
    names.insert(different.begin(), different.end());
    std::erase_if(different, is_minor);
    important += different.empty() ? 0 : each->second.nodes;
    important_names.merge(different);
  }
  auto const words = [&](std::size_t nodes, std::set<std::string> const& of) {
    return fmt::format("{} of {} nodes have another {} than node '{}', whose rules all follow",
                       nodes, import.nodes, fmt::join(of, ", "),
                       dag.nodes[taken.second.first].name);
  };
  if (others == 0) return;
  import.import.notes.push_back(
      {where, words(others, names), condor::SubmitTopic::other, condor::SubmitAction::recommended});
  if (important > 0) {
    import.simplified = fmt::format("Simplified: {}.", words(important, important_names));
  }
}

}  // namespace gridcast::import
