// One attempt of a job on its slot, from the shadow's start to the slot's release, as a straight
// line. The access point is told how it ended, and decides what becomes of the job. Two of them, by
// what the parameters were fitted to:
//
//   a job table   matched, transfer_input_started -> input over the network -> executing
//                 {-> checkpoint} -> output -> out of the queue, or held
//                 An attempt ends early when its pilot dies, or at the limit of its execution.
//   event logs    matched, transfer_input_started -> URLs -> setup -> executing {-> checkpoint}
//                 -> exit -> teardown (output) -> out of the queue, requeued, or held
//                 Meanwhile Interference lets the site do what it does to claims. What the access
//                 point does not hear of while the job is disconnected is recorded when it is found
//                 again.
#pragma once

#include <vector>

#include "sim/base/random.hpp"
#include "sim/engine/access_point.hpp"
#include "sim/engine/claim.hpp"
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

/// Attempts by parameters that were fitted to a job table.
class TableAttempts {
 public:
  TableAttempts(Clock& clock, Recorder& recorder, AccessPoint& access_point, InputTransfer& input,
                ReplicaInput const& in, bool shocks);

  /// Jobs train a workload of the catalogue.
  void train(TrainingRuns& runs) { training_ = &runs; }
  /// Runs the matched job on the slot.
  Step<SlotAfter> run(Id<history::Job> job, SlotRef slot, Claim& claim);

 private:
  Step<SlotAfter> execute(Id<history::Job> job, SlotRef slot, Claim& claim);
  Step<SlotAfter> train(Id<history::Job> job, SlotRef slot, Pace pace, Claim& claim);
  Step<SlotAfter> finish(Id<history::Job> job, SlotRef slot, history::Reason reason, Claim& claim);
  SlotAfter cut_off(Id<history::Job> job, SlotRef const& slot, Claim const& claim);

  Clock& clock_;
  Recorder& recorder_;
  AccessPoint& access_point_;
  InputTransfer& input_;
  ReplicaInput in_;
  bool shocks_;
  Seconds max_execution_;
  TrainingRuns* training_ = nullptr;
  std::vector<scenario::SiteParameters const*> sites_;  // by site
  Shock network_down_;
};

/// Attempts by parameters that were fitted to event logs.
class EventLogAttempts {
 public:
  EventLogAttempts(Clock& clock, Recorder& recorder, AccessPoint& access_point,
                   ReplicaInput const& in);

  /// Runs the matched job on the slot.
  Step<SlotAfter> run(Id<history::Job> job, SlotRef slot, Claim& claim);

  Bytes delivered() const { return delivered_; }

 private:
  struct Overheads {
    Seconds setup, teardown, requeue;
  };

  Step<AttemptState> fetch(Attempt const& attempt, Interference& site);
  Step<AttemptState> execute(Attempt const& attempt, Interference& site,
                             Overheads const& overheads);
  Step<AttemptState> store_checkpoint(Attempt const& attempt, Interference& site, int epochs,
                                      RandomStream& stream);
  Step<AttemptState> finish(Attempt const& attempt, Interference& site, Overheads const& overheads,
                            bool crashed);
  void lost(Attempt const& attempt, Interference const& site, Claim const& claim,
            Seconds requeue_delay);
  Overheads overheads(Attempt const& attempt) const;
  std::vector<training::Stretch> plan(Attempt const& attempt, std::uint32_t execution);
  scenario::EventLogSiteParameters const& parameters_of(SlotRef const& slot) const {
    return *sites_[slot.site.index()];
  }
  Seconds lease() const;

  Clock& clock_;
  Recorder& recorder_;
  AccessPoint& access_point_;
  ReplicaInput in_;
  scenario::EventLogParameters const& draw_;
  scenario::Work work_;            // with its number of epochs
  std::vector<Seconds> training_;  // of a catalogue's workload, by site
  double crash_odds_;              // of this replica's program
  std::vector<double> scales_;     // of the work, by job
  std::vector<scenario::EventLogSiteParameters const*> sites_;  // by site
  Bytes delivered_;
};

enum class UrlEnd { arrived, failed, timed_out };

struct UrlPlan {
  Seconds time;
  UrlEnd end = UrlEnd::arrived;
};

/// The URLs of an input transfer, one after the other as HTCondor's plugin fetches them, with what
/// becomes of each: known when it starts, as nothing that happens meanwhile changes it.
///   time = url_median * (bytes / reference)^exponent * exp(sigma z)
/// A URL fails with the site's probability after a share of its time, or hangs. One run of the
/// plugin fetches them all, and its lifetime (MAX_FILE_TRANSFER_PLUGIN_LIFETIME) ends whatever it
/// does. Left out: transfers that share a link. Returns as many as are tried: all, or up to the
/// first that does not arrive.
std::vector<UrlPlan> plan_urls(std::vector<scenario::InputFile> const& input,
                               scenario::EventLogParameters const& draw,
                               scenario::EventLogSiteParameters const& site,
                               Seconds plugin_lifetime, RandomStream stream);

}  // namespace gridcast::engine
