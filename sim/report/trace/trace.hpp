// A history as a trace that other programs draw. What it shows is the same whatever its format: the
// phases of all jobs, each in a lane of its own, and the counts that go with them. A lane is a
// slot: two attempts are in it one after the other. Where a source does not tell slots apart,
// attempts that overlap go to further lanes of the same slot.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "sim/history/attempts.hpp"
#include "sim/history/job_history.hpp"

namespace gridcast::report {

/// What a trace tells besides the history.
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

/// For ViTE, PajeNG and what else SimGrid's users have: containers Grid, Site and Slot (and Cache),
/// the phase of each slot as pushed and popped states with job and reason, variables for transfers,
/// waiting and held jobs, and the fill of caches. Source: Schnorr, "Paje trace file format"
/// (lang-paje): each kind of line is defined in the header, and a line has the fields of its
/// definition in their order.
void write_paje_trace(history::JobHistory const& history, TraceContext const& context,
                      std::ostream& out);

}  // namespace gridcast::report
