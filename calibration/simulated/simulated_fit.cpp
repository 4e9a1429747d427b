#include "calibration/simulated/simulated_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "calibration/fits/outage_fit.hpp"
#include "sim/base/error.hpp"
#include "sim/base/statistics.hpp"
#include "sim/scenario/parameter_draw.hpp"

namespace gridcast::calibration {

namespace {

constexpr std::size_t searches = 3;
constexpr std::size_t stalls_a_link_fit = 36;  // twelve a search

// The numbers of GPUs at which capacities are fitted, from one end of the range to the other.
// LinkFit::at() interpolates.
std::vector<double> gpus_to_fit_at(AvailabilityRange const& range) {
  constexpr int points = 4;
  std::vector<double> gpus;
  for (int i = 0; i < points; ++i) {
    gpus.push_back(range.low * std::pow(range.high / range.low, i / (points - 1.0)));
  }
  return gpus;
}

std::size_t stall_events(TableRecords const& records) {
  return sum_of<std::size_t>(
      records.jobs, [](JobRecord const& job) { return static_cast<std::size_t>(job.stalls); });
}

std::size_t transfers_at(TableRecords const& records, std::string const& site) {
  return static_cast<std::size_t>(std::ranges::count_if(records.jobs, [&](JobRecord const& job) {
    return job.got_data && job.last_transfer && job.last_site == site;
  }));
}

constexpr char borrowed_links[] = "the spread between the sites whose transfers the table shows";

/// Stall columns that keep their prior: a table has no information about a second cache or about
/// attempts less than an hour apart.
bool is_prior(std::string const& column) {
  return column == "redraw_interval_s" || column == "next_cache_dependence";
}

std::string losses(LinkFit const& links, std::string const& site) {
  std::string text =
      "Wasserstein-1 distance of last-transfer times over the data's mean absolute deviation:";
  for (LinkPoint const& point : links.points) {
    auto const loss = point.site_loss.find(site);
    if (loss == point.site_loss.end()) return "no transfer of the table was there";
    text += fmt::format(" {:.2f} with {:.0f} GPUs,", loss->second, point.gpus);
  }
  text.back() = '.';
  return text;
}

class Documentation {
 public:
  Documentation(TableRecords const& records, LinkFit const& links, StallFitOptions const& options)
      : records_(records), links_(links), options_(options), stalls_(stall_events(records)) {}

  Estimate of(std::string const& column) const {
    auto const dot = column.find('.');
    std::string const key = column.substr(0, dot);
    if (dot != std::string::npos) return at_site(column, key, column.substr(dot + 1));
    Estimate line;
    line.name = column;
    line.events = stalls_;
    line.unit = key.ends_with("_s") ? "s" : key.starts_with("outage_") ? "index" : "1";
    if (key == "rate_noise") {
      line.events = records_.jobs.size();
      line.method = "sd of ln(rate) of an attempt; with the links, through the simulator";
      return line;
    }
    if (stalls_ == 0 || is_prior(key)) line.origin = Origin::by_default;
    line.method = fmt::format(
        "approximate Bayesian computation, the {} of {} simulated campaigns nearest "
        "to the table",
        options_.keep, options_.simulations);
    if (key == "outage_scope") {
      line.method +=
          "; 0 origin, 1 cache, 2 path, 3 node, 4 uplink, 5 none; weights under model_weights";
    }
    if (key == "outage_kind") line.method += "; 0 dead, 1 slow";
    return line;
  }

 private:
  Estimate at_site(std::string const& column, std::string const& key,
                   std::string const& site) const {
    Estimate line;
    line.name = column;
    line.events = transfers_at(records_, site);
    if (key == "gpus" || key == "slots_per_node") line.origin = Origin::by_default;
    if (key == "gpus") {
      line.unit = "1";
      line.method = fmt::format(
          "assumed: all sites together log-uniform from {:.0f} to {:.0f}, thinned by "
          "the stall fit; shares by site from first matches",
          options_.availability.low, options_.availability.high);
      return line;
    }
    line.unit = key.ends_with("_Bps") ? "B/s" : "1";
    line.method =
        key == "slots_per_node"
            ? "assumed: 1 where a site's link is shared, else 2 or 4, with the hypotheses"
        : key.starts_with("cold_")
            ? "through the simulator: the last transfers there form two groups"
            : "through the simulator, at the draw's number of GPUs; inf: there is no such link";
    line.fit = losses(links_, site);
    bool const borrowed = key.ends_with("_Bps") && !has_transfers(links_, site);
    if (borrowed) {
      line.origin = Origin::borrowed;
      line.method = fmt::format("borrowed: {}; inf: there is no such link", borrowed_links);
    }
    return line;
  }

