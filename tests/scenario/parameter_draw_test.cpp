#include "sim/scenario/parameter_draw.hpp"

#include <algorithm>
#include <limits>

#include "sim/base/error.hpp"
#include "sim/scenario/calibration.hpp"
#include "tests/scenario/files.hpp"
#include "tests/test.hpp"

namespace gridcast::scenario {

using test::has_text;

namespace {

/// A complete row with one value changed.
std::vector<double> with(std::string const& column, double value) {
  auto const columns = test::draw_columns();
  auto row = test::draw_row();
  auto const found = std::find(columns.begin(), columns.end(), column);
  row[static_cast<std::size_t>(found - columns.begin())] = value;
  return row;
}

std::vector<Problem> draw_problems(std::vector<std::string> const& columns,
                                   std::vector<double> const& row) {
  try {
    make_parameter_draw(columns, row);
  } catch (InputError const& error) {
    return error.problems();
  }
  return {};
}

bool accepted(std::string const& column, double value) {
  return draw_problems(test::draw_columns(), with(column, value)).empty();
}

}  // namespace

TEST_CASE("Each number of a row goes where its column says") {
  ParameterDraw const draw = make_parameter_draw(test::draw_columns(), test::draw_row());
  CHECK(draw.outages.scope == OutageScope::cache);
  CHECK(draw.outages.bad_fraction == 0.1);
  CHECK(draw.outages.bad_duration == Seconds(7200));
  CHECK(draw.outages.stall_when_bad == 0.9);
  CHECK(draw.outages.stall_when_quiet == 0.01);
  CHECK(draw.outages.slow_before_stall == 0.3);
  CHECK(draw.outages.slow_duration == Seconds(600));
  CHECK(draw.hold_on_failure == 0.05);
  CHECK(draw.spurious_404 == 0.001);
  CHECK(draw.not_found.per_start == 0.002);
  CHECK(draw.not_found.mean_hits == 15);
  CHECK(draw.network_down.per_start == 0.003);
  CHECK(draw.network_down.mean_hits == 2);
  CHECK(draw.corrupt_input == 0.01);
  CHECK(draw.corrupt_execution == Seconds(33));
  CHECK(draw.release_transfer_hold == 0.8);
  CHECK(draw.release_other_hold == 0.5);
  CHECK(draw.release_delay.family == Family::exponential);
  CHECK(draw.release_delay.mean() == Approx(5400));
  CHECK(draw.teardown.family == Family::gamma);
  CHECK(draw.teardown.mean() == Approx(10));
  CHECK(draw.http_abort == 0.95);
}

TEST_CASE("Columns with a site's name go to that site") {
  ParameterDraw const draw = make_parameter_draw(test::draw_columns(), with("gpus.B", 7));
  REQUIRE(draw.sites.size() == 2);
  CHECK(draw.sites.at("B").gpus == 7);
  SiteParameters const& site = draw.sites.at("A");
  CHECK(site.gpus == 20);
  CHECK(site.unpack == Seconds(516));
  CHECK(site.epoch.family == Family::gamma);
  CHECK(site.epoch.shape == 3.5);
  CHECK(site.epoch.scale == 100);
  CHECK(site.epoch.shift == 2000);
  CHECK(site.rate_sigma == 0.2);  // rate_noise is all sites'
  CHECK(site.stream_limit == BytesPerSecond(3.2e8));
  CHECK(site.link_capacity == BytesPerSecond(1e9));
  CHECK(site.pilot_kill_per_second == 1e-6);
}

TEST_CASE("A site's name begins after the first point and may have others") {
  auto columns = test::draw_columns();
  for (std::string& column : columns) {
    if (column.ends_with(".B")) column += ".example.org";
  }
  CHECK(make_parameter_draw(columns, test::draw_row()).sites.contains("B.example.org"));
}

TEST_CASE("Values out of range are refused") {
  CHECK(accepted("stall_when_bad", 0));
  CHECK(accepted("stall_when_bad", 1));
  CHECK_FALSE(accepted("stall_when_bad", 1.0001));
  CHECK_FALSE(accepted("stall_when_bad", -0.1));
  CHECK_FALSE(accepted("epoch_scale_s.A", 0));
  CHECK_FALSE(accepted("epoch_shape.A", -1));
  CHECK_FALSE(accepted("link_capacity_Bps.B", 0));
  CHECK(accepted("rate_noise", 0));
  CHECK_FALSE(accepted("rate_noise", -0.1));
  CHECK_FALSE(accepted("not_found_mean_hits", 0.5));
  CHECK(accepted("gpus.A", 0));
  CHECK_FALSE(accepted("gpus.A", -1));
  CHECK_FALSE(accepted("gpus.A", 2.5));
  CHECK(accepted("outage_scope", 5));
  CHECK_FALSE(accepted("outage_scope", 6));
  CHECK_FALSE(accepted("outage_scope", 0.5));
  CHECK(accepted("epoch_family.A", 4));
  CHECK_FALSE(accepted("epoch_family.A", 5));
  CHECK_FALSE(accepted("rate_noise", std::numeric_limits<double>::quiet_NaN()));
  CHECK_FALSE(accepted("unpack_s.A", std::numeric_limits<double>::infinity()));
}

TEST_CASE("All problems of names and values are reported at once") {
  auto columns = test::draw_columns();
  columns[0] = "outage_scop";
  columns.back() = "pilot_kil_per_s.B";
  *std::find(columns.begin(), columns.end(), "gpus.B") = "latency_s.B";
  *std::find(columns.begin(), columns.end(), "epoch_scale_s.A") = "latency_s.A";
  auto const found = draw_problems(columns, with("rate_noise", -1));
  std::string all;
  for (Problem const& problem : found) all += problem.to_text() + "\n";
  CHECK_THAT(all, has_text("'outage_scop'") && has_text("Did you mean 'outage_scope'?"));
  CHECK_THAT(all, has_text("Did you mean 'pilot_kill_per_s'?"));
  CHECK_THAT(all, has_text("parameter 'gpus.B' or 'slots.B' is missing"));
  CHECK_THAT(all, has_text("parameter 'epoch_scale_s.A' or 'work_s' is missing"));
  CHECK_THAT(all, has_text("rate_noise = -1 is out of range (it has to be a finite number, 0 or"));
  CHECK(found.size() == 5);
}

TEST_CASE("Repeated columns, columns without a site, and rows of another length") {
  auto columns = test::draw_columns();
  auto row = test::draw_row();
  columns.push_back("rate_noise");
  CHECK(draw_problems(columns, row).size() == 2);  // repeated, and one number too few
  row.push_back(0.1);
  REQUIRE(draw_problems(columns, row).size() == 1);
  CHECK_THAT(draw_problems(columns, row)[0].to_text(), has_text("'rate_noise' is given twice"));
  columns.back() = "gpus.";
  CHECK(draw_problems(columns, row).size() == 1);
  columns.back() = "gpus";
  CHECK(draw_problems(columns, row).size() == 1);
  CHECK_FALSE(draw_problems({}, {}).empty());
}

TEST_CASE("Outages have scopes with names, and belong to a hypothesis or to none") {
  auto const printed = [](OutageScope scope, OutageKind kind, double stalls) {
    OutageParameters outages;
    outages.scope = scope;
    outages.kind = kind;
    outages.stall_when_quiet = stalls;
    auto const found = hypothesis(outages);
    return found ? name(*found) : "";
  };
  struct Named {
    OutageScope scope;
    std::string_view name, dead;
  };
  for (Named const& each :
       {Named{OutageScope::origin, "origin", "overload"},
        Named{OutageScope::cache, "cache", "overload"},
        Named{OutageScope::path, "path", "bad_path"}, Named{OutageScope::node, "node", "bad_path"},
        Named{OutageScope::uplink, "uplink", "bad_path"},
        Named{OutageScope::none, "none", "congestion"}}) {
    CHECK(name(each.scope) == each.name);
    CHECK(printed(each.scope, OutageKind::dead, 0.1) == each.dead);
    bool const none = each.scope == OutageScope::none;
    CHECK(printed(each.scope, OutageKind::slow, 0.1) == (none ? "congestion" : "slow"));
    CHECK(printed(each.scope, OutageKind::dead, 0) == (none ? "congestion" : ""));
  }
}

}  // namespace gridcast::scenario
