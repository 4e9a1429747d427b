// How long one execution of a job computes, in seconds, planned when it starts: where it stores
// checkpoints, whether and where it crashes. All of a job's work at a site takes
//   T = scale x scale_job x exp(job_sigma z_job) x W,   W, of one execution, by the known data:
//     epochs x t,  t ~ the site's epoch-time distribution, one draw an execution   (a job table)
//     work x exp(execution_sigma z_execution) / speed                              (event logs)
// where the speed is that of jobs with so many GPUs as it was measured for, and grows as their
// number to the power of gpu_scaling;
// and before it, at each execution, the archive is unpacked, at the record's time for each byte.
// The pace belongs to the execution (the GPU it got, its neighbours on the node), not to the epoch:
// two 5-epoch campaigns and one of 20 epochs share it (docs/model.md, "Execution"). z_job belongs
// to the job: the same at every attempt, at every site. It is standard normal. An execution crashes
// with the site's probability, its odds multiplied by the campaign's own; a job is bad with the
// probability crash_of_job (its odds multiplied too), and each execution of a bad job crashes. A
// crash comes at a uniform share of the rest of the work. A program that checkpoints itself exits
// after every so many epochs, is restarted in the same place, and after a loss goes on from the
// last checkpoint that is stored.
// A job that computes the work of k others crashes as soon as one of them would:
//   P(crash) = 1 - (1 - p)^k    in part i with probability (1 - p)^(i - 1) p, at a uniform share
// Left out: warm-up, the change of pace within an execution, restart cost of a checkpointed
// program, draws of the crash at each restart.
//
// A workload of the catalogue: work that grows with time, is safe up to the last checkpoint, and
// starts again from there after an eviction; a closed form of the job's estimate: an execution
// stays one timer:
//   an execution = once (start, copying, first reading) + work left + its checkpoints
// Work is training time without checkpoints, [0, work]; it is saved at `first` and every `interval`
// after, at the cost `save` each. Left out: part of an epoch's reading that a job repeats when it
// resumes within one; the page cache's warming up, which is spread evenly over the work.
//
// Jobs of a campaign that train such a workload are planned once: how long one takes at each site
// of the pool, and its reads over the network if it streams. The site has the number of GPUs of a
// node and their model; the catalogue has their speed and the links between them.
//
//   copied first   the slot's disk (or `storage`) is read; the network has been paid for before
//   streaming      the profile's own store, without its shared bandwidth: that is the network's,
//                  which the engine shares among jobs; each reader is a stream
#pragma once

#include <optional>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/base/units.hpp"
#include "sim/scenario/campaign.hpp"
#include "sim/scenario/parameter_draw.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/training/estimate.hpp"

namespace gridcast::training {

struct TrainingWork {
  Seconds once;      // of each execution, before work begins
  Seconds work;      // all of it
  Seconds first;     // work at the first checkpoint
  Seconds interval;  // from one checkpoint to the next; 0: none before the end
  Seconds save;      // time that a checkpoint adds
  Seconds at_end;    // time that saving at the end adds
  Seconds written;   // from a checkpoint's beginning until it can be resumed from

  /// Time of an execution that resumes with so much work done, to the end of the job.
  Seconds execution(Seconds done) const;
  /// Checkpoints in (0, done].
  double checkpoints(Seconds done) const;
};

/// Its execution(0) is the estimate's total.
TrainingWork training_work(TrainingSetup const& setup);

/// p with its odds p / (1 - p) multiplied.
double scale_odds(double p, double factor);

/// Each in (0, 1).
struct Uniforms {
  double job = 0.5, execution = 0.5;
  double crash = 1;     // crashes if below the probability
  double crash_at = 0;  // share of the rest that is done then
  double bad_job = 1;   // crashes at each execution if below the probability
};

struct WorkView {
  scenario::Work const& work;
  scenario::ParameterDraw const& draw;
  scenario::SiteParameters const& site;
  int gpus = 1;              // of the job
  double crash_odds = 1;     // drawn from the campaign's range
  int checkpoint_every = 0;  // epochs; 0: never
  int epochs_stored = 0;     // by the last checkpoint
  double job_scale = 1;      // of this job's work
  double unpack_share = 1;   // of the record's input
};

/// How much longer than the models' time a workload of the catalogue takes, by the uniforms of job
/// and execution.
double random_slowdown(WorkView const& view, Uniforms const& uniforms);

/// A piece of computing and how it ends.
struct Stretch {
  enum class End { checkpoint, done, crash } end = End::done;
  Seconds time;
  int epochs = 0;  // of the job, done when it ends; of `checkpoint` and `done`
};

/// The stretches of an execution, in order; only the last is not ended by a checkpoint.
std::vector<Stretch> plan_execution(WorkView const& view, Uniforms const& uniforms);

struct SiteTraining {
  TrainingSetup setup;
  TrainingWork work;  // at the pace of the models, were the network no limit
  Bytes streamed;     // by all the work; 0: reads nothing over the network
  bool saves = true;  // its saves outlive its slot
};

struct CampaignTraining {
  std::vector<std::optional<SiteTraining>> sites;  // by site; none where the jobs do not match
  bool streams = false;
  Bytes dataset;
};

/// The campaign's workload has to be of the catalogue. `world`: the speed of a stream at each site;
/// null: the value of the profile's store. `profile_quantile` in (0, 1): which of the worlds that a
/// fitted profile leaves possible this is (estimate.hpp); none: the profile's own values.
/// InputError with
CampaignTraining campaign_training(scenario::Pool const& pool, scenario::Campaign const& campaign,
                                   scenario::Strategy const& strategy,
                                   scenario::ParameterDraw const* draw,
                                   std::optional<double> profile_quantile = std::nullopt);

/// InputError if the jobs of a scenario, under any of its strategies, cannot train where they may
/// run. No check of calibrated workloads.
void check_training(scenario::Scenario const& scenario);

}  // namespace gridcast::training
