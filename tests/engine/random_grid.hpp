// Grids, campaigns, strategies and parameters drawn at random, with all that can go wrong.
#pragma once

#include <string>

#include "tests/engine/quiet_grid.hpp"

namespace gridcast::test {

/// No transfer crosses two shared links, so that the fast network is exact and many grids can be
/// simulated in a process.
class RandomGrid {
 public:
  explicit RandomGrid(std::uint32_t number)
      : random_(RandomStreams(2, 0).stream(Purpose::test, number)) {}

  Grid draw() {
    Grid grid;
    bool const in_gpus = coin();
    draw_pool(grid.pool, in_gpus);
    bool const work_is_known = coin();
    for (scenario::SiteSpec const& spec : grid.pool.sites) {
      scenario::SiteParameters& site = grid.draw.sites[spec.name];
      (in_gpus ? site.gpus : site.slots) = std::max(spec.gpus, spec.slots);
      draw_supply_and_transfer(site);
      draw_execution(site);
    }
    if (work_is_known) grid.draw.work = Seconds(between(50, 1500));
    draw_outages(grid.draw.outages);
    draw_failures(grid.draw);
    draw_times(grid.draw);
    draw_campaign(grid.campaign);
    grid.campaign.request.gpus = in_gpus ? 1 : 0;
    draw_strategy(grid.strategy);
    draw_policy(grid.strategy.retry.policy);
    return grid;
  }

 private:
  int below(int n) { return static_cast<int>(random_.below(static_cast<std::uint32_t>(n))); }
  double between(double low, double high) { return low + (high - low) * random_.uniform(); }
  bool coin() { return random_.chance(0.5); }
  double rate(double mean) { return coin() ? 1 / (mean * between(0.5, 2)) : 0; }
  double at_times(double most) { return coin() ? between(0, most) : 0; }
  Distribution some(double mean) { return {Family::gamma, between(0.5, 4), mean, 0}; }
  template <class Choice>
  Choice one_of(int n) {
    return static_cast<Choice>(below(n));
  }

  void draw_pool(scenario::Pool& pool, bool in_gpus) {
    int const caches = 1 + below(3);
    for (int i = 0; i < caches; ++i) {
      pool.caches.push_back({.name = "cache" + std::to_string(i), .disk = Bytes(1e14)});
    }
    for (int i = 1 + below(4); i > 0; --i) {
      scenario::SiteSpec& site = pool.sites.emplace_back();
      site.name = "site" + std::to_string(i);
      (in_gpus ? site.gpus : site.slots) = 1 + below(10);
      site.slots_per_pilot = 1 + below(3);
      if (below(5) == 0) continue;  // has no caches in reach
      for (int k = 0; k < caches; ++k) {
        site.caches.emplace_back(static_cast<std::size_t>((k + i) % caches));
      }
    }
    pool.origin = {"origin", BytesPerSecond(between(5e8, 5e9)), BytesPerSecond(between(1e8, 1e9))};
    pool.access_point.policy_interval = Seconds(between(10, 120));
    pool.pilots.walltime = hours(between(15, 60));
    pool.pilots.replacement = Seconds(between(0, 3000));
  }

  void draw_supply_and_transfer(scenario::SiteParameters& site) {
    site.pilot_kill_per_second = rate(3000);
    if (coin()) site.pilot_death_per_second = rate(2000);
    site.latency = Seconds(at_times(30));
    if (site.latency == Seconds() || coin()) {
      site.stream_limit = BytesPerSecond(between(5e7, 5e8));
    }
    site.rate_sigma = at_times(0.6);
    int const shared = below(3);
    if (shared == 0) site.link_capacity = BytesPerSecond(between(2e8, 2e9));
    if (shared == 1) site.node_capacity = BytesPerSecond(between(1e8, 1e9));
    site.slots_per_node = below(4);
    site.url_failure = at_times(0.3);
    site.url_hang = at_times(0.1);
  }

  void draw_execution(scenario::SiteParameters& site) {
    site.unpack = Seconds(between(0, 100));
    site.epoch = {Family::lognormal, between(0.01, 0.7), between(20, 250), between(0, 50)};
    site.speed = between(0.5, 2);
    site.crash = at_times(0.4);
    site.evict_per_second = rate(1500);
    site.disconnect_per_second = rate(500);
    site.reconnect = between(0.3, 1);
    site.suspend_per_second = rate(500);
  }

  void draw_outages(scenario::OutageParameters& outages) {
    outages.scope = one_of<scenario::OutageScope>(6);
    outages.kind = one_of<scenario::OutageKind>(2);
    outages.bad_fraction = between(0.02, 0.4);
    outages.bad_duration = hours(between(0.1, 5));
    outages.stall_when_bad = between(0.3, 1);
    outages.stall_when_quiet = between(0, 0.1);
    outages.slow_fraction = between(1e-4, 0.5);
    outages.redraw_interval = Seconds(at_times(3600));
    outages.next_cache_dependence = at_times(1);
    outages.slow_before_stall = at_times(1);
    outages.slow_duration = Seconds(between(1, 1000));
    outages.pause = at_times(0.3);
    outages.pause_duration = Seconds(between(1, 1000));
  }

