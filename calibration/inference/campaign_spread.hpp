// One campaign of a pool differs from the next (CampaignSpread): other weeks, other users beside
// it, another mood of those who look after the machines. If one campaign is known, the rate, odds
// or time of a kind of event is the recorded one times a factor of the law that repeated jobs have
// as well (sim/engine/resampled_jobs.hpp; docs/model.md, A-NEXT-CAMPAIGN).
//
// Several campaigns show how they differ. Campaign c has, in an exposure e_c or in n_c trials,
//   k_c ~ Poisson(e_c exp(m + tau z_c))   or   k_c ~ Binomial(n_c, 1 / (1 + exp(-m - tau z_c)))
//   z_c ~ N(0, 1),   tau ~ half-normal(sd of the law's ln f / sqrt(2)),   m flat
// and the next one has m + tau z. (tau, m) has a posterior over a grid, the z_c integrated out by
// the midpoint rule. m is the middle of the campaigns' values, not the rate of all together, which
// one bad week of many events raises. The scale is such that two campaigns differ as much as the
// law says: by tau sqrt(2) z.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "calibration/fits/estimate.hpp"
#include "calibration/inference/partial_pooling.hpp"
#include "sim/base/random.hpp"
#include "sim/engine/resampled_jobs.hpp"

namespace gridcast::calibration {

class CampaignSpread {
 public:
  /// `campaigns`: events and exposure of each, at all sites together.
  CampaignSpread(std::vector<SiteCount> const& campaigns, PooledAs kind,
                 engine::FactorLaw const& law);

  struct Next {
    double tau = 0;     // with one campaign, the standard deviation of the law's ln f
    double change = 0;  // of ln rate or ln odds, against that of all campaigns together
  };
  /// Stratified in tau; `z` are the draws of z, as many as are wanted. With one campaign the change
  /// is the law's quantile at the probability of z.
  std::vector<Next> draws(RandomStream stream, std::vector<double> const& z) const;

  /// sqrt(1 + 1/C): by which the next campaign and the mean of C deviate, over tau.
  double beyond() const { return beyond_; }

 private:
  struct Node {
    double tau = 0, center = 0;  // the centre against the level of all together
    double probability = 0;
  };
  std::vector<Node> nodes_;  // none if the campaigns show no spread
  engine::FactorLaw law_;
  double beyond_ = 1;
};

/// A kind of event whose rate, or odds, is another in the next campaign, or a time (as a rate).
struct CampaignKind {
  std::string parameter;  // columns PARAMETER.SITE
  PooledAs as = PooledAs::rate;
  engine::FactorLaw law = engine::usual_variation().repeats;
  std::vector<SiteCount> campaigns = {};  // as of CampaignSpread
  std::string_view part = "campaign";     // the name of one of them
  std::string inverse = {};               // columns that are divided by the same factor
  double most = HUGE_VAL;                 // no spread makes a rate larger
  /// Words for "the one known campaign had it", as other campaigns have none. Empty: all have.
  std::string_view seen_once = {};
};

/// Adds the counts of a campaign that has any exposure.
void add_campaign(CampaignKind& kind, SiteCount const& count);

/// Some kinds of event are in some campaigns and not in others: contact is cut while a network is
/// out of order. If the one recorded campaign has them, the share of campaigns with them has, by
/// Jeffreys' prior, the posterior Beta(1 + 1/2, 1/2), and the next campaign has them with its mean.
inline constexpr double seen_once_goes_on = 0.75;
/// Keeps the parameter's draws, for all sites together, in that share of them; zero in the
/// others.
void only_in(Fit& fit, std::string const& parameter, double share, RandomStream stream);

/// PARAMETER, or PARAMETER.SITE of any site.
bool has_columns(Fit const& fit, CampaignKind const& kind);

/// Multiplies the draws of the kind's columns, of all sites by the same, and adds a line
/// between_campaigns.PARAMETER with the spread. `stated`: tau instead of a posterior; 0 leaves the
/// draws unchanged, the campaign's own. Parameters' intervals stay those of the recorded
/// campaigns.
void spread_between_campaigns(Fit& fit, CampaignKind const& kind, std::optional<double> stated,
                              RandomStreams const& streams);

}  // namespace gridcast::calibration
