// How much the next campaign of an owner differs from the recorded one.
//
// Each rate of the next campaign is the recorded one times a factor. About half of the campaigns
// resemble the one before them, and the others do not, so the logarithm of a factor is a mixture
// of two normal laws with mean zero:
//
//   ln f ~ N(0, same_sd^2) with probability `same`, else N(0, changed_sd^2)
//
// The values are an assumption (docs/model.md, A-NEXT-CAMPAIGN), chosen on 18 forecasts of seven
// owners' campaigns. The later part of a campaign differs from its first part as much as two
// campaigns.
//
// The factors of a study are not drawn independently: factor k of replica i is the quantile at
// frac(u_k + i sqrt(p_k)), with u_k uniform from the seed and p_k the k-th prime (Richtmyer's
// sequence). Each factor is uniform on its law, and medians need far fewer replicas.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "sim/history/recorded_jobs.hpp"

namespace gridcast::engine {

/// The law of a factor between two campaigns.
struct FactorLaw {
  double same = 1;        // share of the campaigns that resemble the last one
  double same_sd = 0;     // of ln f in those; zero: f is 1
  double changed_sd = 0;  // of ln f in all others

  /// f at probability u in (0, 1).
  double quantile(double u) const;
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

}  // namespace gridcast::engine
