#include "calibration/fits/outage_law.hpp"

#include <cmath>

#include "tests/test.hpp"

namespace gridcast::calibration {
namespace {

constexpr double times[] = {0, 3, 3.5, 20, 21, 60, 61, 62};
constexpr TransferEnd ends[] = {
    TransferEnd::arrived,   TransferEnd::by_client, TransferEnd::by_client, TransferEnd::arrived,
    TransferEnd::by_client, TransferEnd::arrived,   TransferEnd::failed,    TransferEnd::by_client};

TransferRecords record(std::uint32_t (*cache)(std::size_t)) {
  TransferRecords records;
  for (std::size_t i = 0; i < std::size(times); ++i) {
    TransferTry one;
    one.job = Id<history::Job>(static_cast<std::uint32_t>(i));
    one.site = Id<history::Site>(0);
    one.cache = cache(i);
    one.start = Seconds(times[i]);
    one.end = Seconds(times[i] + 2);
    one.timed = true;
    one.end_kind = ends[i];
    records.tries.push_back(one);
  }
  return records;
}

double log_likelihood(TransferRecords const& records, OutageLaw const& law, OutageScope scope) {
  FlowPosterior flows;
  flows.view = CutView::dead;
  flows.tries = flow_tries(records, 1, 0);
  flows.draws = {{{2, 100, 100, 0.3}}};
  OutageRecord const record(records);
  return OutageLikelihood(record, records, flows, 0)(law, scope, OutageKind::dead);
}

// P(bad after t), by small steps of the rates from quiet to bad and back.
double bad_after(OutageLaw const& law, bool bad, double t) {
  double const to_quiet = 1 / law.bad_duration;
  double const to_bad = to_quiet * law.bad_fraction / (1 - law.bad_fraction);
  double p = bad ? 1 : 0;
  constexpr int steps = 200000;
  for (int i = 0; i < steps; ++i) p += (to_bad * (1 - p) - to_quiet * p) * t / steps;
  return p;
}

// The sum over all sequences of states of those of the tries whose cache is `cache`.
double by_hand(OutageLaw const& law, TransferRecords const& records, std::uint32_t cache) {
  std::vector<std::size_t> own;
  for (std::size_t i = 0; i < records.tries.size(); ++i) {
    if (records.tries[i].cache == cache) own.push_back(i);
  }
  std::vector<std::array<double, 2>> to_bad(own.size());
  for (std::size_t k = 1; k < own.size(); ++k) {
    double const gap = times[own[k]] - times[own[k - 1]];
    to_bad[k] = {bad_after(law, false, gap), bad_after(law, true, gap)};
  }
  double sum = 0;
  for (unsigned states = 0; states < 1U << own.size(); ++states) {
    double p = 1;
    for (std::size_t k = 0; k < own.size(); ++k) {
      bool const bad = (states >> k & 1U) != 0;
      double const to = k == 0 ? law.bad_fraction : to_bad[k][states >> (k - 1) & 1U];
      p *= bad ? to : 1 - to;
      double const q = bad ? law.when_bad : law.when_quiet;
      if (ends[own[k]] == TransferEnd::arrived) p *= 1 - q;
      if (ends[own[k]] == TransferEnd::by_client) p *= q;
    }
    sum += p;
  }
  return std::log(sum);
}

OutageLaw const law{.bad_fraction = 0.3,
                    .bad_duration = 15,
                    .when_bad = 0.9,
                    .when_quiet = 0.05,
                    .dependence = 0,
                    .slow_fraction = 1};

}  // namespace

TEST_CASE("The forward algorithm is the sum over all that may have been bad") {
  auto const one = record([](std::size_t) -> std::uint32_t { return 4; });
  CHECK(log_likelihood(one, law, OutageScope::cache) == Approx(by_hand(law, one, 4)).epsilon(1e-4));
  CHECK(log_likelihood(one, law, OutageScope::origin) ==
        Approx(by_hand(law, one, 4)).epsilon(1e-4));
}

TEST_CASE("Caches have bad periods independently of each other; the origin has one for all") {
  auto const two = record([](std::size_t i) -> std::uint32_t { return i % 2 == 0 ? 1 : 7; });
  CHECK(log_likelihood(two, law, OutageScope::cache) ==
        Approx(by_hand(law, two, 1) + by_hand(law, two, 7)).epsilon(1e-4));
  auto const one = record([](std::size_t) -> std::uint32_t { return 4; });
  CHECK(log_likelihood(two, law, OutageScope::origin) ==
        Approx(by_hand(law, one, 4)).epsilon(1e-4));
}

TEST_CASE("Without outages each try has the same odds") {
  auto const one = record([](std::size_t) -> std::uint32_t { return 4; });
  CHECK(log_likelihood(one, law, OutageScope::none) ==
        Approx(4 * std::log(0.05) + 3 * std::log(0.95)));
}

TEST_CASE("One that the timer ended was dead, or healthy and too long for it") {
  TransferRecords records = record([](std::size_t) -> std::uint32_t { return 0; });
  records.tries.resize(1);
  records.tries[0].end_kind = TransferEnd::by_timer;
  records.tries[0].urls = 2;
  FlowPosterior flows;
  flows.view = CutView::dead;
  flows.tries = flow_tries(records, 1, 0);
  flows.draws = {{{2, 100, 100, 0.3}}};
  FlowTry const& flow = flows.tries[0][0];
  OutageRecord const all(records);
  double const taken = log_factor(flow, flows.draws[0][0], CutView::dead);
  double const healthy = std::exp(flow.log_longer(flows.draws[0][0]));
  double const struck = 1 - 0.95 * 0.95;
  CHECK(healthy > 0.9);  // two URLs of 2 s each in 2 s
  CHECK(OutageLikelihood(all, records, flows, 0)(law, OutageScope::none, OutageKind::dead) ==
        Approx(std::log(struck + (1 - struck) * healthy) - taken));
}

// Tries that need 2 s, sigma 0.3, without slow transfers, and a bad period that ends after T.
struct SlowByHand {
  OutageLaw law;
  double sigma = 0.3, usual = 2;

