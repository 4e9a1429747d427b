// A history as a Paje trace, for ViTE, PajeNG and what else SimGrid's users have: containers Grid,
// Site and Slot (and Cache), the phase of each slot as pushed and popped states with job and
// reason, variables for transfers, waiting and held jobs, and the fill of caches. Source: Schnorr,
// "Paje trace file format" (lang-paje): each kind of line is defined in the header, and a line has
// the fields of its definition in their order.
#pragma once

#include <iosfwd>

#include "sim/report/trace_layout.hpp"

namespace gridcast::report {

void write_paje_trace(history::JobHistory const& history, TraceContext const& context,
                      std::ostream& out);

}  // namespace gridcast::report
