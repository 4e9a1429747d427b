#include "calibration/file/calibration_file.hpp"

#include <cmath>
#include <limits>

#include <yaml-cpp/yaml.h>

#include "sim/scenario/calibration.hpp"
#include "sim/scenario/tables.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {

namespace {

CalibrationDocument tiny() {
  CalibrationDocument document;
  document.profile = "resnet50-imagenet";
  document.version = "1.2.3";
  document.command = "gridcast calibrate jobs.csv --pool pool.yaml -o fitted.yaml";
  document.inputs = {{"jobs.csv", "ab12", 100}};
  document.pool_file = "pool.yaml";
  document.pool_sha256 = "cd34";
  document.epochs = 5;
  document.input_size = Bytes(137e9);
  document.seed = 7;
  document.fit.hypotheses = {{"overload", 0.25, {0.125, 0.5}}};
  Estimate line;
  line.name = "unpack_s.PDX";
  line.unit = "s";
  line.estimate = 977.5;
  line.standard_error = 1.0 / 3;
  line.interval90 = {970, 985.123456789};
  line.events = 2;
  line.censored = 1;
  line.method = "mean: of \"two\"";
  document.fit.estimates = {line};
  document.fit.draws.add("unpack_s.PDX", {977.123456, 1e-9});
  document.fit.draws.add("rate", {1e6, 2.5e8});
  document.fit.tests = {{"stalls are independent", "dispersion", 10.5, 1, 1e-135, "rejected"}};
  document.fit.not_identified = {{"http_abort", "not in the table", "the report"}};
  return document;
}

}  // namespace

TEST_CASE("A tiny calibration file, byte for byte") {
  CHECK(
      calibration_yaml(tiny()) ==
      R"(# Parameters of a grid, estimated from job histories: values with their uncertainty, tests of
# the models behind them, the limits of the data, and joint draws that simulations use.
# Made, byte for byte, by:
#   gridcast calibrate jobs.csv --pool pool.yaml -o fitted.yaml
schema: gridcast.calibration/1
profile: resnet50-imagenet
made_by:
  program: "gridcast 1.2.3"
  command: "gridcast calibrate jobs.csv --pool pool.yaml -o fitted.yaml"
inputs:
  - {file: "jobs.csv", sha256: "ab12", rows: 100}
pool: {file: "pool.yaml", sha256: "cd34"}
options: {epochs: 5, input_size: 137000000000 B, seed: 7}
tests:
  - hypothesis: "stalls are independent"
    statistic: "dispersion"
    observed: 10.5
    expected: 1
    p_value: 1e-135
    verdict: "rejected"
not_identified:
  - what: "http_abort"
    why: "not in the table"
    taken_from: "the report"
model_weights:
  - {name: "overload", prior: 0, log_bayes_factor: 0, weight: 0.25, interval90: [0.125, 0.5]}
parameters:
  unpack_s.PDX:
    estimate: 977.5
    se: 0.333333
    interval90: [970, 985.123]
    unit: "s"
    events: 2
    censored: 1
    method: "mean: of \"two\""
    fit: ""
    origin: fitted
draws:
  columns:
    - unpack_s.PDX
    - "rate"
  rows:
    - [977.123, 1e+06]
    - [1e-09, 2.5e+08]
)");
}

TEST_CASE("No calibration has a value that its reader refuses") {
  CalibrationDocument document = tiny();
  document.fit.draws.add("work_s", {600, 0});
  CHECK_THROWS_AS(calibration_yaml(document), InternalError);
  document.fit.draws.rows[1].back() = 1e-9;
  CHECK_NOTHROW(calibration_yaml(document));
}

TEST_CASE("YAML gives back any text") {
  CalibrationDocument document = tiny();
  std::string const nasty = "a: b # c \\ \"d\" \t\x01 é {e} [f] - *g &h !i %j @k `l` 'm'";
  document.profile = "no";
  document.inputs[0].file = nasty;
  document.fit.estimates[0].name = "unpack_s.A site: [odd]";
  document.fit.estimates[0].method = nasty + "\nsecond line";
  document.fit.draws.columns[0] = "unpack_s.A site: [odd]";
  YAML::Node const read = YAML::Load(calibration_yaml(document));
  CHECK(read["schema"].as<std::string>() == "gridcast.calibration/1");
  CHECK(read["profile"].as<std::string>() == "no");
  CHECK(read["inputs"][0]["file"].as<std::string>() == nasty);
  CHECK(read["parameters"]["unpack_s.A site: [odd]"]["method"].as<std::string>() ==
        nasty + "\nsecond line");
  CHECK(read["draws"]["columns"][0].as<std::string>() == "unpack_s.A site: [odd]");
  CHECK(read["draws"]["rows"][1][1].as<double>() == 2.5e8);
  CHECK(read["options"]["input_size"].as<std::string>() == "137000000000 B");
}

TEST_CASE("A document with nothing in it is still YAML") {
  CalibrationDocument document;
  document.fit.estimates.push_back({});
  document.fit.estimates[0].name = "x";
  document.fit.estimates[0].standard_error = std::numeric_limits<double>::infinity();
  YAML::Node const read = YAML::Load(calibration_yaml(document));
  CHECK(read["tests"].size() == 0);
  CHECK(std::isinf(read["parameters"]["x"]["se"].as<double>()));
}

}  // namespace gridcast::calibration
