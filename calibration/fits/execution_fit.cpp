#include "calibration/fits/execution_fit.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "calibration/inference/censored_families.hpp"
#include "calibration/inference/partial_pooling.hpp"
#include "sim/base/error.hpp"
#include "sim/base/statistics.hpp"

namespace gridcast::calibration {

namespace {

/// Index into records.sites; their number for "none".
std::size_t site_index(TableRecords const& records, std::string const& site) {
  std::size_t s = 0;
  while (s < records.sites.size() && records.sites[s] != site) ++s;
  return s;
}

// Unpacking.

struct SiteUnpack {
  std::size_t events = 0;  // jobs that ended right after unpacking; 0: borrowed
  double estimate = 0;
  std::vector<double> draws;
};

struct UnpackFit {
  std::vector<SiteUnpack> sites;  // as records.sites
  bool measured_somewhere = false;
};

constexpr BytesPerSecond published_rate(140e6);

std::vector<double> measured_at(TableRecords const& records, std::string const& site) {
  std::vector<double> seconds;
  for (WrongOutputRecord const& job : records.wrong_outputs) {
    if (job.cause == WrongOutputCause::network_down && job.site == site)
      seconds.push_back(job.seconds);
  }
  return seconds;
}

std::vector<double> completed_at(TableRecords const& records, std::string const& site) {
  std::vector<double> seconds;
  for (ExecutionRecord const& job : records.executions) {
    if (!job.censored() && job.site == site) seconds.push_back(job.seconds);
  }
  return seconds;
}

double relative_scatter(std::vector<double> const& x) {
  return x.size() < 2 ? 0 : standard_deviation(x) / mean(x);
}

/// Prior knowledge where nothing was measured: a centre and the sd of its logarithm.
struct Borrowed {
  double center = 0;
  double log_sd = 0;
};

Borrowed borrow(TableRecords const& records, UnpackFit const& fit) {
  double sum = 0;
  int measured = 0;
  for (SiteUnpack const& site : fit.sites) {
    if (site.events == 0) continue;
    sum += std::log(site.estimate);
    ++measured;
  }
  if (measured == 0) {
    return {(records.input_size / published_rate).value(), std::log(3.0) / ninety_percent};
  }
  return {std::exp(sum / measured), std::log(2.0) / ninety_percent};
}

UnpackFit fit_unpack(TableRecords const& records, std::size_t n_draws,
                     RandomStreams const& streams) {
  UnpackFit fit;
  fit.sites.resize(records.sites.size());
  for (std::size_t s = 0; s < fit.sites.size(); ++s) {
    std::vector<double> const measured = measured_at(records, records.sites[s]);
    fit.sites[s].events = measured.size();
    if (measured.empty()) continue;
    fit.sites[s].estimate = mean(measured);
    fit.measured_somewhere = true;
  }
  Borrowed const borrowed = borrow(records, fit);
  for (std::size_t s = 0; s < fit.sites.size(); ++s) {
    SiteUnpack& site = fit.sites[s];
    std::vector<double> const completed = completed_at(records, records.sites[s]);
    double const most = completed.empty() ? std::numeric_limits<double>::infinity()
                                          : *std::ranges::min_element(completed) / 2;
    double log_sd = borrowed.log_sd;
    if (site.events == 0) {
      site.estimate = std::min(borrowed.center, most);
    } else {
      log_sd = std::max(relative_scatter(measured_at(records, records.sites[s])),
                        completed.size() < 2 ? 0.05 : relative_scatter(completed));
    }
    site.draws =
        stratified_draws(bootstrap_stream(streams, DrawsOf::unpack, s), n_draws, [&](double u) {
          return std::min(site.estimate * std::exp(log_sd * normal_quantile(u)), most);
        });
  }
  return fit;
}

// The time an epoch.

struct SiteEpochs {
  std::size_t events = 0;
  std::size_t censored = 0;
  Sample sample;                   // seconds an epoch, at the estimate of unpack
  std::vector<FittedFamily> fits;  // best first; empty: borrowed
  std::vector<FittedFamily> draws;
};

/// The fewest completed executions for a fit of a site's own.
constexpr std::size_t enough_executions = 5;

double log_median(Distribution const& distribution) { return std::log(distribution.quantile(0.5)); }

Distribution scaled(Distribution distribution, double factor) {
  distribution.scale *= factor;
  distribution.shift *= factor;
  return distribution;
}

/// The sites with fits of their own, whose shapes the others borrow.
struct FittedSites {
  std::vector<std::vector<FittedFamily>> draws;  // one list a site
  std::vector<double> log_medians;
  std::vector<double> variances;

