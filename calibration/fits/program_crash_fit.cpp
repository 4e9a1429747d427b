#include "calibration/fits/program_crash_fit.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include "calibration/fits/estimate.hpp"
#include "sim/engine/campaign_variation.hpp"

namespace gridcast::calibration {

namespace {

// Log-odds, of programs and of their middle: probabilities from 0.03 % to 99.97 %.
constexpr std::size_t grid_points = 101;
constexpr double furthest_odds = 8, grid_step = 2 * furthest_odds / (grid_points - 1);
// The grid of the spread of programs, from the smallest spread that its steps resolve.
constexpr std::size_t grid_spreads = 15;
constexpr double least_spread = 0.2, most_spread = 3;

using OverLogOdds = std::array<double, grid_points>;

double log_odds_at(std::size_t i) { return -furthest_odds + grid_step * static_cast<double>(i); }

/// Log likelihood of the program's counts at each of its log-odds.
OverLogOdds crash_likelihood(Program const& program) {
  auto const k = static_cast<double>(program.crashed), n = static_cast<double>(program.ended);
  OverLogOdds all{};
  double const best = k > 0 && k < n ? k * std::log(k / n) + (n - k) * std::log(1 - k / n) : 0;
  for (std::size_t i = 0; i < grid_points; ++i) {
    double const x = log_odds_at(i);
    all[i] = std::exp(k * x - n * std::log1p(std::exp(x)) - best);
  }
  return all;
}

/// Programs around a middle.
struct ProgramsNode {
  OverLogOdds density{};
  double probability = 0;  // first its logarithm

  double likelihood_of(OverLogOdds const& program) const {
    double sum = 0;
    for (std::size_t i = 0; i < grid_points; ++i) sum += density[i] * program[i];
    return sum;
  }
};

/// The half-normal prior: programs differ as campaigns do.
double spread_scale() {
  static double const scale = engine::usual_variation().repeats.log_sd() / std::numbers::sqrt2;
  return scale;
}

ProgramsNode around(double middle, double spread) {
  ProgramsNode node;
  double sum = 0;
  for (std::size_t i = 0; i < grid_points; ++i) {
    double const z = (log_odds_at(i) - middle) / spread;
    sum += node.density[i] = std::exp(-z * z / 2);
  }
  for (double& each : node.density) each /= sum;
  node.probability = -std::pow(spread / spread_scale(), 2) / 2;
  return node;
}

std::vector<ProgramsNode> programs_posterior(std::vector<OverLogOdds> const& programs) {
  std::vector<ProgramsNode> nodes;
  for (std::size_t s = 0; s < grid_spreads; ++s) {
    double const spread =
        least_spread + (most_spread - least_spread) * static_cast<double>(s) / (grid_spreads - 1);
    for (std::size_t m = 0; m < grid_points; ++m) {
      nodes.push_back(around(log_odds_at(m), spread));
      for (OverLogOdds const& program : programs) {
        nodes.back().probability += std::log(nodes.back().likelihood_of(program));
      }
    }
  }
  to_probabilities(nodes, &ProgramsNode::probability);
  return nodes;
}

/// Posterior of one program's log-odds, normalised.
OverLogOdds posterior_of(OverLogOdds const& program, std::vector<ProgramsNode> const& nodes) {
  OverLogOdds all{};
  for (ProgramsNode const& node : nodes) {
    if (node.probability <= 0) continue;  // far from all: its likelihoods may be zero
    double const weight = node.probability / node.likelihood_of(program);
    for (std::size_t i = 0; i < grid_points; ++i) all[i] += weight * node.density[i] * program[i];
  }
  return all;
}

double quantile_of(OverLogOdds const& probabilities, double p) {
  double below = 0;
  std::size_t i = 0;
  while (i + 1 < grid_points && below + probabilities[i] < p) below += probabilities[i++];
  return log_odds_at(i) + grid_step * ((p - below) / probabilities[i] - 0.5);
}

}  // namespace

void set_crash_odds(Programs& programs, AttemptRecords const& records) {
  if (!programs.several()) return;
  for (AttemptRecord const& attempt : records.attempts) {
    bool const crash = crashed(attempt);
    if (!attempt.executing || (!crash && !attempt.exit)) continue;
    Program& program = programs.programs[programs.of_job[attempt.job.index()]];
    ++program.ended;
    program.crashed += crash ? 1 : 0;
  }
  double crashes = 0, ended = 0;
  std::vector<OverLogOdds> likelihoods;
  for (Program const& program : programs.programs) {
    crashes += static_cast<double>(program.crashed);
    ended += static_cast<double>(program.ended);
    likelihoods.push_back(crash_likelihood(program));
  }
  if (crashes == 0) return;
  // Jeffreys' estimate is finite also where all crashed.
  double const of_all = std::log((crashes + 0.5) / (ended - crashes + 0.5));
  auto const nodes = programs_posterior(likelihoods);
  for (std::size_t j = 0; j < likelihoods.size(); ++j) {
    OverLogOdds const x = posterior_of(likelihoods[j], nodes);
    programs.programs[j].crash_odds = FactorRange{std::exp(quantile_of(x, 0.05) - of_all),
                                                  std::exp(quantile_of(x, 0.95) - of_all)};
  }
}

}  // namespace gridcast::calibration
