// One recorded job's replay, as a process on SimGrid's clock.
#pragma once

#include "sim/engine/bad_time.hpp"
#include "sim/engine/clock.hpp"
#include "sim/engine/recorder.hpp"
#include "sim/engine/replay.hpp"
#include "sim/engine/replay_script.hpp"

namespace gridcast::engine {

class ReplayJob {
 public:
  ReplayJob(Clock& clock, Recorder& recorder, Scripts const& scripts, ReplayGrid const& grid,
            scenario::Strategy const& strategy, scenario::ParameterDraw const& draw,
            RandomStreams const& streams, Id<history::Job> job);

  Process play();

 private:
  enum class After { try_again, give_up };

  Step<bool> fail_as_recorded();
  Step<bool> fail_anew();
  Step<bool> fetch_by_http();
  Step<bool> attempt_stalls(BadTime& bad);
  Step<After> after_failure(BadTime& bad, history::Reason reason);
  Step<After> held(BadTime& bad, history::Reason reason);
  Step<bool> run_to_end(ScriptedEnd const& end);
  void start_attempt(Id<history::Site> site);
  void leave_site_if_strategy_says(BadTime& bad);
  Seconds stalled_attempt_cost();

  Clock& clock_;
  Recorder& recorder_;
  Scripts const& scripts_;
  ReplayGrid const& grid_;
  scenario::Strategy const& strategy_;
  scenario::ParameterDraw const& draw_;
  RandomStreams const& streams_;
  Id<history::Job> job_;
  Script const& script_;
  RandomStream luck_;
  SlotRef slot_;
  Seconds beyond_timeout_;  // of a recorded failure: what the stall timeout does not explain
  int recorded_holds_ = 0;  // not yet met
  int cool_downs_ = 0;
  int policy_releases_ = 0;
  int stalls_here_ = 0;
  bool moved_ = false;  // to a site that the record does not have the job at
};

}  // namespace gridcast::engine
