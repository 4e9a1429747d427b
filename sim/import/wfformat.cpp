#include "sim/import/wfformat.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>

#include <fmt/format.h>

#include "sim/base/json_text.hpp"
#include "sim/base/lists.hpp"
#include "sim/base/log_input.hpp"

namespace gridcast::import {
namespace {

/// The members of JSON objects by kind. Each that is missing or of another kind is a problem at its
/// place. `path` names the object `in`.
class JsonChecks {
 public:
  explicit JsonChecks(std::string file) : file_(std::move(file)) {}

  Location place(JsonTree const& node) const { return {file_, node.line, node.column}; }
  void complain(JsonTree const& node, std::string what, std::string why = "",
                std::string hint = "") {
    problems_.push_back({place(node), std::move(what), std::move(why), std::move(hint)});
  }
  std::vector<Problem> const& problems() const { return problems_; }

  JsonTree const* object(JsonTree const& in, std::string const& path, std::string_view name,
                         bool required = true) {
    JsonTree const* const found = member(in, path, name, required);
    if (found == nullptr || found->members() != nullptr) return found;
    complain_of_kind(*found, path, name, "an object");
    return nullptr;
  }

  JsonTree::Items const* list(JsonTree const& in, std::string const& path, std::string_view name,
                              bool required = true) {
    return of_kind(&JsonTree::items, in, path, name, required, "a list");
  }

  double const* number(JsonTree const& in, std::string const& path, std::string_view name,
                       bool required = true) {
    return of_kind(&JsonTree::number, in, path, name, required, "a number");
  }

  /// Not empty.
  std::string const* text(JsonTree const& in, std::string const& path, std::string_view name) {
    JsonTree const* const found = member(in, path, name, true);
    if (found == nullptr) return nullptr;
    if (found->text() != nullptr && !found->text()->empty()) return found->text();
    complain_of_kind(*found, path, name, "a text that is not empty");
    return nullptr;
  }

  /// The items of a list of texts, with their places; empty if it is not there.
  std::vector<JsonTree const*> texts(JsonTree const& in, std::string const& path,
                                     std::string_view name, bool required) {
    std::vector<JsonTree const*> found;
    auto const* const items = list(in, path, name, required);
    if (items == nullptr) return found;
    for (JsonTree const& item : *items) {
      if (item.text() != nullptr) {
        found.push_back(&item);
      } else {
        complain_of_kind(item, path, name, "a list of texts");
      }
    }
    return found;
  }

 private:
  JsonTree const* member(JsonTree const& in, std::string const& path, std::string_view name,
                         bool required) {
    JsonTree const* const found = in.find(name);
    if (found == nullptr && required) complain(in, fmt::format("{}: '{}' is missing", path, name));
    return found;
  }

  template <class Value>
  Value const* of_kind(Value const* (JsonTree::*kind)() const, JsonTree const& in,
                       std::string const& path, std::string_view name, bool required,
                       std::string_view wanted) {
    JsonTree const* const found = member(in, path, name, required);
    if (found == nullptr) return nullptr;
    Value const* const value = (found->*kind)();
    if (value == nullptr) complain_of_kind(*found, path, name, wanted);
    return value;
  }

  void complain_of_kind(JsonTree const& node, std::string const& path, std::string_view name,
                        std::string_view kind) {
    complain(node, fmt::format("{}: '{}' has to be {}", path, name, kind));
  }

  std::string file_;
  std::vector<Problem> problems_;
};

struct Task {
  JsonTree const* node = nullptr;
  std::string id;
  std::vector<JsonTree const*> parents, children;
  Bytes input;
  std::set<std::size_t> after = {};  // the tasks that are its parents
  std::optional<double> runtime;
  int cores = 1;
  JsonTree const* ran = nullptr;
};

/// Versions whose tasks have their run times and files with them. 1.4 only added units to names.
constexpr std::string_view flat_versions[] = {"1.0", "1.1", "1.2", "1.3", "1.4"};

bool is_flat(std::string_view version) { return contains(flat_versions, version); }

/// The first of two names of a member; the second if only that is there.
std::string_view name_in(JsonTree const& in, std::string_view name, std::string_view older) {
  return in.find(name) == nullptr && in.find(older) != nullptr ? older : name;
}

class WfReader {
 public:
  WfReader(JsonTree const& root, std::string const& file) : root_(root), checks_(file) {}

