#include "calibration/simulated/link_fit.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>
#include <utility>

#include "calibration/inference/special_functions.hpp"
#include "sim/base/error.hpp"
#include "sim/base/statistics.hpp"
#include "sim/scenario/calibration.hpp"

namespace gridcast::calibration {
namespace {

constexpr std::size_t least_of_a_kind = 4;
constexpr double narrowest = 0.2;  // as a share of the whole spread

struct Normal {
  double weight = 1, mean = 0, sd = 1;

  double density(double y) const {
    double const z = (y - mean) / sd;
    return weight * std::exp(-z * z / 2) / (sd * std::sqrt(2 * std::numbers::pi));
  }
};

struct Mixture {
  Normal low, high;

  double log_likelihood(std::vector<double> const& y) const {
    return sum_of<double>(
        y, [&](double const value) { return std::log(low.density(value) + high.density(value)); });
  }
};

/// The normal distribution of weighted values.
Normal weighted(std::vector<double> const& y, std::vector<double> const& belongs, double least_sd) {
  double n = 0, sum = 0, squares = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    n += belongs[i];
    sum += belongs[i] * y[i];
  }
  double const mean = sum / n;
  for (std::size_t i = 0; i < y.size(); ++i) squares += belongs[i] * (y[i] - mean) * (y[i] - mean);
  return {n / static_cast<double>(y.size()), mean, std::max(std::sqrt(squares / n), least_sd)};
}

Mixture of_weights(std::vector<double> const& y, std::vector<double> const& high, double least_sd) {
  std::vector<double> const low = each_of(high, [](double const weight) { return 1 - weight; });
  return {weighted(y, low, least_sd), weighted(y, high, least_sd)};
}

/// Weights of the upper part of sorted values, at the split with the least squares within.
std::vector<double> best_split(std::vector<double> const& y) {
  std::vector<double> best;
  double least = 0;
  for (std::size_t first = least_of_a_kind; first + least_of_a_kind <= y.size(); ++first) {
    std::vector<double> belongs(y.size(), 0);
    std::fill(belongs.begin() + static_cast<std::ptrdiff_t>(first), belongs.end(), 1);
    Mixture const split = of_weights(y, belongs, 0);
    double const within = split.low.weight * split.low.sd * split.low.sd +
                          split.high.weight * split.high.sd * split.high.sd;
    if (!best.empty() && within >= least) continue;
    best = belongs;
    least = within;
  }
  return best;
}

/// Empty if one kind vanishes.
std::optional<Mixture> fit_mixture(std::vector<double> const& y, double least_sd) {
  constexpr int iterations = 500;
  std::vector<double> belongs = best_split(y);
  auto const n = static_cast<double>(y.size());
  for (int i = 0; i < iterations; ++i) {
    Mixture const mixture = of_weights(y, belongs, least_sd);
    double const slower = mixture.high.weight * n;
    if (std::min(slower, n - slower) < least_of_a_kind) return std::nullopt;
    for (std::size_t k = 0; k < y.size(); ++k) {
      double const low = mixture.low.density(y[k]), high = mixture.high.density(y[k]);
      belongs[k] = high / (low + high);
    }
  }
  return of_weights(y, belongs, least_sd);
}

scenario::Campaign campaign_of(history::JobTable const& table, int epochs, Bytes input_size,
                               study::Shocks shocks) {
  std::map<std::uint32_t, int> clusters;
  for (history::JobRow const& row : table.rows) {
    bool const hit = row.outcome == history::Outcome::held_404;
    bool const counts =
        row.outcome != history::Outcome::held_size && (!hit || shocks == study::Shocks::drawn);
    clusters[row.name.cluster] += counts ? 1 : 0;
  }
  scenario::Campaign campaign;
  for (auto const& [cluster, jobs] : clusters) {
    if (jobs > 0) campaign.submit.push_back({Seconds(0), jobs});
  }
  campaign.input.push_back({"input", input_size});
  campaign.work.epochs = epochs;
  return campaign;
}

// A campaign in which no transfer succeeds would never end, and is cut off here: at twice the week
// that the published campaign took.
constexpr Seconds horizon = days(14);

constexpr std::uint32_t replicas_per_evaluation = 12;
constexpr int rounds = 2;

// A better spread must not cost a worse mean: an error of 5 % in a site's mean costs as much as a
// Wasserstein distance of 0.15 mean absolute deviations.
constexpr double bias_weight = 3;

TimesBySite observed_times(TableRecords const& records) {
  TimesBySite times;
  for (JobRecord const& job : records.jobs) {
    if (job.got_data && job.last_transfer) times[job.last_site].push_back(*job.last_transfer);
  }
  return times;
}

double mean_absolute_deviation(std::vector<double> const& x) {
  double const middle = median(x);
  auto const sum = sum_of<double>(x, [&](double const value) { return std::abs(value - middle); });
  return sum / static_cast<double>(x.size());
}

// Loss for a cold share of one, in the loss's units of distance.
constexpr double price_of_cold = 0.2;

// Two transfers that share a link take up to twice as long as one alone, without any cold cache.
constexpr double by_sharing = 2;

/// The coordinates of a search: ln(stream limit), ln(capacity / stream limit) by site; logit(cold
/// share), ln(cold limit / stream limit) and ln(cold noise) of sites with cold tries; ln(noise).
class SearchSpace {
 public:
  SearchSpace(std::vector<SiteShare> const& shares, TimesBySite const& observed) : shares_(shares) {
    for (SiteShare const& share : shares) {
      auto const found = observed.find(share.site);
      auto const kinds =
          two_kinds(found == observed.end() ? TimesBySite::mapped_type() : found->second);
      bool const apart = kinds && kinds->slower > by_sharing * kinds->faster;
      kinds_.push_back(apart ? kinds : std::nullopt);
    }
  }

