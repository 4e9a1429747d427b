// A table's fit and a log's, made up, as one: sites, programs, causes and what both tell.
#include "calibration/both/both_records.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "calibration/both/common_cause.hpp"
#include "calibration/both/two_campaigns.hpp"
#include "sim/base/error.hpp"
#include "sim/scenario/calibration.hpp"
#include "tests/calibration/synthetic.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {

namespace {

constexpr std::size_t n = 200;

Estimate named(std::string const& name, std::size_t events, Origin origin = Origin::fitted) {
  return {.name = name, .unit = "1", .events = events, .origin = origin};
}

void add_same(Fit& fit, std::string const& name, double value) {
  add_posterior(fit, named(name, 10), std::vector<double>(n, value));
}

/// ln(value) is normal with the sd.
void add_lognormal(Fit& fit, std::string const& name, double median, double sd,
                   Origin origin = Origin::fitted) {
  auto const values =
      stratified_draws(test::test_stream(static_cast<std::uint32_t>(fit.draws.columns.size())), n,
                       [&](double u) { return median * std::exp(sd * normal_quantile(u)); });
  add_posterior(fit, named(name, 10, origin), values);
}

/// Half of the rows are of a dead cache, the others of no outage.
void add_causes(Fit& fit, double share_dead, bool of_log) {
  std::vector<double> scopes, quiet;
  for (std::size_t i = 0; i < n; ++i) {
    bool const dead = static_cast<double>(i) < share_dead * n;
    scopes.push_back(dead ? 1 : 5);
    quiet.push_back(0.01 + 0.0001 * static_cast<double>(i % 17));
  }
  add_posterior(fit, named("outage_scope", 10), scopes);
  add_posterior(fit, named("outage_kind", 10), std::vector<double>(n, 0));
  add_posterior(fit, named("stall_when_quiet", 10), quiet);
  HypothesisProbability none, dead;
  none.name = of_log ? "none (congestion where links are narrow)" : "congestion";
  dead.name = of_log ? "dead, cache" : "dead cache";
  none.prior = dead.prior = 0.5;
  dead.probability = share_dead;
  none.probability = 1 - share_dead;
  fit.hypotheses = {none, dead};
}

/// Of S1 and S2, where an epoch takes twice as long.
Fit table_fit(double stream = 100, double sd = 0.2) {
  Fit fit;
  for (std::string const site : {"S1", "S2"}) {
    add_same(fit, "unpack_s." + site, 60);
    add_same(fit, "epoch_family." + site, 3);
    add_same(fit, "epoch_shape." + site, 0.1);
    add_same(fit, "epoch_scale_s." + site, site == "S1" ? 100 : 200);
    add_same(fit, "epoch_shift_s." + site, 0);
    add_same(fit, "gpus." + site, 4);
    add_same(fit, "pilot_kill_per_s." + site, 1e-5);
    add_lognormal(fit, "stream_limit_Bps." + site, stream, sd);
  }
  add_lognormal(fit, "rate_noise", 0.3, 0.1);
  add_same(fit, "not_found_per_start", 0.01);
  add_same(fit, "corrupt_input", 0.02);
  add_same(fit, "http_abort", 0.9);
  add_causes(fit, 0.5, false);
  return fit;
}

/// Of S1 and S3, which is half as fast.
Fit log_fit(double stream = 100, double sd = 0.2) {
  Fit fit;
  for (std::string const site : {"S1", "S3"}) {
    add_same(fit, "slots." + site, 4);
    add_lognormal(fit, "stream_limit_Bps." + site, stream, sd);
    add_lognormal(fit, "rate_sigma." + site, 0.3, 0.1);
    add_same(fit, "speed." + site, site == "S1" ? 2 : 1);
    add_same(fit, "crash." + site, site == "S1" ? 0.1 : 0.3);
    add_same(fit, "evict_per_s." + site, 2e-5);
  }
  add_same(fit, "work_s", 1000);
  add_causes(fit, 0.5, true);
  add_posterior(fit, named("http_abort", 0, Origin::by_default), std::vector<double>(n, 0.5));
  return fit;
}

std::vector<std::string> const table_sites = {"S1", "S2"};

Fit both(Fit const& table, Fit const& log, std::optional<double> between = 0.0) {
  return fit_of_both({table, log, table_sites, log.draws, 1, between}, RandomStreams(1, 0));
}

double log_median(Fit const& fit, std::string const& column) {
  return std::log(median(fit.draws.column(column)));
}

}  // namespace

