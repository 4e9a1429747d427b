#include "calibration/calibrate.hpp"

#include <cstdlib>
#include <fstream>
#include <map>
#include <unistd.h>

#include <fmt/format.h>

#include "calibration/fits/delay_fit.hpp"
#include "calibration/fits/execution_fit.hpp"
#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/base/statistics.hpp"
#include "sim/base/text.hpp"
#include "sim/condor/ads/job_ads.hpp"
#include "sim/condor/ads/merge_ads.hpp"
#include "sim/scenario/calibration.hpp"
#include "tests/calibration/known_truth.hpp"
#include "tests/calibration/made_campaign.hpp"
#include "tests/calibration/process_fits.hpp"
#include "tests/calibration/synthetic.hpp"
#include "tests/engine/timed_grid.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {

using namespace gridcast::test;

namespace {

struct Hits {
  std::size_t inside = 0, all = 0;
};

/// By parameter, without the site.
std::map<std::string, Hits> coverage(MadeCampaign const& campaign, int campaigns) {
  std::map<std::string, Hits> hits;
  for (int i = 0; i < campaigns; ++i) {
    history::JobHistory const history =
        MadePlay(campaign, 1000 + static_cast<std::uint64_t>(i)).run_all();
    auto const result = calibrate_from_logs(history, {.draws = 200});
    for (auto const& [name, value] : truth_of(campaign)) {
      for (Estimate const& line : result.fit.estimates) {
        if (line.name != name) continue;
        Hits& of = hits[name.substr(0, name.find('.'))];
        ++of.all;
        of.inside += line.interval90.contains(value) ? 1 : 0;
      }
    }
  }
  return hits;
}

std::filesystem::path pool_folder(std::string const& campaign) {
  return test::source_dir() / "calibration/data/htcondor-pool" / campaign;
}

std::filesystem::path log_of(std::string const& campaign) {
  for (auto const& entry : std::filesystem::directory_iterator(pool_folder(campaign))) {
    if (entry.path().stem() == campaign) return entry.path();
  }
  return {};
}

RecoveryTable pool_recovery(std::string const& campaign, bool with_ads) {
  auto const folder = pool_folder(campaign);
  condor::LoggedHistory log = condor::read_logs({log_of(campaign)});
  LogCalibrationOptions options{.draws = 200};
  if (with_ads) {
    std::vector<std::filesystem::path> files = {folder / "history.json", folder / "epochs.json"};
    auto const inputs = folder / "epochs.INPUT.json";
    if (std::filesystem::exists(inputs)) files.push_back(inputs);
    condor::MergeReport report;
    log = condor::merge(std::move(log), condor::read_job_ads(files), report);
  } else {
    options.url_sizes.resize(campaign == "c1-sweep" ? 2 : 1);
  }
  auto const result = calibrate_from_logs(log.history, options);
  return recover(result.fit.estimates, read_truth(folder, log.history.sites));
}

}  // namespace

TEST_CASE("Event logs give draws that the simulator reads") {
  MadeCampaign campaign;
  campaign.jobs = 30;
  auto const result = calibrate_from_logs(MadePlay(campaign, 5).run_all(), {.draws = 20});
  REQUIRE(result.fit.draws.rows.size() == 20);
  scenario::ParameterDraw const draw =
      scenario::make_parameter_draw(result.fit.draws.columns, result.fit.draws.rows[0]);
  CHECK(draw.sites.size() == 4);
  CHECK(draw.sites.at("SITE-A").slots == 6);
  CHECK(result.sites[2].count.slots == 4);
}