  // Assumes that the fastest transfers were alone, and that the link has the capacity for six.
  std::vector<double> start(TimesBySite const& observed, double input_bytes) const {
    std::vector<double> all;
    for (auto const& [site, times] : observed) all.insert(all.end(), times.begin(), times.end());
    std::vector<double> x;
    for (SiteShare const& share : shares_) {
      auto const found = observed.find(share.site);
      std::vector<double> const& times = found == observed.end() ? all : found->second;
      x.push_back(std::log(input_bytes / quantile(times, 0.1)));
      x.push_back(std::log(6.0));
    }
    for (auto const& kinds : kinds_) {
      if (!kinds) continue;
      x.push_back(logit(kinds->share_of_slower));
      x.push_back(std::log(kinds->faster / kinds->slower));
      x.push_back(std::log(kinds->sd_of_slower));
    }
    x.push_back(std::log(0.05));
    return x;
  }

  LinkPoint point(std::vector<double> const& x, double gpus, Turnover const& turnover) const {
    LinkPoint point{.gpus = gpus, .turnover = turnover};
    std::size_t cold = 2 * shares_.size();
    for (std::size_t i = 0; i < shares_.size(); ++i) {
      double const limit = std::exp(x[2 * i]);
      SiteRates& rates = point.sites[shares_[i].site];
      rates = {limit, limit * std::exp(x[2 * i + 1])};
      if (!kinds_[i]) continue;
      rates.cold_share = inverse_logit(x[cold++]);
      rates.cold_limit = limit * std::exp(x[cold++]);
      rates.cold_noise = std::exp(x[cold++]);
    }
    point.rate_noise = std::exp(x.back());
    return point;
  }

  /// The coordinates of a point, from which a later search continues.
  std::vector<double> at(LinkPoint const& point) const {
    std::vector<double> x;
    for (SiteShare const& share : shares_) {
      SiteRates const& rates = point.sites.at(share.site);
      x.push_back(std::log(rates.stream_limit));
      x.push_back(std::log(rates.capacity / rates.stream_limit));
    }
    for (std::string const& site : cold_sites(point, shares_)) {
      SiteRates const& rates = point.sites.at(site);
      x.push_back(logit(rates.cold_share));
      x.push_back(std::log(rates.cold_limit / rates.stream_limit));
      x.push_back(std::log(rates.cold_noise));
    }
    x.push_back(std::log(point.rate_noise));
    return x;
  }

