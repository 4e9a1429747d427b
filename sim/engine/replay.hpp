// Replay: a recorded campaign once more, each job with its own luck (docs/model.md, "Replay").
//
// The engine's own access point, attempts and transfers, with what the record knows instead of draws:
// where each attempt ran, what ended it, how long its transfer, its execution and its output took. Jobs
// do not meet: a table has no dates, so who shared a link or waited for a slot with whom is in the
// recorded times already. A slot is there whenever a job wants one, and links are as wide as the recorded
// transfer was fast.
//
// Under a strategy that decides as the recorded one did, each attempt is the recorded one. Under
// another, the job's bad time is what persists: it lasts until some moment within its last failed
// attempt, and attempts now cost what the strategy makes them cost; whether going elsewhere helps
// depends on the hypothesis that the draw is of (a bad path stays with the slot, an overloaded cache
// with the cache, an overloaded origin with everyone). Evictions stay as recorded, and come first.
// Where a job gets further than the record shows, or to another site, its transfer and execution are
// those of a recorded job there, drawn at random.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/engine/replica.hpp"
#include "sim/history/job_table.hpp"
#include "sim/scenario/parameter_draw.hpp"
#include "sim/scenario/strategy.hpp"
#include "sim/strategy/decisions.hpp"

namespace gridcast::engine {

// What a row of a job table says of the job's attempts, one after the other, read for a replay.

/// One attempt as the record has it, and how it ended.
struct RecordedAttempt {
  Id<history::Site> site;
  Seconds transfer;  // until it arrived, or until the attempt ended
  bool transferred = false;
  Seconds execution;
  bool executed = false;
  Seconds teardown;
  Seconds computed;  // evicted: computing that lies somewhere in `transfer`
  history::EventKind ended_by =
      history::EventKind::submitted;  // submitted: nothing more is known of it
  history::Reason reason = history::Reason::none;
  bool useful = true;
  bool released = false;  // from the hold that ended it

  bool exits() const { return ended_by == history::EventKind::terminated; }
};

/// A job's row.
struct RecordedJob {
  std::vector<RecordedAttempt> attempts;
  // Of a job that was never matched: held, aborted, or submitted (nothing is known).
  history::EventKind ended_by = history::EventKind::submitted;
  history::Reason reason = history::Reason::none;

  bool succeeded() const {
    return !attempts.empty() && attempts.back().exits() && attempts.back().useful;
  }
};

/// All jobs in the table's order, and the history that names jobs and sites. A row that names no site
/// ran at the last one.
struct RecordedJobs {
  history::JobHistory names;  // no events
  std::vector<RecordedJob> jobs;
};

RecordedJobs read_attempts(history::JobTable const& table);

/// Whether the strategy decides as the recorded campaign did, so that nothing need be drawn.
bool decides_as_recorded(scenario::Strategy const& strategy);

/// Until when a recorded job's attempts fail, and what going elsewhere changes.
class BadTime {
 public:
  /// `failures` attempts of `cost` each failed, the next did not: it is bad from `start` until
  /// somewhere within the last one. No failures: never bad.
  BadTime(scenario::OutageParameters const& draw, int failures, Seconds cost, Seconds start,
          RandomStream stream);

  Seconds until() const { return until_; }
  /// The job's next attempt uses another slot (and with it another path), at `at`.
  void another_slot(Seconds at);
  /// It uses another cache, through the same slot.
  void another_cache(Seconds at);

 private:
  void draw_again(Seconds at);

  scenario::OutageParameters draw_;
  RandomStream stream_;
  Seconds until_;
};

class RecordedLuck {
 public:
  RecordedLuck(RecordedJobs const& recorded, scenario::Strategy const& strategy,
               scenario::OutageParameters const& outages, RandomStreams const& streams);

  enum class Slot { the_same, another };
  using Accepts = std::function<bool(Id<history::Site>)>;
  /// The job's next attempt begins now: at which site. Nothing if it has none: the record ends, and no
  /// job succeeded whose luck it could have.
  std::optional<Id<history::Site>> begin(Id<history::Job> job, Slot slot, Seconds now,
                                         Accepts const& accepts);
  /// What ends a job that the record never shows matched, told once: nothing if it has no such end.
  std::optional<strategy::PolicyDecision> ends_in_queue(Id<history::Job> job);

  // Of the attempt that has begun.
  /// Its input transfer is to be as recorded; null if the strategy's own rules act on it.
  RecordedAttempt const* transfer(Id<history::Job> job) const;
  /// How long its bytes take where nothing is bad.
  Seconds transfer_time(Id<history::Job> job) const;
  /// The end of the bad time that the job is in; nothing if it is in none.
  std::optional<Seconds> bad_until(Id<history::Job> job, Seconds now);
  void another_cache(Id<history::Job> job, Seconds now);
  /// Of a try that is hit: what recorded failures cost beyond the timeout that ended them, the time
  /// before the last byte.
  Seconds bytes_came_for(Id<history::Job> job) const;
  /// It has got its input. What its execution is, and how it ends.
  RecordedAttempt const& computing(Id<history::Job> job);
  RecordedAttempt const& attempt(Id<history::Job> job) const { return *jobs_[job.index()].now; }

  /// That its failed transfer holds the job: 0 or 1 as recorded; `drawn` where the record is no help.
  double hold(Id<history::Job> job, double drawn) const;
  /// What the owner does with the job, now held: nothing that the record does not have; `drawn` where
  /// it is no help.
  strategy::OwnerDecision owner(Id<history::Job> job, history::Reason reason,
                                strategy::OwnerDecision const& drawn);

 private:
  enum class Play {
    recorded,  // the attempt is as recorded in all
    anew,      // the job's own last one, with the strategy's rules
    beyond,    // that of another job that succeeded
  };
  struct JobLuck {
    RecordedJob const* told;
    RandomStream stream;
    std::size_t begun = 0;  // recorded attempts
    RecordedAttempt const* now = nullptr;
    Play play = Play::recorded;
    std::optional<BadTime> bad = {};
    Seconds bytes_came_for = {};
    int holds = 0;  // recorded ones that the job has not met yet
    Id<history::Site> site = {};
    bool moved = false;    // away from a site that its strategy avoids
    bool through = false;  // an attempt met no bad time
    bool ended = false;    // as the record ends
  };

  bool recorded_next(JobLuck const& luck) const;
  void start_bad_time(JobLuck& luck, Id<history::Job> job, Seconds now);
  std::optional<Id<history::Site>> begin_anew(JobLuck& luck, Seconds now);
  std::optional<Id<history::Site>> begin_beyond(JobLuck& luck);
  void move(JobLuck& luck, Seconds now);
  RecordedAttempt const* success_at(Id<history::Site> site, RandomStream& stream) const;
  RecordedAttempt const* success_elsewhere(Id<history::Site> than, RandomStream& stream) const;

  scenario::Strategy const& strategy_;
  scenario::OutageParameters const& outages_;
  RandomStreams const& streams_;
  bool as_recorded_;
  std::vector<JobLuck> jobs_;
  std::vector<RecordedAttempt const*> successes_;  // by site
};

/// What a strategy needs to know of the grid that the table came from.
struct ReplayGrid {
  scenario::AccessPointSpec access_point;
  Bytes input_size;
};

Replica replay(history::JobTable const& table, ReplayGrid const& grid,
               scenario::Strategy const& strategy, scenario::ParameterDraw const& draw,
               RandomStreams const& streams);

}  // namespace gridcast::engine
