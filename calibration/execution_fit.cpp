#include "calibration/execution_fit.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "calibration/epoch_fit.hpp"
#include "calibration/execution_tail.hpp"
#include "calibration/goodness_of_fit.hpp"
#include "calibration/posterior.hpp"
#include "calibration/unpack_fit.hpp"
#include "sim/base/statistics.hpp"

namespace gridcast::calibration {
namespace {

constexpr std::size_t goodness_resamples = 199;

void add_unpack(Fit& fit, std::string const& site, SiteUnpack const& unpack,
                bool measured_somewhere) {
  Estimate line;
  line.name = "unpack_s." + site;
  line.unit = "s";
  line.estimate = unpack.estimate;
  line.events = unpack.events;
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
  std::string name;
  std::string unit;
  double (*value)(Distribution const&);
};

double family_index(Distribution const& d) { return static_cast<double>(d.family); }
double shape_of(Distribution const& d) { return d.shape; }
double scale_of(Distribution const& d) { return d.scale; }
double shift_of(Distribution const& d) { return d.shift; }

std::vector<EpochColumn> const& epoch_columns() {
  static std::vector<EpochColumn> const columns = {{"epoch_family", "index", family_index},
                                                   {"epoch_shape", "1", shape_of},
                                                   {"epoch_scale_s", "s", scale_of},
                                                   {"epoch_shift_s", "s", shift_of}};
  return columns;
}

std::vector<double> values_of(std::vector<FittedFamily> const& draws, EpochColumn const& column) {
  std::vector<double> values;
  values.reserve(draws.size());
  for (FittedFamily const& draw : draws) values.push_back(column.value(draw.distribution));
  return values;
}

std::vector<FittedFamily> draws_of(FamilyForm form, std::vector<FittedFamily> const& draws) {
  std::vector<FittedFamily> same;
  std::copy_if(draws.begin(), draws.end(), std::back_inserter(same),
               [&](FittedFamily const& draw) { return draw.form == form; });
  return same;
}

/// The form that most draws have, the first of them in all_forms() if several do.
FamilyForm most_common(std::vector<FittedFamily> const& draws) {
  return *std::max_element(all_forms().begin(), all_forms().end(),
                           [&](FamilyForm const& a, FamilyForm const& b) {
                             return draws_of(a, draws).size() < draws_of(b, draws).size();
                           });
}

void add_epochs(Fit& fit, std::string const& name, SiteEpochs const& site,
                std::string const& method, std::string const& text) {
  bool const own = !site.fits.empty();
  FamilyForm const form = own ? site.fits.front().form : most_common(site.draws);
  std::vector<FittedFamily> const same = draws_of(form, site.draws);
  for (EpochColumn const& column : epoch_columns()) {
    std::vector<double> const values = values_of(same, column);
    Estimate line;
    line.name = column.name + "." + name;
    line.unit = column.unit;
    line.estimate = own ? column.value(site.fits.front().distribution) : median(values);
    line.events = site.events;
    line.censored = site.censored;
    bool const choice = column.value == family_index;
    line.method = choice ? method : "of the " + form.text() + "; interval over its draws only";
    if (choice) line.fit = text;
    add_parameter(fit, line, values_of(site.draws, column));
    // Parameters of different families are different things.
    if (!choice && !same.empty()) summarize(fit.estimates.back(), values);
  }
}

void add_own_epochs(Fit& fit, std::string const& name, SiteEpochs const& site,
                    std::string const& text) {
  add_epochs(fit, name, site,
             "maximum likelihood with censoring, families by AICc; weighted likelihood bootstrap",
             text);
}

void add_borrowed_epochs(Fit& fit, std::string const& name, SiteEpochs const& site) {
  std::string const source =
      "the shape of other sites at random, the median from the spread between sites";
  add_epochs(fit, name, site, "borrowed: " + source, "");
  fit.not_identified.push_back(
      {"epoch time at " + name,
       site.events == 0 ? "the tables hold no completed execution there"
                        : fmt::format("only {} completed executions there", site.events),
       source + (site.sample.empty() ? "" : ", with the likelihood of what there is")});
}

}  // namespace

Fit execution_fit(Records const& records, int epochs, std::size_t n_draws,
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
    if (auto const tail = execution_tail(records, name, unpack.sites[s], sites[s], epochs)) {
      text += "; " + tail->text;
      fit.tests.push_back(tail->test);
    }
    add_own_epochs(fit, name, sites[s], text);
  }
  return fit;
}

}  // namespace gridcast::calibration