 private:
  std::vector<SiteShare> const& shares_;
  std::vector<std::optional<TwoKinds>> kinds_;  // by site
};

// Simulated campaigns at one number of GPUs. Every call has the same replicas (common random
// numbers).
class LinkSimulation {
 public:
  static constexpr int turnover_steps = 6;

  LinkSimulation(std::size_t search, SharedLink const& shared, SimulatedCampaign const& campaign,
                 SearchSpace const& space, std::vector<SiteShare> const& shares, double gpus,
                 StallProposals stalls, RandomStreams const& streams)
      : first_replica_(static_cast<std::uint32_t>(search) * replicas_per_evaluation),
        shared_(shared),
        campaign_(campaign),
        space_(space),
        shares_(shares),
        gpus_(gpus),
        stalls_(std::move(stalls)),
        streams_(streams) {
    for (SiteShare const& share : shares) turnover_[share.site] = 1;
  }

  LinkPoint point(std::vector<double> const& x) const { return space_.point(x, gpus_, turnover_); }

  std::vector<history::JobTable> run(LinkPoint const& point) const {
    std::vector<history::JobTable> tables;
    for (std::uint32_t i = 0; i < replicas_per_evaluation; ++i) {
      std::uint32_t const r = first_replica_ + i;
      Proposal proposal = stalls_[r % stalls_.size()];
      auto const stream = bootstrap_stream(streams_, DrawsOf::gpus_in_link_fit, 0, r);
      propose_links(proposal, shared_, point, gpus_by_site(shares_, point.turnover, gpus_, stream));
      tables.push_back(campaign_.simulate(proposal, r, RandomStreams(link_fit_seed, r)).table);
    }
    return tables;
  }

  // Moves the simulated shares of first matches to those of the table, step by step.
  void fit_turnover(std::vector<double> const& x) {
    double jobs = 0;
    for (SiteShare const& share : shares_) jobs += static_cast<double>(share.first_matches);
    for (int step = 0; step < turnover_steps; ++step) {
      std::map<std::string, double> matches;
      double all = 0;
      for (history::JobTable const& table : run(point(x))) {
        for (history::JobRow const& row : table.rows) {
          if (row.sites.empty()) continue;
          ++matches[row.sites.front()];
          ++all;
        }
      }
      for (SiteShare const& share : shares_) {
        double const wanted = (static_cast<double>(share.first_matches) + 0.5) / jobs;
        double const got = (matches[share.site] + 0.5) / all;
        turnover_[share.site] *= std::sqrt(wanted / got);
      }
    }
  }

