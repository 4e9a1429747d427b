#include "calibration/simulated/stall_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "sim/base/random.hpp"
#include "sim/base/statistics.hpp"
#include "sim/scenario/parameter_draw.hpp"

namespace gridcast::calibration {

namespace {

constexpr double long_wait = 3600;

struct JobLine {
  history::JobName name;
  std::string site;
  double stalls = 0;
  double retried = 0;
  double last = 0;  // the transfer that succeeded
};

std::vector<JobLine> jobs_of(history::JobTable const& table) {
  std::vector<JobLine> jobs;
  for (history::JobRow const& row : table.rows) {
    if (row.outcome == history::Outcome::held_404 || !row.transfer_total || !row.transfer_last)
      continue;
    jobs.push_back({row.name, row.last_site(), static_cast<double>(row.stalls),
                    (*row.transfer_total - *row.transfer_last).value(),
                    row.transfer_last->value()});
  }
  return jobs;
}

double share(std::vector<JobLine> const& jobs, double low, double high) {
  auto const n = std::ranges::count_if(
      jobs, [&](JobLine const& job) { return low <= job.stalls && job.stalls <= high; });
  return static_cast<double>(n) / static_cast<double>(jobs.size());
}

// Correlation of "stalled" between neighbours in the table that ran at the same site; 0 where it is
// undefined.
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

/// Likeness of neighbouring jobs of a cluster that ran at the same site. Jobs that share a node or
/// a cache transfer in lockstep and stall equally often.
struct Neighbours {
  double pairs = 0, lockstep = 0, equal_stalls = 0;
};

Neighbours neighbours(std::vector<JobLine> const& jobs) {
  constexpr double lockstep = 0.02;
  Neighbours found;
  for (std::size_t i = 1; i < jobs.size(); ++i) {
    JobLine const& a = jobs[i - 1];
    JobLine const& b = jobs[i];
    bool const beside = a.name.cluster == b.name.cluster && a.name.proc + 1 == b.name.proc;
    if (!beside || a.site != b.site) continue;
    ++found.pairs;
    found.lockstep += std::abs(std::log(a.last / b.last)) < lockstep;
    found.equal_stalls += a.stalls > 0 && a.stalls == b.stalls;
  }
  found.pairs = std::max(found.pairs, 1.);
  return found;
}

constexpr std::uint64_t stall_fit_seed = 0x57, stall_check_seed = 0x58;
constexpr double reported_makespan_sd = 0.5;  // of its logarithm
constexpr std::size_t simulations_per_task = 100;
constexpr std::size_t stall_columns = 11;  // the first of a candidate's proposal; the links' follow

/// A cause of joint failures of transfers, and the link that they share.
struct Explanation {
  scenario::OutageScope scope;
  scenario::OutageKind kind;
  std::size_t links;  // among link_hypotheses()
};

// The prior, in sixteenths, one simulation after the other: seven for a dead component, five for a
// slow one, four for no outage but links that are too narrow under the timer. Cache and path have
// most weight: the campaign's report names them, and repeated stalls of a job suggest them
// (docs/model.md, A-STALL).
using enum scenario::OutageScope;
using enum scenario::OutageKind;
constexpr std::array<Explanation, 16> explanations{{{cache, dead, 0},
                                                    {none, dead, 1},
                                                    {path, dead, 0},
                                                    {cache, slow, 0},
                                                    {node, dead, 1},
                                                    {uplink, dead, 0},
                                                    {node, slow, 2},
                                                    {none, dead, 2},
                                                    {cache, dead, 0},
                                                    {origin, slow, 0},
                                                    {path, dead, 0},
                                                    {none, dead, 0},
                                                    {origin, dead, 0},
                                                    {uplink, slow, 0},
                                                    {path, slow, 0},
                                                    {none, dead, 2}}};

/// The explanation that simulation i assumes.
Explanation const& explanation_of(std::size_t i) { return explanations[i % explanations.size()]; }

double log_uniform(RandomStream& stream, double low, double high) {
  return low * std::pow(high / low, stream.uniform());
}

/// One of the moves at about `gpus` GPUs, drawn from the nearest eighth.
LinkMove const& move_near(double gpus, std::vector<MoveAt> const& moves, RandomStream& stream) {
  constexpr std::size_t part = 8, at_least = 20;
  std::size_t const n = std::min(moves.size(), std::max(moves.size() / part, at_least));
  auto const at = std::ranges::lower_bound(moves, gpus, {}, &MoveAt::gpus);
  auto const above = static_cast<std::size_t>(at - moves.begin());
  std::size_t const first = std::min(above - std::min(above, n / 2), moves.size() - n);
  return moves[first + stream.below(static_cast<std::uint32_t>(n))].move;
}

struct Candidate {
  Proposal proposal;
  double gpus = 0;
  LinkMove move;
};

// The prior. It is wide where the table has information; probabilities of stalling in quiet times
// are small by definition of quiet. The table has no information about a second cache or about
// attempts less than an hour apart: next_cache_dependence and redraw_interval_s keep their prior.
// Links are moved by one of `moves`, if there are any; else by the prior around each search in
// turn.
Candidate candidate(std::size_t i, std::vector<SiteShare> const& shares,
                    std::vector<LinkSearch> const& links, LinkMoves const& moves,
                    AvailabilityRange const& range, RandomStreams const& streams) {
  RandomStream stream = bootstrap_stream(streams, DrawsOf::stall_prior, 0, i);
  Explanation const& explanation = explanation_of(i);
  bool const outage = explanation.scope != scenario::OutageScope::none;
  Candidate candidate;
  candidate.gpus = log_uniform(stream, range.low, range.high);
  Proposal& proposal = candidate.proposal;
  proposal.set("outage_scope", static_cast<double>(explanation.scope));
  proposal.set("outage_kind", static_cast<double>(explanation.kind));
  proposal.set("stall_bad_fraction", outage ? 0.05 + 0.65 * stream.uniform() : 0);
  proposal.set("stall_bad_duration_s", log_uniform(stream, 2 * 3600.0, 100 * 3600.0));
  proposal.set("stall_when_bad", outage ? 0.8 + 0.2 * stream.uniform() : 0);
  double const quiet = log_uniform(stream, 0.002, 0.1);
  proposal.set("stall_when_quiet", outage ? quiet : 0);
  proposal.set("slow_before_stall", log_uniform(stream, 0.01, 0.3));
  proposal.set("slow_duration_s", log_uniform(stream, 1800, 8 * 3600.0));
  proposal.set("slow_fraction", log_uniform(stream, 0.02, 0.5));
  proposal.set("redraw_interval_s", log_uniform(stream, 600, 4 * 3600.0));
  proposal.set("next_cache_dependence", stream.uniform());
  LinkFit const& shared = links.front()[explanation.links];
  LinkPoint const best = shared.at(candidate.gpus);
  if (moves.empty()) {
    LinkSearch const& search = links[i / explanations.size() % links.size()];
    candidate.move = move_between(best, search[explanation.links].at(candidate.gpus), shares);
    LinkMove const drawn = draw_move(shares.size(), cold_sites(best, shares).size(), stream);
    std::ranges::transform(drawn, candidate.move, candidate.move.begin(), std::plus<>());
  } else {
    candidate.move = move_near(candidate.gpus, moves[explanation.links], stream);
  }
  LinkPoint const point =
      borrow_links(moved(best, shares, candidate.move), shared, shares, i, streams);
  propose_links(proposal, shared.shared, point,
                gpus_by_site(shares, point.turnover, candidate.gpus, stream));
  return candidate;
}

std::vector<std::string> summaries_of(StallFitOptions const& options) {
  std::vector<std::string> names = stall_summary_names();
  if (options.reported_makespan) names.emplace_back("log(makespan), as reported");
  return names;
}

/// The summaries of one simulation, for the comparison with the table.
std::vector<double> summary_of(study::SimulatedCampaignReport const& simulated,
                               StallFitOptions const& options, RandomStreams const& streams) {
  std::vector<double> summary = stall_summary(simulated.table);
  if (options.reported_makespan) {
    RandomStream stream = bootstrap_stream(streams, DrawsOf::reported_makespan);
    summary.push_back(std::log(std::max(1., simulated.makespan.value())) +
                      reported_makespan_sd * normal_quantile(stream.uniform()));
  }
  return summary;
}

std::vector<std::vector<double>> simulate_all(
    std::size_t n, std::size_t width, RunRound const& run_all,
    std::function<std::vector<double>(std::size_t)> const& one) {
  std::size_t const tasks = (n + simulations_per_task - 1) / simulations_per_task;
  auto const end_of = [n](std::uint32_t task) {
    return std::min(n, (task + std::size_t{1}) * simulations_per_task);
  };
  auto const batch = [&](std::uint32_t task) {
    study::Record all;
    for (std::size_t i = task * simulations_per_task; i < end_of(task); ++i) {
      std::vector<double> const summary = one(i);
      all.insert(all.end(), summary.begin(), summary.end());
    }
    return all;
  };
  std::vector<std::vector<double>> summaries;
  for (auto const& record : run_all({static_cast<std::uint32_t>(tasks), batch})) {
    for (auto at = record.begin(); at != record.end(); at += static_cast<std::ptrdiff_t>(width)) {
      summaries.emplace_back(at, at + static_cast<std::ptrdiff_t>(width));
    }
  }
  return summaries;
}

/// Distances of simulations from the table, over the summaries that the table has. A summary that a
/// simulation lacks counts as one standard deviation off.
std::vector<double> distances(std::vector<std::vector<double>> const& simulated,
                              std::vector<double> const& observed) {
  std::vector<double> result(simulated.size(), 0);
  std::size_t compared = 0;
  for (std::size_t k = 0; k < observed.size(); ++k) {
    if (!std::isfinite(observed[k])) continue;
    ++compared;
    std::vector<double> column;
    for (auto const& summary : simulated) {
      if (std::isfinite(summary[k])) column.push_back(summary[k]);
    }
    double const scale = column.empty() ? 1 : std::max(1e-6, standard_deviation(column));
    for (std::size_t i = 0; i < result.size(); ++i) {
      double const off = simulated[i][k] - observed[k];
      double const d = std::isfinite(off) ? off / scale : 1;
      result[i] += d * d;
    }
  }
  for (double& d : result)
    d = std::sqrt(d / static_cast<double>(std::max<std::size_t>(1, compared)));
  return result;
}

std::vector<std::size_t> nearest_first(std::vector<double> const& distance) {
  std::vector<std::size_t> order(distance.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order,
                           [&](std::size_t a, std::size_t b) { return distance[a] < distance[b]; });
  return order;
}

/// Moves of links, adjusted to the table: those of the simulations of each sharing hypothesis whose
/// transfers are nearest to the table's.
LinkMoves adjusted_links(std::vector<MovedLinks> const& simulated, std::vector<double> const& gpus,
                         std::vector<double> const& observed) {
  constexpr std::size_t one_of = 8, at_least = 60;
  std::vector<std::vector<double>> const summaries = each_of(simulated, &MovedLinks::summary);
  auto const order = nearest_first(distances(summaries, observed));
  LinkMoves moves;
  for (std::size_t sharing = 0; sharing < link_hypotheses().size(); ++sharing) {
    std::vector<MovedLinks> same;
    std::vector<double> gpus_of_same;
    for (std::size_t const i : order) {
      if (explanation_of(i).links != sharing) continue;
      same.push_back(simulated[i]);
      gpus_of_same.push_back(gpus[i]);
    }
    same.resize(std::min(same.size(), std::max(same.size() / one_of, at_least)));
    auto const adjusted = adjusted_moves(same, observed);
    auto& of_sharing = moves.emplace_back();
    for (std::size_t k = 0; k < adjusted.size(); ++k) {
      of_sharing.push_back({gpus_of_same[k], adjusted[k]});
    }
    std::ranges::stable_sort(of_sharing, {}, &MoveAt::gpus);
  }
  return moves;
}

/// Posterior of each hypothesis, its share of the kept simulations, and prior, its share of all.
std::vector<HypothesisProbability> posterior_of(std::vector<Explanation> const& kept) {
  std::vector<HypothesisProbability> posterior;
  auto const add = [&](std::string name, auto const& belongs) {
    auto const n = static_cast<std::size_t>(std::ranges::count_if(kept, belongs));
    auto const simulated = std::ranges::count_if(explanations, belongs);
    double const prior = static_cast<double>(simulated) / static_cast<double>(explanations.size());
    double const share = static_cast<double>(n) / static_cast<double>(kept.size());
    posterior.push_back(
        {std::move(name), share, proportion_interval(n, kept.size(), 0.9), prior,
         std::log(std::max(share, 1e-9) * (1 - prior) / (prior * std::max(1 - share, 1e-9)))});
  };
  auto const of = [](Explanation const& explanation) {
    scenario::OutageParameters outages;
    outages.scope = explanation.scope;
    outages.kind = explanation.kind;
    outages.stall_when_bad = 1;
    return *scenario::hypothesis(outages);
  };
  for (auto const hypothesis : {scenario::Hypothesis::overload, scenario::Hypothesis::bad_path,
                                scenario::Hypothesis::slow, scenario::Hypothesis::congestion}) {
    add(std::string(name(hypothesis)),
        [=](Explanation const& explanation) { return of(explanation) == hypothesis; });
  }
  for (auto const scope : {origin, cache, path, node, uplink}) {
    for (auto const kind : {dead, slow}) {
      add(fmt::format("{} {}", kind == dead ? "dead" : "slow", name(scope)),
          [=](Explanation const& explanation) {
            return explanation.scope == scope && explanation.kind == kind;
          });
    }
  }
  return posterior;
}

/// The moves of the links, adjusted by the summaries of links, which are behind `first` others.
LinkMoves moves_by_summaries(std::vector<std::vector<double>> const& summaries, std::size_t first,
                             LinkSearch const& search, auto const& propose,
                             std::vector<double> const& observed) {
  std::vector<MovedLinks> simulated;
  std::vector<double> gpus;
  for (std::size_t i = 0; i < summaries.size(); ++i) {
    auto const of_links = summaries[i].begin() + static_cast<std::ptrdiff_t>(first);
    Candidate const one = propose(i);
    auto const& shared = search[explanation_of(i).links];
    simulated.push_back({one.move, {of_links, summaries[i].end()}, shared.weights(one.gpus)});
    gpus.push_back(one.gpus);
  }
  return adjusted_links(simulated, gpus, observed);
}

void keep_nearest(StallFitResult& result, std::vector<std::vector<double>> const& summaries,
                  std::size_t most, auto const& propose) {
  auto const order = nearest_first(distances(summaries, result.observed));
  std::vector<Explanation> kept;
  for (std::size_t k = 0; k < std::min(order.size(), most); ++k) {
    Candidate const chosen = propose(order[k]);
    kept.push_back(explanation_of(order[k]));
    result.kept.push_back(chosen.proposal);
    result.kept_gpus.push_back(chosen.gpus);
    result.kept_links.push_back(kept.back().links);
  }
  result.posterior = posterior_of(kept);
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
      "share of stalled jobs that waited over an hour beyond it",
      "share with exactly 13 stalls",
      "share of neighbours that transfer in lockstep",
      "share of neighbours with the same number of stalls",
      "log(longest transfer that succeeded)"};
  return names;
}

std::vector<double> stall_summary(history::JobTable const& table) {
  std::vector<JobLine> const jobs = jobs_of(table);
  if (jobs.empty()) return std::vector<double>(stall_summary_names().size(), 0);
  std::vector<double> stalls, positive;
  double retried = 0, beyond = 0, waited = 0, longest = 1;
  for (JobLine const& job : jobs) {
    stalls.push_back(job.stalls);
    retried += job.retried;
    longest = std::max(longest, job.last);
    if (job.stalls == 0) continue;
    positive.push_back(job.stalls);
    double const rest = job.retried - mean_stall_cost * job.stalls;
    beyond += std::max(0.0, rest);
    waited += rest > long_wait;
  }
  Neighbours const beside = neighbours(jobs);
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
          waited / stalled,
          share(jobs, 13, 13),
          beside.lockstep / beside.pairs,
          beside.equal_stalls / beside.pairs,
          std::log(longest)};
}

