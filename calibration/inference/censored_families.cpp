#include "calibration/inference/censored_families.hpp"

#include <algorithm>
#include <cmath>

#include "calibration/fits/estimate.hpp"
#include "calibration/inference/special_functions.hpp"
#include "sim/base/error.hpp"
#include "sim/base/statistics.hpp"

namespace gridcast::calibration {

namespace {

constexpr double indistinguishable = 4;  // difference in AICc

/// A form's parameters as the optimiser sees them: ln scale, ln shape, ln of the gap between the
/// threshold and the smallest event; those that the form has.
struct Likelihood {
  Sample const& sample;
  FamilyForm form;
  double smallest = 0;   // event
  double least_gap = 0;  // below it
};

Likelihood make_likelihood(Sample const& sample, FamilyForm form, double gap_factor = 1) {
  std::vector<double> events;
  for (Observation const& x : sample) {
    if (!x.censored) events.push_back(x.value);
  }
  check(events.size() >= 2, "a distribution is fitted to two events or more");
  double const smallest = *std::ranges::min_element(events);
  double const spread = median(events) - smallest;
  double const gap =
      std::max(gap_factor * spread / static_cast<double>(events.size()), 1e-6 * smallest);
  return {sample, form, smallest, std::min(gap, smallest)};
}

Distribution to_distribution(Likelihood const& likelihood, std::vector<double> const& x) {
  Distribution d;
  d.family = likelihood.form.family;
  d.scale = std::exp(x[0]);
  if (d.family != Family::exponential) d.shape = std::exp(x[1]);
  if (likelihood.form.shifted) d.shift = std::max(0.0, likelihood.smallest - std::exp(x[2]));
  return d;
}

std::vector<double> to_parameters(Likelihood const& likelihood, Distribution const& d) {
  std::vector<double> x = {std::log(d.scale)};
  if (d.family != Family::exponential) x.push_back(std::log(d.shape));
  if (likelihood.form.shifted) {
    double const gap = likelihood.smallest - d.shift;
    x.push_back(std::log(std::clamp(gap, likelihood.least_gap, likelihood.smallest)));
  }
  return x;
}

FittedFamily maximise(Likelihood const& likelihood, Distribution const& start) {
  std::vector<double> const from = to_parameters(likelihood, start);
  SearchBox box;
  if (likelihood.form.shifted) {
    box.low.assign(from.size(), -infinity);
    box.high.assign(from.size(), infinity);
    box.low.back() = std::log(likelihood.least_gap);
    box.high.back() = std::log(likelihood.smallest);
  }
  Minimum const found = minimise(
      [&](std::vector<double> const& x) {
        return -log_likelihood(likelihood.sample, to_distribution(likelihood, x));
      },
      from, 0.25, box);
  FittedFamily fit{.form = likelihood.form,
                   .distribution = to_distribution(likelihood, found.at),
                   .log_likelihood = -found.value};
  double const k = likelihood.form.parameters();
  double const rest = static_cast<double>(count_events(likelihood.sample)) - k - 1;
  fit.aicc = rest > 0 ? 2 * found.value + 2 * k + 2 * k * (k + 1) / rest : infinity;
  return fit;
}

/// Where the search begins: the family whose ln Y, Y = X - shift, has the mean m and the standard
/// deviation s of the sample's logarithms, censored values taken as events. In closed form
/// (Johnson, Kotz & Balakrishnan, Continuous Univariate Distributions; gamma = 0.5772, Euler's
/// constant):
///   exponential   E ln Y = ln scale - gamma, so scale = exp(m + 0.58)
///   Weibull       ln Y = ln scale + (ln E) / shape with E exponential; ln E has the mean -gamma
///                 and the deviation pi / sqrt(6) = 1.28, so shape = 1.28 / s and
///                 ln scale = m + gamma / shape = m + 0.45 s
///   gamma         Var ln Y = psi'(shape) and E ln Y = ln scale + psi(shape), for large shapes
///                 about 1 / shape and ln(scale x shape): shape = 1 / s^2, scale = exp(m) s^2
///   lognormal     m = ln scale and s = shape by definition
///   log-logistic  ln Y is logistic around ln scale, deviation pi / (sqrt(3) shape) = 1.81 / shape
/// Two digits do for a start.
Distribution moment_start(Sample const& sample, Family family, double shift) {
  std::vector<double> logs;
  for (Observation const& x : sample) {
    if (x.value > shift) logs.push_back(std::log(x.value - shift));
  }
  double const center = mean(logs);
  double const sd = std::clamp(standard_deviation(logs), 1e-3, 10.0);
  switch (family) {
    case Family::exponential:
      return {family, 1, std::exp(center + 0.58), shift};
    case Family::weibull:
      return {family, 1.28 / sd, std::exp(center + 0.45 * sd), shift};
    case Family::gamma:
      return {family, 1 / (sd * sd), std::exp(center) * sd * sd, shift};
    case Family::lognormal:
      return {family, sd, std::exp(center), shift};
    case Family::loglogistic:
      return {family, 1.81 / sd, std::exp(center), shift};
  }
  throw InternalError("a family of distributions has a start");
}

std::vector<Distribution> starts(Likelihood const& likelihood) {
  std::vector<Distribution> points;
  auto const add = [&](double shift) {
    points.push_back(moment_start(likelihood.sample, likelihood.form.family, shift));
  };
  if (likelihood.form.shifted) {
    for (double const part : {0.1, 0.5, 0.9}) {  // gaps between the least and the largest, in ln
      add(likelihood.smallest -
          likelihood.least_gap * std::pow(likelihood.smallest / likelihood.least_gap, part));
    }
    return points;
  }
  add(0);
  for (double const factor : {0.5, 2.0}) {
    points.push_back(points.front());
    points.back().shape *= factor;
    if (likelihood.form.family == Family::gamma) points.back().scale /= factor;
  }
  return points;
}

bool complete(Sample const& sample) { return count_events(sample) == sample.size(); }

double distance(Sample const& sample, Distribution const& distribution, bool use_anderson_darling) {
  return use_anderson_darling
             ? anderson_darling(sample, distribution)
             : kaplan_meier_distance(sample, [&](double x) { return distribution.cdf(x); });
}

/// When each observation would have been cut short.
std::vector<double> censoring_limits(Sample const& sample) {
  double largest_event = 0;
  for (Observation const& x : sample) {
    if (!x.censored) largest_event = std::max(largest_event, x.value);
  }
  double common = infinity;
  for (Observation const& x : sample) {
    if (x.censored && x.value >= largest_event) common = std::min(common, x.value);
  }
  return each_of(sample, [&](Observation const& x) {
    return x.censored && x.value < largest_event ? x.value : common;
  });
}

Sample resample(std::vector<double> const& limits, Distribution const& distribution,
                RandomStream& stream) {
  Sample sample;
  for (double const limit : limits) {
    double const value = distribution.sample(stream);
    sample.push_back({std::min(value, limit), value > limit});
  }
  return sample;
}

/// From one start, for resamples of a sample that is already fitted. `gap_factor` scales the least
/// gap below a threshold.
FittedFamily refit_family(Sample const& sample, FittedFamily const& start, double gap_factor = 1) {
  return maximise(make_likelihood(sample, start.form, gap_factor), start.distribution);
}

}  // namespace

Sample with_rounding(Sample sample, double step, int roundings, RandomStream stream) {
  constexpr std::size_t enough = 5;  // to fit a law to
  std::vector<double> values;
  for (Observation const& one : sample) {
    if (!one.censored) values.push_back(one.value);
  }
  if (values.size() < enough || standard_deviation(values) >= step * std::sqrt(roundings / 12.)) {
    return sample;
  }
  for (Observation& one : sample) {
    double off = 0;
    for (int i = 0; i < roundings; ++i) off += step * (stream.uniform() - 0.5);
    if (!one.censored) one.value = std::max(step / 10, one.value + off);
  }
  return sample;
}

std::size_t count_events(Sample const& sample) {
  return static_cast<std::size_t>(
      std::ranges::count_if(sample, [](auto const& x) { return !x.censored; }));
}

int FamilyForm::parameters() const {
  return (family == Family::exponential ? 1 : 2) + (shifted ? 1 : 0);
}

std::string FamilyForm::text() const {
  return (shifted ? "shifted " : "") + std::string(name(family));
}

std::vector<FamilyForm> const& all_forms() {
  static std::vector<FamilyForm> const forms = {
      {Family::exponential, false}, {Family::weibull, false},     {Family::gamma, false},
      {Family::lognormal, false},   {Family::loglogistic, false}, {Family::weibull, true},
      {Family::lognormal, true}};
  return forms;
}

double log_likelihood(Sample const& sample, Distribution const& distribution) {
  return sum_of<double>(sample, [&](Observation const& x) {
    return x.weight *
           (x.censored ? distribution.log_survival(x.value) : distribution.log_density(x.value));
  });
}

FittedFamily fit_family(Sample const& sample, FamilyForm form) {
  Likelihood const likelihood = make_likelihood(sample, form);
  FittedFamily best;
  best.log_likelihood = -infinity;
  for (Distribution const& start : starts(likelihood)) {
    FittedFamily const fit = maximise(likelihood, start);
    if (fit.log_likelihood > best.log_likelihood) best = fit;
  }
  return best;
}

std::vector<FittedFamily> fit_families(Sample const& sample) {
  std::vector<FittedFamily> fits;
  for (FamilyForm const form : all_forms()) fits.push_back(fit_family(sample, form));
  std::ranges::stable_sort(fits, {}, &FittedFamily::aicc);
  double const best = fits.front().aicc;
  check(std::isfinite(best), "there are events enough for one of the families");
  double total = 0;
  for (FittedFamily& fit : fits) {
    double const difference = fit.aicc - best;
    fit.weight = difference < indistinguishable ? std::exp(-difference / 2) : 0;
    total += fit.weight;
  }
  for (FittedFamily& fit : fits) fit.weight /= total;
  return fits;
}

FittedFamily draw_distribution(Sample const& sample, std::vector<FittedFamily> const& fits,
                               RandomStream& stream) {
  std::size_t chosen = pick(fits, &FittedFamily::weight, stream.uniform());
  while (fits[chosen].weight == 0 && chosen > 0) --chosen;
  double const gap_factor = std::max(0.25, -std::log(stream.uniform()));
  Sample weighted = sample;
  double total = 0;
  for (Observation& x : weighted) {
    x.weight = -std::log(stream.uniform());
    total += x.weight;
  }
  for (Observation& x : weighted) x.weight *= static_cast<double>(sample.size()) / total;
  return refit_family(weighted, fits[chosen], gap_factor);
}

KaplanMeier::KaplanMeier(Sample const& sample) {
  Sample sorted = sample;
  // At equal times, events come before censored values.
  std::ranges::sort(sorted, [](Observation const& a, Observation const& b) {
    return a.value != b.value ? a.value < b.value : a.censored < b.censored;
  });
  double left = 1;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i].censored) continue;
    double const at_risk = static_cast<double>(sorted.size() - i);
    left *= 1 - 1 / at_risk;
    if (!times.empty() && times.back() == sorted[i].value) {
      survival.back() = left;
    } else {
      times.push_back(sorted[i].value);
      survival.push_back(left);
    }
  }
}