  double density(double t) const {
    double const z = std::log(t / usual) / sigma;
    return std::exp(-z * z / 2) / (sigma * t * std::sqrt(2 * M_PI));
  }
  double beyond(double t) const {
    return t <= 0 ? 1 : 0.5 * std::erfc(std::log(t / usual) / sigma / M_SQRT2);
  }
  // The sum over T, by small steps: a try that needs t seconds where nothing is slow has come after
  // x if s min(T, x) + max(0, x - T) = t.
  double slow_density(double x) const {
    double const s = law.slow_fraction;
    return s * density(s * x) * std::exp(-x / law.bad_duration) +
           over_ends(x, [&](double until) { return density(x - (1 - s) * until); });
  }
  double slow_beyond(double x) const {
    double const s = law.slow_fraction;
    if (x <= 0) return 1;
    return beyond(s * x) * std::exp(-x / law.bad_duration) +
           over_ends(x, [&](double until) { return beyond(x - (1 - s) * until); });
  }

  template <class Value>
  double over_ends(double x, Value const& value) const {
    constexpr int steps = 20000;
    double sum = 0;
    for (int i = 0; i < steps; ++i) {
      double const until = (i + 0.5) * x / steps;
      sum += std::exp(-until / law.bad_duration) / law.bad_duration * x / steps * value(until);
    }
    return sum;
  }
};

SlowByHand slow_by_hand() {
  SlowByHand slow{law};
  slow.law.when_bad = slow.law.when_quiet = 0.9;
  slow.law.slow_fraction = 0.1;
  return slow;
}

/// One try of so many seconds.
TransferRecords single(double seconds, TransferEnd end, bool timed) {
  TransferRecords records = record([](std::size_t) -> std::uint32_t { return 0; });
  records.tries.resize(1);
  records.tries[0].end = records.tries[0].start + Seconds(seconds);
  records.tries[0].end_kind = end;
  records.tries[0].timed = timed;
  return records;
}

FlowPosterior flows_of(TransferRecords const& records, CutView view, FlowLaw const& flow_law) {
  FlowPosterior flows;
  flows.view = view;
  flows.tries = flow_tries(records, 1, 0);
  flows.draws = {{flow_law}};
  return flows;
}

TEST_CASE("A slow transfer continues at the usual rate when its bad period ends") {
  SlowByHand const slow = slow_by_hand();
  for (double const seconds : {1.5, 2., 4., 9., 15., 19., 21., 30.}) {
    for (TransferEnd const end : {TransferEnd::arrived, TransferEnd::by_timer}) {
      TransferRecords const records = single(seconds, end, true);
      auto const flows = flows_of(records, CutView::dead, {slow.usual, 100, 100, slow.sigma});
      OutageRecord const all(records);
      bool const arrived = end == TransferEnd::arrived;
      double const taken =
          arrived ? 0 : log_factor(flows.tries[0][0], flows.draws[0][0], flows.view);
      double const expected = arrived
                                  ? 0.1 + 0.9 * slow.slow_density(seconds) / slow.density(seconds)
                                  : 0.1 * slow.beyond(seconds) + 0.9 * slow.slow_beyond(seconds);
      CHECK(OutageLikelihood(all, records, flows, 0)(slow.law, OutageScope::origin,
                                                     OutageKind::slow) ==
            Approx(std::log(expected) - taken).margin(0.05));
    }
  }
}

// P(n) = integral over u from 0 to 1 of F(n + u) - F(n - u), as in flow_law_test.cpp.
TEST_CASE("Time stamps of slow transfers have the probability of the triangle around them") {
  SlowByHand const slow = slow_by_hand();
  auto const of_stamps = [](double seconds, auto const& beyond) {
    constexpr int steps = 200;
    double sum = 0;
    for (int i = 0; i < steps; ++i) {
      double const u = (i + 0.5) / steps;
      sum += (beyond(seconds - u) - beyond(seconds + u)) / steps;
    }
    return sum;
  };
  for (double const seconds : {2., 4., 9., 15., 19., 21., 30.}) {
    CAPTURE(seconds);
    TransferRecords const records = single(seconds, TransferEnd::arrived, false);
    auto const flows = flows_of(records, CutView::slow, {slow.usual, 100, 100, slow.sigma});
    double const healthy = of_stamps(seconds, [&](double t) { return slow.beyond(t); });
    double const slowed = of_stamps(seconds, [&](double t) { return slow.slow_beyond(t); });
    double const taken = log_factor(flows.tries[0][0], flows.draws[0][0], flows.view);
    OutageRecord const all(records);
    CHECK(taken + OutageLikelihood(all, records, flows, 0)(slow.law, OutageScope::origin,
                                                           OutageKind::slow) ==
          Approx(std::log(0.1 * std::max(healthy, 1e-12) + 0.9 * slowed)).margin(0.15));
  }
}

// Times what the flows took for it, the likelihood of a record of one try is the probability of its
// stamps.
TEST_CASE(
    "The probability of a slow transfer stays at or below one, however little transfers scatter") {
  SlowByHand const slow = slow_by_hand();
  for (double const sigma : {1e-3, 0.01, 0.1, 1.0}) {
    FlowLaw const flow_law{slow.usual, 100, 100, sigma};
    for (double const seconds : {0., 2., 4., 20., 21., 3000.}) {
      CAPTURE(sigma, seconds);
      TransferRecords const records = single(seconds, TransferEnd::arrived, false);
      auto const flows = flows_of(records, CutView::slow, flow_law);
      double const taken = log_factor(flows.tries[0][0], flow_law, flows.view);
      OutageRecord const all(records);
      double const whole = taken + OutageLikelihood(all, records, flows, 0)(
                                       slow.law, OutageScope::origin, OutageKind::slow);
      CHECK(whole <= 1e-9);
      CHECK(whole >= std::log(0.99e-12));
    }
    // With ads the density, whose ratio to a healthy one's is beyond what a double holds. Needs 2
    // s, took 20 at a tenth of the rate: 1 / (sigma 20 sqrt(2 pi)), if the bad period outlasted it.
    // Where it did not, the density is small beside that, but for the largest sigmas.
    TransferRecords const timed = single(20, TransferEnd::arrived, true);
    auto const flows = flows_of(timed, CutView::slow, flow_law);
    OutageRecord const all(timed);
    double const whole =
        log_factor(flows.tries[0][0], flow_law, flows.view) +
        OutageLikelihood(all, timed, flows, 0)(slow.law, OutageScope::origin, OutageKind::slow);
    double const at_once = 0.9 * std::exp(-20 / slow.law.bad_duration);
    double const density = 1 / (sigma * 20 * std::sqrt(2 * M_PI));
    if (sigma < 0.05) CHECK(whole == Approx(std::log(at_once * density)).margin(0.1));
  }
}

TEST_CASE(
    "What the links' evidence leaves out counts by its end alone, and nothing of it was taken") {
  SlowByHand const slow = slow_by_hand();
  auto const left_out = [&](TransferEnd end, CutView view, OutageKind kind) {
    TransferRecords const records = single(3, end, true);
    auto flows = flows_of(records, view, {slow.usual, 100, 100, slow.sigma});
    flows.tries[0][0].in_evidence = false;
    OutageRecord const all(records);
    return std::exp(OutageLikelihood(all, records, flows, 0)(slow.law, OutageScope::origin, kind));
  };
  CHECK(left_out(TransferEnd::by_timer, CutView::dead, OutageKind::dead) ==
        Approx(0.9 + 0.1 * slow.beyond(3)));
  CHECK(left_out(TransferEnd::arrived, CutView::dead, OutageKind::dead) == Approx(0.1));
  CHECK(left_out(TransferEnd::arrived, CutView::slow, OutageKind::slow) == Approx(1));
}

TEST_CASE("The next cache's random numbers are the last one's as far as it depends on it") {
  TransferRecords records = record([](std::size_t i) { return static_cast<std::uint32_t>(i); });
  records.tries.resize(3);
  records.tries[1].end_kind = TransferEnd::by_client;
  records.tries[2].end_kind = TransferEnd::by_client;
  records.tries[2].job = records.tries[1].job;
  records.tries[2].before = 1;
  OutageLaw same = law;
  same.dependence = 0.6;
  double const alone = log_likelihood(records, law, OutageScope::none);
  CHECK(log_likelihood(records, same, OutageScope::none) - alone ==
        Approx(std::log((0.6 + 0.4 * 0.05) / 0.05)));
}

TEST_CASE("Scopes that the record cannot distinguish have the same entities") {
  auto const two = record([](std::size_t i) -> std::uint32_t { return i % 2 == 0 ? 1 : 7; });
  OutageRecord const all(two);
  CHECK(all.entities(OutageScope::cache) == all.entities(OutageScope::path));
  CHECK(all.entities(OutageScope::node) == all.entities(OutageScope::uplink));
  CHECK_FALSE(all.entities(OutageScope::cache) == all.entities(OutageScope::node));
  CHECK(all.struck == 4);
  CHECK(all.conclusive == 7);
}

}  // namespace gridcast::calibration