  void add(std::vector<FittedFamily> const& of_site) {
    std::vector<double> const logs =
        each_of(of_site, [](FittedFamily const& draw) { return log_median(draw.distribution); });
    draws.push_back(of_site);
    log_medians.push_back(mean(logs));
    variances.push_back(variance(logs));
  }
};

/// The distribution moved to a median for another site: one of many drawn from the spread between
/// sites, chosen by the likelihood of that site's observations (importance resampling).
Distribution rescaled(Distribution const& shape, SiteSpread const& sites, Sample const& seen,
                      RandomStream& stream) {
  struct Candidate {
    double factor, weight;
  };
  std::vector<Candidate> candidates;
  double best = -HUGE_VAL;
  for (int i = 0; i < 1000; ++i) {
    double const factor = std::exp(sites.draw_site(stream) - log_median(shape));
    candidates.push_back({factor, log_likelihood(seen, scaled(shape, factor))});
    best = std::max(best, candidates.back().weight);
  }
  double sum = 0;
  for (Candidate& candidate : candidates) {
    // If the shape cannot explain the observations at all, all candidates are as good.
    candidate.weight = std::isfinite(best) ? std::exp(candidate.weight - best) : 1;
    sum += candidate.weight;
  }
  double const factor =
      candidates[pick(candidates, &Candidate::weight, stream.uniform() * sum)].factor;
  return scaled(shape, factor);
}

class EpochFit {
 public:
  EpochFit(TableRecords const& records, UnpackFit const& unpack, int epochs, std::size_t n_draws,
           RandomStreams const& streams)
      : records_(records), unpack_(unpack), epochs_(epochs), n_draws_(n_draws), streams_(streams) {}

  std::vector<SiteEpochs> run() const {
    std::vector<SiteEpochs> sites;
    FittedSites fitted;
    for (std::size_t s = 0; s < records_.sites.size(); ++s) {
      sites.push_back(own(s));
      if (!sites.back().fits.empty()) fitted.add(sites.back().draws);
    }
    if (fitted.draws.empty()) fitted.add(own(records_.sites.size()).draws);
    for (std::size_t s = 0; s < sites.size(); ++s) {
      if (sites[s].fits.empty()) borrow(sites[s], s, fitted);
    }
    return sites;
  }

 private:
  /// Executions at site s, or at all for s = number of sites; unpack by its estimate or by a draw.
  Sample sample(std::size_t s, std::size_t const* draw) const {
    Sample sample;
    for (ExecutionRecord const& execution : records_.executions) {
      std::size_t const at = site_index(records_, execution.site);
      if (at == records_.sites.size() || (s != at && s != records_.sites.size())) continue;
      SiteUnpack const& unpack = unpack_.sites[at];
      double const before = draw == nullptr ? unpack.estimate : unpack.draws[*draw];
      // An execution that was cut short while unpacking is no evidence on epochs.
      if (execution.seconds <= before) continue;
      sample.push_back({(execution.seconds - before) / epochs_, execution.censored()});
    }
    return with_rounding(std::move(sample), 1. / epochs_, 1,
                         bootstrap_stream(streams_, "epoch_rounding"));
  }

  /// Executions at site s (all for s = number of sites) fitted on their own.
  SiteEpochs own(std::size_t s) const {
    SiteEpochs site;
    site.sample = sample(s, nullptr);
    site.events = count_events(site.sample);
    site.censored = site.sample.size() - site.events;
    if (site.events < enough_executions) return site;
    site.fits = fit_families(site.sample);
    for (std::size_t draw = 0; draw < n_draws_; ++draw) {
      RandomStream stream = bootstrap_stream(streams_, DrawsOf::epoch_time, s, draw);
      site.draws.push_back(draw_distribution(sample(s, &draw), site.fits, stream));
    }
    return site;
  }

  void borrow(SiteEpochs& site, std::size_t s, FittedSites const& fitted) const {
    SiteSpread const spread(fitted.log_medians, fitted.variances);
    for (std::size_t draw = 0; draw < n_draws_; ++draw) {
      RandomStream stream = bootstrap_stream(streams_, DrawsOf::between_sites, s, draw);
      auto const other = stream.below(static_cast<std::uint32_t>(fitted.draws.size()));
      FittedFamily borrowed = fitted.draws[other][draw];
      borrowed.distribution = rescaled(borrowed.distribution, spread, sample(s, &draw), stream);
      site.draws.push_back(borrowed);
    }
  }

