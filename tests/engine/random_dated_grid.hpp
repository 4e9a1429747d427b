// Dated worlds, campaigns and policies drawn at random, with all that can go wrong.
#pragma once

#include <string>

#include "tests/engine/dated_grid.hpp"

namespace gridcast::test {

class RandomDatedGrid {
 public:
  explicit RandomDatedGrid(std::uint32_t number)
      : random_(RandomStreams(3, 0).stream(Purpose::test, number)) {}

  Grid draw() {
    Grid grid = dated_grid(1, 1);
    grid.pool.sites.clear();
    grid.pool.access_point.policy_interval = Seconds(between(10, 120));
    scenario::EventLogParameters& world = *grid.draw.event_log;
    world.sites.clear();
    for (int i = 1 + below(4); i > 0; --i) add_site(grid);
    draw_world(world);
    draw_campaign(grid.campaign);
    draw_strategy(grid.strategy);
    return grid;
  }

 private:
  int below(int n) { return static_cast<int>(random_.below(static_cast<std::uint32_t>(n))); }
  double between(double low, double high) { return low + (high - low) * random_.uniform(); }
  bool coin() { return random_.chance(0.5); }
  double rate(double mean) { return coin() ? 1 / (mean * between(0.5, 2)) : 0; }
  Distribution some(double mean) { return {Family::gamma, between(0.5, 4), mean, 0}; }

  void add_site(Grid& grid) {
    scenario::SiteSpec& spec = grid.pool.sites.emplace_back();
    spec.name = "site" + std::to_string(grid.pool.sites.size());
    spec.slots = 1 + below(6);
    spec.slots_per_pilot = 1 + below(3);
    scenario::EventLogSiteParameters& site = grid.draw.event_log->sites[spec.name];
    site.slots = spec.slots;
    site.url_median = Seconds(between(1, 30));
    site.url_sigma = between(0, 1);
    site.url_failure = coin() ? between(0, 0.3) : 0;
    site.url_hang = coin() ? between(0, 0.1) : 0;
    site.speed = between(0.5, 2);
    site.crash = coin() ? between(0, 0.4) : 0;
    site.evict_per_second = rate(1500);
    site.disconnect_per_second = rate(500);
    site.reconnect = between(0.3, 1);
    site.suspend_per_second = rate(500);
    site.pilot_death_per_second = rate(2000);
  }

  void draw_world(scenario::EventLogParameters& world) {
    world.url_exponent = between(0, 1);
    world.work = Seconds(between(50, 1500));
    world.job_sigma = between(0, 0.5);
    world.execution_sigma = between(0, 0.2);
    world.match_delay = some(2);
    world.setup = some(2);
    world.teardown = some(3);
    world.checkpoint = some(5);
    world.requeue_delay = some(3);
    world.release_delay = some(100);
    world.reconnect_delay = some(60);
    world.release = between(0.3, 1);
    world.most_holds = 1 + below(5);
    world.suspension = Seconds(between(1, 100));
    world.pilot_replacement = Seconds(between(0, 300));
  }

  void draw_campaign(scenario::Campaign& campaign) {
    campaign.submit.clear();
    for (int i = 1 + below(3); i > 0; --i) {
      campaign.submit.push_back({Seconds(between(0, 600)), 1 + below(20)});
    }
    for (int i = below(3); i > 0; --i) {
      campaign.input.push_back({"osdf:///more", Bytes(between(1e8, 1e10))});
    }
    campaign.work.epochs = 1 + below(10);
    campaign.work.scale = between(0.5, 2);
    campaign.work.crash_odds = scenario::FactorRange{0.5, between(0.5, 4)};
    if (coin()) campaign.max_idle = 1 + below(10);
    if (coin()) campaign.max_materialize = 1 + below(20);
  }

  void draw_strategy(scenario::Strategy& strategy) {
    strategy.retry = {
        static_cast<scenario::OnTransferFailure>(below(4)), minutes(1), minutes(2), below(5), {}};
    scenario::JobPolicy& policy = strategy.retry.policy;
    if (coin()) policy.checkpoint_every_epochs = 1 + below(3);
    if (coin()) policy.max_retries = below(4);
    if (coin()) policy.plugin_lifetime = Seconds(between(20, 200));
    if (coin()) policy.job_lease_duration = Seconds(between(20, 300));
    if (coin()) policy.allowed_execute_duration = Seconds(between(200, 3000));
    if (coin()) policy.allowed_job_duration = Seconds(between(300, 5000));
    policy.crash_holds = coin();
    if (coin()) strategy.release = {minutes(between(1, 10)), below(4)};
    if (coin()) strategy.match = {1 + below(3), minutes(between(0, 30))};
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

}  // namespace gridcast::test
