// The distance of the links of a table's campaign from the points that fit best (link_fit.hpp).
// Each search ends at one such point, but many links make nearly the same table. Each simulation of
// the stall fits except the last therefore moves the links away from the end of one search, with
// the prior
//   move ~ N(0, sd^2)   of ln stream_limit, ln(capacity / stream_limit) at each site and ln
//                       rate_noise, and, at sites with cold tries, of logit cold_share,
//                       ln(cold_limit / stream_limit) and ln cold_noise
// The table's summary s has, for each site, the logarithms of the mean and of the 10 % quantile of
// the last transfers' times: the mean reflects the shared link, the quantile a stream nearly alone.
// Sites with cold tries add the median and the 90 % quantile. A linear regression of move on s over
// the simulations of the same sharing hypothesis with s nearest to the table's gives the posterior
//   move_i - (s_i - s_table) beta
// (regression adjustment of approximate Bayesian computation: Beaumont, Zhang & Balding 2002,
// Genetics 162; exact where moves and summaries are jointly normal). The last stall fit draws its
// links from this posterior. A summary of the table outside the middle 90 % of the simulated ones
// is clamped to that range: a value that the model cannot produce must not move its links. The
// error of a search's end differs between the numbers of GPUs, so the regression has an intercept
// for each, and the last stall fit takes the moves of simulations with about as many GPUs. A site
// with fewer than two transfers in the table has no summary, and its links keep the prior. Links of
// a site without any transfer are drawn from the spread between the others.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "calibration/simulated/link_fit.hpp"
#include "sim/base/random.hpp"
#include "sim/history/job_table.hpp"

namespace gridcast::calibration {

/// Moves of logarithms and of the logit: two for each site, in the order of the shares, then one
/// for the noise, then three for each site with cold tries.
using LinkMove = std::vector<double>;

LinkMove draw_move(std::size_t sites, std::size_t cold_sites, RandomStream& stream);
LinkPoint moved(LinkPoint point, std::vector<SiteShare> const& shares, LinkMove const& move);

/// The move by which `from` becomes `to`.
LinkMove move_between(LinkPoint const& from, LinkPoint const& to,
                      std::vector<SiteShare> const& shares);

/// Gives links to the sites of `shares` without a transfer in the table: ln(stream limit) and
/// ln(capacity / stream limit) are drawn from the spread between the other sites in `point`
/// (SiteSpread, inference/partial_pooling.hpp). Each site has its own random stream.
LinkPoint borrow_links(LinkPoint point, LinkFit const& links, std::vector<SiteShare> const& shares,
                       std::size_t draw, RandomStreams const& streams);

/// For each site ln of the mean and of the 10 % quantile (s), then for each of `cold` ln of the
/// median and of the 90 % quantile. NaN with fewer than two transfers there.
std::vector<double> link_summary(history::JobTable const& table,
                                 std::vector<SiteShare> const& shares,
                                 std::vector<std::string> const& cold);

/// One simulation: its moves, and the summary of the table that it gave.
struct MovedLinks {
  LinkMove move;
  std::vector<double> summary;
  std::vector<double> intercepts = {1};  // LinkFit::weights() of the point that was moved
};

/// The moves, adjusted to the observed summary. Unchanged with too few simulations for the
/// regression.
std::vector<LinkMove> adjusted_moves(std::vector<MovedLinks> const& simulated,
                                     std::vector<double> const& observed);

}  // namespace gridcast::calibration
