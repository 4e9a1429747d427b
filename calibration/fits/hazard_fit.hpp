// Ends and interruptions of attempts at each site: rates per second while claimed, and
// probabilities, both pooled over sites (partial_pooling.hpp). Competing risks: each cause is
// fitted with all others as censoring (Kalbfleisch & Prentice, The Statistical Analysis of Failure
// Time Data, 8.2). With constant hazards
//   rate of a cause = its events / time at risk of it
//   evictions      / time claimed, until contact was lost for good; of slots that go on being there
//   lost contacts  / time until the first of an attempt; not the pilot's death, not all sites at
//                  once
//   suspensions    / time claimed and not suspended
//   pilots' deaths / time with jobs on the pilot; and apart from them pilots that were shut down
//   and
//                    reported it, in records that show any: a slot is gone then until the next
//                    pilot comes
//   reconnect = P(found again each time | contact was lost)
//   evicted_for_good = P(the job is over | evicted), where any was
//   lost_for_good = P(the job is over | lost with its node or pilot), where any was
//   stopped_for_good = P(the job is over | stopped by a limit, of the slot's or of time), where any
//   was files_lost = P(no file comes home | found again by its own shadow, and done)
//   crash     = P(the program fails at a point of its work)
//               each crash counted with the probability that its job is not bad (bad_job_fit.hpp)
//   hang      = P(the program never ends by itself), hung / hung or ended by themselves
//             (mark_hangs)
//
// Where in its run a program crashes is fitted with it. Programs fail where something new happens
// to them: when they read their input (a checkpoint that does not load, a file that is missing), or
// at the end, when they write their results. The rest fail anywhere in between. The share x of its
// remaining work that a crashed execution had done:
//   x ~ Beta(a, b),   ln a, ln b ~ N(0, 1.5^2)
// which has its weight at the start, the end, both or neither. The posterior is on a grid; without
// a crash there is no evidence, and x is uniform.
//
// An execution that crashed after t seconds shows y = t / T, T the typical time of the remaining
// work. Its own time is not known: ln y = ln x + s z, z ~ N(0, 1), s the spread of executions
// around T with the rounding of stamps (tick / t, a triangle: variance 1 / 6 of its square). So the
// density of ln y is the mean over z of that of ln x at ln y - s z, x f(x), where x < 1; x at most
// 0.998 there, as no T is known to less, and at least 1e-5. More than a thousand crashes are
// replaced by so many, evenly chosen.
//
// An execution that something else ended at a share u of its work had F(u) of its risk of a crash
// behind it, F the distribution function of that Beta: with P(crash before u) = p F(u), its
// likelihood 1 - p F(u) is about (1 - p)^F(u), a binomial trial of weight F(u).
#pragma once

#include <cstddef>
#include <vector>

#include "calibration/fits/estimate.hpp"
#include "calibration/fits/speed_fit.hpp"
#include "calibration/inference/partial_pooling.hpp"
#include "calibration/records/attempt_record.hpp"

namespace gridcast::calibration {

struct CrashMoment {
  double a = 1, b = 1;
  double probability = 1;
};

/// The share of the job's remaining work that an execution had done when it ended.
double share_done(AttemptRecord const& attempt, AttemptRecords const& records,
                  TypicalTimes const& typical_times);

/// y of a crashed execution, and s.
struct CrashShare {
  double share = 0, log_sd = 0;
};
std::vector<CrashShare> crash_shares(AttemptRecords const& records,
                                     TypicalTimes const& typical_times);

class CrashMomentPosterior {
 public:
  explicit CrashMomentPosterior(std::vector<CrashShare> const& shares);

  CrashMoment draw(double u) const;
  /// P(x < share), in the mean of the posterior.
  double risk_until(double share) const;

 private:
  std::vector<CrashMoment> nodes_;
};

/// Columns crash_at_a and crash_at_b; nothing without a crash.
Fit crash_moment_fit(std::vector<CrashShare> const& shares, std::size_t draws,
                     RandomStreams const& streams);

/// `typical_times`: whole-job seconds at each site, for the share of its risk that a crash had
/// before something else ended the execution.
Fit hazard_fit(history::JobHistory const& history, AttemptRecords const& records,
               TypicalTimes const& typical_times, std::size_t draws, RandomStreams const& streams);

/// Counts of the fits, all sites together: events of each kind and their exposure.
struct HazardCounts {
  SiteCount crash, evict, disconnect, suspend, death, kill, hang;
  SiteCount bad_jobs;
};
HazardCounts hazard_counts(history::JobHistory const& history, AttemptRecords const& records,
                           TypicalTimes const& typical_times);

}  // namespace gridcast::calibration
