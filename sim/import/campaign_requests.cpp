#include "sim/import/campaign_requests.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

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
    bool const is_new = std::none_of(there.begin(), there.end(),
                                     [&](auto const& each) { return each.name == numbered; });
    if (is_new) return numbered;
    numbered = fmt::format("{}-{}", name, number);
  }
}

/// True if a size of some group depends on the job's attempts.
bool is_rule(condor::SubmitFile const& file, std::string const& command) {
  bool const of_size = same_ignoring_case(attribute_of(command), attribute_of("request_memory")) ||
                       same_ignoring_case(attribute_of(command), attribute_of("request_disk"));
  return of_size && std::any_of(file.groups.begin(), file.groups.end(), [&](auto const& group) {
           std::string const text = group.text(command);
           return !text.empty() && !submit_size(text, Bytes(1));
         });
}

using Values = std::vector<std::string>;

Values values_of(condor::SubmitGroup const& group, std::set<std::string> const& commands) {
  Values values;
  for (std::string const& command : commands) values.push_back(group.text(command));
  return values;
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

/// The request of one group alone.
scenario::NamedRequest request_of(condor::SubmitFile const& file, condor::SubmitGroup group) {
  for (char const* const command : {"transfer_input_files", "container_image"}) {
    group.commands.erase(command);
    group.commands.erase(attribute_of(command));
  }
  condor::SubmitFile alone;
  alone.file = file.file;
  alone.groups = {std::move(group)};
  SubmitImport const import =
      import_submit(alone, {}, InputOf::largest_group, RequestOf::largest_group);
  scenario::NamedRequest request;
  static_cast<scenario::Request&>(request) = import.campaign.request;
  request.requirements = import.strategy.retry.policy.requirements;
  return request;
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

}  // namespace

bool is_of_request(std::string_view command) {
  static std::vector<std::string> const commands = {"request_gpus",
                                                    "request_memory",
                                                    "request_disk",
                                                    "requirements",
                                                    "require_gpus",
                                                    "gpus_minimum_memory",
                                                    "gpus_maximum_memory",
                                                    "gpus_minimum_capability",
                                                    "gpus_maximum_capability",
                                                    "gpus_minimum_runtime",
                                                    "cuda_version",
                                                    "desired_sites",
                                                    "undesired_sites",
                                                    "concurrency_limits"};
  return std::any_of(commands.begin(), commands.end(), [&](std::string const& each) {
    return same_ignoring_case(attribute_of(each), attribute_of(command));
  });
}

std::string name_request(scenario::Campaign& campaign, scenario::NamedRequest const& most,
                         scenario::NamedRequest request, std::string_view stem) {
  if (same(request, most)) return "";
  if (!request.requirements && most.requirements) request.requirements = classad::parse("true");
  if (text_of(request.requirements) == text_of(most.requirements)) request.requirements.reset();
  auto const known =
      std::find_if(campaign.requests.begin(), campaign.requests.end(),
                   [&](scenario::NamedRequest const& other) { return same(other, request); });
  if (known != campaign.requests.end()) return known->name;
  if (campaign.requests.size() >= most_requests) return "";
  request.name = new_name(stem, campaign.requests);
  campaign.requests.push_back(std::move(request));
  return campaign.requests.back().name;
}

std::set<std::string> own_request_commands(condor::SubmitFile const& file) {
  std::set<std::string> own;
  for (std::string const& command : deciding_submit_commands()) {
    bool const differs =
        std::any_of(file.groups.begin(), file.groups.end(), [&](condor::SubmitGroup const& group) {
          return group.text(command) != file.groups.front().text(command);
        });
    if (differs && is_of_request(command) && !is_rule(file, command)) own.insert(command);
  }
  return is_readable(file, own) ? own : std::set<std::string>();
}

void take_each_request(condor::SubmitFile const& file, std::set<std::string> const& own,
                       SubmitImport& import) {
  scenario::Campaign& campaign = import.campaign;
  scenario::NamedRequest most;
  static_cast<scenario::Request&>(most) = campaign.request;
  most.requirements = import.strategy.retry.policy.requirements;
  std::map<Values, std::string> names;
  std::vector<std::string> request_of_group;
  for (condor::SubmitGroup const& group : file.groups) {
    auto const [found, is_new] = names.try_emplace(values_of(group, own));
    if (is_new) {
      scenario::NamedRequest request = request_of(file, group);
      if (is_rule(file, "request_memory")) request.memory = most.memory;
      if (is_rule(file, "request_disk")) request.disk = most.disk;
      found->second = name_request(campaign, most, std::move(request), file.file.stem().string());
    }
    request_of_group.push_back(found->second);
  }
  campaign.submit = submissions_of(file, request_of_group);
}

}  // namespace gridcast::import
