#include "sim/import/dag_campaign.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/condor/dag/dag_file.hpp"
#include "sim/import/submit_commands.hpp"

namespace gridcast::import {
namespace {

/// Which nodes have jobs to be submitted, and what each waits for, through nodes that run nothing.
class Edges {
 public:
  Edges(condor::Dag const& dag, std::set<std::string> const& done) : dag_(dag) {
    for (condor::DagNode const& node : dag.nodes) {
      is_done_.push_back(node.done || done.contains(node.name));
    }
  }

  bool is_done(std::size_t node) const { return is_done_[node]; }
  bool has_jobs(std::size_t node) const { return !is_done_[node] && !dag_.nodes[node].noop; }

  /// Nodes with jobs.
  std::vector<std::string> names_before(std::size_t node) const {
    std::vector<std::string> names;
    for (std::size_t const parent : before(node)) names.push_back(dag_.nodes[parent].name);
    return names;
  }

 private:
  // A chain of nodes without jobs can be as long as a DAG: a stack of its own, and each node once.
  std::set<std::size_t> before(std::size_t node) const {
    std::set<std::size_t> found;
    std::set<std::size_t> seen;
    std::vector<std::size_t> open = dag_.nodes[node].parents;
    while (!open.empty()) {
      std::size_t const each = open.back();
      open.pop_back();
      if (is_done_[each] || !seen.insert(each).second) continue;
      if (has_jobs(each)) {
        found.insert(each);
      } else {
        auto const& parents = dag_.nodes[each].parents;
        open.insert(open.end(), parents.begin(), parents.end());
      }
    }
    return found;
  }

