#include "calibration/inference/partial_pooling.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "calibration/inference/special_functions.hpp"
#include "sim/base/error.hpp"
#include "sim/base/statistics.hpp"

namespace gridcast::calibration {

namespace {

constexpr int mu_steps = 80;
constexpr int tau_steps = 40;
constexpr int spread_nodes = 60;
constexpr double largest_spread = 3;  // three standard deviations of its prior

/// The posterior of (mu, tau): `at` gives the node of a step of mu, from 0 to mu_steps, and of a
/// tau, with the logarithm of its weight in place of its probability.
std::vector<PoolingNode> grid_posterior(
    double largest_tau, std::function<PoolingNode(double step, double tau)> const& at) {
  std::vector<PoolingNode> nodes;
  for (int i = 0; i < mu_steps; ++i) {
    for (int j = 0; j < tau_steps; ++j) {
      nodes.push_back(at(i + 0.5, largest_tau * (j + 0.5) / tau_steps));
    }
  }
  to_probabilities(nodes, &PoolingNode::probability);
  return nodes;
}

/// The terms of ln p(k | a, b) that hold no exposure.
double log_of_events(PoolingNode const& node, double k) {
  return std::lgamma(node.a + k) - std::lgamma(node.a) + node.a * std::log(node.b);
}

/// ln p(k | a, b) for that many events in the exposure, up to a constant that all k share.
double log_negative_binomial(PoolingNode const& node, double k, double exposure) {
  return log_of_events(node, k) - (node.a + k) * std::log(node.b + exposure);
}

/// Probability, given the node, that 0, `step`, 2 `step`, ... of a site's events are of the wanted
/// kind; and the logarithm of their sum, ln p(n | a, b) up to a constant that all nodes share. For
/// many events the terms are smooth, with a width of about sqrt(n): 200 steps resolve them.
struct OwnEvents {
  double step = 1;
  std::vector<double> probability;
  double log_total = 0;
};

OwnEvents own_events(PoolingNode const& node, SiteCount const& site) {
  constexpr double enough = 200;
  OwnEvents own;
  own.step = std::max(1.0, std::ceil(site.events / enough));
  for (double k = 0; k <= site.events; k += own.step) {
    double const others = site.events - k;
    own.probability.push_back(log_negative_binomial(node, k, site.exposure) +
                              k * std::log(site.exposure) - std::lgamma(k + 1) +
                              others * std::log(site.background) - std::lgamma(others + 1));
  }
  double const most = *std::ranges::max_element(own.probability);
  double total = 0;
  for (double& x : own.probability) total += x = std::exp(x - most);
  for (double& x : own.probability) x /= total;
  own.log_total = most + std::log(total);
  return own;
}

/// Counts of sites, each once: most sites of thousands have the same few.
struct DistinctCounts {
  std::vector<SiteCount> counts;  // by events, exposure and background
  std::vector<std::size_t> of_site;

  explicit DistinctCounts(std::vector<SiteCount> const& sites) {
    std::map<std::array<double, 3>, std::size_t> index;
    auto const key = [](SiteCount const& site) {
      return std::array{site.events, site.exposure, site.background};
    };
    for (SiteCount const& site : sites) index.emplace(key(site), 0);
    for (auto& [of, at] : index) {
      at = counts.size();
      counts.push_back({of[0], of[1], of[2]});
    }
    for (SiteCount const& site : sites) of_site.push_back(index.at(key(site)));
  }

  /// Adds the function of each site's count, in the order of the sites.
  template <class Function>
  double sum(double start, Function of_count) const {
    std::vector<double> const each = each_of(counts, of_count);
    for (std::size_t const i : of_site) start += each[i];
    return start;
  }
};

/// ln p(k | a, b) of a site's count at a node. The terms of the events alone are kept: the next
/// count often has as many.
class CountAtNode {
 public:
  explicit CountAtNode(PoolingNode const& node) : node_(node) {}
  double operator()(SiteCount const& site) {
    if (site.background > 0) return own_events(node_, site).log_total;
    if (site.events != events_) {
      events_ = site.events;
      of_events_ = log_of_events(node_, events_);
    }
    return of_events_ - (node_.a + events_) * std::log(node_.b + site.exposure);
  }

