// The Standard Workload Format 2.2 of the Parallel Workloads Archive: a job a line in 18 fields,
// header comments behind ';', -1 for what is not known.
// Source: Feitelson et al., "The Standard Workload Format",
// www.cs.huji.ac.il/labs/parallel/workload/swf.html.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
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

/// In the order of the fields; nothing where the file has -1. Times and memory may have fractions.
struct SwfJob {
  std::int64_t number = 0;
  Seconds submit;
  std::optional<Seconds> wait, run;
  std::optional<std::int64_t> processors;
  std::optional<Seconds> cpu;
  std::optional<double> memory_kb;
  std::optional<std::int64_t> requested_processors;
  std::optional<Seconds> requested_time;
  std::optional<double> requested_memory_kb;
  SwfStatus status = SwfStatus::unknown;
  std::optional<std::int64_t> user, group, executable, queue, partition, preceding;
  std::optional<Seconds> think;

  bool operator==(SwfJob const&) const = default;
};

struct SwfLog {
  std::vector<std::pair<std::string, std::string>> header;  // "MaxProcs", "128"; in order
  std::vector<SwfJob> jobs;
  std::vector<TraceNote> notes;  // of reading: rows left out or moved
  std::size_t rows = 0;          // of the file, those left out too

  /// The number that a header line begins with; nothing if it is not there or none.
  std::optional<std::int64_t> header_number(std::string const& name) const;
};

/// Rows that make no sense are left out and noted: other than 18 fields, a field that is no number,
/// a negative submit time, no or a negative run time, no processors, parts of a job that stands in
/// a line of its own. Rows out of the order of submission are noted and put in their place.
/// InputError if no job is left.
SwfLog read_swf(std::filesystem::path const& file);
SwfLog parse_swf(std::string const& text, std::filesystem::path const& file);

/// Text of the format; what was read is written the same again, apart from notes and comments
/// without a name.
std::string to_text(SwfLog const& log);

struct SwfImportOptions {
  std::optional<int> slots;  // of the pool
};

/// The log's jobs, one slot each. Slots are those of the options; else the most jobs that ran at
/// once, where the log tells waits; else MaxProcs or MaxNodes of the header. InputError if none of
/// these is known.
TraceCampaign import_swf(SwfLog const& log, std::filesystem::path const& file,
                         SwfImportOptions const& options);

}  // namespace gridcast::import
