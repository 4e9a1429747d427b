// Replay: a recorded campaign once more, each job with its own luck (docs/model.md, "Replay").
//
// A row of a job table becomes a script: so many attempts that failed, each as long as the row's
// retried time shared out; then the transfer, the execution and the end that the row has. Jobs do
// not meet: the table has no dates, so who shared a link with whom is already in the recorded
// times.
//
// Under a strategy that decides as the recorded one did, the script is played as it stands and the
// table's figures come back: a test of model and bookkeeping in one. Under another, the job's bad
// time is what persists: it lasts until some moment between the start of the last failed attempt
// and its end. Attempts now cost what the strategy makes them cost; whether going elsewhere helps
// depends on the hypothesis that the draw is of (a bad path stays with the slot, an overloaded
// cache with the cache, an overloaded origin with everyone). Where a job gets further than the
// record shows, or to another site, its transfer and execution are those of a recorded job there,
// drawn at random.
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

/// Whether the strategy decides as the recorded campaign did, so that nothing need be drawn.
bool decides_as_recorded(scenario::Strategy const& strategy);

}  // namespace gridcast::engine
