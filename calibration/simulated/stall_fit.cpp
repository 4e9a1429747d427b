#include "calibration/simulated/stall_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "sim/base/error.hpp"
#include "sim/base/statistics.hpp"
#include "sim/scenario/parameter_draw.hpp"

namespace gridcast::calibration {

namespace {

constexpr double long_wait = 3600;

struct JobLine {
  std::string site;
  double stalls = 0;
  double retried = 0;
};

std::vector<JobLine> jobs_of(history::JobTable const& table) {
  std::vector<JobLine> jobs;
  for (history::JobRow const& row : table.rows) {
    if (row.outcome == history::Outcome::held_404 || !row.transfer_total || !row.transfer_last)
      continue;
    jobs.push_back({row.last_site(), static_cast<double>(row.stalls),
                    (*row.transfer_total - *row.transfer_last).value()});
  }
  return jobs;
}

double share(std::vector<JobLine> const& jobs, double low, double high) {
  auto const n = std::count_if(jobs.begin(), jobs.end(), [&](JobLine const& job) {
    return low <= job.stalls && job.stalls <= high;
  });
  return static_cast<double>(n) / static_cast<double>(jobs.size());
}

// Correlation of "stalled" between neighbours in the table that ran at the same site; 0 where it
// has no meaning.
double neighbour_correlation(std::vector<JobLine> const& jobs) {
  double both = 0, one = 0, pairs = 0;
  for (std::size_t i = 1; i < jobs.size(); ++i) {
    if (jobs[i].site != jobs[i - 1].site) continue;
    bool const a = jobs[i - 1].stalls > 0, b = jobs[i].stalls > 0;
    both += a && b;
    one += (a + b) / 2.0;
    ++pairs;
  }
  if (one == 0 || one == pairs) return 0;
  double const p = one / pairs;
  return (both / pairs - p * p) / (p * (1 - p));
}

constexpr std::uint64_t stall_fit_seed = 0x57;
constexpr std::size_t simulations_per_child = 250;
constexpr std::size_t stall_columns = 7;  // the first of a candidate's proposal; the links' follow

// Prior, one simulation after the other: half for bad paths; of the other half three quarters for a
// cache, which is what the campaign's own report names, and the rest for the origin behind all of
// them.
constexpr std::array<scenario::StallScope, 8> scopes{
    scenario::StallScope::path,  scenario::StallScope::cache, scenario::StallScope::path,
    scenario::StallScope::cache, scenario::StallScope::path,  scenario::StallScope::cache,
    scenario::StallScope::path,  scenario::StallScope::origin};

double log_uniform(RandomStream& stream, double low, double high) {
  return low * std::pow(high / low, stream.uniform());
}

struct Candidate {
  Proposal proposal;
  double gpus = 0;
};

// The prior. Wide where the table is to speak; probabilities of stalling in quiet times are small
// by definition of quiet.
Candidate candidate(std::size_t i, std::vector<SiteShare> const& shares, LinkFit const& links,
                    AvailabilityRange const& range, RandomStreams const& streams) {
  RandomStream stream = bootstrap_stream(streams, DrawsOf::stall_prior, 0, i);
  Candidate candidate;
  candidate.gpus = log_uniform(stream, range.low, range.high);
  Proposal& proposal = candidate.proposal;
  proposal.set("stall_scope", static_cast<double>(scopes[i % scopes.size()]));
  proposal.set("stall_bad_fraction", 0.05 + 0.65 * stream.uniform());
  proposal.set("stall_bad_duration_s", log_uniform(stream, 2 * 3600.0, 100 * 3600.0));
  proposal.set("stall_when_bad", 0.8 + 0.2 * stream.uniform());
  proposal.set("stall_when_quiet", log_uniform(stream, 0.002, 0.1));
  proposal.set("slow_before_stall", log_uniform(stream, 0.01, 0.3));
  proposal.set("slow_duration_s", log_uniform(stream, 1800, 8 * 3600.0));
  LinkPoint const point = links.at(candidate.gpus);
  propose_links(proposal, point, gpus_by_site(shares, point.turnover, candidate.gpus, stream));
  return candidate;
}

std::vector<std::vector<double>> simulate_all(
    std::size_t n, unsigned processes, study::Progress const& progress,
    std::function<std::vector<double>(std::size_t)> const& one) {
  std::size_t const children = (n + simulations_per_child - 1) / simulations_per_child;
  std::size_t const width = stall_summary_names().size();
  auto const batch = [&](std::uint32_t child) {
    study::Record all;
    std::size_t const first = child * simulations_per_child;
    for (std::size_t i = first; i < std::min(n, first + simulations_per_child); ++i) {
      std::vector<double> const summary = one(i);
      all.insert(all.end(), summary.begin(), summary.end());
    }
    return all;
  };
  study::PoolResult const result = study::run_replicas(children, processes, batch, progress);
  if (result.interrupted) throw CalibrationInterrupted();
  check(result.failed.empty(), "every simulation of the stall fit came back");
  std::vector<std::vector<double>> summaries;
  for (auto const& [child, record] : result.records) {
    for (auto at = record.begin(); at != record.end(); at += static_cast<std::ptrdiff_t>(width)) {
      summaries.emplace_back(at, at + static_cast<std::ptrdiff_t>(width));
    }
  }
  return summaries;
}

std::vector<double> distances(std::vector<std::vector<double>> const& simulated,
                              std::vector<double> const& observed) {
  std::vector<double> result(simulated.size(), 0);
  for (std::size_t k = 0; k < observed.size(); ++k) {
    std::vector<double> column;
    for (auto const& summary : simulated) column.push_back(summary[k]);
    double const scale = std::max(1e-6, standard_deviation(column));
    for (std::size_t i = 0; i < result.size(); ++i) {
      double const d = (column[i] - observed[k]) / scale;
      result[i] += d * d;
    }
  }
  for (double& d : result) d = std::sqrt(d / static_cast<double>(observed.size()));
  return result;
}

std::vector<HypothesisProbability> posterior_of(std::vector<scenario::StallScope> const& kept) {
  std::vector<HypothesisProbability> posterior;
  auto const add = [&](std::string_view name, auto const& belongs) {
    auto const n = static_cast<std::size_t>(std::count_if(kept.begin(), kept.end(), belongs));
    posterior.push_back({std::string(name),
                         static_cast<double>(n) / static_cast<double>(kept.size()),
                         proportion_interval(n, kept.size(), 0.9)});
  };
  for (std::string_view const name : {"overload", "bad_path"}) {
    add(name, [name](scenario::StallScope scope) { return scenario::hypothesis(scope) == name; });
  }
  for (scenario::StallScope const scope :
       {scenario::StallScope::origin, scenario::StallScope::cache, scenario::StallScope::path}) {
    add(name(scope), [scope](scenario::StallScope other) { return scope == other; });
  }
  return posterior;
}

}  // namespace

std::vector<std::string> const& stall_summary_names() {
  static std::vector<std::string> const names{
      "share without a stall",
      "share with 1 to 3 stalls",
      "share with ten or more",
      "log(1 + stalls a job)",
      "log(1 + dispersion)",
      "share with 12 to 14 stalls",
      "median stalls of the stalled",
      "correlation of neighbours",
      "log(retried hours a job)",
      "log(1 + hours beyond 3750 s a stall, per stalled job)",
      "share of stalled jobs that waited over an hour beyond it"};
  return names;
}

std::vector<double> stall_summary(history::JobTable const& table) {
  std::vector<JobLine> const jobs = jobs_of(table);
  if (jobs.empty()) return std::vector<double>(stall_summary_names().size(), 0);
  std::vector<double> stalls, positive;
  double retried = 0, beyond = 0, waited = 0;
  for (JobLine const& job : jobs) {
    stalls.push_back(job.stalls);
    retried += job.retried;
    if (job.stalls == 0) continue;
    positive.push_back(job.stalls);
    double const rest = job.retried - mean_stall_cost * job.stalls;
    beyond += std::max(0.0, rest);
    waited += rest > long_wait;
  }
  double const n = static_cast<double>(jobs.size());
  double const stalled = std::max<double>(1, static_cast<double>(positive.size()));
  return {share(jobs, 0, 0),
          share(jobs, 1, 3),
          share(jobs, 10, 1e9),
          std::log1p(mean(stalls)),
          std::log1p(dispersion_index(stalls)),
          share(jobs, 12, 14),
          positive.empty() ? 0 : std::log1p(median(positive)),
          neighbour_correlation(jobs),
          std::log(0.01 + retried / 3600 / n),
          std::log1p(beyond / 3600 / stalled),
          waited / stalled};
}

StallFitResult fit_stalls(SimulatedCampaign const& campaign, history::JobTable const& table,
                          std::vector<SiteShare> const& shares, LinkFit const& links,
                          StallFitOptions const& options, study::Progress const& progress,
                          RandomStreams const& streams) {
  auto const propose = [&](std::size_t i) {
    return candidate(i, shares, links, options.availability, streams);
  };
  auto const summaries =
      simulate_all(options.simulations, options.processes, progress, [&](std::size_t i) {
        auto const number = static_cast<std::uint32_t>(i);
        return stall_summary(
            campaign.simulate(propose(i).proposal, number, RandomStreams(stall_fit_seed, number)));
      });
  StallFitResult result;
  result.observed = stall_summary(table);
  std::vector<double> const distance = distances(summaries, result.observed);
  std::vector<std::size_t> order(distance.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return distance[a] < distance[b]; });
  order.resize(std::min(order.size(), options.keep));
  std::vector<scenario::StallScope> kept;
  for (std::size_t const i : order) {
    Candidate const chosen = propose(i);
    result.kept.push_back(chosen.proposal);
    result.kept_gpus.push_back(chosen.gpus);
    result.kept_summaries.push_back(summaries[i]);
    kept.push_back(scopes[i % scopes.size()]);
  }
  result.posterior = posterior_of(kept);
  return result;
}

StallProposals first_guess() {
  Proposal guess;
  guess.set("stall_scope", static_cast<double>(scenario::StallScope::cache));
  guess.set("stall_bad_fraction", 0.25);
  guess.set("stall_bad_duration_s", 10 * 3600.0);
  guess.set("stall_when_bad", 0.9);
  guess.set("stall_when_quiet", 0.02);
  guess.set("slow_before_stall", 0.07);
  guess.set("slow_duration_s", 3 * 3600.0);
  return {guess};
}

StallProposals nearest_stalls(StallFitResult const& fit, double gpus, std::size_t n) {
  std::vector<std::size_t> order(fit.kept.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  auto const away = [&](std::size_t i) { return std::abs(std::log(fit.kept_gpus[i] / gpus)); };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return away(a) < away(b); });
  order.resize(std::min(n, order.size()));
  StallProposals nearest;
  for (std::size_t const i : order) {
    Proposal stalls;
    for (std::size_t k = 0; k < stall_columns; ++k) {
      stalls.set(fit.kept[i].columns[k], fit.kept[i].values[k]);
    }
    nearest.push_back(stalls);
  }
  return nearest;
}

}  // namespace gridcast::calibration
