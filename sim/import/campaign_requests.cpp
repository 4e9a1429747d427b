#include "sim/import/campaign_requests.hpp"

#include <algorithm>
#include <optional>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/text.hpp"
#include "sim/import/submit_commands.hpp"

namespace gridcast::import {
namespace {

constexpr std::size_t most_requests = 100, most_submissions = 1000;

std::string text_of(std::optional<classad::Expression> const& rule) {
  return rule ? rule->text() : "";
}

bool same(scenario::NamedRequest const& a, scenario::NamedRequest const& b) {
  return static_cast<scenario::Request const&>(a) == b &&
         text_of(a.requirements) == text_of(b.requirements);
}

/// Without signs that paths of keys have; with a number if the name is taken.
std::string new_name(std::string_view stem, std::vector<scenario::NamedRequest> const& there) {
  std::string name;
  for (char const c : stem) {
    bool const plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    name += plain || c == '_' ? c : '-';
  }
  std::string numbered = name;
  for (int number = 2;; ++number) {
    if (std::ranges::count(there, numbered, &scenario::NamedRequest::name) == 0) return numbered;
    numbered = fmt::format("{}-{}", name, number);
  }
}

/// True if the command, or the attribute that it sets, is in a list with blanks between.
bool is_in(std::string_view list, std::string_view command) {
  auto const commands = split(list, ' ');
  return std::ranges::any_of(commands, [&](std::string const& each) {
    return same_ignoring_case(attribute_of(each), attribute_of(command));
  });
}

/// True if it is part of a request.
bool is_of_request(std::string_view command) {
  return is_in(
      "request_gpus request_memory request_disk requirements require_gpus gpus_minimum_memory "
      "gpus_maximum_memory gpus_minimum_capability gpus_maximum_capability gpus_minimum_runtime "
      "cuda_version desired_sites undesired_sites concurrency_limits",
      command);
}

/// Commands that change few answers.
bool is_minor(std::string const& command) {
  return is_in(
      "should_transfer_files transfer_output_files when_to_transfer_output job_lease_duration "
      "max_idle max_materialize",
      command);
}

/// The jobs of a description without their input.
SubmitImport without_input(condor::SubmitFile file) {
  for (std::string const& command : input_commands()) {
    file.commands.erase(command);
    for (condor::SubmitGroup& group : file.groups) group.commands.erase(command);
  }
  return import_submit(file, {}, InputOf::largest_group, RequestOf::largest_group);
}

scenario::NamedRequest request_in(SubmitImport const& import) {
  scenario::NamedRequest request;
  static_cast<scenario::Request&>(request) = import.campaign.request;
  request.requirements = import.strategy.retry.policy.requirements;
  return request;
}

/// The name of a request among the campaign's, which gets it if it is new: `stem`, with a number
/// if that name is taken. Empty for the request of most jobs, `most`, and for one beyond a hundred
/// others.
std::string name_request(scenario::Campaign& campaign, scenario::NamedRequest const& most,
                         scenario::NamedRequest request, std::string_view stem) {
  if (same(request, most)) return "";
  if (!request.requirements && most.requirements) request.requirements = classad::parse("true");
  if (text_of(request.requirements) == text_of(most.requirements)) request.requirements.reset();
  auto const known = std::ranges::find_if(
      campaign.requests, [&](scenario::NamedRequest const& other) { return same(other, request); });
  if (known != campaign.requests.end()) return known->name;
  if (campaign.requests.size() >= most_requests) return "";
  request.name = new_name(stem, campaign.requests);
  campaign.requests.push_back(std::move(request));
  return campaign.requests.back().name;
}

/// True if a size of some group depends on the job's attempts.
bool is_rule(condor::SubmitFile const& file, std::string const& command) {
  return is_in("request_memory request_disk", command) &&
         std::ranges::any_of(file.groups, [&](auto const& group) {
           std::string const text = group.text(command);
           return !text.empty() && !submit_size(text, Bytes(1));
         });
}

using Values = std::vector<std::string>;

Values values_of(condor::SubmitGroup const& group, std::set<std::string> const& commands) {
  return each_of(commands, [&](std::string const& command) { return group.text(command); });
}

/// A job, by its number, and the group that it is in.
using JobGroups = std::map<int, std::size_t>;

JobGroups groups_of_jobs(condor::SubmitFile const& file) {
  JobGroups groups;
  for (std::size_t g = 0; g < file.groups.size(); ++g) {
    for (int const process : file.groups[g].processes) groups[process] = g;
  }
  return groups;
}

bool is_readable(condor::SubmitFile const& file, std::set<std::string> const& commands) {
  std::map<Values, std::size_t> numbers;
  std::vector<std::size_t> number_of_group;
  for (condor::SubmitGroup const& group : file.groups) {
    auto const number = numbers.emplace(values_of(group, commands), numbers.size()).first->second;
    number_of_group.push_back(number);
  }
  std::size_t changes = 0;
  std::optional<std::size_t> last;
  for (auto const& [process, group] : groups_of_jobs(file)) {
    changes += last != number_of_group[group] ? 1 : 0;
    last = number_of_group[group];
  }
  return numbers.size() <= most_requests && changes <= most_submissions;
}

/// One submission for each queue statement, and in it for each change of the request.
std::vector<scenario::Submission> submissions_of(condor::SubmitFile const& file,
                                                 std::vector<std::string> const& request_of_group) {
  std::vector<scenario::Submission> submit;
  std::optional<std::size_t> last;
  for (auto const& [process, group] : groups_of_jobs(file)) {
    auto const place = [&](std::size_t g) {
      Location const& queue = file.groups[g].queue;
      return std::tuple(queue.file, queue.line, request_of_group[g]);
    };
    if (!last || place(*last) != place(group)) {
      submit.push_back({Seconds(), 0});
      submit.back().request = request_of_group[group];
    }
    ++submit.back().jobs;
    last = group;
  }
  return submit;
}

Asks asks_of(condor::SubmitFile const& file) {
  Asks asks;
  if (file.groups.empty()) return asks;
  auto const& largest = *std::ranges::max_element(file.groups, {}, &condor::SubmitGroup::jobs);
  for (auto const& [name, value] : largest.commands) {
    asks[name] = value.text;
    // Its name makes no difference.
    if (name == "transfer_output_files" && !unquoted(value.text).empty()) asks[name] = "some";
  }
  for (std::string const& name : input_commands()) asks.erase(name);
  return asks;
}

std::vector<Descriptions::value_type const*> in_order_of_nodes(Descriptions const& all) {
  std::vector<Descriptions::value_type const*> order;
  for (auto const& each : all) order.push_back(&each);
  std::ranges::sort(order, {}, [](auto const* each) { return each->second.first; });
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

}  // namespace

std::set<std::string> own_request_commands(condor::SubmitFile const& file) {
  std::set<std::string> own;
  for (std::string const& command : deciding_submit_commands()) {
    bool const differs = std::ranges::any_of(file.groups, [&](condor::SubmitGroup const& group) {
      return group.text(command) != file.groups.front().text(command);
    });
    if (differs && is_of_request(command) && !is_rule(file, command)) own.insert(command);
  }
  return is_readable(file, own) ? own : std::set<std::string>();
}

void take_each_request(condor::SubmitFile const& file, std::set<std::string> const& own,
                       SubmitImport& import) {
  scenario::Campaign& campaign = import.campaign;
  scenario::NamedRequest const most = request_in(import);
  std::map<Values, std::string> names;
  std::vector<std::string> request_of_group;
  for (condor::SubmitGroup const& group : file.groups) {
    auto const [found, is_new] = names.try_emplace(values_of(group, own));
    if (is_new) {
      condor::SubmitFile alone;
      alone.file = file.file;
      alone.groups = {group};
      scenario::NamedRequest request = request_in(without_input(std::move(alone)));
      if (is_rule(file, "request_memory")) request.memory = most.memory;
      if (is_rule(file, "request_disk")) request.disk = most.disk;
      found->second = name_request(campaign, most, std::move(request), file.file.stem().string());
    }
    request_of_group.push_back(found->second);
  }
  campaign.submit = submissions_of(file, request_of_group);
}

std::vector<std::string> const& input_commands() {
  static std::vector<std::string> const names = [] {
    std::vector<std::string> all = {"transfer_input_files", "container_image", "initialdir",
                                    "+SingularityImage"};
    for (std::size_t i = 0; i < 3; ++i) all.push_back(attribute_of(all[i]));
    return all;
  }();
  return names;
}

Descriptions::value_type& describe(Descriptions& all, std::string const& file,
                                   condor::SubmitFile const& submit, std::size_t node) {
  auto const [found, is_new] = all.try_emplace({file, asks_of(submit)}, Description{node});
  if (!is_new || submit.groups.empty()) return *found;
  SubmitImport const own = without_input(submit);
  found->second.request = request_in(own);
  scenario::JobPolicy const& policy = own.strategy.retry.policy;
  found->second.by_ad = policy.request_memory || policy.request_disk;
  return *found;
}

/// The description of most jobs; of several the one that comes first.
Descriptions::value_type const& usual(Descriptions const& all) {
  return *std::ranges::max_element(all, [](auto const& a, auto const& b) {
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
