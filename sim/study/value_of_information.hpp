// Which observation would decide, and what it is worth: the expected regret that it saves before
// the choice is made (Raiffa & Schlaifer 1961; Claxton & Posnett 1996). Of the verdict's regrets
// r(a, h) and posterior p(h), for an observation with outcomes o:
//   EVSI = min_a sum_h p(h) r(a, h) - sum_o min_a sum_h p(h) P(o | h) r(a, h)
// never more than knowing h itself is worth, min_a sum_h p(h) r(a, h), as the least regret under
// each h is zero.
//
//   one starter's log         tells a dead transfer (overload, bad path) from one that bytes came
//                             by (slow, congestion): P(o | h) is 0 or 1
//   HTCondor's version        tells whether the stall timer was in force, the only rule that ends
//                             transfers by which bytes come: P(in force | slow, congestion) = 1. Of
//                             dead ones the record says nothing: P(in force | dead) = 1/2, an
//                             assumption
//   a run under a strategy    outcomes are campaigns: those that the replicas of that strategy
//                             gave. For each replica, p(h | its figures) is the share of h among
//                             the sqrt(n) nearest replicas by the ranks of their figures, none of
//                             the same draw (nearest neighbours, Cover & Hart 1967); the choice is
//                             what has the least regret by these shares, and its regret is what it
//                             has in the world that the replica did live in. So the saving is what
//                             a decision by these figures does save, out of sample; better readings
//                             of the run could save more.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/statistics.hpp"
#include "sim/study/comparison.hpp"
#include "sim/study/verdict.hpp"

namespace gridcast::study {

enum class ObservationKind { everything, starter_log, htcondor_version, test_run };
std::string_view name(ObservationKind kind);

/// What an observation may show, how probable that is, and what is then best.
struct ObservedOutcome {
  std::string name;
  double probability = 0;
  std::size_t choice = 0;  // index of a strategy
};

struct Observation {
  ObservationKind kind = ObservationKind::everything;
  std::size_t strategy = 0;  // of a test run
  std::size_t jobs = 0;      // that it needs; 0: none, the campaign's own files have it
  double saving = 0;         // of the expected regret
  Interval saving_ci95 = {not_known, not_known};  // Monte-Carlo error, of a test run
  std::vector<ObservedOutcome> outcomes = {};
};

/// P(outcome | state), by state.
struct Outcome {
  std::string name;
  std::vector<double> likelihood;
};
/// The saving of an observation with these outcomes, and what is best after each.
Observation observe(RegretTable const& table, std::vector<Outcome> const& outcomes);

/// A campaign run under a strategy, as the replicas foretell it: the figures that whoever runs it
/// sees. Rows are replicas: those of the sample that live in one of the states.
struct TestRuns {
  std::vector<std::vector<double>> figures;  // [figure][replica]
  std::vector<std::size_t> state;            // by replica
  std::vector<double> draw;                  // row of the calibration; NaN if not told
};
/// Of the first thousand such replicas.
TestRuns test_runs(StudySample const& sample, Verdict const& verdict);
/// Saving of such a run, with its error. Nothing is saved by fewer replicas than twenty.
Observation observe(RegretTable const& table, TestRuns const& runs);

/// All that can be told from the comparison's own replicas, dearest first: perfect knowledge, then
/// the others by what they save. None where there are no rivals. Test runs are of as many jobs as
/// the campaign, and of the smaller ones that were played; of more than thirty strategies, those of
/// the first thirty.
std::vector<Observation> observations(Comparison const& complete, Verdict const& verdict);

/// Of the test runs under one strategy the one with the fewest jobs that saves 80 % at least of
/// what the best of them saves; null where there is none.
Observation const* enough_jobs(std::vector<Observation> const& all, std::size_t strategy);

// How many jobs a run needs that is to tell the explanations apart. The strategy whose whole
// campaign would tell most is played with the first tenth, quarter and half of the campaign's jobs
// as well, in the same worlds with the same luck: fewer jobs share links with fewer, so that what
// they show is not a sample of what all of them show.

/// The campaign's first jobs, in order of submission.
scenario::Campaign first_jobs(scenario::Campaign campaign, int jobs);
scenario::Scenario with_first_jobs(scenario::Scenario scenario, int jobs);

/// So many replicas of a run are read: each is held against each other one, and all explanations
/// have their shares among them.
inline constexpr std::size_t most_read = 1000;

/// Of the first replicas of one strategy, campaigns with fewer jobs.
struct SmallerRuns {
  std::size_t strategy = 0;
  std::vector<int> jobs;  // of each campaign, the smallest first
  std::size_t replicas = 0;
  bool operator==(SmallerRuns const&) const = default;
};
/// Nothing for a comparison that is not undecided between rivals, has a failed replica or was
/// interrupted, or where a run would tell nothing at all.
std::optional<SmallerRuns> smaller_runs(Comparison const& comparison,
                                        scenario::Scenario const& scenario);

/// Plays them, and fills `smaller`.
void add_smaller_runs(Comparison& comparison, scenario::Scenario const& scenario,
                      StudyOptions const& options);

}  // namespace gridcast::study
