#include "calibration/delay_fit.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "calibration/optimum.hpp"
#include "calibration/rounded.hpp"
#include "calibration/slice_sampler.hpp"
#include "sim/base/error.hpp"

namespace gridcast::calibration {

namespace {

struct Grouped {
  Delay delay;
  double times = 1;
};

// Of whole-second logs, most delays are one of a few numbers.
std::vector<Grouped> grouped(std::vector<Delay> const& delays) {
  std::map<std::tuple<double, double, bool>, double> counts;
  for (Delay const& delay : delays) {
    counts[{delay.seconds, delay.known, delay.censored}] += 1;
  }
  std::vector<Grouped> groups;
  for (auto const& [key, times] : counts) {
    groups.push_back({{std::get<0>(key), std::get<1>(key), std::get<2>(key)}, times});
  }
  return groups;
}

Distribution distribution(Family family, std::vector<double> const& x) {
  double const shift = x.size() > 2 ? x[2] : 0;
  return {family, std::exp(x[0]), std::exp(x[1]), shift};
}

/// Likelihood and prior of one family; x = ln shape, ln scale[, shift].
class DelayDensity {
 public:
  DelayDensity(DelayModel const& model, Family family, std::vector<Delay> const& delays,
               double tick)
      : model_(model), family_(family), delays_(grouped(delays)), tick_(tick) {
    double shortest = 1e18;
    for (Delay const& delay : delays) {
      if (!delay.censored) shortest = std::min(shortest, delay.seconds - delay.known + tick);
    }
    longest_shift_ = shortest < 1e18 ? std::max(shortest, tick) : 2 * model.guess;
  }

  double longest_shift() const { return longest_shift_; }

  double log_likelihood(std::vector<double> const& x) const {
    Distribution const d = distribution(family_, x);
    double sum = 0;
    for (Grouped const& group : delays_) {
      double const rest = group.delay.seconds - group.delay.known;
      sum += group.times * (group.delay.censored
                                ? (rest > d.shift ? std::max(d.log_survival(rest), -1e3) : 0)
                                : log_rounded(d, group.delay.known, group.delay.seconds, tick_));
    }
    return sum;
  }

  double operator()(std::vector<double> const& x) const {
    if (std::abs(x[0]) > 6 || std::abs(x[1]) > 30) return -HUGE_VAL;
    if (x.size() > 2 && (x[2] < 0 || x[2] > longest_shift_)) return -HUGE_VAL;
    // Of what was never seen, a guess has to do, and not one with a tail beyond reason.
    double const wide = delays_.empty() ? 0.5 : 1;
    double const off = (x[1] - std::log(model_.guess)) / (2 * wide);
    double const shape = x[0] / wide;
    return log_likelihood(x) - shape * shape / 2 - off * off / 2;
  }

 private:
  DelayModel const& model_;
  Family family_;
  std::vector<Grouped> delays_;
  double tick_;
  double longest_shift_ = 0;
};

struct FamilyDraws {
  Family family;
  double weight = 0;
  std::vector<std::vector<double>> draws;
};

std::vector<double> start_of(DelayModel const& model, std::vector<Delay> const& delays,
                             double longest_shift) {
  double sum = 0;
  for (Delay const& delay : delays) sum += std::max(0.0, delay.seconds - delay.known);
  double const mean = delays.empty() ? model.guess : sum / static_cast<double>(delays.size());
  std::vector<double> start = {0, std::log(std::max(mean, 1e-3))};
  if (model.threshold) start.push_back(longest_shift / 2);
  return start;
}

FamilyDraws draw_family(DelayModel const& model, Family family, std::vector<Delay> const& delays,
                        double tick, std::size_t draws, RandomStream& stream) {
  DelayDensity const density(model, family, delays, tick);
  auto const start = start_of(model, delays, density.longest_shift());
  auto const best =
      minimise([&](std::vector<double> const& x) { return -density(x); }, start, 0.3, {}, 600);
  RandomStream const own = stream;
  for (int i = 0; i < 1000; ++i) stream.uniform();  // the next family's stream begins elsewhere
  std::vector<double> widths(start.size(), 0.5);
  if (model.threshold) widths[2] = std::max(density.longest_shift() / 4, 1e-3);
  SliceSampler sampler([&](auto const& x, std::size_t) { return density(x); }, best.at, widths,
                       own);
  return {family, -best.value, sampler.draws(draws, 3)};
}

std::string fit_text(std::vector<FamilyDraws> const& fits, std::size_t events) {
  if (events == 0) return "no such delay in the log: the prior";
  std::string text = "weights";
  for (FamilyDraws const& fit : fits) {
    text += fmt::format(" {} {:.2f}", name(fit.family), fit.weight);
  }
  return text;
}

void set_weights(std::vector<FamilyDraws>& fits) {
  double best = -HUGE_VAL;
  for (FamilyDraws const& fit : fits) best = std::max(best, fit.weight);
  double total = 0;
  for (FamilyDraws& fit : fits) total += fit.weight = std::exp(fit.weight - best);
  for (FamilyDraws& fit : fits) fit.weight /= total;
}

FamilyDraws const& choose(std::vector<FamilyDraws> const& fits, double u) {
  std::size_t i = 0;
  while (i + 1 < fits.size() && u >= fits[i].weight) u -= fits[i++].weight;
  return fits[i];
}

}  // namespace

Fit fit_delay(DelayModel const& model, std::vector<Delay> const& delays, double tick,
              std::size_t draws, RandomStream stream) {
  check(model.guess > 0, "a delay's guess is positive");
  std::vector<FamilyDraws> fits;
  for (Family const family : model.families) {
    fits.push_back(draw_family(model, family, delays, tick, draws, stream));
  }
  set_weights(fits);
  std::vector<double> mean, family, shape, scale, shift;
  for (std::size_t i = 0; i < draws; ++i) {
    FamilyDraws const& chosen = choose(fits, stream.uniform());
    Distribution d = distribution(chosen.family, chosen.draws[i]);
    mean.push_back(d.mean());
    double const between = std::exp(model.campaigns * normal_quantile(stream.uniform()));
    family.push_back(static_cast<double>(chosen.family));
    shape.push_back(d.shape);
    scale.push_back(d.scale * between);
    shift.push_back(d.shift);
  }
  Estimate line;
  line.name = model.name + "_mean_s";
  line.unit = "s";
  for (Delay const& delay : delays) ++(delay.censored ? line.censored : line.events);
  line.method =
      model.what +
      fmt::format("; {}", model.families.size() == 1 ? "gamma" : "gamma, lognormal or Weibull") +
      (model.threshold ? " above a threshold" : "") +
      ", stamps' rounding in the likelihood, weak priors";
  line.fit = fit_text(fits, line.events);
  line.estimate = median(mean);
  summarize(line, mean);
  Fit fit;
  fit.estimates.push_back(line);
  fit.draws.add(model.name + "_family", family);
  fit.draws.add(model.name + "_shape", shape);
  fit.draws.add(model.name + "_scale_s", scale);
  fit.draws.add(model.name + "_shift_s", shift);
  return fit;
}

}  // namespace gridcast::calibration