  TableRecords const& records_;
  LinkFit const& links_;
  StallFitOptions const& options_;
  std::size_t stalls_;
};

// Tests whether new simulations look like the table, summary by summary. The kept simulations were
// selected for that, so they are no test.
void add_summary_tests(Fit& fit, StallFitResult const& stalls,
                       std::vector<std::vector<double>> const& again) {
  for (std::size_t k = 0; k < stalls.summaries.size(); ++k) {
    std::vector<double> simulated;
    for (auto const& summary : again) simulated.push_back(summary[k]);
    double const below = percentile_rank(stalls.observed[k], simulated);
    double const p = 2 * std::min(below, 1 - below);
    fit.tests.push_back({"the fitted stall models give the table's " + stalls.summaries[k],
                         "percentile rank among campaigns simulated anew from the draws, two-sided",
                         stalls.observed[k], median(simulated), p,
                         p < 0.05 ? "missed" : "reached"});
  }
}

void add_unseen(Fit& fit, TableRecords const& records, LinkFit const& links) {
  for (auto const& [site, rates] : links.points.front().sites) {
    if (has_transfers(links, site)) continue;
    fit.not_identified.push_back(
        {fmt::format("stream_limit_Bps.{0}, link_capacity_Bps.{0}, node_capacity_Bps.{0}", site),
         "no transfer of the table was there", borrowed_links});
  }
  if (stall_events(records) > 0) return;
  fit.not_identified.push_back(
      no_stall_seen(static_cast<std::size_t>(count_events(records).attempts),
                    "the prior of the causes of stalls, thinned to campaigns with hardly any; "
                    "nothing is known of outages, their scope and their length"));
}

void add_gaps(Fit& fit, AvailabilityRange const& range, std::vector<std::string> const& cold) {
  if (!cold.empty()) {
    fit.not_identified.push_back(
        {fmt::format("why some transfers at {} are slow (cold_share)", fmt::join(cold, " and ")),
         "caches that lack the file and nodes with narrow links give the same times",
         "cold caches: each try draws anew whether it meets one"});
  }
  fit.not_identified.push_back(
      {"GPUs at a time (gpus.SITE, all sites together)",
       "the table holds no dates; \"one week\" and \"685 GPU hours\" give an average of four, and "
       "transfers that shared links show that there were times with many more",
       fmt::format("a stated range, log-uniform from {:.0f} to {:.0f}; every other fit through the "
                   "simulator is made over it",
                   range.low, range.high)});
  fit.not_identified.push_back(
      {"the cause of repeated stalls (outage_scope)",
       "something dead for hours, something slow, and links that are too narrow under the timer "
       "can give the same counts",
       "all are kept, with the weights under model_weights; forecasts are shown under each"});
  fit.not_identified.push_back(
      {"whether time beyond 3,750 s a stall was a slow transfer or waiting for a slot",
       "the table's total includes everything from first match to data in place",
       "taken as a transfer that is slow before it stops (slow_before_stall), slot time as in the "
       "report"});
  fit.not_identified.push_back({"the delay between a failure and the next match",
                                "thirteen stalls in a row cost 3,729 s each, no more than the "
                                "timeout and its check: nothing is left for it",
                                "the negotiator's cycle of 60 s alone"});
  fit.not_identified.push_back(
      {"stalls shorter than 3,600 s that end by themselves",
       "the starter notices none of them; they hide in the times of transfers that succeeded",
       "none; a shorter stall timeout may therefore interrupt more than the forecast shows"});
}

/// The scale on which a parameter's errors do not depend on its value.
enum class Scale { log, logit, log_above_one };

Scale scale_of(Estimate const& line, std::vector<double> const& draws) {
  if (line.name.ends_with("_mean_hits")) return Scale::log_above_one;
  bool const share =
      line.unit == "1" && std::ranges::all_of(draws, [](double x) { return x <= 1; });
  return share ? Scale::logit : Scale::log;
}

constexpr double nearly_nothing = 1e-15;

double on(Scale scale, double x) {
  if (scale == Scale::logit) {
    return std::log(std::max(x, nearly_nothing) / std::max(1 - x, nearly_nothing));
  }
  return std::log(std::max(scale == Scale::log_above_one ? x - 1 : x, nearly_nothing));
}

double back_from(Scale scale, double g) {
  if (scale == Scale::logit) return inverse_logit(g);
  return std::exp(g) + (scale == Scale::log_above_one ? 1 : 0);
}

double half_width(std::vector<double> const& values) {
  double const levels[] = {0.16, 0.84};
  auto const q = quantiles(values, levels);
  return (q[1] - q[0]) / 2;
}

bool is_identified(Fit const& fit, Estimate const& line) {
  return line.events > 0 && std::ranges::none_of(fit.not_identified, [&](NotIdentified const& gap) {
           return gap.what.find(line.name) != std::string::npos;
         });
}

/// Estimates of simulated campaigns, one row each.
std::vector<std::vector<double>> estimates_again(std::size_t columns, FitAgain const& again,
                                                 std::size_t campaigns, RunRound const& run_all) {
  auto const task = [&](std::uint32_t i) {
    study::Record record(columns, std::numeric_limits<double>::quiet_NaN());
    try {
      Fit const fit = again(i);
      for (std::size_t c = 0; c < columns; ++c) record[c] = fit.estimates[c].estimate;
    } catch (InputError const&) {
      // That campaign's table has too little to fit.
    }
    return record;
  };
  return run_all({static_cast<std::uint32_t>(campaigns), task});
}

/// Leaves out campaigns whose event lasts a time: no mean number of hits acts in them.
void keep_counted_in_starts(Fit const& fit, std::string const& name,
                            std::vector<double>& estimates) {
  constexpr std::string_view ending = "_mean_hits";
  if (!name.ends_with(ending)) return;
  auto const lasts = fit.draws.column(name.substr(0, name.size() - ending.size()) + "_lasts_s");
  for (std::size_t i = 0; i < estimates.size(); ++i) {
    if (lasts[i % lasts.size()] > 0) estimates[i] = std::numeric_limits<double>::quiet_NaN();
  }
}

void correct(Estimate& line, std::vector<double>& draws, std::vector<double> const& estimates) {
  constexpr std::size_t enough = 20;
  Scale const scale = scale_of(line, draws);
  std::vector<double> errors, spread;
  for (std::size_t i = 0; i < estimates.size(); ++i) {
    double const truth = draws[i % draws.size()];
    if (std::isfinite(estimates[i])) errors.push_back(on(scale, estimates[i]) - on(scale, truth));
  }
  if (errors.size() < enough) return;
  for (double const x : draws) spread.push_back(on(scale, x));
  double const bias = median(errors);
  double const width = half_width(spread);
  double const wider = width > 0 ? std::max(1., half_width(errors) / width) : 1;
  double const center = on(scale, line.estimate);
  for (double& x : draws) x = back_from(scale, center - bias + wider * (on(scale, x) - center));
  line.estimate = median(draws);
  line.method += fmt::format("; by simulation moved by {:.2f} of its {}, {:.2f} times as wide",
                             -bias, scale == Scale::logit ? "logit" : "logarithm", wider);
  summarize(line, draws);
}

/// w >= 0 of the least squares of N_i = a x_i E_i + w E_i; zero where the rates x are all alike.
double beyond_rate(std::vector<SiteCount> const& counts, std::vector<double> const& rates) {
  double xx = 0, xe = 0, ee = 0, xn = 0, en = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    double const n = counts[i].events, e = counts[i].exposure;
    double const x = rates[i] * e;
    xx += x * x;
    xe += x * e;
    ee += e * e;
    xn += x * n;
    en += e * n;
  }
  double const determinant = xx * ee - xe * xe;
  constexpr double rounding = 1e-9;
  return determinant > rounding * xx * ee ? std::max(0.0, (xx * en - xe * xn) / determinant) : 0;
}

}  // namespace

