// Causes of failures that come together, against closed forms.
#include "sim/engine/transfer/outages.hpp"
#include "tests/engine/events.hpp"
#include "tests/engine/quiet_grid.hpp"
#include "tests/model/closed_form.hpp"

namespace gridcast::test {

namespace {
constexpr double f = 0.3;
constexpr Seconds d(5000);

scenario::OutageParameters alternating() {
  scenario::OutageParameters draw;
  draw.bad_fraction = f;
  draw.bad_duration = d;
  draw.stall_when_bad = 0.9;
  draw.stall_when_quiet = 0.1;
  return draw;
}

bool is_bad(engine::BadPeriods& periods, std::uint32_t entity, Seconds at) {
  return periods.bad_until({entity, 0}, at).has_value();
}

}  // namespace

TEST_CASE("bad periods are stationary from the start") {
  scenario::OutageParameters const draw = alternating();
  RandomStreams const streams(1, 0);
  for (Seconds const at : {Seconds(0), Seconds(100), Seconds(1e4), Seconds(1e6)}) {
    engine::BadPeriods periods(draw, streams);
    std::vector<double> bad;
    for (std::uint32_t entity = 0; entity < 4000; ++entity)
      bad.push_back(is_bad(periods, entity, at));
    agrees(bad, f);
  }
}

// An alternating process with exponential periods of means D and Q = D (1 - f) / f:
// P(bad at t + s | bad at t) = f + (1 - f) exp(-s / (D (1 - f))).
TEST_CASE("bad periods forget at the rate of their means") {
  scenario::OutageParameters const draw = alternating();
  RandomStreams const streams(1, 0);
  for (double const s : {500.0, 3000.0, 20000.0}) {
    engine::BadPeriods periods(draw, streams);
    std::vector<double> again;
    for (std::uint32_t entity = 0; entity < 10000; ++entity) {
      if (is_bad(periods, entity, d)) again.push_back(is_bad(periods, entity, d + Seconds(s)));
    }
    agrees(again, f + (1 - f) * std::exp(-s / (d.value() * (1 - f))));
  }
}

TEST_CASE("a bad period lasts as long as stated on average") {
  scenario::OutageParameters const draw = alternating();
  RandomStreams const streams(1, 0);
  engine::BadPeriods periods(draw, streams);
  constexpr double step = 1;  // so short that hardly a period falls between two looks
  std::vector<double> lengths;
  for (std::uint32_t entity = 0; entity < 100; ++entity) {
    double began = -1;  // of the bad period that is on, if seen from its start
    bool before = is_bad(periods, entity, Seconds(0));
    for (double t = step; t < 2e5; t += step) {
      bool const now = is_bad(periods, entity, Seconds(t));
      if (now && !before) began = t;
      if (!now && before && began >= 0) lengths.push_back(t - began);
      before = now;
    }
  }
  agrees(lengths, d.value());
}

// Each job's first attempt is on a path of its own: independent, stalled with f x 0.9 + (1 - f) x
// 0.1.
TEST_CASE("paths are bad independently of each other") {
  constexpr int jobs = 4000;
  Grid grid = quiet_grid(jobs, jobs);
  grid.draw.outages = alternating();
  grid.draw.outages.scope = scenario::OutageScope::path;
  agrees(in_child([&] {
           history::JobHistory const history = grid.run().history;
           std::vector<double> stalled(jobs, 1);  // at the end of the first attempt
           std::vector<int> attempts(jobs, 0);
           for (history::JobEvent const& event : history.events) {
             std::size_t const job = event.job.index();
             if (event.kind == history::EventKind::transfer_input_started) ++attempts[job];
             bool const first = attempts[job] == 1;
             if (event.kind == history::EventKind::transfer_input_finished && first)
               stalled[job] = 0;
           }
           return stalled;
         }),
         f * 0.9 + (1 - f) * 0.1);
}

// A bad cache hits whoever comes: all first attempts of a campaign stall together or not at all.
TEST_CASE("an overloaded cache hits all who come") {
  Grid grid = quiet_grid(20, 20);
  grid.draw.outages = alternating();
  grid.draw.outages.stall_when_bad = 1;
  grid.draw.outages.stall_when_quiet = 0;
  auto const shares = in_children(400, [&](std::uint32_t replica) {
    history::JobHistory const history = grid.run(replica).history;
    std::size_t arrived = 0;
    for (history::JobEvent const& event : history.events) {
      if (event.kind == history::EventKind::transfer_input_finished)
        arrived += event.at < Seconds(20);
    }
    return std::vector{static_cast<double>(arrived) / 20};
  });
  for (double const share : shares) CHECK((share == 0 || share == 1));
  agrees(shares, 1 - f);
}

// While none is on, a first start sets an event off with probability q; it hits that start and on
// average m - 1 of the next. One cycle is 1 / q starts up to the first hit, and m - 1 more hits.
TEST_CASE("shocks hit the stated share of starts") {
  constexpr double q = 0.02, m = 6;
  scenario::ShockParameters const draw{.per_start = q, .mean_hits = m};
  std::vector<double> shares;
  for (std::uint32_t replica = 0; replica < 200; ++replica) {
    RandomStreams const streams(1, replica);
    engine::Shock shock(draw, streams, 0, 1);
    double hits = 0;
    constexpr std::uint32_t starts = 20000;
    for (std::uint32_t job = 0; job < starts; ++job) hits += shock.hits(0, job, true, Seconds());
    shares.push_back(hits / starts);
  }
  // The start of the run, without an event on, weighs less than a thousandth of a standard error.
  agrees(shares, m / (1 / q + m - 1));
}

// In time: of starts dt apart, an event that lasts Exp(mean D) hits the one that sets it off and
// all within it, on average 1 / (1 - exp(-dt / D)).
TEST_CASE("a shock that lasts for a time hits all starts within it") {
  constexpr double q = 0.02, dt = 10, lasts = 70;
  scenario::ShockParameters const draw{.per_start = q, .mean_hits = 1, .lasts = Seconds(lasts)};
  std::vector<double> shares;
  for (std::uint32_t replica = 0; replica < 200; ++replica) {
    RandomStreams const streams(1, replica);
    engine::Shock shock(draw, streams, 0, 1);
    double hits = 0;
    constexpr std::uint32_t starts = 20000;
    for (std::uint32_t job = 0; job < starts; ++job)
      hits += shock.hits(0, job, true, Seconds(dt * job));
    shares.push_back(hits / starts);
  }
  double const m = 1 / -std::expm1(-dt / lasts);
  agrees(shares, m / (1 / q + m - 1));
}

TEST_CASE("a 404 event hits consecutive starts of the whole campaign") {
  constexpr double m = 8;
  Grid grid = quiet_grid(100, 100);
  grid.draw.not_found = {.per_start = 2e-3, .mean_hits = m};
  auto const held = in_children(600, [&](std::uint32_t replica) {
    history::JobHistory const history = grid.run(replica).history;
    return std::vector{
        static_cast<double>(count(history, history::EventKind::held, history::Reason::not_found))};
  });
  // Nearly always one event at most, and seldom cut off by the end of the campaign.
  std::vector<double> sizes;
  for (double const n : held) {
    if (n > 0) sizes.push_back(n);
  }
  double const some = 1 - std::pow(1 - 2e-3, 100);
  CHECK(proportion_interval(sizes.size(), held.size(), 0.997).contains(some));
  CHECK(mean_interval(sizes, 0.997).contains(m));
}

TEST_CASE("people leave a share of the jobs on hold and release the others") {
  Grid grid = quiet_grid(100, 100);
  grid.draw.not_found = {.per_start = 0.02, .mean_hits = 40};
  grid.draw.most_left_held = 0.2;
  auto const counts = in_children(60, [&](std::uint32_t replica) {
    auto const run = grid.run(replica);
    int const held = count(run.history, history::EventKind::held);
    int const released = count(run.history, history::EventKind::released);
    return std::vector<double>{1.0 * held, 1.0 * (held - released)};
  });
  std::size_t with_many = 0;
  for (std::size_t i = 0; i < counts.size(); i += 2) {
    with_many += counts[i] > 20 ? 1 : 0;
    CHECK(counts[i + 1] == std::min(20.0, counts[i]));
  }
  CHECK(with_many > 10);
}

}  // namespace gridcast::test
