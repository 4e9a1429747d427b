// A dated world of one site where nothing goes wrong and everything takes a known time, to be
// spoilt by the test that uses it.
#pragma once

#include "tests/engine/quiet_grid.hpp"

namespace gridcast::test {

namespace dated {

inline constexpr Seconds match_delay(2), setup(3), url(10), work(800), teardown(5), checkpoint(4),
    requeue(7), release(100), reconnect(20);

/// Of a job, from match to release of its slot: alone, and with what comes before it.
inline constexpr Seconds attempt = setup + url + work + teardown;
inline constexpr Seconds cycle = match_delay + attempt;

/// Times fall on ticks of a microsecond each, later by up to one.
inline constexpr double tick = 1e-4;

}  // namespace dated

inline scenario::EventLogSiteParameters quiet_site(int slots) {
  scenario::EventLogSiteParameters site;
  site.slots = slots;
  site.url_median = dated::url;
  return site;
}

inline Grid dated_grid(int slots, int jobs) {
  Grid grid;
  scenario::SiteSpec& spec = grid.pool.sites.emplace_back();
  spec.name = "site";
  spec.slots = slots;
  grid.pool.access_point.policy_interval = Seconds(60);
  grid.campaign.submit = {{Seconds(0), jobs}};
  grid.campaign.request.gpus = 0;
  grid.campaign.input = {{"osdf:///input", input_size}};
  grid.campaign.work.epochs = 8;
  scenario::EventLogParameters& draw = grid.draw.event_log.emplace();
  draw.sites["site"] = quiet_site(slots);
  draw.url_reference = input_size;
  draw.work = dated::work;
  draw.match_delay = always(dated::match_delay);
  draw.setup = always(dated::setup);
  draw.teardown = always(dated::teardown);
  draw.checkpoint = always(dated::checkpoint);
  draw.requeue_delay = always(dated::requeue);
  draw.release_delay = always(dated::release);
  draw.reconnect_delay = always(dated::reconnect);
  draw.suspension = Seconds(6);
  draw.pilot_replacement = Seconds(50);
  return grid;
}

inline scenario::EventLogSiteParameters& site_of(Grid& grid) {
  return grid.draw.event_log->sites.at("site");
}
inline scenario::JobPolicy& policy_of(Grid& grid) { return grid.strategy.retry.policy; }

}  // namespace gridcast::test