  WfInstance read() {
    read_head();
    if (checks_.problems().empty()) {
      if (specification_ == nullptr) {
        read_flat();
      } else {
        read_files();
        read_tasks();
        read_execution();
      }
      find_edges();
    }
    fail_with_problems();
    order_tasks();
    fail_with_problems();
    settle();
    fail_with_problems();
    return std::move(instance_);
  }

 private:
  void fail_with_problems() const {
    if (!checks_.problems().empty()) throw InputError(checks_.problems());
  }

  void read_head() {
    if (root_.members() == nullptr)
      return checks_.complain(root_, "a WfFormat instance is an object");
    JsonTree const* const version = root_.find("schemaVersion");
    if (version == nullptr) {
      return checks_.complain(root_, "'schemaVersion' is missing", "",
                              "A WfFormat instance has it: \"1.5\".");
    }
    bool const flat = version->text() != nullptr && is_flat(*version->text());
    bool const split =
        version->text() != nullptr && (*version->text() == "1.5" || *version->text() == "1.6");
    if (!flat && !split) {
      return checks_.complain(*version, "this version of WfFormat is not read",
                              "1.0 to 1.6 are, as texts: \"1.5\"",
                              "WfCommons has a tool that migrates instances.");
    }
    if (auto const* name = checks_.text(root_, "instance", "name")) instance_.name = *name;
    workflow_ = checks_.object(root_, "instance", "workflow");
    if (workflow_ == nullptr || flat) return;
    specification_ = checks_.object(*workflow_, "workflow", "specification");
    execution_ = checks_.object(*workflow_, "workflow", "execution", false);
    if (execution_ == nullptr && workflow_->find("execution") == nullptr) {
      checks_.complain(*workflow_, "workflow: 'execution' is missing",
                       "only it contains the run times of tasks",
                       "Import an instance that was executed.");
    }
  }

  void read_files() {
    auto const* const files = checks_.list(*specification_, "specification", "files", false);
    if (files == nullptr) return;
    for (JsonTree const& file : *files) {
      auto const* const id = checks_.text(file, "file", "id");
      auto const* const size = checks_.number(file, "file", "sizeInBytes");
      if (size != nullptr && !(*size >= 0)) {
        checks_.complain(*file.find("sizeInBytes"), "file: 'sizeInBytes' is negative");
      }
      if (id == nullptr || size == nullptr) continue;
      if (!sizes_.emplace(*id, *size).second) {
        checks_.complain(*file.find("id"), fmt::format("file '{}' is there twice", *id));
      }
    }
  }

  void read_tasks() {
    auto const* const tasks = checks_.list(*specification_, "specification", "tasks");
    if (tasks == nullptr) return;
    if (tasks->empty()) {
      checks_.complain(*specification_, "specification: there are no tasks in it");
    }
    for (JsonTree const& node : *tasks) read_task(node);
  }

  void read_task(JsonTree const& node) {
    if (node.members() == nullptr) return checks_.complain(node, "a task has to be an object");
    Task task;
    task.node = &node;
    auto const* const id = checks_.text(node, "task", "id");
    if (id != nullptr) task.id = *id;
    std::string const path = id != nullptr ? fmt::format("task '{}'", *id) : "task";
    task.parents = checks_.texts(node, path, "parents", node.find("children") == nullptr);
    task.children = checks_.texts(node, path, "children", false);
    for (JsonTree const* input : checks_.texts(node, path, "inputFiles", false)) {
      if (auto const size = sizes_.find(*input->text()); size != sizes_.end()) {
        task.input += Bytes(size->second);
        continue;
      }
      checks_.complain(*input, fmt::format("{}: no file '{}'", path, *input->text()),
                       "it is not among the specification's files");
    }
    if (id != nullptr && !index_.emplace(task.id, tasks_.size()).second) {
      checks_.complain(*node.find("id"), fmt::format("{} is there twice", path));
    }
    tasks_.push_back(std::move(task));
  }

