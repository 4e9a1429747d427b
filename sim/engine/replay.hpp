// Replay: a recorded campaign once more, each job with its own luck (docs/model.md, "Replay").
//
// The engine's own access point, attempts and transfers, with what the record knows instead of
// draws: where each attempt ran, what ended it, how long its transfer, its execution and its output
// took. Jobs do not meet: who shared a link or waited for a slot with whom is in the recorded times
// already. A slot is there whenever a job wants one, and links are as wide as the recorded transfer
// was fast.
//
// Under a strategy that decides as the recorded one did, each attempt is the recorded one. Under
// another, the job's bad time is what persists: attempts that failed in it one after the other are
// replaced; it lasts until some moment within the last of them, and attempts now cost what the
// strategy makes them cost; whether going elsewhere helps depends on the hypothesis that the draw
// is of (a bad path stays with the slot, an overloaded cache with the cache, an overloaded origin
// with everyone). What ended for another reason stays as recorded, and comes when the bad time
// before it is over. Where a job gets further than the record shows, or to another site, its
// transfer and execution are those of a recorded job there, drawn at random.
#pragma once

#include <optional>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/engine/replica.hpp"
#include "sim/history/recorded_jobs.hpp"
#include "sim/history/slot_supply.hpp"
#include "sim/scenario/parameter_draw.hpp"
#include "sim/scenario/strategy.hpp"

namespace gridcast::engine {

/// Whether the strategy is, but for its name, the one that the record was made under. If so, every
/// attempt is the recorded one and nothing is drawn.
bool decides_as_recorded(scenario::Strategy const& strategy, scenario::Strategy const& recorded);

/// What a strategy needs to know of the grid that the record came from.
struct ReplayGrid {
  scenario::AccessPointSpec access_point;
  Bytes input_size;
  scenario::Strategy recorded = {};  // what the record was made under
};

Replica replay(history::JobHistory const& record, ReplayGrid const& grid,
               scenario::Strategy const& strategy, scenario::ParameterDraw const& draw,
               RandomStreams const& streams);

/// The next campaign of a record, whose jobs wait for the slots that the record's campaign had.
struct NextCampaign {
  history::RecordedJobs const& jobs;  // as many as `campaign` has (resampled_jobs)
  history::SlotSupply const& slots;
  std::vector<history::JobName> const& names;
  scenario::Campaign const& campaign;  // when its jobs are submitted
  std::optional<Seconds> horizon;      // jobs that are left then are removed
};

/// Events go to `sink`, with the sites of the record.
ReplicaAudit replay_next(history::HistorySink& sink, NextCampaign const& next,
                         ReplayGrid const& grid, scenario::Strategy const& strategy,
                         scenario::ParameterDraw const& draw, RandomStreams const& streams);

}  // namespace gridcast::engine
