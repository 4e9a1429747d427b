// The nodes of a DAG: the submit description of each, and which wait for which.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sim/base/files.hpp"
#include "sim/base/text.hpp"
#include "sim/classad/expression.hpp"
#include "sim/condor/dag/dag_file.hpp"

namespace gridcast::condor {
namespace {

namespace fs = std::filesystem;

/// Where the first queue statement begins.
std::optional<std::size_t> queue_in(std::string const& text) {
  std::size_t at = 0;
  for (auto const& line : split(text, '\n')) {
    std::string const word = lower(trim(line)).substr(0, 6);
    if (word.starts_with("queue") && (word.size() == 5 || word[5] == ' ' || word[5] == '\t')) {
      return at;
    }
    at += line.size() + 1;
  }
  return std::nullopt;
}

int lines_of(std::string const& text) { return static_cast<int>(std::ranges::count(text, '\n')); }

class NodeFolder final : public SubmitFolder {
 public:
  /// `retry`: the value of DAGMan's $(RETRY).
  explicit NodeFolder(DagNode const& node, std::string const& retry = "0")
      : node_(node),
        name_(node.submit.empty() ? node.folders.back() / fs::path(node.where.file).filename()
                                  : node.submit) {
    before_ = "JOB = " + node.name + "\nRETRY = " + retry + "\n";
    for (DagVar const& var : node.vars) {
      std::string& text = var.appended ? before_queue_ : before_;
      text += var.name + " = " + var.value + "\n";
      // A backslash at its end continues the line, with an empty one.
      if (var.value.ends_with('\\')) text += "\n";
    }
  }

  fs::path const& name() const { return name_; }

  std::string read(fs::path const& file) const override {
    if (file != name_) return real_submit_folder().read(file);
    if (!node_.submit.empty()) expect_ordinary_file(file);
    std::string const text = own_text();
    auto const queue = queue_in(text);
    if (!queue) return before_ + text + "\n" + before_queue_ + "queue\n";
    return before_ + text.substr(0, *queue) + before_queue_ + text.substr(*queue);
  }
  std::vector<std::string> matching(fs::path const& folder, std::string const& pattern,
                                    Kind kind) const override {
    return real_submit_folder().matching(folder, pattern, kind);
  }

  /// Location of a line of the text.
  void find(Location& where) const {
    if (where.file != name_.string()) return;
    where.line = std::max(where.line - lines_of(before_), 0);
    if (int const added = lines_of(before_queue_); added > 0) {
      std::string const text = own_text();
      int const queue = 1 + lines_of(text.substr(0, queue_in(text).value_or(text.size())));
      if (where.line > queue) where.line = std::max(where.line - added, queue);
    }
    if (!node_.submit.empty()) return;
    where.file = node_.described_at.file;
    where.line += node_.described_at.line;
  }

 private:
  std::string own_text() const {
    return node_.submit.empty() ? node_.description : real_submit_folder().read(name_);
  }

