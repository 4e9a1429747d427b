#include "tests/bench/published_campaign.hpp"

namespace gridcast::bench {

namespace {

void add_site(PublishedCampaign& published, std::string const& name, int gpus,
              Distribution const& epoch, double stream_limit) {
  std::size_t const number = published.pool.sites.size();
  SiteSpec& site = published.pool.sites.emplace_back();
  site.name = name;
  site.gpus = gpus;
  for (std::size_t i = 0; i < 3; ++i) site.caches.emplace_back((number + i) % 3);
  published.world.sites[name] = {
      gpus, Seconds(977), epoch, BytesPerSecond(stream_limit), BytesPerSecond(1e9), 1e-6};
}

World troubles() {
  World world;
  world.stall.scope = StallScope::path;
  world.stall.bad_fraction = 0.15;
  world.stall.bad_duration = hours(15);
  world.stall.stall_when_bad = 0.95;
  world.stall.stall_when_quiet = 0.01;
  world.rate_noise = 0.06;
  world.hold_on_failure = 0.03;
  world.spurious_404 = 0.003;
  world.not_found = {0.015, 15};
  world.network_down = {0.015, 2};
  world.corrupt_input = 0.012;
  world.corrupt_execution = Seconds(33);
  world.release_transfer_hold = 0.95;
  world.release_other_hold = 0.05;
  world.release_delay = {Family::exponential, 1, 6000, 0};
  world.overhead = {Family::gamma, 4, 2.5, 0};
  return world;
}

}  // namespace

PublishedCampaign published_campaign() {
  PublishedCampaign published;
  for (char const* name : {"a", "b", "c"}) {
    published.pool.caches.push_back({.name = name, .disk = Bytes(50e12)});
  }
  published.pool.origin = {"origin", BytesPerSecond(3e9), BytesPerSecond(4e8)};
  published.world = troubles();
  add_site(published, "first", 6, {Family::lognormal, 0.02, 2050, 0}, 330e6);
  add_site(published, "second", 8, {Family::lognormal, 0.01, 2770, 0}, 64e6);
  add_site(published, "third", 3, {Family::lognormal, 1.3, 1500, 2200}, 180e6);
  published.campaign.submit = {{Seconds(0), 50}, {Seconds(0), 50}};
  published.campaign.input = {{"osdf:///input", Bytes(137e9)}};
  published.campaign.work.epochs = 5;
  return published;
}

}  // namespace gridcast::bench