// In each campaign whose log has cut contacts, some jobs were found again by their own shadow and
// were done: none brought a file home, and each tried five times, 5 s each.
TEST_CASE("The pool's logs show whose files were lost, and how long a try took") {
  std::map<std::string, std::string> const reported = {
      {"c3-ckpt", "2 / 2"}, {"c5-json", "2 / 2"}, {"c6-xml", "1 / 1"}, {"c4-retry", "0 / 0"}};
  for (auto const& [campaign, counts] : reported) {
    CAPTURE(campaign);
    history::JobHistory const history = condor::read_logs({log_of(campaign)}).history;
    auto const fit = calibrate_from_logs(history, {.draws = 20}).fit;
    CHECK_THAT(test::line(fit, "files_lost").method, test::has_text(counts + "; Beta"));
    std::size_t const tries = 4 * static_cast<std::size_t>(counts[0] - '0');
    CHECK(test::line(fit, "output_try_mean_s").events == tries);
    if (tries == 0) continue;
    CHECK(test::line(fit, "output_try_mean_s").estimate == Approx(5).margin(0.5));
    for (Delay const& one : output_tries(make_attempt_records(history))) {
      CHECK(one.seconds == Approx(5).margin(0.02));
    }
  }
}

// Beta(3/2, 1/2) has the mean 3/4; what is stated of other campaigns, or that there are several,
// goes before.
TEST_CASE("Contact that one campaign alone lost is lost in three of four draws") {
  history::JobHistory const history = condor::read_logs({log_of("c5-json")}).history;
  auto const with = [&](LogCalibrationOptions const& options) {
    auto const fit = calibrate_from_logs(history, options).fit;
    auto const& columns = fit.draws.columns;
    auto const at = static_cast<std::size_t>(
        std::find(columns.begin(), columns.end(), "disconnect_per_s.SITE-A") - columns.begin());
    return std::count_if(fit.draws.rows.begin(), fit.draws.rows.end(),
                         [&](std::vector<double> const& row) { return row[at] > 0; });
  };
  CHECK(with({.draws = 40}) == 30);
  CHECK(with({.draws = 40, .between_campaigns = 0}) == 40);
}

TEST_CASE("Same history and seed, same draws") {
  MadeCampaign campaign;
  campaign.jobs = 20;
  history::JobHistory const history = MadePlay(campaign, 5).run_all();
  auto const once = calibrate_from_logs(history, {.draws = 10});
  auto const again = calibrate_from_logs(history, {.draws = 10});
  CHECK(once.fit.draws.rows == again.fit.draws.rows);
}

TEST_CASE("Without holds for time, the limit is the first of OSPool's that no job outlived") {
  MadeCampaign campaign;
  campaign.jobs = 20;
  history::JobHistory const made = MadePlay(campaign, 5).run_all();
  Seconds longest;
  for (AttemptRecord const& attempt : make_attempt_records(made).attempts) {
    if (attempt.executing) longest = std::max(longest, attempt.end - *attempt.executing);
  }
  auto const limit = [&](double hours_of_longest, char const* pilot) {
    history::JobHistory history = made;
    for (auto& event : history.events) event.at = event.at * (hours(hours_of_longest) / longest);
    for (auto& slot : history.slots) {
      slot.replace(slot.find("glidein"), std::string("glidein").size(), pilot);
    }
    return calibrate_from_logs(history, {.draws = 5}).max_execution;
  };
  CHECK(limit(15, "glidein") == hours(20));
  CHECK(limit(30, "glidein") == hours(40));
  CHECK(limit(50, "glidein") == days(365));
  CHECK(limit(15, "node") == days(365));
}