  void read_flat() {
    auto const* const tasks =
        checks_.list(*workflow_, "workflow", name_in(*workflow_, "tasks", "jobs"));
    if (tasks == nullptr) return;
    if (tasks->empty()) checks_.complain(*workflow_, "workflow: there are no tasks in it");
    for (JsonTree const& node : *tasks) read_flat_task(node);
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      // Edges name tasks by their names or, in instances of some tools, by their ids.
      if (auto const* id = tasks_[i].node->find("id"); id != nullptr && id->text() != nullptr) {
        index_.emplace(*id->text(), i);
      }
    }
    read_machines(*workflow_, "workflow");
  }

  void read_flat_task(JsonTree const& node) {
    if (node.members() == nullptr) return checks_.complain(node, "a task has to be an object");
    auto const* const name = checks_.text(node, "task", "name");
    if (name == nullptr) return;
    std::string const path = fmt::format("task '{}'", *name);
    Task task;
    task.node = &node;
    task.id = *name;
    task.parents = checks_.texts(node, path, "parents", false);
    task.children = checks_.texts(node, path, "children", false);
    auto const of_runtime = name_in(node, "runtimeInSeconds", "runtime");
    if (auto const* runtime = checks_.number(node, path, of_runtime, false)) {
      task.ran = node.find(of_runtime);
      task.runtime = *runtime;
    }
    task.cores = cores_of(node, path);
    auto const* const files = checks_.list(node, path, "files", false);
    for (std::size_t i = 0; files != nullptr && i < files->size(); ++i) {
      task.input += input_of((*files)[i], path);
    }
    name_apart(task);
    tasks_.push_back(std::move(task));
  }

  /// Nextflow's tasks of one process have its name, and an id each.
  void name_apart(Task& task) {
    auto const* const id = task.node->find("id");
    bool const has_id = id != nullptr && id->text() != nullptr;
    std::string const full = has_id ? fmt::format("{} ({})", task.id, *id->text()) : task.id;
    bool const repeated = !full_names_.insert(full).second;
    if (!repeated && index_.emplace(task.id, tasks_.size()).second) return;
    shared_.insert(task.id);
    if (!repeated && has_id && index_.emplace(full, tasks_.size()).second) {
      task.id = full;
      return;
    }
    checks_.complain(*task.node->find("name"), fmt::format("task '{}' is there twice", task.id));
  }

  /// The documentation of 1.0 to 1.3 says kilobytes. The traces have bytes, and the tool of
  /// WfCommons that migrates them takes them as such.
  Bytes input_of(JsonTree const& file, std::string const& path) {
    auto const* const link = file.find("link");
    auto const of_size = name_in(file, "sizeInBytes", "size");
    auto const* const size = checks_.number(file, path + ": file", of_size);
    if (size == nullptr) return {};
    if (!(*size >= 0)) {
      checks_.complain(*file.find(of_size), fmt::format("{}: '{}' is negative", path, of_size));
      return {};
    }
    bool const is_input = link != nullptr && link->text() != nullptr && *link->text() == "input";
    return is_input ? Bytes(*size) : Bytes();
  }

  void read_execution() {
    if (execution_ == nullptr) return;
    auto const* const ran = checks_.list(*execution_, "execution", "tasks");
    for (std::size_t i = 0; ran != nullptr && i < ran->size(); ++i) read_run((*ran)[i]);
    read_machines(*execution_, "execution");
  }

  void read_machines(JsonTree const& in, std::string const& path) {
    auto const* const machines = checks_.list(in, path, "machines", false);
    for (std::size_t i = 0; machines != nullptr && i < machines->size(); ++i) {
      read_machine((*machines)[i]);
    }
  }

