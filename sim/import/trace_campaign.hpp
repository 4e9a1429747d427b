// A trace of another program (SWF, WfFormat) as a campaign of its own: a scenario, its pool and its
// calibration, in which nothing fails and each job computes exactly as long as in the trace.
//
// A trace has the submission and run times of jobs, and nothing of a grid. So the pool is one site
// with slots, the work of the calibration is one second, and the `scale` of a submission is its
// jobs' run time in seconds. Additional effects of a grid (failures, slow transfers, waits for a
// match) are for the user to put in; docs/formats.md lists the losses.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/units.hpp"

namespace gridcast::import {

struct TraceJob {
  Seconds at;       // submitted, from the first one's submission; at the earliest, if it waits
  Seconds runtime;  // above 0
  std::string name = {};                // by which others wait for it
  std::vector<std::string> after = {};  // submitted when these are done
  int slots = 1;                        // that it occupies
};

struct TraceCampaign {
  std::string title;
  std::vector<std::string> comments;  // on top of the scenario
  std::vector<TraceJob> jobs;
  int slots = 1;
  std::optional<Bytes> input;  // of each job, as one file
  BytesPerSecond rate{};       // at which it comes, with an input
};

/// A row of a trace that was left out, or is not taken as it stands, and why.
struct TraceNote {
  Location where;
  std::string what;  // "job 7"
  std::string why;   // the same for all of a kind
};

/// "12 rows left out, no processors: trace.swf:7 (job 3), ...", a line a reason, in the order in
/// which they came up; at most `most` places of each, or all if it is 0.
std::vector<std::string> summary(std::vector<TraceNote> const& notes, std::size_t most);

/// The most slots that are occupied at a time if each job starts at its submission.
int most_at_once(std::vector<TraceJob> const& jobs);

/// Files of a folder by name, the scenario first: scenario.yaml, pool.yaml, calibration.yaml.
/// Jobs are put in the order of their submission; those alike in a row are one submission.
std::vector<std::pair<std::string, std::string>> trace_scenario(TraceCampaign campaign);

}  // namespace gridcast::import
