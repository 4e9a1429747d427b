// The published campaign's figures, to the second: "from the rows" of its README.
#include <filesystem>
#include <map>

#include "sim/base/statistics.hpp"
#include "sim/history/job_table.hpp"
#include "sim/ledger/metrics.hpp"
#include "tests/test.hpp"

namespace gridcast::ledger {
namespace {

Ledger ledger_of(std::string const& file) {
  return account(history::to_history(
      history::read_job_table(test::source_dir() / "calibration/data/osg-imagenet" / file)));
}

TEST_CASE("the 100 jobs of 5 epochs") {
  auto const ledger = ledger_of("imagenet-5epoch-100jobs.csv");
  std::map<std::string, MetricValue> by_name;
  for (auto const& metric : metrics(ledger)) by_name[std::string(metric.name)] = metric;
  std::map<std::string, double> const expected = {
      {"jobs", 100},
      {"succeeded", 79},
      {"wrong_output", 3},
      {"held", 18},
      {"removed", 0},
      {"unfinished", 0},
      {"compute_success_s", 1146833 + 49304},
      {"transfer_success_s", 165029},
      {"transfer_retried_s", 1088004},
      {"compute_held_s", 144089},
      {"transfer_held_s", 2349},
      {"compute_wrong_output_s", 1988},
      {"transfer_wrong_output_s", 7808},
      {"transfer_retried_unsuccessful_s", 134895},
      {"transfer_retried_evicted_compute_s", 19746},
      {"overhead_s", 365},
      {"stalls", 232},
      {"evictions", 5},
      {"holds", 25},
      {"releases", 7},
      {"match_to_done_median_s", 17845},
      {"wallclock_s", 2740664},
  };
  for (auto const& [name, value] : expected) {
    INFO(name);
    REQUIRE(by_name.at(name).available);
    REQUIRE(by_name.at(name).value == value);
  }
  REQUIRE(by_name.at("match_to_done_mean_s").value == Approx(2449526.0 / 79).epsilon(1e-12));
  REQUIRE_FALSE(by_name.at("makespan_s").available);
  REQUIRE_FALSE(by_name.at("compute_evicted_s").available);
}

TEST_CASE("execution at each site, as published") {
  auto const ledger = ledger_of("imagenet-5epoch-100jobs.csv");
  struct Published {
    std::string site;
    std::size_t jobs;
    double mean, median;
  };
  for (auto const& site :
       {Published{"CHTC-Spark-CE1", 24, 11222, 11237}, Published{"PDX-Coeus-CE1", 42, 14824, 14846},
        Published{"GP-ARGO-ksu-backfill", 13, 23400, 17608}}) {
    INFO(site.site);
    auto const executions = successful_executions(ledger).at(site.site);
    REQUIRE(executions.size() == site.jobs);
    REQUIRE(ledger.sites.at(site.site).succeeded == site.jobs);
    REQUIRE(mean(executions) == Approx(site.mean).margin(0.5));
    // The published medians are of whole seconds, halves cut off or rounded up.
    REQUIRE(median(executions) == Approx(site.median).margin(0.5));
  }
  REQUIRE(ledger.sites.at("").held == 15);
}

TEST_CASE("first match to completion is total - last + slot busy, job by job") {
  auto const table = history::read_job_table(
      test::source_dir() / "calibration/data/osg-imagenet/imagenet-5epoch-100jobs.csv");
  auto const ledger = account(history::to_history(table));
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    auto const& row = table.rows[i];
    if (row.outcome != history::Outcome::success) continue;
    INFO(to_text(row.name));
    REQUIRE(ledger.jobs[i].match_to_done ==
            *row.transfer_total - *row.transfer_last + row.slot_busy.back());
  }
}

TEST_CASE("the pilots") {
  auto const twenty = ledger_of("imagenet-20epoch-pilot.csv");
  REQUIRE(twenty.total.succeeded == 4);
  REQUIRE(twenty.total.removed == 1);
  REQUIRE(twenty.total.compute_success == Seconds(56290 + 43339 + 64328 + 56057));
  REQUIRE(twenty.total.stalls == 10);
  // Unknown last transfers: at most slot busy - execution.
  REQUIRE(twenty.jobs[0].last_transfer == Seconds(57782 - 56290));
  auto const five = ledger_of("imagenet-5epoch-pilot.csv");
  REQUIRE(five.total.succeeded == 5);
  REQUIRE(five.total.transfer_retried == Seconds(4121 - 492 + 10359 - 773));
}

}  // namespace
}  // namespace gridcast::ledger