  DagNode const& node_;
  fs::path name_;
  std::string before_, before_queue_;
};

/// The commands that the simulation evaluates while the node runs.
constexpr char const* evaluated[] = {
    "request_memory",     "request_disk",     "retry_request_memory",
    "retry_request_disk", "requirements",     "rank",
    "periodic_hold",      "periodic_release", "periodic_remove",
    "periodic_vacate",    "on_exit_hold",     "on_exit_remove"};

/// The description of the node's try, or nothing where it is refused.
std::optional<SubmitFile> read_of_try(DagNode const& node, std::string const& retry,
                                      std::vector<std::string> const& deciding) {
  NodeFolder const folder(node, retry);
  try {
    return read_submit_file(folder.name(), deciding, folder, folders_of(node));
  } catch (InputError const&) {
    return std::nullopt;
  }
}

bool is_expression(std::string const& text) {
  try {
    classad::parse(text);
    return true;
  } catch (InputError const&) {
    return false;
  }
}

/// The text with DAGMan's number of the retry as an attribute of the job: as `attribute` has it, or
/// else by the texts of the first, second, ... try. Empty where that is no expression.
std::string text_by_retry(std::string const& attribute, std::vector<std::string> const& tries) {
  if (!attribute.empty() && is_expression(attribute)) return attribute;
  if (tries.empty() || !std::ranges::all_of(tries, is_expression)) return "";
  std::string text = tries.back();
  for (std::size_t i = tries.size() - 1; i-- > 0;) {
    text = fmt::format("ifThenElse(DAGNodeRetry == {}, {}, {})", i, tries[i], text);
  }
  return text;
}

/// The file's own commands, and those of each queue statement.
std::vector<SubmitCommands*> commands_of(SubmitFile& file) {
  std::vector<SubmitCommands*> all = {&file.commands};
  for (SubmitGroup& group : file.groups) all.push_back(&group.commands);
  return all;
}

std::string text_of(SubmitCommands const& commands, char const* name) {
  auto const found = commands.find(name);
  return found == commands.end() ? "" : found->second.text;
}

/// The expressions that $(RETRY) is in follow the node's retries; all else has the first value.
void follow_retries(DagNode const& node, std::vector<std::string> const& deciding,
                    SubmitFile& read) {
  constexpr int most = 20;  // further tries are as the last of these
  std::vector<SubmitFile> others;
  auto attribute = read_of_try(node, "DAGNodeRetry", deciding);
  // Without it, a number has to be there, as in a condition.
  bool const by_attribute = attribute && attribute->groups.size() == read.groups.size();
  for (int retry = 0; retry <= std::min(node.retries, most); ++retry) {
    auto one = read_of_try(node, std::to_string(retry), deciding);
    if (!one || one->groups.size() != read.groups.size()) break;
    others.push_back(*std::move(one));
  }
  auto const to = commands_of(read);
  for (std::size_t i = 0; i < to.size(); ++i) {
    for (char const* const name : evaluated) {
      std::vector<std::string> tries;
      for (SubmitFile& other : others) tries.push_back(text_of(*commands_of(other)[i], name));
      std::string const first = tries.empty() ? "" : tries.front();
      bool const differs = std::ranges::any_of(tries, [&](auto& text) { return text != first; });
      auto const symbol = by_attribute ? text_of(*commands_of(*attribute)[i], name) : "";
      if (!differs && symbol == text_of(*to[i], name)) continue;
      auto const text = text_by_retry(symbol, differs ? tries : std::vector<std::string>());
      if (!text.empty()) (*to[i])[name].text = text;
    }
  }
}

bool is_in_dag(std::string const& dag, std::string const& outer) {
  return outer.empty() || dag == outer || dag.starts_with(outer + "+");
}

/// One node of a cycle; none where there is no cycle.
std::optional<std::size_t> in_a_cycle(std::vector<DagNode> const& nodes) {
  std::vector<std::vector<std::size_t>> children(nodes.size());
  std::vector<std::size_t> waits(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    waits[i] = nodes[i].parents.size();
    for (std::size_t const parent : nodes[i].parents) children[parent].push_back(i);
  }
  std::vector<std::size_t> free;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (waits[i] == 0) free.push_back(i);
  }
  for (std::size_t next = 0; next < free.size(); ++next) {
    for (std::size_t const child : children[free[next]]) {
      if (--waits[child] == 0) free.push_back(child);
    }
  }
  if (free.size() == nodes.size()) return std::nullopt;
  auto const left = std::ranges::find_if(waits, [](std::size_t w) { return w > 0; });
  return static_cast<std::size_t>(left - waits.begin());
}

}  // namespace

void find_descriptions(Dag& dag, std::map<std::string, SubmitValue> const& descriptions) {
  std::map<std::pair<fs::path, fs::path>, fs::path> files;  // thousands of nodes can have one
  for (DagNode& node : dag.nodes) {
    bool const has_none = node.folders.empty();  // SUBDAG without its file
    if (!node.description.empty() || has_none) continue;
    auto const described = descriptions.find(node.submit.string());
    if (described == descriptions.end()) {
      auto const [file, is_new] = files.try_emplace({node.folders.front(), node.submit});
      if (is_new) {
        file->second = noted_file(dag, node.where, node.folders, node.submit).lexically_normal();
      }
      node.submit = file->second;
    } else {
      node.submit.clear();
      node.description = described->second.text;
      node.described_at = described->second.where;
    }
  }
}

