// Pilots (glideins): each holds the GPUs of one job at a site, on one node, for a while, advertises
// them as a slot, runs the
// jobs that the negotiator sends, and dies: at the end of its walltime, or when the site kills it,
// which evicts what runs. Life cycle and times: glideinWMS condor_startup.sh, as OSPool sets it
// (docs/model.md, "Pilots").
#pragma once

#include "sim/engine/access_point.hpp"
#include "sim/engine/input_transfer.hpp"
#include "sim/engine/negotiator.hpp"
#include "sim/engine/training_runs.hpp"

namespace gridcast::engine {

class Pilots {
 public:
  Pilots(Clock& clock, Recorder& recorder, AccessPoint& access_point, Negotiator& negotiator,
         InputTransfer& input, scenario::Pool const& pool, scenario::Campaign const& campaign,
         scenario::Strategy const& strategy, scenario::ParameterDraw const& draw,
         RandomStreams const& streams, bool shocks);

  /// Starts the pilots of so many slots at a site, each with the GPUs of one job.
  void start(Id<history::Site> site, int slots);
  /// Jobs train a workload of the catalogue.
  void train(TrainingRuns& runs) { training_ = &runs; }

  Seconds busy() const { return busy_; }
  Seconds life() const { return life_; }

 private:
  struct Life {
    Seconds die, accept_until;
  };

  Process hold_slot(Id<history::Site> site, std::uint32_t number);
  Step<bool> run_job(Match match, SlotRef slot, Claim& claim);
  Step<bool> run_activation(Id<history::Job> job, SlotRef slot, Claim& claim);
  Step<bool> execute(Id<history::Job> job, SlotRef slot, Claim& claim);
  Step<bool> train(Id<history::Job> job, SlotRef slot, Pace pace, Claim& claim);
  Step<bool> finish(Id<history::Job> job, SlotRef slot, history::Reason reason, Claim& claim);
  bool interrupted(Id<history::Job> job, SlotRef const& slot, Claim const& claim);
  Life draw_life(SlotRef const& slot, Seconds start, RandomStream& stream) const;

  Clock& clock_;
  Recorder& recorder_;
  AccessPoint& access_point_;
  Negotiator& negotiator_;
  InputTransfer& input_;
  scenario::Pool const& pool_;
  scenario::Campaign const& campaign_;
  scenario::ParameterDraw const& draw_;
  RandomStreams const& streams_;
  bool shocks_;
  Seconds max_execution_;
  TrainingRuns* training_ = nullptr;
  std::vector<scenario::SiteParameters const*> sites_;  // by site
  Shock network_down_;
  Seconds busy_, life_;
};

}  // namespace gridcast::engine
