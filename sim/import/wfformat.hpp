// WfFormat 1.5 of WfCommons: workflow instances in JSON, with how they ran. Read as a campaign of
// independent jobs.
// Source: WfCommons, "WfFormat: The WfCommons JSON Schema", github.com/wfcommons/WfFormat (1.5; 1.6
// only adds optional members). What is checked here was written from its documentation.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/import/trace_campaign.hpp"

namespace gridcast::import {

// JSON whose values know where they stand in their file, for messages about files of other
// programs, and its members by kind, with a problem at its place for each that is missing or of
// another kind. The parsing is nlohmann's; this keeps the places.

struct JsonTree {
  using Members = std::vector<std::pair<std::string, JsonTree>>;  // in the file's order
  using Items = std::vector<JsonTree>;

  std::variant<std::nullptr_t, bool, double, std::string, Items, Members> value;
  int line = 0, column = 0;  // of a number or a text its last character, else its first

  // Null if it is something else.
  std::string const* text() const;
  double const* number() const;
  Items const* items() const;
  Members const* members() const;
  /// The last member of that name; null if this is no object or has none.
  JsonTree const* find(std::string_view name) const;
};

/// InputError, with its place, for what is no JSON: cut off, a wrong character, nested deeper than
/// anybody writes.
JsonTree read_json_tree(std::filesystem::path const& file);
JsonTree parse_json_tree(std::string const& text, std::string const& file);

class JsonChecks {
 public:
  explicit JsonChecks(std::string file) : file_(std::move(file)) {}

  Location place(JsonTree const& node) const { return {file_, node.line, node.column}; }
  void complain(JsonTree const& node, std::string what, std::string why = "",
                std::string hint = "") {
    problems_.push_back({place(node), std::move(what), std::move(why), std::move(hint)});
  }
  std::vector<Problem> const& problems() const { return problems_; }

  /// Null, with a problem, if the object has it not or as another kind. `path` says where `in` is.
  JsonTree const* object(JsonTree const& in, std::string const& path, std::string_view name,
                         bool required = true);
  JsonTree::Items const* list(JsonTree const& in, std::string const& path, std::string_view name,
                              bool required = true);
  /// Not empty.
  std::string const* text(JsonTree const& in, std::string const& path, std::string_view name,
                          bool required = true);
  double const* number(JsonTree const& in, std::string const& path, std::string_view name,
                       bool required = true);
  /// The items of a list of texts, with their places; empty if it is not there.
  std::vector<JsonTree const*> texts(JsonTree const& in, std::string const& path,
                                     std::string_view name, bool required);

 private:
  JsonTree const* member(JsonTree const& in, std::string const& path, std::string_view name,
                         bool required);
  void complain_of_kind(JsonTree const& node, std::string const& path, std::string_view name,
                        std::string_view kind);

  std::string file_;
  std::vector<Problem> problems_;
};

struct WfTask {
  std::string id;
  Location where;
  Seconds runtime;
  Bytes input;    // of its input files
  Seconds start;  // at the earliest: the longest chain of run times before it
};

struct WfInstance {
  std::string name;
  std::vector<WfTask> tasks;  // those that can be jobs, each behind its parents
  std::size_t edges = 0;
  std::size_t files = 0;
  int cores = 0;                 // of all machines together, where they tell
  std::vector<TraceNote> notes;  // tasks left out
};

/// InputError with all problems, each at its place: another version, members missing or of another
/// kind, no tasks, tasks or files of one id, parents, children and files that are not there, edges
/// known to one end only, circles. Tasks that never ran or have no run time of use are left out and
/// noted; what hung on them hangs on their parents.
WfInstance read_wfformat(std::filesystem::path const& file);
WfInstance wf_instance(JsonTree const& root, std::string const& file);

struct WfImportOptions {
  std::optional<int> slots;
  BytesPerSecond rate = BytesPerSecond(100e6);  // at which input comes (assumption A-TRACE)
};

/// Dependencies are not simulated: each task is submitted when its parents can be done at the
/// earliest, the longest chain of run times before it.
TraceCampaign import_wfformat(WfInstance const& instance, std::filesystem::path const& file,
                              WfImportOptions const& options);

}  // namespace gridcast::import
