#include "calibration/inference/campaign_spread.hpp"

#include <algorithm>
#include <array>
#include <numbers>

#include <fmt/format.h>

#include "sim/base/statistics.hpp"

namespace gridcast::calibration {

namespace {

constexpr int tau_nodes = 40, mu_nodes = 61;
constexpr std::size_t z_nodes = 41;
constexpr double largest_z = 4;

/// The logarithm of the rate, or of the odds, of all campaigns.
double log_level(SiteCount const& count, PooledAs kind) {
  return kind == PooledAs::rate ? std::log(count.events / count.exposure)
                                : std::log(count.events / (count.exposure - count.events));
}

/// ln p(campaign | level), up to a constant that all levels share.
double log_probability(SiteCount const& campaign, PooledAs kind, double level) {
  double const k = campaign.events, n = campaign.exposure;
  if (kind == PooledAs::rate) return k * level - std::exp(level) * n;
  return k * level - n * (std::max(level, 0.0) + std::log1p(std::exp(-std::abs(level))));
}

/// The same with the campaign's z integrated out.
double log_marginal(SiteCount const& campaign, PooledAs kind, double center, double tau) {
  std::array<double, z_nodes> logs;
  for (std::size_t i = 0; i < z_nodes; ++i) {
    double const z = largest_z * (2 * (static_cast<double>(i) + 0.5) / z_nodes - 1);
    logs[i] = log_probability(campaign, kind, center + tau * z) - z * z / 2;
  }
  double const most = *std::ranges::max_element(logs);
  auto const sum = sum_of<double>(logs, [&](double const each) { return std::exp(each - most); });
  return most + std::log(sum);
}

bool is_of(std::string const& column, std::string const& parameter) {
  return column == parameter || column.starts_with(parameter + ".");
}

std::string_view quantity(CampaignKind const& kind) {
  if (kind.as != PooledAs::rate) return "odds";
  bool const hazard = kind.parameter.ends_with("_per_s");
  return hazard ? "rate" : "time";
}

Estimate spread_line(CampaignKind const& kind, bool stated) {
  bool const counted = kind.campaigns.size() > 1;
  return {.name = "between_campaigns." + kind.parameter,
          .unit = "1",
          .events = kind.campaigns.size(),
          .method = fmt::format(
              "sd of ln({}) from one {} to the next, {}; in the draws, not in the parameters' "
              "intervals",
              quantity(kind), kind.part,
              stated    ? std::string("as stated")
              : counted ? fmt::format("the {}s' counts", kind.part)
                        : std::string("as campaigns of other owners differ (A-NEXT-CAMPAIGN)")),
          .origin = stated    ? Origin::stated
                    : counted ? Origin::fitted
                              : Origin::by_default};
}

}  // namespace

void add_campaign(CampaignKind& kind, SiteCount const& count) {
  if (count.exposure > 0) kind.campaigns.push_back(count);
}

bool has_columns(Fit const& fit, CampaignKind const& kind) {
  auto const& columns = fit.draws.columns;
  return std::ranges::any_of(
      columns, [&](std::string const& column) { return is_of(column, kind.parameter); });
}

void only_in(Fit& fit, std::string const& parameter, double share, RandomStream stream) {
  auto const u = stratified_draws(stream, fit.draws.rows.size(), [](double x) { return x; });
  for (std::size_t c = 0; c < fit.draws.columns.size(); ++c) {
    if (!is_of(fit.draws.columns[c], parameter)) continue;
    for (std::size_t i = 0; i < u.size(); ++i) {
      if (u[i] >= share) fit.draws.rows[i][c] = 0;
    }
  }
}

CampaignSpread::CampaignSpread(std::vector<SiteCount> const& campaigns, PooledAs kind,
                               engine::FactorLaw const& law)
    : law_(law) {
  SiteCount const total = total_of(campaigns);
  beyond_ = std::sqrt(1 + 1 / static_cast<double>(std::max<std::size_t>(1, campaigns.size())));
  bool const estimated = campaigns.size() > 1 && total.events > 0 &&
                         (kind == PooledAs::rate || total.events < total.exposure);
  if (!estimated) return;
  double const scale = law.log_sd() / std::numbers::sqrt2, level = log_level(total, kind);
  for (int i = 0; i < tau_nodes; ++i) {
    double const tau = 3 * scale * (i + 0.5) / tau_nodes;
    double const log_prior = -tau * tau / (2 * scale * scale), reach = 2 + 3 * tau;
    for (int j = 0; j < mu_nodes; ++j) {
      double const center = reach * (2 * (j + 0.5) / mu_nodes - 1);
      double sum = log_prior + std::log(reach);  // the step of the centre
      for (SiteCount const& campaign : campaigns) {
        sum += log_marginal(campaign, kind, level + center, tau);
      }
      nodes_.push_back({tau, center, sum});
    }
  }
  to_probabilities(nodes_, &Node::probability);
}

std::vector<CampaignSpread::Next> CampaignSpread::draws(RandomStream stream,
                                                        std::vector<double> const& z) const {
  std::vector<Next> all;
  if (nodes_.empty()) {
    for (double const each : z) {
      all.push_back({law_.log_sd(), std::log(law_.quantile(normal_cdf(each)))});
    }
    return all;
  }
  auto const picked = stratified_draws(stream, z.size(), [this](double u) {
    return static_cast<double>(pick(nodes_, &Node::probability, u));
  });
  for (std::size_t i = 0; i < z.size(); ++i) {
    Node const& node = nodes_[static_cast<std::size_t>(picked[i])];
    all.push_back({node.tau, node.center + node.tau * z[i]});
  }
  return all;
}

void spread_between_campaigns(Fit& fit, CampaignKind const& kind, std::optional<double> stated,
                              RandomStreams const& streams) {
  std::size_t const n = fit.draws.rows.size();
  auto const z = stratified_draws(bootstrap_stream(streams, "next_campaign." + kind.parameter), n,
                                  normal_quantile);
  CampaignSpread const spread(kind.campaigns, kind.as, kind.law);
  auto next = spread.draws(bootstrap_stream(streams, "between_campaigns." + kind.parameter), z);
  std::vector<double> taus;
  for (std::size_t i = 0; i < n; ++i) {
    if (stated) next[i] = {*stated, *stated * spread.beyond() * z[i]};
    taus.push_back(next[i].tau);
  }
  for (std::size_t c = 0; c < fit.draws.columns.size(); ++c) {
    bool const inverse = !kind.inverse.empty() && is_of(fit.draws.columns[c], kind.inverse);
    if (!inverse && !is_of(fit.draws.columns[c], kind.parameter)) continue;
    for (std::size_t i = 0; i < n; ++i) {
      double const factor = std::exp(inverse ? -next[i].change : next[i].change);
      double& value = fit.draws.rows[i][c];
      value = kind.as == PooledAs::rate ? std::min(value * factor, std::max(value, kind.most))
                                        : value * factor / (1 - value + value * factor);
    }
  }
  Estimate line = spread_line(kind, stated.has_value());
  line.estimate = median(taus);
  summarize(line, taus);
  fit.estimates.push_back(line);
}

}  // namespace gridcast::calibration