  void read_run(JsonTree const& node) {
    auto const* const id = checks_.text(node, "executed task", "id");
    auto const* const runtime = checks_.number(node, "executed task", "runtimeInSeconds");
    if (id == nullptr || runtime == nullptr) return;
    auto const found = index_.find(*id);
    if (found == index_.end()) {
      return checks_.complain(*node.find("id"), fmt::format("no task '{}'", *id),
                              "it was executed, and is not specified");
    }
    Task& task = tasks_[found->second];
    if (task.ran != nullptr) {
      return checks_.complain(*node.find("id"), fmt::format("task '{}' was executed twice", *id));
    }
    task.ran = node.find("runtimeInSeconds");
    task.runtime = *runtime;
    task.cores = cores_of(node, fmt::format("task '{}'", *id));
  }

  /// That the task needs; a part of one counts as one.
  int cores_of(JsonTree const& node, std::string const& path) {
    double const* const cores =
        checks_.number(node, path, name_in(node, "coreCount", "cores"), false);
    constexpr double most = 1e6;
    return cores != nullptr && *cores > 1 ? static_cast<int>(std::ceil(std::min(*cores, most))) : 1;
  }

  void read_machine(JsonTree const& node) {
    JsonTree const* const cpu = checks_.object(node, "machine", "cpu", false);
    if (cpu == nullptr) return;
    auto const name = name_in(*cpu, "coreCount", "count");
    double const* const cores = checks_.number(*cpu, "cpu", name, false);
    constexpr int most_cores = 1'000'000;
    if (cores == nullptr) return;
    if (!(*cores >= 1) || *cores > most_cores) {
      return checks_.complain(*cpu->find(name),
                              fmt::format("cpu: '{}' has to be 1 to 1,000,000", name));
    }
    instance_.cores = std::min(instance_.cores + static_cast<int>(*cores), most_cores);
  }

  /// Each edge counts, whichever end names it.
  void find_edges() {
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      for (JsonTree const* const parent : tasks_[i].parents) {
        if (auto const of = task_at(tasks_[i], *parent, "parent")) tasks_[i].after.insert(*of);
      }
      for (JsonTree const* const child : tasks_[i].children) {
        if (auto const of = task_at(tasks_[i], *child, "child")) tasks_[*of].after.insert(i);
      }
    }
    for (Task const& task : tasks_) instance_.edges += task.after.size();
  }

  std::optional<std::size_t> task_at(Task const& task, JsonTree const& end, char const* what) {
    auto const found = index_.find(*end.text());
    if (shared_.contains(*end.text())) {
      checks_.complain(
          end, fmt::format("task '{}': several tasks are called '{}'", task.id, *end.text()),
          "it is not known which one is meant");
      return std::nullopt;
    }
    if (found != index_.end()) return found->second;
    checks_.complain(end, fmt::format("task '{}': no {} '{}'", task.id, what, *end.text()),
                     "there is no such task");
    return std::nullopt;
  }

