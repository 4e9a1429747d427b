// What the record decides of each job in a replay: where its attempts run, what ends them, and how
// long each step takes; and until when its transfers fail under another strategy's rules.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/engine/claim.hpp"
#include "sim/engine/clock.hpp"
#include "sim/history/recorded_jobs.hpp"
#include "sim/scenario/parameter_draw.hpp"
#include "sim/scenario/strategy.hpp"
#include "sim/strategy/decisions.hpp"

namespace gridcast::engine {

/// Until when a recorded job's attempts fail, and what going elsewhere changes.
class BadTime {
 public:
  /// Attempts that failed one after the other: from the first one's start to the last one's, and
  /// how long that took.
  struct Failures {
    Seconds before_last, last;
  };
  /// It is bad from `start` until somewhere within the last one. No failures: never bad.
  BadTime(scenario::OutageParameters const& draw, Failures const& failures, Seconds start,
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
  enum class Rules { as_recorded, of_the_strategy };
  RecordedLuck(history::RecordedJobs const& recorded, scenario::Strategy const& strategy,
               Rules rules, scenario::OutageParameters const& outages,
               RandomStreams const& streams);

  /// How long the job, now idle, waits for what comes next.
  Seconds wait(Id<history::Job> job) const;

  enum class Slot { the_same, another };
  using Accepts = std::function<bool(Id<history::Site>)>;
  /// The job's next attempt begins now: at which site. Nothing if it has none: the record ends, and
  /// no job succeeded whose luck it could have.
  std::optional<Id<history::Site>> begin(Id<history::Job> job, Slot slot, Seconds now,
                                         Accepts const& accepts);
  /// What the record has next of the job is that it is held or removed while idle, told once:
  /// nothing if it has not.
  std::optional<strategy::PolicyDecision> ends_in_queue(Id<history::Job> job, Seconds now);

  // Of the attempt that has begun.
  /// Its input transfer is to be as recorded; null if the strategy's own rules act on it.
  history::RecordedAttempt const* transfer(Id<history::Job> job) const;
  /// Its input transfer begins.
  bool fetches(Id<history::Job> job) const { return !transfer(job) || transfer(job)->fetches; }
  /// How long its bytes take where nothing is bad.
  Seconds transfer_time(Id<history::Job> job) const;
  /// The end of the bad time that the job is in; nothing if it is in none.
  std::optional<Seconds> bad_until(Id<history::Job> job, Seconds now);
  void another_cache(Id<history::Job> job, Seconds now);
  /// Of a try that is hit: what recorded failures cost beyond the timeout that ended them, the time
  /// before the last byte.
  Seconds bytes_came_for(Id<history::Job> job) const;
  /// Its input is there. How the record ends its attempt at this point; null if it goes on.
  history::RecordedAttempt const* arrived(Id<history::Job> job);
  /// It leaves its slot with its input there and its program not begun.
  bool ends_unexecuted(Id<history::Job> job);
  /// It begins to execute. What its execution is, and how it ends.
  history::RecordedAttempt const& computing(Id<history::Job> job);
  history::RecordedAttempt const& attempt(Id<history::Job> job) const {
    return *jobs_[job.index()].now;
  }

  /// That its failed transfer holds the job: 0 or 1 as recorded; `drawn` where the record is no
  /// help.
  double hold(Id<history::Job> job, double drawn) const;
  /// Of its failed transfer, as recorded; 0 where the record is no help.
  int subcode(Id<history::Job> job) const;
  /// What its failed transfer leads to where all is as recorded.
  std::optional<strategy::AfterFailure> after_failure(Id<history::Job> job) const;
  /// Whether what becomes of the job that has been held is the record's alone.
  bool decides_release() const { return as_recorded_; }
  /// What the owner does with the job, now held: nothing that the record does not have; `drawn`
  /// where it is no help.
  strategy::OwnerDecision owner(Id<history::Job> job, history::Reason reason,
                                strategy::OwnerDecision const& drawn);

 private:
  enum class Play {
    recorded,  // the attempt is as recorded in all
    anew,      // one of the job's own, with the strategy's rules
    beyond,    // that of another job that succeeded
  };
  struct JobLuck {
    history::RecordedJob const* told;
    RandomStream stream;
    std::size_t begun = 0;  // recorded attempts
    std::size_t next = 0;   // the one that follows the bad time
    history::RecordedAttempt const* now = nullptr;
    history::RecordedAttempt const* carrier = nullptr;  // whose transfer it has; null: its own
    Play play = Play::recorded;
    std::optional<BadTime> bad = {};
    std::uint32_t bad_times = 0;
    Seconds bytes_came_for = {};
    int holds = 0;  // recorded ones that the job has not met yet
    Id<history::Site> site = {};
    bool moved = false;    // away from a site that its strategy avoids
    bool through = false;  // an attempt met no bad time
    bool ended = false;    // as the record ends
  };

  bool asks_caches() const;
  bool meets_the_rules(history::RecordedAttempt const& attempt) const;
  static void passed(JobLuck& luck, std::size_t attempt);
  void use_up(JobLuck& luck) const;
  static Id<history::Site> begin_recorded(JobLuck& luck, std::size_t attempt);
  void start_bad_time(JobLuck& luck, Id<history::Job> job, Seconds now);
  std::optional<Id<history::Site>> begin_anew(JobLuck& luck, Seconds now);
  std::optional<Id<history::Site>> begin_beyond(JobLuck& luck);
  void move(JobLuck& luck, Seconds now);
  history::RecordedAttempt const* success_at(Id<history::Site> site, RandomStream& stream) const;
  history::RecordedAttempt const* success_elsewhere(Id<history::Site> than,
                                                    RandomStream& stream) const;

  history::RecordedJobs const& recorded_;
  scenario::Strategy const& strategy_;
  scenario::OutageParameters const& outages_;
  RandomStreams const& streams_;
  bool as_recorded_;
  std::vector<JobLuck> jobs_;
  std::vector<history::RecordedAttempt const*> successes_;  // by site
};

/// Lets a step of a recorded attempt pass; `tell` is called of what happened within it.
Step<Waited> pass_as_recorded(Clock& clock, Claim& claim, history::RecordedAttempt const& told,
                              history::RecordedStep step,
                              std::function<void(history::EventKind)> tell);

}  // namespace gridcast::engine