StallFitResult fit_stalls(SimulatedCampaign const& campaign, history::JobTable const& table,
                          std::vector<SiteShare> const& shares,
                          std::vector<LinkSearch> const& links, LinkMoves const& moves,
                          StallFitOptions const& options, RandomStreams const& streams,
                          RunRound const& run_all) {
  auto const propose = [&](std::size_t i) {
    return candidate(i, shares, links, moves, options.availability, streams);
  };
  StallFitResult result;
  result.summaries = summaries_of(options);
  auto const cold = cold_sites(links.front().front().points.front(), shares);
  auto const observed_links = link_summary(table, shares, cold);
  auto const summaries =
      simulate_all(options.simulations, result.summaries.size() + observed_links.size(), run_all,
                   [&](std::size_t i) {
                     auto const number = static_cast<std::uint32_t>(i);
                     RandomStreams const own(stall_fit_seed, number);
                     auto const simulated = campaign.simulate(propose(i).proposal, number, own);
                     auto summary = summary_of(simulated, options, own);
                     auto const of_links = link_summary(simulated.table, shares, cold);
                     summary.insert(summary.end(), of_links.begin(), of_links.end());
                     return summary;
                   });
  result.observed = stall_summary(table);
  if (options.reported_makespan) {
    result.observed.push_back(std::log(options.reported_makespan->value()));
  }
  result.moves = moves_by_summaries(summaries, result.summaries.size(), links.front(), propose,
                                    observed_links);
  keep_nearest(result, summaries, options.keep, propose);
  return result;
}

