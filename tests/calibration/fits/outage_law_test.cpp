#include <cmath>

#include "calibration/fits/outage_fit.hpp"
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

TEST_CASE("Caches are bad independently of each other, an origin is one for all") {
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

// The sum over when the bad period ends, by small steps: a try that needs t seconds where nothing is slow
// has come after x if s min(T, x) + max(0, x - T) = t.
TEST_CASE("What is slow goes on at the usual rate when its bad period ends") {
  OutageLaw slow = law;
  slow.when_bad = slow.when_quiet = 0.9;
  slow.slow_fraction = 0.1;
  constexpr double sigma = 0.3, usual = 2;
  auto const density = [](double t) {
    double const z = std::log(t / usual) / sigma;
    return std::exp(-z * z / 2) / (sigma * t * std::sqrt(2 * M_PI));
  };
  auto const beyond = [](double t) {
    return 0.5 * std::erfc(std::log(t / usual) / sigma / M_SQRT2);
  };
  for (double const seconds : {1.5, 2., 4., 9., 15., 19., 21., 30.}) {
    double const d = slow.bad_duration, s = slow.slow_fraction;
    double at = s * density(s * seconds) * std::exp(-seconds / d);
    double longer = beyond(s * seconds) * std::exp(-seconds / d);
    constexpr int steps = 100000;
    for (int i = 0; i < steps; ++i) {
      double const until = (i + 0.5) * seconds / steps;
      double const p = std::exp(-until / d) / d * seconds / steps;
      at += p * density(seconds - (1 - s) * until);
      longer += p * beyond(seconds - (1 - s) * until);
    }
    TransferRecords records = record([](std::size_t) -> std::uint32_t { return 0; });
    records.tries.resize(1);
    records.tries[0].end = records.tries[0].start + Seconds(seconds);
    for (TransferEnd const end : {TransferEnd::arrived, TransferEnd::by_timer}) {
      records.tries[0].end_kind = end;
      FlowPosterior flows;
      flows.view = CutView::dead;
      flows.tries = flow_tries(records, 1, 0);
      flows.draws = {{{usual, 100, 100, sigma}}};
      OutageRecord const all(records);
      bool const arrived = end == TransferEnd::arrived;
      double const taken =
          arrived ? 0 : log_factor(flows.tries[0][0], flows.draws[0][0], flows.view);
      double const expected =
          arrived ? 0.1 + 0.9 * at / density(seconds) : 0.1 * beyond(seconds) + 0.9 * longer;
      CHECK(OutageLikelihood(all, records, flows, 0)(slow, OutageScope::origin, OutageKind::slow) ==
            Approx(std::log(expected) - taken).margin(0.05));
    }
  }
}

TEST_CASE("The next cache's luck is the last one's as far as it depends on it") {
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

TEST_CASE("Scopes that the record cannot tell apart have the same entities") {
  auto const two = record([](std::size_t i) -> std::uint32_t { return i % 2 == 0 ? 1 : 7; });
  OutageRecord const all(two);
  CHECK(all.entities(OutageScope::cache) == all.entities(OutageScope::path));
  CHECK(all.entities(OutageScope::node) == all.entities(OutageScope::uplink));
  CHECK_FALSE(all.entities(OutageScope::cache) == all.entities(OutageScope::node));
  CHECK(all.struck() == 4);
  CHECK(all.told() == 7);
}

}  // namespace gridcast::calibration