TEST_CASE("The draws of both records are a calibration that the simulator reads, of all sites") {
  Fit const fit = both(table_fit(), log_fit());
  REQUIRE(fit.draws.rows.size() == n);
  auto const draw = scenario::make_parameter_draw(fit.draws.columns, fit.draws.rows[7]);
  REQUIRE(draw.sites.size() == 3);
  CHECK(draw.work == Seconds(1000));
  CHECK(draw.sites.at("S1").slots == 4);
  CHECK_FALSE(draw.sites.at("S1").gpus);
  CHECK(draw.sites.at("S2").gpus == 4);
  CHECK(draw.not_found.per_start == 0.01);
  CHECK(draw.http_abort == 0.9);
  // A table's evictions hold ends of walltimes: where the log counts them they are the log's.
  CHECK(draw.sites.at("S1").pilot_kill_per_second == 0);
  CHECK(draw.sites.at("S1").evict_per_second == 2e-5);
  CHECK(draw.sites.at("S2").pilot_kill_per_second == 1e-5);
  CHECK(draw.sites.at("S2").evict_per_second == 0);
  // What S2's jobs of the log's program would meet is borrowed: of S1, which both know.
  CHECK(draw.sites.at("S2").crash == 0.1);
  CHECK(test::line(fit, "crash.S2").origin == Origin::borrowed);
  CHECK(test::line(fit, "crash.S2").record == "log");
  CHECK(test::line(fit, "not_found_per_start").record == "table");
  CHECK(test::line(fit, "slots.S1").record == "log");
  CHECK(test::line(fit, "stream_limit_Bps.S1").record == "both");
  CHECK(test::line(fit, "rate_sigma.S1").record == "log");
  CHECK(test::line(fit, "rate_sigma.S2").record == "table");
  CHECK(test::line(fit, "stream_limit_Bps.S2").record == "table");
  CHECK(test::line(fit, "stream_limit_Bps.S3").record == "log");
}

TEST_CASE("A program goes to the other record's sites by the ratio of times at a site of both") {
  Fit const fit = both(table_fit(), log_fit());
  // S2 is half as fast as S1 by the table, S3 by the log; medians of 200 draws with an sd of 0.6.
  double const error = 4 * 0.6 * 1.2533 / std::sqrt(static_cast<double>(n));
  CHECK(std::abs(log_median(fit, "speed.S2") - std::log(1.0)) < error);
  CHECK(std::abs(log_median(fit, "epoch_scale_s.S3") - std::log(200)) < error);
  auto const speeds = fit.draws.column("speed.S2");
  auto const told = told_by_draws(PoolingScale::logarithm, speeds);
  REQUIRE(told);
  CHECK(told->sd == Approx(0.6).epsilon(0.03));
}

TEST_CASE("Each program of a calibration from both has its own executions") {
  Fit const fit = both(table_fit(), log_fit());
  scenario::Calibration calibration;
  calibration.profile = "of-log";
  calibration.table_profile = "of-table";
  calibration.draws = {scenario::make_parameter_draw(fit.draws.columns, fit.draws.rows[0])};
  SECTION("the table's") {
    scenario::choose_program(calibration, "of-table");
    auto const& draw = calibration.draws.front();
    CHECK(calibration.profile == "of-table");
    CHECK(draw.work == Seconds());
    CHECK(draw.sites.at("S1").epoch.scale == 100);
    CHECK(draw.sites.at("S1").unpack == Seconds(60));
    CHECK(draw.sites.at("S1").crash == 0);
    CHECK(draw.corrupt_input == 0.02);
  }
  SECTION("the log's") {
    scenario::choose_program(calibration, "of-log");
    auto const& draw = calibration.draws.front();
    CHECK(calibration.profile == "of-log");
    CHECK(draw.work == Seconds(1000));
    CHECK(draw.sites.at("S1").unpack == Seconds());
    CHECK(draw.sites.at("S1").crash == 0.1);
    CHECK(draw.corrupt_input == 0);
    CHECK(draw.not_found.per_start == 0.01);
  }
}