Fit fit_through_simulator(history::JobTable const& table, scenario::Pool const& pool,
                          TableRecords const& records, int epochs, DrawTable const& direct,
                          StallFitOptions const& options, RandomStreams const& streams,
                          RunRound const& run_all) {
  SimulatedCampaign const campaign(table, pool, epochs, records.input_size, direct);
  auto const shares = site_shares(records);
  auto const gpus = gpus_to_fit_at(options.availability);
  auto const links_with = [&](std::size_t n, auto const& stalls) {
    return fit_links(n, campaign, records, shares, gpus, stalls, options.links, streams, run_all);
  };
  auto links = links_with(1, [](std::size_t, double) { return first_guess(); });
  // The stall fits that only serve the links need less precision than the last one.
  StallFitOptions rough = options;
  rough.simulations = std::max(options.simulations / 4, rough.keep);
  StallFitResult stalls = fit_stalls(campaign, table, shares, links, {}, rough, streams, run_all);
  links = links_with(searches, [&](std::size_t i, double n) {
    return nearest_stalls(stalls, i, n, stalls_a_link_fit);
  });
  stalls = fit_stalls(campaign, table, shares, links, {}, rough, streams, run_all);
  stalls = fit_stalls(campaign, table, shares, links, stalls.moves, options, streams, run_all);

  Fit fit;
  LinkSearch const& first = links.front();
  Documentation const documentation(records, first.front(), options);
  auto const& columns = stalls.kept.front().columns;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    std::vector<double> values;
    for (Proposal const& kept : stalls.kept) values.push_back(kept.values[k]);
    add_posterior(fit, documentation.of(columns[k]), values);
  }
  add_summary_tests(fit, stalls, simulate_again(campaign, stalls, options, run_all));
  add_gaps(fit, options.availability, cold_sites(first.front().points.front(), shares));
  add_unseen(fit, records, first.front());
  fit.hypotheses = stalls.posterior;
  return fit;
}