TEST_CASE(
    "The record's own weeks, if there are three or more, give the variation between campaigns") {
  MadeCampaign campaign;
  campaign.jobs = 10;
  history::JobHistory const week = MadePlay(campaign, 5).run_all();
  auto const report_of = [&](std::uint32_t weeks) {
    history::JobHistory all = week;
    all.jobs.clear();
    all.events.clear();
    all.transfers.clear();
    for (std::uint32_t w = 0; w < weeks; ++w) {
      std::size_t const first = all.jobs.size();
      Seconds const later = days(7) * w;
      auto const shifted = [&](Id<history::Job> job) {
        return Id<history::Job>(first + job.index());
      };
      for (history::JobName const& job : week.jobs) all.jobs.push_back({w + 1, job.proc});
      for (history::JobEvent event : week.events) {
        event.job = shifted(event.job);
        event.at += later;
        all.events.push_back(event);
      }
      for (history::UrlTransfer transfer : week.transfers) {
        transfer.job = shifted(transfer.job);
        transfer.start += later;
        transfer.end += later;
        all.transfers.push_back(transfer);
      }
    }
    for (auto const& gap : calibrate_from_logs(all, {.draws = 5}).fit.not_identified) {
      if (gap.what == "how the next campaign differs") return gap.taken_from;
    }
    return std::string("nothing");
  };
  CHECK_THAT(report_of(3), has_text("how its own 3 weeks differ"));
  CHECK_THAT(report_of(2), has_text("priors"));
}

// The odds change by one factor, whose law is that of repeated jobs.
TEST_CASE("All that fails by itself differs between campaigns by one spread") {
  Grid grid = timed_grid(50, 400);
  grid.site().stop = 0.3;
  grid.site().stop_after = timed::work * 0.5;
  grid.site().crash = 0.2;
  history::JobHistory const history = grid.run().history;
  auto const differing = calibrate_from_logs(history, {.draws = 400}).fit,
             alike = calibrate_from_logs(history, {.draws = 400, .between_campaigns = 0}).fit;
  auto const law = engine::usual_variation().repeats;
  for (std::string const kind : {"crash", "crash_of_job", "stop", "stop_of_job"}) {
    CHECK(line(differing, "between_campaigns." + kind).estimate == Approx(law.log_sd()));
  }
  auto const next = differing.draws.column("stop.site"), same = alike.draws.column("stop.site");
  std::vector<double> logs;
  for (std::size_t i = 0; i < next.size(); ++i) {
    logs.push_back(std::log(next[i] / (1 - next[i])) - std::log(same[i] / (1 - same[i])));
  }
  CHECK(standard_deviation(logs) == Approx(law.log_sd()).epsilon(0.05));
  CHECK(median(logs) == Approx(std::log(law.quantile(0.5))).margin(0.02));
}

TEST_CASE("Times differ between campaigns by the factor of repeated transfers") {
  MadeCampaign campaign;
  campaign.jobs = 20;
  history::JobHistory const history = MadePlay(campaign, 5).run_all();
  auto const differing = calibrate_from_logs(history, {.draws = 400}),
             alike = calibrate_from_logs(history, {.draws = 400, .between_campaigns = 0});
  auto const scales = [](std::string const& time, LogCalibration const& result) {
    auto const& draws = result.fit.draws;
    auto const at = std::find(draws.columns.begin(), draws.columns.end(), time + "_scale_s");
    REQUIRE(at != draws.columns.end());
    std::vector<double> values;
    for (auto const& row : draws.rows) {
      values.push_back(row[static_cast<std::size_t>(at - draws.columns.begin())]);
    }
    return values;
  };
  for (std::string const time : {"release_delay", "setup", "match_delay"}) {
    CAPTURE(time);
    auto const next = scales(time, differing), same = scales(time, alike);
    std::vector<double> logs;
    for (std::size_t i = 0; i < next.size(); ++i) logs.push_back(std::log(next[i] / same[i]));
    auto const law = engine::usual_variation().transfers;
    CHECK(standard_deviation(logs) == Approx(law.log_sd()).epsilon(0.05));
    CHECK(median(logs) == Approx(std::log(law.quantile(0.5))).margin(0.02));
  }
}

