// How far the links of a table's campaign may be from the points that fit best (link_fit.hpp): such
// a point is a search's end, and as many links make nearly the same table, so each simulation of
// the stall fits before the last has links of its own around one of the searches' ends, with the
// prior
//   move ~ N(0, sd^2)   of ln stream_limit, ln(capacity / stream_limit) at each site and ln
//                       rate_noise, and, where tries are of two kinds, of logit cold_share,
//                       ln(cold_limit / stream_limit) and ln cold_noise
// What the table says of them is s, the logarithms of the mean and of the 10 % quantile of its last
// transfers' times at each site: one is what links carry together, the other what a stream reaches
// nearly alone; where tries are of two kinds, of the median and of the 90 % quantile as well. With
// the simulations whose s is nearest to the table's, of the same sharing hypothesis, a linear
// regression of move on s gives the posterior by
//   move_i - (s_i - s_table) beta
// (regression adjustment of approximate Bayesian computation: Beaumont, Zhang & Balding 2002,
// Genetics 162; exact where moves and summaries are jointly normal), from which the links of the
// last stall fit are drawn. A summary that is outside the middle 90 % of these is taken to be at
// its end: what the model cannot make must not move its links. How far a search's end is off
// differs between the numbers of GPUs at which it was made, so the regression has an intercept of
// each of these, and the last stall fit takes the moves of simulations with about as many GPUs. A
// site without two transfers in the table has no summary, and its links keep the prior; one without
// any has those of a site of which nothing is known, drawn from the spread between the others.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "calibration/simulated/link_fit.hpp"
#include "sim/base/random.hpp"
#include "sim/history/job_table.hpp"

namespace gridcast::calibration {

/// Two a site, in the order of the shares, then that of the noise, then three of each site whose
/// tries are of two kinds. Of logarithms, and of the logit.
using LinkMove = std::vector<double>;

LinkMove draw_move(std::size_t sites, std::size_t cold_sites, RandomStream& stream);
LinkPoint moved(LinkPoint point, std::vector<SiteShare> const& shares, LinkMove const& move);

/// The move by which `from` becomes `to`.
LinkMove move_between(LinkPoint const& from, LinkPoint const& to,
                      std::vector<SiteShare> const& shares);

/// Gives the sites of `shares` without a transfer in the table the links of a site of which nothing
/// is known: ln(stream limit) and ln(capacity / stream limit) are drawn from the spread between the
/// others in `point` (SiteSpread, inference/partial_pooling.hpp). Each has a stream of its own.
LinkPoint borrow_links(LinkPoint point, LinkFit const& links, std::vector<SiteShare> const& shares,
                       std::size_t draw, RandomStreams const& streams);

/// Two a site: ln of the mean and of the 10 % quantile, s; then two of each of `cold`: of the
/// median and of the 90 % quantile. NaN with less than two transfers there.
std::vector<double> link_summary(history::JobTable const& table,
                                 std::vector<SiteShare> const& shares,
                                 std::vector<std::string> const& cold);

/// One simulation: its moves, and the summary of the table that it gave.
struct MovedLinks {
  LinkMove move;
  std::vector<double> summary;
  std::vector<double> intercepts = {1};  // LinkFit::weights() of what was moved
};

/// The moves as they would be had the simulations given the observed summary. As they are, where
/// there are too few to tell.
std::vector<LinkMove> adjusted_moves(std::vector<MovedLinks> const& simulated,
                                     std::vector<double> const& observed);

}  // namespace gridcast::calibration
