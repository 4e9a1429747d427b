// Replay: a recorded campaign again, each job with its recorded events (docs/model.md, "Replay").
//
// The engine's own access point, attempts and transfers, with recorded values instead of draws:
// where each attempt ran, how it ended, how long its transfer, its execution and its output took.
// Jobs do not interact: the recorded times already contain shared links and waits for slots. A
// slot is there whenever a job wants one, and links are as wide as the recorded transfer was
// fast.
//
// Under a strategy that decides as the recorded one did, each attempt is the recorded one. Under
// another, the job's bad time persists: attempts that failed in it one after the other are
// replaced. It lasts until some moment within the last of them, and attempts now cost as much as
// the strategy makes them cost. The hypothesis of the draw decides whether another slot or cache
// helps (a bad path stays with the slot, an overloaded cache with the cache, an overloaded origin
// with everyone). Attempts that ended for another reason stay as recorded, and come when the bad
// time before them is over. If a job gets further than the record shows, or to another site, its
// transfer and execution are those of a recorded job there, drawn at random.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/engine/replica.hpp"
#include "sim/history/recorded_jobs.hpp"
#include "sim/scenario/parameter_draw.hpp"
#include "sim/scenario/strategy.hpp"

namespace gridcast::engine {

/// True if the strategy is, except for its name, the one that the record was made under. If so,
/// every attempt is the recorded one and nothing is drawn.
bool decides_as_recorded(scenario::Strategy const& strategy, scenario::Strategy const& recorded);

/// The properties of the recorded grid that a strategy needs.
struct ReplayGrid {
  scenario::AccessPointSpec access_point;
  Bytes input_size;
  scenario::Strategy recorded = {};  // the strategy of the record
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

// A recorded campaign as it would run without some of its slots: hosts that its owner excludes, the
// black holes among them (`requirements = (Machine != "node7.example")`), and sites that do not
// meet the requirements of its jobs.
//
// An attempt there becomes an attempt that is drawn from those in the other slots, of any job.
// Where that one ended its job, with a result or without, the job ends. Otherwise the job continues
// with its next recorded attempt, and after its last one with further attempts from the other
// slots, until one ends it. Waits in the queue stay as recorded. The avoided slots are gone: the
// supply has only slots that the other attempts show.
//
// An example: one of three hosts ends every job after 30 s with an error. Without it, each of its
// attempts is one of the other two hosts'.

struct AvoidedSlots {
  std::vector<std::string> hosts = {}, sites = {};  // by their names in the record

  bool none() const { return hosts.empty() && sites.empty(); }
};

/// True if an attempt of the record is in another slot, or on a host without a name.
bool leaves_slots(history::RecordedJobs const& recorded, AvoidedSlots const& avoided);

/// The record leaves slots.
history::RecordedJobs without_slots(history::RecordedJobs const& recorded,
                                    AvoidedSlots const& avoided, RandomStream stream);

/// The other slots.
history::SlotSupply supply_without_slots(history::RecordedCampaign const& recorded,
                                         AvoidedSlots const& avoided);

}  // namespace gridcast::engine
