// The part of a replay that the record decides: where each job's attempts run, how they end, and
// how long each step takes; and until when its transfers fail under another strategy's rules.
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

/// Until when a recorded job's attempts fail, and the effect of another slot or cache.
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

class RecordedEvents {
 public:
  enum class Rules { as_recorded, of_the_strategy };
  struct RulesNow {
    Rules of_transfers = Rules::of_the_strategy;  // and of the releases after them
    Rules of_exits = Rules::of_the_strategy;      // requeued programs are requeued again
    Rules of_releases = Rules::of_the_strategy;   // periodic_release, periodic_remove
  };
  /// `draw`: outages, and how likely a program that failed fails again.
  RecordedEvents(history::RecordedJobs const& recorded, scenario::Strategy const& strategy,
                 RulesNow const& rules, scenario::ParameterDraw const& draw,
                 RandomStreams const& streams);

  /// How long the job, now idle, waits for its next step.
  Seconds wait(Id<history::Job> job) const;

  enum class Slot { the_same, another };
  using Accepts = std::function<bool(Id<history::Site>)>;
  /// The job's next attempt begins now: at which site. Nothing if it has none: the record ends, and
  /// no other job succeeded whose outcomes it could have.
  std::optional<Id<history::Site>> begin(Id<history::Job> job, Slot slot, Seconds now,
                                         Accepts const& accepts);
  /// The next event of the job in the record is a hold or a removal while idle, reported once:
  /// nothing if it is not.
  std::optional<strategy::PolicyDecision> ends_in_queue(Id<history::Job> job, Seconds now);

  // The attempt that has begun:
  /// Its input transfer is to be as recorded; null if the strategy's own rules act on it.
  history::RecordedAttempt const* transfer(Id<history::Job> job) const;
  /// Its input transfer begins.
  bool fetches(Id<history::Job> job) const { return !transfer(job) || transfer(job)->fetches; }
  /// How long its bytes take where nothing is bad.
  Seconds transfer_time(Id<history::Job> job) const;
  /// The end of the bad time that the job is in; nothing if it is in none.
  std::optional<Seconds> bad_until(Id<history::Job> job, Seconds now);
  void another_cache(Id<history::Job> job, Seconds now);
  /// For a try that is hit: the cost of recorded failures beyond the timeout that ended them, the
  /// time before the last byte.
  Seconds bytes_came_for(Id<history::Job> job) const;
  /// Its input is there. How the record ends its attempt at this point; null if it goes on.
  history::RecordedAttempt const* arrived(Id<history::Job> job);
  /// It leaves its slot with its input there and its program not begun.
  bool ends_unexecuted(Id<history::Job> job);
  /// It begins to execute. Its execution, and how it ends.
  history::RecordedAttempt const& computing(Id<history::Job> job);
  history::RecordedAttempt const& attempt(Id<history::Job> job) const {
    return *jobs_[job.index()].now;
  }

  /// Its program came to its end. True if the access point's rules act on the exit.
  bool meets_exit_rules(Id<history::Job> job) const;

  /// The exit code of its program, which failed; 0 if the record has none.
  int exit_code(Id<history::Job> job) const { return attempt(job).exit_code; }

  /// That its failed transfer holds the job: 0 or 1 as recorded; `drawn` where the record is no
  /// help.
  double hold(Id<history::Job> job, double drawn) const;
  /// For its failed transfer, as recorded; 0 if the record has none.
  int subcode(Id<history::Job> job) const;
  /// The code of a hold: the recorded one if the record has this hold, else the usual one.
  history::HoldCode hold_code(Id<history::Job> job, history::Reason reason) const;
  /// The result of its failed transfer if all is as recorded.
  std::optional<strategy::AfterFailure> after_failure(Id<history::Job> job) const;
  /// True if the record alone decides the release of the job that has been held.
  bool decides_release() const { return rules_.of_transfers == Rules::as_recorded; }
  /// The owner's action on the job, now held: nothing that the record does not have; `drawn` if the
  /// record has no information.
  strategy::OwnerDecision owner(Id<history::Job> job, history::Reason reason,
                                strategy::OwnerDecision const& drawn);

 private:
  enum class Mode {
    recorded,  // the attempt is as recorded in all
    anew,      // one of the job's own, with the strategy's rules
    beyond,    // its last one again, or that of another job that succeeded
  };
  struct JobState {
    history::RecordedJob const* recorded;
    RandomStream stream;
    std::size_t begun = 0;  // recorded attempts
    std::size_t next = 0;   // the one that follows the bad time
    history::RecordedAttempt const* now = nullptr;
    history::RecordedAttempt const* carrier = nullptr;  // whose transfer it has; null: its own
    Mode mode = Mode::recorded;
    std::optional<BadTime> bad = {};
    std::uint32_t bad_times = 0;
    Seconds bytes_came_for = {};
    int holds = 0;  // recorded ones that the job has not met yet
    Id<history::Site> site = {};
    std::optional<bool> always_crashes = {};  // drawn at the first execution beyond its record
    bool moved = false;                       // away from a site that its strategy avoids
    bool through = false;                     // an attempt met no bad time
    bool ended = false;                       // as the record ends
  };

  bool asks_caches() const;
  bool meets_the_rules(history::RecordedAttempt const& attempt) const;
  static void passed(JobState& state, std::size_t attempt);
  void use_up(JobState& state) const;
  static Id<history::Site> begin_recorded(JobState& state, std::size_t attempt);
  void start_bad_time(JobState& state, Id<history::Job> job, Seconds now);
  std::optional<Id<history::Site>> begin_anew(JobState& state, Seconds now);
  static bool needs_the_same_again(history::RecordedAttempt const& last);
  std::optional<Id<history::Site>> begin_beyond(JobState& state);
  strategy::OwnerDecision recorded_owner(history::RecordedAttempt const& held) const;
  bool fails_again(JobState& state, history::RecordedAttempt const& success) const;
  static history::RecordedAttempt const* own_failure(JobState& state);
  void move(JobState& state, Seconds now);
  history::RecordedAttempt const* success_at(Id<history::Site> site, RandomStream& stream) const;
  history::RecordedAttempt const* success_elsewhere(Id<history::Site> than,
                                                    RandomStream& stream) const;

  history::RecordedJobs const& recorded_;
  scenario::Strategy const& strategy_;
  scenario::ParameterDraw const& draw_;
  RandomStreams const& streams_;
  RulesNow rules_;
  std::vector<JobState> jobs_;
  std::vector<history::RecordedAttempt const*> successes_;  // by site
};

/// Lets a step of a recorded attempt pass; `report` is called for each event within it.
Step<Waited> pass_as_recorded(Clock& clock, Claim& claim, history::RecordedAttempt const& recorded,
                              history::RecordedStep step,
                              std::function<void(history::EventKind)> report);

}  // namespace gridcast::engine
