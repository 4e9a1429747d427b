#include "calibration/stall_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "calibration/posterior.hpp"
#include "calibration/stall_summary.hpp"
#include "sim/base/error.hpp"
#include "sim/base/statistics.hpp"
#include "sim/scenario/parameter_draw.hpp"
#include "sim/study/replica_pool.hpp"

namespace gridcast::calibration {

namespace {

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

// Root mean square over the summaries, each in units of its standard deviation among the
// simulations.
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

std::vector<ModelWeight> weigh(std::vector<scenario::StallScope> const& kept) {
  std::vector<ModelWeight> weights;
  auto const add = [&](std::string_view name, auto const& belongs) {
    auto const n = static_cast<std::size_t>(std::count_if(kept.begin(), kept.end(), belongs));
    weights.push_back({std::string(name), static_cast<double>(n) / static_cast<double>(kept.size()),
                       proportion_interval(n, kept.size(), 0.9)});
  };
  for (std::string_view const name : {"overload", "bad_path"}) {
    add(name, [name](scenario::StallScope scope) { return scenario::explanation(scope) == name; });
  }
  for (scenario::StallScope const scope :
       {scenario::StallScope::origin, scenario::StallScope::cache, scenario::StallScope::path}) {
    add(name(scope), [scope](scenario::StallScope other) { return scope == other; });
  }
  return weights;
}

}  // namespace

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
  result.tolerance = distance[order.back()];
  result.weights = weigh(kept);
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