  condor::Dag const& dag_;
  std::vector<bool> is_done_;
};

scenario::Submission submission_of(condor::DagNode const& node, int jobs,
                                   std::vector<std::string> after) {
  scenario::Submission submission;
  submission.jobs = jobs;
  submission.name = node.name;
  submission.after = std::move(after);
  submission.delay = node.delay;
  submission.retries = node.retries;
  submission.unless_exit = node.unless_exit;
  submission.category = node.category;
  return submission;
}

/// Nodes with jobs that are submitted alike but for their VARS.
struct Description {
  std::size_t first = 0;  // such node
  std::size_t nodes = 0;
  condor::SubmitFile submit = {};
};

std::string key_of(condor::DagNode const& node) {
  return node.submit.empty() ? "{" + node.description : node.submit.string();
}

using Descriptions = std::map<std::string, Description>;

/// Empty where it cannot be read.
condor::SubmitFile read_submit_of(condor::DagNode const& node, std::vector<Problem>& problems) {
  try {
    return condor::read_node_submit(node, deciding_submit_commands());
  } catch (InputError const& error) {
    for (Problem problem : error.problems()) {
      if (problem.where.line == 0) {
        problem.what =
            fmt::format("node '{}': {}: {}", node.name, problem.where.file, problem.what);
        problem.where = node.where;
      }
      problems.push_back(std::move(problem));
    }
  }
  return {};
}

/// Read once each, with the VARS of the first node.
Descriptions read_descriptions(condor::Dag const& dag, Edges const& edges) {
  Descriptions all;
  std::vector<Problem> problems;
  for (std::size_t i = 0; i < dag.nodes.size(); ++i) {
    if (!edges.has_jobs(i)) continue;
    auto const [found, fresh] = all.emplace(key_of(dag.nodes[i]), Description{i});
    ++found->second.nodes;
    if (!fresh) continue;
    found->second.submit = read_submit_of(dag.nodes[i], problems);
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  return all;
}

/// That of most nodes; of several the one that comes first.
Description const& usual(Descriptions const& all) {
  return std::max_element(all.begin(), all.end(),
                          [](auto const& a, auto const& b) {
                            return std::pair(a.second.nodes, b.second.first) <
                                   std::pair(b.second.nodes, a.second.first);
                          })
      ->second;
}

std::vector<std::string> const& input_commands() {
  static std::vector<std::string> const names = [] {
    std::vector<std::string> all = {"transfer_input_files", "container_image", "initialdir"};
    for (std::size_t i = 0; i < 3; ++i) all.push_back(attribute_of(all[i]));
    return all;
  }();
  return names;
}

/// What of a node's own could make its jobs fetch something else than those of another with the
/// same description: VARS that the description uses, or that are a command themselves.
std::string own_of(condor::DagNode const& node, condor::SubmitFile const& file) {
  std::string own = file.macros.contains("JOB") ? node.name : "";
  for (auto const& [name, value] : node.vars) {
    bool const only_for_others = file.commands.contains(name) && !file.macros.contains(name) &&
                                 submit_effect(name) == SubmitEffect::unknown;
    if (!only_for_others) own += fmt::format("\n{}={}", name, value);
  }
  return own;
}

/// What each job of the campaign fetches, its jobs numbered node by node.
class NodeInputs {
 public:
  /// How many jobs the node has. `first` is the node whose VARS its description was read with.
  int add(condor::DagNode const& node, condor::SubmitFile const& description,
          condor::DagNode const& first) {
    if (own_of(node, description) == own_of(first, description)) {
      return add(description.groups, node.folder);
    }
    return add(read_submit_of(node, problems_).groups, node.folder);
  }

  /// InputError if a node could not be read.
  std::vector<InputGroup> const& groups() const {
    if (!problems_.empty()) throw InputError(problems_);
    return groups_;
  }

 private:
  int add(std::vector<condor::SubmitGroup> const& of_node, std::filesystem::path const& folder) {
    int jobs = 0;
    for (condor::SubmitGroup const& group : of_node) {
      std::string key = folder.string();
      for (std::string const& command : input_commands()) {
        auto const found = group.commands.find(command);
        key += "\n" + (found == group.commands.end() ? "" : found->second.text);
      }
      auto const [place, is_new] = number_of_.emplace(key, groups_.size());
      if (is_new) groups_.push_back({{0, {}, group.queue, group.commands}, folder});
      condor::SubmitGroup& alike = groups_[place->second].jobs;
      for (int const process : group.processes) alike.processes.push_back(before_ + process);
      alike.jobs += group.jobs;
      jobs += group.jobs;
    }
    before_ += jobs;
    return jobs;
  }

  std::vector<InputGroup> groups_;
  std::vector<Problem> problems_;
  std::map<std::string, std::size_t> number_of_;
  int before_ = 0;  // jobs of the nodes before
};

void note_other_descriptions(condor::Dag const& dag, Descriptions const& all,
                             Description const& taken, DagImport& import) {
  if (all.size() < 2) return;
  std::size_t others = 0;
  Location where;
  for (auto const& [key, each] : all) {
    if (&each == &taken) continue;
    others += each.nodes;
    if (where.line == 0) where = dag.nodes[each.first].where;
  }
  import.import.notes.push_back(
      {where, fmt::format(
                  "{} of {} nodes have another submit file ({} in all): all ask for {}what that of "
                  "node '{}' does",
                  others, import.nodes, all.size(), import.import.own_input ? "" : "and fetch ",
                  dag.nodes[taken.first].name)});
}

/// VARS that no command uses are for the program, or for nobody.
void leave_out_unused(condor::DagNode const& node, condor::SubmitFile& file) {
  auto const leave_out = [&](std::string const& name) {
    if (submit_effect(name) == SubmitEffect::unknown) file.commands.erase(name);
  };
  leave_out("JOB");
  for (auto const& [name, value] : node.vars) leave_out(name);
}

std::string text_of(condor::SubmitFile const& file, char const* command) {
  auto const found = file.commands.find(command);
  return found == file.commands.end() ? "" : found->second.text;
}

/// Whether a node has a program's name, in which "*" stands for any number; or differs from it in the
/// one number that the name keeps.
enum class Match { no, yes, other_number };
struct NameMatch {
  Match match = Match::no;
  double number = 0;  // the node's
};

bool digit(char c) { return c >= '0' && c <= '9'; }

NameMatch match(std::string const& pattern, std::string const& node) {
  NameMatch found{Match::yes, 0};
  std::size_t p = 0, n = 0;
  while (p < pattern.size() && n < node.size()) {
    if (!digit(node[n])) {
      if (pattern[p++] != node[n++]) return {};
      continue;
    }
    std::string number, kept;
    while (n < node.size() && digit(node[n])) number += node[n++];
    if (pattern[p] == '*') {
      ++p;
      continue;
    }
    while (p < pattern.size() && digit(pattern[p])) kept += pattern[p++];
    if (kept.empty()) return {};
    found.number = std::stod(number);
    if (kept != number) found.match = Match::other_number;
  }
  return p == pattern.size() && n == node.size() ? found : NameMatch{};
}

std::optional<double> scale_by_name(CalibratedProgram const& program, std::string const& node) {
  std::optional<double> by_number;
  for (ProgramVariant const& variant : program.variants) {
    NameMatch const name = match(variant.name, node);
    if (name.match == Match::yes) return variant.work_scale;
    if (name.match != Match::other_number || !program.work_by_number) continue;
    double const scale =
        program.work_by_number->at_zero + program.work_by_number->by_one * name.number;
    if (scale > 0) by_number = scale;
  }
  return by_number;
}

/// By what the submit file calls it.
std::optional<double> scale_by_file(CalibratedProgram const& program,
                                    condor::SubmitFile const& file) {
  std::string const executable = text_of(file, "executable"),
                    arguments = text_of(file, "arguments");
  for (ProgramVariant const& variant : program.variants) {
    bool const same = variant.name == text_of(file, "batch_name") || variant.name == executable ||
                      variant.name == arguments || variant.name == executable + " " + arguments;
    if (same) return variant.work_scale;
  }
  return std::nullopt;
}

}  // namespace

std::set<std::string> nodes_done(condor::Dag const& dag, history::JobHistory const& record) {
  std::set<std::string> done, submitted;
  if (record.labels.empty()) return done;
  for (history::JobEvent const& event : record.events) {
    std::string const& node = record.labels[event.job.index()].node;
    if (node.empty()) continue;
    submitted.insert(node);
    if (event.kind == history::EventKind::terminated && event.useful) done.insert(node);
  }
  std::vector<std::size_t> open;
  for (condor::DagNode const& node : dag.nodes) {
    if (submitted.contains(node.name)) {
      open.insert(open.end(), node.parents.begin(), node.parents.end());
    }
  }
  std::vector<bool> seen(dag.nodes.size());
  while (!open.empty()) {
    std::size_t const each = open.back();
    open.pop_back();
    if (seen[each]) continue;
    seen[each] = true;
    done.insert(dag.nodes[each].name);
    auto const& parents = dag.nodes[each].parents;
    open.insert(open.end(), parents.begin(), parents.end());
  }
  return done;
}

DagImport import_dag(condor::Dag const& dag, KnownSizes const& sizes,
                     std::set<std::string> const& done, int max_nodes) {
  Edges const edges(dag, done);
  Descriptions const all = read_descriptions(dag, edges);
  if (all.empty()) {
    throw InputError(Problem{{dag.file.string()},
                             "every node is done, or runs nothing",
                             "a forecast is of what is still to be run",
                             ""});
  }
  Description const& taken = usual(all);
  DagImport import;
  import.submit = taken.submit;
  leave_out_unused(dag.nodes[taken.first], import.submit);
  NodeInputs inputs;
  std::vector<scenario::Submission> submit;
  for (std::size_t i = 0; i < dag.nodes.size(); ++i) {
    if (edges.is_done(i)) ++import.done_before;
    if (!edges.has_jobs(i)) continue;
    Description const& own = all.at(key_of(dag.nodes[i]));
    int const jobs = inputs.add(dag.nodes[i], own.submit, dag.nodes[own.first]);
    submit.push_back(submission_of(dag.nodes[i], jobs, edges.names_before(i)));
    if (!dag.max_jobs.contains(submit.back().category)) submit.back().category.clear();
    import.numbers.push_back(i);
  }
  import.import = import_submit(import.submit, sizes, inputs.groups());
  import.read = dag.read;
  for (auto const& [key, each] : all) {
    import.read.insert(import.read.end(), each.submit.read.begin(), each.submit.read.end());
  }
  scenario::Campaign& campaign = import.import.campaign;
  campaign.submit = std::move(submit);
  campaign.max_nodes = max_nodes;
  for (auto const& [name, most] : dag.max_jobs) campaign.categories.push_back({name, most});
  import.nodes = campaign.submit.size();
  import.import.title = counted(import.nodes, "node") + " of " + dag.file.filename().string();
  import.import.notes.insert(import.import.notes.end(), dag.notes.begin(), dag.notes.end());
  note_other_descriptions(dag, all, taken, import);
  if (!import.import.own_input && inputs.groups().size() > 1) {
    import.import.notes.push_back(
        {dag.nodes[taken.first].where,
         fmt::format("nodes fetch {} lists of files; as a size is not known, or they are too many "
                     "or of several "
                     "protocols, all fetch those of node '{}'",
                     inputs.groups().size(), dag.nodes[taken.first].name)});
  }
  return import;
}

NodeWorks set_node_works(DagImport& import, condor::Dag const& dag,
                         CalibratedProgram const& program) {
  if (program.variants.empty()) return NodeWorks::unknown;
  auto& submissions = import.import.campaign.submit;
  std::size_t unknown = 0;
  for (std::size_t i = 0; i < submissions.size(); ++i) {
    condor::DagNode const& node = dag.nodes[import.numbers[i]];
    auto scale = scale_by_name(program, node.name);
    if (!scale) {
      scale = scale_by_file(program, condor::read_node_submit(node, deciding_submit_commands()));
    }
    submissions[i].scale = scale.value_or(1);
    unknown += scale ? 0 : 1;
  }
  if (unknown == submissions.size()) return NodeWorks::unknown;
  if (unknown > 0) {
    import.import.notes.push_back(
        {{dag.file.string()},
         fmt::format("{} of {} nodes run no program that the record tells: their work is taken for "
                     "that of the newest",
                     unknown, submissions.size())});
  }
  return NodeWorks::told;
}

}  // namespace gridcast::import