TEST_CASE("What both tell is pooled, with the log's draws in their order") {
  Fit const table = table_fit(100, 0.2), log = log_fit(200, 0.2);
  Fit const fit = both(table, log);
  // Equal information: the geometric mean, sqrt(100 x 200), and an sd of 0.2 / sqrt(2).
  auto const& line = test::line(fit, "stream_limit_Bps.S1");
  CHECK(line.estimate == Approx(100 * std::sqrt(2)).epsilon(0.005));
  CHECK(std::log(line.interval90.high / line.interval90.low) / (2 * ninety_percent) ==
        Approx(0.2 / std::sqrt(2)).epsilon(0.02));
  CHECK(line.events == 20);
  CHECK(log_median(fit, "stream_limit_Bps.S1") == Approx(std::log(141.42)).epsilon(0.005));
  // S3 is the log's alone: its draws are as they were, if in another order.
  auto kept = fit.draws.column("stream_limit_Bps.S3"),
       own = log.draws.column("stream_limit_Bps.S3");
  std::sort(kept.begin(), kept.end());
  std::sort(own.begin(), own.end());
  CHECK(kept == own);
}

namespace {

/// Gamma of shape 2 above a shift of a tenth of the mean.
void add_delays(Fit& fit, double mean, double sd, std::size_t events) {
  add_same(fit, "release_delay_family", 2);
  add_same(fit, "release_delay_shape", 2);
  add_lognormal(fit, "release_delay_scale_s", 0.45 * mean, sd);
  add_same(fit, "release_delay_shift_s", 0);
  std::vector<double> shifts;
  for (double const scale : fit.draws.column("release_delay_scale_s"))
    shifts.push_back(scale / 4.5);
  for (std::size_t i = 0; i < n; ++i) fit.draws.rows[i].back() = shifts[i];
  std::erase_if(fit.estimates,
                [](Estimate const& line) { return line.name.starts_with("release_delay"); });
  fit.estimates.push_back(named("release_delay_mean_s", events));
}

}  // namespace

TEST_CASE("The mean delay of releases is pooled, and its form is the log's") {
  Fit table = table_fit(), log = log_fit();
  add_lognormal(table, "release_delay_mean_s", 1000, 0.2);
  SECTION("both saw releases") {
    add_delays(log, 4000, 0.2, 7);
    Fit const fit = both(table, log);
    // As much is known of both: the geometric mean, 2,000 s, of which 0.45 is the scale of the
    // gamma.
    CHECK(test::line(fit, "release_delay_mean_s").record == "both");
    CHECK(test::line(fit, "release_delay_mean_s").estimate == Approx(2000).epsilon(0.01));
    CHECK(std::exp(log_median(fit, "release_delay_scale_s")) == Approx(900).epsilon(0.01));
    CHECK(std::exp(log_median(fit, "release_delay_shift_s")) == Approx(200).epsilon(0.01));
    CHECK(fit.draws.column("release_delay_shape").front() == 2);
  }
  SECTION("the log saw none") {
    add_delays(log, 4000, 2, 0);
    Fit const fit = both(table, log);
    CHECK(test::line(fit, "release_delay_mean_s").record == "table");
    CHECK(std::exp(log_median(fit, "release_delay_scale_s")) == Approx(1000).epsilon(0.01));
    CHECK(fit.draws.column("release_delay_family").front() == 0);
    CHECK(fit.draws.column("release_delay_shift_s").front() == 0);
  }
}

TEST_CASE("A table that knows nothing of a parameter leaves it as the log has it") {
  Fit const fit = both(table_fit(5, 1e3), log_fit(200, 0.2));
  CHECK(test::line(fit, "stream_limit_Bps.S1").estimate == Approx(200).epsilon(0.005));
  CHECK(log_median(fit, "stream_limit_Bps.S1") == Approx(std::log(200)).epsilon(0.005));
}

TEST_CASE("A stream beside cold caches is not that of all") {
  Fit table = table_fit(3000, 0.2);
  add_same(table, "cold_share.S1", 0.3);
  Fit const fit = both(table, log_fit(200, 0.2));
  CHECK(test::line(fit, "stream_limit_Bps.S1").record == "log");
  CHECK(test::line(fit, "stream_limit_Bps.S1").estimate == Approx(200).epsilon(0.005));
}

