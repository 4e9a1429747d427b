// Outages: what each kind does to a transfer under the rules of client and starter, and whom each
// scope hits.
#include <cmath>
#include <functional>
#include <map>
#include <string>

#include "sim/engine/transfer/outages.hpp"
#include "tests/engine/events.hpp"
#include "tests/engine/expectation.hpp"
#include "tests/engine/quiet_grid.hpp"
#include "tests/test.hpp"

namespace gridcast::test {

namespace {

using enum history::EventKind;

/// Bad from the start to the end, with three caches.
Grid always_bad(scenario::OutageKind kind, double slow_fraction = 0.1) {
  Grid grid = quiet_grid(1, 1);
  add_caches(grid);
  grid.draw.outages.scope = scenario::OutageScope::origin;
  grid.draw.outages.kind = kind;
  grid.draw.outages.bad_fraction = 1;
  grid.draw.outages.bad_duration = Seconds(1);
  grid.draw.outages.stall_when_bad = 1;
  grid.draw.outages.slow_fraction = slow_fraction;
  grid.strategy.retry.on_transfer_failure = scenario::OnTransferFailure::hold;
  grid.draw.hold_on_stall = 1;
  return grid;
}

void ask_next_cache(Grid& grid) {
  grid.strategy.transfer.on_stall = scenario::OnStall::next_cache;
  grid.strategy.transfer.client_timeout = Seconds(100);
}

/// How long the first transfer took, whatever became of it.
double first_transfer(engine::Replica const& replica) {
  auto const events = events_of(replica.history, 0);
  REQUIRE(events.size() > 3);
  return (events[3].at - events[2].at).value();
}

constexpr double tick = 1e-4;

}  // namespace

TEST_CASE("a dead connection brings no byte, and client or starter give it up") {
  Grid grid = always_bad(scenario::OutageKind::dead);
  engine::Replica replica = grid.run();
  CHECK(first_transfer(replica) == Approx(3620).margin(tick));
  CHECK(replica.history.events.back().reason == history::Reason::transfer_stalled);
  CHECK(replica.audit.bytes_delivered == Bytes(0));
  CHECK(replica.audit.cache_misses == 0);
  ask_next_cache(grid);
  replica = grid.run();
  CHECK(first_transfer(replica) == Approx(3 * 100).margin(tick));
  CHECK(replica.history.events.back().reason == history::Reason::transfer_failed);
  CHECK(replica.audit.bytes_delivered == Bytes(0));
}

TEST_CASE("a slow transfer takes 1 / slow_fraction of the time") {
  for (double const fraction : {0.5, 0.1, 0.01}) {
    engine::Replica const replica = always_bad(scenario::OutageKind::slow, fraction).run();
    CHECK(first_transfer(replica) == Approx(10 / fraction));
    CHECK(replica.audit.bytes_delivered.value() == Approx(input_size.value()));
  }
}

// It comes back to its own rate when the period ends, and what happens then is no longer its
// affair.
TEST_CASE("a transfer is slow for as long as the bad period lasts that it began in") {
  constexpr double fraction = 0.25;
  Grid grid = always_bad(scenario::OutageKind::slow, fraction);
  grid.draw.outages.bad_fraction = 0.5;
  grid.draw.outages.bad_duration = Seconds(30);
  int all_slow = 0, in_part = 0, quiet = 0;
  for (std::uint32_t replica = 0; replica < 100; ++replica) {
    engine::Replica const done = grid.run(replica);
    Seconds const start = times(events_of(done.history, 0), transfer_input_started)[0];
    RandomStreams const streams(1, replica);
    auto const until = engine::BadPeriods(grid.draw.outages, streams).bad_until({}, start);
    double const left = until ? (*until - start).value() : 0;
    double const expected = left > 10 / fraction ? 10 / fraction : left + 10 - left * fraction;
    CHECK(first_transfer(done) == Approx(expected).margin(1e-3));
    ++(left == 0 ? quiet : left > 10 / fraction ? all_slow : in_part);
  }
  CHECK(std::min({all_slow, in_part, quiet}) > 5);  // each does happen
}

// 50 kB/s is less than Pelican's client takes for more than 130 s; the starter sees bytes come.
TEST_CASE("a client with a next cache gives up a connection below its limit") {
  Grid grid = always_bad(scenario::OutageKind::slow, 5e-4);
  engine::Replica replica = grid.run();
  CHECK(first_transfer(replica) == Approx(20000));
  CHECK(replica.history.events[3].kind == transfer_input_finished);
  ask_next_cache(grid);
  replica = grid.run();
  CHECK(first_transfer(replica) == Approx(3 * 130).margin(tick));
  CHECK(replica.history.events.back().reason == history::Reason::transfer_failed);
  CHECK(replica.audit.bytes_delivered.value() == Approx(3 * 130 * 50e3));
  grid.strategy.transfer.slow_after = Seconds(40);
  CHECK(first_transfer(grid.run()) == Approx(3 * 40).margin(tick));
  // Pelican 7.10 begins to look after 30 s, later versions after 100; both for 30 s.
  for (auto const& [minor, after] : std::map<int, double>{{10, 60}, {11, 130}}) {
    scenario::Software software;
    software.pelican = scenario::Version{{7, minor, 0}};
    grid.strategy.transfer = scenario::strategy_under(software).transfer;
    CHECK(first_transfer(grid.run()) == Approx(3 * after).margin(tick));
  }
  grid.strategy.transfer = {};
  grid.strategy.transfer.stall_timer = scenario::StallTimer::whole_transfer;
  CHECK(first_transfer(grid.run()) == Approx(3620).margin(tick));
}

TEST_CASE("a client does not give up a transfer that ends before its timeout") {
  Grid grid = always_bad(scenario::OutageKind::slow, 5e-4);
  ask_next_cache(grid);
  grid.campaign.input[0].size = Bytes(5e6);
  CHECK(first_transfer(grid.run()) == Approx(100));
  grid.campaign.input[0].size = Bytes(7e6);
  CHECK(first_transfer(grid.run()) == Approx(390));
  grid.draw.outages.slow_fraction = 2e-3;  // 200 kB/s: fast enough for any file
  grid.campaign.input[0].size = input_size;
  CHECK(first_transfer(grid.run()) == Approx(5000));
}

// Whatever makes it so: five that share a link have 40 kB/s each.
TEST_CASE("a client gives up a transfer that is slow because others share its link") {
  Grid grid = quiet_grid(5, 5);
  add_caches(grid);
  ask_next_cache(grid);
  grid.strategy.retry.on_transfer_failure = scenario::OnTransferFailure::hold;
  grid.campaign.input[0].size = Bytes(1e8);
  grid.site().link_capacity = BytesPerSecond(200e3);
  engine::Replica const replica = grid.run();
  CHECK(first_transfer(replica) == Approx(3 * 130).margin(tick));
  CHECK(count(replica.history, held, history::Reason::transfer_failed) == 5);
  CHECK(replica.audit.bytes_delivered.value() == Approx(3 * 130 * 200e3));
  grid.site().link_capacity = BytesPerSecond(550e3);  // 110 kB/s are enough
  CHECK(first_transfer(grid.run()) == Approx(1e8 / 110e3));
  grid.site().link_capacity = BytesPerSecond(200e3);
  grid.strategy.transfer = {};  // for ever
  CHECK(first_transfer(grid.run()) == Approx(2500));
  grid.strategy.transfer.protocol = scenario::Protocol::http;  // 1,024 B/s are enough for curl
  engine::ReplicaOptions options;
  options.network = engine::NetworkModel::fast;
  CHECK(first_transfer(grid.run(0, options)) == Approx(2500));
  grid.site().link_capacity = BytesPerSecond(5000);
  engine::Replica const curl = grid.run(0, options);
  CHECK(first_transfer(curl) == Approx(30).margin(tick));
  CHECK(count(curl.history, held, history::Reason::no_progress) == 5);
}

// Alone it has 200 kB/s; from 425 s on five share them, so that its stretch from 430 s to 460 s is
// the first with too little, and the two caches after that have no more.
TEST_CASE("a client gives up a transfer that becomes slow") {
  Grid grid = quiet_grid(5, 5);
  add_caches(grid);
  ask_next_cache(grid);
  grid.strategy.retry.on_transfer_failure = scenario::OnTransferFailure::hold;
  grid.campaign.submit = {{Seconds(0), 1}, {Seconds(425), 4}};
  grid.campaign.input[0].size = Bytes(2e8);
  grid.site().link_capacity = BytesPerSecond(200e3);
  CHECK(first_transfer(grid.run()) == Approx(460 + 2 * 130).margin(tick));
}

// Resumed, each try leaves 6.5 MB less to do: the third finds 2 MB, and has them in 40 s.
TEST_CASE("a client that resumes keeps the bytes of slow tries") {
  Grid grid = always_bad(scenario::OutageKind::slow, 5e-4);
  ask_next_cache(grid);
  grid.strategy.transfer.resume = true;
  grid.campaign.input[0].size = Bytes(15e6);
  engine::Replica const replica = grid.run();
  CHECK(replica.history.events[3].kind == transfer_input_finished);
  CHECK(first_transfer(replica) == Approx(2 * 130 + 40));
  CHECK(replica.audit.bytes_delivered.value() == Approx(15e6));
}

TEST_CASE("slow at a rate of nothing is dead, and a period without length is none") {
  CHECK(first_transfer(always_bad(scenario::OutageKind::slow, 0).run()) ==
        Approx(3620).margin(tick));
  Grid grid = always_bad(scenario::OutageKind::dead);
  grid.draw.outages.bad_fraction = 0.5;
  grid.draw.outages.bad_duration = Seconds(0);
  CHECK(first_transfer(grid.run()) == Approx(10));
}

namespace {

/// Two sites with the same first cache, one with another, one without any; nodes of two slots, and
/// what is bad stays bad.
Grid four_sites(scenario::OutageScope scope) {
  Grid grid = quiet_grid(4, 16);
  grid.pool.caches.push_back({.name = "cache1", .disk = Bytes(1e15)});
  scenario::SiteSpec const spec = grid.pool.sites[0];
  scenario::SiteParameters site = grid.site();
  site.slots_per_node = 2;
  grid.pool.sites.clear();
  grid.draw.sites.clear();
  for (char const* name : {"a", "b", "c", "d"}) {
    grid.pool.sites.push_back(spec);
    grid.pool.sites.back().name = name;
    grid.draw.sites[name] = site;
  }
  grid.pool.sites[2].caches = {Id<scenario::Cache>(1)};
  grid.pool.sites[3].caches.clear();
  grid.draw.outages.scope = scope;
  grid.draw.outages.bad_fraction = 0.5;
  grid.draw.outages.bad_duration = Seconds(1e12);
  grid.draw.outages.stall_when_bad = 1;
  grid.draw.hold_on_stall = 1;
  return grid;
}

/// The part of a slot's name that a scope shares.
std::string share_of(scenario::OutageScope scope, std::size_t site, std::uint32_t slot) {
  std::string const name(1, static_cast<char>('a' + site));
  switch (scope) {
    case scenario::OutageScope::cache:
      return site < 2 ? "cache" : name;
    case scenario::OutageScope::path:
      return name + std::to_string(slot);
    case scenario::OutageScope::node:
      return name + std::to_string(slot / 2);
    case scenario::OutageScope::uplink:
      return name;
    default:
      return "all";
  }
}

/// Whether the transfer of each slot was hit.
std::map<std::pair<std::size_t, std::uint32_t>, bool> hits(history::JobHistory const& history) {
  std::map<std::pair<std::size_t, std::uint32_t>, bool> hit;
  for (history::JobEvent const& event : history.events) {
    if (event.kind == held) hit[{event.site.index(), event.slot}] = true;
    if (event.kind == transfer_input_finished) hit[{event.site.index(), event.slot}] = false;
  }
  return hit;
}

}  // namespace

// Slots that share what is bad are hit together, others independently: each half the time.
TEST_CASE("each scope hits exactly those who share it") {
  using enum scenario::OutageScope;
  for (scenario::OutageScope const scope : {origin, cache, path, node, uplink}) {
    CAPTURE(name(scope));
    constexpr std::uint32_t replicas = 150;
    Grid const grid = four_sites(scope);
    std::map<std::pair<std::string, std::string>, std::size_t> differ;
    for (std::uint32_t replica = 0; replica < replicas; ++replica) {
      auto const hit = hits(grid.run(replica).history);
      REQUIRE(hit.size() == 16);
      std::map<std::string, bool> of;
      for (auto const& [slot, is_hit] : hit) {
        std::string const with = share_of(scope, slot.first, slot.second);
        auto const [known, is_new] = of.emplace(with, is_hit);
        CHECK(known->second == is_hit);
      }
      for (auto const& [one, is_hit] : of) {
        for (auto const& [other, other_is] : of) {
          if (one < other) differ[{one, other}] += is_hit != other_is;
        }
      }
    }
    for (auto const& [pair, n] : differ) {
      CAPTURE(pair.first, pair.second);
      check_share(n, replicas, 0.5);
    }
  }
}

TEST_CASE("without a scope there are no bad periods") {
  auto const hit = hits(four_sites(scenario::OutageScope::none).run().history);
  for (auto const& [slot, is_hit] : hit) CHECK_FALSE(is_hit);
}

// Three caches, each path to one bad half of the time: after a try that was hit the next one is hit
// with d + (1 - d) / 2, so all three are with (1 + d)^2 / 8.
TEST_CASE("random numbers with the next cache depend on the last one's as stated") {
  constexpr int jobs = 2000;
  for (double const d : {0., 0.5, 1.}) {
    Grid grid = quiet_grid(jobs, jobs);
    add_caches(grid);
    ask_next_cache(grid);
    grid.draw.outages = {.scope = scenario::OutageScope::path,
                         .bad_fraction = 0.5,
                         .bad_duration = Seconds(1e12),
                         .stall_when_bad = 1,
                         .redraw_interval = {},
                         .next_cache_dependence = d};
    grid.strategy.retry.on_transfer_failure = scenario::OnTransferFailure::hold;
    auto const failed = count(grid.run().history, held, history::Reason::transfer_failed);
    check_share(failed, jobs, (1 + d) * (1 + d) / 8);
  }
}

// A cache that all share: if the next cache has the last one's outage, it does not help.
TEST_CASE("a job's random numbers with a bad cache are the same for as long as it holds") {
  Grid grid = quiet_grid(300, 300);
  grid.draw.outages = always_bad(scenario::OutageKind::dead).draw.outages;
  grid.draw.outages.stall_when_bad = 0.5;
  grid.draw.outages.redraw_interval = days(1000);
  grid.strategy.transfer.max_shadow_exceptions = 1000;
  engine::ReplicaOptions options;
  options.horizon = days(1);
  auto const stalls = counts(grid.run(0, options).history, shadow_exception);
  std::size_t favourable = 0, unfavourable = 0;
  for (double const n : stalls) {
    favourable += n == 0;
    unfavourable += n > 20;
  }
  CHECK(favourable + unfavourable == 300);
  check_share(favourable, 300, 0.5);
  grid.draw.outages.redraw_interval = Seconds(0);  // geometric
  check_mean(counts(grid.run(0, options).history, shadow_exception), 1);
}

}  // namespace gridcast::test
