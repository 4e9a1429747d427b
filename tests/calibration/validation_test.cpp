#include "calibration/validation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "calibration/file/calibration_file.hpp"
#include "sim/base/error.hpp"
#include "sim/history/job_table.hpp"
#include "tests/history/history_builder.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {

namespace {

std::string const source = test::source_dir().string();

TEST_CASE("the published campaign's executions stand beside their fits", "[fitted_process]") {
  auto const calibration =
      scenario::read_calibration(source + "/calibration/fitted/osg-imagenet.yaml");
  auto const table = history::read_job_table(
      source + "/calibration/data/osg-imagenet/imagenet-5epoch-100jobs.csv");
  auto const processes = table_processes(table, calibration, 5);
  REQUIRE(processes.size() == 4);
  CHECK(processes[1].name == "execution at PDX-Coeus-CE1");
  CHECK(processes[1].data.size() == 42);
  // Half of the executions of a fit with 42 events lie below its median.
  auto const& draw = processes[1].draws.front();
  CHECK(draw.cdf(processes[1].data[20]) == Approx(0.5).margin(0.2));
  CHECK(processes[2].censored == 3);
}

TEST_CASE("a log's executions that nothing interrupted stand beside their draws",
          "[fitted_process]") {
  using enum history::EventKind;
  auto const calibration =
      scenario::read_calibration(source + "/calibration/fitted/osg-imagenet.yaml");
  test::HistoryBuilder builder({{1, 0}, {1, 1}, {1, 2}, {1, 3}, {1, 4}},
                               {"PDX-Coeus-CE1", "A site that the file does not know"});
  builder.get().slots = {"slot1@p@h"};
  auto const run = [&](std::size_t job, std::size_t site, double start, double seconds,
                       std::vector<history::EventKind> const& between) {
    builder.add(0, job, submitted).add(start, job, executing).on(site, 0);
    double at = start + 10;
    for (history::EventKind const kind : between) builder.add(at += 5, job, kind).on(site, 0);
    builder.add(start + seconds, job, transfer_output_started).on(site, 0);
    builder.add(start + seconds + 3, job, terminated).on(site, 0);
  };
  run(0, 0, 100, 700, {});
  run(1, 0, 100, 600, {});
  run(2, 0, 100, 900, {suspended, unsuspended});
  run(3, 0, 100, 900, {disconnected, reconnected});
  run(4, 1, 100, 900, {});
  history::JobHistory history = builder.get();
  std::stable_sort(history.events.begin(), history.events.end(),
                   [](auto const& a, auto const& b) { return a.at < b.at; });
  auto const processes = log_processes(history, calibration);
  REQUIRE(!processes.empty());
  CHECK(processes[0].name == "execution at PDX-Coeus-CE1");
  CHECK(processes[0].data == std::vector<double>{600, 700});
  CHECK(processes[0].draws.size() == 200);
  auto const& draw = calibration.draws.front();
  CHECK(processes[0].draws.front().quantile(0.5) ==
        Approx(draw.work.value() / draw.sites.at("PDX-Coeus-CE1").speed));
  CHECK(std::count_if(processes.begin(), processes.end(), [](FittedProcess const& process) {
          return process.name.starts_with("execution at");
        }) == 1);

  // Of two kinds of jobs, half of them each, two standard deviations apart.
  auto of_kinds = calibration;
  for (scenario::ParameterDraw& one : of_kinds.draws) {
    one.work = Seconds(1000);
    one.sites.at("PDX-Coeus-CE1").speed = 2;
    one.job_sigma = 1;
    one.execution_sigma = 0;
    one.work_kinds[0] = {0.5, -1, 0.01};
    one.work_kinds[1] = {0.5, 1, 0.01};
  }
  auto const mixed = log_processes(history, of_kinds)[0].draws.front();
  CHECK(mixed.quantile(0.25) == Approx(500 * std::exp(-1)));
  CHECK(mixed.quantile(0.75) == Approx(500 * std::exp(1)));
}

TEST_CASE("a calibration file's account of its fits", "[file_contents]") {
  auto const contents =
      scenario::read_calibration_file(source + "/calibration/fitted/osg-imagenet.yaml");
  CHECK(contents.epochs == 5);
  REQUIRE(contents.inputs.size() == 1);
  CHECK(contents.inputs[0].rows == 100);
  CHECK(contents.not_identified.size() == 11);
  CHECK(contents.parameters[0].name == "unpack_s.CHTC-Spark-CE1");
  CHECK(contents.parameters[0].interval90.high == Approx(1942.76));
  CHECK(contents.tests[0].verdict == "rejected: stalls come in bursts");
}

TEST_CASE("the truth of a test pool, in a calibration's words", "[truth]") {
  auto const truth = read_truth(source + "/calibration/data/htcondor-pool/c7-hang",
                                {"SITE-A", "SITE-B", "SITE-Z"});
  auto const value = [&](std::string const& name) {
    for (TrueParameter const& one : truth) {
      if (one.name == name) return one.value;
    }
    return std::numeric_limits<double>::quiet_NaN();
  };
  double const mean_speed = std::sqrt(1.5);
  CHECK(value("speed.SITE-A") == Approx(1 / mean_speed));
  CHECK(value("speed.SITE-B") == Approx(1.5 / mean_speed));
  CHECK(value("work_s") == Approx(6 / mean_speed));
  CHECK(value("job_sigma") == 0.4);
  CHECK(value("latency_s.SITE-B") == 4);
  CHECK(value("url_hang.SITE-A") == 0.35);
  CHECK(value("evict_per_s.SITE-A") == 0);
  CHECK(value("release_delay_mean_s") == Approx(2 + 4 + 1.2));
  CHECK(std::isnan(value("speed.SITE-Z")));
  CHECK(std::isnan(value("suspension_s")));
  CHECK_THROWS_AS(read_truth(source + "/calibration", {}), InputError);
  auto const hazards = read_truth(source + "/calibration/data/htcondor-pool/c1-sweep", {"SITE-B"});
  CHECK(std::any_of(hazards.begin(), hazards.end(), [](TrueParameter const& one) {
    return one.name == "evict_per_s.SITE-B" && one.value == Approx(1.0 / 40);
  }));
}

TEST_CASE("intervals are held against the truth; what no event tells of counts apart", "[truth]") {
  std::vector<Estimate> const fitted = {
      {.name = "a", .estimate = 1, .interval90 = {0, 2}, .events = 3},
      {.name = "b", .estimate = 1, .interval90 = {0, 2}, .events = 1},
      {.name = "c", .estimate = 1, .interval90 = {0, 2}, .events = 0}};
  RecoveryTable const table = recover(fitted, {{"a", 2}, {"b", 2.1}, {"c", 1}, {"d", 1}});
  REQUIRE(table.rows.size() == 3);
  CHECK(table.rows[0].inside);
  CHECK_FALSE(table.rows[1].inside);
  CHECK(table.rows[1].truth == 2.1);
  CHECK_FALSE(table.rows[2].identified);
  CHECK(table.inside == 2);
  CHECK(table.identified == 2);
  CHECK(table.identified_inside == 1);
}

TEST_CASE("parameters of a file are read, or a reason given", "[truth]") {
  auto const parameters = read_parameters(source + "/calibration/fitted/osg-imagenet.yaml");
  CHECK(parameters[0].name == "unpack_s.CHTC-Spark-CE1");
  CHECK(parameters[0].interval90.high == Approx(1942.76));
  CHECK_THROWS_AS(read_parameters(source + "/scenarios/pools/ospool-2024.yaml"), InputError);
}

}  // namespace

}  // namespace gridcast::calibration
