// How far the links of a table's campaign may be from the point that fits best (link_fit.hpp): the
// point is a search's end, and as many links make nearly the same table, so each simulation of the
// first stall fit has links of its own, with the prior
//   move ~ N(0, sd^2)   of ln stream_limit, ln(capacity / stream_limit) at each site and ln rate_noise,
//                       and, where tries are of two kinds, of logit cold_share,
//                       ln(cold_limit / stream_limit) and ln cold_noise
// What the table says of them is s, the logarithms of the mean and of the 10 % quantile of its last
// transfers' times at each site: one is what links carry together, the other what a stream reaches
// nearly alone; where tries are of two kinds, of the median and of the 90 % quantile as well. With the simulations whose s is nearest to the table's, of the same sharing hypothesis, a
// linear regression of move on s gives the posterior by
//   move_i - (s_i - s_table) beta
// (regression adjustment of approximate Bayesian computation: Beaumont, Zhang & Balding 2002, Genetics
// 162; exact where moves and summaries are jointly normal), from which the links of the last stall fit
// are drawn. A summary that is outside the middle 90 % of these is taken to be at its end: what the
// model cannot make must not move its links. A site without two transfers in the table
// has no summary, and its links keep the prior.
#pragma once

#include <string>
#include <vector>

#include "calibration/simulated/link_fit.hpp"

namespace gridcast::calibration {

/// Two a site, in the order of the shares, then that of the noise, then three of each site whose tries
/// are of two kinds. Of logarithms, and of the logit.
using LinkMove = std::vector<double>;

LinkMove draw_move(std::size_t sites, std::size_t cold_sites, RandomStream& stream);
LinkPoint moved(LinkPoint point, std::vector<SiteShare> const& shares, LinkMove const& move);

/// Two a site: ln of the mean and of the 10 % quantile, s; then two of each of `cold`: of the median
/// and of the 90 % quantile. NaN with less than two transfers there.
std::vector<double> link_summary(history::JobTable const& table,
                                 std::vector<SiteShare> const& shares,
                                 std::vector<std::string> const& cold);

/// One simulation: its moves, and the summary of the table that it gave.
struct MovedLinks {
  LinkMove move;
  std::vector<double> summary;
};

/// The moves as they would be had the simulations given the observed summary. As they are, where there
/// are too few to tell.
std::vector<LinkMove> adjusted_moves(std::vector<MovedLinks> const& simulated,
                                     std::vector<double> const& observed);

}  // namespace gridcast::calibration
