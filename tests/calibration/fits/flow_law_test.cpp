#include "calibration/fits/flow_law.hpp"

#include <algorithm>
#include <cmath>

#include <boost/math/distributions/normal.hpp>

#include "tests/test.hpp"

namespace gridcast::calibration {
namespace {

TransferTry transfer(double start, double end, double bytes,
                     TransferEnd how = TransferEnd::arrived) {
  TransferTry one;
  one.site = Id<history::Site>(0);
  one.start = Seconds(start);
  one.end = Seconds(end);
  one.bytes = Bytes(bytes);
  one.timed = true;
  one.end_kind = how;
  return one;
}

std::vector<FlowTry> flows(std::vector<TransferTry> const& tries, double dead_load = 1) {
  TransferRecords records;
  records.tries = tries;
  return flow_tries(records, 1, dead_load).front();
}

/// Integral of the density of the duration, 0 to `until`, by the midpoint rule.
double integral(FlowTry one, FlowLaw const& law, double until) {
  // The last piece goes on for ever, so the density at any duration is that of a cut or longer one.
  double sum = 0;
  constexpr int steps = 20000;
  FlowTry const whole = one;
  for (int i = 0; i < steps; ++i) {
    double const t = until * (i + 0.5) / steps;
    one = whole;
    double left = t;
    one.pieces.clear();
    for (FlowPiece const& piece : whole.pieces) {
      if (left <= 0) break;
      one.pieces.push_back({std::min(left, piece.seconds), piece.flows});
      left -= piece.seconds;
    }
    if (left > 0) one.pieces.back().seconds += left;
    one.seconds = t;
    sum += std::exp(one.log_arrived(law)) * until / steps;
  }
  return sum;
}

}  // namespace

TEST_CASE("Alone, a transfer takes its stretch times latency and bytes over the stream's limit") {
  FlowLaw const law{2, 100, 1e9, 0.3};
  for (double const x : {0.5, 1.0, 1.7}) {
    auto const one = flows({transfer(0, x * (2 + 500.0 / 100), 500)}).front();
    CHECK(one.stretch(law) == Approx(x));
  }
  auto const unsized = flows({transfer(10, 13, 0)}).front();
  CHECK(unsized.stretch(law) == Approx(1.5));
}

TEST_CASE("Two at a time share a link that is too narrow for both") {
  // From 0 to 10 alone at 100 B/s, then with another at 60 of 120 B/s until 20.
  auto const both = flows({transfer(0, 20, 1600), transfer(10, 20, 600)});
  FlowLaw const law{1e-9, 100, 120, 0.3};
  CHECK(both[0].stretch(law) == Approx(1));
  CHECK(both[1].stretch(law) == Approx(1));
  // One that was dead takes nothing from the other; one that was healthy does.
  auto const tries =
      std::vector{transfer(0, 10, 1000), transfer(0, 10, 1e6, TransferEnd::by_timer)};
  CHECK(flows(tries, 0)[0].stretch(law) == Approx(1));
  CHECK(flows(tries, 1)[0].stretch(law) == Approx(0.6));
  CHECK(flows(tries, 0)[1].pieces.front().flows == 2);
}

TEST_CASE(
    "A load that changes very often is described by pieces of one length, each with its mean") {
  // Each second another begins and stays: n + 1 share the link in second n of 640, ten of them a
  // piece.
  std::vector<TransferTry> tries;
  for (int second = 0; second < 640; ++second) tries.push_back(transfer(second, 640, 1));
  auto const pieces = flows(tries).front().pieces;
  REQUIRE(pieces.size() == 64);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    CAPTURE(i);
    CHECK(pieces[i].seconds == Approx(10));
    CHECK(pieces[i].flows == Approx(10 * static_cast<double>(i) + 5.5));
  }
}

TEST_CASE("Its latency takes nothing from the link's share of its bytes") {
  FlowLaw const law{3, 50, 1000, 0.3};
  TransferTry one = transfer(0, 12, 400);
  CHECK(flows({one}).front().stretch(law) == Approx(12 / (3 + 8.0)));
  one.first_byte = Seconds(4);
  CHECK(flows({one}).front().stretch(law) == Approx(1));
}

TEST_CASE("The density of a duration integrates to one, and its tail belongs to longer durations") {
  FlowLaw const law{0.5, 100, 150, 0.4};
  auto const three = flows({transfer(0, 9, 600), transfer(2, 30, 900), transfer(5, 40, 900)});
  auto one = three.front();
  CHECK(integral(one, law, 200) == Approx(1).margin(2e-3));
  CHECK(1 - integral(one, law, one.seconds) == Approx(std::exp(one.log_longer(law))).margin(2e-3));
  one.bytes = 0;
  CHECK(integral(one, law, 20) == Approx(1).margin(2e-3));
}