TEST_CASE("The shipped calibration, as far as it needs no simulator, comes out again") {
  auto const file =
      scenario::read_calibration_file(test::source_dir() / "calibration/fitted/osg-imagenet.yaml");
  Fit shipped;
  shipped.estimates = file.parameters;
  TableRecords const records =
      published_records({"CHTC-Spark-CE1", "PDX-Coeus-CE1", "GP-ARGO-ksu-backfill"});
  RandomStreams const streams(1, 0);
  Fit const executions = execution_fit(records, 5, 300, streams);
  Fit const counts = table_columns(records, 300);
  auto const text = [](Estimate const& line) {
    return fmt::format("{}: {:.6g} {:.6g} [{:.6g}, {:.6g}] {} {} {} {} {} {}", line.name,
                       line.estimate, line.standard_error, line.interval90.low,
                       line.interval90.high, line.unit, line.events, line.censored, line.method,
                       line.fit, name(line.origin));
  };
  CHECK(executions.estimates.size() == 15);
  for (Estimate const& made : executions.estimates) {
    CHECK(text(made) == text(line(shipped, made.name)));
  }
  // A parameter without an event in the table keeps its draws; simulation corrects the others.
  std::size_t corrected = 0;
  for (Estimate const& made : counts.estimates) {
    Estimate const& there = line(shipped, made.name);
    if (there.method == made.method) {
      CHECK(text(made) == text(there));
      continue;
    }
    ++corrected;
    CAPTURE(made.name);
    CHECK(made.events == there.events);
    CHECK(made.origin == there.origin);
    // Rates of kills are fitted with a background, which takes simulation as well: at all sites, as
    // they are pooled.
    bool const kills = made.name.starts_with("pilot_kill_per_s");
    CHECK((kills || made.events > 0));
    CHECK(there.method.starts_with(made.method + (kills ? "" : "; by simulation moved by ")));
  }
  CHECK(corrected >= 12);
}

// Eight jobs at A, none at B, no stall: nothing that the table lacks is marked as fitted.
TEST_CASE("A table marks its gaps: no stalls, and a site without jobs", "[slow]") {
  history::JobTable table;
  for (std::uint32_t i = 0; i < 8; ++i) {
    table.rows.push_back(plain_job(i, "A", 10000 + 1000 * i, 600 + 50 * i));
  }
  scenario::Pool pool;
  for (std::string const name : {"A", "B"}) {
    scenario::SiteSpec& site = pool.sites.emplace_back();
    site.name = name;
    site.gpus = 8;
  }
  TableCalibrationRequest request;
  request.simulated.simulations = 400;
  request.simulated.keep = 60;
  request.simulated.links.evaluations = 20;
  RunRound const run_all = [](Round const& round) {
    std::vector<study::Record> records;
    for (std::uint32_t i = 0; i < round.tasks; ++i) records.push_back(round.task(i));
    return records;
  };
  Fit const fit = fit_table(table, pool, request, run_all);
  REQUIRE(not_identified(fit, scenario::no_stalls));
  auto const gap = std::find_if(fit.not_identified.begin(), fit.not_identified.end(),
                                [](auto const& each) { return each.what == scenario::no_stalls; });
  CHECK_THAT(gap->why, has_text("0 of 8 attempts the rate is below 31 %"));
  CHECK(line(fit, "stall_bad_fraction").origin == Origin::by_default);
  CHECK(not_identified(fit, "stream_limit_Bps.B, link_capacity_Bps.B, node_capacity_Bps.B"));
  for (std::string const name : {"stream_limit_Bps", "link_capacity_Bps", "node_capacity_Bps"}) {
    CHECK(line(fit, name + ".A").origin == Origin::fitted);
    CHECK(line(fit, name + ".B").origin == Origin::borrowed);
  }
  for (std::string const name :
       {"gpus.A", "slots_per_node.B", "redraw_interval_s", "next_cache_dependence"}) {
    CHECK(line(fit, name).origin == Origin::by_default);
  }
  auto const width = [&](std::string const& name) {
    Interval const interval = line(fit, name).interval90;
    return std::log(interval.high / interval.low);
  };
  // Twice as wide: a factor of three either way at least, and not that of what the table shows.
  CHECK(width("stream_limit_Bps.B") > 2 * width("stream_limit_Bps.A"));
  CHECK(width("stream_limit_Bps.B") > 2 * std::log(3.));
}