std::vector<double> walltime_ends(DrawTable const& draws, std::vector<std::string> const& sites,
                                  EvictionsAgain const& again, RunRound const& run_all) {
  std::size_t const values = 2 * sites.size();
  auto const task = [&](std::uint32_t i) {
    study::Record record(values, 0);
    try {
      auto const counted = again(i);
      for (std::size_t s = 0; s < counted.size(); ++s) {
        record[2 * s] = counted[s].events;
        record[2 * s + 1] = counted[s].exposure;
      }
    } catch (InputError const&) {
      // That campaign's table has too little to count.
    }
    return record;
  };
  auto const rows = run_all({static_cast<std::uint32_t>(draws.rows.size()), task});
  std::vector<double> ends;
  for (std::size_t s = 0; s < sites.size(); ++s) {
    std::vector<SiteCount> counts;
    for (auto const& row : rows) counts.push_back({row[2 * s], row[2 * s + 1]});
    ends.push_back(beyond_rate(counts, draws.column("pilot_kill_per_s." + sites[s])));
  }
  return ends;
}

Fit recalibrated(Fit fit, FitAgain const& again, std::size_t campaigns, RunRound const& run_all) {
  auto const rows = estimates_again(fit.estimates.size(), again, campaigns, run_all);
  for (std::size_t c = 0; c < fit.estimates.size(); ++c) {
    if (!is_identified(fit, fit.estimates[c])) continue;
    std::vector<double> draws = fit.draws.column(fit.estimates[c].name);
    std::vector<double> estimates = each_of(rows, [&](auto const& row) { return row[c]; });
    keep_counted_in_starts(fit, fit.estimates[c].name, estimates);
    correct(fit.estimates[c], draws, estimates);
    for (std::size_t i = 0; i < draws.size(); ++i) fit.draws.rows[i][c] = draws[i];
  }
  return fit;
}

}  // namespace gridcast::calibration
