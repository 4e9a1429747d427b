// The stragglers of a job (step_time.hpp) from its workers' step times, rows of
//   worker, time (steps' order), step_s (any unit: only ratios count)
//
// On logarithms: a worker's own factor is its median's; the rest is the body, up to four robust
// standard deviations (1.4826 median absolute deviations), and spells of the slow state above. The
// memory of the body is that of its lag-1 correlation, a = exp(-1/steps); a spell lasts as long as
// the worker stays above. Two unseen spells of the excess are assumed (median 0.4, sd 0.8 of its
// logarithm: between the jobs of Alibaba's trace), and half a one of their share: a short record
// without any does not promise that there are none.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/scenario/profile.hpp"

namespace gridcast::training {

struct WorkerSteps {
  std::string worker;
  std::vector<double> times;  // in order
};

/// InputError with all rows that cannot be used.
std::vector<WorkerSteps> read_worker_steps(std::filesystem::path const& file);
std::vector<WorkerSteps> parse_worker_steps(std::string const& file, std::string const& text);
/// Whether a table's first line is of workers' steps.
bool is_worker_table(std::string const& text);

struct StragglerFit {
  scenario::ComputeSpec compute;  // its straggler keys alone
  std::vector<std::string> workers;
  std::vector<double> own;  // their factors
  std::size_t slow = 0;     // rows in the slow state
};
StragglerFit fit_stragglers(std::vector<WorkerSteps> const& workers);

/// The slowest worker of each step over the geometric mean of all times, in order; steps that all
/// have.
std::vector<double> slowest_of(std::vector<WorkerSteps> const& workers);

/// The cost of slow workers and possible actions, as shares of the usual rank's time.
struct StragglerWhatIf {
  double step = 1;     // E of the slowest
  double dropped = 1;  // E of the slowest but one: without the slowest, and its share of the work
  double replaced =
      1;  // E of the slowest where none stays in its slow state, and none is worse by its own
};
StragglerWhatIf straggler_what_if(scenario::ComputeSpec const& compute, int ranks);

}  // namespace gridcast::training