std::vector<std::vector<double>> simulate_again(SimulatedCampaign const& campaign,
                                                StallFitResult const& fit,
                                                StallFitOptions const& options,
                                                RunRound const& run_all) {
  return simulate_all(fit.kept.size(), fit.summaries.size(), run_all, [&](std::size_t i) {
    auto const number = static_cast<std::uint32_t>(i);
    RandomStreams const own(stall_check_seed, number);
    return summary_of(campaign.simulate(fit.kept[i], number, own), options, own);
  });
}

StallProposals first_guess() {
  Proposal guess;
  guess.set("outage_scope", static_cast<double>(scenario::OutageScope::cache));
  guess.set("outage_kind", static_cast<double>(scenario::OutageKind::dead));
  guess.set("stall_bad_fraction", 0.25);
  guess.set("stall_bad_duration_s", 10 * 3600.0);
  guess.set("stall_when_bad", 0.9);
  guess.set("stall_when_quiet", 0.02);
  guess.set("slow_before_stall", 0.07);
  guess.set("slow_duration_s", 3 * 3600.0);
  guess.set("slow_fraction", 0.1);
  guess.set("redraw_interval_s", 3600);
  guess.set("next_cache_dependence", 0.5);
  return {guess};
}

StallProposals nearest_stalls(StallFitResult const& fit, std::size_t links, double gpus,
                              std::size_t n) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < fit.kept.size(); ++i) {
    if (fit.kept_links[i] == links) order.push_back(i);
  }
  if (order.empty()) return first_guess();
  auto const away = [&](std::size_t i) { return std::abs(std::log(fit.kept_gpus[i] / gpus)); };
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return away(a) < away(b); });
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
