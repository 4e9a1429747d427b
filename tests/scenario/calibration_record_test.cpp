#include <algorithm>
#include <cmath>
#include <string>

#include "sim/scenario/calibration.hpp"
#include "sim/scenario/yaml/document.hpp"
#include "tests/test.hpp"

namespace gridcast::scenario {
namespace {

std::vector<HypothesisWeight> weights_in(std::string const& lines) {
  return record_in({"file.yaml", "schema: gridcast.calibration/1\nmodel_weights:\n" + lines})
      .weights;
}

TEST_CASE("explanations that have a line of their own count as it says") {
  auto const weights = weights_in(
      "  - {name: \"overload\", prior: 0.25, log_bayes_factor: 0.5, weight: 0.4}\n"
      "  - {name: \"slow\", prior: 0.75, log_bayes_factor: -0.5, weight: 0.6}\n"
      "  - {name: \"dead cache\", prior: 0.125, log_bayes_factor: 9, weight: 0.3}\n");
  REQUIRE(weights.size() == 2);
  CHECK(weights[0].hypothesis == Hypothesis::overload);
  CHECK(weights[0].prior == 0.25);
  CHECK(weights[0].log_bayes_factor == 0.5);
  CHECK(weights[1].posterior == 0.6);
}

TEST_CASE("kinds and scopes are summed, and the Bayes factor belongs to the sum") {
  auto const weights = weights_in(
      "  - {name: \"none (congestion where links are narrow)\", prior: 0.5, weight: 0.2}\n"
      "  - {name: \"dead, cache\", prior: 0.125, log_bayes_factor: 3, weight: 0.5}\n"
      "  - {name: \"dead, origin\", prior: 0.125, log_bayes_factor: 1, weight: 0.1}\n"
      "  - {name: \"dead, node\", prior: 0.25, log_bayes_factor: 1, weight: 0.2}\n");
  REQUIRE(weights.size() == 3);
  CHECK(weights[0].hypothesis == Hypothesis::overload);
  CHECK(weights[0].prior == 0.25);
  CHECK(weights[0].posterior == Approx(0.6));
  // Odds from 1 : 3 to 3 : 2.
  CHECK(weights[0].log_bayes_factor == Approx(std::log(4.5)));
  CHECK(weights[1].hypothesis == Hypothesis::bad_path);
  CHECK(weights[2].hypothesis == Hypothesis::congestion);
}

TEST_CASE("a calibration without weights has none") {
  CHECK(weights_in("  - 5\n").empty());
  CHECK_FALSE(hypothesis_of_weight("dead cache"));
}

std::optional<std::size_t> jobs_in(std::string const& lines) {
  return record_in({"file.yaml", "schema: gridcast.calibration/1\n" + lines}).jobs;
}

TEST_CASE("recorded jobs are a log's jobs, or a table's rows") {
  std::string const inputs = "inputs:\n  - {file: a.csv, rows: 100}\n  - {file: b.csv, rows: 5}\n";
  CHECK(jobs_in(inputs) == 105);
  CHECK(jobs_in("campaign: {jobs: 72, attempts: 122}\n" + inputs) == 72);
  CHECK_FALSE(jobs_in("campaign: {attempts: 122}\n"));
}

/// A calibration with this column, whose record fetched that; `lines` are more of its file.
RecordGap untold_of(Protocol protocol, std::string const& input,
                    std::string const& column = "work_s", std::string const& lines = "") {
  Calibration calibration;
  calibration.columns = {column};
  calibration.record =
      record_in({"file.yaml", "schema: gridcast.calibration/1\ncampaign: {jobs: 3, input: [" +
                                  input + "]}\n" + lines});
  return record_gap(calibration, protocol);
}

TEST_CASE("a record shows the ways that its input came, and no other") {
  std::string const osdf = "{url: \"osdf:///x/a.tar\", size: 5 B}";
  std::string const web = "{url: \"https://x/a.tar\", size: 5 B}";
  std::string const file = "{url: \"data/a.tar\", size: 5 B}";
  CHECK(untold_of(Protocol::osdf, web) == RecordGap::none);
  CHECK(untold_of(Protocol::http, osdf) == RecordGap::http);
  CHECK(untold_of(Protocol::htcondor, osdf + ", " + web) == RecordGap::access_point);
  CHECK(untold_of(Protocol::http, osdf + ", " + web) == RecordGap::none);
  CHECK(untold_of(Protocol::htcondor, osdf + ", " + file) == RecordGap::none);
  CHECK(untold_of(Protocol::http, file) == RecordGap::http);
  CHECK(untold_of(Protocol::http, osdf, "http_abort") == RecordGap::none);
  CHECK(untold_of(Protocol::htcondor, osdf, "http_abort") == RecordGap::access_point);
}

TEST_CASE("the share of aborted downloads is that of the record's input") {
  auto const size = [](std::string const& line) {
    return record_in({"file.yaml", "schema: gridcast.calibration/1\n" + line}).input_size;
  };
  CHECK(size("options: {epochs: 5, input_size: 137000000000 B}") == Bytes(137e9));
  std::string const known = "{url: \"osdf:///a\", size: 5 B}";
  CHECK(size("campaign: {jobs: 3, input: [" + known + ", {url: b, size: 7 B}]}") == Bytes(12));
  CHECK(size("campaign: {jobs: 3, input: [" + known + ", {url: b}]}") == Bytes());
  auto const shipped =
      read_calibration(test::source_dir() / "calibration" / "fitted" / "osg-imagenet.yaml");
  for (auto const& draw : shipped.draws) CHECK(draw.record_input == Bytes(137e9));
}

TEST_CASE("a probability of aborts that is its prior alone shows nothing of HTTP") {
  std::string const fitted = "parameters: {http_abort: {estimate: 0.5, origin: fitted}}\n";
  std::string const prior = "parameters: {http_abort: {estimate: 0.5, origin: default}}\n";
  CHECK(untold_of(Protocol::http, "", "http_abort", fitted) == RecordGap::none);
  CHECK(untold_of(Protocol::http, "", "http_abort", prior) == RecordGap::http);
  CHECK(untold_of(Protocol::osdf, "", "http_abort", prior) == RecordGap::none);
  CHECK(untold_of(Protocol::http, "{url: \"http://x/a\", size: 5 B}", "http_abort", prior) ==
        RecordGap::none);
}

TEST_CASE("a record that names no URL is not asked how its input came") {
  for (Protocol const protocol : {Protocol::http, Protocol::htcondor}) {
    CHECK(untold_of(protocol, "") == RecordGap::none);
    CHECK(untold_of(protocol, "{url: \"\", size: 5 B}") == RecordGap::none);
  }
}

TEST_CASE("facts that a record lacks come with a reason") {
  auto const unreported =
      record_in({"file.yaml",
                 "schema: gridcast.calibration/1\nnot_identified:\n"
                 "  - {what: stalls, why: \"no stall was seen\", taken_from: t}\n"
                 "  - {why: nothing}\n  - {what: other}\n"})
          .not_identified;
  CHECK(unreported ==
        std::map<std::string, std::string>{{"stalls", "no stall was seen"}, {"other", ""}});
}

TEST_CASE("a record without transfers shows no way of input") {
  std::string const lines =
      "not_identified: [{what: \"input transfers\", why: w, taken_from: t}]\n";
  for (Protocol const protocol : {Protocol::osdf, Protocol::http, Protocol::htcondor}) {
    CHECK(untold_of(protocol, "", "work_s", lines) == RecordGap::transfers);
  }
}

TEST_CASE("Parameters are the same read line by line and by the YAML library") {
  std::string const head = "schema: gridcast.calibration/1\nparameters:\n";
  std::string const lines = head +
                            "  slots.SITE-1:\n    estimate: 2.5e-05\n    se: .inf\n"
                            "    interval90: [1, .nan]\n    unit: \"1/s\"\n    events: 7\n"
                            "    censored: 3\n    method: \"a: b, [c] # d\"\n    fit: \"\"\n"
                            "    origin: borrowed\n"
                            "  \"setup_s.UK (North)\":\n    estimate: -1\n    origin: default\n"
                            "tests: []\n";
  std::string text = lines;
  auto const taken = take_parameters(text);
  CHECK(std::count(text.begin(), text.end(), '\n') == std::count(lines.begin(), lines.end(), '\n'));
  CHECK(text.find("slots") == std::string::npos);
  CHECK(text.ends_with("tests: []\n"));
  auto const whole = contents_of({"file.yaml", lines}).parameters;
  REQUIRE(taken.size() == 2);
  REQUIRE(whole.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(taken[i].name == whole[i].name);
    CHECK(taken[i].estimate == whole[i].estimate);
    CHECK(taken[i].standard_error == whole[i].standard_error);
    CHECK(taken[i].interval90.low == whole[i].interval90.low);
    CHECK(std::isnan(taken[i].interval90.high) == std::isnan(whole[i].interval90.high));
    CHECK(taken[i].unit == whole[i].unit);
    CHECK(taken[i].events == whole[i].events);
    CHECK(taken[i].censored == whole[i].censored);
    CHECK(taken[i].method == whole[i].method);
    CHECK(taken[i].origin == whole[i].origin);
  }
  CHECK(taken[0].method == "a: b, [c] # d");
  CHECK(taken[1].estimate == -1);
  // Another form stays for the library.
  for (std::string const other : {"  a: {estimate: 1}\n", "  a:\n    estimate: 1  # seen\n",
                                  "  a:\n   estimate: 1\n", "  a:\n    more: 1\n"}) {
    std::string kept = head + other;
    CHECK(take_parameters(kept).empty());
    CHECK(kept == head + other);
  }
}

}  // namespace
}  // namespace gridcast::scenario
