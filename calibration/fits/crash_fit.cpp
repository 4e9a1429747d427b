#include "calibration/fits/crash_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>

#include <fmt/format.h>

#include "calibration/inference/special_functions.hpp"
#include "sim/base/random.hpp"
#include "sim/base/statistics.hpp"
#include "sim/engine/resampled_jobs.hpp"

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

constexpr std::size_t rho_nodes = 40;  // of rho, quantiles of Beta(1/2, 1/2)
constexpr int steps_of_em = 30;        // of EM
constexpr double least_unspent = 1e-9;

double with_odds(double p, double odds) { return p * odds / (1 - p + p * odds); }

bool ended_well(JobTrial const& trial) { return !trial.failed && trial.share >= 1; }

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

BadJobs::BadJobs(std::vector<JobTrial> const& trials, std::size_t sites, BadJobsKind kind)
    : sites_(sites), kind_(std::move(kind)), failures_(sites) {
  for (std::size_t i = 0; i < trials.size();) {
    std::vector<JobTrial> job;
    std::size_t const number = trials[i].job;
    while (i < trials.size() && trials[i].job == number) job.push_back(trials[i++]);
    take_job(job);
  }
  if (first_failed_ == 0) return;
  std::vector<std::vector<double>> bad;
  for (std::size_t i = 0; i <= rho_nodes; ++i) {
    // The last: no such jobs.
    Node node{i < rho_nodes ? arcsine_quantile((static_cast<double>(i) + 0.5) / rho_nodes) : 0};
    bad.emplace_back();
    maximize(node, bad.back());
    node.probability +=
        std::log(i < rho_nodes ? kind_.beforehand / rho_nodes : 1 - kind_.beforehand);
    nodes_.push_back(std::move(node));
  }
  to_probabilities(nodes_, &Node::probability);
  for (std::size_t j = 0; j < suspects_.size(); ++j) {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      suspects_[j].bad += nodes_[i].probability * bad[i][j];
    }
  }
}

void BadJobs::take_job(std::vector<JobTrial> const& trials) {
  auto const failed = [](JobTrial const& trial) { return trial.failed; };
  auto const first = std::ranges::find_if(
      trials, [](JobTrial const& trial) { return trial.failed || ended_well(trial); });
  if (first == trials.end()) return;
  ++first_ended_;
  first_failed_ += first->failed ? 1 : 0;
  auto const failure = std::ranges::find_if(trials, failed);
  if (failure != trials.end() && std::any_of(failure + 1, trials.end(), [](auto const& trial) {
        return trial.failed || ended_well(trial);
      })) {
    ++again_;
  }
  Suspect suspect{trials.front().job};
  suspect.failures.resize(sites_);
  std::set<std::pair<std::size_t, std::size_t>> slots;
  for (JobTrial const& trial : trials) {
    if (trial.failed) {
      ++suspect.failures[trial.site];
      if (trial.slot && !slots.emplace(trial.site, *trial.slot).second) continue;
    } else {
      suspect.log_bad += std::log(std::max(1 - trial.share, least_unspent));
    }
    suspect.trials.push_back(trial);
  }
  if (std::ranges::none_of(trials, ended_well)) {
    suspects_.push_back(std::move(suspect));
    return;
  }
  ++cleared_[trials.front().odds];
  for (std::size_t s = 0; s < sites_; ++s) failures_[s] += suspect.failures[s];
  for (JobTrial const& trial : suspect.trials) {
    SiteCount& executions = innocent_[{trial.site, trial.odds}];
    executions.events += trial.failed ? 1 : 0;
    executions.exposure += trial.failed ? 1 : trial.share;
  }
}

// M-step. The later steps account for the odds of programs.
std::vector<double> BadJobs::shares_of_sites(std::vector<double> const& bad) const {
  std::vector<SiteCount> counts(sites_);
  for (auto const& [of, executions] : innocent_) {
    counts[of.first].events += executions.events;
    counts[of.first].exposure += executions.exposure;
  }
  for (std::size_t j = 0; j < suspects_.size(); ++j) {
    for (JobTrial const& trial : suspects_[j].trials) {
      counts[trial.site].events += trial.failed ? 1 - bad[j] : 0;
      counts[trial.site].exposure += (trial.failed ? 1 : trial.share) * (1 - bad[j]);
    }
  }
  SiteCount const all = total_of(counts);
  double const usual = (all.events + 0.5) / (all.exposure + 1);
  return each_of(
      counts, [&](SiteCount const& site) { return (site.events + usual) / (site.exposure + 1); });
}

