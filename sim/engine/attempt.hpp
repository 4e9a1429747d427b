// One attempt of a job on its slot, from the shadow's start to the slot's release, as a straight
// line:
//   matched, transfer_input_started -> input -> setup -> executing {-> checkpoint} -> exit
//   -> teardown (output) -> out of the queue, requeued, or held
// The claim may end under it at any moment (its pilot, the access point, a limit of time, the site:
// sim/engine/claim.hpp); the access point receives the attempt's ending, and decides the job's next
// state. Events that it does not receive while the job is disconnected are recorded when it is
// found again.
#pragma once

#include <optional>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/engine/access_point.hpp"
#include "sim/engine/claim.hpp"
#include "sim/engine/resource_needs.hpp"
#include "sim/engine/training/training_runs.hpp"
#include "sim/engine/transfer/input_transfer.hpp"
#include "sim/scenario/campaign.hpp"
#include "sim/scenario/parameter_draw.hpp"
#include "sim/training/execution.hpp"

namespace gridcast::engine {

/// The slot after an attempt.
enum class SlotAfter {
  free,
  gone,  // with its pilot
};

class Attempts {
 public:
  Attempts(Clock& clock, Recorder& recorder, AccessPoint& access_point, InputTransfer& input,
           ReplicaInput const& in, bool shocks);

  /// Jobs train a workload of the catalogue.
  void train(TrainingRuns& runs) { training_ = &runs; }
  /// Runs the matched job on the slot.
  Step<SlotAfter> run(Id<history::Job> job, SlotRef slot, Claim& claim);

 private:
  /// Times that are the same for every course of an attempt, in the order of their random numbers.
  enum class Overhead { setup, teardown, requeue, plugin_start };
  /// The plan of an execution, made before it begins.
  struct Plan {
    std::vector<training::Stretch> stretches;
    history::Reason reason = history::Reason::none;  // of an exit without a useful result
    Pace pace;                                       // of a workload of the catalogue
  };
  enum class State {
    goes_on,
    over,  // the claim has ended, or the access point knows the attempt's ending
  };

  bool has_input(Attempt const& attempt, Claim const& claim, InputResult const& input);
  /// How the program ended, if it did.
  Step<std::optional<history::Reason>> execute(Attempt const& attempt, Claim& claim,
                                               Interference& site);
  Step<State> compute(Attempt const& attempt, Claim& claim, Interference& site, Plan const& plan);
  Step<State> compute_as_recorded(Attempt const& attempt, Claim& claim);
  /// With the events within it.
  Step<Waited> pass_as_recorded(Attempt const& attempt, Claim& claim, history::RecordedStep step);
  Step<State> train(Attempt const& attempt, Claim& claim, Interference& site, Plan const& plan);
  Step<State> store_checkpoint(Attempt const& attempt, Interference& site, int epochs,
                               RandomStream& stream);
  Step<State> finish(Attempt const& attempt, Claim& claim, Interference& site,
                     history::Reason reason);
  /// Length of a try of an execution that brings no file home, if it was drawn so.
  std::optional<Seconds> try_in_vain(Attempt const& attempt, Interference const& site) const;
  Step<State> lose_files(Attempt const& attempt, Interference& site, Seconds one_try,
                         Seconds requeue_delay);
  bool for_good(Attempt const& attempt, double share) const;
  void stop_at_limit(Attempt const& attempt, double holds, Loss const& loss);
  void end_as_recorded(Attempt const& attempt);
  void cut_off(Attempt const& attempt, Interference const& site, Claim const& claim,
               Seconds requeue_delay);
  void lose_contact(Attempt const& attempt, Interference const& site, Seconds requeue_delay);
  void limit(Alarm& alarm, Claim& claim, Attempt const& attempt, Seconds expected) const;
  Seconds overhead(Attempt const& attempt, Overhead which) const;
  int gpus_of(Attempt const& attempt) const;
  Seconds stopped_after(Attempt const& attempt, std::uint32_t execution) const;
  void set_stop(Alarm& alarm, Attempt const& attempt, std::uint32_t execution, Claim& claim,
                Plan const& plan, bool trains);
  Plan plan(Attempt const& attempt, std::uint32_t execution);
  static Plan one_stretch(Seconds time, history::Reason reason);
  Plan plan_as_recorded(Attempt const& attempt) const;
  std::optional<Plan> plan_of_shock(Attempt const& attempt, std::uint32_t execution);
  bool streams() const { return training_ && training_->streams(); }
  scenario::SiteParameters const& parameters_of(SlotRef const& slot) const {
    return *sites_[slot.site.index()];
  }
  Seconds lease() const;
  double unpack_share(Id<history::Job> job) const;

  Clock& clock_;
  Recorder& recorder_;
  AccessPoint& access_point_;
  InputTransfer& input_;
  ReplicaInput in_;
  bool shocks_;
  Seconds max_execution_;
  TrainingRuns* training_ = nullptr;
  // The odds of the campaign's program in this replica, and the same as places in the ranges of
  // submissions.
  double crash_odds_, crash_odds_at_;
  scenario::JobWorks works_;
  std::size_t first_jobs_;
  std::vector<scenario::SiteParameters const*> sites_;  // by site
  Shock network_down_;
  ResourceNeeds needs_;
};

}  // namespace gridcast::engine
