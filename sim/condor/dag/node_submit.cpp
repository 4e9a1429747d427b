#include <algorithm>

#include "sim/base/files.hpp"
#include "sim/base/text.hpp"
#include "sim/condor/dag/dag_file.hpp"

namespace gridcast::condor {
namespace {

namespace fs = std::filesystem;

bool has_queue(std::string const& text) {
  for (auto const& line : split(text, '\n')) {
    std::string const word = lower(trim(line)).substr(0, 6);
    if (word.starts_with("queue") && (word.size() == 5 || word[5] == ' ' || word[5] == '\t')) {
      return true;
    }
  }
  return false;
}

class NodeFolder final : public SubmitFolder {
 public:
  explicit NodeFolder(DagNode const& node)
      : node_(node),
        name_(node.submit.empty() ? node.folder / fs::path(node.where.file).filename()
                                  : node.submit) {
    before_ = "JOB = " + node.name + "\nRETRY = 0\n";
    for (auto const& [key, value] : node.vars) {
      before_ += key + " = " + value + "\n";
      // A backslash at its end goes on with the next line, which then is an empty one.
      if (value.ends_with('\\')) before_ += "\n";
    }
  }

  fs::path const& name() const { return name_; }

  std::string read(fs::path const& file) const override {
    if (file != name_) return real_submit_folder().read(file);
    if (!node_.submit.empty()) expect_ordinary_file(file);
    std::string const text =
        node_.submit.empty() ? node_.description : real_submit_folder().read(file);
    return before_ + text + (has_queue(text) ? "" : "\nqueue\n");
  }
  std::vector<std::string> matching(fs::path const& folder, std::string const& pattern,
                                    Kind kind) const override {
    return real_submit_folder().matching(folder, pattern, kind);
  }

  /// Location of a line of the text.
  void find(Location& where) const {
    if (where.file != name_.string()) return;
    auto const lines = static_cast<int>(std::count(before_.begin(), before_.end(), '\n'));
    where.line = std::max(where.line - lines, 0);
    if (!node_.submit.empty()) return;
    where.file = node_.described_at.file;
    where.line += node_.described_at.line;
  }

 private:
  DagNode const& node_;
  fs::path name_;
  std::string before_;
};

}  // namespace

SubmitFile read_node_submit(DagNode const& node, std::vector<std::string> const& deciding) {
  NodeFolder const folder(node);
  try {
    SubmitFile read = read_submit_file(folder.name(), deciding, folder);
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

}  // namespace gridcast::condor
