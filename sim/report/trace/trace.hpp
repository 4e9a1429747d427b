// A history as a trace that Perfetto draws: the phases of all jobs in lanes, and counts. A lane is a
// slot, with one attempt after the other. If a source does not name slots, overlapping attempts go
// to further lanes of the same slot.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "sim/history/attempts.hpp"
#include "sim/history/job_history.hpp"

namespace gridcast::report {

/// Facts beside the history.
struct TraceContext {
  std::string title;
  std::vector<std::string> caches = {};                  // names, as CacheSample::cache counts them
  std::vector<Bytes> cache_disks = {};                   // likewise: how much they may use
  std::vector<history::CacheSample> cache_samples = {};  // in order of time; empty: not known
};

struct TraceLane {
  Id<history::Site> site;  // invalid: not known
  std::string name;
};

/// A count that changed; of one site, or of all where the site is not valid.
struct CountStep {
  Seconds at;
  Id<history::Site> site;
  int count = 0;
};

struct TraceLayout {
  static constexpr std::uint32_t in_queue = 0xffffffff;

  std::vector<history::PhaseSpan> spans;  // by job, then time
  std::vector<std::uint32_t> lane;        // of each span; in_queue without a slot
  std::vector<TraceLane> lanes;           // by site, slot, number; unknown sites last
  bool has_unknown_site = false;
  Seconds end;  // of the record
};

TraceLayout trace_layout(history::JobHistory const& history);

/// Spans of these phases at a time, in order of time; begins and ends at 0. Of each site, or, with
/// `of_all`, of all together.
std::vector<CountStep> counts_of(TraceLayout const& layout,
                                 std::vector<history::Phase> const& phases, bool of_all);

/// A site's name; "unknown site" if it is not valid.
std::string site_name(history::JobHistory const& history, Id<history::Site> site);

/// For Perfetto (ui.perfetto.dev) and chrome://tracing: sites as processes, slots as threads,
/// phases as slices, counters for transfers, the queue and caches. Source: "Trace Event Format"
/// (Chromium): objects with ph M (metadata), X (complete: ts, dur), C (counter); times in
/// microseconds.
void write_chrome_trace(history::JobHistory const& history, TraceContext const& context,
                        std::ostream& out);

}  // namespace gridcast::report