// Both stamps are anywhere in their ticks: of those n s apart, F being the distribution of the
// duration, P = integral over u from 0 to 1 of F(n + u) - F(n - u), here by the midpoint rule.
TEST_CASE("Between stamps, a duration has the probability of the triangle around it") {
  auto const by_hand = [](double apart, double median, double sigma) {
    constexpr int steps = 10000;
    auto const shorter = [&](double seconds) {
      if (seconds <= 0) return 0.;
      return boost::math::cdf(boost::math::normal(), std::log(seconds / median) / sigma);
    };
    double sum = 0;
    for (int i = 0; i < steps; ++i) {
      double const u = (i + 0.5) / steps;
      sum += (shorter(apart + u) - shorter(apart - u)) / steps;
    }
    return sum;
  };
  TransferTry stamped = transfer(0, 5, 0);
  stamped.timed = false;
  FlowLaw const slow{4, 100, 1e9, 0.5};
  CHECK(std::exp(flows({stamped}).front().log_arrived(slow)) ==
        Approx(by_hand(5, 4, 0.5)).epsilon(0.01));
  stamped.end = Seconds(1);
  CHECK(std::exp(flows({stamped}).front().log_arrived(slow)) ==
        Approx(by_hand(1, 4, 0.5)).epsilon(0.03));
  // Begun and ended in one tick, half a second's bytes: two points of an integral that bends most.
  stamped.end = Seconds(0);
  stamped.bytes = Bytes(50);
  CHECK(std::exp(flows({stamped}).front().log_arrived({1e-9, 100, 1e9, 0.5})) ==
        Approx(by_hand(0, 0.5, 0.5)).epsilon(0.08));
}

TEST_CASE("The stretch of several URLs together is their mean") {
  TransferTry one = transfer(0, 10, 0);
  one.urls = 4;
  FlowTry const sum = flows({one}).front();
  FlowLaw const law{2, 100, 1e9, 0.5};
  LogNormal const noise = sum.noise(law);
  double const mean = std::exp(noise.mu + noise.sigma * noise.sigma / 2);
  CHECK(mean == Approx(std::exp(0.125)));
  CHECK(mean * mean * std::expm1(noise.sigma * noise.sigma) ==
        Approx(std::exp(0.25) * std::expm1(0.25) / 4));
  CHECK(sum.stretch(law) == Approx(10 / 8.0));
}

// The mean over fractions whose logarithms are evenly spread from ln 0.01 to 0, a link of that
// fraction of the rate (and of the latency's reciprocal) for each.
TEST_CASE("A slow transfer went at any fraction of the rate, on average") {
  constexpr int steps = 2000;
  for (double const seconds : {3.0, 8.0, 30.0, 300.0, 900.0}) {
    for (bool const timed : {true, false}) {
      CAPTURE(seconds, timed);
      TransferTry one = transfer(0, seconds, 600);
      one.timed = timed;
      FlowTry const flow = flows({one}).front();
      double sum = 0;
      for (int i = 0; i < steps; ++i) {
        double const fraction = std::pow(0.01, (i + 0.5) / steps);
        sum += std::exp(flow.log_arrived({2 / fraction, 100 * fraction, 1e9, 0.4})) / steps;
      }
      CHECK(std::exp(flow.log_slowed({2, 100, 1e9, 0.4})) == Approx(sum).epsilon(1e-3));
    }
  }
}

// Whole seconds are events: however little transfers scatter, the probabilities of all their
// numbers are one together, at any rate. That sum telescopes, up to the floor of 1e-12 and what
// takes longer than all of them.
TEST_CASE("Stamps have a probability, which no scatter puts above one") {
  for (double const sigma : {1e-4, 1e-3, 0.03, 0.3, 1.0}) {
    for (double const latency : {4.0, 8.0, 50.0, 400.0}) {
      CAPTURE(sigma, latency);
      FlowLaw const law{latency, 100, 1e9, sigma};
      double sum = 0, least = 1, most = 0;
      for (int seconds = 0; seconds < 20000; ++seconds) {
        TransferTry one = transfer(0, seconds, 0);
        one.timed = false;
        double const p = std::exp(flows({one}).front().log_arrived(law));
        sum += p;
        least = std::min(least, p);
        most = std::max(most, p);
      }
      CHECK(sum == Approx(1).epsilon(1e-3));
      CHECK(least >= 0.99e-12);
      CHECK(most <= 1 + 1e-12);
    }
  }
}

}  // namespace gridcast::calibration
