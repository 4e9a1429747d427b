#include "calibration/validation.hpp"

#include "calibration/file/calibration_file.hpp"
#include "sim/history/job_table.hpp"
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

TEST_CASE("a calibration file's account of its fits", "[file_contents]") {
  auto const contents = read_calibration_document(source + "/calibration/fitted/osg-imagenet.yaml");
  CHECK(contents.epochs == 5);
  REQUIRE(contents.inputs.size() == 1);
  CHECK(contents.inputs[0].rows == 100);
  CHECK(contents.fit.not_identified.size() == 8);
  CHECK(contents.fit.estimates[0].name == "unpack_s.CHTC-Spark-CE1");
  CHECK(contents.fit.estimates[0].interval90.high == Approx(1942.76));
  CHECK(contents.fit.tests[0].verdict == "rejected: stalls come in bursts");
}

}  // namespace

}  // namespace gridcast::calibration
