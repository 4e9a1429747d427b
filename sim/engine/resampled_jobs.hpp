// The jobs of the next campaign, as whole histories of recorded jobs.
//
// 1. The recorded jobs get random weights: gamma variables of shape 4, times the campaign's odds of
//    each ending. (The Bayesian bootstrap, Rubin 1981, Annals of Statistics 9, has shape 1. There
//    the median falls below the record where few jobs have most of the evictions; campaigns that
//    differ have factors of their own here.) Each new job repeats a recorded job, by
//    systematic sampling: a job with the weight w of n new jobs is repeated floor(n w) or
//    ceil(n w) times.
//    A job that the record leaves unfinished is drawn to its end.
// 2. The steps of each attempt are as long as recorded, times the campaign's factors. An attempt
//    that the job repeated occurs floor(f) or ceil(f) times, f on average.
// 3. Kinds of events that no recorded job has occur in some campaigns (UnseenLaw).
//
// If the factors are one, the expected figures are those of the record.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "sim/base/random.hpp"
#include "sim/history/recorded_jobs.hpp"

namespace gridcast::engine {

// How much the next campaign of an owner differs from the recorded one.
//
// Each rate of the next campaign is the recorded one times a factor f. About half of the campaigns
// resemble the one before them, the others do not, and a few are of another order of magnitude. So
// f has a mixture of three laws:
//
//   resembling   lognormal, mean 1, sd of ln f same_sd      share (1 - upheaval) same
//   changed      lognormal, mean 1, sd of ln f changed_sd   share (1 - upheaval) (1 - same)
//   upheaval     log-uniform from 1/10 to 10                share upheaval
//
// The record is then the mean of the usual campaigns, however wide their law is. With a median of
// one instead, rare campaigns of many times the record would dominate all means. Upheavals
// widen the 90 % intervals and hardly change the centre; they raise the mean by a sixth.
//
// Example, {0.6, 0.1, 0.7, 0.15}: median 0.98, quartiles 0.80 and 1.11, 5 and 95 % points 0.26
// and 2.9.
//
// The values are an assumption (docs/model.md, A-NEXT-CAMPAIGN), chosen on 56 forecasts of seven
// owners' campaigns. Each owner's forecasts also improve with values that the other six choose. The
// later part of a campaign differs from its first part as much as two campaigns.
//
// The factors of a study are not drawn independently: those of replica i are the quantiles at
// point i of an even sequence (sim/base/random.hpp). Each factor is uniform on its law, and
// medians need far fewer replicas.

inline constexpr double most_upheaval = 10;

/// The law of a factor between two campaigns.
struct FactorLaw {
  double same = 1;        // share of the campaigns that resemble the last one
  double same_sd = 0;     // of ln f in those; zero: f is 1
  double changed_sd = 0;  // of ln f in all others but upheavals
  double upheaval = 0;    // share of campaigns of another order of magnitude

  /// f at probability u in (0, 1).
  double quantile(double u) const;
  /// The standard deviation of ln f.
  double log_sd() const;
};

/// A kind of event that no recorded job has: it occurs in this share of the campaigns.
struct UnseenLaw {
  double wrong_output = 0, held = 0, removed = 0, holds = 0, evictions = 0, lost_contacts = 0;
  double most_jobs = 0;  // of the jobs, at most; their number is log-uniform from one
};

struct CampaignVariation {
  FactorLaw computing, transfers, repeats, holds, waiting, odds;
  UnseenLaw unseen;
};

/// The prior that forecasts use.
CampaignVariation usual_variation();

struct CampaignFactors {
  double computing = 1;  // length of executions
  double transfers = 1;  // length of transfers and of the steps around executions
  double repeats = 1;    // number of attempts that a job repeats
  double holds = 1;      // number of holds that end with a release
  double waiting = 1;    // time in the queue
  std::array<double, history::recorded_end_count> odds = {1, 1, 1, 1, 1};  // of each RecordedEnd
};

CampaignFactors campaign_factors(CampaignVariation const& variation, std::uint64_t seed,
                                 std::uint32_t replica);

/// `recorded` has at least one job. The result has `jobs` jobs and the sites of the record; the
/// first wait of each job is its attempts.front().wait where it never had a slot.
history::RecordedJobs resampled_jobs(history::RecordedJobs const& recorded, std::size_t jobs,
                                     CampaignFactors const& factors, UnseenLaw const& unseen,
                                     RandomStreams const& streams);

}  // namespace gridcast::engine
