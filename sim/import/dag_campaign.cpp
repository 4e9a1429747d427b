#include "sim/import/dag_campaign.hpp"

#include <map>
#include <utility>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/condor/dag/dag_lines.hpp"
#include "sim/import/campaign_requests.hpp"
#include "sim/import/submit_commands.hpp"
#include "sim/import/which_program.hpp"
#include "sim/scenario/campaign.hpp"

namespace gridcast::import {
namespace {

/// Which nodes have jobs to be submitted, and which nodes each waits for, through nodes that run
/// nothing.
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
    return each_of(before(node), [&](std::size_t const parent) { return dag_.nodes[parent].name; });
  }

 private:
  /// A node on the way back. `leaving`: the inner DAG that one was done in, which as a whole waits
  /// for others. `all_of_it`: the way began behind that DAG, which ends when all its nodes have.
  struct Step {
    std::size_t node = 0;
    bool all_of_it = false;
    std::string_view leaving = {};
    auto operator<=>(Step const&) const = default;
  };

  void go_on(Step const& from, std::vector<Step>& open) const {
    condor::DagNode const& at = dag_.nodes[from.node];
    for (std::size_t const parent : at.parents) {
      std::string const& dag = dag_.nodes[parent].dag;
      bool const inside = !from.leaving.empty() && is_within(dag, from.leaving);
      bool const enters = !is_within(at.dag, dag);
      open.push_back(
          {parent, inside ? from.all_of_it : enters, inside ? from.leaving : std::string_view()});
    }
  }

  // A chain of nodes without jobs can be as long as a DAG: a stack of its own, and each node once.
  std::set<std::size_t> before(std::size_t node) const {
    std::set<std::size_t> found;
    std::set<Step> seen;
    std::vector<Step> open;
    go_on({node}, open);
    while (!open.empty()) {
      Step each = open.back();
      open.pop_back();
      if (!seen.insert(each).second) continue;
      std::string const& dag = dag_.nodes[each.node].dag;
      bool const passes = !each.leaving.empty();
      bool const counts = has_jobs(each.node) && (!passes || each.all_of_it);
      if (counts) found.insert(each.node);
      if (counts && !passes) continue;
      if (!passes && is_done_[each.node]) {
        if (dag.empty() || dag_.nodes[each.node].dag_done) continue;
        each.leaving = dag;
      }
      go_on(each, open);
    }
    return found;
  }

  static bool is_within(std::string_view dag, std::string_view outer) {
    return outer.empty() || dag == outer ||
           (dag.starts_with(outer) && dag.substr(outer.size()).starts_with('+'));
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
  submission.dag = node.dag;
  submission.abort_on = node.abort_on;
  submission.abort_return = node.abort_return;
  if (node.provisions) submission.ready_after = Seconds();
  submission.last = node.last;
  return submission;
}

std::string key_of(condor::DagNode const& node) {
  return node.submit.empty() ? "{" + node.description : node.submit.string();
}

/// The part of a node that can distinguish its description from that of a node of the same file:
/// VARS that the description uses, or that are a command themselves; the folder of names in it.
std::string own_of(condor::DagNode const& node, condor::SubmitFile const& file) {
  std::string own = file.macros.contains("JOB") ? node.name : "";
  if (file.names_files) own += "\n" + node.folders.front().string();
  for (auto const& [name, value, appended] : node.vars) {
    bool const only_for_others = file.commands.contains(name) && !file.macros.contains(name) &&
                                 submit_effect(name) == SubmitEffect::unknown;
    if (!only_for_others) own += fmt::format("\n{}{}={}", name, appended ? "+" : "", value);
  }
  return own;
}

/// Submit descriptions, read once for nodes that are alike in all that theirs uses.
class NodeSubmits {
 public:
  /// Until the next call; null if it cannot be read. A file that the first of its nodes finds bad
  /// is not read again.
  condor::SubmitFile const* of(condor::DagNode const& node) {
    auto const [found, is_new] = files_.try_emplace(key_of(node));
    OfFile& file = found->second;
    if (is_new) {
      file.first = read(node);
      if (file.first) file.own = own_of(node, *file.first);
    }
    if (!file.first) return nullptr;
    std::string own = own_of(node, *file.first);
    if (own == file.own) return &*file.first;
    if (auto const* kept = find_in(file.others, own)) return kept;
    last_ = read(node);
    if (!last_) return nullptr;
    if (++kept_ > most_kept) return &*last_;
    return &file.others.emplace(std::move(own), *std::move(last_)).first->second;
  }

