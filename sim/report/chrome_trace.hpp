// A history as a trace that opens in Perfetto (ui.perfetto.dev) and chrome://tracing: sites as
// processes, slots as threads, phases as slices, counters for transfers, the queue and caches.
// Source: "Trace Event Format" (Chromium): objects with ph M (metadata), X (complete: ts, dur), C
// (counter); times in microseconds.
#pragma once

#include <iosfwd>

#include "sim/report/trace_layout.hpp"

namespace gridcast::report {

void write_chrome_trace(history::JobHistory const& history, TraceContext const& context,
                        std::ostream& out);

}  // namespace gridcast::report
