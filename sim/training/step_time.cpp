#include "sim/training/step_time.hpp"

#include <cmath>

#include "sim/training/all_reduce.hpp"
#include "sim/training/straggler.hpp"

namespace gridcast::training {
namespace {

Seconds per_sample(TrainingSetup const& setup) {
  scenario::ComputeSpec const& compute = setup.profile.compute;
  return (compute.step_time - compute.step_overhead) / setup.measured_batch;
}

}  // namespace

Seconds compute_time(TrainingSetup const& setup, double samples) {
  return (setup.profile.compute.step_overhead + per_sample(setup) * samples) * setup.gpu_factor;
}

StepTime step_time(TrainingSetup const& setup, double samples) {
  scenario::ComputeSpec const& compute = setup.profile.compute;
  Seconds const both = compute_time(setup, samples);
  StepTime step;
  step.forward = both * compute.forward_share;
  step.backward = both - step.forward;
  step.straggling = both * (straggler_factor(compute, setup.gpus) - 1);
  step.exchange = exposed_exchange(setup.profile.exchange, setup.gpus,
                                   ring_link(setup.machine, setup.nodes), step.backward);
  step.optimizer = compute.optimizer;
  return step;
}

Seconds validation_time(TrainingSetup const& setup) {
  double const share = std::ceil(setup.profile.train.validation_samples / setup.gpus);
  return per_sample(setup) * share * setup.profile.compute.forward_share * setup.gpu_factor;
}

}  // namespace gridcast::training
