// What single steps of a job cost, for those who simulate them one by one: the slowest rank's
// compute time and what the exchange adds to it; what opening files adds to a batch's loading.
#pragma once

#include <vector>

#include "sim/base/random.hpp"
#include "sim/training/all_reduce.hpp"
#include "sim/training/input_pipeline.hpp"
#include "sim/training/setup.hpp"

namespace gridcast::training {

class StepCosts {
 public:
  StepCosts(TrainingSetup const& setup, RandomStream stream);

  /// Of a step with so many samples on each rank; the slowest rank is drawn where the profile has a
  /// spread.
  Seconds step(double samples);
  /// Beyond the mean opening that is in the loader's time: files are opened when the first of their
  /// samples is due. `before`: samples that the rank has read.
  Seconds opening(Loader const& loader, double before, double samples, double cached) const;
  /// Of all readers of a rank, before it goes on: its share, or all.
  double bulk_samples() const;

 private:
  Seconds exchange(Seconds backward) const;

  TrainingSetup const& setup_;
  RandomStream stream_;
  Link link_;
  std::vector<Bytes> buckets_;
};

}  // namespace gridcast::training