  std::vector<Problem> const& problems() const { return problems_; }
  void add(std::vector<Problem> const& problems) {
    problems_.insert(problems_.end(), problems.begin(), problems.end());
  }
  /// The files that were read.
  std::set<std::filesystem::path> const& files() const { return read_; }

 private:
  static constexpr int most_kept = 1000;  // a DAG may have as many descriptions as nodes

  struct OfFile {
    std::optional<condor::SubmitFile> first = {};  // of its nodes
    std::string own = {};
    std::map<std::string, condor::SubmitFile> others = {};  // by their own part
  };

  std::optional<condor::SubmitFile> read(condor::DagNode const& node) {
    try {
      condor::SubmitFile file = condor::read_node_submit(node, deciding_submit_commands());
      read_.insert(file.read.begin(), file.read.end());
      return file;
    } catch (InputError const& error) {
      for (Problem problem : error.problems()) {
        if (problem.where.line == 0) {
          problem.what =
              fmt::format("node '{}': {}: {}", node.name, problem.where.file, problem.what);
          problem.hint = condor::hint_in(node.where.file, problem);
          problem.where = node.where;
        }
        problems_.push_back(std::move(problem));
      }
    }
    return std::nullopt;
  }

  std::map<std::string, OfFile> files_;
  std::optional<condor::SubmitFile> last_;
  int kept_ = 0;
  std::vector<Problem> problems_;
  std::set<std::filesystem::path> read_;
};

/// The input of each job of the campaign, its jobs numbered node by node.
class NodeInputs {
 public:
  /// How many jobs the node has.
  int add(std::vector<condor::SubmitGroup> const& of_node, condor::NameFolders const& folders) {
    int jobs = 0;
    for (condor::SubmitGroup const& group : of_node) {
      std::string key = folders.front().string();
      for (std::string const& command : input_commands()) key += "\n" + group.text(command);
      auto const [place, is_new] = number_of_.emplace(key, groups_.size());
      if (is_new) groups_.push_back({{0, {}, group.queue, group.commands}, folders});
      condor::SubmitGroup& alike = groups_[place->second].jobs;
      for (int const process : group.processes) alike.processes.push_back(before_ + process);
      alike.jobs += group.jobs;
      jobs += group.jobs;
    }
    before_ += jobs;
    return jobs;
  }

  std::vector<InputGroup> const& groups() const { return groups_; }

