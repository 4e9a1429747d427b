// One campaign of a pool differs from the next (CampaignSpread): other weeks, other users beside
// it, another mood of those who look after the machines. For a kind of event, campaign c has, in an
// exposure e_c or in n_c trials,
//   k_c ~ Poisson(e_c exp(m + tau z_c))   or   k_c ~ Binomial(n_c, 1 / (1 + exp(-m - tau z_c)))
//   z_c ~ N(0, 1),   tau ~ half-normal(scale of the kind),   m flat
// and the next one has m + tau z. With one campaign tau keeps its prior. As m is known from that
// campaign alone, the next differs from it by tau sqrt(1 + 1) z, but by no more than four scales,
// which one draw in forty would pass: E exp(tau sqrt(2) z) = E exp(tau^2) is infinite for scales
// from sqrt(1/2) on, and forecast means would be those of their wildest draws. With C campaigns
// (tau, m) has a posterior over a grid, the z_c integrated out by the midpoint rule. m is the
// middle of the campaigns' values, not the rate of all of them together, which one bad week of many
// events raises.
//
// Scales: week to week on the OSPool (its published daily reports) ln(holds per job) and ln(failed
// input transfers per job) have a standard deviation of about 1.0, ln(restarts per job) of 0.55.
// That is a pool of many owners; one that is kept for one owner's jobs may hardly change. So these
// are the scales of the half-normal priors, whose medians are 0.67 and 0.37 (docs/model.md,
// A-CAMPAIGNS). Times differ as well, all that machines and their load make slower: of seven weeks
// of one campaign on the OSPool (calibration/data/metl-campaign/attempts-to-september.csv) the mean
// time from the input's end to the start has a standard deviation of its logarithm of 0.21, the
// mean input transfer of 0.36 (campaign_spread_test.cpp counts them).
#pragma once

#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "calibration/fits/estimate.hpp"
#include "calibration/inference/partial_pooling.hpp"
#include "sim/base/random.hpp"

namespace gridcast::calibration {

inline constexpr double spread_of_failures = 1.0;
inline constexpr double spread_of_restarts = 0.55;
inline constexpr double spread_of_times = 0.3;
/// How often owners intervene is not published: from never to daily.
inline constexpr double spread_of_owners = 2.0;

class CampaignSpread {
 public:
  /// `campaigns`: events and exposure of each, at all sites together.
  CampaignSpread(std::vector<SiteCount> const& campaigns, PooledAs kind, double scale);

  struct Next {
    double tau = 0;
    double change = 0;  // of ln rate or ln odds, against that of all campaigns together
  };
  /// Stratified in tau; `z` are the draws of z, as many as are wanted.
  std::vector<Next> draws(RandomStream stream, std::vector<double> const& z) const;

  /// sqrt(1 + 1/C): by which the next campaign and the mean of C deviate, over tau.
  double beyond() const { return beyond_; }

 private:
  struct Node {
    double tau = 0, center = 0;  // the centre against the level of all together
    double probability = 0;
  };
  std::vector<Node> nodes_;
  bool estimated_ = false;
  double beyond_ = 1;
  double most_ = HUGE_VAL;  // for a change that only the prior describes
};

/// A kind of event whose rate, or odds, is another in the next campaign, or a time (as a rate).
struct CampaignKind {
  std::string parameter;  // columns PARAMETER.SITE
  PooledAs as = PooledAs::rate;
  double scale = spread_of_failures;
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
