#include "sim/scenario/draw_columns.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <functional>
#include <map>
#include <set>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/scenario/scenario.hpp"
#include "tests/scenario/files.hpp"
#include "tests/test.hpp"

namespace gridcast::scenario {

using test::has_text;

namespace {

/// The required parts of a calibration, and one column more.
ParameterDraw draw_with(std::string const& column, double value) {
  std::vector<std::string> columns = {"slots.A", "epoch_scale_s.A"};
  std::vector<double> row = {3, 100};
  if (auto const known = std::find(columns.begin(), columns.end(), column);
      known != columns.end()) {
    row[static_cast<std::size_t>(known - columns.begin())] = value;
  } else {
    columns.push_back(column);
    row.push_back(value);
  }
  return make_parameter_draw(columns, row);
}

std::string problems(std::vector<std::string> const& columns, std::vector<double> const& row) {
  try {
    make_parameter_draw(columns, row);
  } catch (InputError const& error) {
    std::string text;
    for (Problem const& problem : error.problems()) text += problem.to_text() + "\n";
    return text;
  }
  return "";
}

/// A column, a number that it may hold, and where that has to arrive.
template <class Parameters>
struct Goes {
  std::string column;
  double value;
  std::function<double(Parameters const&)> to;
};

#define GOES(parameters, column, value, member)                           \
  Goes<parameters> {                                                      \
    column, value, [](parameters const& of) { return double(of.member); } \
  }

std::vector<Goes<ParameterDraw>> of_draws() {
#define DRAW(column, value, member) GOES(ParameterDraw, column, value, member)
  return {DRAW("outage_scope", 4, outages.scope),
          DRAW("outage_kind", 1, outages.kind),
          DRAW("stall_bad_fraction", 0.5, outages.bad_fraction),
          DRAW("stall_bad_duration_s", 7, outages.bad_duration.value()),
          DRAW("stall_when_bad", 0.5, outages.stall_when_bad),
          DRAW("stall_when_quiet", 0.5, outages.stall_when_quiet),
          DRAW("slow_fraction", 0.5, outages.slow_fraction),
          DRAW("redraw_interval_s", 7, outages.redraw_interval.value()),
          DRAW("next_cache_dependence", 0.75, outages.next_cache_dependence),
          DRAW("slow_before_stall", 0.5, outages.slow_before_stall),
          DRAW("slow_duration_s", 7, outages.slow_duration.value()),
          DRAW("pause", 0.5, outages.pause),
          DRAW("pause_duration_s", 7, outages.pause_duration.value()),
          DRAW("rate_noise", 0.5, sites.at("A").rate_sigma),
          DRAW("url_failed_after", 0.75, url_failed_after),
          DRAW("hold_on_failure", 0.75, hold_on_failure),
          DRAW("hold_on_stall", 0.75, hold_on_stall),
          DRAW("spurious_404", 0.75, spurious_404),
          DRAW("not_found_per_start", 0.75, not_found.per_start),
          DRAW("not_found_mean_hits", 7, not_found.mean_hits),
          DRAW("not_found_lasts_s", 7, not_found.lasts.value()),
          DRAW("http_abort", 0.75, http_abort),
          DRAW("job_sigma", 0.75, job_sigma),
          DRAW("execution_sigma", 0.75, execution_sigma),
          DRAW("gpu_scaling", 0.75, gpu_scaling),
          DRAW("crash_of_job", 0.75, crash_of_job),
          DRAW("stop_of_job", 0.75, stop_of_job),
          DRAW("network_down_per_start", 0.75, network_down.per_start),
          DRAW("network_down_mean_hits", 7, network_down.mean_hits),
          DRAW("network_down_lasts_s", 7, network_down.lasts.value()),
          DRAW("corrupt_input", 0.75, corrupt_input),
          DRAW("corrupt_execution_s", 7, corrupt_execution.value()),
          DRAW("suspension_s", 7, suspension.value()),
          DRAW("pilot_replacement_s", 7, pilot_replacement->value()),
          DRAW("overhead_shape", 7, teardown.shape),
          DRAW("overhead_scale_s", 7, teardown.scale),
          DRAW("removal_per_s", 0.75, removal_per_second),
          DRAW("removal_share_a", 7, removal_share_a),
          DRAW("removal_share_b", 8, removal_share_b),
          DRAW("removal_queue", 7, removal_queue),
          DRAW("evicted_for_good", 0.75, evicted_for_good),
          DRAW("lost_for_good", 0.75, lost_for_good),
          DRAW("stopped_for_good", 0.75, stopped_for_good),
          DRAW("files_lost", 0.75, files_lost),
          DRAW("unlisted_wait_s", 7, unlisted_wait.value()),
          DRAW("release", 0.75, release_transfer_hold),
          DRAW("release_transfer_hold", 0.75, release_transfer_hold),
          DRAW("release_other_hold", 0.75, release_other_hold),
          DRAW("release_limit_hold", 0.75, release_limit_hold.value()),
          DRAW("release_resource_hold", 0.75, release_resource_hold.value()),
          DRAW("remove_hold", 0.75, remove_transfer_hold),
          DRAW("remove_transfer_hold", 0.75, remove_transfer_hold),
          DRAW("remove_other_hold", 0.75, remove_other_hold),
          DRAW("remove_limit_hold", 0.75, remove_limit_hold.value()),
          DRAW("remove_resource_hold", 0.75, remove_resource_hold.value()),
          DRAW("release_delay_mean_s", 7, release_delay.mean()),
          DRAW("most_holds", 7, most_holds)};
#undef DRAW
}

std::vector<Goes<SiteParameters>> of_sites() {
#define SITE(column, value, member) GOES(SiteParameters, column, value, member)
  return {SITE("gpus", 7, gpus.value()),
          SITE("slots", 7, slots.value()),
          SITE("pilot_kill_per_s", 7, pilot_kill_per_second),
          SITE("pilot_death_per_s", 7, pilot_death_per_second.value()),
          SITE("latency_s", 7, latency.value()),
          SITE("stream_limit_Bps", 7, stream_limit.value()),
          SITE("rate_sigma", 7, rate_sigma),
          SITE("link_capacity_Bps", 7, link_capacity->value()),
          SITE("node_capacity_Bps", 7, node_capacity.value()),
          SITE("slots_per_node", 7, slots_per_node),
          SITE("cold_share", 0.75, cold_share),
          SITE("cold_limit_Bps", 7, cold_limit.value()),
          SITE("cold_sigma", 7, cold_sigma),
          SITE("url_failure", 0.75, url_failure),
          SITE("url_hang", 0.75, url_hang),
          SITE("unpack_s", 7, unpack.value()),
          SITE("epoch_family", 4, epoch.family),
          SITE("epoch_shape", 7, epoch.shape),
          SITE("epoch_scale_s", 7, epoch.scale),
          SITE("epoch_shift_s", 7, epoch.shift),
          SITE("speed", 7, speed),
          SITE("crash", 0.75, crash),
          SITE("evict_per_s", 7, evict_per_second),
          SITE("disconnect_per_s", 7, disconnect_per_second),
          SITE("reconnect", 0.75, reconnect),
          SITE("suspend_per_s", 7, suspend_per_second),
          SITE("stop", 0.75, stop),
          SITE("stop_after_s", 7, stop_after.value()),
          SITE("stop_sigma", 0.75, stop_sigma),
          SITE("stop_per_s", 0.75, stop_per_second),
          SITE("stop_holds", 0.75, stop_holds),
          SITE("gpus_of_speed", 7, gpus_of_speed)};
#undef SITE
}
#undef GOES

struct Times {
  std::string name;
  Distribution ParameterDraw::*member;
};

std::vector<Times> const times = {{"plugin_start", &ParameterDraw::plugin_start},
                                  {"setup", &ParameterDraw::setup},
                                  {"teardown", &ParameterDraw::teardown},
                                  {"checkpoint", &ParameterDraw::checkpoint},
                                  {"requeue_delay", &ParameterDraw::requeue_delay},
                                  {"release_delay", &ParameterDraw::release_delay},
                                  {"reconnect_delay", &ParameterDraw::reconnect_delay},
                                  {"output_try", &ParameterDraw::output_try}};

/// Which bytes of the parameters a column sets.
template <class Column, class Parameters>
std::set<std::size_t> place_of(Column const& column, Parameters const& usual) {
  std::set<std::size_t> place;
  for (double const value : {0.5, 1., 2., 7.}) {
    if (!holds(column.allowed, value)) continue;
    Parameters changed = usual;
    std::array<std::byte, sizeof changed> before;
    std::memcpy(before.data(), static_cast<void const*>(&changed), sizeof changed);
    column.set(changed, value);
    auto const* const now = reinterpret_cast<std::byte const*>(&changed);
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (before[i] != now[i]) place.insert(i);
    }
  }
  return place;
}

void check_places(auto columns, auto const& usual, std::set<std::string> const& shared) {
  std::map<std::size_t, std::string> taken;
  for (auto const& column : columns) {
    if (shared.contains(column.name)) continue;
    CAPTURE(column.name);
    auto const place = place_of(column, usual);
    CHECK_FALSE(place.empty());
    for (std::size_t const byte : place) CHECK(taken.emplace(byte, column.name).second);
  }
}

/// The numbers that D_family, D_shape, D_scale_s and D_shift_s hold.
void check_times(std::string const& name, auto const& of) {
  CHECK(of(draw_with(name + "_family", 3)).family == Family::lognormal);
  CHECK(of(draw_with(name + "_shape", 7)).shape == 7);
  CHECK(of(draw_with(name + "_scale_s", 7)).scale == 7);
  CHECK(of(draw_with(name + "_shift_s", 7)).shift == 7);
}

}  // namespace

