// Grids, campaigns, strategies and worlds drawn at random, with all that can go wrong.
#pragma once

#include "tests/engine/quiet_grid.hpp"

namespace gridcast::test {

class RandomGrid {
 public:
  explicit RandomGrid(std::uint32_t number)
      : random_(RandomStreams(2, 0).stream(Purpose::test, number)) {}

  Grid draw() {
    Grid grid;
    draw_pool(grid.pool);
    for (scenario::SiteSpec const& site : grid.pool.sites)
      grid.draw.sites[site.name] = site_parameters(site);
    draw_failures(grid.draw);
    draw_strategy(grid.strategy);
    for (int i = 1 + below(3); i > 0; --i) {
      grid.campaign.submit.push_back({Seconds(between(0, 3600)), 1 + below(25)});
    }
    grid.campaign.input = {{"osdf:///input", Bytes(between(1e9, 1.5e11))}};
    grid.campaign.work.epochs = 1 + below(5);
    return grid;
  }

 private:
  int below(int n) { return static_cast<int>(random_.below(static_cast<std::uint32_t>(n))); }
  double between(double low, double high) { return low + (high - low) * random_.uniform(); }
  bool coin() { return random_.chance(0.5); }

  void draw_pool(scenario::Pool& pool) {
    int const caches = 1 + below(3);
    for (int i = 0; i < caches; ++i) {
      pool.caches.push_back({.name = "cache" + std::to_string(i), .disk = Bytes(1e14)});
    }
    for (int i = 1 + below(4); i > 0; --i) {
      scenario::SiteSpec& site = pool.sites.emplace_back();
      site.name = "site" + std::to_string(i);
      site.gpus = 1 + below(12);
      for (int k = 0; k < caches; ++k) {
        site.caches.emplace_back(static_cast<std::size_t>((k + i) % caches));
      }
    }
    pool.origin = {"origin", BytesPerSecond(between(5e8, 5e9)), BytesPerSecond(between(1e8, 1e9))};
    pool.pilots.walltime = hours(between(15, 60));
    pool.pilots.replacement = hours(between(0, 3));
  }

  scenario::SiteParameters site_parameters(scenario::SiteSpec const& site) {
    scenario::SiteParameters world;
    world.gpus = site.gpus;
    world.unpack = Seconds(between(0, 1000));
    world.epoch = {Family::lognormal, between(0.01, 0.7), between(300, 4000), between(0, 500)};
    world.stream_limit = BytesPerSecond(between(5e7, 5e8));
    world.link_capacity = BytesPerSecond(between(2e8, 2e9));
    world.pilot_kill_per_second = coin() ? between(0, 5e-5) : 0;
    return world;
  }

  void draw_failures(scenario::ParameterDraw& world) {
    world.stall.scope = static_cast<scenario::StallScope>(below(3));
    world.stall.bad_fraction = between(0.02, 0.4);
    world.stall.bad_duration = hours(between(0.3, 15));
    world.stall.stall_when_bad = between(0.3, 1);
    world.stall.stall_when_quiet = between(0, 0.1);
    world.stall.slow_before_stall = coin() ? between(0, 1) : 0;
    world.stall.slow_duration = Seconds(between(1, 1000));
    world.rate_noise = between(0.001, 0.2);
    world.hold_on_failure = between(0, 0.2);
    world.spurious_404 = between(0, 0.01);
    world.not_found = {between(0, 0.02), between(1, 10)};
    world.network_down = {between(0, 0.02), between(1, 4)};
    world.corrupt_input = between(0, 0.03);
    world.corrupt_execution = Seconds(between(0, 100));
    world.release_transfer_hold = between(0, 1);
    world.release_other_hold = between(0, 0.3);
    world.release_delay = {Family::exponential, 1, 6000, 0};
    world.overhead = {Family::gamma, 4, 2.5, 0};
    world.http_abort = between(0, 0.9);
  }

  void draw_strategy(scenario::Strategy& strategy) {
    strategy.transfer.stall_timeout = Seconds(between(60, 3600));
    strategy.transfer.check_interval = Seconds(between(0, 300));
    strategy.transfer.on_stall =
        coin() ? scenario::OnStall::requeue : scenario::OnStall::next_cache;
    strategy.transfer.resume = coin();
    strategy.retry = {static_cast<scenario::OnTransferFailure>(below(3)), minutes(5), minutes(10),
                      below(5)};
    if (coin()) strategy.release = {minutes(between(1, 60)), below(4)};
    if (coin()) strategy.match = {1 + below(3), hours(between(0, 4))};
  }

  RandomStream random_;
};

inline Grid random_grid(std::uint32_t number) { return RandomGrid(number).draw(); }

}  // namespace gridcast::test