  void draw_failures(scenario::ParameterDraw& draw) {
    draw.hold_on_failure = between(0, 0.2);
    draw.hold_on_stall = between(0, 0.2);
    draw.url_failed_after = between(0, 1);
    draw.spurious_404 = between(0, 0.01);
    draw.not_found = {between(0, 0.02), between(1, 10)};
    draw.network_down = {between(0, 0.02), between(1, 4)};
    draw.corrupt_input = between(0, 0.03);
    draw.corrupt_execution = Seconds(between(0, 100));
    draw.http_abort = between(0, 0.9);
    draw.job_sigma = at_times(0.5);
    draw.execution_sigma = at_times(0.2);
    draw.release_transfer_hold = between(0.3, 1);
    draw.release_other_hold = between(0, 0.9);
    draw.most_holds = 1 + below(5);
    draw.suspension = Seconds(between(1, 100));
  }

  void draw_times(scenario::ParameterDraw& draw) {
    if (coin()) draw.match_delay = some(2);
    if (coin()) draw.pilot_replacement = Seconds(between(0, 300));
    draw.setup = some(2);
    draw.teardown = some(3);
    draw.checkpoint = some(5);
    draw.requeue_delay = some(3);
    draw.release_delay = some(100);
    draw.reconnect_delay = some(60);
  }

  void draw_campaign(scenario::Campaign& campaign) {
    for (int i = 1 + below(3); i > 0; --i) {
      campaign.submit.push_back({Seconds(between(0, 600)), 1 + below(20)});
    }
    for (int i = 1 + below(3); i > 0; --i) {
      campaign.input.push_back({"osdf:///" + std::to_string(i), Bytes(between(1e8, 1e10))});
    }
    campaign.work.epochs = 1 + below(5);
    campaign.work.scale = between(0.5, 2);
    campaign.work.crash_odds = FactorRange{0.5, between(0.5, 4)};
    if (coin()) campaign.max_idle = 1 + below(10);
    if (coin()) campaign.max_materialize = 1 + below(20);
  }

  void draw_strategy(scenario::Strategy& strategy) {
    scenario::TransferStrategy& transfer = strategy.transfer;
    transfer.stall_timer = one_of<scenario::StallTimer>(3);
    transfer.stall_timeout = Seconds(between(60, 3600));
    transfer.check_interval = Seconds(between(1, 300));
    if (coin()) transfer.on_stall = scenario::OnStall::next_cache;
    transfer.client_timeout = Seconds(at_times(200));
    transfer.resume = coin();
    transfer.max_shadow_exceptions = 1 + below(5);
    transfer.most_at_a_time = coin() ? 1 + below(4) : 0;
    strategy.retry = {
        one_of<scenario::OnTransferFailure>(4), minutes(1), minutes(10), below(5), {}};
    if (coin()) strategy.release = {minutes(between(1, 60)), below(4)};
    if (coin()) strategy.match = {1 + below(3), minutes(between(0, 30))};
  }

  void draw_policy(scenario::JobPolicy& policy) {
    if (coin()) policy.checkpoint_every_epochs = 1 + below(3);
    if (coin()) policy.max_retries = below(4);
    if (coin()) policy.plugin_lifetime = Seconds(between(20, 4000));
    if (coin()) policy.job_lease_duration = Seconds(between(20, 300));
    if (coin()) policy.allowed_execute_duration = Seconds(between(200, 3000));
    if (coin()) policy.allowed_job_duration = Seconds(between(300, 5000));
    policy.crash_holds = coin();
    if (coin()) {
      policy.periodic_release = classad::parse(
          "HoldReasonCode == 13 && NumHolds < 8 && time() - EnteredCurrentStatus > 300");
    }
    if (coin()) policy.periodic_remove = classad::parse("NumShadowStarts > 6 && JobStatus == 1");
    if (coin()) {
      policy.periodic_hold =
          classad::parse("JobStatus == 2 && time() - JobCurrentStartDate > 1500 && NumHolds < 4");
    }
    if (coin()) {
      policy.periodic_vacate =
          classad::parse("CurrentTime - JobCurrentStartDate > 1000 && NumShadowStarts < 9");
    }
    if (coin()) policy.on_exit_hold = classad::parse("ExitCode != 0 && NumHolds < 2");
  }

  RandomStream random_;
};

inline Grid random_grid(std::uint32_t number) { return RandomGrid(number).draw(); }

}  // namespace gridcast::test
