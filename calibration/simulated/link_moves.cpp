#include "calibration/simulated/link_moves.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Dense>

#include "calibration/inference/partial_pooling.hpp"
#include "sim/base/statistics.hpp"

namespace gridcast::calibration {

namespace {

// Spread of the prior: the fastest transfers show a stream's limit, but a link's capacity only
// shows where several transfers share it.
constexpr double sd_of_limit = 0.3, sd_of_capacity = 0.7, sd_of_noise = 0.5;
// The logit of a share of a dozen in two dozen tries has a standard error of 0.4; the point that
// fits best is off by as much again.
constexpr double sd_of_cold_share = 0.6, sd_of_cold_limit = 0.3, sd_of_cold_noise = 0.5;

constexpr Eigen::Index simulations_a_predictor = 8;

constexpr double fast_part = 0.1;  // quantile of transfers that were nearly alone
constexpr double slow_part = 0.9;  // quantile of transfers from cold caches

/// Indices of the summaries that the table has.
std::vector<std::size_t> finite_summaries(std::vector<double> const& observed) {
  std::vector<std::size_t> indices;
  for (std::size_t k = 0; k < observed.size(); ++k) {
    if (std::isfinite(observed[k])) indices.push_back(k);
  }
  return indices;
}

/// The table's summaries, clamped to the middle 90 % of the simulations: a value that the model
/// cannot produce is no reason to move its links further.
std::vector<double> within_reach(std::vector<MovedLinks> const& simulated,
                                 std::vector<double> observed,
                                 std::vector<std::size_t> const& indices) {
  constexpr double outside = 0.05;
  for (std::size_t const k : indices) {
    std::vector<double> values;
    for (MovedLinks const& one : simulated) {
      if (std::isfinite(one.summary[k])) values.push_back(one.summary[k]);
    }
    if (values.empty()) continue;
    observed[k] = std::clamp(observed[k], quantile(values, outside), quantile(values, 1 - outside));
  }
  return observed;
}

/// Differences of a simulation's summary from the table's; zero for a summary that the simulation
/// lacks.
Eigen::VectorXd offset(std::vector<double> const& summary, std::vector<double> const& observed,
                       std::vector<std::size_t> const& indices) {
  Eigen::VectorXd x(static_cast<Eigen::Index>(indices.size()));
  for (std::size_t i = 0; i < indices.size(); ++i) {
    double const off = summary[indices[i]] - observed[indices[i]];
    x(static_cast<Eigen::Index>(i)) = std::isfinite(off) ? off : 0;
  }
  return x;
}

}  // namespace

LinkMove draw_move(std::size_t sites, std::size_t cold_sites, RandomStream& stream) {
  LinkMove move;
  for (std::size_t s = 0; s < sites; ++s) {
    move.push_back(sd_of_limit * normal_quantile(stream.uniform()));
    move.push_back(sd_of_capacity * normal_quantile(stream.uniform()));
  }
  move.push_back(sd_of_noise * normal_quantile(stream.uniform()));
  for (std::size_t s = 0; s < cold_sites; ++s) {
    move.push_back(sd_of_cold_share * normal_quantile(stream.uniform()));
    move.push_back(sd_of_cold_limit * normal_quantile(stream.uniform()));
    move.push_back(sd_of_cold_noise * normal_quantile(stream.uniform()));
  }
  return move;
}

LinkPoint moved(LinkPoint point, std::vector<SiteShare> const& shares, LinkMove const& move) {
  for (std::size_t s = 0; s < shares.size(); ++s) {
    SiteRates& rates = point.sites.at(shares[s].site);
    double const limit = std::exp(move[2 * s]);
    rates.stream_limit *= limit;
    rates.capacity *= limit * std::exp(move[2 * s + 1]);
    rates.cold_limit *= limit;
  }
  std::size_t next = 2 * shares.size();
  point.rate_noise *= std::exp(move[next++]);
  for (std::string const& site : cold_sites(point, shares)) {
    SiteRates& rates = point.sites.at(site);
    double const odds = rates.cold_share / (1 - rates.cold_share) * std::exp(move[next++]);
    rates.cold_share = odds / (1 + odds);
    rates.cold_limit *= std::exp(move[next++]);
    rates.cold_noise *= std::exp(move[next++]);
  }
  return point;
}

LinkMove move_between(LinkPoint const& from, LinkPoint const& to,
                      std::vector<SiteShare> const& shares) {
  LinkMove move;
  for (SiteShare const& share : shares) {
    SiteRates const &a = from.sites.at(share.site), &b = to.sites.at(share.site);
    move.push_back(std::log(b.stream_limit / a.stream_limit));
    move.push_back(std::log(b.capacity / b.stream_limit) - std::log(a.capacity / a.stream_limit));
  }
  move.push_back(std::log(to.rate_noise / from.rate_noise));
  for (std::string const& site : cold_sites(from, shares)) {
    SiteRates const &a = from.sites.at(site), &b = to.sites.at(site);
    move.push_back(logit(b.cold_share) - logit(a.cold_share));
    move.push_back(std::log(b.cold_limit / b.stream_limit) -
                   std::log(a.cold_limit / a.stream_limit));
    move.push_back(std::log(b.cold_noise / a.cold_noise));
  }
  return move;
}

LinkPoint borrow_links(LinkPoint point, LinkFit const& links, std::vector<SiteShare> const& shares,
                       std::size_t draw, RandomStreams const& streams) {
  constexpr double known_to = 0.01;  // sd of the logarithm: the point is one draw of their links
  std::vector<double> limits, ratios;
  for (auto const& [site, rates] : point.sites) {
    if (!has_transfers(links, site)) continue;
    limits.push_back(std::log(rates.stream_limit));
    ratios.push_back(std::log(rates.capacity / rates.stream_limit));
  }
  if (limits.size() == point.sites.size()) return point;
  std::vector<double> const variances(limits.size(), known_to * known_to);
  SiteSpread const limit(limits, variances), ratio(ratios, variances);
  for (std::size_t s = 0; s < shares.size(); ++s) {
    if (has_transfers(links, shares[s].site)) continue;
    RandomStream stream = bootstrap_stream(streams, DrawsOf::unseen_links, s, draw);
    SiteRates& rates = point.sites.at(shares[s].site);
    rates.stream_limit = std::exp(limit.draw_site(stream));
    rates.capacity = rates.stream_limit * std::exp(ratio.draw_site(stream));
  }
  return point;
}

std::vector<double> link_summary(history::JobTable const& table,
                                 std::vector<SiteShare> const& shares,
                                 std::vector<std::string> const& cold) {
  TimesBySite times = last_transfers(table);
  std::vector<double> summary;
  auto const add = [&](std::string const& site, auto const& one, auto const& other) {
    std::vector<double> const& seconds = times[site];
    bool const enough = seconds.size() >= 2;
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    summary.push_back(enough ? std::log(one(seconds)) : none);
    summary.push_back(enough ? std::log(other(seconds)) : none);
  };
  auto const at = [](double p) {
    return [p](std::vector<double> const& seconds) { return quantile(seconds, p); };
  };
  for (SiteShare const& share : shares) add(share.site, mean, at(fast_part));
  for (std::string const& site : cold) add(site, median, at(slow_part));
  return summary;
}

std::vector<LinkMove> adjusted_moves(std::vector<MovedLinks> const& simulated,
                                     std::vector<double> const& observed) {
  std::vector<LinkMove> moves = each_of(simulated, &MovedLinks::move);
  auto const indices = finite_summaries(observed);
  auto const reached = within_reach(simulated, observed, indices);
  if (simulated.empty()) return moves;
  auto const intercepts = static_cast<Eigen::Index>(simulated.front().intercepts.size());
  auto const predictors = static_cast<Eigen::Index>(indices.size());
  auto const n = static_cast<Eigen::Index>(simulated.size());
  if (n < simulations_a_predictor * (predictors + intercepts)) return moves;
  auto const columns = static_cast<Eigen::Index>(simulated.front().move.size());
  Eigen::MatrixXd x(n, predictors + intercepts), y(n, columns);
  for (Eigen::Index i = 0; i < n; ++i) {
    MovedLinks const& one = simulated[static_cast<std::size_t>(i)];
    x.row(i).head(intercepts) =
        Eigen::Map<Eigen::RowVectorXd const>(one.intercepts.data(), intercepts);
    x.row(i).tail(predictors) = offset(one.summary, reached, indices).transpose();
    y.row(i) = Eigen::Map<Eigen::RowVectorXd const>(one.move.data(), columns);
  }
  Eigen::MatrixXd const beta = x.colPivHouseholderQr().solve(y);
  for (std::size_t i = 0; i < moves.size(); ++i) {
    auto const row = x.row(static_cast<Eigen::Index>(i)).tail(predictors);
    Eigen::RowVectorXd const by = row * beta.bottomRows(predictors);
    for (std::size_t k = 0; k < moves[i].size(); ++k)
      moves[i][k] -= by(static_cast<Eigen::Index>(k));
  }
  return moves;
}

}  // namespace gridcast::calibration
