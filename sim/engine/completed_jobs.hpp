// Recorded jobs that were still in the queue when the record ended, drawn to their end.
//
// A job that was executing after t seconds continues as a recorded execution that lasted t seconds
// or more, chosen at random, and so does a job in its input transfer. The rest of its history is
// that of the same donor job. A job that was idle continues as a donor that had as many attempts
// before, or with attempts of any jobs if none had. If no recorded step lasted as long, the step
// ends now, as the longest one did.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/history/recorded_jobs.hpp"

namespace gridcast::engine {

/// Attempts that end within the record. Refers to the recorded jobs, which outlive it.
class Donors {
 public:
  explicit Donors(history::RecordedJobs const& recorded);

  /// The job, unchanged if the record contains its end or if there is no donor.
  history::RecordedJob completed(history::RecordedJob const& job, RandomStream stream) const;

 private:
  struct Donor {
    Seconds length;  // of the step
    history::RecordedJob const* job;
    std::size_t attempt;
  };

  Donor const* longer_than(std::vector<Donor> const& donors, Seconds elapsed,
                           RandomStream& stream) const;
  void continue_step(history::RecordedJob& job, RandomStream& stream) const;
  void continue_idle(history::RecordedJob& job, RandomStream& stream) const;
  void continue_alone(history::RecordedJob& job, RandomStream& stream) const;

  std::vector<Donor> executions_, transfers_;      // by length, ascending
  std::vector<history::RecordedJob const*> jobs_;  // that ended, by number of attempts, ascending
};

}  // namespace gridcast::engine
