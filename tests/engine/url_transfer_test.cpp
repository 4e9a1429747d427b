// The URLs of a job's input: the time of each, its failures and hangs, and the end of all. Each
// statistical check has the tolerance of 5 standard errors, so that with its fixed seed it fails by
// chance once in 1.7 million choices of a seed.
#include <algorithm>
#include <cmath>
#include <utility>

#include "tests/engine/events.hpp"
#include "tests/engine/expectation.hpp"
#include "tests/engine/timed_grid.hpp"
#include "tests/test.hpp"

namespace gridcast::test {

namespace {

using enum history::EventKind;

constexpr int many_fetches = 4000;

Seconds last_at(history::JobHistory const& history) { return history.events.back().at; }

}  // namespace

TEST_CASE("URLs go one after the other, by their bytes") {
  Grid grid = timed_grid(1, 1);
  grid.campaign.input.push_back({"osdf:///large", input_size * 16});
  history::JobHistory const history = grid.run().history;
  CHECK(last_at(history).value() ==
        Approx((timed::cycle + timed::url * 16).value()).margin(timed::tick));
  REQUIRE(history.transfers.size() == 2);
  CHECK(history.urls == std::vector<std::string>{"osdf:///input", "osdf:///large"});
  for (std::uint32_t url : {0u, 1u}) {
    history::UrlTransfer const& transfer = history.transfers[url];
    CHECK(transfer.url == url);
    CHECK(transfer.attempt == 1);
    CHECK(transfer.succeeded);
    CHECK(transfer.size == grid.campaign.input[url].size);
    CHECK(transfer.end - transfer.start == transfer.duration);
  }
  CHECK(history.transfers[1].start == history.transfers[0].end);
}

TEST_CASE("A job's own files come after the files that all jobs fetch") {
  Grid grid = timed_grid(3, 3);
  grid.campaign.input.push_back({"osdf:///own", input_size * 3, 1});
  grid.campaign.input.push_back({"osdf:///two", input_size * 2, 1});
  grid.campaign.input.push_back({"osdf:///two", input_size * 2, 2});
  history::JobHistory const history = grid.run().history;
  std::vector<std::pair<std::size_t, std::string>> fetched;
  for (history::UrlTransfer const& each : history.transfers) {
    fetched.emplace_back(each.job.index(), history.urls[each.url]);
    CHECK(each.duration.value() ==
          Approx((timed::url * (each.size / input_size)).value()).margin(timed::tick));
  }
  CHECK(fetched == std::vector<std::pair<std::size_t, std::string>>{{0, "osdf:///input"},
                                                                    {1, "osdf:///input"},
                                                                    {1, "osdf:///own"},
                                                                    {1, "osdf:///two"},
                                                                    {2, "osdf:///input"},
                                                                    {2, "osdf:///two"}});
  // A file that several jobs name is one file to a cache.
  CHECK(history.transfers[3].url == history.transfers[5].url);
  CHECK(grid.campaign.input_size() == input_size * (1 + 7 / 3.));
}

// The plugin's lifetime counts from its start: 40 s and two URLs of 10 s are cut off after 55 s,
// not after 65.
TEST_CASE("A plugin takes a while before its first URL, as part of the transfer") {
  Grid grid = timed_grid(1, 1);
  grid.campaign.input.assign(2, {"osdf:///input", input_size});
  grid.draw.plugin_start = always(Seconds(40));
  history::JobHistory const history = grid.run().history;
  CHECK(last_at(history).value() ==
        Approx((timed::cycle + timed::url + Seconds(40)).value()).margin(timed::tick));
  auto const at = [&](history::EventKind kind) {
    return std::find_if(history.events.begin(), history.events.end(),
                        [&](auto const& event) { return event.kind == kind; })
        ->at.value();
  };
  CHECK(at(transfer_input_finished) - at(transfer_input_started) == Approx(60).margin(timed::tick));
  REQUIRE(history.transfers.size() == 2);
  CHECK(history.transfers[0].duration.value() == Approx(10).margin(timed::tick));
  CHECK(history.transfers[0].start.value() - at(transfer_input_started) ==
        Approx(40).margin(timed::tick));
  for (auto const& [lifetime, holds] : {std::pair{55.0, true}, {65.0, false}}) {
    grid.strategy.retry.policy.plugin_lifetime = Seconds(lifetime);
    auto const events = grid.run().history.events;
    CHECK(std::any_of(events.begin(), events.end(),
                      [](auto const& event) { return event.kind == held; }) == holds);
  }
}

TEST_CASE("each URL waits for its latency first") {
  Grid grid = timed_grid(1, 1);
  grid.campaign.input.assign(3, {"osdf:///input", input_size});
  grid.site().latency = Seconds(4);
  Seconds const others = timed::cycle - timed::url;
  CHECK(last_at(grid.run().history).value() ==
        Approx((others + (Seconds(4) + timed::url) * 3).value()).margin(timed::tick));
  // Where nothing limits the rate, it is all that there is.
  grid.site().stream_limit = scenario::unlimited_rate;
  grid.site().link_capacity = scenario::unlimited_rate;
  CHECK(last_at(grid.run().history).value() ==
        Approx((others + Seconds(12)).value()).margin(timed::tick));
}

// exp(sigma z) (latency + bytes / rate): the time is lognormal, its median that without the noise.
TEST_CASE("each URL has random numbers of its own, lognormal about its time") {
  Grid grid = timed_grid(50, many_fetches);
  double const sigma = 0.5;
  grid.site().rate_sigma = sigma;
  grid.site().latency = Seconds(2);
  grid.campaign.input.push_back(grid.campaign.input[0]);
  std::vector<double> z;
  std::vector<int> slow(many_fetches);
  for (history::UrlTransfer const& transfer : grid.run().history.transfers) {
    z.push_back(std::log(transfer.duration.value() / 12) / sigma);
    slow[transfer.job.index()] += z.back() > 0;
  }
  REQUIRE(z.size() == 2 * many_fetches);
  check_mean(z, 0);
  CHECK(standard_deviation(z) == Approx(1).margin(5 / std::sqrt(4. * many_fetches)));
  for (auto const& [n, p] : {std::pair{0, 0.25}, {1, 0.5}, {2, 0.25}}) {
    check_share(static_cast<std::size_t>(std::count(slow.begin(), slow.end(), n)), many_fetches, p);
  }
}

// Each URL of each attempt draws anew whether its cache is cold: of two, both are with p^2.
TEST_CASE("URLs meet cold caches independently of each other, each four times as slow") {
  Grid grid = timed_grid(50, many_fetches);
  double const p = 0.3;
  grid.site().cold_share = p;
  grid.site().cold_limit = grid.site().stream_limit / 4;
  grid.campaign.input.push_back(grid.campaign.input[0]);
  std::vector<int> cold(many_fetches);
  for (history::UrlTransfer const& transfer : grid.run().history.transfers) {
    bool const slow = transfer.duration > timed::url * 2;
    CHECK(transfer.duration.value() ==
          Approx((timed::url * (slow ? 4 : 1)).value()).margin(timed::tick));
    cold[transfer.job.index()] += slow;
  }
  for (auto const& [n, share] : {std::pair{0, 0.49}, {1, 0.42}, {2, 0.09}}) {
    check_share(static_cast<std::size_t>(std::count(cold.begin(), cold.end(), n)), many_fetches,
                share);
  }
}

// With two URLs that fail with p each, and the second tried only where the first has arrived.
TEST_CASE("URLs fail independently of each other, after a share of their time") {
  Grid grid = timed_grid(50, many_fetches);
  double const p = 0.3;
  grid.site().url_failure = p;
  grid.site().latency = Seconds(4);
  grid.draw.url_failed_after = 0.25;
  grid.campaign.input.push_back({"osdf:///large", input_size * 2});
  grid.strategy.retry.on_transfer_failure = scenario::OnTransferFailure::hold;
  nobody_releases(grid);
  history::JobHistory const history = grid.run().history;
  std::size_t failed[2] = {}, tried[2] = {};
  for (history::UrlTransfer const& transfer : history.transfers) {
    ++tried[transfer.url];
    failed[transfer.url] += !transfer.succeeded;
    double const whole = 4 + (transfer.url == 0 ? 10 : 20);
    CHECK(transfer.duration.value() ==
          Approx(transfer.succeeded ? whole : whole / 4).margin(timed::tick));
  }
  CHECK(tried[0] == many_fetches);
  CHECK(tried[1] == many_fetches - failed[0]);
  check_share(failed[0], tried[0], p);
  check_share(failed[1], tried[1], p);
  CHECK(count(history, held, history::Reason::transfer_failed) == failed[0] + failed[1]);
}

TEST_CASE(
    "failed transfers before a success are geometric: each attempt has its own random numbers") {
  Grid grid = timed_grid(50, many_fetches);
  double const p = 0.3;
  grid.site().url_failure = p;
  grid.strategy.retry.on_transfer_failure = scenario::OnTransferFailure::hold;
  check_mean(counts(grid.run().history, held), p / (1 - p));
}

TEST_CASE("the plugin's lifetime is for all URLs together") {
  Grid grid = timed_grid(1, 1);
  grid.campaign.input.push_back(grid.campaign.input[0]);
  policy_of(grid).plugin_lifetime = Seconds(14);
  nobody_releases(grid);
  history::JobHistory const history = grid.run().history;
  auto const events = events_of(history, 0);
  CHECK(kinds(events) == std::vector{submitted, matched, transfer_input_started, held});
  CHECK(events[3].reason == history::Reason::transfer_timeout);
  CHECK((events[3].at - events[2].at).value() == Approx(14).margin(timed::tick));
  REQUIRE(history.transfers.size() == 2);
  CHECK(history.transfers[0].succeeded);
  CHECK_FALSE(history.transfers[1].succeeded);
  CHECK(history.transfers[1].duration.value() == Approx(4).margin(timed::tick));
}

TEST_CASE("a hung URL ends by the starter's timer, or else with the plugin's life") {
  Grid grid = timed_grid(1, 1);
  grid.strategy.transfer.protocol = GENERATE(scenario::Protocol::osdf, scenario::Protocol::http);
  grid.site().url_hang = 1;
  grid.draw.hold_on_stall = 1;
  nobody_releases(grid);
  auto const ended = [&](Seconds after) {
    auto const events = events_of(grid.run(0, {.network = engine::NetworkModel::fast}).history, 0);
    CHECK((events[3].at - events[2].at).value() == Approx(after.value()).margin(timed::tick));
    CHECK(events.back().kind == held);
    return events.back().reason;
  };
  CHECK(ended(Seconds(3620)) == history::Reason::transfer_stalled);
  policy_of(grid).plugin_lifetime = Seconds(25);
  CHECK(ended(Seconds(25)) == history::Reason::transfer_timeout);
  policy_of(grid).plugin_lifetime.reset();
  grid.strategy.transfer.stall_timer = scenario::StallTimer::never;
  CHECK(ended(Seconds(72000)) == history::Reason::transfer_timeout);
}

TEST_CASE("a URL hangs with its probability") {
  Grid grid = timed_grid(50, many_fetches);
  grid.site().url_hang = 0.1;
  grid.draw.hold_on_stall = 1;
  nobody_releases(grid);
  check_share(count(grid.run().history, held, history::Reason::transfer_stalled), many_fetches,
              0.1);
}

TEST_CASE("a failed URL holds the job, unless the strategy changes that") {
  Grid grid = timed_grid(1, 1);
  grid.site().url_failure = 1;
  grid.draw.most_holds = 3;
  grid.strategy.retry.on_transfer_failure = scenario::OnTransferFailure::hold;
  auto events = events_of(grid.run().history, 0);
  CHECK(kinds(events) == std::vector{submitted, matched, transfer_input_started, held, released,
                                     matched, transfer_input_started, held, released, matched,
                                     transfer_input_started, held, aborted});
  CHECK(events[3].reason == history::Reason::transfer_failed);
  CHECK((events[3].at - events[2].at).value() == Approx(5).margin(timed::tick));
  CHECK((events[4].at - events[3].at).value() == Approx(100).margin(timed::tick));
  grid.strategy.retry = {scenario::OnTransferFailure::cool_down, Seconds(60), Seconds(60), 2, {}};
  nobody_releases(grid);
  events = events_of(grid.run().history, 0);
  CHECK(kinds(events) == std::vector{submitted, matched, transfer_input_started, shadow_exception,
                                     matched, transfer_input_started, shadow_exception, matched,
                                     transfer_input_started, held});
  CHECK((events[4].at - events[3].at).value() == Approx(60 + 2).margin(timed::tick));
  grid.strategy.retry = {scenario::OnTransferFailure::requeue, {}, {}, 0, {}};
  grid.draw.hold_on_failure = 1;  // of what is recorded, which this strategy is not
  grid.site().url_failure = 0.5;
  CHECK(count(grid.run(2).history, held) == 0);
}

}  // namespace gridcast::test