 private:
  static constexpr std::uint64_t link_fit_seed = 0x11;
  std::uint32_t first_replica_;
  SharedLink const& shared_;
  SimulatedCampaign const& campaign_;
  SearchSpace const& space_;
  std::vector<SiteShare> const& shares_;
  double gpus_;
  StallProposals stalls_;
  RandomStreams const& streams_;
  Turnover turnover_;
};

TimesBySite simulated_times(std::vector<history::JobTable> const& tables) {
  TimesBySite times;
  for (history::JobTable const& table : tables) {
    for (auto const& [site, seconds] : last_transfers(table)) {
      times[site].insert(times[site].end(), seconds.begin(), seconds.end());
    }
  }
  return times;
}

// The point with its losses.
LinkPoint evaluate(LinkSimulation const& simulation, TimesBySite const& observed,
                   std::vector<double> const& x) {
  LinkPoint point = simulation.point(x);
  TimesBySite const simulated = simulated_times(simulation.run(point));
  double sum = 0, transfers = 0;
  for (auto const& [site, times] : observed) {
    auto const found = simulated.find(site);
    bool const some = found != simulated.end();
    double const scale = std::max(mean_absolute_deviation(times), 0.01 * median(times));
    double const distance = some ? wasserstein_distance(found->second, times) / scale : 10;
    double const bias = some ? std::abs(mean(found->second) / mean(times) - 1) : 1;
    double const n = static_cast<double>(times.size());
    point.site_loss[site] = distance;
    auto const rates = point.sites.find(site);
    double const cold = rates == point.sites.end() ? 0 : rates->second.cold_share;
    sum += (distance + bias_weight * bias + price_of_cold * cold) * n;
    transfers += n;
  }
  point.loss = sum / transfers;
  return point;
}

std::vector<double> search(LinkSimulation const& simulation, TimesBySite const& observed,
                           std::vector<double> const& start, int evaluations) {
  SearchBox box;
  for (double const x : start) {
    box.low.push_back(x - 3);
    box.high.push_back(x + 3);
  }
  auto const loss = [&](std::vector<double> const& x) {
    return evaluate(simulation, observed, x).loss;
  };
  return minimise(loss, start, 0.3, box, evaluations).at;
}

// Values in a record: those of the point, then those of each of its sites.
constexpr std::size_t of_point = 3, of_site = 7;

study::Record to_record(LinkPoint const& point, std::vector<SiteShare> const& shares) {
  study::Record record = {point.gpus, point.rate_noise, point.loss};
  for (SiteShare const& share : shares) {
    SiteRates const& rates = point.sites.at(share.site);
    auto const loss = point.site_loss.find(share.site);
    record.insert(record.end(), {rates.stream_limit, rates.capacity, rates.cold_share,
                                 rates.cold_limit, rates.cold_noise, point.turnover.at(share.site),
                                 loss == point.site_loss.end() ? std::nan("") : loss->second});
  }
  return record;
}

LinkPoint from_record(study::Record const& record, std::vector<SiteShare> const& shares) {
  LinkPoint point{.gpus = record[0], .rate_noise = record[1], .loss = record[2]};
  std::size_t at = of_point;
  for (SiteShare const& share : shares) {
    point.sites[share.site] = {record[at], record[at + 1], record[at + 2], record[at + 3],
                               record[at + 4]};
    point.turnover[share.site] = record[at + 5];
    if (!std::isnan(record[at + 6])) point.site_loss[share.site] = record[at + 6];
    at += of_site;
  }
  return point;
}

}  // namespace

std::optional<TwoKinds> two_kinds(std::vector<double> const& durations) {
  std::vector<double> y;
  for (double const duration : durations) y.push_back(std::log(duration));
  std::ranges::sort(y);
  if (y.size() < 2 * least_of_a_kind || y.front() == y.back()) return std::nullopt;
  Normal const one = weighted(y, std::vector<double>(y.size(), 1), 0);
  auto const mixture = fit_mixture(y, narrowest * one.sd);
  if (!mixture) return std::nullopt;
  double const of_one = Mixture{one, {0, 0, 1}}.log_likelihood(y);
  double const gain = 2 * (mixture->log_likelihood(y) - of_one);
  if (gain <= 3 * std::log(static_cast<double>(y.size()))) return std::nullopt;
  Mixture ordered = *mixture;
  if (ordered.low.mean > ordered.high.mean) std::swap(ordered.low, ordered.high);
  return TwoKinds{std::exp(ordered.low.mean), std::exp(ordered.high.mean), ordered.high.weight,
                  ordered.high.sd};
}

// A search of links in campaigns of many thousand jobs takes hours.
constexpr std::chrono::hours patience(24);

RunRound simulated_here(unsigned processes, study::Progress progress) {
  return [processes, progress = std::move(progress)](Round const& round) {
    auto rerun = study::run_replicas(round.tasks, processes, round.task, progress, patience);
    if (!rerun.trouble.empty()) throw ResourceError(rerun.trouble);
    if (rerun.interrupted) throw CalibrationInterrupted();
    if (!rerun.failed.empty()) {
      throw InternalError("a simulation of the fit failed: " + rerun.failed.front().why);
    }
    std::vector<study::Record> records;
    for (auto& [number, record] : rerun.records) records.push_back(std::move(record));
    return records;
  };
}

