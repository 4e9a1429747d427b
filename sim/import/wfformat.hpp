// WfFormat of WfCommons: workflow instances in JSON, with how they ran. Each task is a job that
// waits for its parents. Source: WfCommons, "WfFormat: The WfCommons JSON Schema",
// github.com/wfcommons/WfFormat (1.0 to 1.5; 1.6 only adds optional members). Before 1.5 each task
// had its run time and its files with it. The checks here follow its documentation.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/import/trace_campaign.hpp"

namespace gridcast::import {

struct WfTask {
  std::string id;
  Location where;
  Seconds runtime;
  Bytes input;                          // of its input files
  Seconds start;                        // at the earliest: the longest chain of run times before it
  std::vector<std::string> after = {};  // its parents, of those that can be jobs
  int cores = 1;                        // that it needs
};

struct WfInstance {
  std::string name;
  std::vector<WfTask> tasks;  // those that can be jobs, each behind its parents
  std::size_t edges = 0;
  int cores = 0;                 // of all machines together, where they have them
  std::vector<TraceNote> notes;  // tasks left out
};

/// InputError with all problems, each at its place: another version, members missing or of another
/// kind, no tasks, tasks or files of one id, parents, children and files that are not there,
/// circles. One end of an edge may name it alone. Tasks that never ran or have no usable run time
/// are left out and noted; their children depend on their parents.
WfInstance read_wfformat(std::filesystem::path const& file);
WfInstance wf_instance(std::string_view text, std::string const& file);

/// Each task is submitted when its parents are done, and occupies a slot for each of its cores.
/// `rate`: at which input comes (assumption A-TRACE).
TraceCampaign import_wfformat(WfInstance const& instance, std::filesystem::path const& file,
                              std::optional<int> slots,
                              BytesPerSecond rate = BytesPerSecond(100e6));

}  // namespace gridcast::import
