// The Standard Workload Format 2.2 of the Parallel Workloads Archive: a job a line in 18 fields,
// header comments behind ';', -1 for unknown values.
// Source: Feitelson et al., "The Standard Workload Format",
// www.cs.huji.ac.il/labs/parallel/workload/swf.html.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/import/trace_campaign.hpp"

namespace gridcast::import {

/// Field 11.
enum class SwfStatus : std::int8_t {
  unknown = -1,
  failed = 0,
  completed = 1,
  partial = 2,         // part of a job that was checkpointed or swapped, to be continued
  last_completed = 3,  // the last such part, the job completed
  last_failed = 4,     // ... or failed
  cancelled = 5,
};

/// The fields that a campaign needs; nothing where the file has -1.
struct SwfJob {
  std::int64_t number = 0;
  Seconds submit;
  std::optional<Seconds> wait, run;
  std::optional<std::int64_t> processors, requested_processors;
  SwfStatus status = SwfStatus::unknown;

  bool operator==(SwfJob const&) const = default;
};

struct SwfLog {
  std::map<std::string, std::string> header;  // "MaxProcs", "128"
  std::vector<SwfJob> jobs;
  std::vector<TraceNote> notes;  // of reading: rows left out or moved
  std::size_t rows = 0;          // of the file, including those left out

  /// The number that a header line begins with; nothing if there is no such line or number.
  std::optional<std::int64_t> header_number(std::string const& name) const;
};

/// Rows that make no sense are left out and noted: other than 18 fields, a field that is no number,
/// a negative submit time, no or a negative run time, no processors, parts of a job that stands in
/// a line of its own. Rows out of the order of submission are noted and put in their place.
/// InputError if no job is left.
SwfLog read_swf(std::filesystem::path const& file);
SwfLog parse_swf(std::string const& text, std::filesystem::path const& file);

/// The log's jobs, each with the slots of its processors: a slot has as many processors as divide
/// those of all jobs. The machine's processors are `of_machine`; else the most that were
/// in use at once, where the log has waits; else MaxProcs or MaxNodes of the header. InputError if
/// none of these is known, or if a job has more.
TraceCampaign import_swf(SwfLog const& log, std::filesystem::path const& file,
                         std::optional<int> of_machine);

}  // namespace gridcast::import
