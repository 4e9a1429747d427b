// The workloads that DLIO ships: the closed form against the simulation step by step.
#include <fmt/format.h>

#include "sim/training/estimate.hpp"
#include "tests/training/published/source_table.hpp"
#include "tests/training/step_by_step.hpp"

namespace gridcast::training::published {
namespace {

/// Long workloads are cut to this many steps an epoch; DLIO's metric does not depend on it.
constexpr int most_steps = 2000;

TrainingSetup setup_on(scenario::Profile profile, scenario::Hardware const& hardware,
                       char const* storage) {
  TrainingRequest request;
  request.storage = storage;
  request.epochs = 1;
  TrainingSetup setup = training_setup(profile, hardware, request);
  if (epoch_plan(setup).steps() > most_steps) setup.profile.train.steps = most_steps;
  return setup;
}

/// Computing and waiting of a step, the first batch's loading among them.
void add_step(SourceTable& table, std::string const& what, SimulatedTraining const& steps,
              TrainingEstimate const& estimate) {
  double const count = steps.steps;
  Seconds const simulated = steps.epochs.front().total / count;
  Seconds const waiting = estimate.parts.waiting / count;
  table.rows.push_back({what, "a step", "ms", 1e3 * simulated.value(),
                        1e3 * estimate.step_mean.value(), 0.02, true, ""});
  table.rows.push_back({what, "waiting, of a step", "%", 100 * (steps.waiting / count / simulated),
                        100 * (waiting / estimate.step_mean), 2, false, ""});
}

void add_rows(SourceTable& table, scenario::Profile const& profile,
              scenario::Hardware const& hardware, char const* storage) {
  TrainingSetup const setup = setup_on(profile, hardware, storage);
  TrainingEstimate const estimate = estimate_training(setup);
  RandomStream const stream = RandomStreams(1, 0).stream(Purpose::execution, 0);
  SimulatedTraining const steps = simulate_steps(setup, stream);
  std::string const what = fmt::format("{} on {}", profile.name, storage);
  std::string note;
  if (profile.au_threshold > 0) {
    note =
        fmt::format("{} MLPerf's {:.2f}", estimate.au >= profile.au_threshold ? "meets" : "fails",
                    profile.au_threshold);
  }
  table.rows.push_back({what, "AU", "%", 100 * steps.au, 100 * estimate.au, 2, false, note});
  add_step(table, what, steps, estimate);
}

}  // namespace

SourceTable dlio_table(SourceFiles const& files) {
  SourceTable table{
      "DLIO: accelerator utilisation of its shipped workloads",
      "Profiles dlio-*, one accelerator, one epoch of at most 2,000 steps. DLIO's own "
      "definition (compute time over time, both without the first step), applied to the job "
      "simulated step by step, against the closed form. MLPerf Storage asks for 0.90 or 0.70.",
      {},
      "",
      "by definition",
      "closed form"};
  scenario::Hardware const hardware = files.hardware();
  for (auto const& name : scenario::profile_names(files.profiles)) {
    if (!name.starts_with("dlio-")) continue;
    scenario::Profile const profile = files.profile(name);
    for (char const* storage : {"fast-store", "slow-store"}) {
      add_rows(table, profile, hardware, storage);
    }
  }
  return table;
}

}  // namespace gridcast::training::published