 private:
  PoolingNode const& node_;
  double events_ = -1, of_events_ = 0;
};

double misses(SiteCount const& site) { return std::max(0.0, site.exposure - site.events); }

/// None at any site in the draws in which there is no such thing. Stratified, as few draws decide.
void thin_unseen(std::vector<std::vector<double>>& columns, double exists, RandomStream& stream) {
  if (columns.empty()) return;
  auto const there = stratified_draws(stream, columns.front().size(),
                                      [&](double u) { return u < exists ? 1. : 0.; });
  for (auto& column : columns) {
    for (std::size_t i = 0; i < column.size(); ++i) column[i] *= there[i];
  }
}

/// Draws, by site.
std::vector<std::vector<double>> columns_of(auto const& pooled, std::size_t sites,
                                            std::size_t draws, RandomStream& stream) {
  std::vector<std::vector<double>> columns(sites);
  for (std::size_t i = 0; i < draws; ++i) {
    std::vector<double> const row = pooled.draw(stream);
    for (std::size_t s = 0; s < row.size(); ++s) columns[s].push_back(row[s]);
  }
  return columns;
}

/// Do sites differ? Pearson's chi^2 of the counts against one rate for all.
std::string homogeneity(std::vector<SiteCount> const& counts) {
  SiteCount const total = total_of(counts);
  if (total.events <= 0 || total.exposure <= 0) return "";
  double chi = 0;
  int sites = 0;
  for (SiteCount const& site : counts) {
    double const expected = total.events * site.exposure / total.exposure;
    if (expected <= 0) continue;
    chi += (site.events - expected) * (site.events - expected) / expected;
    ++sites;
  }
  if (sites < 2) return "";
  return fmt::format("sites alike: chi2 {:.1f} with {} {}", chi, sites - 1,
                     sites == 2 ? "degree" : "degrees");
}

struct SpreadSteps {
  double step = 0;
  std::vector<double> log_spreads, logs;  // log density at each spread
};

SpreadSteps spread_steps(std::vector<double> const& values, CommonPrior const& prior) {
  constexpr int parts = 100;
  double const n = static_cast<double>(values.size()), centre = mean(values);
  double squares = 0;
  for (double const each : values) squares += square(each - centre);
  SpreadSteps all;
  all.step = (std::log(5 * prior.spread) - CommonPrior::log_smallest) / parts;
  for (int i = 0; i < parts; ++i) {
    double const log_spread = CommonPrior::log_smallest + (i + 0.5) * all.step;
    double const variance = std::exp(2 * log_spread);
    double const of_centre = square(prior.sd) + variance / n;
    all.log_spreads.push_back(log_spread);
    all.logs.push_back(-(n * std::log(2 * M_PI) + std::log(of_centre * n)) / 2 -
                       square(centre - prior.mean) / of_centre / 2 - (n - 1) * log_spread -
                       squares / variance / 2 + log_spread - variance / square(prior.spread) / 2 -
                       std::log(prior.spread) + std::log(2 / M_PI) / 2);
  }
  return all;
}

}  // namespace

SiteCount total_of(std::vector<SiteCount> const& sites) {
  SiteCount total;
  for (SiteCount const& site : sites) {
    total.events += site.events;
    total.exposure += site.exposure;
  }
  return total;
}

SiteSpread::SiteSpread(std::vector<double> const& values, std::vector<double> const& variances) {
  check(!values.empty() && values.size() == variances.size(), "the spread between sites needs one");
  double total = 0;
  for (int i = 0; i < spread_nodes; ++i) {
    double const tau = largest_spread * (i + 0.5) / spread_nodes;
    double precision = 0;
    double weighted = 0;
    double log_density = -tau * tau / 2;  // the prior
    for (std::size_t s = 0; s < values.size(); ++s) {
      double const w = 1 / (variances[s] + tau * tau);
      precision += w;
      weighted += w * values[s];
      log_density += std::log(w) / 2;
    }
    double const center = weighted / precision;
    for (std::size_t s = 0; s < values.size(); ++s) {
      double const off = values[s] - center;
      log_density -= off * off / (variances[s] + tau * tau) / 2;
    }
    // mu integrated out leaves precision^(-1/2).
    double const density = std::exp(log_density - std::log(precision) / 2);
    nodes_.push_back({tau, density, center, 1 / std::sqrt(precision)});
    total += density;
  }
  for (Node& node : nodes_) node.probability /= total;
}

SiteSpread::Draw SiteSpread::draw(RandomStream& stream) const {
  Node const& node = nodes_[pick(nodes_, &Node::probability, stream.uniform())];
  double const within = (stream.uniform() - 0.5) * largest_spread / spread_nodes;
  double const center = node.center + node.center_sd * normal_quantile(stream.uniform());
  return {center, node.tau + within};
}

double SiteSpread::draw_site(RandomStream& stream) const {
  Draw const between = draw(stream);
  return between.center + between.spread * normal_quantile(stream.uniform());
}

PooledRate::PooledRate(std::vector<SiteCount> const& sites) : sites_(sites) {
  SiteCount const total = total_of(sites);
  check(total.exposure > 0, "a rate needs exposure");
  // Five decades around the pooled rate, equal steps in ln mu.
  double const center = std::log((total.events + 0.5) / total.exposure);
  double const reach = std::log(10.0) * 2.5;
  DistinctCounts const counts(sites);
  nodes_ = grid_posterior(3, [&](double step, double tau) {
    double const log_mu = center + reach * (2 * step / mu_steps - 1);
    double const a = 1 / (tau * tau);
    double const b = a / std::exp(log_mu);
    // Jeffreys' mu^(-1/2), times mu for steps in its logarithm.
    double const log_prior = log_mu / 2 - tau * tau / 2;
    PoolingNode node{a, b, log_prior};
    node.probability += counts.sum(0, CountAtNode(node));
    return node;
  });
}

std::vector<double> PooledRate::draw(RandomStream& stream) const {
  PoolingNode const& node = nodes_[pick(nodes_, &PoolingNode::probability, stream.uniform())];
  std::vector<double> rates;
  for (SiteCount const& site : sites_) {
    double const scale = 1 / (node.b + site.exposure);
    double own = site.events;
    if (site.background > 0) {
      OwnEvents const among = own_events(node, site);
      double left = stream.uniform();
      std::size_t i = 0;
      while (i + 1 < among.probability.size() && (left -= among.probability[i]) >= 0) ++i;
      own = static_cast<double>(i) * among.step;
    }
    rates.push_back(gamma_quantile(stream.uniform(), node.a + own, scale));
  }
  return rates;
}

PooledShare::PooledShare(std::vector<SiteCount> const& sites) : sites_(sites) {
  constexpr double mode = 1.5;  // of the prior of tau
  DistinctCounts const counts(sites);
  nodes_ = grid_posterior(4 * mode, [&](double step, double tau) {
    // Equal shares of Jeffreys' prior: the arcsine law.
    double const root = std::sin(M_PI_2 * step / mu_steps);
    double const mu = root * root;
    double const k = 1 / (tau * tau * mu);
    PoolingNode node{mu * k, (1 - mu) * k, std::log(tau) - tau * tau / (2 * mode * mode)};
    double const none = log_beta(node.a, node.b);
    node.probability = counts.sum(node.probability, [&](SiteCount const& site) {
      return log_beta(node.a + site.events, node.b + misses(site)) - none;
    });
    return node;
  });
}

std::vector<double> PooledShare::draw(RandomStream& stream) const {
  PoolingNode const& node = nodes_[pick(nodes_, &PoolingNode::probability, stream.uniform())];
  std::vector<double> shares;
  for (SiteCount const& site : sites_) {
    double const drawn =
        beta_quantile(stream.uniform(), node.a + site.events, node.b + misses(site));
    shares.push_back(std::clamp(drawn, 0.0, 1.0));
  }
  return shares;
}

double Unseen::exists() const {
  double const log_m =
      std::lgamma(attempts + 0.5) - std::lgamma(attempts + 1) - 0.5 * std::log(std::numbers::pi);
  double const missed = beforehand * std::exp(log_m);
  return missed / (missed + 1 - beforehand);
}

Estimate site_line(std::string const& parameter, std::string const& site, std::string unit,
                   std::string method, std::size_t events) {
  return {.name = parameter + "." + site,
          .unit = std::move(unit),
          .events = events,
          .method = std::move(method)};
}

void add_pooled(Fit& fit, PooledAs kind, std::string const& parameter, std::string const& what,
                std::vector<std::string> const& sites, std::vector<SiteCount> const& counts,
                Unseen const& unseen, std::size_t draws, RandomStream stream) {
  bool const shares = kind == PooledAs::share;
  // Events of uncertain kind are counted by expectation.
  bool const none = total_of(counts).events < 0.5;
  std::string const alike = homogeneity(counts);
  std::vector<Estimate> lines;
  for (std::size_t s = 0; s < sites.size(); ++s) {
    double const events = counts[s].events, exposure = counts[s].exposure;
    lines.push_back(
        site_line(parameter, sites[s], shares ? "1" : "1/s",
                  shares ? fmt::format("{}: {:.3g} / {:.4g}; beta-binomial, sites pooled", what,
                                       events, exposure)
                         : fmt::format("{}: {:.3g} in {:.4g} s; gamma-Poisson, sites pooled", what,
                                       events, exposure),
                  static_cast<std::size_t>(std::lround(events))));
    lines.back().fit = alike;
    if (exposure <= 0) lines.back().origin = Origin::borrowed;
    if (none) lines.back().origin = Origin::by_default;
  }
  auto columns = shares ? columns_of(PooledShare(counts), sites.size(), draws, stream)
                        : columns_of(PooledRate(counts), sites.size(), draws, stream);
  std::vector<double> limits;
  for (auto const& column : columns) limits.push_back(quantile(column, 0.9));
  if (none) {
    thin_unseen(columns, unseen.exists(), stream);
    fit.not_identified.push_back(
        {parameter, "never seen at any site",
         fmt::format("{:.1f} % of the draws have it, with Jeffreys' posterior of no event; the "
                     "others have none",
                     100 * unseen.exists())});
  }
  for (std::size_t s = 0; s < lines.size(); ++s) {
    add_posterior(fit, lines[s], columns[s]);
    if (counts[s].events < 0.5) fit.estimates.back().interval90 = {0, limits[s]};
  }
}

double log_integrated(std::vector<double> const& values, CommonPrior const& prior) {
  SpreadSteps const all = spread_steps(values, prior);
  return log_mean_exp(all.logs) + std::log(static_cast<double>(all.logs.size()) * all.step);
}

CommonDraw draw_common(std::vector<double> const& values, CommonPrior const& prior,
                       RandomStream& stream) {
  SpreadSteps const all = spread_steps(values, prior);
  double const log_mean = log_mean_exp(all.logs);
  double left = stream.uniform() * static_cast<double>(all.logs.size());
  std::size_t i = 0;
  while (i + 1 < all.logs.size() && (left -= std::exp(all.logs[i] - log_mean)) > 0) ++i;
  CommonDraw drawn;
  drawn.log_spread = all.log_spreads[i] + (stream.uniform() - 0.5) * all.step;
  double const of_mean = std::exp(2 * drawn.log_spread) / static_cast<double>(values.size());
  double const own = square(prior.sd) / (square(prior.sd) + of_mean);
  drawn.centre = prior.mean + own * (mean(values) - prior.mean) +
                 std::sqrt(own * of_mean) * normal_quantile(stream.uniform());
  return drawn;
}

}  // namespace gridcast::calibration
