// The observation that would decide, and its value: the expected regret that it saves before the
// choice (Raiffa & Schlaifer 1961; Claxton & Posnett 1996). With the verdict's regrets r(a, h) and
// posterior p(h), an observation with outcomes o is worth
//   EVSI = min_a sum_h p(h) r(a, h) - sum_o min_a sum_h p(h) P(o | h) r(a, h)
// This is at most the value of knowing h, min_a sum_h p(h) r(a, h), as the least regret under each
// h is zero.
//
//   one starter's log         distinguishes a dead transfer (overload, bad path) from one with
//   bytes
//                             (slow, congestion): P(o | h) is 0 or 1
//   HTCondor's version        shows whether the stall timer was in force, the only rule that ends
//                             transfers with bytes: P(in force | slow, congestion) = 1. The record
//                             shows nothing about dead ones: P(in force | dead) = 1/2 is an
//                             assumption
//   a run under a strategy    outcomes are the campaigns of that strategy's replicas. For each
//                             replica, p(h | its figures) is the share of h among the sqrt(n)
//                             nearest replicas by the ranks of their figures, without those of its
//                             own draw (nearest neighbours, Cover & Hart 1967). The choice has the
//                             least regret by these shares, and its regret is that under the
//                             replica's own h. The saving is therefore out of sample; a better
//                             analysis of the run could save more.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/statistics.hpp"
#include "sim/study/comparison.hpp"
#include "sim/study/verdict.hpp"

namespace gridcast::study {

enum class ObservationKind { everything, starter_log, htcondor_version, test_run };
inline constexpr std::array<std::string_view, 4> observation_names = {
    "everything", "starter_log", "htcondor_version", "test_run"};

/// A possible result of an observation, its probability, and the best strategy after it.
struct ObservedOutcome {
  std::string name;
  double probability = 0;
  std::size_t choice = 0;  // index of a strategy
};

struct Observation {
  ObservationKind kind = ObservationKind::everything;
  std::size_t strategy = 0;  // of a test run
  std::size_t jobs = 0;      // that it needs; 0: the campaign's own files contain the answer
  double saving = 0;         // of the expected regret
  Interval saving_ci95 = {not_known, not_known};  // Monte Carlo error of a test run
  std::vector<ObservedOutcome> outcomes = {};
};

/// P(outcome | state), by state.
struct Outcome {
  std::string name;
  std::vector<double> likelihood;
};
/// The saving of an observation with these outcomes, and the best strategy after each.
Observation observe(RegretTable const& table, std::vector<Outcome> const& outcomes);

/// The figures that the user of a campaign under a strategy would see, by the replicas of that
/// strategy which belong to one of the states.
struct TestRuns {
  std::vector<std::vector<double>> figures;  // [figure][replica]
  std::vector<std::size_t> state;            // by replica
  std::vector<double> draw;                  // row of the calibration; NaN if unknown
};
/// The first thousand such replicas.
TestRuns test_runs(StudySample const& sample, Verdict const& verdict);
/// The saving of such a run, with its error; zero for fewer than twenty replicas.
Observation observe(RegretTable const& table, TestRuns const& runs);

/// All observations that the comparison's own replicas can evaluate: perfect knowledge first, then
/// the others by their saving. None if there are no rivals. Test runs have as many jobs as the
/// campaign, or as one of the smaller campaigns; at most thirty strategies are tested.
std::vector<Observation> observations(Comparison const& complete, Verdict const& verdict);

/// The test run under a strategy with the fewest jobs that saves at least 80 % of the best saving
/// of its test runs; null if there is none.
Observation const* enough_jobs(std::vector<Observation> const& all, std::size_t strategy);

// The number of jobs that a run needs to distinguish the explanations. The strategy whose whole
// campaign would show most is also simulated with the first tenth, quarter and half of the
// campaign's jobs, with the same parameters and random numbers. Fewer jobs share links with fewer
// others, so their figures are not a sample of the figures of all jobs.

/// The campaign's first jobs, in order of submission.
scenario::Campaign first_jobs(scenario::Campaign campaign, int jobs);
scenario::Scenario with_first_jobs(scenario::Scenario scenario, int jobs);

/// The number of replicas of a run that are used: each is compared with each other, and all
/// explanations have their shares among them.
inline constexpr std::size_t most_read = 1000;

/// Campaigns with fewer jobs, in the first replicas of one strategy.
struct SmallerRuns {
  std::size_t strategy = 0;
  std::vector<int> jobs;  // of each campaign, the smallest first
  std::size_t replicas = 0;
  bool operator==(SmallerRuns const&) const = default;

  static void fields(auto& row, auto& runs) {
    row("strategy", runs.strategy);
    row("jobs", runs.jobs);
    row("replicas", runs.replicas);
  }
};
/// Nothing if the comparison is not undecided between rivals, has a failed replica or was
/// interrupted, or if no run would show anything.
std::optional<SmallerRuns> smaller_runs(Comparison const& comparison,
                                        scenario::Scenario const& scenario);

/// Simulates them, and fills `smaller`.
void add_smaller_runs(Comparison& comparison, scenario::Scenario const& scenario,
                      StudyOptions const& options);

}  // namespace gridcast::study