  TableRecords const& records_;
  UnpackFit const& unpack_;
  int epochs_;
  std::size_t n_draws_;
  RandomStreams const& streams_;
};

std::vector<SiteEpochs> fit_epochs(TableRecords const& records, UnpackFit const& unpack, int epochs,
                                   std::size_t n_draws, RandomStreams const& streams) {
  std::size_t completed = 0;
  for (ExecutionRecord const& execution : records.executions) {
    if (!execution.censored() && site_index(records, execution.site) < records.sites.size()) {
      ++completed;
    }
  }
  if (completed < enough_executions) {
    refuse({}, "only " + std::to_string(completed) + " executions were completed",
           "the time an epoch is fitted to five or more", "Give more job tables.");
  }
  return EpochFit(records, unpack, epochs, n_draws, streams).run();
}

// The tail.

struct Killed {
  int killed = 0;
  int exposed = 0;  // all but those evicted before
  double limit = std::numeric_limits<double>::infinity();
};

Killed count_killed(TableRecords const& records, std::string const& site) {
  Killed count;
  for (ExecutionRecord const& execution : records.executions) {
    if (execution.site != site || execution.end == ExecutionEnd::evicted) continue;
    ++count.exposed;
    if (execution.end != ExecutionEnd::killed_at_limit) continue;
    ++count.killed;
    count.limit = std::min(count.limit, execution.seconds);
  }
  count.limit = 600 * std::floor(count.limit / 600);
  return count;
}

/// "P(execution > 72000 s at 5 epochs) = ...", beside the observed share; empty if no execution of
/// the site was killed at the limit.
std::string execution_tail(TableRecords const& records, std::string const& site,
                           SiteUnpack const& unpack, SiteEpochs const& epoch_times, int epochs) {
  Killed const seen = count_killed(records, site);
  if (seen.killed == 0) return "";
  std::vector<double> beyond;
  for (std::size_t draw = 0; draw < unpack.draws.size(); ++draw) {
    double const epoch = (seen.limit - unpack.draws[draw]) / epochs;
    beyond.push_back(std::exp(epoch_times.draws[draw].distribution.log_survival(epoch)));
  }
  double const levels[] = {0.05, 0.95};
  std::vector<double> const q = quantiles(beyond, levels);
  return fmt::format(
      "P(execution > {:.0f} s at {} epochs) = {:.3f} [{:.3f}, {:.3f}], seen in {} of {}",
      seen.limit, epochs, mean(beyond), q[0], q[1], seen.killed, seen.exposed);
}

// Lines of the file.

constexpr std::size_t goodness_resamples = 199;

void add_unpack(Fit& fit, std::string const& site, SiteUnpack const& unpack,
                bool measured_somewhere) {
  Estimate line = site_line("unpack_s", site, "s", "", unpack.events);
  line.estimate = unpack.estimate;
  if (unpack.events > 0) {
    line.method =
        "mean of executions that ended right after unpacking; lognormal with the relative "
        "scatter of the site's executions";
  } else {
    std::string const source = measured_somewhere
                                   ? "the sites where it shows, with a factor of two either way"
                                   : "input size / 140 MB/s (published campaign), with a factor of "
                                     "three either way";
    line.method = "borrowed from " + source;
    line.origin = measured_somewhere ? Origin::borrowed : Origin::by_default;
    fit.not_identified.push_back(
        {line.name, "no job at the site ended right after unpacking", source});
  }
  add_parameter(fit, line, unpack.draws);
}

std::string describe_weights(std::vector<FittedFamily> const& fits) {
  std::string text;
  for (FittedFamily const& family : fits) {
    if (family.weight == 0) continue;
    text += fmt::format("{}{} {:.2f}", text.empty() ? "" : ", ", family.form.text(), family.weight);
  }
  return text;
}

std::string describe_fit(SiteEpochs const& site, RandomStream const& stream) {
  FittedFamily const& best = site.fits.front();
  GoodnessOfFit const goodness = goodness_of_fit(site.sample, best, goodness_resamples, stream);
  std::string text = fmt::format(
      "Akaike weights: {}; median {:.1f} s, Kaplan-Meier {:.1f} s; {} {:.3f}, p = {:.3f} ({} "
      "resamples)",
      describe_weights(site.fits), best.distribution.quantile(0.5),
      KaplanMeier(site.sample).quantile(0.5),
      goodness.anderson_darling ? "Anderson-Darling" : "Kaplan-Meier distance", goodness.statistic,
      goodness.p_value, goodness_resamples);
  if (goodness.p_value < 0.05) {
    double const width = best.distribution.quantile(0.95) - best.distribution.quantile(0.05);
    text += fmt::format(
        ": the family is not right in detail; its 5 to 95 % range is {:.1f} % of the median",
        100 * width / best.distribution.quantile(0.5));
  }
  return text;
}

struct EpochColumn {
  std::string_view name, unit;
  double (*value)(Distribution const&);
};

constexpr EpochColumn epoch_columns[] = {
    {"epoch_family", "index", [](auto const& d) { return static_cast<double>(d.family); }},
    {"epoch_shape", "1", [](auto const& d) { return d.shape; }},
    {"epoch_scale_s", "s", [](auto const& d) { return d.scale; }},
    {"epoch_shift_s", "s", [](auto const& d) { return d.shift; }}};

std::vector<double> values_of(std::vector<FittedFamily> const& draws, EpochColumn const& column) {
  return each_of(draws, [&](FittedFamily const& draw) { return column.value(draw.distribution); });
}

std::vector<FittedFamily> draws_of(FamilyForm form, std::vector<FittedFamily> const& draws) {
  std::vector<FittedFamily> same;
  std::ranges::copy_if(draws, std::back_inserter(same),
                       [&](FittedFamily const& draw) { return draw.form == form; });
  return same;
}

/// The form that most draws have, the first of them in all_forms() if several do.
FamilyForm most_common(std::vector<FittedFamily> const& draws) {
  return *std::ranges::max_element(all_forms(), [&](FamilyForm const& a, FamilyForm const& b) {
    return draws_of(a, draws).size() < draws_of(b, draws).size();
  });
}

void add_epochs(Fit& fit, std::string const& name, SiteEpochs const& site,
                std::string const& method, std::string const& text) {
  bool const own = !site.fits.empty();
  FamilyForm const form = own ? site.fits.front().form : most_common(site.draws);
  std::vector<FittedFamily> const same = draws_of(form, site.draws);
  for (EpochColumn const& column : epoch_columns) {
    std::vector<double> const values = values_of(same, column);
    bool const choice = column.unit == "index";  // of the family
    Estimate line = site_line(
        std::string(column.name), name, std::string(column.unit),
        choice ? method : "of the " + form.text() + "; interval over its draws only", site.events);
    line.estimate = own ? column.value(site.fits.front().distribution) : median(values);
    line.censored = site.censored;
    if (!own) line.origin = Origin::borrowed;
    if (choice) line.fit = text;
    add_parameter(fit, line, values_of(site.draws, column));
    // Parameters of different families are different things.
    if (!choice && !same.empty()) summarize(fit.estimates.back(), values);
  }
}

void add_borrowed_epochs(Fit& fit, std::string const& name, SiteEpochs const& site) {
  std::string const source =
      "the shape of other sites at random, the median from the spread between sites";
  add_epochs(fit, name, site, "borrowed: " + source, "");
  fit.not_identified.push_back(
      {"epoch time at " + name,
       site.events == 0 ? "the tables hold no completed execution there"
                        : fmt::format("only {} completed executions there", site.events),
       source + (site.sample.empty() ? "" : ", with the likelihood of its few executions")});
}

}  // namespace

Fit execution_fit(TableRecords const& records, int epochs, std::size_t n_draws,
                  RandomStreams const& streams) {
  UnpackFit const unpack = fit_unpack(records, n_draws, streams);
  std::vector<SiteEpochs> const sites = fit_epochs(records, unpack, epochs, n_draws, streams);
  Fit fit;
  for (std::size_t s = 0; s < sites.size(); ++s) {
    std::string const& name = records.sites[s];
    add_unpack(fit, name, unpack.sites[s], unpack.measured_somewhere);
    if (sites[s].fits.empty()) {
      add_borrowed_epochs(fit, name, sites[s]);
      continue;
    }
    std::string text =
        describe_fit(sites[s], bootstrap_stream(streams, DrawsOf::epoch_goodness, s));
    auto const tail = execution_tail(records, name, unpack.sites[s], sites[s], epochs);
    if (!tail.empty()) text += "; " + tail;
    add_epochs(fit, name, sites[s],
               "maximum likelihood with censoring, families by AICc; weighted likelihood bootstrap",
               text);
  }
  return fit;
}

}  // namespace gridcast::calibration
