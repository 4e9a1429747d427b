// Small campaigns in which much goes wrong: grids, worlds and strategies that the goldens are of.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/history/job_table.hpp"
#include "tests/engine/timed_grid.hpp"
#include "tests/engine/training_grid.hpp"

namespace gridcast::test {

/// Three sites with three caches in another order each, and all failures of what lies in between.
inline Grid rough_grid() {
  Grid grid;
  for (char const* name : {"cache-a", "cache-b", "cache-c"}) {
    grid.pool.caches.push_back({.name = name, .disk = Bytes(1e12)});
  }
  std::vector<std::pair<char const*, int>> const sites = {{"north", 3}, {"south", 2}, {"west", 2}};
  for (std::size_t i = 0; i < sites.size(); ++i) {
    scenario::SiteSpec& site = grid.pool.sites.emplace_back();
    site.name = sites[i].first;
    site.gpus = sites[i].second;
    for (std::size_t k = 0; k < 3; ++k) site.caches.emplace_back((i + k) % 3);
    auto const number = static_cast<double>(i);
    grid.draw.sites[site.name] = {.gpus = site.gpus,
                                  .pilot_kill_per_second = 2e-5,
                                  .stream_limit = BytesPerSecond(1e8),
                                  .link_capacity = BytesPerSecond(1.5e8 + 1e7 * number),
                                  .unpack = Seconds(300 + 100 * number),
                                  .epoch = {Family::lognormal, 0.3, 2000 + 500 * number, 100}};
  }
  grid.pool.sites[2].pilot_walltime = hours(24);
  grid.pool.origin = {"origin", BytesPerSecond(3e8), BytesPerSecond(2e8)};
  grid.campaign.submit = {{Seconds(0), 6}, {minutes(30), 4}};
  grid.campaign.input = {{"osdf:///data/input.tar", Bytes(1e11)}};
  grid.campaign.work.epochs = 3;
  scenario::ParameterDraw& draw = grid.draw;
  draw.outages = {.scope = scenario::OutageScope::cache,
                  .bad_fraction = 0.4,
                  .bad_duration = hours(2),
                  .stall_when_bad = 0.8,
                  .stall_when_quiet = 0.05,
                  .redraw_interval = {},
                  .slow_before_stall = 0.4,
                  .slow_duration = Seconds(300),
                  .pause = 0.3,
                  .pause_duration = Seconds(1500)};
  for (auto& [name, site] : draw.sites) site.rate_sigma = 0.1;
  draw.hold_on_failure = 0.2;
  draw.hold_on_stall = 0.1;
  draw.spurious_404 = 0.03;
  draw.not_found = {.per_start = 0.05, .mean_hits = 2};
  draw.network_down = {.per_start = 0.05, .mean_hits = 2};
  draw.corrupt_input = 0.05;
  draw.corrupt_execution = Seconds(40);
  draw.release_transfer_hold = 0.8;
  draw.release_other_hold = 0.3;
  draw.release_delay = {Family::exponential, 1, 6000, 0};
  draw.teardown = {Family::gamma, 4, 2.5, 0};
  draw.http_abort = 0.4;
  return grid;
}

/// Two sites where every step has a known time on average, pilots of two slots, and all that ends
/// an attempt there.
inline Grid rough_timed_grid() {
  Grid grid = timed_grid(3, 8);
  scenario::SiteSpec& first = grid.pool.sites[0];
  first.slots_per_pilot = 2;
  scenario::SiteSpec second = first;
  second.name = "other";
  second.gpus = 2;
  grid.pool.sites.push_back(second);
  grid.campaign.input.push_back({"osdf:///more", input_size * 3});
  grid.campaign.submit = {{Seconds(0), 5}, {Seconds(200), 3, 0.5}};
  scenario::ParameterDraw& draw = grid.draw;
  scenario::SiteParameters& site = draw.sites.at("site");
  site.rate_sigma = 0.5;
  site.url_failure = 0.15;
  site.url_hang = 0.1;
  site.crash = 0.3;
  site.evict_per_second = 1 / 1500.0;
  site.disconnect_per_second = 1 / 500.0;
  site.suspend_per_second = 1 / 400.0;
  site.reconnect = 0.8;
  site.pilot_death_per_second = 1 / 4000.0;
  draw.sites["other"] = site;
  draw.sites["other"].speed = 1.5;
  draw.job_sigma = 0.3;
  draw.execution_sigma = 0.1;
  draw.match_delay = {Family::gamma, 2, 2, 0};
  draw.setup = {Family::gamma, 2, 3, 0};
  draw.teardown = {Family::gamma, 2, 3, 0};
  draw.checkpoint = {Family::gamma, 2, 5, 0};
  draw.requeue_delay = {Family::gamma, 2, 4, 0};
  draw.release_delay = {Family::exponential, 1, 100, 0};
  draw.reconnect_delay = {Family::exponential, 1, 60, 0};
  draw.release_transfer_hold = draw.release_other_hold = 0.7;
  draw.most_holds = 3;
  policy_of(grid).plugin_lifetime = Seconds(100);
  policy_of(grid).job_lease_duration = Seconds(150);
  policy_of(grid).max_retries = 2;
  return grid;
}

/// Jobs that train, killed and stalled now and then.
inline Grid rough_training_grid(scenario::DataAccess data) {
  scenario::CatalogueWork work = small_work();
  work.profile.checkpoint.size = Bytes(6e6);
  if (data == scenario::DataAccess::stream)
    work.profile.checkpoint.mode = scenario::SaveMode::overlap;
  Grid grid = training_grid(3, 6, work);
  grid.site().epoch = {Family::lognormal, 0.3, 3000, 0};
  grid.site().pilot_kill_per_second = 1 / 150.0;
  grid.site().link_capacity = BytesPerSecond(25e6);
  grid.draw.outages.stall_when_quiet = data == scenario::DataAccess::stream ? 0.05 : 0;
  grid.draw.http_abort = 0.1;
  grid.strategy.training.data = data;
  grid.strategy.transfer.stall_timeout = Seconds(30);
  grid.strategy.transfer.check_interval = Seconds(10);
  grid.strategy.retry.policy.checkpoint_every_epochs = 2;
  return grid;
}

/// A table that has every outcome of a job.
inline history::JobTable rough_table() {
  struct Reported {
    char const* sites;
    history::Outcome outcome;
    double execution, total, last;
    int stalls, holds, evictions;
  };
  std::vector<Reported> const reported = {
      {"north", history::Outcome::success, 9000, 700, 700, 0, 0, 0},
      {"south", history::Outcome::success, 11000, 9000, 800, 2, 0, 0},
      {"north", history::Outcome::success, 10000, 15000, 900, 3, 1, 0},
      {"west", history::Outcome::success, 12000, 8000, 600, 0, 0, 2},
      {"south", history::Outcome::wrong_output, 60, 650, 650, 0, 0, 0},
      {"west", history::Outcome::held_404, 0, 1, 1, 0, 0, 0},
      {"north", history::Outcome::held_transfer, 0, 4000, 4000, 0, 0, 0},
      {"south", history::Outcome::held_duration, 72000, 5000, 700, 1, 0, 0},
      {"", history::Outcome::unfinished, 0, 0, 0, 0, 0, 0}};
  history::JobTable table;
  for (Reported const& job : reported) {
    history::JobRow& row = table.rows.emplace_back();
    row.name = {1, static_cast<std::uint32_t>(table.rows.size() - 1)};
    row.outcome = job.outcome;
    if (*job.sites) row.sites = {job.sites};
    if (job.execution > 0) row.execute = {Seconds(job.execution)};
    if (job.execution > 0) row.slot_busy = {Seconds(job.execution + job.last + 20)};
    if (job.total > 0) row.transfer_total = Seconds(job.total);
    if (job.last > 0) row.transfer_last = Seconds(job.last);
    row.stalls = job.stalls;
    row.holds_released = job.holds;
    row.evictions = job.evictions;
  }
  return table;
}

}  // namespace gridcast::test