 private:
  std::vector<InputGroup> groups_;
  std::map<std::string, std::size_t> number_of_;
  int before_ = 0;  // jobs of the nodes before
};

/// Jobs of the latest cluster that DAGMan made of a node.
struct NodeCluster {
  std::uint32_t number = 0;
  std::size_t newest = 0;  // first event of the job that came last
  int jobs = 0, succeeded = 0;
};

/// By node.
std::map<std::string, NodeCluster> latest_clusters(history::JobHistory const& record) {
  constexpr auto never = static_cast<std::size_t>(-1);
  std::vector<std::size_t> first_event(record.jobs.size(), never);
  std::vector<bool> succeeded(record.jobs.size());
  for (std::size_t i = 0; i < record.events.size(); ++i) {
    history::JobEvent const& event = record.events[i];
    std::size_t const job = event.job.index();
    if (first_event[job] == never) first_event[job] = i;
    bool const ended = event.kind == history::EventKind::terminated;
    if (ended || event.kind == history::EventKind::aborted) succeeded[job] = ended && event.useful;
  }
  std::map<std::string, NodeCluster> clusters;
  auto const each = [&](auto const& use) {
    for (std::size_t job = 0; job < record.jobs.size(); ++job) {
      std::string const& node = record.labels[job].node;
      if (first_event[job] != never && !node.empty()) use(job, clusters[node]);
    }
  };
  each([&](std::size_t job, NodeCluster& of_node) {
    if (first_event[job] < of_node.newest) return;
    of_node.newest = first_event[job];
    of_node.number = record.jobs[job].cluster;
  });
  each([&](std::size_t job, NodeCluster& of_node) {
    if (record.jobs[job].cluster != of_node.number) return;
    ++of_node.jobs;
    of_node.succeeded += succeeded[job] ? 1 : 0;
  });
  return clusters;
}

/// True if all jobs of the node have succeeded: those that the record has, and as many as the
/// description queues, if it can be read.
bool is_complete(NodeCluster const& cluster, condor::DagNode const& node, NodeSubmits& submits) {
  if (cluster.succeeded < cluster.jobs) return false;
  condor::SubmitFile const* const submit = submits.of(node);
  return !submit || cluster.jobs >= submit->jobs();
}

/// The nodes of a DAG that are to run.
struct NodeReading {
  Descriptions descriptions;
  std::vector<Descriptions::value_type const*> of_nodes;  // of each submission
  NodeInputs inputs;
  scenario::Campaign nodes;  // its submissions and their joins
  NodeSubmits submits;
};

/// InputError for submit files that cannot be read, all of them at once.
NodeReading read_nodes(condor::Dag const& dag, Edges const& edges, DagImport& import) {
  NodeReading read;
  scenario::Joining joining(read.nodes);
  for (std::size_t i = 0; i < dag.nodes.size(); ++i) {
    condor::DagNode const& node = dag.nodes[i];
    if (edges.is_done(i)) ++import.done_before;
    if (!edges.has_jobs(i)) continue;
    condor::SubmitFile const* const own = read.submits.of(node);
    if (!own) continue;
    int const jobs = read.inputs.add(own->groups, condor::folders_of(node));
    try {
      auto& description = describe(read.descriptions, key_of(node), *own, i);
      ++description.second.nodes;
      description.second.jobs += jobs;
      read.of_nodes.push_back(&description);
    } catch (InputError const& error) {
      read.submits.add(error.problems());
    }
    auto submission = submission_of(node, jobs, edges.names_before(i));
    if (!dag.max_jobs.contains(node.category)) submission.category.clear();
    joining.add(std::move(submission));
    import.numbers.push_back(i);
  }
  if (!read.submits.problems().empty()) throw InputError(read.submits.problems());
  return read;
}

std::string remedy_if_done(condor::Dag const& dag) {
  Edges const by_itself(dag, {});
  bool by_record = false, by_dag = false;
  for (std::size_t i = 0; i < dag.nodes.size(); ++i) {
    by_record = by_record || by_itself.has_jobs(i);
    by_dag = by_dag || dag.nodes[i].done;
  }
  if (by_record) {
    return "To run also the nodes that the records show as done: forecast --all-nodes, or init "
           "without --record.";
  }
  auto const rescue = condor::RescueFiles().latest(dag.file);
  if (!rescue.empty()) return "To run its nodes again, move " + rescue.string() + " away.";
  return by_dag ? "Take DONE off the nodes that are to run again."
                : "Name a DAG with a node that is not NOOP.";
}

[[noreturn]] void refuse_as_done(condor::Dag const& dag) {
  refuse({dag.file.string()}, "every node is done, or runs nothing",
         "a forecast is of the work that is still to run", remedy_if_done(dag));
}

/// VARS that no command uses are for the program or unused.
void leave_out_unused(condor::DagNode const& node, condor::SubmitFile& file) {
  auto const leave_out = [&](std::string const& name) {
    if (submit_effect(name) == SubmitEffect::unknown) file.commands.erase(name);
  };
  leave_out("JOB");
  leave_out("RETRY");
  for (condor::DagVar const& var : node.vars) leave_out(var.name);
}

/// A node has a program's name, in which "*" stands for any number; or differs from it in
/// the one number that the name keeps.
enum class Match { no, yes, other_number };
struct NameMatch {
  Match match = Match::no;
  double number = 0;  // the node's
};

NameMatch match(std::string const& pattern, std::string const& name) {
  std::string_view const node = history::without_uuid(name);
  NameMatch found{Match::yes, 0};
  std::size_t p = 0, n = 0;
  while (p < pattern.size() && n < node.size()) {
    if (!is_digit(node[n])) {
      if (pattern[p++] != node[n++]) return {};
      continue;
    }
    std::string number, kept;
    while (n < node.size() && is_digit(node[n])) number += node[n++];
    if (pattern[p] == '*') {
      ++p;
      continue;
    }
    while (p < pattern.size() && is_digit(pattern[p])) kept += pattern[p++];
    if (kept.empty()) return {};
    auto const value = text_as<double>(number);
    if (!value) return {};  // no double is as large
    found.number = *value;
    if (kept != number) found.match = Match::other_number;
  }
  return p == pattern.size() && n == node.size() ? found : NameMatch{};
}

/// A node's work, over the newest of the calibrated programs.
scenario::JobWork work_of(ProgramVariant const& variant) {
  return {variant.work_scale, variant.crash_odds.value_or(FactorRange())};
}

scenario::JobWork newest(CalibratedProgram const& program) {
  for (ProgramVariant const& variant : program.variants) {
    if (variant.newest) return {1, work_of(variant).crash_odds};
  }
  return {};
}

std::optional<scenario::JobWork> work_by_name(CalibratedProgram const& program,
                                              std::string const& node) {
  std::optional<scenario::JobWork> by_number;
  for (ProgramVariant const& variant : program.variants) {
    NameMatch const name = match(variant.name, node);
    if (name.match == Match::yes) return work_of(variant);
    if (name.match != Match::other_number || !program.work_by_number) continue;
    double const scale =
        program.work_by_number->at_zero + program.work_by_number->by_one * name.number;
    if (scale > 0) by_number = scenario::JobWork{scale, newest(program).crash_odds};
  }
  return by_number;
}

/// By the program's name in the submit file.
std::optional<scenario::JobWork> work_by_file(CalibratedProgram const& program,
                                              condor::SubmitFile const& file) {
  auto const fitting = fitting_variants(
      program.variants, {text_of(file.commands, "executable"), text_of(file.commands, "arguments"),
                         text_of(file.commands, "batch_name")});
  return fitting.size() == 1 ? std::optional(work_of(fitting.front())) : std::nullopt;
}

}  // namespace

