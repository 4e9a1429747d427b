#include "calibration/fits/delay_law.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include <fmt/format.h>

#include "calibration/inference/slice_sampler.hpp"
#include "calibration/inference/special_functions.hpp"
#include "sim/base/error.hpp"
#include "sim/base/statistics.hpp"

namespace gridcast::calibration {

namespace {

constexpr std::size_t share_nodes = 40;
constexpr double no_survival = 1e-12;

// The likelihood of a stamp that no model explains (a clock that stepped).
constexpr double least_probability = 1e-12;

// Mean of the distribution function from a to b: Gauss-Legendre, four points (Abramowitz & Stegun
// 25.4). Because H' = F, the probability of the header is the mean of F over the tick after k minus
// that over the tick before.
double mean_cdf(Distribution const& x, double a, double b) {
  constexpr std::array<double, 2> at = {0.3399810435848563, 0.8611363115940526};
  constexpr std::array<double, 2> weight = {0.6521451548625461, 0.3478548451374538};
  double const middle = (a + b) / 2;
  double const half = (b - a) / 2;
  double sum = 0;
  for (std::size_t i = 0; i < at.size(); ++i) {
    sum += weight[i] * (x.cdf(middle - half * at[i]) + x.cdf(middle + half * at[i]));
  }
  return sum / 2;
}

struct NodeOfShare {
  double q = 0, log_others = 0;  // ln(1 - q)
};

std::array<NodeOfShare, share_nodes> quantiles_of_share() {
  std::array<NodeOfShare, share_nodes> nodes;
  for (std::size_t i = 0; i < share_nodes; ++i) {
    double const q = arcsine_quantile((static_cast<double>(i) + 0.5) / share_nodes);
    nodes[i] = {q, std::log1p(-q)};
  }
  return nodes;
}

std::array<NodeOfShare, share_nodes> const nodes_of_share = quantiles_of_share();

struct Grouped {
  Delay delay;
  double times = 1;
};

using Counts = std::map<std::tuple<double, double, bool>, double>;

/// Delays with the same six leading binary digits are one: each changes by 1.6 % at most.
Counts coarser(Counts const& counts) {
  Counts rounded;
  for (auto const& [key, times] : counts) {
    auto const& [seconds, known, censored] = key;
    int exponent = 0;
    std::frexp(seconds, &exponent);
    double const step = std::max(1.0, std::ldexp(1, exponent - 6));
    rounded[{std::round(seconds / step) * step, known, censored}] += times;
  }
  return rounded;
}

// Most delays of a log with whole seconds are one of a few numbers.
std::vector<Grouped> grouped(std::vector<Delay> const& delays) {
  constexpr std::size_t most = 500;
  Counts counts;
  for (Delay const& delay : delays) counts[{delay.seconds, delay.known, delay.censored}] += 1;
  if (counts.size() > most) counts = coarser(counts);
  std::vector<Grouped> groups;
  for (auto const& [key, times] : counts) {
    groups.push_back({{std::get<0>(key), std::get<1>(key), std::get<2>(key)}, times});
  }
  return groups;
}

/// All delays; of very many, an evenly chosen part that is sufficient.
std::vector<Delay> some(std::vector<Delay> const& all) {
  if (all.size() <= enough_delays) return all;
  std::vector<Delay> chosen;
  for (std::size_t i = 0; i < enough_delays; ++i) {
    chosen.push_back(all[i * all.size() / enough_delays]);
  }
  return chosen;
}

Distribution distribution(std::vector<double> const& x) {
  return {Family::gamma, std::exp(x[0]), std::exp(x[1]), 0};
}

using Endings = std::map<std::size_t, NeverEnding>;  // by kind

/// Kinds of delays with some that had not ended.
Endings endings_of(std::vector<Delay> const& delays) {
  Endings kinds;
  for (Delay const& delay : delays) {
    if (delay.censored) kinds[delay.kind].add_open(delay.seconds - delay.known, 1);
  }
  for (Delay const& delay : delays) {
    auto const kind = kinds.find(delay.kind);
    if (!delay.censored && kind != kinds.end()) kind->second.add_ended(1);
  }
  return kinds;
}

/// Likelihood and prior; x = ln shape, ln scale.
class DelayDensity {
 public:
  /// `endings`: of those that had not ended and may never.
  DelayDensity(DelayModel const& model, std::vector<Delay> const& delays, Endings const& endings,
               double tick)
      : model_(model), delays_(grouped(delays)), endings_(endings), tick_(tick) {
    any_seen_ = std::ranges::any_of(delays, [](Delay const& delay) { return !delay.censored; });
  }

