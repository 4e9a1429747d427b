// Problems whose best setting is known in closed form, as a search sees them: the score of a point
// in a replica is noisy, and its expectation is known.
#pragma once

#include <cmath>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/base/statistics.hpp"
#include "sim/optimize/scoreboard.hpp"

namespace gridcast::optimize {

/// A checkpoint costs C and failures come every M on average. A piece of work t with its checkpoint
/// begins again after a failure, so that an hour of work takes M (exp((t + C) / M) - 1) / t on
/// average (Daly 2006, without a restart time).
struct Checkpoints {
  double cost = 300, between_failures = 36000;

  double expected(double interval) const {
    return between_failures * std::expm1((interval + cost) / between_failures) / interval;
  }
  double simulated(double interval, std::uint64_t seed, std::uint32_t replica) const {
    constexpr std::uint32_t pieces = 40;
    RandomStreams const streams(seed, replica);
    double took = 0;
    for (std::uint32_t piece = 0; piece < pieces; ++piece) {
      auto stream = streams.stream(Purpose::test, piece);
      for (;;) {
        double const failure = -between_failures * std::log(stream.uniform());
        took += std::min(failure, interval + cost);
        if (failure >= interval + cost) break;
      }
    }
    return took / (pieces * interval);
  }
};

/// A transfer takes a lognormal time. A timer ends it after T, and a new one begins after a pause
/// c:
///   E = (E[X; X < T] + (T + c) P(X > T)) / P(X < T)
struct Restarts {
  double median = 600, sigma = 2, pause = 60;

  double expected(double timer) const {
    double const z = std::log(timer / median) / sigma;
    double const done = normal_cdf(z);
    double const partial = median * std::exp(sigma * sigma / 2) * normal_cdf(z - sigma);
    return (partial + (timer + pause) * (1 - done)) / done;
  }
  double simulated(double timer, std::uint64_t seed, std::uint32_t replica) const {
    constexpr std::uint32_t jobs = 60, most_tries = 2000;
    Distribution const time{Family::lognormal, sigma, median};
    RandomStreams const streams(seed, replica);
    double took = 0;
    for (std::uint32_t job = 0; job < jobs; ++job) {
      auto stream = streams.stream(Purpose::test, 1000 + job);
      for (std::uint32_t k = 0; k < most_tries; ++k) {
        double const x = time.sample(stream);
        took += x < timer ? x : timer + pause;
        if (x < timer) break;
      }
    }
    return took / jobs;
  }
};

/// The argument of the least value of a function on a fine logarithmic grid.
template <class Function>
double best_on_grid(Function const& function, double low, double high) {
  constexpr int steps = 20000;
  double best = low;
  for (int i = 0; i <= steps; ++i) {
    double const x = low * std::pow(high / low, static_cast<double>(i) / steps);
    if (function(x) < function(best)) best = x;
  }
  return best;
}

/// Simulates with the score 1 - cost / scale.
template <class Cost>
Simulate simulate_cost(Cost cost, double scale) {
  return [cost, scale](std::vector<Trial> const& trials) {
    std::vector<double> scores;
    for (Trial const& trial : trials)
      scores.push_back(1 - cost(trial.point, trial.replica) / scale);
    return scores;
  };
}

}  // namespace gridcast::optimize