history::JobHistory record_of(condor::Dag const& dag, history::JobHistory record) {
  if (dag.inner.empty() || record.labels.empty()) return record;
  std::map<std::string, std::string> full;  // by the name in the inner DAG; empty: of several
  for (condor::DagNode const& node : dag.nodes) {
    if (node.dag.empty()) continue;
    auto const [found, is_new] = full.emplace(node.name.substr(node.dag.size() + 1), node.name);
    if (!is_new) found->second.clear();
  }
  for (condor::DagNode const& node : dag.nodes) full[node.name] = node.name;
  std::set<std::string> inner;
  for (condor::InnerDagNode const& each : dag.inner) inner.insert(each.name);
  std::vector<bool> kept;
  for (history::JobLabel& label : record.labels) {
    kept.push_back(!inner.contains(label.node));
    auto const found = full.find(label.node);
    if (found != full.end() && !found->second.empty()) label.node = found->second;
  }
  return history::only(std::move(record), kept);
}

std::set<std::string> nodes_done(condor::Dag const& dag, history::JobHistory const& whole) {
  auto const record = record_of(dag, whole);
  std::set<std::string> done;
  if (record.labels.empty()) return done;
  auto const clusters = latest_clusters(record);
  NodeSubmits submits;
  std::vector<std::size_t> open;
  for (condor::DagNode const& node : dag.nodes) {
    auto const found = clusters.find(node.name);
    if (found == clusters.end()) continue;
    auto const script = record.post_scripts.find(node.name);
    bool const by_script = script != record.post_scripts.end();
    if (by_script ? script->second : is_complete(found->second, node, submits)) {
      done.insert(node.name);
    }
    open.insert(open.end(), node.parents.begin(), node.parents.end());
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

void put_categories_and_dags(condor::Dag const& dag, scenario::Campaign& campaign) {
  for (auto const& [name, most] : dag.max_jobs) campaign.categories.push_back({name, most});
  for (condor::InnerDagNode const& each : dag.inner) {
    bool const limited = dag.max_jobs.contains(each.category);
    campaign.dags.push_back({each.name, each.in, limited ? each.category : std::string(),
                             each.max_nodes, each.retries, each.unless_exit, each.abort_on,
                             each.abort_return});
  }
}

DagImport import_dag(condor::Dag const& dag, KnownSizes const& sizes,
                     std::set<std::string> const& done, std::optional<int> max_nodes) {
  Edges const edges(dag, done);
  DagImport import;
  NodeReading read = read_nodes(dag, edges, import);
  if (read.descriptions.empty()) refuse_as_done(dag);
  auto const& taken = usual(read.descriptions);
  condor::DagNode const& usual_node = dag.nodes[taken.second.first];
  auto const& groups = read.inputs.groups();
  import.submit = *read.submits.of(usual_node);
  leave_out_unused(usual_node, import.submit);
  import.import = import_submit(import.submit, sizes, groups);
  import.read = dag.read;
  import.read.insert(import.read.end(), read.submits.files().begin(), read.submits.files().end());
  scenario::Campaign& campaign = import.import.campaign;
  campaign.submit = std::move(read.nodes.submit);
  campaign.joins = std::move(read.nodes.joins);
  campaign.max_nodes = max_nodes.value_or(dag.max_nodes);
  put_categories_and_dags(dag, campaign);
  import.nodes = campaign.submit.size();
  import.import.title = counted(import.nodes, "node") + " of " + dag.file.filename().string();
  import.import.notes.insert(import.import.notes.end(), dag.notes.begin(), dag.notes.end());
  auto const names = name_requests(read.descriptions, taken, dag, campaign);
  for (std::size_t i = 0; i < campaign.submit.size(); ++i) {
    campaign.submit[i].request = names.at(read.of_nodes[i]);
  }
  note_other_rules(read.descriptions, taken, dag, import);
  if (!import.import.own_input && groups.size() > 1) {
    import.import.notes.push_back(
        {usual_node.where,
         fmt::format("nodes fetch {} lists of files; as they are too many, or come by several "
                     "protocols, all fetch those of node '{}'",
                     groups.size(), usual_node.name)});
  }
  return import;
}

NodeWorks set_node_works(DagImport& import, condor::Dag const& dag,
                         CalibratedProgram const& program) {
  if (program.variants.empty()) return NodeWorks::unknown;
  auto& submissions = import.import.campaign.submit;
  std::vector<std::optional<scenario::JobWork>> works;
  std::size_t unknown = 0;
  for (std::size_t i = 0; i < submissions.size(); ++i) {
    condor::DagNode const& node = dag.nodes[import.numbers[i]];
    auto work = work_by_name(program, node.name);
    if (!work) {
      work = work_by_file(program, condor::read_node_submit(node, deciding_submit_commands()));
    }
    works.push_back(work);
    unknown += work ? 0 : 1;
  }
  if (unknown == submissions.size()) return NodeWorks::unknown;
  for (std::size_t i = 0; i < submissions.size(); ++i) {
    scenario::JobWork const work = works[i].value_or(newest(program));
    submissions[i].scale = work.scale;
    submissions[i].crash_odds = work.crash_odds;
  }
  if (unknown > 0) {
    import.import.notes.push_back(
        {{dag.file.string()},
         fmt::format("{} of {} nodes run no program of the record: their work is taken for "
                     "that of the newest",
                     unknown, submissions.size())});
  }
  return NodeWorks::known;
}

}  // namespace gridcast::import