TEST_CASE("Every column of a draw arrives at its parameter, beside any others") {
  for (auto const& each : of_draws()) {
    CAPTURE(each.column);
    CHECK(each.to(draw_with(each.column, each.value)) == each.value);
  }
  for (Times const& each : times) {
    CAPTURE(each.name);
    check_times(each.name, [&](ParameterDraw const& draw) { return draw.*each.member; });
  }
  check_times("match_delay", [](ParameterDraw const& draw) { return draw.match_delay.value(); });
  ParameterDraw const work = make_parameter_draw({"slots.A", "speed.A", "work_s"}, {3, 2, 7});
  CHECK(work.work == Seconds(7));
}

TEST_CASE("Every column of a site arrives at that site") {
  for (auto const& each : of_sites()) {
    CAPTURE(each.column);
    ParameterDraw const draw = draw_with(each.column + ".A", each.value);
    REQUIRE(draw.sites.size() == 1);
    CHECK(each.to(draw.sites.at("A")) == each.value);
  }
}

TEST_CASE("Every column has a place of its own") {
  check_places(site_columns(), SiteParameters(), {});
  // Columns that set several values, and values that other columns set.
  check_places(draw_columns(), draw_with("slots.A", 3),
               {"rate_noise", "release", "remove_hold", "release_delay_mean_s", "overhead_shape",
                "overhead_scale_s", "match_delay_family", "match_delay_shape",
                "match_delay_scale_s", "match_delay_shift_s"});
}