  double log_likelihood(std::vector<double> const& x) const {
    Distribution const d = distribution(x);
    double sum = 0;
    for (Grouped const& group : delays_) {
      double const rest = group.delay.seconds - group.delay.known;
      sum += group.times * (group.delay.censored
                                ? (rest > 0 ? std::max(d.log_survival(rest), -1e3) : 0)
                                : log_rounded(d, group.delay.known, group.delay.seconds, tick_));
    }
    for (auto const& [kind, ending] : endings_) sum += ending.log_likelihood(d);
    return sum;
  }

  double operator()(std::vector<double> const& x) const {
    if (std::abs(x[0]) > 6 || std::abs(x[1]) > 30) return -HUGE_VAL;
    // A delay that was never seen has a guess, without an extreme tail.
    double const wide = any_seen_ ? 1 : 0.5;
    double const off = (x[1] - std::log(model_.guess)) / (2 * wide);
    // Few delays do not determine the tail, and with a wide prior some draws wait for months.
    double const shape = x[0] / 0.5;
    return log_likelihood(x) - shape * shape / 2 - off * off / 2;
  }

 private:
  DelayModel const& model_;
  std::vector<Grouped> delays_;
  Endings const& endings_;
  double tick_;
  bool any_seen_ = false;  // and not only that one lasted longer
};

std::vector<double> start_of(DelayModel const& model, std::vector<Delay> const& delays) {
  double sum = 0;
  for (Delay const& delay : delays) sum += std::max(0.0, delay.seconds - delay.known);
  double const mean = delays.empty() ? model.guess : sum / static_cast<double>(delays.size());
  return {0, std::log(std::max(mean, 1e-3))};
}

std::vector<Distribution> drawn_delays(DelayModel const& model, std::vector<Delay> const& delays,
                                       Endings const& endings, double tick, std::size_t draws,
                                       RandomStream const& stream) {
  check(model.guess > 0, "a delay's guess is positive");
  DelayDensity const density(model, delays, endings, tick);
  auto const best = minimise([&](std::vector<double> const& x) { return -density(x); },
                             start_of(model, delays), 0.3, {}, 600);
  SliceSampler sampler([&](auto const& x, std::size_t) { return density(x); }, best.at, {0.5, 0.5},
                       stream);
  return each_of(sampler.draws(draws, 3), distribution);
}

Fit fit_of(DelayModel const& model, std::vector<Distribution> const& drawn,
           std::vector<Delay> const& delays) {
  Estimate line{.name = model.name + "_mean_s",
                .unit = "s",
                .method = model.what + "; gamma, stamps' rounding in the likelihood, weak priors"};
  if (delays.size() > enough_delays) {
    line.method += fmt::format("; from {} of {} delays, evenly", enough_delays, delays.size());
  }
  for (Delay const& delay : delays) ++(delay.censored ? line.censored : line.events);
  if (line.events == 0) line.fit = "no such delay in the log: the prior";
  std::vector<double> const means = each_of(drawn, &Distribution::mean);
  line.estimate = median(means);
  summarize(line, means);
  Fit fit;
  fit.estimates.push_back(line);
  add_times(fit, model.name, drawn);
  return fit;
}

}  // namespace

double log_rounded(Distribution const& x, double known, double d, double tick) {
  double const k = d - known;
  double const p = mean_cdf(x, k, k + tick) - mean_cdf(x, k - tick, k);
  return std::log(std::max(p, least_probability));
}

/// Open delays beyond all ends, by their survival, are one entry.
std::vector<NeverEnding::Lasting> NeverEnding::lasting(Distribution const& ends) const {
  std::vector<Lasting> all = {{0, 0}};
  for (auto const& [seconds, times] : open_) {
    double const survival = seconds > ends.shift ? std::exp(ends.log_survival(seconds)) : 1;
    if (survival < no_survival) {
      all.front().times += times;
    } else if (survival < 1) {
      all.push_back({survival, times});
    }
  }
  return all;
}

/// Factors are multiplied until they might be nothing: logarithms take most of the time.
std::vector<double> NeverEnding::log_likelihoods(std::vector<Lasting> const& open) const {
  constexpr double small = 1e-250;
  std::vector<double> logs;
  for (NodeOfShare const& node : nodes_of_share) {
    double sum = ended_ * node.log_others, product = 1;
    for (Lasting const& each : open) {
      double const factor = node.q + (1 - node.q) * each.survival;
      if (each.times == 1) {
        product *= factor;
      } else {
        sum += each.times * std::log(factor);
      }
      if (product < small) sum += std::log(std::exchange(product, 1));
    }
    logs.push_back(sum + std::log(product));
  }
  return logs;
}

double NeverEnding::log_likelihood(Distribution const& ends) const {
  return log_mean_exp(log_likelihoods(lasting(ends)));
}

double NeverEnding::known(Distribution const& ends) const {
  auto const open = lasting(ends);
  auto const logs = log_likelihoods(open);
  double const most = *std::ranges::max_element(logs);
  double sum = 0, weights = 0;
  for (std::size_t i = 0; i < logs.size(); ++i) {
    double const q = nodes_of_share[i].q, weight = std::exp(logs[i] - most);
    auto const of_node = sum_of<double>(open, [&](Lasting const& each) {
      return each.times * (1 - each.survival) * q / (q + (1 - q) * each.survival);
    });
    sum += weight * of_node;
    weights += weight;
  }
  return sum / weights;
}

void add_times(Fit& fit, std::string const& name, std::vector<Distribution> const& drawn) {
  auto const add = [&](char const* column, auto Distribution::*part) {
    std::vector<double> values;
    for (Distribution const& d : drawn) values.push_back(static_cast<double>(d.*part));
    fit.draws.add(name + column, values);
  };
  add("_family", &Distribution::family);
  add("_shape", &Distribution::shape);
  add("_scale_s", &Distribution::scale);
  add("_shift_s", &Distribution::shift);
}

Fit fit_delay(DelayModel const& model, std::vector<Delay> const& delays, double tick,
              std::size_t draws, RandomStream stream) {
  return fit_of(model, drawn_delays(model, some(delays), {}, tick, draws, stream), delays);
}

EndingDelays fit_ending_delays(DelayModel const& model, std::vector<Delay> const& delays,
                               double tick, std::size_t draws, RandomStream stream) {
  auto taken = some(delays);
  double const all_of_taken = static_cast<double>(delays.size()) /
                              static_cast<double>(std::max<std::size_t>(1, taken.size()));
  Endings const endings = endings_of(taken);
  std::erase_if(taken, [](Delay const& delay) { return delay.censored; });
  auto const drawn = drawn_delays(model, taken, endings, tick, draws, stream);
  EndingDelays result{fit_of(model, drawn, delays), {}};
  for (auto const& [kind, ending] : endings) {
    for (Distribution const& d : drawn) {
      result.never[kind].push_back(all_of_taken * ending.known(d));
    }
  }
  if (!endings.empty()) {
    result.fit.estimates.front().method += "; some of the censored may never end";
  }
  return result;
}

}  // namespace gridcast::calibration
