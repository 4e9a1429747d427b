#include "calibration/fits/campaign_spread.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/base/random.hpp"
#include "sim/base/statistics.hpp"

namespace gridcast::calibration {

namespace {

constexpr int tau_nodes = 40, mu_nodes = 61, z_nodes = 41;
constexpr double largest_z = 4;

// ln p(k | mean): the campaign's z integrated out.
double log_marginal(SiteCount const& campaign, double log_mu, double tau) {
  double sum = 0;
  for (int i = 0; i < z_nodes; ++i) {
    double const z = largest_z * (2 * (i + 0.5) / z_nodes - 1);
    double const mean = std::exp(log_mu + tau * z) * campaign.exposure;
    sum += std::exp(campaign.events * std::log(std::max(mean, 1e-300)) - mean - z * z / 2 -
                    std::lgamma(campaign.events + 1));
  }
  return std::log(std::max(sum, 1e-300));
}

double log_likelihood(std::vector<SiteCount> const& campaigns, double center, double tau) {
  double const reach = 2 + 3 * tau;
  std::vector<double> logs;
  for (int i = 0; i < mu_nodes; ++i) {
    double const log_mu = center + reach * (2 * (i + 0.5) / mu_nodes - 1);
    double sum = std::log(reach);  // the step of ln mu
    for (SiteCount const& campaign : campaigns) sum += log_marginal(campaign, log_mu, tau);
    logs.push_back(sum);
  }
  double const most = *std::max_element(logs.begin(), logs.end());
  double sum = 0;
  for (double const each : logs) sum += std::exp(each - most);
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

}  // namespace

bool has_columns(Fit const& fit, CampaignKind const& kind) {
  auto const& columns = fit.draws.columns;
  return std::any_of(columns.begin(), columns.end(),
                     [&](std::string const& column) { return is_of(column, kind.parameter); });
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

CampaignSpread::CampaignSpread(std::vector<SiteCount> const& campaigns, double scale) {
  SiteCount total;
  for (SiteCount const& campaign : campaigns) {
    total.events += campaign.events;
    total.exposure += campaign.exposure;
  }
  bool const told = campaigns.size() > 1 && total.events > 0;
  double const center = told ? std::log(total.events / total.exposure) : 0;
  for (int i = 0; i < tau_nodes; ++i) {
    double const tau = 3 * scale * (i + 0.5) / tau_nodes;
    double const log_prior = -tau * tau / (2 * scale * scale);
    nodes_.push_back({tau, log_prior + (told ? log_likelihood(campaigns, center, tau) : 0)});
  }
  to_probabilities(nodes_, &Node::probability);
}

std::vector<double> CampaignSpread::draws(RandomStream stream, std::size_t n) const {
  return stratified_draws(
      stream, n, [this](double u) { return nodes_[pick(nodes_, &Node::probability, u)].tau; });
}

void spread_between_campaigns(Fit& fit, CampaignKind const& kind, std::optional<double> stated,
                              RandomStreams const& streams, std::size_t number) {
  std::size_t const n = fit.draws.rows.size();
  std::vector<double> const taus =
      stated ? std::vector<double>(n, *stated)
             : CampaignSpread(kind.campaigns, kind.scale)
                   .draws(bootstrap_stream(streams, DrawsOf::between_campaigns, number), n);
  auto const campaigns = static_cast<double>(std::max<std::size_t>(1, kind.campaigns.size()));
  auto const z = stratified_draws(bootstrap_stream(streams, DrawsOf::next_campaign, number), n,
                                  normal_quantile);
  for (std::size_t c = 0; c < fit.draws.columns.size(); ++c) {
    bool const inverse = !kind.inverse.empty() && is_of(fit.draws.columns[c], kind.inverse);
    if (!inverse && !is_of(fit.draws.columns[c], kind.parameter)) continue;
    for (std::size_t i = 0; i < n; ++i) {
      double const change = taus[i] * std::sqrt(1 + 1 / campaigns) * z[i];
      double const factor = std::exp(inverse ? -change : change);
      double& value = fit.draws.rows[i][c];
      value = kind.as == PooledAs::rate ? value * factor
                                        : value * factor / (1 - value + value * factor);
    }
  }
  Estimate line{.name = "between_campaigns." + kind.parameter,
                .unit = "1",
                .events = kind.campaigns.size(),
                .origin = stated                      ? Origin::stated
                          : kind.campaigns.size() > 1 ? Origin::fitted
                                                      : Origin::by_default};
  line.method = fmt::format(
      "sd of ln({}) from one {} to the next, {}; in the draws, not in the parameters' "
      "intervals",
      quantity(kind), kind.part,
      stated
          ? std::string("as stated")
          : fmt::format("half-normal({:.3g}){}", kind.scale,
                        kind.campaigns.size() > 1 ? fmt::format(" and the {}s' counts", kind.part)
                                                  : std::string()));
  line.estimate = median(taus);
  summarize(line, taus);
  fit.estimates.push_back(line);
}

}  // namespace gridcast::calibration
