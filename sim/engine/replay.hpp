// Replay: a recorded campaign once more, each job with its own luck (docs/model.md, "Replay").
//
// The engine's own access point, attempts and transfers, with what the record knows instead of draws
// (sim/engine/recorded_luck.hpp): where each attempt ran, what ended it, how long its transfer, its
// execution and its output took. Jobs do not meet: a table has no dates, so who shared a link or
// waited for a slot with whom is in the recorded times already. A slot is there whenever a job wants
// one, and links are as wide as the recorded transfer was fast.
#pragma once

#include "sim/engine/replica.hpp"
#include "sim/history/job_table.hpp"

namespace gridcast::engine {

/// What a strategy needs to know of the grid that the table came from.
struct ReplayGrid {
  scenario::AccessPointSpec access_point;
  Bytes input_size;
};

Replica replay(history::JobTable const& table, ReplayGrid const& grid,
               scenario::Strategy const& strategy, scenario::ParameterDraw const& draw,
               RandomStreams const& streams);

}  // namespace gridcast::engine
