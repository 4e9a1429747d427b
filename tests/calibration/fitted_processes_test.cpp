#include "calibration/fitted_processes.hpp"

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
  CHECK(contents.tests[0].verdict == "reached");
}

}  // namespace

}  // namespace gridcast::calibration
