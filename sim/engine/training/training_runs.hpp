// Executions of jobs that train a workload of the catalogue.
//
// Nothing shared: one timer, and one more for each checkpoint. Streaming: the data of each epoch
// are a flow over the network at the rate that training requests, so training takes
//   bytes / min(rate requested, share of the link)
// and meets stalls, misses and failures each time that it opens its data. The content of a complete
// checkpoint outlives evictions, holds and failures, as a share of all the work, wherever the job
// goes on. Models: sim/training; assumptions: docs/model.md, "Training".
#pragma once

#include <optional>
#include <vector>

#include "sim/engine/access_point.hpp"
#include "sim/engine/transfer/input_transfer.hpp"
#include "sim/training/execution.hpp"

namespace gridcast::engine {

/// How an execution goes.
struct Pace {
  double slower = 1;  // than the models' value, at random
  Seconds most;       // it is held after so long, or so long after its last checkpoint
};

class TrainingRuns {
 public:
  TrainingRuns(Clock& clock, Recorder& recorder, AccessPoint& access_point, InputTransfer& input,
               training::CampaignTraining const& training);

  bool streams() const { return training_.streams; }
  /// From the start of the program to its end; `failed`: it could not read on.
  Step<InputResult> run(Attempt const& attempt, Pace pace, Claim& claim, Interference& site);

 private:
  /// One execution, as it goes on.
  struct Run {
    Attempt attempt;
    Pace pace;
    Claim& claim;
    Interference& interference;
    training::SiteTraining const& site;
    Seconds done;           // of the site's work
    Seconds before;         // to be spent before work goes on
    std::uint32_t reading;  // which of the job's attempts at it, of a job that streams
    bool opened = false;    // its data
    Alarm limit, written;   // the execution's time; a checkpoint that is being written
  };

  Step<InputResult> work_until(Run& run, Seconds until, Seconds after);
  Step<InputResult> stream_until(Run& run, Seconds until);
  Step<InputResult> stand_still(Run& run, Seconds time);
  Step<InputResult> save(Run& run);
  void saved(Run& run, double share);
  void set_limit(Run& run);

  Clock& clock_;
  Recorder& recorder_;
  AccessPoint& access_point_;
  InputTransfer& input_;
  training::CampaignTraining const& training_;
  std::vector<double> saved_;  // share of the work that is safe, by job
};

}  // namespace gridcast::engine