TEST_CASE("A table is refused where the pool lacks a site, and where no job got its input") {
  auto const folder =
      std::filesystem::temp_directory_path() / fmt::format("gridcast_calibrate_test_{}", getpid());
  std::filesystem::create_directories(folder);
  auto const write = [&](char const* name, std::string const& text) {
    std::ofstream(folder / name) << text;
    return folder / name;
  };
  TableCalibrationRequest request;
  request.pool = write("pool.yaml", "schema: gridcast.pool/1\nsites: [{name: SITE-A, slots: 2}]\n");
  std::string const columns =
      "cluster,proc,sites,outcome,execute_s,slot_busy_s,input_transfer_total_s,"
      "input_transfer_last_s,stalls,holds_released,evictions,note\n";
  request.tables = {write("jobs.csv", columns + "1,0,SITE-B,success,100,200,50,50,0,0,0,\n")};
  CHECK_THROWS_WITH(calibrate_from_tables(request, simulated_here(1)),
                    has_text("the pool has no site 'SITE-B'") && has_text("Did you mean 'SITE-A'"));
  request.tables = {write("jobs.csv", columns + "1,0,SITE-A,held_404,,,,,0,0,0,\n")};
  CHECK_THROWS_WITH(calibrate_from_tables(request, simulated_here(1)),
                    has_text("no job of the table got its input"));
  std::filesystem::remove_all(folder);
}

TEST_CASE("Beyond 1,000 sites draws are fewer, down to a number that may be stated") {
  LogCalibrationOptions options;
  CHECK(draws_of(1000, options) == 400);
  CHECK(draws_of(2000, options) == 200);
  CHECK(draws_of(100'000, options) == 50);
  options.draws = options.least_draws = 30;
  CHECK(draws_of(100'000, options) == 30);
}

TEST_CASE("Logs in which nothing computed to its end are refused") {
  history::JobHistory history;
  history.jobs = {{1, 0}};
  history.sites = {"A"};
  CHECK_THROWS_AS(calibrate_from_logs(history, {}), InputError);
}

// 40 campaigns of known parameters, 160 intervals of each parameter by site and 40 of each of the
// world. All 1080 together hold the truth in 90 % +- 0.9 % (one standard error) if every interval
// is right. Partial pooling draws sites towards each other, and the true ones are fixed and far
// apart, which costs some: the bound is 85 % for all, which intervals of 88 % miss by chance in 0.1
// % of trials. Each parameter alone: no fewer than 72 %, 6 standard errors (of 160) below 88 %;
// what is lowest is a crash, and ln times' sigma where only sums of whole seconds are known.
TEST_CASE("90 % intervals hold the truth of synthetic campaigns", "[slow]") {
  for (bool const ads : {true, false}) {
    MadeCampaign campaign;
    campaign.ads = ads;
    Hits total;
    for (auto const& [name, hits] : coverage(campaign, 40)) {
      double const share = static_cast<double>(hits.inside) / static_cast<double>(hits.all);
      INFO(name << (ads ? " with ads: " : " without ads: ") << hits.inside << " of " << hits.all);
      CHECK(share >= 0.70);
      total.inside += hits.inside;
      total.all += hits.all;
    }
    CHECK(static_cast<double>(total.inside) >= 0.85 * static_cast<double>(total.all));
  }
}

TEST_CASE("The true parameters of a real pool lie in their intervals", "[slow]") {
  for (bool const ads : {true, false}) {
    std::size_t inside = 0, identified = 0;
    for (auto const* name : {"c1-sweep", "c3-ckpt", "c4-retry", "c5-json", "c6-xml", "c7-hang"}) {
      RecoveryTable const table = pool_recovery(name, ads);
      inside += table.identified_inside;
      identified += table.identified;
    }
    CHECK(static_cast<double>(inside) >= 0.85 * static_cast<double>(identified));
  }
}

}  // namespace gridcast::calibration