double KaplanMeier::quantile(double p) const {
  auto const down = std::ranges::lower_bound(survival, 1 - p + 1e-12, std::greater<>());
  return down == survival.end() ? infinity
                                : times[static_cast<std::size_t>(down - survival.begin())];
}

double anderson_darling(Sample const& sample, Distribution const& distribution) {
  check(complete(sample), "Anderson-Darling is for samples without censoring");
  std::vector<double> u = each_of(sample, [&](Observation const& x) {
    return std::clamp(distribution.cdf(x.value), 1e-15, 1 - 1e-15);
  });
  std::ranges::sort(u);
  double const n = static_cast<double>(u.size());
  double sum = 0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    double const odd = 2 * static_cast<double>(i) + 1;
    sum += odd * (std::log(u[i]) + std::log1p(-u[u.size() - 1 - i]));
  }
  return -n - sum / n;
}

double kaplan_meier_distance(Sample const& sample, std::function<double(double)> const& cdf) {
  KaplanMeier const curve(sample);
  double largest = 0;
  double before = 1;
  for (std::size_t i = 0; i < curve.times.size(); ++i) {
    double const fitted = 1 - cdf(curve.times[i]);
    largest = std::max({largest, std::abs(before - fitted), std::abs(curve.survival[i] - fitted)});
    before = curve.survival[i];
  }
  return largest;
}

GoodnessOfFit goodness_of_fit(Sample const& sample, FittedFamily const& fit, std::size_t resamples,
                              RandomStream stream) {
  GoodnessOfFit result;
  result.anderson_darling = complete(sample);
  result.statistic = distance(sample, fit.distribution, result.anderson_darling);
  std::vector<double> const limits = censoring_limits(sample);
  std::size_t as_far = 0;
  constexpr std::size_t tries_of_each = 20;
  for (std::size_t tries = 0; result.resamples < resamples && tries < tries_of_each * resamples;
       ++tries) {
    Sample const simulated = resample(limits, fit.distribution, stream);
    if (count_events(simulated) < 3) continue;
    FittedFamily const refitted = refit_family(simulated, fit);
    double const d = distance(simulated, refitted.distribution, result.anderson_darling);
    if (d >= result.statistic) ++as_far;
    ++result.resamples;
  }
  result.p_value = static_cast<double>(as_far + 1) / static_cast<double>(result.resamples + 1);
  return result;
}

}  // namespace gridcast::calibration
