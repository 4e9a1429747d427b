// One execution of a job of dated logs, as planned when it starts: how long it computes, where it
// stores checkpoints, whether and where it crashes.
//   time of all work = work * scale * scale_job * exp(job_sigma z_job) * exp(execution_sigma
//   z_execution) / speed
// or, of a workload of the catalogue, its time on the site's GPU instead of work / speed. z_job
// belongs to the job: the same at every attempt, at every site. An attempt crashes with the site's
// probability, its odds multiplied by the campaign's own; at a point that is uniform over what
// remains of the work. A program that checkpoints itself exits after every so many epochs, is
// restarted in the same place, and after a loss goes on from the last checkpoint that is stored.
// Left out: restart cost of a checkpointed program, draws of the crash at each restart.
#pragma once

#include <vector>

#include "sim/base/random.hpp"
#include "sim/base/units.hpp"
#include "sim/scenario/campaign.hpp"
#include "sim/scenario/parameter_draw.hpp"

namespace gridcast::training {

/// p with its odds p / (1 - p) multiplied.
double scale_odds(double p, double factor);

struct Luck {
  double job = 0, execution = 0;  // standard normal
  double crash = 1;               // crashes if below the probability, in (0, 1)
  double crash_at = 0;            // share of what remains, in (0, 1)
};

struct WorkView {
  scenario::Work const& work;
  scenario::EventLogParameters const& draw;
  scenario::EventLogSiteParameters const& site;
  double crash_odds = 1;     // drawn from the campaign's range
  int checkpoint_every = 0;  // epochs; 0: never
  int epochs_stored = 0;     // by the last checkpoint
  Seconds training = {};     // all of a catalogue's workload at this site; 0: calibrated
  double job_scale = 1;      // of this job's work
};

/// A piece of computing and how it ends.
struct Stretch {
  enum class End { checkpoint, done, crash } end = End::done;
  Seconds time;
  int epochs = 0;  // of the job, done when it ends; of `checkpoint` and `done`
};

/// The stretches of an execution, in order; only the last is not ended by a checkpoint.
std::vector<Stretch> plan_execution(WorkView const& view, Luck const& luck);

}  // namespace gridcast::training
