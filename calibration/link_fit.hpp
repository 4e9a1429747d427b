// Rates of transfers, fitted through the simulator: what one stream reaches alone, what the site's
// link carries in all, and how much attempts differ. The table shows last-transfer times; how many
// transfers ran at a time, which is what spreads them, follows from the simulated campaign
// (calibration with the simulator in the loop, loss = Wasserstein-1 distance by site over
// the data's mean absolute deviation, common random numbers, derivative-free search; McDonald et
// al. 2024, arXiv 2403.13918).
//
// The number of GPUs is not in the table, and more GPUs mean more sharing: capacities are fitted at
// several numbers of GPUs and interpolated (log-log) between them, so that each draw's capacities
// belong to its number of GPUs.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "calibration/availability.hpp"
#include "calibration/simulated_campaign.hpp"

namespace gridcast::calibration {

struct SiteRates {
  double stream_limit = 0;   // B/s
  double link_capacity = 0;  // B/s
};

/// One fitted point.
struct LinkPoint {
  double gpus = 0;
  double rate_noise = 0;
  std::map<std::string, SiteRates> sites;
  Turnover turnover;
  double loss = 0;  // mean over sites; 1 = as far off as the data are wide
  std::map<std::string, double> site_loss;
};

/// Fitted points in order of gpus.
struct LinkFit {
  std::vector<LinkPoint> points;

  LinkPoint at(double gpus) const;
};

/// Stall columns that a link fit simulates with.
using StallProposals = std::vector<Proposal>;

/// `stalls(n)`: what is known of stalls if there are n GPUs.
LinkFit fit_links(SimulatedCampaign const& campaign, Records const& records,
                  std::vector<SiteShare> const& shares, std::vector<double> const& gpus,
                  std::function<StallProposals(double gpus)> const& stalls,
                  RandomStreams const& streams);

/// Adds gpus.SITE, stream_limit_Bps.SITE, link_capacity_Bps.SITE and rate_noise to a proposal.
void propose_links(Proposal& proposal, LinkPoint const& point,
                   std::map<std::string, int> const& gpus);

}  // namespace gridcast::calibration