fs::path noted_file(Dag& dag, Location const& where, NameFolders const& folders,
                    fs::path const& name) {
  NamedFile const file = named_file(folders, name);
  std::string const note = note_on_other(file);
  if (!note.empty()) {
    dag.notes.push_back({where, note, SubmitTopic::other, SubmitAction::recommended});
  }
  return file.path;
}

std::string hint_in(std::string const& dag, Problem const& problem) {
  bool const itself = problem.hint.find("'" + dag + "'") != std::string::npos;
  return itself ? "Check the name and the folder." : problem.hint;
}

NameFolders folders_of(DagNode const& node) {
  NameFolders folders = node.folders;
  if (!node.submit.empty()) add_folder(folders, node.submit.parent_path());
  return folders;
}

SubmitFile read_node_submit(DagNode const& node, std::vector<std::string> const& deciding) {
  NodeFolder const folder(node);
  try {
    SubmitFile read = read_submit_file(folder.name(), deciding, folder, folders_of(node));
    if (read.macros.contains("RETRY")) follow_retries(node, deciding, read);
    for (SubmitNote& note : read.notes) folder.find(note.where);
    for (auto& [name, value] : read.commands) folder.find(value.where);
    for (SubmitGroup& group : read.groups) {
      folder.find(group.queue);
      for (auto& [name, value] : group.commands) folder.find(value.where);
    }
    return read;
  } catch (InputError const& error) {
    std::vector<Problem> problems = error.problems();
    for (Problem& problem : problems) folder.find(problem.where);
    throw InputError(std::move(problems));
  }
}

void complain_of_cycle(Dag const& dag, std::vector<Problem>& problems) {
  auto const node = in_a_cycle(dag.nodes);
  if (!node) return;
  problems.push_back(
      {dag.nodes[*node].where, fmt::format("node '{}' waits for itself", dag.nodes[*node].name),
       "by PARENT and CHILD, through others", "Leave out one of these dependencies."});
}

std::vector<std::size_t> ends_of(std::vector<DagNode> const& all,
                                 std::vector<std::size_t> const& nodes, bool first) {
  std::set<std::size_t> const within(nodes.begin(), nodes.end());
  std::set<std::size_t> waiting, waited_for;
  for (std::size_t const node : nodes) {
    for (std::size_t const parent : all[node].parents) {
      if (!within.contains(parent)) continue;
      waiting.insert(node);
      waited_for.insert(parent);
    }
  }
  auto const& inner = first ? waiting : waited_for;
  std::vector<std::size_t> ends;
  for (std::size_t const node : nodes) {
    if (!inner.contains(node)) ends.push_back(node);
  }
  return ends;
}

void unite_edges(std::vector<DagNode>& nodes) {
  for (DagNode& node : nodes) {
    std::ranges::sort(node.parents);
    node.parents.erase(std::unique(node.parents.begin(), node.parents.end()), node.parents.end());
  }
}

void wait_for_provisioners(Dag& dag) {
  for (std::size_t provisioner = 0; provisioner < dag.nodes.size(); ++provisioner) {
    if (!dag.nodes[provisioner].provisions) continue;
    std::string const& of = dag.nodes[provisioner].dag;
    for (std::size_t i = 0; i < dag.nodes.size(); ++i) {
      DagNode& node = dag.nodes[i];
      if (i == provisioner || !is_in_dag(node.dag, of)) continue;
      bool const waits = std::ranges::any_of(
          node.parents, [&](std::size_t parent) { return is_in_dag(dag.nodes[parent].dag, of); });
      if (!waits) node.parents.push_back(provisioner);
    }
    dag.notes.push_back({dag.nodes[provisioner].where,
                         "a PROVISIONER is taken to be ready when its program starts; ready_after "
                         "of its submission sets a time"});
  }
}

}  // namespace gridcast::condor