TEST_CASE("A missing process does not happen, or takes no time") {
  ParameterDraw const draw = draw_with("slots.A", 3);
  CHECK_FALSE(hypothesis(draw.outages));
  CHECK_FALSE(draw.match_delay);
  CHECK_FALSE(draw.pilot_replacement);
  CHECK(draw.work == Seconds(0));
  CHECK(draw.release_transfer_hold == 0);
  RandomStream random = RandomStreams(1, 0).stream(Purpose::test, 0);
  for (Times const& each : times) CHECK((draw.*each.member).sample(random) == 0);
  SiteParameters const& site = draw.sites.at("A");
  CHECK_FALSE(site.gpus);
  CHECK_FALSE(site.pilot_death_per_second);
  CHECK(site.stream_limit == unlimited_rate);
  CHECK_FALSE(site.link_capacity);
  CHECK(site.node_capacity == unlimited_rate);
  CHECK(site.latency == Seconds(0));
  CHECK(site.evict_per_second == 0);
  CHECK(site.reconnect == 1);
}

TEST_CASE("A draw has slots at each site, and something to compute") {
  CHECK_THAT(problems({}, {}), has_text("no site has parameters"));
  CHECK_THAT(problems({"latency_s.A"}, {1}),
             has_text("'gpus.A' or 'slots.A' is missing (pilots offer slots at a site)") &&
                 has_text("'epoch_scale_s.A' or 'work_s' is missing (jobs compute)"));
  CHECK_THAT(problems({"slots.A", "work_s"}, {1, 1}),
             has_text("'speed.A' is missing ('work_s' is the work at speed 1)"));
}

// A search through all sites for each column would take minutes.
TEST_CASE("The columns of 100,000 sites are found in seconds") {
  constexpr std::size_t sites = 100'000;
  std::vector<std::string> columns;
  for (std::size_t site = 0; site < sites; ++site) {
    columns.push_back(fmt::format("slots.S{}", site));
    columns.push_back(fmt::format("epoch_scale_s.S{}", site));
  }
  auto const begin = std::chrono::steady_clock::now();
  DrawLayout const layout(columns);
  CHECK(layout.complete());
  CHECK(layout.sites().size() == sites);
  CHECK(layout.sites().back() == "S99999");
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(10));
}

TEST_CASE("A number beyond the bounds of its column is refused") {
  auto const refused = [](std::string const& column, double value, char const* why) {
    INFO(column << " = " << value);
    CHECK_THAT(problems({"slots.A", "epoch_scale_s.A", column}, {1, 1, value}), has_text(why));
  };
  refused("outage_kind", 2, "it has to be 0 (dead) or 1 (slow)");
  refused("slow_fraction", 1.5, "a probability, 0 to 1");
  refused("next_cache_dependence", 1.5, "a probability, 0 to 1");
  refused("most_holds", 2.5, "a whole number from 0 to 10000000");
  refused("latency_s.A", -1, "a finite number, 0 or more");
  refused("node_capacity_Bps.A", 0, "a number above 0, or inf");
}

TEST_CASE("A submission scales its jobs' work and odds of a crash") {
  test::ScenarioFiles files;
  files.edit(test::scenario_name, "jobs: 3", "jobs: 3, scale: 0.5, crash_odds: 2..8");
  CHECK(files.problems().empty());
  JobWorks const works(read_scenario(files / test::scenario_name).campaign);
  CHECK(works.of(0) == JobWork{0.5, {2, 8}});
  CHECK(works.of(2) == JobWork{0.5, {2, 8}});
  CHECK(works.of(3) == JobWork{});
  CHECK(works.of(4) == JobWork{});
  files.edit(test::scenario_name, "scale: 0.5", "scale: 0");
  CHECK(files.problems().size() == 1);
}

}  // namespace gridcast::scenario