TimesBySite last_transfers(history::JobTable const& table) {
  TimesBySite times;
  for (history::JobRow const& row : table.rows) {
    bool const in_place =
        row.outcome == history::Outcome::success || row.outcome == history::Outcome::held_duration;
    if (in_place && row.transfer_last) times[row.last_site()].push_back(row.transfer_last->value());
  }
  return times;
}

void Proposal::set(std::string column, double value) {
  columns.push_back(std::move(column));
  values.push_back(value);
}

SimulatedCampaign::SimulatedCampaign(history::JobTable const& table, scenario::Pool pool,
                                     int epochs, Bytes input_size, DrawTable direct,
                                     study::Shocks shocks)
    : pool_(std::move(pool)),
      shocks_(shocks),
      campaign_(campaign_of(table, epochs, input_size, shocks)),
      direct_(std::move(direct)) {}

study::SimulatedCampaignReport SimulatedCampaign::simulate(Proposal const& proposal,
                                                           std::uint32_t draw,
                                                           RandomStreams const& streams) const {
  std::vector<std::string> columns = direct_.columns;
  std::vector<double> row = direct_.rows[draw % direct_.rows.size()];
  columns.insert(columns.end(), proposal.columns.begin(), proposal.columns.end());
  row.insert(row.end(), proposal.values.begin(), proposal.values.end());
  return study::simulated_report(pool_, campaign_, scenario::make_parameter_draw(columns, row),
                                 streams, horizon, shocks_);
}

std::vector<SiteShare> site_shares(TableRecords const& records) {
  std::vector<SiteShare> shares;
  for (std::string const& site : records.sites) {
    auto const n = std::ranges::count_if(
        records.jobs, [&](JobRecord const& job) { return job.first_site == site; });
    shares.push_back({site, static_cast<std::size_t>(n)});
  }
  return shares;
}

std::map<std::string, int> gpus_by_site(std::vector<SiteShare> const& shares,
                                        Turnover const& turnover, double gpus,
                                        RandomStream stream) {
  std::vector<double> weights;
  double sum = 0;
  for (SiteShare const& share : shares) {
    double const drawn =
        gamma_quantile(stream.uniform(), static_cast<double>(share.first_matches) + 0.5, 1);
    weights.push_back(drawn * turnover.at(share.site));
    sum += weights.back();
  }
  std::map<std::string, int> result;
  std::size_t largest = 0;
  int total = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    int const n = static_cast<int>(gpus * weights[i] / sum + stream.uniform());
    result[shares[i].site] = n;
    total += n;
    if (weights[i] > weights[largest]) largest = i;
  }
  if (total == 0) result[shares[largest].site] = 1;
  return result;
}

std::vector<double> LinkFit::weights(double gpus) const {
  double const n = std::clamp(gpus, points.front().gpus, points.back().gpus);
  std::vector<double> weights(points.size(), 0);
  std::size_t above = 0;
  while (points[above].gpus < n) ++above;
  weights[above] = 1;
  if (above == 0) return weights;
  double const low = points[above - 1].gpus;
  weights[above] = std::log(n / low) / std::log(points[above].gpus / low);
  weights[above - 1] = 1 - weights[above];
  return weights;
}

LinkPoint LinkFit::at(double gpus) const {
  auto const weight = weights(gpus);
  auto const below = static_cast<std::size_t>(
      std::ranges::find_if(weight, [](double w) { return w > 0; }) - weight.begin());
  if (weight[below] == 1) return points[below];
  LinkPoint const& low = points[below];
  LinkPoint const& high = points[below + 1];
  double const w = weight[below + 1];
  auto const between = [w](double a, double b) { return std::pow(a, 1 - w) * std::pow(b, w); };
  LinkPoint point{.gpus = gpus, .rate_noise = between(low.rate_noise, high.rate_noise)};
  for (auto const& [site, rates] : low.sites) {
    SiteRates const& other = high.sites.at(site);
    point.sites[site] = {
        between(rates.stream_limit, other.stream_limit), between(rates.capacity, other.capacity),
        between(rates.cold_share, other.cold_share), between(rates.cold_limit, other.cold_limit),
        between(rates.cold_noise, other.cold_noise)};
    point.turnover[site] = between(low.turnover.at(site), high.turnover.at(site));
  }
  return point;
}