TEST_CASE("What the log has by default is the table's, and records that disagree are told") {
  Fit log = log_fit();
  for (Estimate& line : log.estimates) {
    if (line.name == "stream_limit_Bps.S1") line.origin = Origin::by_default;
  }
  Fit const fit = both(table_fit(3000, 0.2), log);
  CHECK(test::line(fit, "stream_limit_Bps.S1").record == "table");
  CHECK(test::line(fit, "stream_limit_Bps.S1").estimate == Approx(3000).epsilon(0.01));

  auto const rejected = [](Fit const& of) {
    return std::count_if(of.tests.begin(), of.tests.end(), [](ModelTest const& test) {
      return test.hypothesis == "table and log tell the same stream_limit_Bps.S1";
    });
  };
  CHECK(rejected(both(table_fit(3000, 0.2), log_fit(100, 0.2))) == 1);
  CHECK(rejected(both(table_fit(110, 0.2), log_fit(100, 0.2))) == 0);
}

TEST_CASE("Bayes factors of what makes transfers stall multiply, and rows follow") {
  Fit const table = [] {
    Fit fit = table_fit();
    for (HypothesisProbability& line : fit.hypotheses) {
      line.probability = line.name == "dead cache" ? 0.75 : 0.25;
    }
    return fit;
  }();
  // Factors 1.5 and 0.5 of the table, 1 and 1 of the log, prior one half: three quarters.
  auto const cause = common_cause(table, log_fit());
  REQUIRE(cause.lines.size() == 2);
  CHECK(cause.lines[1].probability == Approx(0.75));
  CHECK(cause.lines[1].by_table == 0.75);
  CHECK(cause.lines[1].by_log == 0.5);
  CHECK(cause.lines[1].log_bayes_factor == Approx(std::log(3)));
  // One cause against each its own: (0.75 + 0.25) / (1 x 1).
  CHECK(cause.log_bayes_factor == Approx(0).margin(1e-9));
  auto const scopes = both(table, log_fit()).draws.column("outage_scope");
  CHECK(std::count(scopes.begin(), scopes.end(), 1) == 150);
  CHECK(std::count(scopes.begin(), scopes.end(), 5) == 50);
}

TEST_CASE("That the table met outages is said only where it did") {
  Fit table = table_fit(), log = log_fit();
  log.not_identified.push_back({scenario::no_stalls, "no stall was seen", "the prior"});
  std::string const met = "how often a campaign meets outages";
  CHECK(test::not_identified(both(table, log), met));
  table.not_identified.push_back({scenario::no_stalls, "no stall was seen", "the prior"});
  Fit const neither = both(table, log);
  CHECK_FALSE(test::not_identified(neither, met));
  CHECK(test::not_identified(neither, scenario::no_stalls));
}

TEST_CASE("Records that show different causes are told") {
  Fit table = table_fit(), log = log_fit();
  table.hypotheses[0].probability = log.hypotheses[1].probability = 0.001;
  table.hypotheses[1].probability = log.hypotheses[0].probability = 0.999;
  auto const fit = both(table, log);
  CHECK(std::any_of(fit.tests.begin(), fit.tests.end(), [](ModelTest const& test) {
    return test.hypothesis.starts_with("what makes transfers stall is the same") &&
           test.p_value < 0.05;
  }));
}

TEST_CASE("Names of hypotheses of both kinds of record") {
  CHECK(cause_of_line("dead, cache") == "dead cache");
  CHECK(cause_of_line("slow uplink") == "slow uplink");
  CHECK(cause_of_line("congestion") == "none");
  CHECK(cause_of_line("none (congestion where links are narrow)") == "none");
  CHECK(cause_of_line("overload").empty());
  CHECK(cause_of_line("bad_path").empty());
  CHECK(cause_of_line("slow").empty());
}

TEST_CASE("Records without a common site, and a log without transfers, are refused") {
  REQUIRE_THROWS_AS(require_common_site({"S1"}, {"S2", "S3"}), InputError);
  CHECK_NOTHROW(require_common_site({"S1", "S2"}, {"S2", "S3"}));
  Fit log = log_fit();
  log.not_identified.push_back({scenario::no_input_transfers, "none", "none"});
  REQUIRE_THROWS_AS(both(table_fit(), log), InputError);
}

}  // namespace gridcast::calibration