// E-step: sets the probabilities that suspects are bad; ln of the likelihood.
double BadJobs::expect(double q, std::vector<double> const& p, std::vector<double>& bad) const {
  double sum = 0;
  for (auto const& [odds, jobs] : cleared_) sum += jobs * std::log1p(-with_odds(q, odds));
  for (auto const& [of, executions] : innocent_) {
    double const fails = with_odds(p[of.first], of.second);
    sum += executions.events * std::log(fails) +
           (executions.exposure - executions.events) * std::log1p(-fails);
  }
  for (std::size_t j = 0; j < suspects_.size(); ++j) {
    double const of_program = with_odds(q, suspects_[j].trials.front().odds);
    double log_good = std::log1p(-of_program);
    for (JobTrial const& trial : suspects_[j].trials) {
      double const fails = with_odds(p[trial.site], trial.odds);
      log_good += trial.failed ? std::log(fails) : trial.share * std::log1p(-fails);
    }
    double const log_bad = q > 0 ? std::log(of_program) + suspects_[j].log_bad : -HUGE_VAL;
    double const both = log_sum_exp(log_good, log_bad);
    bad[j] = std::exp(log_bad - both);
    sum += both;
  }
  return sum;
}

void BadJobs::maximize(Node& node, std::vector<double>& bad) const {
  double const q = node.rho * (first_failed_ + 0.5) / (first_ended_ + 1);
  bad.assign(suspects_.size(), 0);
  for (int i = 0; i < (q > 0 ? steps_of_em : 1); ++i) {
    node.probability = expect(q, shares_of_sites(bad), bad);
  }
  node.failures = failures_;
  for (std::size_t j = 0; j < suspects_.size(); ++j) {
    node.bad += bad[j];
    for (std::size_t s = 0; s < sites_; ++s) {
      node.failures[s] += suspects_[j].failures[s] * (1 - bad[j]);
    }
  }
}

double BadJobs::is_bad(std::size_t job) const {
  auto const found = std::ranges::lower_bound(suspects_, job, {}, &Suspect::job);
  return found != suspects_.end() && found->job == job ? found->bad : 0;
}

SiteCount BadJobs::count() const {
  SiteCount count{0, first_ended_};
  for (Suspect const& suspect : suspects_) count.events += suspect.bad;
  return count;
}

void BadJobs::scale_others(Fit& fit, std::vector<std::string> const& sites,
                           std::vector<double> const& picked) const {
  auto const& columns = fit.draws.columns;
  for (std::size_t s = 0; s < sites_; ++s) {
    double mean = 0;
    for (Node const& node : nodes_) mean += node.probability * node.failures[s];
    for (std::string const& others : kind_.others) {
      auto const column = std::ranges::find(columns, others + sites[s]);
      if (column == columns.end()) continue;
      auto const at = static_cast<std::size_t>(column - columns.begin());
      for (std::size_t i = 0; i < picked.size(); ++i) {
        Node const& node = nodes_[static_cast<std::size_t>(picked[i])];
        double& p = fit.draws.rows[i][at];
        p = std::min(1.0, p * (node.failures[s] + 0.5) / (mean + 0.5));
      }
    }
  }
}

void BadJobs::add_to(Fit& fit, std::vector<std::string> const& sites, std::size_t draws,
                     RandomStreams const& streams) const {
  if (nodes_.empty()) return;
  auto const stream_of = [&](std::string_view what) { return bootstrap_stream(streams, what); };
  auto const picked = stratified_draws(stream_of(kind_.column), draws, [this](double u) {
    return static_cast<double>(pick(nodes_, &Node::probability, u));
  });
  auto const uniforms =
      stratified_draws(stream_of(kind_.column + ": share"), draws, [](double u) { return u; });
  std::vector<double> shares_of_jobs;
  for (std::size_t i = 0; i < draws; ++i) {
    Node const& node = nodes_[static_cast<std::size_t>(picked[i])];
    double const good = first_ended_ - node.bad + 0.5;
    shares_of_jobs.push_back(
        node.bad > 0 ? beta_quantile(uniforms[i], node.bad + node.rho / 2, good) : 0);
  }
  scale_others(fit, sites, picked);
  double const exist = 100 * (1 - nodes_.back().probability);
  Estimate line{.name = kind_.column,
                .unit = "1",
                .events = static_cast<std::size_t>(std::lround(count().events)),
                .method = fmt::format(
                    "share of {}: {:.0f} of {:.0f} {} first, {} {}, {} never well; {:.1f} % "
                    "of the draws have such jobs",
                    kind_.share_of, first_failed_, first_ended_, kind_.failed, again_, kind_.again,
                    suspects_.size(), exist)};
  if (again_ == 0) {
    line.origin = Origin::by_default;
    fit.not_identified.push_back(
        {kind_.column, kind_.none_again,
         fmt::format("{:.1f} % of the draws have jobs that no retry mends, the others none",
                     exist)});
  }
  add_posterior(fit, line, shares_of_jobs);
}

}  // namespace gridcast::calibration