std::vector<SharedLink> const& link_hypotheses() {
  static std::vector<SharedLink> const links{
      {SharedLink::Of::site, 1}, {SharedLink::Of::node, 2}, {SharedLink::Of::node, 4}};
  return links;
}

std::vector<std::string> cold_sites(LinkPoint const& point, std::vector<SiteShare> const& shares) {
  std::vector<std::string> sites;
  for (SiteShare const& share : shares) {
    if (point.sites.at(share.site).cold_share > 0) sites.push_back(share.site);
  }
  return sites;
}

bool has_transfers(LinkFit const& links, std::string const& site) {
  return links.points.front().site_loss.contains(site);
}

std::vector<LinkSearch> fit_links(
    std::size_t searches, SimulatedCampaign const& campaign, TableRecords const& records,
    std::vector<SiteShare> const& shares, std::vector<double> const& gpus,
    std::function<StallProposals(std::size_t hypothesis, double gpus)> const& stalls,
    LinkFitOptions const& options, RandomStreams const& streams, RunRound const& run_all) {
  TimesBySite const observed = observed_times(records);
  auto const& hypotheses = link_hypotheses();
  std::size_t const of_search = hypotheses.size() * gpus.size();
  auto const tasks = static_cast<std::uint32_t>(searches * of_search);
  SearchSpace const space(shares, observed);
  std::vector<std::vector<double>> starts(tasks, space.start(observed, records.input_size.value()));
  std::vector<LinkSearch> fits(searches);
  // The number of transfers that share a link depends on the turnover, and the turnover on the
  // links' rates, so each is fitted twice. One round leaves transfers a third too short.
  for (int round = 0; round < rounds; ++round) {
    auto const task = [&](std::uint32_t i) {
      std::size_t const h = i % of_search / gpus.size();
      double const n = gpus[i % gpus.size()];
      LinkSimulation simulation(i / of_search, hypotheses[h], campaign, space, shares, n,
                                stalls(h, n), streams);
      simulation.fit_turnover(starts[i]);
      std::vector<double> const found =
          search(simulation, observed, starts[i], options.evaluations);
      simulation.fit_turnover(found);
      return to_record(evaluate(simulation, observed, found), shares);
    };
    auto const records_of = run_all({tasks, task});
    for (LinkSearch& search : fits) {
      search.clear();
      for (SharedLink const& shared : hypotheses) search.push_back({shared, {}});
    }
    for (std::size_t i = 0; i < tasks; ++i) {
      LinkPoint const point = from_record(records_of[i], shares);
      fits[i / of_search][i % of_search / gpus.size()].points.push_back(point);
      starts[i] = space.at(point);
    }
  }
  return fits;
}

void propose_links(Proposal& proposal, SharedLink const& shared, LinkPoint const& point,
                   std::map<std::string, int> const& gpus) {
  double const none = scenario::unlimited_rate.value();
  bool const by_site = shared.of == SharedLink::Of::site;
  for (auto const& [site, rates] : point.sites) {
    proposal.set("gpus." + site, gpus.at(site));
    proposal.set("stream_limit_Bps." + site, rates.stream_limit);
    proposal.set("link_capacity_Bps." + site, by_site ? rates.capacity : none);
    proposal.set("node_capacity_Bps." + site, by_site ? none : rates.capacity);
    proposal.set("slots_per_node." + site, shared.slots_per_node);
    if (rates.cold_share == 0) continue;
    proposal.set("cold_share." + site, rates.cold_share);
    proposal.set("cold_limit_Bps." + site, rates.cold_limit);
    proposal.set("cold_sigma." + site, rates.cold_noise);
  }
  proposal.set("rate_noise", point.rate_noise);
}

}  // namespace gridcast::calibration