  /// Each behind its parents, else in the order of the file (Kahn).
  void order_tasks() {
    std::vector<std::size_t> missing(tasks_.size());
    std::vector<std::vector<std::size_t>> children(tasks_.size());
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      auto const& parents = tasks_[i].after;
      missing[i] = parents.size();
      for (std::size_t const parent : parents) children[parent].push_back(i);
      if (parents.empty()) order_.push_back(i);
    }
    for (std::size_t next = 0; next < order_.size(); ++next) {
      for (std::size_t const child : children[order_[next]]) {
        if (--missing[child] == 0) order_.push_back(child);
      }
    }
    for (std::size_t i = 0; i < tasks_.size() && order_.size() < tasks_.size(); ++i) {
      if (missing[i] == 0) continue;
      checks_.complain(*tasks_[i].node, fmt::format("task '{}' waits for itself", tasks_[i].id),
                       "its parents lead back to it");
      break;
    }
  }

  std::string fault_of(Task const& task) const {
    if (!task.runtime) return "left out: no run time, they were not executed";
    if (!std::isfinite(*task.runtime)) return "left out: the run time is no number";
    if (*task.runtime < 0) return "left out: the run time is negative";
    constexpr double longest_s = 3e9;  // of a scenario
    if (*task.runtime > longest_s) return "left out: a time of more than a hundred years";
    return "";
  }

  /// A task that is left out takes no time: its children can start when it could have.
  void settle() {
    // A run time that was rounded to 0, as in SWF.
    constexpr double least_runtime = 1e-3;
    std::vector<Seconds> ends(tasks_.size());
    std::vector<std::vector<std::string>> jobs(tasks_.size());  // that are done when a task is
    for (std::size_t const i : order_) {
      Task const& task = tasks_[i];
      Seconds start{};
      std::set<std::string> after;
      for (std::size_t const parent : task.after) {
        start = std::max(start, ends[parent]);
        after.insert(jobs[parent].begin(), jobs[parent].end());
      }
      ends[i] = start;
      jobs[i].assign(after.begin(), after.end());
      if (std::string const fault = fault_of(task); !fault.empty()) {
        JsonTree const& where = task.ran != nullptr ? *task.ran : *task.node;
        instance_.notes.push_back({checks_.place(where), fmt::format("task '{}'", task.id), fault});
        continue;
      }
      WfTask job{task.id,
                 checks_.place(*task.node),
                 Seconds(std::max(*task.runtime, least_runtime)),
                 task.input,
                 start,
                 jobs[i],
                 task.cores};
      jobs[i] = {task.id};
      ends[i] += job.runtime;
      instance_.tasks.push_back(std::move(job));
    }
    if (!instance_.tasks.empty()) return;
    for (TraceNote const& note : instance_.notes) {
      checks_.complain(root_, fmt::format("line {}: {}", note.where.line, note.what), note.why);
    }
    checks_.complain(root_, "no task is left that ran");
  }

  JsonTree const& root_;
  JsonChecks checks_;
  JsonTree const* workflow_ = nullptr;
  JsonTree const* specification_ = nullptr;  // null before 1.5
  JsonTree const* execution_ = nullptr;
  std::unordered_map<std::string, double> sizes_;       // of files
  std::unordered_map<std::string, std::size_t> index_;  // of tasks
  std::set<std::string> shared_;                        // names of several tasks
  std::set<std::string> full_names_;                    // with ids
  std::vector<Task> tasks_;
  std::vector<std::size_t> order_;
  WfInstance instance_;
};

}  // namespace

WfInstance wf_instance(std::string_view text, std::string const& file) {
  JsonTree const root = parse_json_tree(text, {file, "", "Give a file in JSON."});
  return WfReader(root, file).read();
}

WfInstance read_wfformat(std::filesystem::path const& file) {
  return wf_instance(read_record_text(file), file.string());
}

TraceCampaign import_wfformat(WfInstance const& instance, std::filesystem::path const& file,
                              std::optional<int> slots, BytesPerSecond rate) {
  TraceCampaign campaign;
  Bytes input;
  for (WfTask const& task : instance.tasks) {
    int const most = slots.value_or(instance.cores > 0 ? instance.cores : task.cores);
    campaign.jobs.push_back(
        {task.start, task.runtime, task.id, task.after, std::min(task.cores, most)});
    input += task.input;
  }
  auto const jobs = static_cast<double>(instance.tasks.size());
  if (input > Bytes()) campaign.input = Bytes(std::ceil(input.value() / jobs));
  campaign.rate = rate;
  campaign.slots =
      slots.value_or(instance.cores > 0 ? instance.cores : most_at_once(campaign.jobs));
  std::string const name = file.filename().string();
  campaign.title = fmt::format("{}: {} tasks", instance.name, instance.tasks.size());
  campaign.comments = {fmt::format("Made from {} by gridcast init; see docs/formats.md.", name),
                       fmt::format("Tasks: {}; left out: {}; edges: {}.", instance.tasks.size(),
                                   instance.notes.size(), instance.edges)};
  return campaign;
}

}  // namespace gridcast::import
